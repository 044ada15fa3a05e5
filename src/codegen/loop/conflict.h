/* SPDX-License-Identifier: BSD-2-Clause
 * Conflict strategies: how a device keeps writes through maps from colliding, and for which loops each
 * strategy is right. Owns nothing. Invariant: the answers depend on the loop alone, so that text, plans and
 * launches agree.
 */
#pragma once

#include <stdbool.h>
#include "plan/blocks/plan.h"

/* Any writes through maps:
 *   colour   blocks colour by colour, and the elements of a block colour by colour
 *   stage    the same, on copies of the block's targets in local memory
 *   atomic   sums and extremes by atomics
 * Increments through maps to one set:
 *   combine  the increments of a block are added up in local memory, then once to each of its targets
 *   gather   each target calls the kernel for the elements that reach it and keeps its own increment
 *   store    elements store their contributions; then each target adds up those that reach it */
typedef enum pl_conflict { PL_COLOUR, PL_STAGE, PL_ATOMIC, PL_COMBINE, PL_GATHER, PL_STORED } pl_conflict;
enum { PL_CONFLICTS = PL_STORED + 1 };
/* Whether elements write through maps; pairs have other strategies. */
bool pl_collides(const pl_loop *loop);
const char *pl_conflict_name(pl_conflict conflict);
/* Bytes that a work item holds: its partial results and the records of its element; and up to which of them
 * about 64 registers suffice. */
size_t pl_private_bytes(const pl_loop *loop);
enum { PL_LIGHT_BYTES = 256 };

/* ---- increments ---- */

/* If all writes through maps are increments to one set: their distinct (map, index), the slots, in the order
 * of arguments; else 0. `slot` has space for pl_max_increments(loop). */
int pl_loop_increments(const pl_loop *loop, pl_reach *slot);
int pl_max_increments(const pl_loop *loop);
/* Adds the argument's targets to the first n that are not among them; returns how many there are now. */
int pl_reach_add(int n, pl_reach *reach, const pl_arg *arg);
int pl_reach_find(int n, const pl_reach *reach, const pl_map *map, int index); /* n: there is none */

/* Whether nothing else is written, so that the kernel may be called once for each target of an element. */
bool pl_writes_increments_alone(const pl_loop *loop);

/* The argument whose rows a gather may compute one by one: the values of a matrix, incremented by whole local
 * tensors and nothing else; NULL: there is none. */
const pl_arg *pl_tensor_arg(const pl_loop *loop);

/* The increments of a loop, and the words of a row entry from which a gather kernel calls the user's kernel
 * without reading maps. */
typedef struct pl_increments {
  int n, nwords;
  pl_reach *reach; /* the slots */
  bool own;        /* the kernel reads the targets of all slots: one of them is the row's own, and no word */
  pl_reach *word;
} pl_increments;

/* Of a word, `map` NULL is the element itself, `group` PL_UNREAD if the kernel does not read it; `group`
 * PL_OTHER is a slot, `index` counting those that are not the entry's own, and such words are the last; else
 * the word is the target of (map, index). The first word also holds the slot: value * pl_entry_word_base +
 * slot; it is the element where a target may be missing or too large for that. */
enum { PL_OTHER = 1, PL_UNREAD };
/* `by_row`: of a loop with a pl_tensor_arg. The slots are the targets of the tensor's rows, and no word holds
 * the slot. */
pl_err pl_increments_make(const pl_loop *loop, bool by_row, pl_increments *all);
void pl_increments_free(const pl_loop *loop, pl_increments *all);
/* Slots of muted entries, which pad rows of a fixed degree, follow those of the others. */
int pl_entry_word_base(int nslots, int degree);

/* ---- staging ---- */

/* The number of the list by which argument i's dat is staged, -1 if it cannot be: all its uses in the loop
 * must see one copy of each target, and the targets that are written must have been coloured. New lists are
 * added; `list` has space for the loop's arguments. */
int pl_stage_list(const pl_loop *loop, int i, int *nlists, pl_reach *list);

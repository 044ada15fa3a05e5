/* SPDX-License-Identifier: BSD-2-Clause
 * How writes through maps are kept from colliding on a device, and for which loops each way is right. Owns
 * nothing. Invariant: what is decided here depends on the loop alone, so that text, plans and launches agree.
 */
#ifndef PLAIT_CODEGEN_CONFLICT_H
#define PLAIT_CODEGEN_CONFLICT_H

#include "plan/plan.h"

/* Whatever is written through maps:
 *   colour   blocks colour by colour, and the elements of a block colour by colour
 *   stage    the same, on copies of the block's targets in local memory
 *   atomic   sums and extremes by atomics
 * Increments through maps to one set:
 *   combine  the increments of a block are added up in local memory, then once to each of its targets
 *   gather   turned round: each target calls the kernel for the elements that reach it and keeps its own
 * share store    elements store what they contribute; then each target adds up what reaches it */
typedef enum pl_conflict { PL_COLOUR, PL_STAGE, PL_ATOMIC, PL_COMBINE, PL_GATHER, PL_STORED } pl_conflict;
enum { PL_CONFLICTS = PL_STORED + 1 };
/* Whether elements write through maps; pairs have ways of their own. */
bool pl_collides(const pl_loop *loop);
const char *pl_conflict_name(pl_conflict conflict);

/* ---- increments ---- */

/* If all writes through maps are increments to one set: their distinct (map, index), the slots, in the order
 * of arguments; else 0. `slot` has room for pl_most_slots(loop). */
int pl_increment_slots(const pl_loop *loop, pl_reach *slot);
int pl_most_slots(const pl_loop *loop);

/* Values of the records that an element contributes: of each incremented dat, one for each slot. */
int pl_contributed_values(const pl_loop *loop, int nslots);

/* Whether nothing else is written, so that the kernel may be called once for each target that an element has.
 */
bool pl_writes_increments_alone(const pl_loop *loop);

/* What an entry of a row must hold so that a turned loop can call the kernel without looking at maps: `map`
 * NULL is the element itself; `group` PL_OTHER is a slot, `index` counting those that are not the entry's
 * own; else the target of (map, index). The first word also holds the slot: value * pl_word_base + slot.
 * Returns how many, 0 if rows cannot be of words (targets may be missing, or numbers are too large). `word`
 * has room for pl_most_slots + 1. */
enum { PL_OTHER = 1 };
int pl_gather_words(const pl_loop *loop, int nslots, const pl_reach *slot, pl_reach *word);
/* Slots of muted entries, which fill up rows of a fixed degree, follow those of the others. */
int pl_word_base(int nslots, int degree);

/* ---- staging ---- */

/* The number of the list by which argument i's dat is staged, so that all its uses in the loop see one copy
 * of each target, and what is written back has been coloured; -1 if it cannot be. Lists are entered where
 * they are new; `list` has room for the loop's arguments. */
int pl_stage_list(const pl_loop *loop, int i, int *nlists, pl_reach *list);

#endif

/* SPDX-License-Identifier: BSD-2-Clause
 * The walker: a loop with its bound signature becomes the text of a program for a dialect. One walker for all
 * targets.
 *
 * The program's entry point takes one table of pointers, the slots; the backend fills it before each run.
 * Each distinct dat and map is one slot, so that every pointer of the text can be `restrict`.
 *
 * Host:   void pl_run(int begin, int end, const int *list, void *const *slots)
 *         runs elements begin..end-1, or list[begin..end-1] if list is not NULL.
 * Device: pl_run(begin, end, ..., slots...), one element a work item. In between: first, blocks, colours and
 *         element_colour of a plan if writes are coloured; the list of a subset; or, for a loop turned round,
 *         offset and entry of the inverse map, and then begin to end are targets.
 *         pl_finish(nblocks, fresh, results...), one block, ends reductions: each result of the blocks is
 *         followed by its global, and by the elements that hold it if it has a payload.
 */
#ifndef PLAIT_CODEGEN_WALKER_H
#define PLAIT_CODEGEN_WALKER_H

#include "core/text.h"
#include "plan/plan.h"
#include "dialect.h"
#include "signature.h"
#include "source.h"

/* Shapes of host text (docs/internals.md): element by element; lanes of elements; lanes with records
 * transposed. */
typedef enum pl_form { PL_FORM_SCALAR, PL_FORM_LANES, PL_FORM_TRANSPOSE } pl_form;

typedef enum pl_slot_kind {
  PL_SLOT_DAT,         /* values of the dat of argument `arg` */
  PL_SLOT_MAP,         /* indices of the map of argument `arg` */
  PL_SLOT_OFFSET,      /* offsets of its rows, if it is ragged */
  PL_SLOT_VALUE,       /* values of a global or const that is read */
  PL_SLOT_POINTER,     /* the user's pointer */
  PL_SLOT_RESULT,      /* partial result of reduction `arg`, or of its payload */
  PL_SLOT_WHERE,       /* int64_t: the global index of the element that holds extreme `arg` */
  PL_SLOT_NUMBERS,     /* int64_t: the global indices that `arg` shows (pl_arg_numbered) */
  PL_SLOT_CONSTS,      /* struct pl_consts */
  PL_SLOT_PAIR_ROW,    /* offsets of the rows of pairs: int64_t, of a ragged map int */
  PL_SLOT_PAIR_ENTRY,  /* int: entries of the rows */
  PL_SLOT_PAIR_RECORD, /* records of a pair map */
  PL_SLOT_PAIR_CUTOFF, /* the square of its cutoff */
  PL_SLOT_PAIR_OWNER,  /* int: the particle of each record */
  PL_SLOT_PAIR_COUNT,  /* int: particles, where there is no list */
  PL_SLOT_STRIDE       /* int: elements of the dat of `arg`, for layouts that keep components apart */
} pl_slot_kind;

typedef struct pl_slot {
  pl_slot_kind kind;
  int arg;
} pl_slot;

typedef struct pl_loop_text {
  pl_context *pl;
  pl_text text;
  int nslots;
  pl_slot *slot;
  pl_source source; /* the kernel's part of the text, and its consts */
  pl_form form;
  int finish_size; /* work items of pl_finish */
} pl_loop_text;

/* The form of a loop on the host: by rules, or what the option shape asks for where that is right. And all
 * that are right (room for PL_FORMS); which is the fastest is found out by running them (backends/shape.c).
 * All give the same bits but for the order of global sums. */
enum { PL_FORMS = 3 };
pl_form pl_form_choose(const pl_loop *loop);
int pl_forms_possible(const pl_loop *loop, pl_form *forms);
const char *pl_form_name(pl_form form);
bool pl_form_find(const char *name, pl_form *form); /* false: there is none of that name */

/* How writes through maps are kept from colliding on a device: block and element colours, atomics, or a loop
 * turned round: each target calls the kernel for the elements that reach it and keeps its own share
 * (increments only). */
typedef enum pl_conflict { PL_COLOUR, PL_ATOMIC, PL_GATHER } pl_conflict;
const char *pl_conflict_name(pl_conflict conflict);

/* For a loop that can be turned round: the distinct (map, index) of its increments, in the order of slots;
 * `reach` has room for pl_gather_most(loop). Returns how many there are, 0 if the loop cannot. */
int pl_gather_slots(const pl_loop *loop, pl_reach *reach);
int pl_gather_most(const pl_loop *loop);

/* What decides a program besides its loop. */
typedef struct pl_walk_style {
  const pl_dialect *dialect;
  pl_form form;         /* host */
  pl_conflict conflict; /* device */
  int block_size;       /* device: elements of a block */
  int max_block;        /* device: work items of a group at most; 0: 1024 */
  bool relayout;        /* recover the user's line structure, for compile errors */
} pl_walk_style;

/* Prints the program. */
pl_err pl_walk(const pl_loop *loop, const pl_signature *signature, const pl_walk_style *style,
               pl_loop_text *program);
/* A sum whose global is known to be zero need not be there before: bit i of pl_finish's `fresh` says so of
 * argument i. */
bool pl_may_be_fresh(const pl_arg *arg, int i);
void pl_loop_text_free(pl_loop_text *program);

#endif

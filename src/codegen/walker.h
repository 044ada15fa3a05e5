/* SPDX-License-Identifier: BSD-2-Clause
 * The walker: a loop with its bound signature becomes the text of a program for a dialect. One walker for all
 * targets.
 *
 * The program's entry point takes one table of pointers, the slots; the backend fills it before each run.
 * Each distinct dat and map is one slot, so that every pointer of the text can be `restrict`.
 *
 * Host:   void pl_run(int begin, int end, const int *list, void *const *slots)
 *         runs elements begin..end-1, or list[begin..end-1] if list is not NULL.
 * Device: pl_run(begin, end, [what belongs to the way conflicts are resolved], [the list of a subset,]
 * slots...), one element a work item, or one target if the loop is turned round; begin to end are then
 * targets. In between: colour   first, blocks, colours, element_colour stage    the same; then for each list
 * targets_of, target, local; for each staged copy its place in local memory combine  first and blocks if
 * coloured; targets_of, target, row_of, entry gather   offset unless rows have a fixed degree; rows of
 * entries, or of words and their stride store    where each dat's contributions go; pl_sum(begin, end,
 * offset, entry, contributions..., dats...) adds them up, one target a work item pl_finish(nblocks, fresh,
 * results...), one block, ends reductions: each result of the blocks is followed by its global, and by the
 * elements that hold it if it has a payload. Where the last block of pl_run does that, pl_run has a counter
 * (NULL: they are not to be ended), fresh and the globals before its slots.
 */
#ifndef PLAIT_CODEGEN_WALKER_H
#define PLAIT_CODEGEN_WALKER_H

#include "core/text.h"
#include "conflict.h"
#include "dialect.h"
#include "signature.h"
#include "source.h"

/* Shapes of host text (docs/internals.md): element by element; lanes of elements; lanes with records
 * transposed; the same with writes past the caches, with longer vectors, with both. */
typedef enum pl_form {
  PL_FORM_SCALAR,
  PL_FORM_LANES,
  PL_FORM_TRANSPOSE,
  PL_FORM_STREAM,
  PL_FORM_WIDE,
  PL_FORM_WIDE_STREAM
} pl_form;

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
  PL_SLOT_PAIR_STALE,  /* int: not 0 where a device's list does not hold any more */
  PL_SLOT_PAIR_COUNT,  /* int[3]: pl_pairs.count */
  PL_SLOT_WATCH,       /* struct pl_watch: what a checked loop tells */
  PL_SLOT_BLOCKS,      /* int: where the targets of each block begin */
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
enum { PL_FORMS = 6 };
pl_form pl_form_choose(const pl_loop *loop);
int pl_forms_possible(const pl_loop *loop, pl_form *forms);
const char *pl_form_name(pl_form form);
bool pl_form_find(const char *name, pl_form *form); /* false: there is none of that name */

/* What decides a program besides its loop. */
typedef struct pl_walk_style {
  const pl_dialect *dialect;
  pl_form form;         /* host */
  pl_conflict conflict; /* device, with what belongs to it: */
  bool coloured;        /* combine: blocks run colour by colour, instead of atomics */
  bool wide_locals;     /* stage: places in a block's lists need more than 16 bits */
  bool words;           /* gather: rows hold the targets that an element reads, not its number ... */
  int degree;           /* ... and have this many entries; 0: as many as offsets say */
  int block_size;       /* device: elements of a block */
  int max_block;        /* device: work items of a group at most; 0: 1024 */
  bool whole;           /* device: every launch fills its blocks: no bounds are looked at */
  bool ends;     /* device: the last block of the launch ends the reductions, where blocks have no plan */
  bool relayout; /* recover the user's line structure, for compile errors */
  bool checks;   /* scalar host form: sums in fixed point that do not fit become the lowest number for good,
                    and what the kernel does is watched (watch.h) */
} pl_walk_style;

/* Prints the program. */
pl_err pl_walk(const pl_loop *loop, const pl_signature *signature, const pl_walk_style *style,
               pl_loop_text *program);
/* A sum whose global is known to be zero need not be there before: bit i of pl_finish's `fresh` says so of
 * argument i. */
bool pl_may_be_fresh(const pl_arg *arg, int i);
/* Whether the dat of argument i is handed over with its stride. */
bool pl_loop_text_strides(const pl_loop_text *program, int i);
void pl_loop_text_free(pl_loop_text *program);

#endif

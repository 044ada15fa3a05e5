/* SPDX-License-Identifier: BSD-2-Clause
 * The state while the program of a loop is printed: its options, its operands (a loop argument with the
 * kernel parameter that it is for), its parameters, and the text. Declares no functions.
 *
 * Invariant: the text names no dat, set or map. These stand in `head` alone, so that one kernel on dats of
 * other names is one compilation.
 */
#pragma once

#include <stdbool.h>
#include "codegen/source/kernel_source.h"
#include "conflict.h"
#include "codegen/target/dialect.h"
#include "codegen/target/place.h"

/* Forms of host text (docs/internals/): element by element; lanes of elements; lanes with records
 * transposed; the same with writes past the caches, with longer vectors, with both; transposed, with a copy
 * of the kernel whose values are vectors. */
typedef enum pl_form {
  PL_FORM_SCALAR,
  PL_FORM_LANES,
  PL_FORM_TRANSPOSE,
  PL_FORM_STREAM,
  PL_FORM_WIDE,
  PL_FORM_WIDE_STREAM,
  PL_FORM_VECTOR
} pl_form;

typedef enum pl_param_kind {
  PL_SLOT_DAT,          /* values of the dat of argument `arg` */
  PL_SLOT_MAP,          /* indices of the map of argument `arg` */
  PL_SLOT_NARROW,       /* uint16_t: the same in 16 bits, less ... */
  PL_SLOT_BASE,         /* ... int: the base of the element's block; -1: they do not fit */
  PL_SLOT_OFFSET,       /* offsets of its rows, if it is ragged */
  PL_SLOT_VALUE,        /* values of a global or const that is read */
  PL_SLOT_POINTER,      /* the user's pointer */
  PL_SLOT_RESULT,       /* partial result of reduction `arg`, or of its payload */
  PL_SLOT_ARG_ELEMENT,  /* int64_t: the global index of the element that holds extreme `arg` */
  PL_SLOT_GLOBAL_INDEX, /* int64_t: the global indices that `arg` shows (pl_arg_numbered) */
  PL_SLOT_CONSTS,       /* struct pl_consts */
  PL_SLOT_PAIR_ROW,     /* offsets of the rows of pairs: int64_t, of a ragged map int */
  PL_SLOT_PAIR_ENTRY,   /* int: entries of the rows */
  PL_SLOT_PAIR_RECORD,  /* records of a pair map */
  PL_SLOT_PAIR_STRIDE,  /* int: how far the values of a record are apart, if they are */
  PL_SLOT_PAIR_CUTOFF,  /* the square of its cutoff */
  PL_SLOT_PAIR_OWNER,   /* int: the particle of each record */
  PL_SLOT_PAIR_STALE,   /* int: not 0 where a device's list is no longer valid */
  PL_SLOT_PAIR_COUNT,   /* int[3]: pl_pairs.count */
  PL_SLOT_CHECKER,      /* struct pl_checker: the callbacks of a checked loop */
  PL_SLOT_BLOCKS,       /* int: where the targets of each block begin */
  PL_SLOT_STRIDE,       /* int: elements of the dat of `arg`, for layouts that keep components apart */

  /* Of devices: the range that a kernel runs, */
  PL_SLOT_BEGIN,   /* int: the first element or target ... */
  PL_SLOT_END,     /* ... and behind the last */
  PL_SLOT_TURN,    /* int: the last block, if the launch goes through them backwards; else 0 */
  PL_SLOT_SINGLE,  /* int: so many last blocks do not run the elements of several */
  PL_SLOT_NBLOCKS, /* int: blocks that have left results */
  PL_SLOT_SUBSET,  /* int: the elements of a subset */
  /* of a plan, */
  PL_SLOT_FIRST_BLOCK,    /* int: the launch's first entry of ... */
  PL_SLOT_PLAN_BLOCKS,    /* ... int: the blocks, by colour */
  PL_SLOT_BLOCK_COLOURS,  /* int: colours inside each block */
  PL_SLOT_ELEMENT_COLOUR, /* int: the colour of each element in its block */
  PL_SLOT_STAGE_FROM,     /* int: where list `arg` of each block begins, */
  PL_SLOT_STAGE_TO,       /* its targets, */
  PL_SLOT_STAGE_LOCAL,    /* and the places of each element's targets in it (pl_emit_options.wide_locals) */
  PL_SLOT_STAGE_START,    /* int: where the copy that `arg` is the first of lies in local memory */
  PL_SLOT_SUMS_FROM,      /* combine, int: where the targets of each block begin, */
  PL_SLOT_SUMS_TO,        /* the targets, */
  PL_SLOT_SUMS_ROW,       /* uint16_t: where the entries of each begin, */
  PL_SLOT_SUMS_ENTRY,     /* and the entries */
  PL_SLOT_ROW_OFFSET,     /* gather, store: int: where each target's row begins, */
  PL_SLOT_ROW_WORD,       /* words of entries (store: element * slots + slot), */
  PL_SLOT_ROW_STRIDE,     /* which are so many apart */
  PL_SLOT_ROW_CUT,        /* gather of a matrix, int: where the sections of its records begin */
  PL_SLOT_CONTRIBUTION, /* store: the elements' increments of the dat that `arg` is the first to increment */
  /* and for the end of reductions. */
  PL_SLOT_COUNTER,       /* int: blocks that are done; NULL: this launch ends none */
  PL_SLOT_FROM_ZERO,     /* int: bit i: argument i starts from zero; negative: the first range */
  PL_SLOT_GLOBAL,        /* the global of `arg` itself */
  PL_SLOT_GLOBAL_ELEMENT /* int64_t: the element that holds the global extreme `arg` */
} pl_param_kind;

typedef struct pl_param_slot {
  pl_param_kind kind;
  int arg; /* -1: of none */
} pl_param_slot;

typedef struct pl_param_list {
  int n;
  pl_param_slot *slot;
  bool shared; /* local memory whose size is known at the launch follows them */
} pl_param_list;

typedef struct pl_loop_text {
  pl_context *pl;
  pl_string head; /* a comment that names dats, sets and maps: stands before kept texts, is not compiled */
  pl_string text;
  pl_param_list run, sum,
    finish;         /* the parameters of its kernels: pl_run, and on devices pl_sum, pl_finish */
  pl_source source; /* the kernel's part of the text, and its consts */
  pl_form form;
  bool quick;
  int finish_size; /* work items of pl_finish */
} pl_loop_text;

/* Options that decide a program, besides its loop. */
typedef struct pl_emit_options {
  const pl_dialect *dialect;
  pl_form form;         /* host, */
  bool quick;           /* for a quick compilation: lists run as ranges of one element each */
  pl_conflict conflict; /* device, with its options: */
  bool coloured;        /* combine: blocks run colour by colour, instead of atomics */
  bool wide_locals;     /* stage: places in a block's lists need more than 16 bits */
  int degree;           /* gather: entries of each row; 0: as many as offsets say */
  int record_bits;      /* gather of a matrix: bits of a field of its records; 0: by target */
  bool gaps;            /* gather of a matrix: some of its records have columns without values */
  bool stores;          /* gather of a matrix: replaces the values, as the loop zeroes them first */
  int block_size;       /* device: elements of a block */
  int max_block;        /* device: work items of a group at most; 0: 1024 */
  bool turns;           /* device: launches may go through their blocks backwards */
  bool strides;         /* device: with turns: a block may run the elements of several one after the other */
  bool full_blocks;     /* device: every launch fills its blocks: no index is compared with a bound */
  bool
    ends_reductions; /* device: the last block of the launch ends the reductions, where blocks have no plan */
  bool restore_lines; /* recover the user's line structure, for compile errors */
  bool checks; /* scalar host form: sums in fixed point that overflow become the lowest number for good,
                  and the kernel's values are reported (check_hooks.h) */
} pl_emit_options;

enum { PL_NAME = 40 };

typedef struct pl_operand {
  const pl_arg *arg;
  const pl_param *param;
  int i;              /* argument number, from 0 */
  pl_type type;       /* real type of one value (complex: of its parts) */
  int dim;            /* values of that type behind one target */
  int stride;         /* values of the dat's record */
  int index, targets; /* the first target's index in its map, and how many there are */
  int dat, map;       /* numbers among dats and maps, -1 */
  int ids;            /* number among arrays of global indices, -1: an element's number is its global index */
  pl_place home;      /* records of the dat, or of the values that a block computes */
  const struct pl_operand *mask;   /* values are there only where this one is not zero; NULL: everywhere */
  const struct pl_operand *summed; /* of pairs: this one's sums are its values; NULL: they are in memory */
  int staged;                      /* the list by which a block keeps a copy of its targets, -1: none */
  bool all;                        /* PL_ALL */
  bool row;                        /* all of a ragged map: the kernel gets a pl_row */
  bool guard;                      /* a target may be negative */
  bool loads;                      /* private values start from those of the dat */
  bool vector;                     /* its private values are vectors of those of several elements */
  bool pointer;                    /* the kernel gets pointers into the dat, no private copy */
  bool has_payload;
  int of; /* the values are the payload of this argument's extreme; -1 */
  /* names in the text (names.h) */
  char name[PL_NAME];    /* its private copy */
  char stem[PL_NAME];    /* the ending of names of its dat or global */
  char running[PL_NAME]; /* its result while the loop runs */
} pl_operand;

/* The state of printing one program. */
typedef struct pl_emitter {
  const pl_loop *loop;
  const pl_signature *signature;
  const pl_emit_options *options;
  const pl_dialect *dialect;
  pl_form form;
  int lanes; /* elements or particles of a group in forms with lanes */
  pl_loop_text *program;
  pl_operand *op, *end; /* loop->nargs */
  int ndats, nmaps, nids;
  int nlists; /* stage: each list once */
  pl_reach *list;
  pl_increments increments; /* combine, gather, store */
  bool cpp;
  bool consts; /* the kernel takes pl_k */
} pl_emitter;

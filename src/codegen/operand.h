/* SPDX-License-Identifier: BSD-2-Clause
 * Operands: what the walker knows of each loop argument when it prints. Names in the text:
 *   d0, d1, ...   dats           m0, m1, ...   maps          t0_1   target 1 of map 0 for this element
 *   o0, o1, ...   offsets of ragged maps
 *   v3            values of global or const argument 3       r3, w3 partial result 3 and its element
 *   x3_name       private values of argument 3               g3     result 3 while the loop runs
 *   n0, n1, ...   global indices of sets         pl_e       the element
 */
#ifndef PLAIT_CODEGEN_OPERAND_H
#define PLAIT_CODEGEN_OPERAND_H

#include "walker.h"

enum { PL_OPERAND_NAME = 48 };

typedef struct pl_operand {
  const pl_arg *arg;
  const pl_param *param;
  int i;             /* argument number, from 0 */
  pl_type type;      /* real type of one value (complex: of its parts) */
  int dim;           /* values of that type behind one target */
  int stride, first; /* of the dat's record: its length, and where the argument's values begin */
  int targets;
  int dat, map; /* slot numbers among dats and maps, -1 */
  int numbers;  /* slot number among global indices, -1: an element's number is its global index */
  int layout;   /* of the dat: PL_AOS, PL_SOA or tiles */
  int pack;     /* values together where components are apart */
  const struct pl_operand *where; /* values are there only where this one is not zero; NULL: everywhere */
  int staged;                     /* the list by which a block keeps a copy of its targets, -1: none */
  bool all;                       /* PL_ALL */
  bool row;                       /* all of a ragged map: the kernel gets a pl_row */
  bool guard;                     /* a target may be negative */
  bool local;                     /* lives in the block's memory */
  bool early;                     /* of the phase that computes a block's values */
  bool wide;                      /* offsets need 64 bits */
  bool gathers;                   /* private values start from those that are there */
  bool pointer;                   /* the kernel gets pointers into the dat, no private copy */
  bool payload;                   /* the winner's values; of argument `of` */
  bool has_payload;
  int of;
  char x[PL_OPERAND_NAME]; /* its private variable */
} pl_operand;

/* The distinct (map, index) through which a loop increments, in order. */
typedef struct pl_slots {
  int n;
  pl_reach *reach;
} pl_slots;

/* What a walk carries around. */
typedef struct pl_walk_state {
  const pl_loop *loop;
  const pl_signature *signature;
  const pl_walk_style *style;
  const pl_dialect *dialect;
  pl_form form;
  pl_loop_text *program;
  pl_operand *op; /* loop->nargs */
  int ndats, nmaps, nnumbers;
  int nlists; /* stage: each list once */
  pl_reach *list;
  pl_slots slots; /* combine, gather, store */
  bool cpp;
  bool consts; /* the kernel takes pl_k */
} pl_walk_state;

pl_err pl_operands_make(pl_walk_state *w);
void pl_operands_free(pl_walk_state *w);
bool pl_uses_double(const pl_walk_state *w); /* some argument holds doubles */

bool pl_op_scatters(const pl_operand *op); /* private values go back to the dat */
bool pl_op_contributes(const pl_walk_state *w,
                       const pl_operand *op); /* ... by way of a sum for each target */
bool pl_op_reduces(const pl_operand *op);     /* ends in a result */
bool pl_op_buffered(
  const pl_operand *op); /* in the transposed form: indirect, or direct and longer than a value */
bool pl_op_off(const pl_operand *op);
bool pl_arg_streams(const pl_arg *arg); /* forms.c: can be written past the caches */

/* The C type of its values in generated text, and the neutral element of its access as text. */
const char *pl_op_type(const pl_operand *op);
const char *pl_op_seen(const pl_operand *op); /* of its private values: double for fixed point */
const char *pl_op_neutral(const pl_operand *op);

/* The text of the neutral element of a sum, minimum or maximum. A sum starts from -0.0: x + -0.0 is x for
 * every x. */
const char *pl_neutral_text(pl_type type, pl_access access);

#endif

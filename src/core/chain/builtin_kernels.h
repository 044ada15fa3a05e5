/* SPDX-License-Identifier: BSD-2-Clause
 * Builtin kernels: zero, copy and arithmetic, value by value. A formula lists the operands; its kernel is
 * generated once for each kind, type and dimension.
 *
 * Invariant: an object is one argument of the loop, however often it is an operand; so a result may be an
 * operand.
 */
#pragma once

#include "plait.h"
#include <stdbool.h>

/* Operands are x, y, ..., and the result z is the last one. */
typedef enum pl_formula_kind {
  PL_FORMULA_COMBINE,                       /* z = x op y: plus a pl_operator */
  PL_FORMULA_ZERO = PL_FORMULA_COMBINE + 4, /* z = 0 */
  PL_FORMULA_COPY,                          /* z = x */
  PL_FORMULA_MAXPY,                         /* z = z + a[0] x + a[1] y + ..., operands a, x, y, ..., z */
  PL_FORMULA_AYPX,                          /* z = x + a z, operands a, x, z */
  PL_FORMULA_INNER,                         /* z += conj(x) y, a global */
  PL_FORMULA_NORM                           /* z += |x|^2, a real global */
} pl_formula_kind;

enum { PL_MAXPY_MOST = 16, PL_FORMULA_MOST = PL_MAXPY_MOST + 2 };

typedef struct pl_formula {
  pl_formula_kind kind;
  const char *call;   /* the public function, for people */
  const pl_dat *like; /* has the type and dim of the operands */
  int noperands, nargs;
  int at[PL_FORMULA_MOST]; /* the argument that each operand is */
  pl_arg arg[PL_FORMULA_MOST];
} pl_formula;

/* Appends an operand: a dat, or a global, of one value or one for each component. */
void pl_formula_dat(pl_formula *f, pl_dat *dat, pl_access access);
void pl_formula_global(pl_formula *f, pl_global *global, pl_access access);

/* The loop of a formula over a set, prepared if it runs `now`. Its name is the call. Collective. */
pl_err pl_formula_loop(const pl_formula *f, pl_set *set, bool now, pl_loop **loop);

/* c = a op b for n values; with step 0 an operand has one value for all. `c` may be an operand. */
void pl_compute(pl_type type, pl_operator op, int n, const void *a, int step_a, const void *b, int step_b,
                void *c);

/* z = the sum of conj(x) y over n values. `z` may be an operand. */
void pl_compute_inner(pl_type type, int n, const void *x, const void *y, void *z);

void pl_convert_number(pl_type type, double number, void *result);

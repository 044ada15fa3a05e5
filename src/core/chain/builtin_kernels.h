/* SPDX-License-Identifier: BSD-2-Clause
 * Loops of the library's own: zeros, copies and arithmetic, value by value. A formula gathers what such a
 * loop works on; its kernel is printed from that, once for each kind.
 *
 * Invariant: an object is one argument of its loop, in however many places of the formula it stands; so
 * results may be operands.
 */
#ifndef PLAIT_CORE_FORMULA_H
#define PLAIT_CORE_FORMULA_H

#include "loop.h"

/* What is computed of operands x, y, ... and ends in the last one, z. The first are those of pl_operator. */
typedef enum pl_formula_kind {
  PL_FORMULA_COMBINE,                       /* z = x op y, op added to it */
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
  const pl_dat *like; /* type and dim of what is computed */
  int noperands, nargs;
  int at[PL_FORMULA_MOST]; /* the argument that each operand is */
  pl_arg arg[PL_FORMULA_MOST];
} pl_formula;

/* The next operand: a dat; a global that is read, one value or one for each component; one that is added to.
 * What is read and written is one argument that does both. */
void pl_formula_dat(pl_formula *f, pl_dat *dat, pl_access access);
void pl_formula_global(pl_formula *f, pl_global *global, pl_access access);

/* The kernel of a formula, for a loop with its arguments. */
pl_err pl_formula_kernel(const pl_formula *f, const pl_kernel **kernel);

/* c = a op b for n values of a type; of operands whose step is 0 one value for all. `c` may be an operand. */
void pl_compute(pl_type type, pl_operator op, int n, const void *a, int step_a, const void *b, int step_b,
                void *c);

/* z = the sum of conj(x) y over n values of a type. `z` may be an operand. */
void pl_compute_inner(pl_type type, int n, const void *x, const void *y, void *z);

#endif

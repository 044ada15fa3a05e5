/* SPDX-License-Identifier: BSD-2-Clause
 * Builtin kernels: zero, copy and arithmetic, value by value, between values of any types. A formula lists
 * the operands; its kernel is generated once for each expression.
 *
 * Invariant: an object is one argument of the loop, however often it is an operand; so a result may be an
 * operand. Operands are converted to the type of the computation, and the value to the type of the result.
 */
#pragma once

#include "core/context/string_builder.h"
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

/* An operand: the argument that it is, and whether that has one value for all components. */
typedef struct pl_term {
  int at;
  pl_type type;
  bool single;
} pl_term;

/* The computation of a formula, without its objects. */
typedef struct pl_expression {
  pl_formula_kind kind;
  int dim;      /* components */
  pl_type type; /* of the computation, when all operands are known */
  int nterms;
  pl_term term[PL_FORMULA_MOST];
} pl_expression;

typedef struct pl_formula {
  pl_context *pl;
  const char *call; /* the public function, for people */
  pl_expression e;
  int nargs;
  pl_arg arg[PL_FORMULA_MOST];
} pl_formula;

/* A formula without operands; then its operands in order, the result last. A global has one value, or one for
 * each component. */
pl_formula pl_formula_new(pl_context *pl, const char *call, pl_formula_kind kind, int dim);
void pl_formula_dat(pl_formula *f, pl_dat *dat, pl_access access);
void pl_formula_global(pl_formula *f, pl_global *global, pl_access access);

pl_formula pl_formula_copy(const char *call, pl_dat *from, pl_dat *to);

/* PL_ERR_TYPE if the result cannot hold the value: it is real and an operand complex, or a sum of wider
 * values. */
pl_err pl_formula_check(const pl_formula *f);

/* The loop of a formula over a set, prepared if it runs `now`. Its name is the call. Collective. */
pl_err pl_formula_loop(const pl_formula *f, pl_set *set, bool now, pl_loop **loop);

/* A function of the formula's arguments, with words of a target before it and before its pointers. */
void pl_formula_print(pl_string *t, const pl_formula *f, const char *name, const char *before,
                      const char *space);

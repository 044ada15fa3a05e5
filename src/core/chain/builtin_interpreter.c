/* SPDX-License-Identifier: BSD-2-Clause
 * Builtin kernels without a compiler.
 */
#include "builtin_interpreter.h"
#include "core/base/scalar_arithmetic.h"
#include "core/base/scalar_type.h"

/* A value of any type. */
typedef double any_value[2];

static void *value_at(const pl_expression *e, void *const *values, int k, int i)
{
  const pl_term *term = &e->term[k];
  return (char *)values[term->at] + (size_t)i * pl_type_size(term->type);
}

/* Value i of operand k, in the type of the computation. */
static void load(const pl_expression *e, void *const *values, int k, int i, any_value value)
{
  pl_convert(e->term[k].type, value_at(e, values, k, i), e->type, value, 1);
}

static void load_component(const pl_expression *e, void *const *values, int k, int i, any_value value)
{
  load(e, values, k, e->term[k].single ? 0 : i, value);
}

/* z += factor f x, of operand 0 and operand k. */
static void add_product(const pl_expression *e, void *const *values, int f, int k, int i, any_value z)
{
  any_value x, y;
  load(e, values, 0, f, x);
  load_component(e, values, k, i, y);
  pl_compute(e->type, PL_ADD_PRODUCT, x, y, z);
}

/* Operators and sums: of two operands. */
static void apply(const pl_expression *e, void *const *values, int op, int second, int i, any_value z)
{
  any_value x, y;
  load_component(e, values, 0, i, x);
  load_component(e, values, second, i, y);
  pl_compute(e->type, op, x, y, z);
}

static void compute_component(const pl_expression *e, void *const *values, int i)
{
  const int last = e->nterms - 1;
  const bool sums = e->kind >= PL_FORMULA_INNER;
  any_value z = {0, 0};
  if (e->kind < PL_FORMULA_ZERO) apply(e, values, (int)e->kind, 1, i, z);
  if (e->kind == PL_FORMULA_COPY) load_component(e, values, 0, i, z);
  if (e->kind == PL_FORMULA_MAXPY) load_component(e, values, last, i, z);
  if (e->kind == PL_FORMULA_MAXPY)
    for (int k = 1; k < last; k++) add_product(e, values, k - 1, k, i, z);
  if (e->kind == PL_FORMULA_AYPX) load_component(e, values, 1, i, z);
  if (e->kind == PL_FORMULA_AYPX) add_product(e, values, 0, 2, i, z);
  if (sums) load(e, values, last, 0, z);
  if (sums) apply(e, values, PL_ADD_INNER, e->kind == PL_FORMULA_INNER, i, z);
  pl_convert(e->type, z, e->term[last].type, value_at(e, values, last, sums ? 0 : i), 1);
}

void pl_expression_compute(const void *expression, void *const *values)
{
  const pl_expression *e = expression;
  for (int i = 0; i < e->dim; i++) compute_component(e, values, i);
}

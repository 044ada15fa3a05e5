/* SPDX-License-Identifier: BSD-2-Clause
 * Arithmetic of globals: zero, copy, axpy, combine, inner product. A formula of globals is computed where its
 * operands are: by the device if one of them is there only, else on the host.
 */
#include "builtin_interpreter.h"
#include "core/base/scalar_arithmetic.h"
#include "core/context/observer.h"
#include "core/data/async_allreduce.h"
#include "core/data/objects.h"
#include "dat_arithmetic.h"
#include "deferred_queue.h"
#include <string.h>

pl_err pl_global_zero(pl_global *global)
{
  PL_TRY_GIVEN(global);
  if (pl_defers(global->node.pl)) return pl_defer_global((pl_op){.result = global});
  pl_allreduces_drop(global);
  memset(global->value, 0, pl_global_nbytes(global));
  pl_global_host_written(global);
  return PL_SUCCESS;
}

/* ---- formulas ---- */

/* Runs recorded loops that write or read an argument, and waits for sums over ranks. */
static pl_err finish_before(const pl_formula *f, bool *on_device)
{
  *on_device = false;
  for (int i = 0; i < f->nargs; i++) {
    pl_global *global = f->arg[i].object;
    const bool reads = f->arg[i].access != PL_WRITE;
    if (reads) PL_TRY(pl_before_access(&global->node, false));
    if (f->arg[i].access != PL_READ) PL_TRY(pl_before_access(&global->node, true));
    if (reads) PL_TRY(pl_global_wait(global));
    *on_device |= reads && global->host_stale;
  }
  return PL_SUCCESS;
}

static pl_err compute_on_host(const pl_formula *f)
{
  void *values[PL_FORMULA_MOST];
  for (int i = 0; i < f->nargs; i++) {
    pl_global *global = f->arg[i].object;
    if (f->arg[i].access != PL_WRITE) PL_TRY(pl_global_host(global));
    values[i] = global->value;
  }
  pl_expression_compute(&f->e, values);
  return PL_SUCCESS;
}

static pl_err compute_now(const pl_formula *f)
{
  pl_global *result = f->arg[f->e.term[f->e.nterms - 1].at].object;
  bool on_device;
  PL_TRY(finish_before(f, &on_device));
  pl_allreduces_drop(result);
  PL_TRY(on_device ? f->pl->backend->data->global_compute(f->pl, f) : compute_on_host(f));
  if (on_device)
    pl_global_device_written(result);
  else
    pl_global_host_written(result);
  return PL_SUCCESS;
}

/* ---- calls ---- */

/* An operand has `dim` values or `other`, and the context of the result. */
static pl_err check_operand(const char *what, const pl_global *result, const pl_global *a, int dim, int other)
{
  const bool one_context = a->node.pl == result->node.pl;
  if (one_context && (a->dim == dim || a->dim == other)) return PL_SUCCESS;
  return pl_fail(result->node.pl, PL_ERR_TYPE, "%s: \"%s\" holds %d of %s, but \"%s\" %d of %s%s", what,
                 a->node.name, a->dim, pl_type_name(a->type), result->node.name, result->dim,
                 pl_type_name(result->type), one_context ? "" : ", in another context");
}

pl_err pl_global_copy(pl_global *from, pl_global *to)
{
  static const char what[] = "pl_global_copy";
  PL_TRY(PL_GIVEN(pl_context_of(from), what, from, to));
  PL_TRY(check_operand(what, to, from, to->dim, to->dim));
  pl_formula f = pl_formula_new(to->node.pl, what, PL_FORMULA_COPY, to->dim);
  pl_formula_global(&f, from, PL_READ);
  pl_formula_global(&f, to, PL_WRITE);
  PL_TRY(pl_formula_check(&f));
  if (pl_defers(to->node.pl)) return pl_defer_global((pl_op){.result = to, .a = from});
  return compute_now(&f);
}

/* y = y + a x, at once. */
pl_err pl_global_axpy(double a, pl_global *x, pl_global *y)
{
  static const char what[] = "pl_global_axpy";
  pl_global *number;
  PL_TRY(PL_GIVEN(pl_context_of(x), what, x, y));
  PL_TRY(check_operand(what, y, x, y->dim, y->dim));
  PL_TRY(pl_number(y->node.pl, pl_common_type(x->type, y->type), a, &number));
  pl_formula f = pl_formula_new(y->node.pl, what, PL_FORMULA_MAXPY, y->dim);
  pl_formula_global(&f, number, PL_READ);
  pl_formula_global(&f, x, PL_READ);
  pl_formula_global(&f, y, PL_RW);
  PL_TRY(pl_formula_check(&f));
  return compute_now(&f);
}

static pl_err combine(const char *what, pl_global *a, pl_operator op, pl_global *b, pl_global *result)
{
  PL_TRY(pl_check_operator(result->node.pl, what, op));
  PL_TRY(check_operand(what, result, a, result->dim, 1));
  PL_TRY(check_operand(what, result, b, result->dim, 1));
  pl_formula f = pl_formula_new(result->node.pl, what, PL_FORMULA_COMBINE + op, result->dim);
  pl_formula_global(&f, a, PL_READ);
  pl_formula_global(&f, b, PL_READ);
  pl_formula_global(&f, result, PL_WRITE);
  PL_TRY(pl_formula_check(&f));
  if (pl_defers(f.pl))
    return pl_defer_global((pl_op){.result = result, .a = a, .b = b, .operator=(intptr_t) op});
  return compute_now(&f);
}

pl_err pl_global_combine(pl_global *a, pl_operator op, pl_global *b, pl_global *result)
{
  static const char what[] = "pl_global_combine";
  PL_TRY(PL_GIVEN(pl_context_of(a), what, a, b, result));
  return combine(what, a, op, b, result);
}

/* The number on the left or on the right, in the common type of both globals. */
static pl_err combine_number(const char *what, pl_global *a, pl_operator op, double number, bool left,
                             pl_global *result)
{
  pl_global *b;
  PL_TRY(PL_GIVEN(pl_context_of(a), what, a, result));
  PL_TRY(pl_number(a->node.pl, pl_common_type(a->type, result->type), number, &b));
  return combine(what, left ? b : a, op, left ? a : b, result);
}

pl_err pl_global_combine_number(pl_global *a, pl_operator op, double b, pl_global *result)
{
  return combine_number("pl_global_combine_number", a, op, b, false, result);
}

pl_err pl_number_combine_global(double a, pl_operator op, pl_global *b, pl_global *result)
{
  return combine_number("pl_number_combine_global", b, op, a, true, result);
}

/* At once, on the host. */
pl_err pl_global_inner(pl_global *a, pl_global *b, pl_global *result)
{
  static const char what[] = "pl_global_inner";
  double x[2], y[2], z[2] = {0};
  PL_TRY(PL_GIVEN(pl_context_of(a), what, a, b, result));
  PL_TRY(check_operand(what, a, b, a->dim, a->dim));
  PL_TRY(check_operand(what, a, result, 1, 1));
  pl_formula f = pl_formula_new(a->node.pl, what, PL_FORMULA_INNER, 1);
  pl_formula_global(&f, a, PL_READ);
  pl_formula_global(&f, b, PL_READ);
  pl_formula_global(&f, result, PL_WRITE);
  f.e.type = pl_common_type(f.e.type, result->type);
  PL_TRY(pl_formula_check(&f));
  PL_TRY(pl_before_access(&a->node, false));
  PL_TRY(pl_before_access(&b->node, false));
  PL_TRY(pl_global_host(a));
  PL_TRY(pl_global_host(b));
  PL_TRY(pl_before_access(&result->node, true));
  pl_allreduces_drop(result);
  for (int i = 0; i < a->dim; i++) {
    pl_convert(a->type, (char *)a->value + (size_t)i * pl_type_size(a->type), f.e.type, x, 1);
    pl_convert(b->type, (char *)b->value + (size_t)i * pl_type_size(b->type), f.e.type, y, 1);
    pl_compute(f.e.type, PL_ADD_INNER, x, y, z);
  }
  pl_convert(f.e.type, z, result->type, result->value, 1);
  pl_global_host_written(result);
  return PL_SUCCESS;
}

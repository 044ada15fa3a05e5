/* SPDX-License-Identifier: BSD-2-Clause
 * Arithmetic of globals: zero, copy, axpy, combine, inner product.
 */
#include "builtin_kernels.h"
#include "core/context/observer.h"
#include "core/data/async_allreduce.h"
#include "core/data/objects.h"
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

static pl_err check_pair(const char *what, pl_global *a, pl_global *b)
{
  PL_TRY(PL_GIVEN(pl_context_of(a), what, a, b));
  if (a->dim != b->dim || a->type != b->type)
    return pl_fail(a->node.pl, PL_ERR_TYPE, "%s: \"%s\" holds %d of %s, but \"%s\" holds %d of %s", what,
                   a->node.name, a->dim, pl_type_name(a->type), b->node.name, b->dim, pl_type_name(b->type));
  return PL_SUCCESS;
}

pl_err pl_global_copy(pl_global *from, pl_global *to)
{
  PL_TRY(check_pair("pl_global_copy", from, to));
  if (pl_defers(to->node.pl)) return pl_defer_global((pl_op){.result = to, .a = from});
  PL_TRY(pl_before_access(&from->node, false));
  PL_TRY(pl_before_access(&to->node, true));
  PL_TRY(pl_global_host(from));
  pl_allreduces_drop(to);
  memcpy(to->value, from->value, pl_global_nbytes(to));
  pl_global_host_written(to);
  return PL_SUCCESS;
}

pl_err pl_global_axpy(double a, pl_global *x, pl_global *y)
{
  PL_TRY(check_pair("pl_global_axpy", x, y));
  PL_TRY(pl_before_access(&x->node, false));
  PL_TRY(pl_before_access(&y->node, true));
  PL_TRY(pl_failure_repeat(y->node.pl, &y->node.failure));
  PL_TRY(pl_global_host(x));
  PL_TRY(pl_global_host(y));
  pl_type base = pl_type_base(x->type);
  size_t n = pl_global_nbytes(x) / pl_type_size(base);
  if (base == PL_DOUBLE)
    for (size_t i = 0; i < n; i++) ((double *)y->value)[i] += a * ((double *)x->value)[i];
  else if (base == PL_FLOAT)
    for (size_t i = 0; i < n; i++) ((float *)y->value)[i] += (float)a * ((float *)x->value)[i];
  else
    return pl_fail(x->node.pl, PL_ERR_TYPE,
                   "pl_global_axpy: \"%s\" holds %s; only real and complex types can be scaled", x->node.name,
                   pl_type_name(x->type));
  pl_global_host_written(y);
  return PL_SUCCESS;
}

/* Runs recorded writes of both, and copies both to the host. */
static pl_err read_both(pl_global *a, pl_global *b)
{
  PL_TRY(pl_before_access(&a->node, false));
  PL_TRY(pl_before_access(&b->node, false));
  PL_TRY(pl_global_host(a));
  return pl_global_host(b);
}

static pl_err check_operands(const char *what, const pl_global *a, const pl_global *b,
                             const pl_global *result, int dim)
{
  bool alike = (a->dim == b->dim || a->dim == 1 || b->dim == 1) && a->type == b->type;
  if (alike && result->dim == dim && result->type == a->type) return PL_SUCCESS;
  return pl_fail(result->node.pl, PL_ERR_TYPE,
                 "%s: \"%s\" holds %d of %s, \"%s\" %d of %s, and the result \"%s\" %d of %s", what,
                 a->node.name, a->dim, pl_type_name(a->type), b->node.name, b->dim, pl_type_name(b->type),
                 result->node.name, result->dim, pl_type_name(result->type));
}

pl_err pl_global_combine(pl_global *a, pl_operator op, pl_global *b, pl_global *result)
{
  static const char what[] = "pl_global_combine";
  PL_TRY(PL_GIVEN(pl_context_of(a), what, a, b, result));
  if ((int)op < 0 || op > PL_DIVIDE)
    return pl_fail(a->node.pl, PL_ERR_ARG, "%s: %d is not an operator", what, (int)op);
  int dim = a->dim > b->dim ? a->dim : b->dim;
  PL_TRY(check_operands(what, a, b, result, dim));
  if (pl_defers(a->node.pl))
    return pl_defer_global((pl_op){.result = result, .a = a, .b = b, .operator=(intptr_t) op});
  PL_TRY(read_both(a, b));
  PL_TRY(pl_before_access(&result->node, true));
  pl_allreduces_drop(result);
  pl_compute(a->type, op, dim, a->value, a->dim > 1, b->value, b->dim > 1, result->value);
  pl_global_host_written(result);
  return PL_SUCCESS;
}

pl_err pl_global_inner(pl_global *a, pl_global *b, pl_global *result)
{
  PL_TRY(check_pair("pl_global_inner", a, b));
  PL_TRY(PL_GIVEN(a->node.pl, "pl_global_inner", result));
  PL_TRY(check_operands("pl_global_inner", a, b, result, 1));
  PL_TRY(read_both(a, b));
  PL_TRY(pl_before_access(&result->node, true));
  pl_allreduces_drop(result);
  pl_compute_inner(a->type, a->dim, a->value, b->value, result->value);
  pl_global_host_written(result);
  return PL_SUCCESS;
}

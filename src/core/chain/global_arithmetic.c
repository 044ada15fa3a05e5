/* SPDX-License-Identifier: BSD-2-Clause
 * Globals: values that belong to no set.
 */
#include "chain.h"
#include "formula.h"
#include "total.h"
#include <string.h>

static size_t nbytes(const pl_global *global)
{
  return (size_t)global->dim * pl_type_size(global->type);
}

static pl_err check(pl_context *pl, int dim, pl_type type, const char *shown, pl_global **result)
{
  if (!result) return pl_fail(pl, PL_ERR_ARG, "global \"%s\": a pointer is NULL", shown);
  if (dim < 1) return pl_fail(pl, PL_ERR_RANGE, "global \"%s\": dim %d is less than 1", shown, dim);
  if (!pl_type_size(type))
    return pl_fail(pl, PL_ERR_TYPE, "global \"%s\": %d is not a type", shown, (int)type);
  return PL_SUCCESS;
}

pl_err pl_decl_global(pl_context *pl, int dim, pl_type type, const void *data, const char *name,
                      pl_global **result)
{
  PL_TRY(pl_context_check(pl));
  const char *shown = name ? name : "(unnamed)";
  PL_TRY(pl_agree_on(pl, check(pl, dim, type, shown, result), "global \"%s\", %s of dim %d", shown,
                     pl_type_name(type), dim));
  pl_global *global = pl_node_new(pl, &pl->globals, sizeof *global, name);
  if (!global) return PL_ERR_MEMORY;
  global->dim = dim;
  global->type = type;
  global->value = pl_calloc(pl, (size_t)dim, pl_type_size(type));
  if (!global->value) {
    pl_node_free(&global->node);
    return pl_fail_memory(pl, (size_t)dim * pl_type_size(type));
  }
  if (data) memcpy(global->value, data, nbytes(global));
  *result = global;
  return PL_SUCCESS;
}

pl_err pl_global_get(pl_global *global, void *values)
{
  if (!global || !values)
    return pl_fail(global ? global->node.pl : NULL, PL_ERR_ARG, "pl_global_get: a pointer is NULL");
  PL_TRY(pl_late_touch(&global->node, false));
  PL_TRY(pl_global_host(global));
  memcpy(values, global->value, nbytes(global));
  return PL_SUCCESS;
}

pl_err pl_global_set(pl_global *global, const void *values)
{
  if (!global || !values)
    return pl_fail(global ? global->node.pl : NULL, PL_ERR_ARG, "pl_global_set: a pointer is NULL");
  PL_TRY(pl_late_touch(&global->node, true));
  pl_totals_drop(global);
  memcpy(global->value, values, nbytes(global));
  pl_global_host_written(global);
  return PL_SUCCESS;
}

pl_err pl_global_zero(pl_global *global)
{
  if (!global) return PL_ERR_ARG;
  if (pl_late_records(global->node.pl)) return pl_late_zero_global(global);
  pl_totals_drop(global);
  memset(global->value, 0, nbytes(global));
  pl_global_host_written(global);
  return PL_SUCCESS;
}

pl_err pl_global_duplicate(pl_global *global, const char *name, pl_global **copy)
{
  if (!global) return PL_ERR_ARG;
  PL_TRY(pl_late_touch(&global->node, false));
  PL_TRY(pl_global_host(global));
  return pl_decl_global(global->node.pl, global->dim, global->type, global->value, name, copy);
}

static pl_err check_pair(const char *what, pl_global *a, pl_global *b)
{
  if (!a || !b) return pl_fail(a ? a->node.pl : NULL, PL_ERR_ARG, "%s: a pointer is NULL", what);
  if (a->dim != b->dim || a->type != b->type)
    return pl_fail(a->node.pl, PL_ERR_TYPE, "%s: \"%s\" holds %d of %s, but \"%s\" holds %d of %s", what,
                   a->node.name, a->dim, pl_type_name(a->type), b->node.name, b->dim, pl_type_name(b->type));
  return PL_SUCCESS;
}

pl_err pl_global_copy(pl_global *from, pl_global *to)
{
  PL_TRY(check_pair("pl_global_copy", from, to));
  PL_TRY(pl_late_touch(&from->node, false));
  PL_TRY(pl_late_touch(&to->node, true));
  PL_TRY(pl_global_host(from));
  pl_totals_drop(to);
  memcpy(to->value, from->value, nbytes(to));
  pl_global_host_written(to);
  return PL_SUCCESS;
}

pl_err pl_global_axpy(double a, pl_global *x, pl_global *y)
{
  PL_TRY(check_pair("pl_global_axpy", x, y));
  PL_TRY(pl_late_touch(&x->node, false));
  PL_TRY(pl_late_touch(&y->node, true));
  PL_TRY(pl_global_host(x));
  PL_TRY(pl_global_host(y));
  pl_type base = pl_type_base(x->type);
  size_t n = nbytes(x) / pl_type_size(base);
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

/* Both on the host, whatever was to change them has run. */
static pl_err bring_both(pl_global *a, pl_global *b)
{
  PL_TRY(pl_late_touch(&a->node, false));
  PL_TRY(pl_late_touch(&b->node, false));
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
  if (!a || !b || !result) return pl_fail(a ? a->node.pl : NULL, PL_ERR_ARG, "%s: a pointer is NULL", what);
  if ((int)op < 0 || op > PL_DIVIDE)
    return pl_fail(a->node.pl, PL_ERR_ARG, "%s: %d is not an operator", what, (int)op);
  int dim = a->dim > b->dim ? a->dim : b->dim;
  PL_TRY(check_operands(what, a, b, result, dim));
  PL_TRY(bring_both(a, b));
  PL_TRY(pl_late_touch(&result->node, true));
  pl_totals_drop(result);
  pl_compute(a->type, op, dim, a->value, a->dim > 1, b->value, b->dim > 1, result->value);
  pl_global_host_written(result);
  return PL_SUCCESS;
}

pl_err pl_global_inner(pl_global *a, pl_global *b, pl_global *result)
{
  PL_TRY(check_pair("pl_global_inner", a, b));
  if (!result) return pl_fail(a->node.pl, PL_ERR_ARG, "pl_global_inner: a pointer is NULL");
  PL_TRY(check_operands("pl_global_inner", a, b, result, 1));
  PL_TRY(bring_both(a, b));
  PL_TRY(pl_late_touch(&result->node, true));
  pl_totals_drop(result);
  pl_compute_inner(a->type, a->dim, a->value, b->value, result->value);
  pl_global_host_written(result);
  return PL_SUCCESS;
}

int pl_global_dim(const pl_global *global)
{
  return global ? global->dim : 0;
}

pl_type pl_global_type(const pl_global *global)
{
  return global ? global->type : PL_TYPE_COUNT;
}

const char *pl_global_name(const pl_global *global)
{
  return global ? global->node.name : "";
}

void pl_global_destroy(pl_node *node)
{
  pl_loops_forget(node->pl, node);
  pl_global *global = (pl_global *)node;
  if (global->device) node->pl->backend->buffer_free(node->pl, global->device);
  pl_totals_drop(global);
  pl_free(node->pl, global->kept);
  pl_free(node->pl, global->value);
  pl_node_free(node);
}

void pl_global_free(pl_global **handle)
{
  if (!handle || !*handle) return;
  pl_global_destroy(&(*handle)->node);
  *handle = NULL;
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Arithmetic of dats: each call is a loop with a builtin kernel, recorded like any other loop.
 *
 * Invariant: a number passed by value is in an internal global that no recorded loop reads with another
 * value.
 */
#include "dat_arithmetic.h"
#include "builtin_kernels.h"
#include "deferred_queue.h"
#include "core/base/scalar_arithmetic.h"
#include "core/comm/comm.h"
#include "core/loop/loop.h"
#include <math.h>
#include <string.h>

/* ---- checks ---- */

/* PL_GIVEN on ranks, in the context of one of two objects. */
#define ALL_GIVEN(what, a, b, ...)                                                                           \
  all_given((what), (a) ? (const void *)(a) : (b), #__VA_ARGS__, (const void *const[]){__VA_ARGS__})
static pl_err all_given(const char *what, const void *some, const char *names, const void *const *pointer)
{
  pl_context *pl = pl_context_of(some);
  pl_err err = pl_check_given(pl, what, NULL, names, pointer);
  return pl ? pl_agree_on_error(pl, err) : err;
}

pl_err pl_check_operator(pl_context *pl, const char *what, pl_operator op)
{
  if ((int)op >= 0 && op <= PL_DIVIDE) return PL_SUCCESS;
  return pl_fail(pl, PL_ERR_ARG, "%s: %d is not an operator", what, (int)op);
}

/* A global of `one` or `many` values. */
static pl_err check_global(const char *what, const pl_dat *dat, const pl_global *global, int one, int many)
{
  if (global->node.pl == dat->node.pl && (global->dim == one || global->dim == many)) return PL_SUCCESS;
  char least[16] = "";
  if (one != many) snprintf(least, sizeof least, "%d or ", one);
  return pl_fail(dat->node.pl, PL_ERR_TYPE, "%s: global \"%s\" holds %d of %s, where dat \"%s\" needs %s%d%s",
                 what, global->node.name, global->dim, pl_type_name(global->type), dat->node.name, least,
                 many, global->node.pl == dat->node.pl ? "" : ", in its own context");
}

/* ---- numbers ---- */

static bool is_queued(const pl_global *global)
{
  const pl_deferred *queue = &global->node.pl->deferred;
  return queue->count && global->node.queued == queue->epoch;
}

static bool has_value(const pl_global *global, const void *value)
{
  return !global->host_stale && !global->pending_reductions &&
         !memcmp(global->value, value, pl_type_size(global->type));
}

/* One that recorded loops read, so that loops repeat, or an idle one. */
pl_err pl_number(pl_context *pl, pl_type type, double number, pl_global **result)
{
  double value[2] = {0};
  pl_global *idle = NULL;
  pl_convert(PL_DOUBLE, &number, type, value, 1);
  PL_EACH (pl_global, global, pl->globals) {
    if (!global->internal || global->type != type) continue;
    if (!is_queued(global))
      idle = global;
    else if (has_value(global, value)) {
      *result = global;
      return PL_SUCCESS;
    }
  }
  if (!idle) PL_TRY(pl_decl_global(pl, 1, type, NULL, "(number)", &idle));
  idle->internal = true;
  *result = idle;
  return has_value(idle, value) ? PL_SUCCESS : pl_global_set_as(idle, type, value);
}

/* The number in the common type of two dats. */
static pl_err number_for(const pl_dat *a, const pl_dat *b, double number, pl_global **result)
{
  pl_context *pl = a->node.pl;
  return pl_agree_on_error(pl, pl_number(pl, pl_common_type(a->type, b->type), number, result));
}

/* ---- loops ---- */

/* Runs or records the loop. A global that it sums into (or NULL) is zeroed first: when nothing else can fail.
 */
static pl_err run_sum(pl_err err, const pl_formula *f, pl_set *set, pl_global *sum)
{
  pl_loop *loop;
  if (!err) err = pl_formula_check(f);
  if (err) return pl_agree_on_error(set->node.pl, err);
  PL_TRY(pl_formula_loop(f, set, !pl_defers(set->node.pl), &loop));
  if (sum) PL_TRY(pl_agree_on_error(loop->pl, pl_loop_check_state(loop)));
  if (sum) PL_TRY(pl_global_zero(sum));
  return pl_defers(loop->pl) ? pl_notify_loop_called(loop->pl, loop) : pl_loop_run_prepared(loop);
}

static pl_err run_formula(pl_err err, const pl_formula *f, pl_set *set)
{
  return run_sum(err, f, set, NULL);
}

pl_err pl_dat_combine(pl_dat *a, pl_operator op, pl_dat *b, pl_dat *result)
{
  static const char what[] = "pl_dat_combine";
  PL_TRY(ALL_GIVEN(what, a, b, a, b, result));
  pl_formula f = pl_formula_new(result->node.pl, what, PL_FORMULA_COMBINE + op, result->dim);
  pl_err err = pl_check_operator(result->node.pl, what, op);
  if (!err) err = pl_dat_check_like(what, a, b);
  if (!err) err = pl_dat_check_like(what, a, result);
  pl_formula_dat(&f, a, PL_READ);
  pl_formula_dat(&f, b, PL_READ);
  pl_formula_dat(&f, result, PL_WRITE);
  return run_formula(err, &f, result->set);
}

/* The scalar stands on the left or on the right. */
static pl_err combine_global(const char *what, pl_dat *dat, pl_operator op, pl_global *global, bool left,
                             pl_dat *result)
{
  PL_TRY(ALL_GIVEN(what, dat, result, dat, global, result));
  pl_formula f = pl_formula_new(result->node.pl, what, PL_FORMULA_COMBINE + op, result->dim);
  pl_err err = pl_check_operator(dat->node.pl, what, op);
  if (!err) err = pl_dat_check_like(what, dat, result);
  if (!err) err = check_global(what, dat, global, 1, dat->dim);
  if (left) pl_formula_global(&f, global, PL_READ);
  pl_formula_dat(&f, dat, PL_READ);
  if (!left) pl_formula_global(&f, global, PL_READ);
  pl_formula_dat(&f, result, PL_WRITE);
  return run_formula(err, &f, result->set);
}

pl_err pl_dat_combine_global(pl_dat *a, pl_operator op, pl_global *b, pl_dat *result)
{
  return combine_global("pl_dat_combine_global", a, op, b, false, result);
}

pl_err pl_global_combine_dat(pl_global *a, pl_operator op, pl_dat *b, pl_dat *result)
{
  return combine_global("pl_global_combine_dat", b, op, a, true, result);
}

pl_err pl_dat_scale(double a, pl_dat *x)
{
  pl_global *number;
  PL_TRY_GIVEN(x);
  PL_TRY(number_for(x, x, a, &number));
  return combine_global("pl_dat_scale", x, PL_MULTIPLY, number, false, x);
}

pl_err pl_dat_combine_number(pl_dat *a, pl_operator op, double b, pl_dat *result)
{
  static const char what[] = "pl_dat_combine_number";
  pl_global *number;
  PL_TRY(ALL_GIVEN(what, a, result, a, result));
  PL_TRY(number_for(a, result, b, &number));
  return combine_global(what, a, op, number, false, result);
}

pl_err pl_number_combine_dat(double a, pl_operator op, pl_dat *b, pl_dat *result)
{
  static const char what[] = "pl_number_combine_dat";
  pl_global *number;
  PL_TRY(ALL_GIVEN(what, b, result, b, result));
  PL_TRY(number_for(b, result, a, &number));
  return combine_global(what, b, op, number, true, result);
}

pl_err pl_dat_fill(pl_dat *dat, double value)
{
  pl_global *number;
  PL_TRY_GIVEN(dat);
  PL_TRY(pl_number(dat->node.pl, dat->type, value, &number));
  pl_formula f = pl_formula_new(dat->node.pl, "pl_dat_fill", PL_FORMULA_COPY, dat->dim);
  pl_formula_global(&f, number, PL_READ);
  pl_formula_dat(&f, dat, PL_WRITE);
  return run_formula(PL_SUCCESS, &f, dat->set);
}

pl_err pl_dat_convert(pl_dat *from, pl_dat *to)
{
  const pl_formula f = pl_formula_copy("pl_dat_copy", from, to);
  return run_formula(PL_SUCCESS, &f, to->set);
}

pl_err pl_dat_copy_subset(pl_dat *from, pl_dat *to, pl_set *subset)
{
  static const char what[] = "pl_dat_copy_subset";
  PL_TRY(ALL_GIVEN(what, from, to, from, to, subset));
  pl_err err = pl_dat_check_like(what, from, to);
  if (!err) err = pl_dat_check_subset(what, to, subset);
  if (!err && (subset == to->set || from == to)) return pl_dat_copy(from, to);
  const pl_formula f = pl_formula_copy(what, from, to);
  return run_formula(err, &f, err ? to->set : subset);
}

/* ---- vectors ---- */

/* PL_FORMULA_MAXPY, or PL_FORMULA_AYPX of one dat. */
static pl_err add_products(const char *what, pl_formula_kind kind, int n, pl_global *a, pl_dat *const *x,
                           pl_dat *y)
{
  PL_TRY(ALL_GIVEN(what, y, a, a, x, y));
  pl_context *pl = y->node.pl;
  pl_formula f = pl_formula_new(pl, what, kind, y->dim);
  pl_err err = PL_SUCCESS;
  if (n < 1 || n > PL_MAXPY_MOST)
    err = pl_fail(pl, PL_ERR_RANGE, "%s: %d dats; there can be 1 to %d", what, n, PL_MAXPY_MOST);
  if (!err) err = check_global(what, y, a, n, n);
  pl_formula_global(&f, a, PL_READ);
  for (int k = 0; !err && k < n; k++) {
    PL_TRY(ALL_GIVEN(what, y, y, x[k]));
    err = pl_dat_check_like(what, x[k], y);
    pl_formula_dat(&f, x[k], PL_READ);
  }
  pl_formula_dat(&f, y, PL_RW);
  return run_formula(err, &f, y->set);
}

pl_err pl_dat_maxpy(int n, pl_global *a, pl_dat *const *x, pl_dat *y)
{
  return add_products("pl_dat_maxpy", PL_FORMULA_MAXPY, n, a, x, y);
}

/* By one dat and a global, or a number. */
static pl_err add_product(const char *what, pl_formula_kind kind, pl_global *a, pl_dat *x, pl_dat *y)
{
  PL_TRY(ALL_GIVEN(what, y, a, a, x, y));
  return add_products(what, kind, 1, a, &x, y);
}

static pl_err add_multiple(const char *what, pl_formula_kind kind, double a, pl_dat *x, pl_dat *y)
{
  pl_global *number;
  PL_TRY(ALL_GIVEN(what, x, y, x, y));
  PL_TRY(pl_agree_on_error(y->node.pl, pl_dat_check_like(what, x, y)));
  PL_TRY(number_for(x, y, a, &number));
  return add_products(what, kind, 1, number, &x, y);
}

pl_err pl_dat_axpy(double a, pl_dat *x, pl_dat *y)
{
  return add_multiple("pl_dat_axpy", PL_FORMULA_MAXPY, a, x, y);
}

pl_err pl_dat_axpy_global(pl_global *a, pl_dat *x, pl_dat *y)
{
  return add_product("pl_dat_axpy_global", PL_FORMULA_MAXPY, a, x, y);
}

pl_err pl_dat_aypx(double a, pl_dat *x, pl_dat *y)
{
  return add_multiple("pl_dat_aypx", PL_FORMULA_AYPX, a, x, y);
}

pl_err pl_dat_aypx_global(pl_global *a, pl_dat *x, pl_dat *y)
{
  return add_product("pl_dat_aypx_global", PL_FORMULA_AYPX, a, x, y);
}

pl_err pl_dat_inner(pl_dat *x, pl_dat *y, pl_global *result)
{
  static const char what[] = "pl_dat_inner";
  PL_TRY(ALL_GIVEN(what, x, y, x, y, result));
  pl_formula f = pl_formula_new(x->node.pl, what, PL_FORMULA_INNER, x->dim);
  pl_err err = pl_dat_check_like(what, x, y);
  if (!err) err = check_global(what, x, result, 1, 1);
  pl_formula_dat(&f, x, PL_READ);
  pl_formula_dat(&f, y, PL_READ);
  pl_formula_global(&f, result, PL_INC);
  return run_sum(err, &f, x->set, result);
}

pl_err pl_dat_norm(pl_dat *x, double *norm)
{
  PL_TRY(ALL_GIVEN("pl_dat_norm", x, x, x, norm));
  pl_context *pl = x->node.pl;
  pl_formula f = pl_formula_new(x->node.pl, "pl_dat_norm", PL_FORMULA_NORM, x->dim);
  pl_type type = pl_type_base(x->type) == PL_FLOAT ? pl_mixed_type(pl) : PL_DOUBLE;
  pl_global *sum;
  pl_err err = pl_number(pl, type, 0, &sum);
  if (err) return pl_agree_on_error(pl, err);
  pl_formula_dat(&f, x, PL_READ);
  pl_formula_global(&f, sum, PL_INC);
  PL_TRY(run_sum(PL_SUCCESS, &f, x->set, sum));
  PL_TRY(pl_global_get(sum, norm));
  *norm = sqrt(*norm);
  return PL_SUCCESS;
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Newton's method with a line search (Dennis and Schnabel, Numerical Methods for Unconstrained Optimization
 * and Nonlinear Equations, algorithms 6.1.1 and A6.3.1): a step is shortened until the norm of F decreases
 * enough.
 */
#include "core/base/sized_struct.h"
#include "core/comm/comm.h"
#include "core/data/objects.h"
#include "solver.h"
#include <math.h>

static const double decrease = 1e-4, shortest = 1e-10; /* of the norm for a whole step; of a step */

typedef struct newton {
  pl_solver *linear;
  pl_residual_fn residual;
  pl_jacobian_fn jacobian;
  void *user;
  pl_newton_options options;
  pl_dat *u, *f, *step, *trial;
} newton;

/* ---- options ---- */

static pl_err take_options(newton *n, const pl_newton_options *given, size_t size)
{
  pl_context *pl = n->linear->node.pl;
  pl_newton_options *o = &n->options;
  if (!pl_struct_take(o, sizeof *o, given, size)) return pl_fail_newer(pl, "pl_newton_options");
  if (!(o->rtol >= 0 && o->atol >= 0) || o->iterations < 0)
    return pl_fail(pl, PL_ERR_ARG, "pl_newton of \"%s\": rtol, atol and iterations must not be negative",
                   n->linear->node.name);
  if (o->rtol == 0) o->rtol = 1e-8;
  if (o->atol == 0) o->atol = 1e-50;
  if (!o->iterations) o->iterations = 50;
  return PL_SUCCESS;
}

/* ---- objects ---- */

static pl_err new_vector(const newton *n, const char *name, pl_dat **dat)
{
  return pl_decl_dat_from(n->u->set, n->u->dim, n->u->type, n->u->type, NULL, name, dat);
}

static pl_err open_newton(newton *n)
{
  PL_TRY(new_vector(n, "residual", &n->f));
  PL_TRY(new_vector(n, "step", &n->step));
  return new_vector(n, "trial", &n->trial);
}

static void close_newton(newton *n)
{
  pl_dat_free(&n->f);
  pl_dat_free(&n->step);
  pl_dat_free(&n->trial);
}

/* ---- the method ---- */

static pl_err norm_at(const newton *n, pl_dat *u, double *norm)
{
  PL_TRY(n->residual(n->user, u, n->f));
  return pl_dat_norm(n->f, norm);
}

/* The minimum of the parabola through |F|^2 at 0 and t with the slope -2 |F|^2 at 0, but neither too close.
 */
static double shorten(double t, double old, double now)
{
  const double best = isfinite(now) ? t * t * old * old / (now * now + (2 * t - 1) * old * old) : 0;
  return fmin(fmax(best, 0.1 * t), 0.5 * t);
}

/* u becomes u - t step. *norm: at first that of F(u), then that of the new one; t is 0 if no step is short
 * enough. */
static pl_err search(newton *n, double *norm, double *t)
{
  const double old = *norm;
  for (*t = 1; *t > shortest; *t = shorten(*t, old, *norm)) {
    PL_TRY(pl_dat_copy(n->u, n->trial));
    PL_TRY(pl_dat_axpy(-*t, n->step, n->trial));
    PL_TRY(norm_at(n, n->trial, norm));
    if (*norm <= (1 - decrease * *t) * old) return pl_dat_copy(n->trial, n->u);
  }
  *t = 0;
  *norm = old;
  return PL_SUCCESS;
}

static pl_solver_reason judge(const newton *n, const pl_solver_result *r)
{
  if (!isfinite(r->norm)) return PL_SOLVER_BREAKDOWN;
  if (r->norm <= n->options.atol) return PL_SOLVER_ATOL;
  if (r->norm <= n->options.rtol * r->first_norm) return PL_SOLVER_RTOL;
  return r->iterations < n->options.iterations ? PL_SOLVER_NOT_RUN : PL_SOLVER_ITERATIONS;
}

static void show(const newton *n, const pl_solver_result *r)
{
  if (n->options.monitor) n->options.monitor(n->options.user, r->iterations, r->norm);
}

static pl_err iterate(newton *n, pl_solver_result *r)
{
  PL_TRY(norm_at(n, n->u, &r->first_norm));
  r->norm = r->first_norm;
  show(n, r);
  while ((r->reason = judge(n, r)) == PL_SOLVER_NOT_RUN) {
    double t;
    PL_TRY(n->jacobian(n->user, n->u, n->linear->a));
    PL_TRY(pl_solver_run(n->linear, n->step, n->f, NULL));
    PL_TRY(search(n, &r->norm, &t));
    if (t == 0) return r->reason = PL_SOLVER_BREAKDOWN, PL_SUCCESS;
    r->iterations++;
    show(n, r);
  }
  return PL_SUCCESS;
}

static pl_err report(const newton *n, const pl_solver_result *r)
{
  if (r->reason == PL_SOLVER_RTOL || r->reason == PL_SOLVER_ATOL) return PL_SUCCESS;
  return pl_fail(n->linear->node.pl, PL_ERR_CONVERGENCE,
                 "pl_newton of \"%s\": %s; %d iterations, norm %g, at first %g", n->linear->node.name,
                 r->reason == PL_SOLVER_BREAKDOWN ? "no step decreases the norm" : "has not converged",
                 r->iterations, r->norm, r->first_norm);
}

pl_err pl_newton_sized(pl_solver *linear, pl_dat *u, pl_residual_fn residual, pl_jacobian_fn jacobian,
                       void *user, const pl_newton_options *options, size_t size, pl_solver_result *result,
                       size_t result_size)
{
  PL_TRY(PL_GIVEN(NULL, "pl_newton", linear));
  pl_context *pl = linear->node.pl;
  PL_TRY(PL_GIVEN(pl, "pl_newton", u));
  if (!residual || !jacobian)
    return pl_fail(pl, PL_ERR_ARG, "pl_newton of \"%s\": the function of the %s is NULL", linear->node.name,
                   residual ? "matrix" : "residual");
  newton n = {.linear = linear, .residual = residual, .jacobian = jacobian, .user = user, .u = u};
  pl_solver_result r = {PL_SOLVER_NOT_RUN, 0, 0, 0};
  pl_err err = take_options(&n, options, size);
  if (!err) err = pl_solver_check_vector(linear, u);
  err = pl_agree_on_error(pl, err);
  if (!err) err = open_newton(&n);
  if (!err) err = iterate(&n, &r);
  close_newton(&n);
  if (!err) err = report(&n, &r);
  if (result) pl_struct_give(result, result_size, &r, sizeof r);
  return err;
}

/* SPDX-License-Identifier: BSD-2-Clause
 * The run of a solver: first residual, iterations, tests of convergence.
 */
#include "core/base/sized_struct.h"
#include "core/chain/chain.h"
#include "core/comm/comm.h"
#include "core/data/objects.h"
#include "precondition.h"
#include "vectors.h"
#include <math.h>

/* ---- before ---- */

static pl_err check_run(const pl_solver *s, const pl_dat *x, const pl_dat *b)
{
  if (!s->a && !s->apply)
    return pl_fail(s->node.pl, PL_ERR_STATE, "solver \"%s\": its matrix was freed", s->node.name);
  if (s->preconditioner->make && !s->p && !s->given_diagonal)
    return pl_fail(s->node.pl, PL_ERR_STATE, "solver \"%s\": its preconditioner's %s was freed", s->node.name,
                   s->preconditioner->matrix ? "matrix" : "diagonal");
  PL_TRY(pl_solver_check_vector(s, x));
  PL_TRY(pl_solver_check_vector(s, b));
  if (x != b) return PL_SUCCESS;
  return pl_fail(s->node.pl, PL_ERR_ARG, "solver \"%s\": dat \"%s\" is both x and b", s->node.name,
                 x->node.name);
}

static pl_err read_norm(pl_global *norm2, double *norm)
{
  PL_TRY(pl_solver_read(norm2, norm));
  *norm = sqrt(*norm);
  return PL_SUCCESS;
}

/* The norm of b, which the tolerance refers to, and the first residual in R and Z with its norm. */
static pl_err first_residual(pl_solver *s, double *reference, double *first)
{
  pl_dat *r = s->work[PL_SOLVER_R], *z = s->work[PL_SOLVER_Z];
  if (!s->options.guess) PL_TRY(pl_dat_zero(s->x));
  PL_TRY(pl_dat_copy(s->b, r));
  PL_TRY(pl_solver_precondition(s, r, z));
  PL_TRY(pl_solver_norm2(s, r, z, s->norm2[0]));
  PL_TRY(read_norm(s->norm2[0], reference));
  *first = *reference;
  if (!s->options.guess) return PL_SUCCESS;
  PL_TRY(pl_solver_residual(s));
  PL_TRY(pl_solver_norm2(s, r, z, s->norm2[0]));
  return read_norm(s->norm2[0], first);
}

/* ---- convergence ---- */

static pl_solver_reason judge(const pl_solver *s, const pl_solver_result *r, double reference)
{
  const pl_solver_options *o = &s->options;
  if (!isfinite(r->norm)) return PL_SOLVER_BREAKDOWN;
  if (r->norm <= o->atol) return PL_SOLVER_ATOL;
  if (r->norm <= o->rtol * reference) return PL_SOLVER_RTOL;
  if (r->norm > o->dtol * fmax(r->first_norm, reference)) return PL_SOLVER_DTOL;
  return r->iterations < o->iterations ? PL_SOLVER_NOT_RUN : PL_SOLVER_ITERATIONS;
}

static void show(const pl_solver *s, const pl_solver_result *r)
{
  if (s->options.monitor) s->options.monitor(s->options.user, r->iterations, r->norm);
}

/* Steps between two looks at the norm: more than one where looking means waiting for a device, and
 * nothing else does: sums over ranks and packages do. */
static int batch(const pl_solver *s)
{
  const pl_context *pl = s->node.pl;
  const int left = s->options.iterations - s->iteration;
  if (!s->method->batch || !pl->backend->sync || pl->comm || s->preconditioner->package) return 1;
  return left < PL_SOLVER_BATCH ? left : PL_SOLVER_BATCH;
}

/* Looks at the norms of n steps. The last one comes first, since reading it runs all of them. Where it is not
 * small yet none was, because a method that goes on after convergence within a batch keeps its norm. */
static pl_err look(pl_solver *s, pl_solver_result *r, double reference, int n)
{
  pl_solver_result last = *r;
  last.iterations += n;
  PL_TRY(read_norm(s->norm2[n - 1], &last.norm));
  if (!s->options.monitor && judge(s, &last, reference) == PL_SOLVER_NOT_RUN) {
    *r = last;
    return PL_SUCCESS;
  }
  for (int i = 0; i < n && r->reason == PL_SOLVER_NOT_RUN; i++) {
    PL_TRY(read_norm(s->norm2[i], &r->norm));
    r->iterations++;
    show(s, r);
    r->reason = judge(s, r, reference);
  }
  return PL_SUCCESS;
}

static pl_err iterate(pl_solver *s, pl_solver_result *r, double reference)
{
  while ((r->reason = judge(s, r, reference)) == PL_SOLVER_NOT_RUN) {
    const int n = batch(s);
    for (int i = 0; i < n; i++, s->iteration++) {
      s->before = i ? s->norm2[i - 1] : s->limit;
      PL_TRY(s->method->step(s, s->norm2[i]));
    }
    PL_TRY(look(s, r, reference, n));
  }
  return s->method->finish ? s->method->finish(s) : PL_SUCCESS;
}

static pl_err set_limit(pl_solver *s, double reference)
{
  const double norm = fmax(s->options.atol, s->options.rtol * reference), norm2 = norm * norm;
  return pl_global_set_as(s->limit, PL_DOUBLE, &norm2);
}

/* A package may turn a singular matrix into a preconditioner M so large that M b hides what is left of b. */
static pl_err check_residual(pl_solver *s, pl_solver_result *r)
{
  pl_dat *left = s->work[PL_SOLVER_R];
  double norm, reference;
  if (!s->preconditioner->package || r->reason != PL_SOLVER_RTOL) return PL_SUCCESS;
  PL_TRY(pl_solver_multiply(s, s->x, left));
  PL_TRY(pl_dat_axpy(-1, s->b, left));
  PL_TRY(pl_dat_norm(left, &norm));
  PL_TRY(pl_dat_norm(s->b, &reference));
  if (!(norm <= sqrt(s->options.rtol) * reference)) r->reason = PL_SOLVER_BREAKDOWN;
  return PL_SUCCESS;
}

static pl_err run(pl_solver *s, pl_solver_result *r)
{
  double reference = 0;
  s->iteration = 0;
  PL_TRY(pl_solver_prepare(s));
  PL_TRY(first_residual(s, &reference, &r->first_norm));
  PL_TRY(set_limit(s, reference));
  r->norm = r->first_norm;
  show(s, r);
  if (s->method->start) PL_TRY(s->method->start(s));
  PL_TRY(iterate(s, r, reference));
  return check_residual(s, r);
}

static pl_err report(const pl_solver *s, const pl_solver_result *r)
{
  const char *why = r->reason == PL_SOLVER_ITERATIONS ? "has not converged"
                    : r->reason == PL_SOLVER_DTOL     ? "diverges"
                    : r->reason == PL_SOLVER_BREAKDOWN
                      ? "breaks down: the matrix is singular, or not what the method needs"
                      : NULL;
  if (!why) return PL_SUCCESS;
  return pl_fail(s->node.pl, PL_ERR_CONVERGENCE, "solver \"%s\": %s %s; %d iterations, norm %g, at first %g",
                 s->node.name, s->method->name, why, r->iterations, r->norm, r->first_norm);
}

/* In a chain of the program, or one of its own. */
static pl_err run_in_chain(pl_solver *s, pl_solver_result *r)
{
  pl_context *pl = s->node.pl;
  pl_chain *chain;
  if (!s->method->chain || pl->deferred.open || pl->deferred.lazy) return run(s, r);
  PL_TRY(pl_chain_begin(pl, s->method->name, &chain));
  pl_err err = run(s, r), end = pl_chain_end(chain);
  return err ? err : end;
}

pl_err pl_solver_run_sized(pl_solver *s, pl_dat *x, pl_dat *b, pl_solver_result *result, size_t size)
{
  PL_TRY(PL_GIVEN(NULL, "pl_solver_run", s));
  PL_TRY(PL_GIVEN(s->node.pl, "pl_solver_run", x, b));
  pl_solver_result own = {PL_SOLVER_NOT_RUN, 0, 0, 0};
  PL_TRY(pl_agree_on_error(s->node.pl, check_run(s, x, b)));
  s->x = x;
  s->b = b;
  pl_err err = run_in_chain(s, &own);
  if (s->state && s->method->release) s->method->release(s);
  pl_free(s->node.pl, s->state);
  s->state = s->x = s->b = NULL;
  if (!err) err = report(s, &own);
  if (result) pl_struct_give(result, size, &own, sizeof own);
  return err;
}

pl_err pl_solve_sized(pl_mat *a, pl_dat *x, pl_dat *b, const pl_solver_options *options, size_t size)
{
  pl_solver *s;
  PL_TRY(PL_GIVEN(NULL, "pl_solve", a));
  PL_TRY(pl_decl_solver_sized(a, options, size, NULL, &s));
  pl_err err = pl_solver_run(s, x, b, NULL);
  pl_solver_free(&s);
  return err;
}

/* SPDX-License-Identifier: BSD-2-Clause
 * The run of a solver: first residual, iterations, tests of convergence.
 */
#include "core/base/sized_struct.h"
#include "core/chain/chain.h"
#include "core/comm/comm.h"
#include "core/data/objects.h"
#include "core/loop/reduction.h"
#include "precondition.h"
#include "vectors.h"
#include <math.h>

enum { LARGE = 1 << 20, LARGE_BATCH = 4 }; /* rows of a rank; steps */

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
  pl_global *norm2 = s->batch[0].norm2[0];
  if (!s->options.guess) PL_TRY(pl_dat_zero(s->x));
  PL_TRY(pl_dat_copy(s->b, r));
  PL_TRY(pl_solver_precondition(s, r, z));
  PL_TRY(pl_solver_norm2(s, r, z, norm2));
  PL_TRY(read_norm(norm2, reference));
  *first = *reference;
  if (!s->options.guess) return PL_SUCCESS;
  PL_TRY(pl_solver_residual(s));
  PL_TRY(pl_solver_norm2(s, r, z, norm2));
  return read_norm(norm2, first);
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

/* After an iteration. */
static void take_norm(const pl_solver *s, pl_solver_result *r, double norm, double reference)
{
  r->norm = norm;
  r->iterations++;
  show(s, r);
  r->reason = judge(s, r, reference);
}

/* The square of the norm at which the iteration has converged. */
static double limit_of(const pl_solver *s, double reference)
{
  const double norm = fmax(s->options.atol, s->options.rtol * reference);
  return norm * norm;
}

/* ---- batches ---- */

/* Packages need the host after each step, and so do sums over ranks unless devices add; else it would wait
 * for a device only. */
static bool runs_in_batches(const pl_solver *s)
{
  const pl_context *pl = s->node.pl;
  return s->method->batch && pl->backend->sync && (pl_ranks(pl) == 1 || pl->sums_on_devices) &&
         !s->preconditioner->package;
}

/* Whether the next batch starts before the norms of this one are known, so that the device does not wait for
 * the host. */
static bool runs_ahead(const pl_solver *s)
{
  return runs_in_batches(s) && s->method->stays && !s->options.monitor;
}

/* Steps after convergence are in vain, which counts where a step is long. */
static int steps_of_batch(const pl_solver *s)
{
  const bool large = s->set->global_size > LARGE * (int64_t)pl_ranks(s->node.pl);
  if (!runs_in_batches(s)) return 1;
  return large && runs_ahead(s) ? LARGE_BATCH : PL_SOLVER_BATCH;
}

static pl_err record_steps(pl_solver *s, pl_solver_batch *b)
{
  pl_recording_begin(s->node.pl, &b->steps);
  for (int i = 0; i < b->n; i++, s->iteration++) {
    s->before = i ? b->norm2[i - 1] : b->before;
    PL_TRY(s->method->step(s, b->norm2[i]));
  }
  return pl_agree_on_error(s->node.pl, pl_recording_end(s->node.pl, &b->steps));
}

/* Steps that were recorded in this run: a whole batch is even, so dats and scalars that alternate are in
 * their places. An operator of the program is called for each product. */
static pl_err repeat_steps(pl_solver *s, pl_solver_batch *b)
{
  s->iteration += b->n;
  return pl_agree_on_error(s->node.pl, pl_recording_again(s->node.pl, &b->steps));
}

/* Records the steps of a batch, starts them and the read of their last norm. `before`: the last norm of the
 * batch before, if that may have converged; else `limit`. No steps are left: n = 0. */
static pl_err run_batch(pl_solver *s, pl_solver_batch *b, pl_global *before)
{
  const int left = s->options.iterations - s->iteration, most = steps_of_batch(s),
            n = left < most ? left : most;
  const bool again =
    b->steps.n && s->method->stays && !s->apply && n > 1 && n == most && b->n == n && b->before == before;
  b->n = n;
  b->before = before;
  if (!n) return PL_SUCCESS;
  PL_TRY(again ? repeat_steps(s, b) : record_steps(s, b));
  return pl_global_read_begin(b->norm2[n - 1], &b->read[n - 1]);
}

/* All norms but the last, which is there. */
static pl_err fetch_norms(pl_solver_batch *b)
{
  for (int i = 0; i < b->n - 1; i++) PL_TRY(pl_global_read_begin(b->norm2[i], &b->read[i]));
  for (int i = 0; i < b->n - 1; i++) PL_TRY(pl_global_read_end(b->norm2[i], &b->read[i]));
  return PL_SUCCESS;
}

/* Looks at the norms of a batch, at the last one first. Where it is not small yet none was, because a method
 * that goes on after convergence within a batch keeps its norm. */
static pl_err look(pl_solver *s, pl_solver_result *r, double reference, pl_solver_batch *b)
{
  pl_solver_result last = *r;
  last.iterations += b->n;
  PL_TRY(pl_global_read_end(b->norm2[b->n - 1], &b->read[b->n - 1]));
  PL_TRY(read_norm(b->norm2[b->n - 1], &last.norm));
  if (!s->options.monitor && judge(s, &last, reference) == PL_SOLVER_NOT_RUN) {
    *r = last;
    return PL_SUCCESS;
  }
  PL_TRY(fetch_norms(b));
  for (int i = 0; i < b->n && r->reason == PL_SOLVER_NOT_RUN; i++) {
    double norm;
    PL_TRY(read_norm(b->norm2[i], &norm));
    take_norm(s, r, norm, reference);
  }
  return PL_SUCCESS;
}

static pl_err iterate_by_steps(pl_solver *s, pl_solver_result *r, double reference)
{
  const bool ahead = runs_ahead(s);
  if (s->method->start) PL_TRY(s->method->start(s));
  for (int k = 0; k < 2; k++) s->batch[k].steps.n = 0;
  r->reason = judge(s, r, reference);
  for (int k = 0; r->reason == PL_SOLVER_NOT_RUN; k++) {
    pl_solver_batch *now = &s->batch[ahead && k % 2], *next = &s->batch[(k + 1) % 2];
    if (!ahead || !k) PL_TRY(run_batch(s, now, s->limit));
    if (ahead) PL_TRY(run_batch(s, next, now->norm2[now->n - 1]));
    PL_TRY(look(s, r, reference, now));
  }
  return s->method->finish ? s->method->finish(s) : PL_SUCCESS;
}

/* By pl_solver_method.steps. *done: false: nothing has happened. */
static pl_err iterate_at_once(pl_solver *s, pl_solver_result *r, double reference, bool *done)
{
  pl_cg_steps cg = {.limit = limit_of(s, reference)};
  *done = false;
  if (!s->method->steps) return PL_SUCCESS;
  r->reason = judge(s, r, reference);
  for (; r->reason == PL_SOLVER_NOT_RUN; cg.started = true) {
    const int left = s->options.iterations - r->iterations;
    cg.steps = left < PL_CG_STEPS ? left : PL_CG_STEPS;
    PL_TRY(s->method->steps(s, &cg, done));
    if (!*done) return PL_SUCCESS;
    for (int i = 0; i < cg.steps && r->reason == PL_SOLVER_NOT_RUN; i++)
      take_norm(s, r, sqrt(cg.norm2[i]), reference);
  }
  return PL_SUCCESS;
}

static pl_err set_limit(pl_solver *s, double reference)
{
  const double norm2 = limit_of(s, reference);
  return pl_global_set_as(s->limit, PL_DOUBLE, &norm2);
}

/* How many times |b - A x| exceeds sqrt(rtol) |b|; 0 without a package. */
static pl_err find_excess(pl_solver *s, double *excess)
{
  pl_dat *left = s->work[PL_SOLVER_R];
  double norm, reference;
  *excess = 0;
  if (!s->preconditioner->package) return PL_SUCCESS;
  PL_TRY(pl_solver_multiply(s, s->x, left));
  PL_TRY(pl_dat_axpy(-1, s->b, left));
  PL_TRY(pl_dat_norm(left, &norm));
  PL_TRY(pl_dat_norm(s->b, &reference));
  if (norm != 0) *excess = norm / (sqrt(s->options.rtol) * reference);
  return PL_SUCCESS;
}

/* As many iterations again at most, from x, to a tenth of the norm that the excess asks for. */
static pl_err refine(pl_solver *s, pl_solver_result *r, double excess)
{
  const pl_solver_options options = s->options;
  pl_global *norm2 = s->batch[0].norm2[0];
  if (options.iterations > 2 * r->iterations) s->options.iterations = 2 * r->iterations;
  s->iteration = 0;
  pl_err err = pl_solver_residual(s);
  if (!err) err = pl_solver_norm2(s, s->work[PL_SOLVER_R], s->work[PL_SOLVER_Z], norm2);
  if (!err) err = read_norm(norm2, &r->norm);
  const double reference = 0.1 * r->norm / (excess * options.rtol);
  if (!err) err = set_limit(s, reference);
  if (!err) err = iterate_by_steps(s, r, reference);
  s->options = options;
  return err;
}

/* The norm of M (b - A x) may hide |b - A x|: in a large system, which a second run shows, or in a singular
 * one that a package made a huge M of. */
static pl_err check_residual(pl_solver *s, pl_solver_result *r)
{
  double excess;
  if (r->reason != PL_SOLVER_RTOL) return PL_SUCCESS;
  PL_TRY(find_excess(s, &excess));
  if (excess <= 1) return PL_SUCCESS;
  if (isfinite(excess)) {
    PL_TRY(refine(s, r, excess));
    PL_TRY(find_excess(s, &excess));
  }
  r->reason = excess <= 1 ? PL_SOLVER_RTOL : PL_SOLVER_BREAKDOWN;
  return PL_SUCCESS;
}

static pl_err run(pl_solver *s, pl_solver_result *r)
{
  double reference = 0;
  bool done;
  s->iteration = 0;
  PL_TRY(pl_solver_prepare(s));
  PL_TRY(first_residual(s, &reference, &r->first_norm));
  PL_TRY(set_limit(s, reference));
  r->norm = r->first_norm;
  show(s, r);
  PL_TRY(iterate_at_once(s, r, reference, &done));
  if (!done) PL_TRY(iterate_by_steps(s, r, reference));
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
  s->node.pl->sums_on_devices = pl_devices_sum_ranks(s->node.pl);
  pl_err err = run_in_chain(s, &own);
  s->node.pl->sums_on_devices = false;
  s->x = s->b = NULL;
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

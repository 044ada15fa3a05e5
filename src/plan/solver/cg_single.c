/* SPDX-License-Identifier: BSD-2-Clause
 * Conjugate gradients with the sums of an iteration in one place (Chronopoulos and Gear, Journal of
 * Computational and Applied Mathematics 25, 1989), for small systems on devices, where each wait for a sum
 * takes longer than the additional vector: s = A p comes from A u and the s before, with u = M r. Two passes
 * when fused: p, s, x, r and u; the product A u with u . A u, r . u and u . u.
 */
#include "core/comm/comm.h"
#include "core/data/objects.h"
#include "plan/matrix/mat_product.h"
#include "precondition.h"
#include "vectors.h"

/* A p; A u; p . A p of the step before, in all rows alike, since no sum is worth a wait. */
enum { P = PL_SOLVER_OWN, S, W, PAST };
enum { UPDATE };
enum { UW, UU, RU }; /* scalars; r . u of this iteration and the next, by turns */

/* The step's length is that of cg: p . A p = u . A u - beta^2 times the one before. */
static const pl_solver_text texts[] = {
  [UPDATE] = {"cg_single_update", "  const double beta = old[0] == 0 ? 0.0 : ru[0] / old[0];\n"
                                  "  const double pw = uw[0] - beta * beta * past[0];\n"
                                  "  const double length = ru[0] > 0 && pw > 0 ? ru[0] / pw : 0.0 / 0.0;\n"
                                  "  const double a = ru[0] == 0 || before[0] < limit[0] ? 0 : length;\n"
                                  "  past[0] = pw;\n"
                                  "  for (int i = 0; i < D; i++) {\n"
                                  "    p[i] = u[i] + beta * p[i];\n"
                                  "    s[i] = w[i] + beta * s[i];\n"
                                  "    x[i] += a * p[i];\n"
                                  "    r[i] -= a * s[i];\n"
                                  "  }"}};

/* A u and all sums. */
static pl_err multiply(pl_solver *s, pl_global *ru, pl_global *uu)
{
  pl_dat *const *v = s->work;
  return pl_mat_multiply_sums(s->a, v[PL_SOLVER_Z], v[W],
                              &(pl_product_sums){s->scalar[UW], v[PL_SOLVER_R], ru, uu});
}

static pl_err cg_single_start(pl_solver *s)
{
  const int zeros[] = {P, S, PAST};
  for (int i = 0; i < 3; i++) PL_TRY(pl_dat_zero(s->work[zeros[i]]));
  PL_TRY(pl_global_zero(s->scalar[RU + 1]));
  return multiply(s, s->scalar[RU], s->scalar[UU]);
}

static pl_err cg_single_step(pl_solver *solver, pl_global *norm2)
{
  pl_dat *x = solver->x, *r = solver->work[PL_SOLVER_R], *u = solver->work[PL_SOLVER_Z], *p = solver->work[P],
         *s = solver->work[S], *w = solver->work[W], *past = solver->work[PAST];
  pl_global *uw = solver->scalar[UW], *ru = solver->scalar[RU + solver->iteration % 2],
            *old = solver->scalar[RU + (solver->iteration + 1) % 2], *before = solver->before,
            *limit = solver->limit;
  PL_TRY(PL_SOLVER_LOOP(solver, UPDATE, solver->set, PL_SOLVER_DAT(x, PL_RW), PL_SOLVER_DAT(r, PL_RW),
                        PL_SOLVER_DAT(p, PL_RW), PL_SOLVER_DAT(s, PL_RW), PL_SOLVER_DAT(past, PL_RW),
                        PL_SOLVER_DAT(u, PL_READ), PL_SOLVER_DAT(w, PL_READ), PL_SOLVER_GLOBAL(ru, PL_READ),
                        PL_SOLVER_GLOBAL(old, PL_READ), PL_SOLVER_GLOBAL(uw, PL_READ),
                        PL_SOLVER_GLOBAL(before, PL_READ), PL_SOLVER_GLOBAL(limit, PL_READ)));
  PL_TRY(pl_solver_precondition(solver, r, u));
  return multiply(solver, old, norm2);
}

/* ---- many iterations as one kernel ---- */

/* PLAIT_CHECK compares loops, and reproducible sums are the same for all backends. */
static bool has_steps(const pl_solver *s)
{
  pl_context *pl = s->node.pl;
  return pl->backend->algorithms && pl->backend->algorithms->cg_steps && pl_ranks(pl) == 1 && s->dim == 1 &&
         s->preconditioner == &pl_precondition_jacobi && !pl_dat_view_blocks(s->x, true) &&
         !pl_opt_flag(pl, PL_OPT_CHECK) && !pl_opt_flag(pl, PL_OPT_REPRODUCIBLE);
}

static pl_err cg_single_steps(pl_solver *s, pl_cg_steps *cg, bool *done)
{
  pl_context *pl = s->node.pl;
  *done = false;
  if (!has_steps(s)) return PL_SUCCESS;
  PL_TRY(pl_mat_slice_arrays(s->a, &cg->a));
  if (!cg->a.begin) return PL_SUCCESS;
  cg->rows = s->set->end[1];
  cg->inverse = s->inverse;
  cg->x = s->x;
  cg->r = s->work[PL_SOLVER_R];
  cg->p = s->work[P];
  cg->s = s->work[S];
  PL_TRY(pl_flush_all(pl));
  PL_TRY(pl_failure_repeat(pl, &cg->r->node.failure));
  return pl->backend->algorithms->cg_steps(pl, cg, done);
}

const pl_solver_method pl_solver_cg_single = {.name = "cg",
                                              .vectors = 4,
                                              .scalars = 4,
                                              .texts = texts,
                                              .chain = true,
                                              .batch = true,
                                              .stays = true,
                                              .start = cg_single_start,
                                              .step = cg_single_step,
                                              .steps = cg_single_steps};

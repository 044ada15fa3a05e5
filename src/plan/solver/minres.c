/* SPDX-License-Identifier: BSD-2-Clause
 * MINRES (Paige and Saunders 1975) with a positive definite preconditioner: the Lanczos process, whose
 * tridiagonal matrix is factorised by rotations. The norm is that of the residual in M, which the rotations
 * give without a product. The rotations need those of the two steps before, so a loop over one element
 * computes them into a state that stays where the vectors are.
 */
#include "vectors.h"
#include <math.h>

/* Lanczos vectors (current, previous), M v, and search directions. */
enum { V = PL_SOLVER_OWN, V_OLD, U, W, W_OLD };

/* u . A u; the square of beta of this step and the next, by turns. */
enum { ALPHA, BETA2 };

enum { LANCZOS, ROTATE, ADVANCE };

/* The state: two rotations; the residual with its sign; the direction's factors; the step's length. */
enum { COSINE, OLD_COSINE, SINE, OLD_SINE, ETA, RHO1, RHO2, RHO3, LENGTH, VALUES };
#define STATE "  enum { COSINE, OLD_COSINE, SINE, OLD_SINE, ETA, RHO1, RHO2, RHO3, LENGTH };\n"

/* After convergence within a batch the norm stays, and x, since the length is 0. A singular tridiagonal
 * matrix gives a norm that is not a number, but no step. */
static const pl_solver_text texts[] = {
  [LANCZOS] = {"minres_lanczos", "  const double beta = sqrt(beta2[0]);\n"
                                 "  for (int i = 0; i < D; i++)\n"
                                 "    r[i] -= (T)alpha[0] * v[i] + (T)beta * v_old[i];"},
  [ROTATE] = {"minres_rotate",
              STATE "  if (before[0] < limit[0]) {\n"
                    "    *norm2 += before[0];\n"
                    "  } else {\n"
                    "    const double c = old[COSINE], s = old[SINE], beta = sqrt(beta2[0]);\n"
                    "    const double rho0 = c * alpha[0] - old[OLD_COSINE] * s * beta;\n"
                    "    const double rho1 = sqrt(rho0 * rho0 + next2[0]), eta = old[ETA];\n"
                    "    state[COSINE] += rho0 / rho1;\n"
                    "    state[OLD_COSINE] += c;\n"
                    "    state[SINE] += sqrt(next2[0]) / rho1;\n"
                    "    state[OLD_SINE] += s;\n"
                    "    state[ETA] += -sqrt(next2[0]) / rho1 * eta;\n"
                    "    state[RHO1] += rho1;\n"
                    "    state[RHO2] += s * alpha[0] + old[OLD_COSINE] * c * beta;\n"
                    "    state[RHO3] += old[OLD_SINE] * beta;\n"
                    "    state[LENGTH] += rho1 > 0 ? rho0 / rho1 * eta : 0.0;\n"
                    "    *norm2 += next2[0] / (rho1 * rho1) * eta * eta;\n"
                    "  }"},
  [ADVANCE] = {"minres_advance", STATE
               "  const double factor = next2[0] > 0 ? 1 / sqrt(next2[0]) : 0.0;\n"
               "  const double inverse = state[RHO1] > 0 ? 1 / state[RHO1] : 0.0;\n"
               "  for (int i = 0; i < D; i++) {\n"
               "    w_old[i] = (T)inverse * (u[i] - (T)state[RHO2] * w[i] - (T)state[RHO3] * w_old[i]);\n"
               "    if (state[LENGTH] != 0) x[i] += (T)state[LENGTH] * w_old[i];\n"
               "    v_old[i] = (T)factor * r[i];\n"
               "    u[i] = (T)factor * z[i];\n"
               "  }"}};

static pl_err minres_start(pl_solver *s)
{
  pl_dat *const *d = s->work;
  double beta2, first[VALUES] = {[COSINE] = 1, [OLD_COSINE] = 1};
  PL_TRY(pl_dat_zero(d[V_OLD]));
  PL_TRY(pl_dat_zero(d[W]));
  PL_TRY(pl_dat_zero(d[W_OLD]));
  PL_TRY(pl_dat_inner(d[PL_SOLVER_R], d[PL_SOLVER_Z], s->scalar[BETA2]));
  PL_TRY(pl_solver_read(s->scalar[BETA2], &beta2));
  first[ETA] = sqrt(beta2);
  PL_TRY(pl_global_set_as(s->values[0], PL_DOUBLE, first));
  const double factor = beta2 > 0 ? 1 / first[ETA] : 0;
  PL_TRY(pl_dat_combine_number(d[PL_SOLVER_R], PL_MULTIPLY, factor, d[V]));
  return pl_dat_combine_number(d[PL_SOLVER_Z], PL_MULTIPLY, factor, d[U]);
}

/* r = A u - alpha v - beta v_old, z = M r and the square of the next beta. */
static pl_err lanczos(pl_solver *s, pl_global *beta2, pl_global *next2)
{
  pl_dat *r = s->work[PL_SOLVER_R], *z = s->work[PL_SOLVER_Z], *v = s->work[V], *v_old = s->work[V_OLD];
  pl_global *alpha = s->scalar[ALPHA];
  PL_TRY(pl_solver_multiply_inner(s, s->work[U], r, alpha));
  PL_TRY(PL_SOLVER_LOOP(s, LANCZOS, s->set, PL_SOLVER_DAT(r, PL_RW), PL_SOLVER_DAT(v, PL_READ),
                        PL_SOLVER_DAT(v_old, PL_READ), PL_SOLVER_GLOBAL(alpha, PL_READ),
                        PL_SOLVER_GLOBAL(beta2, PL_READ)));
  PL_TRY(pl_solver_precondition(s, r, z));
  return pl_dat_inner(r, z, next2);
}

static pl_err rotate(pl_solver *s, pl_global *beta2, pl_global *next2, pl_global *state, pl_global *norm2)
{
  pl_global *old = s->values[s->iteration % 2], *alpha = s->scalar[ALPHA], *before = s->before,
            *limit = s->limit;
  PL_TRY(pl_global_zero(state));
  PL_TRY(pl_global_zero(norm2));
  return PL_SOLVER_LOOP(s, ROTATE, s->once, PL_SOLVER_GLOBAL(old, PL_READ), PL_SOLVER_GLOBAL(alpha, PL_READ),
                        PL_SOLVER_GLOBAL(beta2, PL_READ), PL_SOLVER_GLOBAL(next2, PL_READ),
                        PL_SOLVER_GLOBAL(before, PL_READ), PL_SOLVER_GLOBAL(limit, PL_READ),
                        PL_SOLVER_GLOBAL(state, PL_INC), PL_SOLVER_GLOBAL(norm2, PL_INC));
}

/* w = (u - rho2 w - rho3 w_old) / rho1 and the next v take the places of the old ones. */
static pl_err advance(pl_solver *s, pl_global *next2, pl_global *state)
{
  pl_dat **d = s->work, *x = s->x, *r = d[PL_SOLVER_R], *z = d[PL_SOLVER_Z], *u = d[U], *v_old = d[V_OLD],
         *w = d[W], *w_old = d[W_OLD];
  d[V_OLD] = d[V];
  d[V] = v_old;
  d[W_OLD] = w;
  d[W] = w_old;
  return PL_SOLVER_LOOP(s, ADVANCE, s->set, PL_SOLVER_DAT(x, PL_RW), PL_SOLVER_DAT(w_old, PL_RW),
                        PL_SOLVER_DAT(w, PL_READ), PL_SOLVER_DAT(u, PL_RW), PL_SOLVER_DAT(v_old, PL_WRITE),
                        PL_SOLVER_DAT(r, PL_READ), PL_SOLVER_DAT(z, PL_READ),
                        PL_SOLVER_GLOBAL(next2, PL_READ), PL_SOLVER_GLOBAL(state, PL_READ));
}

static pl_err minres_step(pl_solver *s, pl_global *norm2)
{
  pl_global *beta2 = s->scalar[BETA2 + s->iteration % 2], *next2 = s->scalar[BETA2 + (s->iteration + 1) % 2],
            *state = s->values[(s->iteration + 1) % 2];
  PL_TRY(lanczos(s, beta2, next2));
  PL_TRY(rotate(s, beta2, next2, state, norm2));
  return advance(s, next2, state);
}

const pl_solver_method pl_solver_minres = {.name = "minres",
                                           .vectors = 5,
                                           .scalars = 3,
                                           .values = VALUES,
                                           .texts = texts,
                                           .natural = true,
                                           .chain = true,
                                           .batch = true,
                                           .stays = true,
                                           .start = minres_start,
                                           .step = minres_step};

/* SPDX-License-Identifier: BSD-2-Clause
 * BiCGStab (van der Vorst 1992) for M A x = M b. The scalars stay where the vectors are:
 *   alpha = rho / shadow . v, omega = t . r / t . t, beta = rho' / rho alpha / omega.
 * After convergence within a batch no vector that counts changes, so that the norm stays.
 */
#include "vectors.h"

/* The residual of the preconditioned system, which is Z; the first one; its direction; M A p and M A r. */
enum { SHADOW = PL_SOLVER_OWN, P, V, T };

/* shadow . v; t . r; t . t; shadow . r of this iteration and the next, by turns. */
enum { SV, TR, TT, RHO };

enum { DIRECTION, HALF, HALF_SUMS, UPDATE, SUMS };

/* t = 0: alpha p has solved the system. */
#define ALPHA "  const double alpha = rho[0] == 0 ? 0.0 : rho[0] / sv[0];\n"
#define OMEGA "  const double omega = tt[0] == 0 ? 0.0 : tr[0] / tt[0];\n"
#define GOES_ON "  if (!(before[0] < limit[0]))\n"

static const pl_solver_text texts[] = {
  [DIRECTION] = {"bicgstab_direction",
                 OMEGA "  const double beta = rho[0] == 0 ? 0.0 : rho[0] / (sv[0] * omega);\n" GOES_ON
                       "    for (int i = 0; i < D; i++) p[i] = r[i] + (T)beta * (p[i] - (T)omega * v[i]);"},
  [HALF] = {"bicgstab_half", ALPHA GOES_ON "    for (int i = 0; i < D; i++) r[i] -= (T)alpha * v[i];"},
  [HALF_SUMS] = {"bicgstab_half_sums", "  for (int i = 0; i < D; i++) {\n"
                                       "    *tr += (double)t[i] * r[i];\n"
                                       "    *tt += (double)t[i] * t[i];\n"
                                       "  }"},
  [UPDATE] = {"bicgstab_update", ALPHA OMEGA GOES_ON "    for (int i = 0; i < D; i++) {\n"
                                                     "      x[i] += (T)alpha * p[i] + (T)omega * r[i];\n"
                                                     "      r[i] -= (T)omega * t[i];\n"
                                                     "    }"},
  [SUMS] = {"bicgstab_sums", "  for (int i = 0; i < D; i++) {\n"
                             "    *rr += (double)r[i] * r[i];\n"
                             "    *next += (double)shadow[i] * r[i];\n"
                             "  }"}};

static pl_err bicgstab_start(pl_solver *s)
{
  PL_TRY(pl_dat_copy(s->work[PL_SOLVER_Z], s->work[SHADOW]));
  PL_TRY(pl_dat_copy(s->work[PL_SOLVER_Z], s->work[P]));
  return pl_dat_inner(s->work[SHADOW], s->work[PL_SOLVER_Z], s->scalar[RHO]);
}

static pl_err bicgstab_step(pl_solver *s, pl_global *rr)
{
  pl_dat *x = s->x, *r = s->work[PL_SOLVER_Z], *shadow = s->work[SHADOW], *p = s->work[P], *v = s->work[V],
         *t = s->work[T];
  pl_global *sv = s->scalar[SV], *tr = s->scalar[TR], *tt = s->scalar[TT],
            *rho = s->scalar[RHO + s->iteration % 2], *next = s->scalar[RHO + (s->iteration + 1) % 2],
            *before = s->before, *limit = s->limit;
  const pl_solver_term goes_on[] = {PL_SOLVER_GLOBAL(before, PL_READ), PL_SOLVER_GLOBAL(limit, PL_READ)},
                       alpha[] = {PL_SOLVER_GLOBAL(rho, PL_READ), PL_SOLVER_GLOBAL(sv, PL_READ)},
                       omega[] = {PL_SOLVER_GLOBAL(tr, PL_READ), PL_SOLVER_GLOBAL(tt, PL_READ)};
  if (s->iteration)
    PL_TRY(PL_SOLVER_LOOP(s, DIRECTION, s->set, PL_SOLVER_DAT(p, PL_RW), PL_SOLVER_DAT(r, PL_READ),
                          PL_SOLVER_DAT(v, PL_READ), alpha[0], alpha[1], omega[0], omega[1], goes_on[0],
                          goes_on[1]));
  PL_TRY(pl_solver_operate(s, p, v));
  PL_TRY(pl_dat_inner(shadow, v, sv));
  PL_TRY(PL_SOLVER_LOOP(s, HALF, s->set, PL_SOLVER_DAT(r, PL_RW), PL_SOLVER_DAT(v, PL_READ), alpha[0],
                        alpha[1], goes_on[0], goes_on[1]));
  PL_TRY(pl_solver_operate(s, r, t));
  PL_TRY(pl_global_zero(tr));
  PL_TRY(pl_global_zero(tt));
  PL_TRY(PL_SOLVER_LOOP(s, HALF_SUMS, s->set, PL_SOLVER_DAT(t, PL_READ), PL_SOLVER_DAT(r, PL_READ),
                        PL_SOLVER_GLOBAL(tr, PL_INC), PL_SOLVER_GLOBAL(tt, PL_INC)));
  PL_TRY(PL_SOLVER_LOOP(s, UPDATE, s->set, PL_SOLVER_DAT(x, PL_RW), PL_SOLVER_DAT(r, PL_RW),
                        PL_SOLVER_DAT(p, PL_READ), PL_SOLVER_DAT(t, PL_READ), alpha[0], alpha[1], omega[0],
                        omega[1], goes_on[0], goes_on[1]));
  PL_TRY(pl_global_zero(rr));
  PL_TRY(pl_global_zero(next));
  return PL_SOLVER_LOOP(s, SUMS, s->set, PL_SOLVER_DAT(r, PL_READ), PL_SOLVER_DAT(shadow, PL_READ),
                        PL_SOLVER_GLOBAL(rr, PL_INC), PL_SOLVER_GLOBAL(next, PL_INC));
}

const pl_solver_method pl_solver_bicgstab = {.name = "bicgstab",
                                             .vectors = 4,
                                             .scalars = 5,
                                             .texts = texts,
                                             .chain = true,
                                             .batch = true,
                                             .stays = true,
                                             .start = bicgstab_start,
                                             .step = bicgstab_step};

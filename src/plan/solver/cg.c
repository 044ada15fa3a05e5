/* SPDX-License-Identifier: BSD-2-Clause
 * Conjugate gradients with a preconditioner (Hestenes and Stiefel 1952; Saad, Iterative Methods for Sparse
 * Linear Systems, algorithm 9.1). Three passes over the vectors when fused: the product and p . A p; r, z and
 * both sums, of one kernel, since the host waits for one of them only; x and p, where p is read once for
 * both.
 */
#include "precondition.h"
#include "vectors.h"

enum { P = PL_SOLVER_OWN, W };
enum { UPDATE, SUMS, DIRECTION };

/* The step's length a = rz / pw; pw <= 0 while rz > 0 means that A is not positive definite, rz < 0 that M is
 * not. After convergence within a batch x stays as it is. */
#define LENGTH(rz)                                                                                           \
  "  const double length = " rz "[0] > 0 && pw[0] > 0 ? " rz "[0] / pw[0] : 0.0 / 0.0;\n"                    \
  "  const double a = " rz "[0] == 0 || before[0] < limit[0] ? 0 : length;\n"

static const pl_solver_text texts[] = {
  [UPDATE] = {"cg_update", LENGTH("rz") "  for (int i = 0; i < D; i++) r[i] -= (T)a * w[i];"},
  [SUMS] = {"cg_sums", "  for (int i = 0; i < D; i++) {\n"
                       "    *rz += (double)r[i] * z[i];\n"
                       "    *zz += (double)z[i] * z[i];\n"
                       "  }"},
  [DIRECTION] = {"cg_direction", LENGTH("old") "  const double b = old[0] == 0 ? 0 : rz[0] / old[0];\n"
                                               "  for (int i = 0; i < D; i++) {\n"
                                               "    x[i] += (T)a * p[i];\n"
                                               "    p[i] = z[i] + (T)b * p[i];\n"
                                               "  }"}};

static pl_err cg_start(pl_solver *s)
{
  pl_dat *const *v = s->work;
  PL_TRY(pl_dat_copy(v[PL_SOLVER_Z], v[P]));
  return pl_dat_inner(v[PL_SOLVER_R], v[PL_SOLVER_Z], s->scalar[1]);
}

/* p . A p, and the residual after the step of this length. */
static pl_err advance(pl_solver *s, pl_global *rz)
{
  pl_dat *r = s->work[PL_SOLVER_R], *w = s->work[W];
  pl_global *pw = s->scalar[0], *before = s->before, *limit = s->limit;
  PL_TRY(pl_solver_multiply_inner(s, s->work[P], w, pw));
  return PL_SOLVER_LOOP(s, UPDATE, s->set, PL_SOLVER_DAT(r, PL_RW), PL_SOLVER_DAT(w, PL_READ),
                        PL_SOLVER_GLOBAL(rz, PL_READ), PL_SOLVER_GLOBAL(pw, PL_READ),
                        PL_SOLVER_GLOBAL(before, PL_READ), PL_SOLVER_GLOBAL(limit, PL_READ));
}

/* x after the step, and the next direction. */
static pl_err next_direction(pl_solver *s, pl_dat *z, pl_global *rz, pl_global *old)
{
  pl_dat *x = s->x, *p = s->work[P];
  pl_global *pw = s->scalar[0], *before = s->before, *limit = s->limit;
  return PL_SOLVER_LOOP(s, DIRECTION, s->set, PL_SOLVER_DAT(x, PL_RW), PL_SOLVER_DAT(p, PL_RW),
                        PL_SOLVER_DAT(z, PL_READ), PL_SOLVER_GLOBAL(rz, PL_READ),
                        PL_SOLVER_GLOBAL(old, PL_READ), PL_SOLVER_GLOBAL(pw, PL_READ),
                        PL_SOLVER_GLOBAL(before, PL_READ), PL_SOLVER_GLOBAL(limit, PL_READ));
}

/* The residual is its own preconditioned one if there is no preconditioner. */
static pl_err cg_step(pl_solver *s, pl_global *zz)
{
  pl_dat *r = s->work[PL_SOLVER_R];
  pl_dat *z = s->preconditioner == &pl_precondition_none ? r : s->work[PL_SOLVER_Z];
  pl_global *old = s->scalar[1 + s->iteration % 2], *rz = s->scalar[2 - s->iteration % 2];
  PL_TRY(advance(s, old));
  if (z != r) PL_TRY(pl_solver_precondition(s, r, z));
  PL_TRY(pl_global_zero(rz));
  PL_TRY(pl_global_zero(zz));
  PL_TRY(PL_SOLVER_LOOP(s, SUMS, s->set, PL_SOLVER_DAT(r, PL_READ), PL_SOLVER_DAT(z, PL_READ),
                        PL_SOLVER_GLOBAL(rz, PL_INC), PL_SOLVER_GLOBAL(zz, PL_INC)));
  return next_direction(s, z, rz, old);
}

const pl_solver_method pl_solver_cg = {.name = "cg",
                                       .vectors = 2,
                                       .scalars = 3,
                                       .texts = texts,
                                       .chain = true,
                                       .batch = true,
                                       .stays = true,
                                       .start = cg_start,
                                       .step = cg_step};

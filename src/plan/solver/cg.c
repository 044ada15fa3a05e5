/* SPDX-License-Identifier: BSD-2-Clause
 * Conjugate gradients with a preconditioner (Hestenes and Stiefel 1952; Saad, Iterative Methods for Sparse
 * Linear Systems, algorithm 9.1). Three passes over the vectors when fused: the product and p . A p; x, r, z
 * and both sums, of one kernel, since the host waits for one of them only; p.
 */
#include "precondition.h"
#include "vectors.h"

enum { P = PL_SOLVER_OWN, W };

/* A step of length rz / pw; pw <= 0 while rz > 0 means that A is not positive definite, rz < 0 that M is not.
 * After convergence within a batch x stays as it is. */
static const char update[] = "  const double length = rz[0] > 0 && pw[0] > 0 ? rz[0] / pw[0] : 0.0 / 0.0;\n"
                             "  const double a = rz[0] == 0 || before[0] < limit[0] ? 0 : length;\n"
                             "  for (int i = 0; i < D; i++) {\n"
                             "    x[i] += (T)a * p[i];\n"
                             "    r[i] -= (T)a * w[i];\n"
                             "  }",
                  sums[] = "  for (int i = 0; i < D; i++) {\n"
                           "    *rz += (double)r[i] * z[i];\n"
                           "    *zz += (double)z[i] * z[i];\n"
                           "  }",
                  direction[] = "  const double b = old[0] == 0 ? 0 : rz[0] / old[0];\n"
                                "  for (int i = 0; i < D; i++) p[i] = z[i] + (T)b * p[i];";

static pl_err cg_start(pl_solver *s)
{
  pl_dat *const *v = s->work;
  PL_TRY(pl_solver_kernel(s, "cg_update",
                          "(T *x, T *r, const T *p, const T *w, const double *rz, const double *pw, "
                          "const double *before, const double *limit)",
                          update, &s->kernel[0]));
  PL_TRY(pl_solver_kernel(s, "cg_direction", "(T *p, const T *z, const double *rz, const double *old)",
                          direction, &s->kernel[1]));
  PL_TRY(
    pl_solver_kernel(s, "cg_sums", "(const T *r, const T *z, double *rz, double *zz)", sums, &s->kernel[2]));
  PL_TRY(pl_dat_copy(v[PL_SOLVER_Z], v[P]));
  return pl_dat_inner(v[PL_SOLVER_R], v[PL_SOLVER_Z], s->scalar[1]);
}

/* The residual is its own preconditioned one if there is no preconditioner. */
static pl_err cg_step(pl_solver *s, pl_global *norm2)
{
  pl_dat *r = s->work[PL_SOLVER_R], *p = s->work[P], *w = s->work[W];
  pl_dat *z = s->preconditioner == &pl_precondition_none ? r : s->work[PL_SOLVER_Z];
  pl_global *pw = s->scalar[0], *old = s->scalar[1 + s->iteration % 2], *rz = s->scalar[2 - s->iteration % 2];
  PL_TRY(pl_solver_multiply_inner(s, p, w, pw));
  const pl_arg advance[] = {pl_arg_direct(s->x, PL_RW),     pl_arg_direct(r, PL_RW),
                            pl_arg_direct(p, PL_READ),      pl_arg_direct(w, PL_READ),
                            pl_arg_gbl(old, PL_READ),       pl_arg_gbl(pw, PL_READ),
                            pl_arg_gbl(s->before, PL_READ), pl_arg_gbl(s->limit, PL_READ)};
  PL_TRY(pl_par_loop_args(s->kernel[0], s->set, 8, advance));
  if (z != r) PL_TRY(pl_solver_precondition(s, r, z));
  PL_TRY(pl_global_zero(rz));
  PL_TRY(pl_global_zero(norm2));
  const pl_arg add[] = {pl_arg_direct(r, PL_READ), pl_arg_direct(z, PL_READ), pl_arg_gbl(rz, PL_INC),
                        pl_arg_gbl(norm2, PL_INC)};
  PL_TRY(pl_par_loop_args(s->kernel[2], s->set, 4, add));
  const pl_arg turn[] = {pl_arg_direct(p, PL_RW), pl_arg_direct(z, PL_READ), pl_arg_gbl(rz, PL_READ),
                         pl_arg_gbl(old, PL_READ)};
  return pl_par_loop_args(s->kernel[1], s->set, 4, turn);
}

const pl_solver_method pl_solver_cg = {
  .name = "cg", .vectors = 2, .scalars = 3, .chain = true, .batch = true, .start = cg_start, .step = cg_step};

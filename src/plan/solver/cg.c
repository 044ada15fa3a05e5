/* SPDX-License-Identifier: BSD-2-Clause
 * Conjugate gradients with a preconditioner (Hestenes and Stiefel 1952; Saad, Iterative Methods for Sparse
 * Linear Systems, algorithm 9.1). Three passes over the vectors when fused: the product and p . A p; x, r, z
 * and both sums; p.
 */
#include "vectors.h"

enum { P = PL_SOLVER_OWN, W };

/* A step of length rz / pw; pw <= 0 while rz > 0 means that A is not positive definite, rz < 0 that M is not.
 */
static const char update[] =
  "  const double a = rz[0] == 0 ? 0 : rz[0] > 0 && pw[0] > 0 ? rz[0] / pw[0] : 0.0 / 0.0;\n"
  "  for (int i = 0; i < D; i++) {\n"
  "    x[i] += (T)a * p[i];\n"
  "    r[i] -= (T)a * w[i];\n"
  "  }",
                  direction[] = "  const double b = old[0] == 0 ? 0 : rz[0] / old[0];\n"
                                "  for (int i = 0; i < D; i++) p[i] = z[i] + (T)b * p[i];";

static pl_err cg_start(pl_solver *s)
{
  pl_dat *const *v = s->work;
  PL_TRY(pl_solver_kernel(s, "cg_update",
                          "(T *x, T *r, const T *p, const T *w, const double *rz, const double *pw)", update,
                          &s->kernel[0]));
  PL_TRY(pl_solver_kernel(s, "cg_direction", "(T *p, const T *z, const double *rz, const double *old)",
                          direction, &s->kernel[1]));
  PL_TRY(pl_dat_copy(v[PL_SOLVER_Z], v[P]));
  return pl_dat_inner(v[PL_SOLVER_R], v[PL_SOLVER_Z], s->scalar[1]);
}

static pl_err cg_step(pl_solver *s, pl_global *norm2)
{
  pl_dat *r = s->work[PL_SOLVER_R], *z = s->work[PL_SOLVER_Z], *p = s->work[P], *w = s->work[W];
  pl_global *pw = s->scalar[0], *old = s->scalar[1 + s->iteration % 2], *rz = s->scalar[2 - s->iteration % 2];
  PL_TRY(pl_solver_multiply(s, p, w));
  PL_TRY(pl_dat_inner(p, w, pw));
  const pl_arg advance[] = {pl_arg_direct(s->x, PL_RW), pl_arg_direct(r, PL_RW),  pl_arg_direct(p, PL_READ),
                            pl_arg_direct(w, PL_READ),  pl_arg_gbl(old, PL_READ), pl_arg_gbl(pw, PL_READ)};
  PL_TRY(pl_par_loop_args(s->kernel[0], s->set, 6, advance));
  PL_TRY(pl_solver_precondition(s, r, z));
  PL_TRY(pl_dat_inner(r, z, rz));
  PL_TRY(pl_solver_norm2(s, r, z, norm2));
  const pl_arg turn[] = {pl_arg_direct(p, PL_RW), pl_arg_direct(z, PL_READ), pl_arg_gbl(rz, PL_READ),
                         pl_arg_gbl(old, PL_READ)};
  return pl_par_loop_args(s->kernel[1], s->set, 4, turn);
}

const pl_solver_method pl_solver_cg = {
  .name = "cg", .vectors = 2, .scalars = 3, .chain = true, .batch = true, .start = cg_start, .step = cg_step};

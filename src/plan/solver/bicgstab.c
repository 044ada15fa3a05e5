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
#define ALPHA "const double alpha = rho[0] == 0 ? 0.0 : rho[0] / sv[0];\n"
#define OMEGA "const double omega = tt[0] == 0 ? 0.0 : tr[0] / tt[0];\n"
#define GOES_ON "if (!(before[0] < limit[0]))\n"

static const struct {
  const char *name, *params, *body;
} texts[] = {
  [DIRECTION] = {"bicgstab_direction",
                 "(T *p, const T *r, const T *v, const double *rho, const double *sv, const double *tr, "
                 "const double *tt, const double *before, const double *limit)",
                 "  " OMEGA "  const double beta = rho[0] == 0 ? 0.0 : rho[0] / (sv[0] * omega);\n"
                 "  " GOES_ON
                 "    for (int i = 0; i < D; i++) p[i] = r[i] + (T)beta * (p[i] - (T)omega * v[i]);"},
  [HALF] = {"bicgstab_half",
            "(T *r, const T *v, const double *rho, const double *sv, const double *before, "
            "const double *limit)",
            "  " ALPHA "  " GOES_ON "    for (int i = 0; i < D; i++) r[i] -= (T)alpha * v[i];"},
  [HALF_SUMS] = {"bicgstab_half_sums", "(const T *t, const T *r, double *tr, double *tt)",
                 "  for (int i = 0; i < D; i++) {\n"
                 "    *tr += (double)t[i] * r[i];\n"
                 "    *tt += (double)t[i] * t[i];\n"
                 "  }"},
  [UPDATE] = {"bicgstab_update",
              "(T *x, T *r, const T *p, const T *t, const double *rho, const double *sv, const double *tr, "
              "const double *tt, const double *before, const double *limit)",
              "  " ALPHA "  " OMEGA "  " GOES_ON "    for (int i = 0; i < D; i++) {\n"
              "      x[i] += (T)alpha * p[i] + (T)omega * r[i];\n"
              "      r[i] -= (T)omega * t[i];\n"
              "    }"},
  [SUMS] = {"bicgstab_sums", "(const T *r, const T *shadow, double *rr, double *rho)",
            "  for (int i = 0; i < D; i++) {\n"
            "    *rr += (double)r[i] * r[i];\n"
            "    *rho += (double)shadow[i] * r[i];\n"
            "  }"}};

static pl_err run(const pl_solver *s, int kernel, int nargs, const pl_arg *args)
{
  return pl_par_loop_args(s->kernel[kernel], s->set, nargs, args);
}

static pl_err bicgstab_start(pl_solver *s)
{
  for (int k = 0; k <= SUMS; k++)
    PL_TRY(pl_solver_kernel(s, texts[k].name, texts[k].params, texts[k].body, &s->kernel[k]));
  PL_TRY(pl_dat_copy(s->work[PL_SOLVER_Z], s->work[SHADOW]));
  PL_TRY(pl_dat_copy(s->work[PL_SOLVER_Z], s->work[P]));
  return pl_dat_inner(s->work[SHADOW], s->work[PL_SOLVER_Z], s->scalar[RHO]);
}

/* Two sums from zero. */
static pl_err sum_both(const pl_solver *s, int kernel, pl_dat *a, pl_dat *b, pl_global *first,
                       pl_global *second)
{
  PL_TRY(pl_global_zero(first));
  PL_TRY(pl_global_zero(second));
  const pl_arg args[] = {pl_arg_direct(a, PL_READ), pl_arg_direct(b, PL_READ), pl_arg_gbl(first, PL_INC),
                         pl_arg_gbl(second, PL_INC)};
  return run(s, kernel, 4, args);
}

static pl_err bicgstab_step(pl_solver *s, pl_global *norm2)
{
  pl_dat *r = s->work[PL_SOLVER_Z], *shadow = s->work[SHADOW], *p = s->work[P], *v = s->work[V],
         *t = s->work[T];
  pl_global *const *scalar = s->scalar, *next = scalar[RHO + (s->iteration + 1) % 2];
  const pl_arg rho = pl_arg_gbl(scalar[RHO + s->iteration % 2], PL_READ),
               sv = pl_arg_gbl(scalar[SV], PL_READ), tr = pl_arg_gbl(scalar[TR], PL_READ),
               tt = pl_arg_gbl(scalar[TT], PL_READ), before = pl_arg_gbl(s->before, PL_READ),
               limit = pl_arg_gbl(s->limit, PL_READ), read_p = pl_arg_direct(p, PL_READ),
               read_v = pl_arg_direct(v, PL_READ), r_rw = pl_arg_direct(r, PL_RW);
  const pl_arg
    direction[] =
      {pl_arg_direct(p, PL_RW), pl_arg_direct(r, PL_READ), read_v, rho, sv, tr, tt, before, limit},
    half[] = {r_rw, read_v, rho, sv, before, limit},
    update[] = {
      pl_arg_direct(s->x, PL_RW), r_rw, read_p, pl_arg_direct(t, PL_READ), rho, sv, tr, tt, before, limit};
  if (s->iteration) PL_TRY(run(s, DIRECTION, 9, direction));
  PL_TRY(pl_solver_operate(s, p, v));
  PL_TRY(pl_dat_inner(shadow, v, scalar[SV]));
  PL_TRY(run(s, HALF, 6, half));
  PL_TRY(pl_solver_operate(s, r, t));
  PL_TRY(sum_both(s, HALF_SUMS, t, r, scalar[TR], scalar[TT]));
  PL_TRY(run(s, UPDATE, 10, update));
  return sum_both(s, SUMS, r, shadow, norm2, next);
}

const pl_solver_method pl_solver_bicgstab = {.name = "bicgstab",
                                             .vectors = 4,
                                             .scalars = 5,
                                             .chain = true,
                                             .batch = true,
                                             .start = bicgstab_start,
                                             .step = bicgstab_step};

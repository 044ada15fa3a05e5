/* SPDX-License-Identifier: BSD-2-Clause
 * Richardson's iteration, and Chebyshev's acceleration of it (Saad, Iterative Methods for Sparse Linear
 * Systems, algorithm 12.1). Neither needs inner products, except for the norm and estimated bounds.
 */
#include "vectors.h"
#include "core/comm/comm.h"
#include "core/data/objects.h"
#include "plan/matrix/mat.h"
#include <math.h>

enum { D = PL_SOLVER_OWN, W };
enum { STEPS = 10 };

static pl_err next_residual(pl_solver *s, pl_global *norm2)
{
  PL_TRY(pl_solver_residual(s));
  return pl_solver_norm2(s, s->work[PL_SOLVER_R], s->work[PL_SOLVER_Z], norm2);
}

static pl_err richardson_step(pl_solver *s, pl_global *norm2)
{
  PL_TRY(pl_dat_axpy(s->options.damping, s->work[PL_SOLVER_Z], s->x));
  return next_residual(s, norm2);
}

/* ---- bounds of the eigenvalues of M A ---- */

/* Conjugate gradients from a noisy residual give the tridiagonal matrix of the Lanczos process (Saad, section
 * 6.7.3), whose largest eigenvalue is near that of M A. The bounds are a tenth of it and a tenth more than
 * it, PETSc's defaults. */
typedef struct tridiagonal {
  int n;
  double diagonal[STEPS], beside[STEPS]; /* beside[k]: of rows k and k + 1 */
} tridiagonal;

/* Whether all eigenvalues are below x: the pivots of T - x are negative. */
static bool is_above(const tridiagonal *t, double x)
{
  double pivot = t->diagonal[0] - x;
  for (int k = 1; k < t->n && pivot < 0; k++)
    pivot = t->diagonal[k] - x - t->beside[k - 1] * t->beside[k - 1] / pivot;
  return pivot < 0;
}

static double largest_eigenvalue(const tridiagonal *t)
{
  double low = 0, high = 0;
  for (int k = 0; k < t->n; k++)
    high = fmax(high, t->diagonal[k] + (k ? t->beside[k - 1] : 0) + (k + 1 < t->n ? t->beside[k] : 0));
  while (high - low > 1e-6 * high) {
    const double middle = (low + high) / 2;
    *(is_above(t, middle) ? &high : &low) = middle;
  }
  return high;
}

/* The same values on any number of ranks. */
static pl_err make_noise(pl_solver *s)
{
  const pl_kernel *kernel;
  PL_TRY(pl_solver_kernel(s, "noise", "(T *r, const int64_t *element)",
                          "  for (int i = 0; i < D; i++) {\n"
                          "    uint64_t bits = ((uint64_t)element[0] * D + (uint64_t)i + 1) * "
                          "0x9e3779b97f4a7c15u;\n"
                          "    bits = (bits ^ (bits >> 32)) * 0x9e3779b97f4a7c15u;\n"
                          "    r[i] = (T)((double)(bits >> 40) / 16777216.0 - 0.5);\n"
                          "  }",
                          &kernel));
  const pl_arg args[] = {pl_arg_direct(s->work[PL_SOLVER_R], PL_WRITE), pl_arg_idx(PL_ID, PL_DIRECT)};
  return pl_par_loop_args(kernel, s->set, 2, args);
}

static pl_err fail_bounds(const pl_solver *s)
{
  return pl_fail(
    s->node.pl, PL_ERR_CONVERGENCE,
    "solver \"%s\": chebyshev finds no bounds of the eigenvalues: the matrix or its preconditioner "
    "is not positive definite; give low and high",
    s->node.name);
}

static pl_err find_tridiagonal(pl_solver *s, tridiagonal *t)
{
  pl_dat *r = s->work[PL_SOLVER_R], *z = s->work[PL_SOLVER_Z], *p = s->work[D], *w = s->work[W];
  double rz, first, pw, next, before = 0; /* before: beta / alpha of the last step */
  PL_TRY(pl_solver_precondition(s, r, z));
  PL_TRY(pl_dat_copy(z, p));
  PL_TRY(pl_solver_inner(s, r, z, &rz));
  first = rz;
  for (t->n = 0; t->n < STEPS && !(rz <= 1e-20 * first && t->n); t->n++) {
    PL_TRY(pl_solver_multiply(s, p, w));
    PL_TRY(pl_solver_inner(s, p, w, &pw));
    if (!(rz > 0 && pw > 0 && isfinite(rz) && isfinite(pw))) return fail_bounds(s);
    PL_TRY(pl_dat_axpy(-rz / pw, w, r));
    PL_TRY(pl_solver_precondition(s, r, z));
    PL_TRY(pl_solver_inner(s, r, z, &next));
    PL_TRY(pl_dat_aypx(next / rz, z, p));
    t->diagonal[t->n] = pw / rz + before;
    t->beside[t->n] = sqrt(fabs(next / rz)) * pw / rz;
    before = next / rz * pw / rz;
    rz = next;
  }
  return PL_SUCCESS;
}

static pl_err version_of(pl_mat *mat, uint64_t *version)
{
  pl_dat *values;
  *version = 0;
  if (!mat) return PL_SUCCESS;
  PL_TRY(pl_mat_values(mat, &values));
  *version = pl_dat_version(values);
  return PL_SUCCESS;
}

/* An operator may have changed since the last run. *again: R and Z were used. */
static pl_err estimate_bounds(pl_solver *s, bool *again)
{
  tridiagonal t;
  uint64_t a, p;
  PL_TRY(version_of(s->a, &a));
  PL_TRY(version_of(s->p, &p));
  *again = !(s->high > 0 && s->a && s->bounds_of[0] == a && s->bounds_of[1] == p);
  if (!*again) return PL_SUCCESS;
  PL_TRY(make_noise(s));
  PL_TRY(find_tridiagonal(s, &t));
  const double largest = largest_eigenvalue(&t);
  s->low = 0.1 * largest;
  s->high = 1.1 * largest;
  s->bounds_of[0] = a;
  s->bounds_of[1] = p;
  return PL_SUCCESS;
}

/* ---- Chebyshev ---- */

typedef struct chebyshev {
  double theta, delta, rho; /* centre and half width of the interval; the ratio of two polynomials */
} chebyshev;

static pl_err take_bounds(pl_solver *s)
{
  bool again = false;
  if (s->options.high > 0) {
    s->low = s->options.low;
    s->high = s->options.high;
    return PL_SUCCESS;
  }
  PL_TRY(estimate_bounds(s, &again));
  return again ? pl_solver_residual(s) : PL_SUCCESS;
}

static pl_err chebyshev_start(pl_solver *s)
{
  chebyshev *c = s->state;
  pl_err err = c ? PL_SUCCESS : PL_NEW(s->node.pl, c, 1);
  s->state = c;
  PL_TRY(pl_agree_on_error(s->node.pl, err));
  PL_TRY(take_bounds(s));
  c->theta = (s->high + s->low) / 2;
  c->delta = (s->high - s->low) / 2;
  c->rho = c->delta / c->theta;
  PL_TRY(pl_dat_copy(s->work[PL_SOLVER_Z], s->work[D]));
  return pl_dat_scale(1 / c->theta, s->work[D]);
}

/* x += d; d = rho' rho d + 2 rho' / delta z, for the next step. */
static pl_err chebyshev_step(pl_solver *s, pl_global *norm2)
{
  chebyshev *c = s->state;
  const double rho = 1 / (2 * c->theta / c->delta - c->rho);
  PL_TRY(pl_dat_axpy(1, s->work[D], s->x));
  PL_TRY(next_residual(s, norm2));
  PL_TRY(pl_dat_scale(rho * c->rho, s->work[D]));
  PL_TRY(pl_dat_axpy(2 * rho / c->delta, s->work[PL_SOLVER_Z], s->work[D]));
  c->rho = rho;
  return PL_SUCCESS;
}

const pl_solver_method pl_solver_richardson = {
  .name = "richardson", .scalars = 1, .chain = true, .batch = true, .step = richardson_step};
const pl_solver_method pl_solver_chebyshev = {.name = "chebyshev",
                                              .vectors = 2, /* one for the bounds */
                                              .scalars = 1,
                                              .chain = true,
                                              .batch = true,
                                              .start = chebyshev_start,
                                              .step = chebyshev_step};

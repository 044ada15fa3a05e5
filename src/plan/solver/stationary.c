/* SPDX-License-Identifier: BSD-2-Clause
 * Richardson's iteration, and Chebyshev's acceleration of it (Saad, Iterative Methods for Sparse Linear
 * Systems, algorithm 12.1). Neither needs inner products, except for the norm.
 */
#include "bounds.h"
#include "vectors.h"
#include "core/context/memory.h"
#include "core/context/error.h"

enum { D = PL_SOLVER_OWN };

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
  PL_TRY(pl_solver_bounds(s, &again));
  return again ? pl_solver_residual(s) : PL_SUCCESS;
}

static pl_err chebyshev_start(pl_solver *s)
{
  chebyshev *c;
  PL_TRY(PL_NEW(s->node.pl, c, 1));
  s->state = c;
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

/* SPDX-License-Identifier: BSD-2-Clause
 * BiCGStab (van der Vorst 1992) for M A x = M b.
 */
#include "vectors.h"
#include "core/context/error.h"
#include "core/context/memory.h"
#include <math.h>

/* The residual of the preconditioned system, which is Z; the first one; its direction; M A p and M A s. */
enum { SHADOW = PL_SOLVER_OWN, P, V, T };

typedef struct bicgstab {
  double rho, alpha, omega;
} bicgstab;

static pl_err bicgstab_start(pl_solver *s)
{
  bicgstab *c;
  PL_TRY(PL_NEW(s->node.pl, c, 1));
  s->state = c;
  PL_TRY(pl_dat_copy(s->work[PL_SOLVER_Z], s->work[SHADOW]));
  PL_TRY(pl_dat_copy(s->work[PL_SOLVER_Z], s->work[P]));
  return pl_solver_inner(s, s->work[SHADOW], s->work[PL_SOLVER_Z], &c->rho);
}

/* p = z + rho' / rho alpha / omega (p - omega v), from the second iteration on. */
static pl_err next_direction(pl_solver *s)
{
  bicgstab *c = s->state;
  double rho;
  PL_TRY(pl_solver_inner(s, s->work[SHADOW], s->work[PL_SOLVER_Z], &rho));
  const double beta = rho / c->rho * (c->alpha / c->omega);
  c->rho = rho;
  PL_TRY(pl_dat_axpy(-c->omega, s->work[V], s->work[P]));
  return pl_dat_aypx(beta, s->work[PL_SOLVER_Z], s->work[P]);
}

static pl_err bicgstab_step(pl_solver *s, pl_global *norm2)
{
  bicgstab *c = s->state;
  pl_dat *r = s->work[PL_SOLVER_Z], *p = s->work[P], *v = s->work[V], *t = s->work[T];
  double shadow_v, tt, tr;
  if (s->iteration) PL_TRY(next_direction(s));
  PL_TRY(pl_solver_operate(s, p, v));
  PL_TRY(pl_solver_inner(s, s->work[SHADOW], v, &shadow_v));
  c->alpha = c->rho / shadow_v;
  PL_TRY(pl_dat_axpy(-c->alpha, v, r));
  PL_TRY(pl_solver_operate(s, r, t));
  PL_TRY(pl_solver_inner(s, t, r, &tr));
  PL_TRY(pl_solver_inner(s, t, t, &tt));
  c->omega = tt == 0 ? 0 : tr / tt; /* t = 0: alpha p has solved the system */
  PL_TRY(pl_dat_axpy(c->alpha, p, s->x));
  PL_TRY(pl_dat_axpy(c->omega, r, s->x));
  PL_TRY(pl_dat_axpy(-c->omega, t, r));
  return pl_dat_inner(r, r, norm2);
}

const pl_solver_method pl_solver_bicgstab = {.name = "bicgstab",
                                             .vectors = 4,
                                             .scalars = 1,
                                             .chain = true,
                                             .start = bicgstab_start,
                                             .step = bicgstab_step};

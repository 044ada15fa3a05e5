/* SPDX-License-Identifier: BSD-2-Clause
 * MINRES (Paige and Saunders 1975) with a positive definite preconditioner: the Lanczos process, whose
 * tridiagonal matrix is factorised by rotations. The norm is that of the residual in M, which the rotations
 * give without a product.
 */
#include "vectors.h"
#include "core/context/error.h"
#include "core/context/memory.h"
#include <math.h>

/* Lanczos vectors (current, previous), M v, and search directions. */
enum { V = PL_SOLVER_OWN, V_OLD, U, W, W_OLD };

typedef struct minres {
  double beta, eta, cosine, old_cosine, sine, old_sine;
} minres;

/* v = r / beta, u = z / beta. */
static pl_err normalise(pl_solver *s, double beta)
{
  const double factor = beta > 0 ? 1 / beta : 0;
  PL_TRY(pl_dat_combine_number(s->work[PL_SOLVER_R], PL_MULTIPLY, factor, s->work[V]));
  return pl_dat_combine_number(s->work[PL_SOLVER_Z], PL_MULTIPLY, factor, s->work[U]);
}

static pl_err minres_start(pl_solver *s)
{
  minres *c;
  double beta2;
  PL_TRY(PL_NEW(s->node.pl, c, 1));
  s->state = c;
  PL_TRY(pl_dat_zero(s->work[V_OLD]));
  PL_TRY(pl_dat_zero(s->work[W]));
  PL_TRY(pl_dat_zero(s->work[W_OLD]));
  PL_TRY(pl_solver_inner(s, s->work[PL_SOLVER_R], s->work[PL_SOLVER_Z], &beta2));
  c->beta = c->eta = sqrt(beta2);
  c->cosine = c->old_cosine = 1;
  return normalise(s, c->beta);
}

/* r = A u - alpha v - beta v_old and z = M r. */
static pl_err lanczos(pl_solver *s, double *alpha, double *beta)
{
  pl_dat *const *d = s->work;
  double beta2;
  PL_TRY(pl_solver_multiply(s, d[U], d[PL_SOLVER_R]));
  PL_TRY(pl_solver_inner(s, d[U], d[PL_SOLVER_R], alpha));
  PL_TRY(pl_dat_axpy(-*alpha, d[V], d[PL_SOLVER_R]));
  PL_TRY(pl_dat_axpy(-*beta, d[V_OLD], d[PL_SOLVER_R]));
  PL_TRY(pl_solver_precondition(s, d[PL_SOLVER_R], d[PL_SOLVER_Z]));
  PL_TRY(pl_solver_inner(s, d[PL_SOLVER_R], d[PL_SOLVER_Z], &beta2));
  *beta = sqrt(beta2);
  return PL_SUCCESS;
}

/* w = (u - rho2 w - rho3 w_old) / rho1; the old w becomes w_old. */
static pl_err next_direction(pl_solver *s, double rho1, double rho2, double rho3)
{
  pl_dat *w = s->work[W], *old = s->work[W_OLD], *u = s->work[U];
  PL_TRY(pl_dat_scale(-rho3, old));
  PL_TRY(pl_dat_axpy(-rho2, w, old));
  PL_TRY(pl_dat_axpy(1, u, old));
  PL_TRY(pl_dat_scale(1 / rho1, old));
  s->work[W] = old;
  s->work[W_OLD] = w;
  return PL_SUCCESS;
}

static pl_err minres_step(pl_solver *s, pl_global *norm2)
{
  minres *c = s->state;
  const double old_beta = c->beta;
  double alpha;
  PL_TRY(lanczos(s, &alpha, &c->beta));
  const double rho0 = c->cosine * alpha - c->old_cosine * c->sine * old_beta, rho1 = hypot(rho0, c->beta),
               rho2 = c->sine * alpha + c->old_cosine * c->cosine * old_beta, rho3 = c->old_sine * old_beta;
  c->old_cosine = c->cosine;
  c->old_sine = c->sine;
  c->cosine = rho0 / rho1;
  c->sine = c->beta / rho1;
  PL_TRY(next_direction(s, rho1, rho2, rho3));
  PL_TRY(pl_dat_copy(s->work[V], s->work[V_OLD]));
  PL_TRY(normalise(s, c->beta));
  PL_TRY(pl_dat_axpy(c->cosine * c->eta, s->work[W], s->x));
  c->eta *= -c->sine;
  const double square = c->eta * c->eta;
  return pl_global_set_as(norm2, PL_DOUBLE, &square);
}

const pl_solver_method pl_solver_minres = {.name = "minres",
                                           .vectors = 5,
                                           .scalars = 1,
                                           .natural = true,
                                           .chain = true,
                                           .start = minres_start,
                                           .step = minres_step};

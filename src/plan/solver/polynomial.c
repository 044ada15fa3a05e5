/* SPDX-License-Identifier: BSD-2-Clause
 * Chebyshev's polynomial as a preconditioner: some steps of Chebyshev's iteration with the inverse D of the
 * diagonal, from zero (Saad, Iterative Methods for Sparse Linear Systems, section 12.3). No inner products.
 *
 * The eigenvalues of D A are at most the largest sum of |D A| over a row, so the polynomial is positive
 * definite where A is. It damps those above a thirtieth of this bound.
 */
#include "core/data/objects.h"
#include "plan/matrix/mat_product.h"
#include "precondition.h"
#include "vectors.h"

enum { DIRECTION, RESIDUAL, PRODUCT, VECTORS };
static const double width = 30;

/* s->bound: the largest row sum of absolute values of D A. */
static pl_err find_bound(pl_solver *s)
{
  const pl_kernel *kernel;
  pl_dat *sums = s->precondition_work[PRODUCT];
  double zero = 0;
  PL_TRY(pl_mat_row_sums(s->p, s->inverse, sums));
  PL_TRY(pl_solver_kernel(s, "row_bound", "(const T *sum, const T *inverse, double *most)",
                          "  for (int i = 0; i < D; i++) {\n"
                          "    const double bound = fabs(sum[i] * inverse[i]);\n"
                          "    if (bound > most[0]) most[0] = bound;\n"
                          "  }",
                          &kernel));
  PL_TRY(pl_global_set_as(s->largest, PL_DOUBLE, &zero));
  const pl_arg args[] = {pl_arg_direct(sums, PL_READ), pl_arg_direct(s->inverse, PL_READ),
                         pl_arg_gbl(s->largest, PL_MAX)};
  PL_TRY(pl_par_loop_args(kernel, s->set, 3, args));
  return pl_solver_read(s->largest, &s->bound);
}

static pl_err make_polynomial(pl_solver *s)
{
  PL_TRY(pl_solver_invert_diagonal(s));
  if (!s->largest)
    PL_TRY(pl_decl_global_from(s->node.pl, 1, PL_DOUBLE, PL_DOUBLE, NULL, "bound", &s->largest));
  return find_bound(s);
}

/* z collects the steps d; q is the residual of z. */
static pl_err apply_polynomial(pl_solver *s, pl_dat *r, pl_dat *z)
{
  pl_dat *d = s->precondition_work[DIRECTION], *q = s->precondition_work[RESIDUAL],
         *w = s->precondition_work[PRODUCT];
  const double theta = s->bound * (1 + 1 / width) / 2, delta = s->bound * (1 - 1 / width) / 2;
  double rho = delta / theta;
  PL_TRY(pl_dat_combine(s->inverse, PL_MULTIPLY, r, d));
  PL_TRY(pl_dat_scale(1 / theta, d));
  PL_TRY(pl_dat_copy(r, q));
  PL_TRY(pl_dat_copy(d, z));
  for (int k = 0; k < s->options.degree; k++) {
    const double next = 1 / (2 * theta / delta - rho);
    PL_TRY(pl_mat_multiply(s->p, d, w));
    PL_TRY(pl_dat_axpy(-1, w, q));
    PL_TRY(pl_dat_combine(s->inverse, PL_MULTIPLY, q, w));
    PL_TRY(pl_dat_scale(next * rho, d));
    PL_TRY(pl_dat_axpy(2 * next / delta, w, d));
    PL_TRY(pl_dat_axpy(1, d, z));
    rho = next;
  }
  return PL_SUCCESS;
}

const pl_solver_preconditioner pl_precondition_chebyshev = {.name = "chebyshev",
                                                            .matrix = true,
                                                            .vectors = VECTORS,
                                                            .make = make_polynomial,
                                                            .apply = apply_polynomial};

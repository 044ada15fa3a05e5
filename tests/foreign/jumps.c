/* SPDX-License-Identifier: BSD-2-Clause
 * Integrals over interior facets by kernels of plait_ufcx, on three triangles with two facets between them.
 * The third triangle has the second facet in the opposite direction, so its points are permuted. Exit status
 * 77: the backend cannot be used.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "plait.h"

#include "jumps.plait.h"

enum { POINTS = 5, FACETS = 2, UNKNOWNS = 9 };

typedef struct problem {
  pl_set *facets, *points, *unknowns;
  pl_map *corner, *dof; /* of both triangles of a facet */
  pl_dat *x, *w, *number, *permutation;
} problem;

/* The triangles are 0 1 2, 1 2 3 and 3 2 4; w is 0, x + 2 y and 3 x on them. */
static void declare(pl_context *pl, problem *p)
{
  static const double x[POINTS][3] = {{0, 0}, {1, 0}, {0, 1}, {1, 1}, {0, 2}};
  static const double w[UNKNOWNS] = {0, 0, 0, 1, 2, 3, 3, 0, 0};
  static const int corner[FACETS][6] = {{0, 1, 2, 1, 2, 3}, {1, 2, 3, 3, 2, 4}};
  static const int dof[FACETS][6] = {{0, 1, 2, 3, 4, 5}, {3, 4, 5, 6, 7, 8}};
  static const int number[FACETS][2] = {{0, 2}, {0, 2}};
  static const uint8_t permutation[FACETS][2] = {{0, 0}, {0, 1}};
  PL_OK(pl, pl_decl_set(pl, FACETS, "facets", &p->facets));
  PL_OK(pl, pl_decl_set(pl, POINTS, "points", &p->points));
  PL_OK(pl, pl_decl_set(pl, UNKNOWNS, "unknowns", &p->unknowns));
  PL_OK(pl, pl_decl_map(p->facets, p->points, 6, &corner[0][0], "corner", &p->corner));
  PL_OK(pl, pl_decl_map(p->facets, p->unknowns, 6, &dof[0][0], "dof", &p->dof));
  PL_OK(pl, pl_decl_dat(p->points, 3, PL_DOUBLE, x, "x", &p->x));
  PL_OK(pl, pl_decl_dat(p->unknowns, 1, PL_DOUBLE, w, "w", &p->w));
  PL_OK(pl, pl_decl_dat(p->facets, 2, PL_INT32, number, "number", &p->number));
  PL_OK(pl, pl_decl_dat(p->facets, 2, PL_UINT8, permutation, "permutation", &p->permutation));
}

static void integrate(pl_context *pl, const problem *p, const pl_kernel *kernel, pl_arg tensor, pl_arg w)
{
  const pl_arg none = pl_arg_ptr(NULL);
  PL_OK(pl, pl_par_loop(kernel, p->facets, tensor, w, none, pl_arg_dat(p->x, PL_ALL, p->corner, PL_READ),
                        pl_arg_direct(p->number, PL_READ), pl_arg_direct(p->permutation, PL_READ), none));
}

static double functional(pl_context *pl, const problem *p, const pl_kernel *kernel)
{
  double value;
  pl_global *sum;
  PL_OK(pl, pl_decl_global(pl, 1, PL_DOUBLE, NULL, "sum", &sum));
  integrate(pl, p, kernel, pl_arg_gbl(sum, PL_INC), pl_arg_dat(p->w, PL_ALL, p->dof, PL_READ));
  PL_OK(pl, pl_global_get(sum, &value));
  return value;
}

/* w . A w. */
static double energy(pl_context *pl, const problem *p)
{
  double value;
  pl_dat *y;
  pl_global *sum;
  pl_sparsity *sparsity;
  pl_mat *A;
  const pl_map_pair pair = {p->dof, p->dof};
  PL_OK(pl, pl_decl_sparsity(p->unknowns, 1, p->unknowns, 1, 1, &pair, "DG", &sparsity));
  PL_OK(pl, pl_decl_mat(sparsity, PL_DOUBLE, "A", &A));
  PL_OK(pl, pl_decl_dat(p->unknowns, 1, PL_DOUBLE, NULL, "y", &y));
  PL_OK(pl, pl_decl_global(pl, 1, PL_DOUBLE, NULL, "energy", &sum));
  integrate(pl, p, jumps_penalty_interior_facet, pl_arg_mat(A, p->dof, p->dof, PL_INC), pl_arg_ptr(NULL));
  PL_OK(pl, pl_mat_multiply(A, p->w, y));
  PL_OK(pl, pl_dat_inner(p->w, y, sum));
  PL_OK(pl, pl_global_get(sum, &value));
  return value;
}

static bool agrees(const char *name, double value, double expected)
{
  const bool good = fabs(value - expected) < 1e-12;
  printf("%s: %.15g, expected %.15g: %s\n", name, value, expected, good ? "ok" : "WRONG");
  return good;
}

/* The jumps are 1 + y on the first facet, of length sqrt(2), and 2 - 2 x on the second, of length 1. */
int main(int argc, char **argv)
{
  const double squares = 7 * sqrt(2) / 3 + 4.0 / 3;
  pl_context *pl;
  problem p;
  const pl_err err = pl_init(&argc, &argv, NULL, &pl);
  if (err == PL_ERR_BACKEND) printf("skipped: %s\n", pl_errmsg(pl));
  if (err) return err == PL_ERR_BACKEND ? 77 : 1;
  declare(pl, &p);
  bool good = agrees("matrix", energy(pl, &p), squares);
  good &= agrees("squares of jumps", functional(pl, &p, jumps_square_interior_facet), squares);
  good &= agrees("jump of the slope", functional(pl, &p, jumps_slope_interior_facet), -1);
  pl_finalize(&pl);
  return !good;
}

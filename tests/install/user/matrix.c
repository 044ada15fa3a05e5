/* SPDX-License-Identifier: BSD-2-Clause
 * matrix.c: a matrix assembled over two triangles (docs/matrices.md).
 */
#include <plait.h>

/* Gradients of the three hat functions, and the area: the stiffness matrix of a triangle. */
PL_KERNEL(stiffness, (const double x[3][2], double A[3][3]), {
  double b[3], c[3];
  for (int i = 0; i < 3; i++) {
    b[i] = x[(i + 1) % 3][1] - x[(i + 2) % 3][1];
    c[i] = x[(i + 2) % 3][0] - x[(i + 1) % 3][0];
  }
  double area = (b[0] * c[1] - b[1] * c[0]) / 2;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) A[i][j] += (b[i] * b[j] + c[i] * c[j]) / (4 * area);
})

int main(int argc, char **argv)
{
  const int corners[] = {0, 1, 2, 2, 1, 3}, fixed[] = {0};
  const int8_t held[] = {1, 0, 0, 0};
  const double coords[] = {0, 0, 1, 0, 0, 1, 1, 1}, values[] = {1, 2, 3, 4};
  pl_context *pl;
  pl_set *cells, *nodes, *boundary;
  pl_map *corner;
  pl_dat *x, *u, *y, *mask;
  pl_sparsity *sparsity;
  pl_mat *A;
  double result[4];
  PL_OK(pl, pl_init(&argc, &argv, NULL, &pl));
  PL_OK(pl, pl_decl_set(pl, 2, "cells", &cells));
  PL_OK(pl, pl_decl_set(pl, 4, "nodes", &nodes));
  PL_OK(pl, pl_decl_map(cells, nodes, 3, corners, "corner", &corner));
  PL_OK(pl, pl_decl_dat(nodes, 2, PL_DOUBLE, coords, "x", &x));
  PL_OK(pl, pl_decl_dat(nodes, 1, PL_DOUBLE, values, "u", &u));
  PL_OK(pl, pl_decl_dat(nodes, 1, PL_DOUBLE, NULL, "y", &y));
  PL_OK(pl, pl_decl_dat(nodes, 1, PL_INT8, held, "mask", &mask));
  PL_OK(pl, pl_decl_subset(nodes, 1, fixed, "boundary", &boundary));

  const pl_map_pair pair = {corner, corner};
  PL_OK(pl, pl_decl_sparsity(nodes, 1, nodes, 1, 1, &pair, "P1", &sparsity));
  PL_OK(pl, pl_decl_mat(sparsity, PL_DOUBLE, "A", &A));
  PL_OK(pl, pl_par_loop(stiffness, cells, pl_arg_dat(x, PL_ALL, corner, PL_READ),
                        pl_arg_mat(A, corner, corner, PL_INC)));
  PL_OK(pl, pl_mat_zero_rows(A, boundary, 1.0));
  PL_OK(pl, pl_mat_multiply(A, u, y));
  PL_OK(pl, pl_dat_fetch(y, result));
  printf("%g %g %g %g", result[0], result[1], result[2], result[3]);

  pl_arg tensor = pl_arg_zeroed(pl_arg_mat(A, corner, corner, PL_INC));
  PL_OK(pl, pl_par_loop(stiffness, cells, pl_arg_dat(x, PL_ALL, corner, PL_READ),
                        pl_arg_masked(tensor, mask, mask)));
  PL_OK(pl, pl_mat_multiply(A, u, y));
  PL_OK(pl, pl_dat_fetch(y, result));
  printf(", %g %g %g %g\n", result[0], result[1], result[2], result[3]);
  pl_finalize(&pl);
  return 0;
}

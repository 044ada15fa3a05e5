/* SPDX-License-Identifier: BSD-2-Clause
 * mixed.c: unknowns of nodes, and one that all cells share (docs/mixed.md).
 */
#include <plait.h>

/* The stiffness matrix of a triangle, bordered by its area: row and column 3 are those of the multiplier. */
PL_KERNEL(bordered, (const double x[3][2], double A[4][4]), {
  double b[3], c[3];
  for (int i = 0; i < 3; i++) {
    b[i] = x[(i + 1) % 3][1] - x[(i + 2) % 3][1];
    c[i] = x[(i + 2) % 3][0] - x[(i + 1) % 3][0];
  }
  double area = (b[0] * c[1] - b[1] * c[0]) / 2;
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) A[i][j] += (b[i] * b[j] + c[i] * c[j]) / (4 * area);
    A[i][3] += area;
    A[3][i] += area;
  }
})

int main(int argc, char **argv)
{
  const int corners[] = {0, 1, 2, 2, 1, 3}, dims[] = {1, 1};
  const double coords[] = {0, 0, 1, 0, 0, 1, 1, 1}, values[] = {1, 2, 3, 4}, multiplier = 5;
  pl_context *pl;
  pl_set *cells, *nodes, *one;
  pl_map *corner;
  pl_dat *x, *u[2], *y[2];
  pl_mixed_set *space;
  pl_mixed_map *unknowns;
  pl_mixed_dat *mixed_u, *mixed_y;
  pl_mixed_mat *A;
  double result[4], last;
  PL_OK(pl, pl_init(&argc, &argv, NULL, &pl));
  PL_OK(pl, pl_decl_set(pl, 2, "cells", &cells));
  PL_OK(pl, pl_decl_set(pl, 4, "nodes", &nodes));
  PL_OK(pl, pl_decl_set(pl, pl_rank(pl) == 0, "one", &one));
  PL_OK(pl, pl_decl_map(cells, nodes, 3, corners, "corner", &corner));
  PL_OK(pl, pl_decl_dat(nodes, 2, PL_DOUBLE, coords, "x", &x));
  PL_OK(pl, pl_decl_dat(nodes, 1, PL_DOUBLE, values, "u", &u[0]));
  PL_OK(pl, pl_decl_dat(one, 1, PL_DOUBLE, &multiplier, "multiplier", &u[1]));
  PL_OK(pl, pl_decl_dat(nodes, 1, PL_DOUBLE, NULL, "y", &y[0]));
  PL_OK(pl, pl_decl_dat(one, 1, PL_DOUBLE, NULL, "constraint", &y[1]));

  pl_set *const sets[] = {nodes, one};
  pl_map *const maps[] = {corner, NULL}; /* NULL: each cell leads to the only element */
  PL_OK(pl, pl_decl_mixed_set(2, sets, dims, "space", &space));
  PL_OK(pl, pl_decl_mixed_map(space, maps, "unknowns", &unknowns));
  PL_OK(pl, pl_decl_mixed_dat(space, u, "u", &mixed_u));
  PL_OK(pl, pl_decl_mixed_dat(space, y, "y", &mixed_y));
  PL_OK(pl, pl_decl_mixed_mat(space, space, 1, &unknowns, &unknowns, PL_DOUBLE, PL_MIXED_NESTED, "A", &A));
  PL_OK(pl, pl_par_loop(bordered, cells, pl_arg_dat(x, PL_ALL, corner, PL_READ),
                        pl_arg_mixed_mat(A, unknowns, unknowns, PL_INC)));
  PL_OK(pl, pl_mixed_mat_multiply(A, mixed_u, mixed_y));
  PL_OK(pl, pl_dat_fetch(y[0], result));
  PL_OK(pl, pl_dat_fetch(y[1], &last));
  printf("%g %g %g %g, %g\n", result[0], result[1], result[2], result[3], last);
  pl_finalize(&pl);
  return 0;
}

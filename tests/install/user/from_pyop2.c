/* SPDX-License-Identifier: BSD-2-Clause
 * from_pyop2.c: a PyOP2 program that assembles a mass matrix from a kernel's text, on Plait
 * (docs/coming-from.md).
 */
#include <plait.h>

static const char *const text = "static void mass(double A[9], const double x[3][2])\n"
                                "{\n"
                                "  const double twice = (x[1][0] - x[0][0]) * (x[2][1] - x[0][1])\n"
                                "                       - (x[2][0] - x[0][0]) * (x[1][1] - x[0][1]);\n"
                                "  for (int i = 0; i < 9; i++) A[i] += twice / (i % 4 ? 24 : 12);\n"
                                "}\n";

int main(int argc, char **argv)
{
  const int corners[] = {0, 1, 2, 2, 1, 3};
  const double places[] = {0, 0, 1, 0, 0, 1, 1, 1};
  double sum;
  pl_context *pl;
  pl_set *cells, *nodes;
  pl_map *cell_node;
  pl_dat *x, *ones, *y;
  pl_global *area;
  pl_sparsity *sparsity;
  pl_mat *mat;
  const pl_kernel *mass;

  PL_OK(pl, pl_init(&argc, &argv, NULL, &pl));
  PL_OK(pl, pl_decl_set(pl, 2, "cells", &cells));
  PL_OK(pl, pl_decl_set(pl, 4, "nodes", &nodes));
  PL_OK(pl, pl_decl_map(cells, nodes, 3, corners, "cell_node", &cell_node));
  PL_OK(pl, pl_decl_dat(nodes, 2, PL_DOUBLE, places, "x", &x));
  PL_OK(pl, pl_kernel_from_source(pl, "mass", text, NULL, &mass));
  PL_OK(pl, pl_decl_sparsity(nodes, 1, nodes, 1, 1, &(pl_map_pair){cell_node, cell_node}, "P1", &sparsity));
  PL_OK(pl, pl_decl_mat(sparsity, PL_DOUBLE, "mat", &mat));
  PL_OK(pl, pl_par_loop(mass, cells, pl_arg_mat(mat, cell_node, cell_node, PL_INC),
                        pl_arg_dat(x, PL_ALL, cell_node, PL_READ)));

  PL_OK(pl, pl_decl_dat(nodes, 1, PL_DOUBLE, NULL, "ones", &ones));
  PL_OK(pl, pl_decl_dat(nodes, 1, PL_DOUBLE, NULL, "y", &y));
  PL_OK(pl, pl_decl_global(pl, 1, PL_DOUBLE, NULL, "area", &area));
  PL_OK(pl, pl_dat_fill(ones, 1));
  PL_OK(pl, pl_mat_multiply(mat, ones, y));
  PL_OK(pl, pl_dat_inner(ones, y, area));
  PL_OK(pl, pl_global_get(area, &sum));
  printf("area %.3f\n", sum);
  pl_finalize(&pl);
  return 0;
}

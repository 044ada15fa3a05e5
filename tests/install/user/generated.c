/* SPDX-License-Identifier: BSD-2-Clause
 * generated.c: the mass matrix of P1 on triangles by a function in FFCx's calling convention
 * (docs/generated-kernels.md).
 */
#include <plait.h>

/* In practice the contents of the file that the form compiler wrote. */
static const char text[] =
  "#include <math.h>\n"
  "#include <stdint.h>\n"
  "void tabulate_tensor_mass(double* restrict A, const double* restrict w, const double* restrict c,\n"
  "                          const double* restrict coordinate_dofs,\n"
  "                          const int* restrict entity_local_index,\n"
  "                          const uint8_t* restrict quadrature_permutation, void* custom_data)\n"
  "{\n"
  "  static const double weights[3] = {1.0 / 6, 1.0 / 6, 1.0 / 6};\n"
  "  static const double P1[3][3] = {{0.5, 0.5, 0.0}, {0.0, 0.5, 0.5}, {0.5, 0.0, 0.5}};\n"
  "  double J[2][2];\n"
  "  for (int i = 0; i < 2; ++i)\n"
  "    for (int d = 0; d < 2; ++d)\n"
  "      J[d][i] = coordinate_dofs[3 * (i + 1) + d] - coordinate_dofs[d];\n"
  "  const double det = fabs(J[0][0] * J[1][1] - J[0][1] * J[1][0]);\n"
  "  for (int q = 0; q < 3; ++q)\n"
  "    for (int i = 0; i < 3; ++i)\n"
  "      for (int j = 0; j < 3; ++j)\n"
  "        A[3 * i + j] += c[0] * det * weights[q] * P1[q][i] * P1[q][j];\n"
  "}\n";

enum { NODES = 4, TRIANGLES = 2 };

int main(int argc, char **argv)
{
  const int corner[TRIANGLES][3] = {{0, 1, 2}, {1, 3, 2}};
  const double place[NODES][3] = {{0, 0}, {2, 0}, {0, 1}, {2, 1}}, density = 3;
  double mass[NODES], total = 0;
  pl_context *pl;
  pl_set *nodes, *triangles;
  pl_map *corners;
  pl_dat *x, *one, *y;
  pl_global *c;
  pl_sparsity *sparsity;
  pl_mat *A;
  const pl_kernel *tabulate;
  PL_OK(pl, pl_init(&argc, &argv, NULL, &pl));
  PL_OK(pl, pl_decl_set(pl, NODES, "nodes", &nodes));
  PL_OK(pl, pl_decl_set(pl, TRIANGLES, "triangles", &triangles));
  PL_OK(pl, pl_decl_map(triangles, nodes, 3, &corner[0][0], "corners", &corners));
  PL_OK(pl, pl_decl_dat(nodes, 3, PL_DOUBLE, place, "x", &x));
  PL_OK(pl, pl_decl_dat(nodes, 1, PL_DOUBLE, NULL, "one", &one));
  PL_OK(pl, pl_decl_dat(nodes, 1, PL_DOUBLE, NULL, "y", &y));
  PL_OK(pl, pl_decl_global(pl, 1, PL_DOUBLE, &density, "c", &c));
  const pl_map_pair pair = {corners, corners};
  PL_OK(pl, pl_decl_sparsity(nodes, 1, nodes, 1, 1, &pair, "P1", &sparsity));
  PL_OK(pl, pl_decl_mat(sparsity, PL_DOUBLE, "A", &A));

  const pl_kernel_options options = {.file = "mass.c"};
  PL_OK(pl, pl_kernel_from_source(pl, "tabulate_tensor_mass", text, &options, &tabulate));
  PL_OK(pl, pl_par_loop(tabulate, triangles, pl_arg_mat(A, corners, corners, PL_INC), pl_arg_ptr(NULL),
                        pl_arg_gbl(c, PL_READ), pl_arg_dat(x, PL_ALL, corners, PL_READ), pl_arg_ptr(NULL),
                        pl_arg_ptr(NULL), pl_arg_ptr(NULL)));

  PL_OK(pl, pl_dat_fill(one, 1.0));
  PL_OK(pl, pl_mat_multiply(A, one, y));
  PL_OK(pl, pl_dat_fetch(y, mass));
  for (int i = 0; i < NODES; i++) total += mass[i];
  printf("mass %.6f\n", total);
  pl_finalize(&pl);
  return 0;
}

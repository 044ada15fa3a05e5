/* SPDX-License-Identifier: BSD-2-Clause
 * embedded.c: a program whose kernels stand in a file of their own.
 */
#include "kernels.plait.h"

int main(int argc, char **argv)
{
  const double values[] = {1, 2, 3, 4};
  pl_context *pl;
  pl_set *points;
  pl_dat *value, *twice;
  pl_global *sum;

  PL_OK(pl, pl_init(&argc, &argv, NULL, &pl));
  PL_OK(pl, pl_decl_set(pl, 4, "points", &points));
  PL_OK(pl, pl_decl_dat(points, 1, PL_DOUBLE, values, "value", &value));
  PL_OK(pl, pl_decl_dat(points, 1, PL_DOUBLE, NULL, "twice", &twice));
  PL_OK(pl, pl_decl_global(pl, 1, PL_DOUBLE, NULL, "sum", &sum));
  PL_OK(pl, pl_par_loop(scale, points, pl_arg_direct(value, PL_READ), pl_arg_direct(twice, PL_WRITE)));
  PL_OK(pl, pl_par_loop(add_up, points, pl_arg_direct(twice, PL_READ), pl_arg_gbl(sum, PL_INC)));
  double total;
  PL_OK(pl, pl_global_get(sum, &total));
  printf("sum %g on %s\n", total, pl_backend_name(pl));
  pl_finalize(&pl);
  return 0;
}

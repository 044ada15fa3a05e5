/* SPDX-License-Identifier: BSD-2-Clause
 * from_compyle.c: Compyle's three kinds of parallel work, on Plait (docs/coming-from.md).
 */
#include <math.h>
#include <plait.h>

/* Elementwise */
PL_KERNEL(wave, (const double *x, double *y), { y[0] = 2 * sin(x[0]) + 1; })

/* Reduction */
PL_REDUCTION(total, double, 0.0, PL_COMMUTATIVE(a + b), (const double *y), y[i])

/* Scan: the positions of the values above 1 */
PL_SCAN(above, int, 0, PL_COMMUTATIVE(a + b), (const double *y, int *where), y[i] > 1, {
  if (item != prev_item) where[prev_item] = i;
})

enum { N = 8 };

int main(int argc, char **argv)
{
  double values[N], sum;
  int found[N];
  pl_context *pl;
  pl_dat *x, *y, *where;
  pl_global *result;

  for (int i = 0; i < N; i++) values[i] = i;
  PL_OK(pl, pl_init(&argc, &argv, NULL, &pl));
  PL_OK(pl, pl_decl_array(pl, N, 1, PL_DOUBLE, values, "x", &x));
  pl_set *set = pl_dat_set(x);
  PL_OK(pl, pl_decl_dat(set, 1, PL_DOUBLE, NULL, "y", &y));
  PL_OK(pl, pl_decl_dat(set, 1, PL_INT, NULL, "where", &where));
  PL_OK(pl, pl_decl_global(pl, 1, PL_DOUBLE, NULL, "result", &result));

  PL_OK(pl, pl_par_loop(wave, set, pl_arg_direct(x, PL_READ), pl_arg_direct(y, PL_WRITE)));
  PL_OK(pl, pl_reduce(total, set, result, pl_arg_direct(y, PL_READ)));
  PL_OK(pl, pl_scan(above, set, pl_arg_direct(y, PL_READ), pl_arg_direct(where, PL_WRITE)));

  PL_OK(pl, pl_global_get(result, &sum));
  PL_OK(pl, pl_dat_fetch(where, found));
  printf("sum %.4f; above 1: %d %d %d %d\n", sum, found[0], found[1], found[2], found[3]);
  pl_finalize(&pl);
  return 0;
}

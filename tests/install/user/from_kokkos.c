/* SPDX-License-Identifier: BSD-2-Clause
 * from_kokkos.c: a Kokkos program with a parallel_for, an atomic_add and a MaxLoc, on Plait
 * (docs/coming-from.md).
 */
#include <plait.h>

enum { SAMPLES = 1000, BINS = 4 };

/* parallel_for over samples */
PL_KERNEL(fill, (double *x, const int64_t *i), { x[0] = (double)(i[0] * i[0] % 997) / 997; })

/* parallel_for with atomic_add: each sample counts in its bin */
PL_KERNEL(count, (int *bin), { bin[0] += 1; })

/* parallel_reduce with MaxLoc */
PL_KERNEL(largest, (const double *x, const int64_t *i, double *most, int64_t *where), {
  most[0] = x[0];
  where[0] = i[0];
})

int main(int argc, char **argv)
{
  static int bin_of[SAMPLES];
  int counts[BINS];
  double value = 0;
  int64_t index;
  const double *view;
  pl_context *pl;
  pl_set *samples, *bins;
  pl_map *bin;
  pl_dat *x, *histogram;
  pl_global *most, *where;

  PL_OK(pl, pl_init(&argc, &argv, NULL, &pl));
  PL_OK(pl, pl_decl_set(pl, SAMPLES, "samples", &samples));
  PL_OK(pl, pl_decl_set(pl, BINS, "bins", &bins));
  PL_OK(pl, pl_decl_dat(samples, 1, PL_DOUBLE, NULL, "x", &x));
  PL_OK(pl, pl_decl_dat(bins, 1, PL_INT, NULL, "histogram", &histogram));
  PL_OK(pl, pl_decl_global(pl, 1, PL_DOUBLE, &value, "most", &most));
  PL_OK(pl, pl_decl_global(pl, 1, PL_INT64, NULL, "where", &where));
  PL_OK(pl, pl_par_loop(fill, samples, pl_arg_direct(x, PL_WRITE), pl_arg_idx(PL_ID, PL_DIRECT)));

  PL_OK(pl, pl_dat_get(x, PL_READ, (void **)&view)); /* in place of create_mirror_view and deep_copy */
  for (int i = 0; i < SAMPLES; i++) bin_of[i] = (int)(view[i] * BINS);
  PL_OK(pl, pl_dat_put(x));
  PL_OK(pl, pl_decl_map(samples, bins, 1, bin_of, "bin", &bin));

  PL_OK(pl, pl_par_loop(count, samples, pl_arg_dat(histogram, 0, bin, PL_INC)));
  PL_OK(pl, pl_par_loop(largest, samples, pl_arg_direct(x, PL_READ), pl_arg_idx(PL_ID, PL_DIRECT),
                        pl_arg_gbl(most, PL_MAX), pl_arg_payload(where, most)));

  PL_OK(pl, pl_dat_fetch(histogram, counts));
  PL_OK(pl, pl_global_get(most, &value));
  PL_OK(pl, pl_global_get(where, &index));
  printf("%d %d %d %d, largest %.3f at %d\n", counts[0], counts[1], counts[2], counts[3], value, (int)index);
  pl_finalize(&pl);
  return 0;
}

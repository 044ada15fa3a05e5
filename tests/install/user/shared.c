/* SPDX-License-Identifier: BSD-2-Clause
 * shared.c: a dat in memory of the program (docs/interop.md).
 */
#include <plait_dlpack.h>

PL_KERNEL(grow, (double x[2]), {
  x[0] += 1;
  x[1] *= 2;
})

int main(int argc, char **argv)
{
  double memory[] = {1, 1, 2, 2, 3, 3}; /* the program's: x and y of three points */
  pl_context *pl;
  pl_set *points;
  pl_dat *dat;
  void *view;
  DLManagedTensorVersioned *tensor;
  PL_OK(pl, pl_init(&argc, &argv, NULL, &pl));
  PL_OK(pl, pl_decl_set(pl, 3, "points", &points));
  PL_OK(pl, pl_dat_wrap(points, 2, PL_DOUBLE, PL_MEMORY_HOST, NULL, memory, "position", &dat));

  PL_OK(pl, pl_par_loop(grow, points, pl_arg_direct(dat, PL_RW)));
  PL_OK(pl, pl_dat_get(dat, PL_READ, &view)); /* from here on `memory` holds the values */
  printf("%g %g\n", memory[4], memory[5]);
  PL_OK(pl, pl_dat_put(dat));

  if (pl_dat_get_device(dat, PL_READ, &view, NULL) == PL_SUCCESS) /* on a device only */
    PL_OK(pl, pl_dat_put_device(dat));

  if (pl_dat_to_dlpack(dat, PL_READ, &tensor) == PL_SUCCESS) { /* not on OpenCL */
    printf("%d extents\n", (int)tensor->dl_tensor.ndim);
    tensor->deleter(tensor);
  }
  pl_dat_free(&dat);
  pl_finalize(&pl);
  return 0;
}

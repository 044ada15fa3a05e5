/* SPDX-License-Identifier: BSD-2-Clause
 * files.c: the same values as NumPy array, text and HDF5 (docs/files.md).
 */
#include <plait.h>
#include <string.h>

enum { POINTS = 5 };

PL_KERNEL(square, (const double *x, double *u), { u[0] = x[0] * x[0]; })

/* Rank 0 declared all points, so it gets all values; the other ranks get none. */
static void write_text(pl_context *pl, pl_dat *u, const char *path)
{
  double all[POINTS];
  PL_OK(pl, pl_dat_fetch(u, all));
  if (pl_rank(pl) > 0) return;
  FILE *file = fopen(path, "w");
  for (int i = 0; file && i < POINTS; i++) fprintf(file, "%d %.17g\n", i, all[i]);
  if (!file || fclose(file) != 0) fprintf(stderr, "%s cannot be written\n", path);
}

int main(int argc, char **argv)
{
  const double places[POINTS] = {0, 0.5, 1, 1.5, 2};
  double norm;
  pl_context *pl;
  pl_set *points;
  pl_dat *x, *u, *back;

  PL_OK(pl, pl_init(&argc, &argv, NULL, &pl));
  PL_OK(pl, pl_decl_set(pl, pl_rank(pl) == 0 ? POINTS : 0, "points", &points));
  PL_OK(pl, pl_decl_dat(points, 1, PL_DOUBLE, places, "x", &x));
  PL_OK(pl, pl_decl_dat(points, 1, PL_DOUBLE, NULL, "u", &u));
  PL_OK(pl, pl_decl_dat(points, 1, PL_DOUBLE, NULL, "back", &back));
  PL_OK(pl, pl_par_loop(square, points, pl_arg_direct(x, PL_READ), pl_arg_direct(u, PL_WRITE)));

  PL_OK(pl, pl_dat_save(u, "u.npy"));
  write_text(pl, u, "u.txt");
  if (argc > 1 && strcmp(argv[1], "--hdf5") == 0) PL_OK(pl, pl_hdf5_write(pl, "result.h5"));

  PL_OK(pl, pl_dat_load(back, "u.npy"));
  PL_OK(pl, pl_dat_norm(back, &norm));
  if (pl_rank(pl) == 0) printf("read back: norm %.4f\n", norm);
  pl_finalize(&pl);
  return 0;
}

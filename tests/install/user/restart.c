/* SPDX-License-Identifier: BSD-2-Clause
 * restart.c: heat in a rod; each run makes four steps and continues where the last one ended
 * (docs/checkpoints.md).
 */
#include <plait.h>
#include <stdio.h>
#include <unistd.h>

enum { CELLS = 8, STEPS = 4 };

PL_KERNEL(flow, (double *rate, const double *const t[2]), { rate[0] = 0.25 * (t[1][0] - t[0][0]); })
PL_KERNEL(warm, (double *t, const double *const rate[2]), { t[0] += rate[1][0] - rate[0][0]; })

int main(int argc, char **argv)
{
  const char *file = argc > 1 ? argv[1] : "state.h5";
  int cells_of[CELLS][2], faces_of[CELLS][2]; /* of each face, and of each cell; the rod is a ring */
  double start[CELLS] = {100}, x[CELLS][2], *t;
  int64_t step = 0;
  pl_context *pl;
  pl_set *cells, *faces;
  pl_map *cell, *face;
  pl_dat *temperature, *rate, *place;
  pl_global *steps;

  for (int i = 0; i < CELLS; i++) {
    cells_of[i][0] = i, cells_of[i][1] = (i + 1) % CELLS;
    faces_of[i][0] = (i + CELLS - 1) % CELLS, faces_of[i][1] = i;
    x[i][0] = i, x[i][1] = 0;
  }
  PL_OK(pl, pl_init(&argc, &argv, NULL, &pl));
  PL_OK(pl, pl_decl_set(pl, CELLS, "cells", &cells));
  PL_OK(pl, pl_decl_set(pl, CELLS, "faces", &faces));
  PL_OK(pl, pl_decl_map(faces, cells, 2, cells_of[0], "cell", &cell));
  PL_OK(pl, pl_decl_map(cells, faces, 2, faces_of[0], "face", &face));
  PL_OK(pl, pl_decl_dat(cells, 1, PL_DOUBLE, start, "temperature", &temperature));
  PL_OK(pl, pl_decl_dat(cells, 2, PL_DOUBLE, x, "place", &place));
  PL_OK(pl, pl_decl_dat(faces, 1, PL_DOUBLE, NULL, "rate", &rate));
  PL_OK(pl, pl_decl_global(pl, 1, PL_INT64, &step, "step", &steps));
  PL_OK(pl, pl_vtk_grid(place, cell)); /* lines between the middles of cells, for ParaView */

  if (access(file, F_OK) == 0) PL_OK(pl, pl_restore(pl, file));
  PL_OK(pl, pl_global_get(steps, &step));
  for (int64_t last = step + STEPS; step < last; step++) {
    PL_OK(pl, pl_par_loop(flow, faces, pl_arg_direct(rate, PL_WRITE),
                          pl_arg_dat(temperature, PL_ALL, cell, PL_READ)));
    PL_OK(pl, pl_par_loop(warm, cells, pl_arg_direct(temperature, PL_RW),
                          pl_arg_dat(rate, PL_ALL, face, PL_READ)));
  }
  PL_OK(pl, pl_global_set(steps, &step));
  PL_OK(pl, pl_checkpoint(pl, file));

  PL_OK(pl, pl_dat_get(temperature, PL_READ, (void **)&t));
  printf("step %d: %g degrees\n", (int)step, t[0]);
  PL_OK(pl, pl_dat_put(temperature));
  pl_finalize(&pl);
  return 0;
}

/* SPDX-License-Identifier: BSD-2-Clause
 * picture.c: a hot disc cools in a cold square; the result as text for gnuplot (docs/pictures.md).
 */
#include <plait.h>

enum { SIDE = 64, POINTS = SIDE * SIDE, STEPS = 400 };

/* Points: towards the mean of the four neighbours. Outside the square there is no neighbour, which reads as
 * 0. */
PL_KERNEL(cool, (double *next, const double *t, const double *const near[4]),
          { next[0] = t[0] + 0.2 * (near[0][0] + near[1][0] + near[2][0] + near[3][0] - 4 * t[0]); })

static void make_mesh(int near[POINTS][4], double t[POINTS])
{
  for (int p = 0; p < POINTS; p++) {
    const int i = p % SIDE, j = p / SIDE, x = i - SIDE / 3, y = j - SIDE / 2;
    near[p][0] = i > 0 ? p - 1 : -1;
    near[p][1] = i < SIDE - 1 ? p + 1 : -1;
    near[p][2] = j > 0 ? p - SIDE : -1;
    near[p][3] = j < SIDE - 1 ? p + SIDE : -1;
    t[p] = x * x + y * y < SIDE * SIDE / 36;
  }
}

int main(int argc, char **argv)
{
  static int near[POINTS][4];
  static double start[POINTS];
  pl_context *pl;
  pl_set *points;
  pl_map *neighbours;
  pl_dat *t[2];
  const double *end;
  make_mesh(near, start);

  PL_OK(pl, pl_init(&argc, &argv, NULL, &pl));
  PL_OK(pl, pl_decl_set(pl, POINTS, "points", &points));
  PL_OK(pl, pl_decl_map(points, points, 4, near[0], "neighbours", &neighbours));
  PL_OK(pl, pl_decl_dat(points, 1, PL_DOUBLE, start, "t", &t[0]));
  PL_OK(pl, pl_decl_dat(points, 1, PL_DOUBLE, NULL, "t after", &t[1]));
  for (int step = 0; step < STEPS; step++)
    PL_OK(pl, pl_par_loop(cool, points, pl_arg_direct(t[(step + 1) % 2], PL_WRITE),
                          pl_arg_direct(t[step % 2], PL_READ),
                          pl_arg_dat(t[step % 2], PL_ALL, neighbours, PL_READ)));

  PL_OK(pl, pl_dat_get(t[STEPS % 2], PL_READ, (void **)&end));
  for (int p = 0; p < POINTS; p++) printf("%d %d %.4f\n", p % SIDE, p / SIDE, end[p]);
  PL_OK(pl, pl_dat_put(t[STEPS % 2]));
  pl_finalize(&pl);
  return 0;
}

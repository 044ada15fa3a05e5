/* SPDX-License-Identifier: BSD-2-Clause
 * first.c: the middle of each triangle of a mesh.
 */
#include <plait.h>

PL_KERNEL(midpoint, (double mid[2], const double *const corner[3]), {
  for (int i = 0; i < 2; i++) mid[i] = (corner[0][i] + corner[1][i] + corner[2][i]) / 3.0;
})

int main(int argc, char **argv)
{
  const int corners[] = {0, 1, 2, 2, 1, 3}; /* two triangles that make a square */
  const double positions[] = {0, 0, 3, 0, 0, 3, 3, 3};
  pl_context *pl;
  pl_set *triangles, *points;
  pl_map *corner;
  pl_dat *position, *middle;

  PL_OK(pl, pl_init(&argc, &argv, NULL, &pl));
  PL_OK(pl, pl_decl_set(pl, 2, "triangles", &triangles));
  PL_OK(pl, pl_decl_set(pl, 4, "points", &points));
  PL_OK(pl, pl_decl_map(triangles, points, 3, corners, "corner", &corner));
  PL_OK(pl, pl_decl_dat(points, 2, PL_DOUBLE, positions, "position", &position));
  PL_OK(pl, pl_decl_dat(triangles, 2, PL_DOUBLE, NULL, "middle", &middle));

  PL_OK(pl, pl_par_loop(midpoint, triangles, pl_arg_direct(middle, PL_WRITE),
                        pl_arg_dat(position, PL_ALL, corner, PL_READ)));

  void *view;
  PL_OK(pl, pl_dat_get(middle, PL_READ, &view));
  const double *m = view;
  for (int t = 0; t < 2; t++) printf("triangle %d: middle at (%g, %g)\n", t, m[2 * t], m[2 * t + 1]);
  PL_OK(pl, pl_dat_put(middle));
  pl_finalize(&pl);
  return 0;
}

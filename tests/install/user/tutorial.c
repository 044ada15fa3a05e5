/* SPDX-License-Identifier: BSD-2-Clause
 * tutorial.c: the loops of docs/getting-started.md in one program.
 */
#include <math.h>
#include <plait.h>

/* Triangles: the middle of the corners. */
PL_KERNEL(midpoint, (double mid[2], const double *const corner[3]), {
  for (int i = 0; i < 2; i++) mid[i] = (corner[0][i] + corner[1][i] + corner[2][i]) / 3.0;
})

/* Edges: each end gets half of the length. */
PL_KERNEL(share_length, (const double *a, const double *b, double *share_a, double *share_b), {
  const double half = 0.5 * hypot(b[0] - a[0], b[1] - a[1]);
  *share_a += half;
  *share_b += half;
})

/* Points: the sum of the shares, and the largest with its point. */
PL_KERNEL(survey, (const double *share, const int64_t *point, double *sum, double *most, int64_t *where), {
  *sum += *share;
  *most = *share;
  *where = *point;
})

int main(int argc, char **argv)
{
  const int corners[] = {0, 1, 2, 2, 1, 3}, ends[] = {0, 1, 1, 2, 2, 0, 1, 3, 3, 2};
  const double positions[] = {0, 0, 3, 0, 0, 4, 3, 4}, lowest = -1.0;
  pl_context *pl;
  pl_set *triangles, *edges, *points;
  pl_map *corner, *end;
  pl_dat *position, *middle, *share;
  pl_global *sum, *most, *where;

  PL_OK(pl, pl_init(&argc, &argv, NULL, &pl));
  PL_OK(pl, pl_decl_set(pl, 2, "triangles", &triangles));
  PL_OK(pl, pl_decl_set(pl, 5, "edges", &edges));
  PL_OK(pl, pl_decl_set(pl, 4, "points", &points));
  PL_OK(pl, pl_decl_map(triangles, points, 3, corners, "corner", &corner));
  PL_OK(pl, pl_decl_map(edges, points, 2, ends, "end", &end));
  PL_OK(pl, pl_decl_dat(points, 2, PL_DOUBLE, positions, "position", &position));
  PL_OK(pl, pl_decl_dat(triangles, 2, PL_DOUBLE, NULL, "middle", &middle));
  PL_OK(pl, pl_decl_dat(points, 1, PL_DOUBLE, NULL, "share", &share));
  PL_OK(pl, pl_decl_global(pl, 1, PL_DOUBLE, NULL, "sum", &sum));
  PL_OK(pl, pl_decl_global(pl, 1, PL_DOUBLE, &lowest, "most", &most));
  PL_OK(pl, pl_decl_global(pl, 1, PL_INT64, NULL, "where", &where));

  PL_OK(pl, pl_par_loop(midpoint, triangles, pl_arg_direct(middle, PL_WRITE),
                        pl_arg_dat(position, PL_ALL, corner, PL_READ)));

  PL_OK(pl, pl_par_loop(share_length, edges, pl_arg_dat(position, 0, end, PL_READ),
                        pl_arg_dat(position, 1, end, PL_READ), pl_arg_dat(share, 0, end, PL_INC),
                        pl_arg_dat(share, 1, end, PL_INC)));

  PL_OK(pl, pl_par_loop(survey, points, pl_arg_direct(share, PL_READ), pl_arg_idx(PL_ID, PL_DIRECT),
                        pl_arg_gbl(sum, PL_INC), pl_arg_gbl(most, PL_MAX), pl_arg_payload(where, most)));

  void *view;
  PL_OK(pl, pl_dat_get(middle, PL_READ, &view));
  const double *m = view;
  for (int t = 0; t < 2; t++) printf("triangle %d: middle at (%.3f, %.3f)\n", t, m[2 * t], m[2 * t + 1]);
  PL_OK(pl, pl_dat_put(middle));

  double length, share_most;
  int64_t point;
  PL_OK(pl, pl_global_get(sum, &length));
  PL_OK(pl, pl_global_get(most, &share_most));
  PL_OK(pl, pl_global_get(where, &point));
  printf("edges: %g long together; largest share %g, at point %d\n", length, share_most, (int)point);
  pl_finalize(&pl);
  return 0;
}

/* SPDX-License-Identifier: BSD-2-Clause
 * picture FOLDER: checkpoints with pictures for vtk.py: grid.h5, a grid of quadrilaterals; points.h5,
 * particles; both.h5, tetrahedra and particles.
 */
#include <plait.h>
#include <stdbool.h>
#include <stdio.h>

enum { NX = 4, NY = 3, CELLS = NX * NY, NODES = (NX + 1) * (NY + 1), POINTS = 7 };

static const char *path_of(char path[500], char **argv, const char *name)
{
  snprintf(path, 500, "%s/%s", argv[1], name);
  return path;
}

static void declare_grid(pl_context *pl, int dim)
{
  int corner[CELLS][4];
  double x[NODES][3], height[NODES];
  float q[CELLS][2];
  pl_set *cells, *nodes;
  pl_map *corners;
  pl_dat *place, *dat;
  const bool first = pl_rank(pl) == 0;
  for (int i = 0; i < CELLS; i++) {
    const int a = i / NX * (NX + 1) + i % NX;
    corner[i][0] = a, corner[i][1] = a + 1, corner[i][2] = a + NX + 2, corner[i][3] = a + NX + 1;
    q[i][0] = (float)i, q[i][1] = 0.5f * (float)i;
  }
  if (dim == 2) corner[CELLS - 1][3] = -1; /* a triangle */
  for (int i = 0; i < NODES; i++) {
    double *at = dim == 3 ? x[i] : x[0] + 2 * (size_t)i;
    at[0] = i % (NX + 1), at[1] = i / (NX + 1);
    if (dim == 3) at[2] = 0.1 * i;
    height[i] = 10 * i;
  }
  PL_OK(pl, pl_decl_set(pl, first ? CELLS : 0, "cells", &cells));
  PL_OK(pl, pl_decl_set(pl, first ? NODES : 0, "nodes", &nodes));
  PL_OK(pl, pl_decl_map(cells, nodes, 4, corner[0], "corners", &corners));
  PL_OK(pl, pl_decl_dat(nodes, dim, PL_DOUBLE, x, "x", &place));
  PL_OK(pl, pl_decl_dat(nodes, 1, PL_DOUBLE, height, "height", &dat));
  PL_OK(pl, pl_decl_dat(cells, 2, PL_FLOAT, q, "q", &dat));
  PL_OK(pl, pl_partition(cells, PL_PARTITION_RANDOM, &(pl_partition_options){.seed = 5}));
  PL_OK(pl, pl_vtk_grid(place, corners));
}

static void declare_points(pl_context *pl)
{
  double x[POINTS][3];
  int32_t tag[POINTS];
  pl_set *points;
  pl_dat *place, *dat;
  for (int i = 0; i < POINTS; i++) {
    tag[i] = 100 + i;
    for (int a = 0; a < 3; a++) x[i][a] = i + 0.25 * a;
  }
  PL_OK(pl, pl_decl_set(pl, pl_rank(pl) ? 0 : POINTS, "points", &points));
  PL_OK(pl, pl_decl_dat(points, 3, PL_DOUBLE, x, "position", &place));
  PL_OK(pl, pl_decl_dat(points, 1, PL_INT32, tag, "tag", &dat));
  PL_OK(pl, pl_vtk_grid(place, NULL));
}

static void write_file(char **argv, const char *name, int dim, bool points)
{
  char path[500];
  pl_context *pl;
  PL_OK(pl, pl_init(NULL, NULL, NULL, &pl));
  if (dim) declare_grid(pl, dim);
  if (points) declare_points(pl);
  PL_OK(pl, pl_checkpoint(pl, path_of(path, argv, name)));
  pl_finalize(&pl);
}

int main(int argc, char **argv)
{
  if (argc < 2) return 2;
  write_file(argv, "grid.h5", 2, false);
  write_file(argv, "points.h5", 0, true);
  write_file(argv, "both.h5", 3, true);
  return 0;
}

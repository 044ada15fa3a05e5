/* SPDX-License-Identifier: BSD-2-Clause
 * series FOLDER: pictures over time for vtk_series.py: grid_series.h5, four steps of a grid whose points move
 * in the last two, which are written twice; point_series.h5, points whose number changes.
 */
#include <math.h>
#include <plait.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { NX = 4, NY = 3, CELLS = NX * NY, NODES = (NX + 1) * (NY + 1), STEPS = 4 };

typedef struct grid {
  pl_set *cells, *nodes;
  pl_map *corners;
  pl_dat *x, *height, *q;
} grid;

static void declare_grid(pl_context *pl, grid *g)
{
  int corner[CELLS][4];
  const bool first = pl_rank(pl) == 0;
  for (int i = 0; i < CELLS; i++) {
    const int a = i / NX * (NX + 1) + i % NX;
    corner[i][0] = a, corner[i][1] = a + 1, corner[i][2] = a + NX + 2, corner[i][3] = a + NX + 1;
  }
  PL_OK(pl, pl_decl_set(pl, first ? CELLS : 0, "cells", &g->cells));
  PL_OK(pl, pl_decl_set(pl, first ? NODES : 0, "nodes", &g->nodes));
  PL_OK(pl, pl_decl_map(g->cells, g->nodes, 4, corner[0], "corners", &g->corners));
  PL_OK(pl, pl_decl_dat(g->nodes, 2, PL_DOUBLE, NULL, "x", &g->x));
  PL_OK(pl, pl_decl_dat(g->nodes, 1, PL_DOUBLE, NULL, "height", &g->height));
  PL_OK(pl, pl_decl_dat(g->cells, 2, PL_FLOAT, NULL, "q", &g->q));
  PL_OK(pl, pl_partition(g->cells, PL_PARTITION_RANDOM, &(pl_partition_options){.seed = 5}));
  PL_OK(pl, pl_vtk_grid(g->x, g->corners));
}

/* Values of a step, by global indices. */
static void set_grid(pl_context *pl, grid *g, int step, int more)
{
  int64_t node[NODES], cell[CELLS];
  double *x, *height;
  float *q;
  PL_OK(pl, pl_set_global(g->nodes, node));
  PL_OK(pl, pl_set_global(g->cells, cell));
  PL_OK(pl, pl_dat_get(g->x, PL_WRITE, (void **)&x));
  PL_OK(pl, pl_dat_get(g->height, PL_WRITE, (void **)&height));
  for (int i = 0; i < pl_set_size(g->nodes); i++) {
    x[2 * i] = (double)(node[i] % (NX + 1)) + (step > 1 ? 0.5 * step : 0);
    x[2 * i + 1] = (double)(node[i] / (NX + 1));
    height[i] = (double)(10 * node[i] + step);
  }
  PL_OK(pl, pl_dat_put(g->x));
  PL_OK(pl, pl_dat_put(g->height));
  PL_OK(pl, pl_dat_get(g->q, PL_WRITE, (void **)&q));
  for (int i = 0; i < pl_set_size(g->cells); i++)
    q[2 * i] = (float)(cell[i] + 100 * step + more), q[2 * i + 1] = (float)cell[i];
  PL_OK(pl, pl_dat_put(g->q));
}

static void refuse(pl_context *pl, pl_err err, pl_err wanted)
{
  if (err == wanted) return;
  fprintf(stderr, "series: error %d instead of %d: %s\n", (int)err, (int)wanted, pl_errmsg(pl));
  exit(1);
}

static void write_grid(const char *path)
{
  pl_context *pl;
  pl_dat *other;
  grid g;
  PL_OK(pl, pl_init(NULL, NULL, NULL, &pl));
  declare_grid(pl, &g);
  for (int step = 0; step < STEPS; step++) {
    set_grid(pl, &g, step, 0);
    PL_OK(pl, pl_vtk_append(g.x, path, 0.25 * step));
  }
  for (int step = 2; step < STEPS; step++) {
    set_grid(pl, &g, step, 7000);
    PL_OK(pl, pl_vtk_append(g.x, path, 0.25 * step));
  }
  refuse(pl, pl_vtk_append(g.height, path, 9), PL_ERR_STATE);
  refuse(pl, pl_vtk_append(g.x, path, INFINITY), PL_ERR_ARG);
  PL_OK(pl, pl_decl_dat(g.cells, 1, PL_DOUBLE, NULL, "other", &other));
  refuse(pl, pl_vtk_append(g.x, path, 9), PL_ERR_IO);
  pl_finalize(&pl);
}

static void write_points(const char *path)
{
  pl_context *pl;
  pl_set *points;
  pl_dat *place, *tag;
  double *x;
  int32_t *t;
  PL_OK(pl, pl_init(NULL, NULL, NULL, &pl));
  PL_OK(pl, pl_decl_set(pl, 0, "points", &points));
  PL_OK(pl, pl_decl_dat(points, 3, PL_DOUBLE, NULL, "position", &place));
  PL_OK(pl, pl_decl_dat(points, 1, PL_INT32, NULL, "tag", &tag));
  PL_OK(pl, pl_vtk_grid(place, NULL));
  for (int step = 0; step < STEPS; step++) {
    static const int sizes[STEPS] = {3, 70, 0, 2};
    PL_OK(pl, pl_set_resize(points, sizes[step] + (step != 2 ? pl_rank(pl) : 0)));
    PL_OK(pl, pl_dat_get(place, PL_WRITE, (void **)&x));
    PL_OK(pl, pl_dat_get(tag, PL_WRITE, (void **)&t));
    for (int i = 0; i < pl_set_size(points); i++) {
      t[i] = 1000 * pl_rank(pl) + i;
      for (int a = 0; a < 3; a++) x[3 * i + a] = t[i] + 0.25 * a + step;
    }
    PL_OK(pl, pl_dat_put(place));
    PL_OK(pl, pl_dat_put(tag));
    PL_OK(pl, pl_vtk_append(place, path, step));
  }
  pl_finalize(&pl);
}

int main(int argc, char **argv)
{
  char path[500];
  if (argc < 2) return 2;
  snprintf(path, sizeof path, "%s/grid_series.h5", argv[1]);
  write_grid(path);
  snprintf(path, sizeof path, "%s/point_series.h5", argv[1]);
  write_points(path);
  return 0;
}

/* SPDX-License-Identifier: BSD-2-Clause
 * sweeps: smoothing over the edges of a mesh, memory-bound: as loops, as a chain, and as a tiled chain, run
 * alternately; medians. Tiles keep data in the second-level cache from one sweep to the next.
 */
#include "plait.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../apps/common/median.h"
#include "../apps/common/options.h"
#include "../apps/common/wall.h"

PL_KERNEL(spread, (const double *const u[2], double *r[2], const double *w), {
  const double d = w[0] * (u[1][0] - u[0][0]);
  r[0][0] += d;
  r[1][0] -= d;
})
PL_KERNEL(relax, (double *u, double *r), {
  u[0] += 0.2 * r[0];
  r[0] = 0.0;
})

enum { WAYS = 3, MOST = 25 };
static const char *const names[WAYS] = {"loops", "chain", "tiles"};

typedef struct job {
  int64_t width, height, sweeps, repeat, tile;
} job;

typedef struct world {
  pl_context *pl;
  pl_set *nodes, *edges;
  pl_map *ends;
  pl_dat *u, *r, *w;
} world;

/* A grid with nodes numbered by rows, and edges by their first node. */
static void declare(const job *j, world *w)
{
  const int64_t n = j->width * j->height;
  int *ends = malloc((size_t)n * 4 * sizeof *ends), edges = 0;
  double *u = malloc((size_t)n * sizeof *u), *weight = malloc((size_t)n * 2 * sizeof *weight);
  if (!ends || !u || !weight) exit(1);
  for (int64_t i = 0; i < n; i++) {
    u[i] = sin(0.001 * (double)i);
    for (int down = 0; down < 2; down++) {
      if (down ? i / j->width == j->height - 1 : i % j->width == j->width - 1) continue;
      weight[edges] = 1.0 / (1.0 + (double)(edges % 7));
      ends[2 * edges] = (int)i;
      ends[2 * edges++ + 1] = (int)(i + (down ? j->width : 1));
    }
  }
  PL_OK(w->pl, pl_decl_set(w->pl, n, "nodes", &w->nodes));
  PL_OK(w->pl, pl_decl_set(w->pl, edges, "edges", &w->edges));
  PL_OK(w->pl, pl_decl_map(w->edges, w->nodes, 2, ends, "ends", &w->ends));
  PL_OK(w->pl, pl_decl_dat(w->nodes, 1, PL_DOUBLE, u, "u", &w->u));
  PL_OK(w->pl, pl_decl_dat(w->nodes, 1, PL_DOUBLE, NULL, "r", &w->r));
  PL_OK(w->pl, pl_decl_dat(w->edges, 1, PL_DOUBLE, weight, "w", &w->w));
  free(ends);
  free(u);
  free(weight);
}

static void sweep(const world *w)
{
  PL_OK(w->pl, pl_par_loop(spread, w->edges, pl_arg_dat(w->u, PL_ALL, w->ends, PL_READ),
                           pl_arg_dat(w->r, PL_ALL, w->ends, PL_INC), pl_arg_direct(w->w, PL_READ)));
  PL_OK(w->pl, pl_par_loop(relax, w->nodes, pl_arg_direct(w->u, PL_RW), pl_arg_direct(w->r, PL_RW)));
}

/* Seconds of some sweeps in one variant; one chain per call. */
static double run(const job *j, world *w, int way)
{
  char tile[24];
  pl_chain *chain = NULL;
  snprintf(tile, sizeof tile, "%lld", way == 2 ? (long long)j->tile : 1LL);
  PL_OK(w->pl, pl_set_option(w->pl, "tile", tile));
  const double start = wall_seconds();
  if (way) PL_OK(w->pl, pl_chain_begin(w->pl, names[way], &chain));
  for (int64_t s = 0; s < j->sweeps; s++) sweep(w);
  if (way) PL_OK(w->pl, pl_chain_end(chain));
  return wall_seconds() - start;
}

/* The difference between two variants from the same start, relative to the largest value. */
static double difference(const job *j, world *w, int way)
{
  const size_t n = (size_t)(j->width * j->height);
  double *first = malloc(n * sizeof *first), *got = malloc(n * sizeof *got), worst = 0, most = 0;
  pl_dat *start;
  if (!first || !got) exit(1);
  PL_OK(w->pl, pl_dat_duplicate(w->u, "start", &start));
  run(j, w, 0);
  PL_OK(w->pl, pl_dat_fetch(w->u, first));
  PL_OK(w->pl, pl_dat_copy(start, w->u));
  run(j, w, way);
  PL_OK(w->pl, pl_dat_fetch(w->u, got));
  for (size_t i = 0; i < n; i++) {
    worst = fmax(worst, fabs(got[i] - first[i]));
    most = fmax(most, fabs(first[i]));
  }
  pl_dat_free(&start);
  free(first);
  free(got);
  return worst / most;
}

static bool measure(const job *j, world *w)
{
  double seconds[WAYS][MOST], middle[WAYS], bytes = 16.0 * 2 + 8.0 * 2 + 8.0 * 4 + 8.0 * 2 * 2;
  bool good = true;
  for (int way = 0; way < WAYS; way++)
    for (int k = 0; k < 3; k++) run(j, w, way); /* compiles, and builds the tiles */
  for (int k = 0; k < j->repeat; k++)
    for (int way = 0; way < WAYS; way++) seconds[way][k] = run(j, w, way);
  printf("%s, %lld x %lld nodes, %lld sweeps: medians of %lld\n", pl_backend_name(w->pl), (long long)j->width,
         (long long)j->height, (long long)j->sweeps, (long long)j->repeat);
  for (int way = 0; way < WAYS; way++) {
    middle[way] = median(seconds[way], j->repeat);
    const double s = middle[way], d = difference(j, w, way);
    printf("%s %9.3f ms a sweep  %6.1f GB/s asked for  %5.2fx  difference %.1e\n", names[way],
           1e3 * s / (double)j->sweeps, 1e-9 * bytes * (double)(j->width * j->height * j->sweeps) / s,
           middle[0] / s, d);
    good &= d <= 1e-12;
  }
  return good;
}

int main(int argc, char **argv)
{
  job j = {.width = 2000, .height = 2000, .sweeps = 8, .repeat = 7, .tile = 16384};
  const option_program program = {"sweeps", "Smoothing over edges: loops, a chain, and a chain in tiles.",
                                  NULL, true};
  const option_row rows[] = {
    {"width", "N", OPTION_INTEGER, &j.width, 2, 20000, "nodes of a row"},
    {"height", "N", OPTION_INTEGER, &j.height, 2, 20000, "rows"},
    {"sweeps", "N", OPTION_INTEGER, &j.sweeps, 1, 60, "sweeps of a chain"},
    {"repeat", "N", OPTION_INTEGER, &j.repeat, 1, MOST, "runs of each way"},
    {"tile", "N", OPTION_INTEGER, &j.tile, 0, 100000000, "edges of a tile (0: the library tries)"},
    {NULL, NULL, OPTION_FLAG, NULL, 0, 0, NULL},
  };
  const int status = options_parse(&program, rows, argc, argv);
  if (status != OPTIONS_RUN) return status;
  world w = {.pl = NULL};
  bool good = pl_init(&argc, &argv, NULL, &w.pl) == PL_SUCCESS;
  if (good) {
    declare(&j, &w);
    good = measure(&j, &w);
  } else {
    fprintf(stderr, "sweeps: %s\n", pl_errmsg(w.pl));
  }
  pl_finalize(&w.pl);
  return good ? 0 : 1;
}

/* SPDX-License-Identifier: BSD-2-Clause
 * tilings WIDTH RUNS: a chain of sweeps over a line of WIDTH thousandths of the width from which tiles are
 * worth trying, so many times; prints how often tiles were tried, how often the choice was known, and whether
 * the last run was tiled. Nothing here depends on what is faster but that word.
 */
#include "plait.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

PL_KERNEL(spread, (const double *u, double *r[2]), {
  r[0][0] += u[0];
  r[1][0] -= u[0];
})
PL_KERNEL(relax, (double *u, const double *r), { u[0] += 0.1 * r[0]; })

enum {
  CACHES = 3,
  BYTES = 32
}; /* of data to a thread; a point has: two values, and one of an edge, and its ends */

static int points(int width, int threads)
{
  long cache = sysconf(_SC_LEVEL2_CACHE_SIZE);
  return (int)((double)width / 1000 * CACHES * threads * (cache > 0 ? (double)cache : 1 << 20) / BYTES);
}

typedef struct line {
  pl_set *points, *edges;
  pl_map *ends;
  pl_dat *u, *r, *w;
} line;

static void declare(pl_context *pl, int n, line *l)
{
  int *ends = malloc((size_t)n * 2 * sizeof *ends);
  if (!ends) exit(1);
  for (int i = 0; i < 2 * n; i++) ends[i] = (i + 1) / 2 % n;
  PL_OK(pl, pl_decl_set(pl, n, "points", &l->points));
  PL_OK(pl, pl_decl_set(pl, n, "edges", &l->edges));
  PL_OK(pl, pl_decl_map(l->edges, l->points, 2, ends, "ends", &l->ends));
  PL_OK(pl, pl_decl_dat(l->points, 1, PL_DOUBLE, NULL, "u", &l->u));
  PL_OK(pl, pl_decl_dat(l->points, 1, PL_DOUBLE, NULL, "r", &l->r));
  PL_OK(pl, pl_decl_dat(l->edges, 1, PL_DOUBLE, NULL, "w", &l->w));
  free(ends);
}

static void run(pl_context *pl, const line *l)
{
  pl_chain *chain;
  PL_OK(pl, pl_chain_begin(pl, "sweeps", &chain));
  for (int sweep = 0; sweep < 2; sweep++) {
    PL_OK(pl, pl_par_loop(spread, l->edges, pl_arg_dat(l->w, PL_ID, PL_DIRECT, PL_READ),
                          pl_arg_dat(l->r, PL_ALL, l->ends, PL_INC)));
    PL_OK(pl, pl_par_loop(relax, l->points, pl_arg_dat(l->u, PL_ID, PL_DIRECT, PL_RW),
                          pl_arg_dat(l->r, PL_ID, PL_DIRECT, PL_READ)));
  }
  PL_OK(pl, pl_chain_end(chain));
}

int main(int argc, char **argv)
{
  pl_context *pl;
  line l;
  pl_stats stats = {0};
  uint64_t before = 0;
  PL_OK(pl, pl_init(&argc, &argv, NULL, &pl));
  if (argc != 3) return 2;
  declare(pl, points(atoi(argv[1]), 2), &l);
  for (int i = 0; i < atoi(argv[2]); i++) {
    before = stats.loops_tiled;
    run(pl, &l);
    PL_OK(pl, pl_get_stats(pl, &stats));
  }
  printf("tried %d known %d %s\n", (int)stats.tilings_tried, (int)stats.tilings_recalled,
         stats.loops_tiled > before ? "tiled" : "untiled");
  pl_finalize(&pl);
  return 0;
}

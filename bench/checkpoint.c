/* SPDX-License-Identifier: BSD-2-Clause
 * checkpoint: the speed of pl_checkpoint and of dd on the same file system, for a grid of quadrilaterals.
 * They take turns; the medians of both are printed.
 */
#include <plait.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../apps/common/median.h"
#include "../apps/common/options.h"
#include "../apps/common/wall.h"

enum { MOST = 99 };

/* n x n cells with their corners, the place of nodes, and 8 doubles a cell. */
static void declare(pl_context *pl, int n)
{
  const size_t cells = (size_t)n * (size_t)n, nodes = (size_t)(n + 1) * (size_t)(n + 1);
  int *corner = malloc(cells * 4 * sizeof *corner);
  double *x = malloc(nodes * 2 * sizeof *x);
  pl_set *cell, *node;
  pl_map *corners;
  pl_dat *place, *q;
  const bool first = pl_rank(pl) == 0;
  if (!corner || !x) exit(1);
  for (int i = 0; i < n * n; i++) {
    const int a = i / n * (n + 1) + i % n, at[4] = {a, a + 1, a + n + 2, a + n + 1};
    for (int k = 0; k < 4; k++) corner[4 * i + k] = at[k];
  }
  for (size_t i = 0; i < nodes; i++) {
    x[2 * i] = (double)(i % (size_t)(n + 1));
    x[2 * i + 1] = (double)(i / (size_t)(n + 1));
  }
  PL_OK(pl, pl_decl_set(pl, first ? (int64_t)cells : 0, "cells", &cell));
  PL_OK(pl, pl_decl_set(pl, first ? (int64_t)nodes : 0, "nodes", &node));
  PL_OK(pl, pl_decl_map(cell, node, 4, corner, "corners", &corners));
  PL_OK(pl, pl_decl_dat(node, 2, PL_DOUBLE, x, "place", &place));
  PL_OK(pl, pl_decl_dat(cell, 8, PL_DOUBLE, NULL, "q", &q));
  PL_OK(pl, pl_partition(cell, PL_PARTITION_BLOCK, NULL));
  free(corner);
  free(x);
}

/* Both replace a file that exists. */
static double write_checkpoint(pl_context *pl, const char *path)
{
  const double start = wall_seconds();
  PL_OK(pl, pl_checkpoint(pl, path));
  return wall_seconds() - start;
}

static double run_dd(const char *path, int64_t mib)
{
  char command[700];
  snprintf(command, sizeof command,
           "dd if=/dev/zero 'of=%s.dd.tmp' bs=1M count=%lld conv=fsync 2>/dev/null && mv '%s.dd.tmp' '%s.dd'",
           path, (long long)mib, path, path);
  const double start = wall_seconds();
  if (system(command)) exit(1); /* NOLINT: the path is the user's own */
  return wall_seconds() - start;
}

static int measure(pl_context *pl, const char *path, int repeats)
{
  double seconds[MOST], dd[MOST], gbytes;
  char copy[600];
  struct stat info;
  for (int i = -1; i < repeats; i++) { /* the first time is not counted */
    const double time = write_checkpoint(pl, path);
    if (pl_rank(pl) > 0) continue;
    if (stat(path, &info)) return 1;
    const double other = run_dd(path, (int64_t)(info.st_size >> 20));
    if (i < 0) continue;
    seconds[i] = time, dd[i] = other;
  }
  if (pl_rank(pl) > 0) return 0;
  gbytes = 1e-9 * (double)info.st_size;
  const double ours = gbytes / median(seconds, repeats), theirs = gbytes / median(dd, repeats);
  printf("%.3f GB: checkpoint %.3f GB/s, dd %.3f GB/s, ratio %.2f\n", gbytes, ours, theirs, ours / theirs);
  snprintf(copy, sizeof copy, "%s.dd", path);
  return unlink(path) || unlink(copy);
}

int main(int argc, char **argv)
{
  const char *path = "checkpoint_bench.h5";
  int64_t n = 2000, repeats = 5;
  const option_program program = {
    "checkpoint", "Measures the speed of pl_checkpoint and of dd, both with the flush to the disk.",
    "PLAIT_BACKEND selects the backend.", true};
  const option_row rows[] = {
    {"file", "FILE", OPTION_TEXT, &path, 0, 0, "the file to write, on the file system in question"},
    {"cells", "N", OPTION_INTEGER, &n, 1, 20000, "N x N cells"},
    {"repeats", "N", OPTION_INTEGER, &repeats, 1, MOST, "measurements"},
    {NULL, NULL, OPTION_FLAG, NULL, 0, 0, NULL},
  };
  const int status = options_parse(&program, rows, argc, argv);
  if (status != OPTIONS_RUN) return status;
  pl_context *pl;
  PL_OK(pl, pl_init(&argc, &argv, NULL, &pl));
  declare(pl, (int)n);
  const int result = measure(pl, path, (int)repeats);
  pl_finalize(&pl);
  return result;
}

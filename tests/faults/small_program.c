/* SPDX-License-Identifier: BSD-2-Clause
 * The small program, and the same in plain C.
 */
#include "small_program.h"
#include "failing_memory.h"
#include "sandbox.h"
#include <string.h>

enum { CELLS = 400, EDGES = 900 };

static int64_t scale = 3;

PL_FUNCTION(int64_t, twice, (int64_t x), { return 2 * x; })

PL_KERNEL(number, (int64_t * x, const int64_t *id), { *x = scale * (*id % 11) + 1; })

PL_KERNEL(spread, (const int64_t *const x[2], int64_t *sum[2], int64_t *total, int64_t *largest), {
  *sum[0] += twice(x[1][0]);
  *sum[1] += x[0][0];
  *total += x[0][0];
  if (x[1][0] > *largest) *largest = x[1][0];
})

typedef struct results {
  int64_t x[CELLS], sum[CELLS], total, largest;
} results;

static void fill_map(int edge_cell[EDGES][2])
{
  for (int e = 0; e < EDGES; e++) {
    edge_cell[e][0] = e * 7 % CELLS;
    edge_cell[e][1] = (e * 13 + 5) % CELLS;
  }
}

static void run_in_c(results *r)
{
  int edge_cell[EDGES][2];
  memset(r, 0, sizeof *r);
  fill_map(edge_cell);
  for (int c = 0; c < CELLS; c++) r->x[c] = scale * (c % 11) + 1;
  for (int e = 0; e < EDGES; e++) {
    int64_t a = r->x[edge_cell[e][0]], b = r->x[edge_cell[e][1]];
    r->sum[edge_cell[e][0]] += 2 * b;
    r->sum[edge_cell[e][1]] += a;
    r->total += a;
    if (b > r->largest) r->largest = b;
  }
}

static pl_err run_loops(pl_context *pl, results *r)
{
  int edge_cell[EDGES][2];
  pl_set *cells, *edges;
  pl_map *map;
  pl_dat *x, *sum;
  pl_global *total, *largest;
  pl_err err;
  fill_map(edge_cell);
  if ((err = pl_decl_set(pl, CELLS, "cells", &cells)) || (err = pl_decl_set(pl, EDGES, "edges", &edges)) ||
      (err = pl_decl_map(edges, cells, 2, edge_cell[0], "edge_cell", &map)) ||
      (err = pl_decl_dat(cells, 1, PL_INT64, NULL, "x", &x)) ||
      (err = pl_decl_dat(cells, 1, PL_INT64, NULL, "sum", &sum)) ||
      (err = pl_decl_global(pl, 1, PL_INT64, NULL, "total", &total)) ||
      (err = pl_decl_global(pl, 1, PL_INT64, NULL, "largest", &largest)) ||
      (err = pl_decl_const(pl, "scale", 1, PL_INT64, &scale, NULL)) || (err = pl_decl_function(pl, twice)))
    return err;
  if ((err = pl_par_loop(number, cells, pl_arg_dat(x, PL_ID, PL_DIRECT, PL_WRITE),
                         pl_arg_idx(PL_ID, PL_DIRECT))) ||
      (err =
         pl_par_loop(spread, edges, pl_arg_dat(x, PL_ALL, map, PL_READ), pl_arg_dat(sum, PL_ALL, map, PL_INC),
                     pl_arg_gbl(total, PL_INC), pl_arg_gbl(largest, PL_MAX))))
    return err;
  if ((err = pl_dat_fetch(x, r->x)) || (err = pl_dat_fetch(sum, r->sum)) ||
      (err = pl_global_get(total, &r->total)))
    return err;
  return pl_global_get(largest, &r->largest);
}

small_outcome small_run(const char *const options[])
{
  static failing_memory memory; /* large */
  small_outcome o = {.err = PL_SUCCESS};
  results got, expected;
  const char *all[SMALL_OPTIONS + 1] = {"backend=seq"};
  for (int i = 0; options[i] && i < SMALL_OPTIONS - 1; i++) all[i + 1] = options[i];
  pl_context *pl;
  failing_memory_open(&memory);
  const pl_settings settings = {.options = all, .realloc = failing_realloc, .realloc_user = &memory};
  memset(&got, 0, sizeof got);
  run_in_c(&expected);
  o.err = pl_init(NULL, NULL, &settings, &pl);
  if (!o.err) o.err = run_loops(pl, &got);
  if (o.err) snprintf(o.message, sizeof o.message, "%s", pl_errmsg(pl));
  pl_get_stats(pl, &o.stats);
  pl_finalize(&pl);
  o.right = !o.err && !memcmp(&got, &expected, sizeof got);
  if (memory.blocks || *memory.complaint) {
    fprintf(stderr, "%zu blocks are left; %s\n", memory.blocks, memory.complaint);
    o.right = false;
    o.err = PL_ERR_INTERNAL;
  }
  failing_memory_close(&memory);
  return o;
}

small_outcome small_run_cached(const char *first, const char *second)
{
  char cache[PATH_MAX + 16], flags[256];
  const char *given = getenv("PLAIT_CFLAGS");
  snprintf(flags, sizeof flags, "cflags=-O0 %s", given ? given : ""); /* for fast compilation */
  snprintf(cache, sizeof cache, "cache_dir=%s", sandbox_cache);
  const char *options[] = {cache, flags, first, second, NULL};
  if (!first) options[2] = second, options[3] = NULL;
  return small_run(options);
}

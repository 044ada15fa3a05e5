/* SPDX-License-Identifier: BSD-2-Clause
 * Partitioners: the Hilbert curve, random, and METIS over ranks.
 */
#include "partitioners.h"
#include "core/comm/comm.h"
#include "core/data/objects.h"
#include "plan/base/arena.h"
#include "plan/base/hilbert_curve.h"
#include "plan/base/radix_sort.h"
#include "graph_partitioners.h"
#include <math.h>
#include <string.h>

static pl_err check_parts(pl_context *pl, int nparts)
{
  if (nparts > 0) return PL_SUCCESS;
  return pl_fail(pl, PL_ERR_RANGE, "a partition into %d parts; there must be at least 1", nparts);
}

static pl_err check_weights(pl_context *pl, int n, const double *weight)
{
  for (int i = 0; weight && i < n; i++)
    if (!(weight[i] >= 0 && isfinite(weight[i])))
      return pl_fail(pl, PL_ERR_RANGE,
                     "a partition: the weight of element %d is %g; weights are finite and not negative", i,
                     weight[i]);
  return PL_SUCCESS;
}

static pl_err check_points(pl_context *pl, const pl_points *points, int nparts)
{
  size_t dim = (size_t)points->dim;
  PL_TRY(check_parts(pl, nparts));
  if (points->dim < 1 || points->dim > PL_CURVE_MOST)
    return pl_fail(pl, PL_ERR_RANGE, "a partition of points with %d coordinates; there must be 1 to %d",
                   points->dim, PL_CURVE_MOST);
  for (size_t k = 0; k < (size_t)points->n * dim; k++)
    if (!isfinite(points->x[k]))
      return pl_fail(pl, PL_ERR_RANGE, "a partition of points: coordinate %d of element %d is not finite",
                     (int)(k % dim), (int)(k / dim));
  return check_weights(pl, points->n, points->weight);
}

pl_err pl_points_check(pl_context *pl, const pl_points *points, int nparts)
{
  return pl_agree(pl, check_points(pl, points, nparts));
}

/* ---- the curve ---- */

typedef struct curve {
  pl_context *pl;
  const pl_points *points;
  pl_keyed *sorted; /* this rank's points along the curve */
  double *before;   /* n + 1: weight before each point */
  int nparts;
  uint64_t *start; /* nparts: the first key of each part */
  double *sums;    /* nparts * PROBES */
} curve;

enum { PROBES = 3, STEPS = 32 }; /* two bits of the keys a step */

static pl_err reduce_box(pl_context *pl, const pl_points *points, pl_box *box)
{
  double bounds[2 * PL_CURVE_MOST];
  pl_box_clear(box, points->dim);
  pl_box_add(box, points->n, points->x);
  for (int d = 0; d < PL_CURVE_MOST; d++) {
    bounds[d] = box->low[d];
    bounds[PL_CURVE_MOST + d] = -box->high[d];
  }
  PL_TRY(pl_comm_reduce(pl, PL_DOUBLE, PL_MIN, bounds, 2 * PL_CURVE_MOST));
  for (int d = 0; d < PL_CURVE_MOST; d++) {
    box->low[d] = bounds[d];
    box->high[d] = -bounds[PL_CURVE_MOST + d];
  }
  return PL_SUCCESS;
}

static int count_below(const curve *c, uint64_t key)
{
  int low = 0, high = c->points->n;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (c->sorted[middle].key < key)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Finds all starts at once, two bits at a time from the highest: the greatest keys with at most the wanted
 * weight below them. */
static pl_err find_starts(curve *c)
{
  double total = c->before[c->points->n];
  PL_TRY(pl_comm_reduce(c->pl, PL_DOUBLE, PL_INC, &total, 1));
  memset(c->start, 0, (size_t)c->nparts * sizeof *c->start);
  for (int step = STEPS - 1; step >= 0; step--) {
    for (int p = 1; p < c->nparts; p++)
      for (uint64_t k = 1; k <= PROBES; k++)
        c->sums[(size_t)p * PROBES + k - 1] = c->before[count_below(c, c->start[p] | k << 2 * step)];
    PL_TRY(pl_comm_reduce(c->pl, PL_DOUBLE, PL_INC, c->sums + PROBES, (size_t)(c->nparts - 1) * PROBES));
    for (int p = 1; p < c->nparts; p++) {
      uint64_t best = 0;
      for (uint64_t k = 1; k <= PROBES; k++)
        if (c->sums[(size_t)p * PROBES + k - 1] <= total * p / c->nparts) best = k;
      c->start[p] |= best << 2 * step;
    }
  }
  return PL_SUCCESS;
}

static void assign_parts(const curve *c, int *part)
{
  int p = 0;
  for (int i = 0; i < c->points->n; i++) {
    while (p + 1 < c->nparts && c->sorted[i].key >= c->start[p + 1]) p++;
    part[c->sorted[i].value] = p;
  }
}

static pl_err sort_points(curve *c, pl_keyed *items, pl_keyed *scratch)
{
  pl_box box;
  int n = c->points->n;
  PL_TRY(reduce_box(c->pl, c->points, &box));
  for (int i = 0; i < n; i++)
    items[i] = (pl_keyed){pl_curve_key(&box, c->points->x + (size_t)i * (size_t)box.dim), i};
  PL_TRY(pl_agree(c->pl, pl_sort_keyed(c->pl, n, items, scratch, &c->sorted)));
  c->before[0] = 0;
  for (int i = 0; i < n; i++)
    c->before[i + 1] = c->before[i] + (c->points->weight ? c->points->weight[c->sorted[i].value] : 1);
  return PL_SUCCESS;
}

static pl_err cut_curve(curve *c, pl_arena *arena, int *part)
{
  size_t n = (size_t)c->points->n + 1, parts = (size_t)c->nparts;
  pl_keyed *items = pl_arena_alloc(arena, n, sizeof *items),
           *scratch = pl_arena_alloc(arena, n, sizeof *items);
  c->before = pl_arena_alloc(arena, n, sizeof *c->before);
  c->start = pl_arena_alloc(arena, parts, sizeof *c->start);
  c->sums = pl_arena_alloc(arena, parts * PROBES, sizeof *c->sums);
  PL_TRY(pl_arena_agree(arena));
  PL_TRY(sort_points(c, items, scratch));
  PL_TRY(find_starts(c));
  assign_parts(c, part);
  return PL_SUCCESS;
}

pl_err pl_partition_curve(pl_context *pl, const pl_points *points, int nparts, int *part)
{
  pl_arena arena = {.pl = pl};
  PL_TRY(pl_points_check(pl, points, nparts));
  curve c = {.pl = pl, .points = points, .nparts = nparts};
  pl_err err = cut_curve(&c, &arena, part);
  pl_arena_free(&arena);
  return err;
}

/* The mixing step of SplitMix64 (Steele, Lea and Flood 2014). */
static uint64_t mix(uint64_t x)
{
  x += UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
  return x ^ x >> 31;
}

pl_err pl_partition_random(pl_context *pl, int n, const int64_t *global, uint64_t seed, int nparts, int *part)
{
  PL_TRY(pl_agree(pl, check_parts(pl, nparts)));
  for (int i = 0; i < n; i++) part[i] = (int)(mix(mix(seed) ^ (uint64_t)global[i]) % (uint64_t)nparts);
  return PL_SUCCESS;
}

/* ---- METIS over ranks ---- */

/* Gathered on rank 0: rows of all ranks, and their elements with weights. */
typedef struct gathered {
  int64_t *row, *id;
  int *weight, *index, *parts, *reply;
  int64_t nids, entries;
} gathered;

/* Gathers the items of every rank on rank 0, in the order of ranks, in *all; *n: their total. */
static pl_err gather(pl_context *pl, size_t size, const void *items, int64_t count, int64_t *counts,
                     void **all, int64_t *n)
{
  int64_t *send = counts, *received = counts + pl_ranks(pl);
  memset(send, 0, (size_t)pl_ranks(pl) * sizeof *send);
  send[0] = count;
  PL_TRY(pl_comm_all_to_all(pl, size, items, send, all, received));
  *n = pl_count_sum(pl, received);
  return PL_SUCCESS;
}

/* 0 to 1000, or less if there are many elements. A rank without elements need not have an array. */
pl_err pl_rows_weights(pl_context *pl, const pl_shared_rows *rows, int *weight, bool *weighted)
{
  double most = rows->weight ? 0 : -1, scale = fmin(1000, (double)(INT32_MAX / rows->all));
  for (int i = 0; rows->weight && i < rows->n; i++) most = fmax(most, rows->weight[i]);
  PL_TRY(pl_comm_reduce(pl, PL_DOUBLE, PL_MAX, &most, 1));
  *weighted = most >= 0;
  for (int i = 0; i < rows->n; i++)
    weight[i] = rows->weight && most > 0 ? (int)lround(rows->weight[i] / most * scale) : 1;
  return PL_SUCCESS;
}

static pl_err partition_graph(pl_context *pl, const pl_shared_rows *rows, gathered *g, int nparts)
{
  size_t all = (size_t)rows->all;
  pl_set from = {.end = {0}}, to = {.end = {0}};
  pl_map map = {.from = &from, .to = &to, .arity = rows->arity};
  pl_graph graph;
  g->index = pl_malloc_array(pl, (size_t)g->entries * sizeof *g->index);
  g->parts = pl_malloc_array(pl, all * sizeof *g->parts);
  int *weight = g->weight ? pl_malloc_array(pl, all * sizeof *weight) : NULL;
  bool room = g->index && g->parts && (weight || !g->weight);
  pl_err err = room ? PL_SUCCESS : pl_fail_memory(pl, (size_t)g->entries * sizeof *g->index);
  for (int64_t i = 0; !err && i < g->entries; i++) g->index[i] = (int)g->row[i];
  for (int64_t i = 0; !err && weight && i < g->nids; i++) weight[g->id[i]] = g->weight[i];
  map.index = g->index;
  for (int p = 0; p < 4; p++) {
    from.end[p] = (int)(g->entries / rows->arity);
    to.end[p] = (int)rows->all;
  }
  if (!err) err = pl_graph_build(pl, &map, true, &graph);
  if (!err) {
    err = pl_metis_kway(pl, &graph, weight, nparts, g->parts);
    pl_graph_free(pl, &graph);
  }
  pl_free_array(pl, weight);
  return err;
}

/* Rank 0 sends each rank the parts of its elements, in the order of the gathered ids. */
static pl_err scatter_parts(pl_context *pl, const pl_shared_rows *rows, gathered *g, int64_t *counts,
                            int *part)
{
  void *mine;
  int64_t *send = counts, *received = counts + pl_ranks(pl);
  bool first = pl_rank(pl) == 0;
  if (first) g->reply = pl_malloc_array(pl, (size_t)g->nids * sizeof *g->reply);
  pl_err err = first && !g->reply ? pl_fail_memory(pl, (size_t)g->nids * sizeof(int)) : PL_SUCCESS;
  PL_TRY(pl_agree(pl, err));
  for (int64_t i = 0; first && i < g->nids; i++) g->reply[i] = g->parts[g->id[i]];
  PL_TRY(pl_comm_gather(pl, &(int64_t){rows->n}, sizeof *send, send));
  for (int r = 0; !first && r < pl_ranks(pl); r++) send[r] = 0;
  PL_TRY(pl_comm_all_to_all(pl, sizeof *part, g->reply, send, &mine, received));
  if (rows->n) memcpy(part, mine, (size_t)rows->n * sizeof *part);
  pl_free_array(pl, mine);
  return PL_SUCCESS;
}

static pl_err run_kway(pl_context *pl, const pl_shared_rows *rows, int nparts, int64_t *counts, int *weight,
                       int *part)
{
  gathered g = {.row = NULL};
  bool weighted = false;
  pl_err err =
    gather(pl, sizeof *rows->row, rows->row, rows->nrows * rows->arity, counts, (void **)&g.row, &g.entries);
  if (!err) err = gather(pl, sizeof *rows->id, rows->id, rows->n, counts, (void **)&g.id, &g.nids);
  if (!err && rows->all) err = pl_rows_weights(pl, rows, weight, &weighted);
  if (!err && weighted)
    err = gather(pl, sizeof *weight, weight, rows->n, counts, (void **)&g.weight, &g.nids);
  if (!err) err = pl_agree(pl, pl_rank(pl) == 0 ? partition_graph(pl, rows, &g, nparts) : PL_SUCCESS);
  if (!err) err = scatter_parts(pl, rows, &g, counts, part);
  pl_free_arrays(pl, g.row, g.id, g.weight, g.index, g.parts, g.reply);
  return err;
}

pl_err pl_rows_check(pl_context *pl, pl_module_kind module, const pl_shared_rows *rows, int nparts)
{
  const char *missing = pl_module_missing(pl, module);
  if (missing) return pl_fail(pl, PL_ERR_BACKEND, "a partition of a graph: %s", missing);
  PL_TRY(check_parts(pl, nparts));
  if (rows->all > INT32_MAX)
    return pl_fail(pl, PL_ERR_RANGE,
                   "a partition of a graph of %lld elements is too large; use another method",
                   (long long)rows->all);
  return check_weights(pl, rows->n, rows->weight);
}

pl_err pl_partition_kway(pl_context *pl, const pl_shared_rows *rows, int nparts, int *part)
{
  pl_arena arena = {.pl = pl};
  PL_TRY(pl_agree(pl, pl_rows_check(pl, PL_MODULE_METIS, rows, nparts)));
  int64_t *counts = pl_arena_alloc(&arena, 2 * (size_t)pl_ranks(pl), sizeof *counts);
  int *weight = pl_arena_alloc(&arena, (size_t)rows->n + 1, sizeof *weight);
  pl_err err = pl_arena_agree(&arena);
  if (!err) err = run_kway(pl, rows, nparts, counts, weight, part);
  pl_arena_free(&arena);
  return err;
}

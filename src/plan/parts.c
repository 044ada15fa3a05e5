/* SPDX-License-Identifier: BSD-2-Clause
 * Partitions: what the methods share, the curve, random parts, METIS over ranks, and judging.
 */
#include "parts.h"
#include "core/context.h"
#include "curve.h"
#include "metis.h"
#include "sort.h"
#include <math.h>
#include <string.h>

/* ---- what the methods share ---- */

static pl_err check_points(pl_context *pl, const pl_points *points, int nparts)
{
  if (nparts < 1)
    return pl_fail(pl, PL_ERR_RANGE, "a partition into %d parts; there must be at least 1", nparts);
  if (points->dim < 1 || points->dim > PL_CURVE_MOST)
    return pl_fail(pl, PL_ERR_RANGE, "a partition of points with %d coordinates; there must be 1 to %d",
                   points->dim, PL_CURVE_MOST);
  for (int i = 0; i < points->n; i++) {
    for (int d = 0; d < points->dim; d++)
      if (!isfinite(points->x[(size_t)i * (size_t)points->dim + (size_t)d]))
        return pl_fail(pl, PL_ERR_RANGE, "a partition of points: coordinate %d of element %d is not finite",
                       d, i);
    if (points->weight && !(points->weight[i] >= 0 && isfinite(points->weight[i])))
      return pl_fail(pl, PL_ERR_RANGE, "a partition of points: the weight of element %d is %g", i,
                     points->weight[i]);
  }
  return PL_SUCCESS;
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
  double *before;   /* n + 1: weight of those before each */
  int nparts;
  uint64_t *start; /* nparts: key at which each part begins */
  double *sums;    /* nparts * PROBES */
} curve;

enum { PROBES = 3, STEPS = 32 }; /* two bits of the keys a step */

static pl_err whole_box(pl_context *pl, const pl_points *points, pl_box *box)
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

/* Items with a key below `key`. */
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

/* All starts at once, two bits at a time from the highest: the greatest keys with no more than the wanted
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

static void take_parts(const curve *c, int *part)
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
  PL_TRY(whole_box(c->pl, c->points, &box));
  for (int i = 0; i < n; i++)
    items[i] = (pl_keyed){pl_curve_key(&box, c->points->x + (size_t)i * (size_t)box.dim), i};
  PL_TRY(pl_agree(c->pl, pl_sort_keyed(c->pl, n, items, scratch, &c->sorted)));
  c->before[0] = 0;
  for (int i = 0; i < n; i++)
    c->before[i + 1] = c->before[i] + (c->points->weight ? c->points->weight[c->sorted[i].value] : 1);
  return PL_SUCCESS;
}

pl_err pl_partition_curve(pl_context *pl, const pl_points *points, int nparts, int *part)
{
  PL_TRY(pl_points_check(pl, points, nparts));
  size_t n = (size_t)points->n + 1, parts = (size_t)nparts;
  curve c = {.pl = pl, .points = points, .nparts = nparts};
  pl_keyed *items = pl_malloc_array(pl, n * sizeof *items), *scratch = pl_malloc_array(pl, n * sizeof *items);
  c.before = pl_malloc_array(pl, n * sizeof *c.before);
  c.start = pl_calloc(pl, parts, sizeof *c.start);
  c.sums = pl_calloc(pl, parts * PROBES, sizeof *c.sums);
  bool all = items && scratch && c.before && c.start && c.sums;
  pl_err err = pl_agree(pl, all ? PL_SUCCESS : pl_fail_memory(pl, 2 * n * sizeof *items));
  if (!err) err = sort_points(&c, items, scratch);
  if (!err) err = find_starts(&c);
  if (!err) take_parts(&c, part);
  pl_free_array(pl, items);
  pl_free_array(pl, scratch);
  pl_free_array(pl, c.before);
  pl_free(pl, c.start);
  pl_free(pl, c.sums);
  return err;
}

/* ---- random ---- */

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
  PL_TRY(pl_agree(pl, nparts > 0 ? PL_SUCCESS
                                 : pl_fail(pl, PL_ERR_RANGE,
                                           "a partition into %d parts; there must be at least 1", nparts)));
  for (int i = 0; i < n; i++) part[i] = (int)(mix(mix(seed) ^ (uint64_t)global[i]) % (uint64_t)nparts);
  return PL_SUCCESS;
}

/* ---- METIS over ranks ---- */

/* Sends n items of every rank to rank 0; there *all holds them in the order of ranks, elsewhere nothing. */
static pl_err gather(pl_context *pl, size_t size, const void *items, int64_t n, void **all, int64_t *count,
                     int64_t *received)
{
  memset(count, 0, (size_t)pl_ranks(pl) * sizeof *count);
  count[0] = n;
  return pl_comm_exchange(pl, size, items, count, all, received);
}

/* The graph as rank 0 has it, and how many vertices each rank brought. */
typedef struct gathered {
  pl_graph graph;
  int *weight;
  int64_t *vertices;
} gathered;

static pl_err join_graph(pl_context *pl, const int64_t *degree, int64_t n, const int64_t *neighbour,
                         gathered *g)
{
  if (n > INT32_MAX)
    return pl_fail(pl, PL_ERR_RANGE,
                   "METIS: a graph of %lld vertices is too large for one rank; use another method",
                   (long long)n);
  g->graph.n = (int)n;
  g->graph.offset = pl_malloc_array(pl, ((size_t)n + 1) * sizeof(int64_t));
  if (!g->graph.offset) return pl_fail_memory(pl, (size_t)n * sizeof(int64_t));
  g->graph.offset[0] = 0;
  for (int64_t v = 0; v < n; v++) g->graph.offset[v + 1] = g->graph.offset[v] + degree[v];
  size_t entries = (size_t)g->graph.offset[n];
  g->graph.neighbour = pl_malloc_array(pl, entries * sizeof(int));
  if (!g->graph.neighbour) return pl_fail_memory(pl, entries * sizeof(int));
  for (size_t i = 0; i < entries; i++)
    g->graph.neighbour[i] = neighbour[i] >= 0 && neighbour[i] < n ? (int)neighbour[i] : -1;
  return PL_SUCCESS;
}

static pl_err gather_graph(pl_context *pl, const pl_shared_graph *graph, int64_t *degree, int64_t *count,
                           int64_t *received, gathered *g)
{
  void *degrees = NULL, *neighbours = NULL, *weights = NULL;
  int64_t n = 0;
  for (int v = 0; v < graph->n; v++) degree[v] = graph->offset[v + 1] - graph->offset[v];
  pl_err err = gather(pl, sizeof *degree, degree, graph->n, &degrees, count, g->vertices);
  if (!err)
    err =
      gather(pl, sizeof(int64_t), graph->neighbour, graph->offset[graph->n], &neighbours, count, received);
  if (!err && graph->weight)
    err = gather(pl, sizeof(int), graph->weight, graph->n, &weights, count, received);
  for (int r = 0; !err && r < pl_ranks(pl); r++) n += g->vertices[r];
  if (!err) err = pl_agree(pl, pl_rank(pl) == 0 ? join_graph(pl, degrees, n, neighbours, g) : PL_SUCCESS);
  pl_free_array(pl, degrees);
  pl_free_array(pl, neighbours);
  g->weight = weights;
  return err;
}

static pl_err scatter_parts(pl_context *pl, int n, int64_t *count, int64_t *received, const gathered *g,
                            const int *all, int *part)
{
  void *mine = NULL;
  for (int r = 0; r < pl_ranks(pl); r++) count[r] = pl_rank(pl) == 0 ? g->vertices[r] : 0;
  PL_TRY(pl_comm_exchange(pl, sizeof *part, all, count, &mine, received));
  if (n) memcpy(part, mine, (size_t)n * sizeof *part);
  pl_free_array(pl, mine);
  return PL_SUCCESS;
}

static pl_err run_kway(pl_context *pl, const pl_shared_graph *graph, int nparts, int64_t *degree,
                       int64_t *count, int64_t *received, int *part)
{
  gathered g = {.vertices = pl_calloc(pl, (size_t)pl_ranks(pl), sizeof(int64_t))};
  int *all = NULL;
  pl_err err = pl_agree(pl, g.vertices ? PL_SUCCESS : pl_fail_memory(pl, sizeof(int64_t)));
  if (!err) err = gather_graph(pl, graph, degree, count, received, &g);
  if (!err && pl_rank(pl) == 0) {
    all = pl_malloc_array(pl, (size_t)g.graph.n * sizeof *all);
    err = all ? pl_metis_kway(pl, &g.graph, g.weight, NULL, nparts, all)
              : pl_fail_memory(pl, (size_t)g.graph.n * sizeof *all);
  }
  err = pl_agree(pl, err);
  if (!err) err = scatter_parts(pl, graph->n, count, received, &g, all, part);
  pl_graph_free(pl, &g.graph);
  pl_free_array(pl, g.weight);
  pl_free(pl, g.vertices);
  pl_free_array(pl, all);
  return err;
}

pl_err pl_partition_kway(pl_context *pl, const pl_shared_graph *graph, int nparts, int *part)
{
  size_t ranks = (size_t)pl_ranks(pl), n = (size_t)graph->n + 1;
  if (pl_metis_unavailable())
    return pl_fail(pl, PL_ERR_BACKEND, "a k-way partition: %s", pl_metis_unavailable());
  int64_t *degree = pl_malloc_array(pl, n * sizeof *degree), *count = pl_calloc(pl, 2 * ranks, sizeof *count);
  pl_err err = pl_agree(pl, degree && count ? PL_SUCCESS : pl_fail_memory(pl, n * sizeof *degree));
  if (!err) err = run_kway(pl, graph, nparts, degree, count, count + ranks, part);
  pl_free_array(pl, degree);
  pl_free(pl, count);
  return err;
}

/* ---- judging ---- */

static pl_err judge_weights(pl_context *pl, int n, const double *weight, int nparts, const int *part,
                            double *imbalance)
{
  double *sum = pl_calloc(pl, (size_t)nparts, sizeof *sum), total = 0, most = 0;
  pl_err err = pl_agree(pl, sum ? PL_SUCCESS : pl_fail_memory(pl, (size_t)nparts * sizeof *sum));
  for (int i = 0; !err && i < n; i++) sum[part[i]] += weight ? weight[i] : 1;
  if (!err) err = pl_comm_reduce(pl, PL_DOUBLE, PL_INC, sum, (size_t)nparts);
  for (int p = 0; !err && p < nparts; p++) {
    total += sum[p];
    most = fmax(most, sum[p]);
  }
  *imbalance = total > 0 ? most * nparts / total : 1;
  pl_free(pl, sum);
  return err;
}

/* What each rank asks of the others: the vertices that are theirs, in the order of ranks. */
typedef struct questions {
  int64_t *first;  /* ranks + 1: where the vertices of each rank begin */
  int64_t *count;  /* asked of each rank */
  int64_t *asked;  /* asked by each rank */
  int64_t *vertex; /* those asked for */
  int *from;       /* the part of the vertex here that each question is about */
} questions;

static int owner_of(const questions *q, int ranks, int64_t vertex)
{
  int low = 0, high = ranks - 1;
  while (low < high) {
    int middle = (low + high + 1) / 2;
    if (q->first[middle] <= vertex)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

/* Sorts all edges that begin here by the rank where they end. */
static void list_questions(const pl_shared_graph *graph, int ranks, const int *part, questions *q,
                           int64_t *next)
{
  int64_t entries = graph->offset[graph->n], sum = 0;
  for (int64_t i = 0; i < entries; i++) q->count[owner_of(q, ranks, graph->neighbour[i])]++;
  for (int r = 0; r < ranks; r++) {
    next[r] = sum;
    sum += q->count[r];
  }
  for (int v = 0; v < graph->n; v++)
    for (int64_t i = graph->offset[v]; i < graph->offset[v + 1]; i++) {
      int64_t at = next[owner_of(q, ranks, graph->neighbour[i])]++;
      q->vertex[at] = graph->neighbour[i];
      q->from[at] = part[v];
    }
}

/* Asks, answers and counts answers that differ. */
static pl_err ask(pl_context *pl, const pl_shared_graph *graph, const int *part, questions *q,
                  int64_t *scratch, int64_t *cut)
{
  void *asked = NULL, *answers = NULL;
  int ranks = pl_ranks(pl);
  int64_t n = 0;
  PL_TRY(pl_comm_exchange(pl, sizeof(int64_t), q->vertex, q->count, &asked, q->asked));
  for (int r = 0; r < ranks; r++) n += q->asked[r];
  int *mine = pl_malloc_array(pl, (size_t)n * sizeof *mine);
  pl_err err = pl_agree(pl, mine ? PL_SUCCESS : pl_fail_memory(pl, (size_t)n * sizeof *mine));
  for (int64_t i = 0; !err && i < n; i++) mine[i] = part[((int64_t *)asked)[i] - q->first[pl_rank(pl)]];
  if (!err) err = pl_comm_exchange(pl, sizeof(int), mine, q->asked, &answers, scratch);
  for (int64_t i = 0; !err && i < graph->offset[graph->n]; i++) *cut += ((int *)answers)[i] != q->from[i];
  pl_free_array(pl, asked);
  pl_free_array(pl, answers);
  pl_free_array(pl, mine);
  return err;
}

static pl_err judge_edges(pl_context *pl, const pl_shared_graph *graph, const int *part, questions *q,
                          int64_t *scratch, pl_partition_quality *quality)
{
  int ranks = pl_ranks(pl);
  int64_t n = graph->n, sums[2] = {0, graph->offset[graph->n]};
  PL_TRY(pl_comm_gather(pl, &n, sizeof n, q->first + 1));
  for (int r = 0; r < ranks; r++) q->first[r + 1] += q->first[r];
  list_questions(graph, ranks, part, q, scratch);
  PL_TRY(ask(pl, graph, part, q, scratch, &sums[0]));
  PL_TRY(pl_comm_reduce(pl, PL_INT64, PL_INC, sums, 2));
  quality->cut = sums[0] / 2; /* each edge was seen from both ends */
  quality->edges = sums[1] / 2;
  return PL_SUCCESS;
}

pl_err pl_partition_judge(pl_context *pl, int n, const double *weight, const pl_shared_graph *graph,
                          int nparts, const int *part, pl_partition_quality *quality)
{
  *quality = (pl_partition_quality){0};
  PL_TRY(judge_weights(pl, n, weight, nparts, part, &quality->imbalance));
  if (!graph) return PL_SUCCESS;
  size_t ranks = (size_t)pl_ranks(pl), entries = (size_t)graph->offset[graph->n];
  int64_t *numbers = pl_calloc(pl, 4 * ranks + 1, sizeof *numbers);
  questions q = {numbers, numbers + ranks + 1, numbers + 2 * ranks + 1,
                 pl_malloc_array(pl, entries * sizeof *q.vertex),
                 pl_malloc_array(pl, entries * sizeof *q.from)};
  bool all = numbers && q.vertex && q.from;
  pl_err err = pl_agree(pl, all ? PL_SUCCESS : pl_fail_memory(pl, entries * sizeof *q.vertex));
  if (!err) err = judge_edges(pl, graph, part, &q, numbers + 3 * ranks + 1, quality);
  pl_free(pl, numbers);
  pl_free_array(pl, q.vertex);
  pl_free_array(pl, q.from);
  return err;
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Recursive coordinate bisection, all boxes of a level at once. The cut of a box is found by histograms: all
 * ranks sum the weights in a few bins between the bounds of the search, which are then narrowed to the bin
 * where the wanted weight is reached. Each point keeps its side once it is known.
 */
#include "coordinate_bisection.h"
#include "core/comm/comm.h"
#include "core/threads/threads.h"
#include "plan/base/arena.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum { DIMS = 3, MOST_BINS = 64, FEWEST_BINS = 8, MOST_COUNTS = 1 << 18, MOST_ROUNDS = 16, MOST_PARTS = 64 };
enum { LEFT = 0, RIGHT = 1, OPEN = 2 }; /* sides of a cut */

/* Weights are met to this share of a part's. */
static const double tolerance = 1e-3;

/* A box to be cut: parts first to first + count - 1. The same on all ranks. */
typedef struct box {
  int first, count, axis;
  double weight, want; /* of the box; wanted on the left */
  double low, high;    /* bounds of the search; the weight `below` is on the left, `open` between them */
  double below, open;
  bool found;
} box;

typedef struct bisection {
  pl_context *pl;
  const pl_points *points;
  int nbox, nbins;
  box *boxes;
  int *box_of;         /* of each point; -1: its part is known */
  unsigned char *side; /* of each point */
  size_t room;         /* of sums */
  double *sums;        /* nbox * max(nbins, 2 * DIMS) of each part of the points, reduced over ranks */
  pl_cut *cut;         /* NULL: not wanted */
} bisection;

static double weight_of(const pl_points *points, int i)
{
  return points->weight ? points->weight[i] : 1;
}

/* ---- over all points ---- */

/* Sums or minima of the points begin to end - 1. */
typedef void (*visit_fn)(const bisection *b, int begin, int end, double *sums);

enum { LINE = 16 }; /* parts write to different cache lines */

/* n sums (PL_INC) or minima (PL_MIN) of all points of all ranks. The parts of the points do not depend on the
 * number of threads. Sums of weights depend on their order, so these are one part. */
static pl_err reduce_points(bisection *b, size_t n, pl_access op, visit_fn visit)
{
  const size_t stride = (n + LINE - 1) / LINE * LINE, fit = b->points->weight ? 1 : b->room / stride;
  const int parts = fit > MOST_PARTS ? MOST_PARTS : (int)fit, all = b->points->n,
            threads = pl_plan_threads(parts, (size_t)all);
  for (size_t i = 0; i < (size_t)parts * stride; i++) b->sums[i] = op == PL_MIN ? DBL_MAX : 0;
  PL_PARALLEL_FOR(threads)
  for (int p = 0; p < parts; p++)
    visit(b, pl_part_begin(all, parts, p), pl_part_begin(all, parts, p + 1), b->sums + (size_t)p * stride);
  for (size_t p = 1; p < (size_t)parts; p++)
    for (size_t i = 0; i < n; i++) {
      const double part = b->sums[p * stride + i];
      if (op == PL_INC) b->sums[i] += part;
      if (op == PL_MIN && part < b->sums[i]) b->sums[i] = part;
    }
  return pl_comm_reduce(b->pl, PL_DOUBLE, op, b->sums, n);
}

static void visit_extents(const bisection *b, int begin, int end, double *sums)
{
  const int dim = b->points->dim;
  for (int i = begin; i < end; i++) {
    if (b->box_of[i] < 0) continue;
    double *low = sums + (size_t)b->box_of[i] * 2 * DIMS;
    for (int d = 0; d < dim; d++) {
      double x = b->points->x[(size_t)i * (size_t)dim + (size_t)d];
      if (x < low[d]) low[d] = x;
      if (-x < low[DIMS + d]) low[DIMS + d] = -x;
    }
  }
}

/* The extent of each box along each axis: lows, then negated highs, so that one reduction is enough. */
static pl_err find_extents(bisection *b)
{
  const int dim = b->points->dim;
  PL_TRY(reduce_points(b, (size_t)b->nbox * 2 * DIMS, PL_MIN, visit_extents));
  for (int k = 0; k < b->nbox; k++) {
    const double *low = b->sums + (size_t)k * 2 * DIMS;
    box *now = &b->boxes[k];
    now->axis = 0;
    now->low = now->high = 0;
    for (int d = 0; d < dim; d++)
      if (low[d] < DBL_MAX && (d == 0 || -low[DIMS + d] - low[d] > now->high - now->low)) {
        now->axis = d;
        now->low = low[d];
        now->high = -low[DIMS + d];
      }
  }
  return PL_SUCCESS;
}

static void visit_weights(const bisection *b, int begin, int end, double *sums)
{
  for (int i = begin; i < end; i++)
    if (b->box_of[i] >= 0) sums[b->box_of[i]] += weight_of(b->points, i);
}

static pl_err find_weights(bisection *b)
{
  PL_TRY(reduce_points(b, (size_t)b->nbox, PL_INC, visit_weights));
  for (int k = 0; k < b->nbox; k++) {
    box *now = &b->boxes[k];
    now->weight = now->open = b->sums[k];
    now->want = now->weight * (now->count / 2) / now->count;
    now->below = 0;
    now->found = now->weight <= 0;
  }
  return PL_SUCCESS;
}

/* ---- searching ---- */

static double coordinate_of(const bisection *b, int i)
{
  return b->points->x[(size_t)i * (size_t)b->points->dim + (size_t)b->boxes[b->box_of[i]].axis];
}

static int bin_of(const bisection *b, int i)
{
  const box *now = &b->boxes[b->box_of[i]];
  double at = (coordinate_of(b, i) - now->low) / (now->high - now->low) * b->nbins;
  return at > 0 ? at < b->nbins ? (int)at : b->nbins - 1 : 0;
}

static bool is_searched(const bisection *b, int i)
{
  return b->box_of[i] >= 0 && b->side[i] == OPEN && !b->boxes[b->box_of[i]].found;
}

/* Narrows the bounds to the bin where the wanted weight is reached; returns its number. */
static int narrow(const bisection *b, box *now, const double *bin)
{
  int k = 0;
  while (k < b->nbins - 1 && now->below + bin[k] < now->want) now->below += bin[k++];
  double width = (now->high - now->low) / b->nbins;
  now->open = bin[k];
  now->low += k * width;
  now->high = now->low + width;
  return k;
}

static void visit_bins(const bisection *b, int begin, int end, double *sums)
{
  for (int i = begin; i < end; i++)
    if (is_searched(b, i))
      sums[(size_t)b->box_of[i] * (size_t)b->nbins + (size_t)bin_of(b, i)] += weight_of(b->points, i);
}

/* One round: sums the bins and assigns points outside the chosen bin to their side. */
static pl_err search_round(bisection *b, int *chosen)
{
  const int all = b->points->n, threads = pl_plan_threads(all, (size_t)all);
  PL_TRY(reduce_points(b, (size_t)b->nbox * (size_t)b->nbins, PL_INC, visit_bins));
  for (int k = 0; k < b->nbox; k++) {
    box moved = b->boxes[k]; /* points are compared with the old bounds first */
    chosen[k] = moved.found ? -1 : narrow(b, &moved, b->sums + (size_t)k * (size_t)b->nbins);
  }
  PL_PARALLEL_FOR(threads)
  for (int i = 0; i < all; i++) {
    if (!is_searched(b, i)) continue;
    int bin = bin_of(b, i), at = chosen[b->box_of[i]];
    b->side[i] = bin < at ? LEFT : bin > at ? RIGHT : OPEN;
  }
  for (int k = 0; k < b->nbox; k++)
    if (chosen[k] >= 0) narrow(b, &b->boxes[k], b->sums + (size_t)k * (size_t)b->nbins);
  return PL_SUCCESS;
}

/* A search ends when the open weight is negligible, or all of it at one coordinate. */
static bool all_found(bisection *b)
{
  bool all = true;
  for (int k = 0; k < b->nbox; k++) {
    box *now = &b->boxes[k];
    double middle = now->low + (now->high - now->low) / 2;
    if (now->open <= tolerance * now->weight / now->count || middle <= now->low || middle >= now->high)
      now->found = true;
    all &= now->found;
  }
  return all;
}

/* ---- open points ---- */

/* Points at one coordinate go to the left, by rank and number, until it has the wanted weight; light ones go
 * to one side together. */
static pl_err assign_open(bisection *b)
{
  for (int k = 0; k < b->nbox; k++) {
    const box *now = &b->boxes[k];
    double share = now->open > 0 ? (now->want - now->below) / now->open : 0;
    int64_t mine = 0, before = 0, total = 0, next;
    bool heavy = now->open > tolerance * now->weight / now->count;
    for (int i = 0; heavy && i < b->points->n; i++) mine += b->box_of[i] == k && b->side[i] == OPEN;
    if (heavy) PL_TRY(pl_comm_scan(b->pl, mine, &before, &total));
    next = before;
    int64_t left = heavy ? llround(share * (double)total) : 0;
    for (int i = 0; heavy && i < b->points->n; i++)
      if (b->box_of[i] == k && b->side[i] == OPEN) b->side[i] = next++ < left ? LEFT : RIGHT;
  }
  for (int i = 0; i < b->points->n; i++)
    if (b->box_of[i] >= 0 && b->side[i] == OPEN) {
      const box *now = &b->boxes[b->box_of[i]];
      b->side[i] = now->want - now->below > now->open / 2 ? LEFT : RIGHT;
    }
  return PL_SUCCESS;
}

/* Per box: the negated highest coordinate on the left, and the lowest on the right. */
static void visit_sides(const bisection *b, int begin, int end, double *sums)
{
  for (int i = begin; i < end; i++) {
    if (b->box_of[i] < 0) continue;
    const double x = coordinate_of(b, i), here = b->side[i] == LEFT ? -x : x;
    double *nearest = sums + 2 * b->box_of[i] + (b->side[i] == RIGHT);
    if (here < *nearest) *nearest = here;
  }
}

/* The middle of the gap between the sides, so that points that move a little cross the cut in equal numbers;
 * a bound of the search if there is no gap: all open points are on one side of the cut. */
static double place_of_cut(const box *now, const double *nearest)
{
  const double left = -nearest[0], right = nearest[1], middle = left + (right - left) / 2;
  if (nearest[0] < DBL_MAX && right < DBL_MAX && left < right) return middle > left ? middle : right;
  return now->want - now->below > now->open / 2 ? now->high : now->low;
}

static pl_err store_cuts(bisection *b)
{
  if (!b->cut) return PL_SUCCESS;
  PL_TRY(reduce_points(b, 2 * (size_t)b->nbox, PL_MIN, visit_sides));
  for (int k = 0; k < b->nbox; k++) {
    const box *now = &b->boxes[k];
    b->cut[now->first + now->count / 2 - 1] =
      (pl_cut){.axis = now->axis, .at = place_of_cut(now, b->sums + 2 * (size_t)k)};
  }
  return PL_SUCCESS;
}

/* ---- levels ---- */

/* Replaces each box by its halves; those of one part are done. `next` has room for two numbers a box. */
static void divide_boxes(bisection *b, box *halves, int *next, int *part)
{
  int n = 0;
  for (int k = 0; k < b->nbox; k++) {
    const box *now = &b->boxes[k];
    int left = now->count / 2;
    box half[2] = {{.first = now->first, .count = left},
                   {.first = now->first + left, .count = now->count - left}};
    for (int s = 0; s < 2; s++) {
      next[2 * k + s] = half[s].count > 1 ? n : -1 - half[s].first;
      if (half[s].count > 1) halves[n++] = half[s];
    }
  }
  const int all = b->points->n, threads = pl_plan_threads(all, (size_t)all);
  PL_PARALLEL_FOR(threads)
  for (int i = 0; i < all; i++) {
    if (b->box_of[i] < 0) continue;
    int to = next[2 * b->box_of[i] + b->side[i]];
    b->box_of[i] = to < 0 ? -1 : to;
    if (to < 0) part[i] = -1 - to;
  }
  b->nbox = n;
}

static int bins_for(int nbox)
{
  int bins = MOST_COUNTS / nbox;
  return bins > MOST_BINS ? MOST_BINS : bins < FEWEST_BINS ? FEWEST_BINS : bins;
}

static pl_err cut_level(bisection *b, int *chosen)
{
  memset(b->side, OPEN, (size_t)b->points->n);
  b->nbins = bins_for(b->nbox);
  PL_TRY(find_extents(b));
  PL_TRY(find_weights(b));
  for (int round = 0; round < MOST_ROUNDS && !all_found(b); round++) PL_TRY(search_round(b, chosen));
  return assign_open(b);
}

static pl_err cut_all(bisection *b, pl_arena *arena, int nparts, int *part)
{
  size_t n = (size_t)b->points->n, most = (size_t)nparts / 2 + 1;
  size_t sums = most * MOST_BINS < MOST_COUNTS ? most * MOST_BINS : MOST_COUNTS + most * FEWEST_BINS;
  b->boxes = pl_arena_alloc(arena, most + 1, sizeof *b->boxes);
  b->box_of = pl_arena_alloc(arena, n + 1, sizeof *b->box_of);
  b->side = pl_arena_alloc(arena, n + 1, 1);
  b->room = sums + MOST_PARTS * MOST_BINS;
  b->sums = pl_arena_alloc(arena, b->room, sizeof *b->sums);
  box *halves = pl_arena_alloc(arena, most + 1, sizeof *halves);
  int *chosen = pl_arena_alloc(arena, 2 * most, sizeof *chosen);
  PL_TRY(pl_arena_agree(arena));
  b->boxes[0] = (box){.count = nparts};
  memset(part, 0, n * sizeof *part);
  while (b->nbox) {
    PL_TRY(cut_level(b, chosen));
    PL_TRY(store_cuts(b));
    divide_boxes(b, halves, chosen, part);
    box *now = b->boxes;
    b->boxes = halves;
    halves = now;
  }
  return PL_SUCCESS;
}

pl_err pl_partition_bisection(pl_context *pl, const pl_points *points, int nparts, int *part)
{
  return pl_partition_cuts(pl, points, nparts, part, NULL);
}

pl_err pl_partition_cuts(pl_context *pl, const pl_points *points, int nparts, int *part, pl_cut *cut)
{
  pl_arena arena = {.pl = pl};
  PL_TRY(pl_points_check(pl, points, nparts));
  bisection b = {.pl = pl, .points = points, .nbox = nparts > 1, .cut = cut};
  pl_err err = cut_all(&b, &arena, nparts, part);
  pl_arena_free(&arena);
  return err;
}

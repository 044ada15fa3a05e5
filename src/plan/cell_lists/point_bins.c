/* SPDX-License-Identifier: BSD-2-Clause
 * Points sorted by bin: short bins, of a part of the reach, leave few points to test.
 */
#include "point_bins.h"
#include "core/context/context.h"
#include "core/threads/threads.h"
#include <limits.h>
#include <math.h>
#include <string.h>

enum { BINS_A_POINT = 4 };

static void find_bounds(pl_bins *g, double high[PL_PAIR_AXES])
{
  const pl_positions *p = g->points;
  PL_PARALLEL_FOR(p->threads)
  for (int a = 0; a < p->dim; a++) {
    const double *restrict x = p->axis[a];
    double lo = INFINITY, hi = -INFINITY;
    for (int i = 0; i < p->count; i++) {
      lo = x[i] < lo ? x[i] : lo;
      hi = x[i] > hi ? x[i] : hi;
    }
    g->low[a] = lo;
    high[a] = hi;
  }
}

static double bins_of(double extent, double size)
{
  double n = floor(extent / size);
  return n < 1 ? 1 : n;
}

static double all_bins(const pl_bins *g, const double high[PL_PAIR_AXES], double size)
{
  double total = 1;
  for (int a = 0; a < g->points->dim; a++) total *= bins_of(high[a] - g->low[a], size);
  return total;
}

/* Bins of 1 / PL_BINS_A_REACH of the reach, or larger ones if most of these would be empty, or more than an
 * int counts. */
static void choose_bins(pl_bins *g)
{
  const pl_positions *p = g->points;
  double high[PL_PAIR_AXES], longest = 0;
  find_bounds(g, high);
  for (int a = 0; a < p->dim; a++) longest = fmax(longest, high[a] - g->low[a]);
  g->reach = (float)(p->reach * (1 + 1e-5) + 2e-6 * longest);
  g->reach2 = g->reach * g->reach;
  const double most = fmin((double)BINS_A_POINT * p->count + 64, INT_MAX - 1);
  double size = (double)g->reach / PL_BINS_A_REACH;
  while (all_bins(g, high, size) > most) size *= 1.5;
  g->nbins = 1;
  for (int a = 0; a < PL_PAIR_AXES; a++) {
    double extent = a < p->dim ? high[a] - g->low[a] : 0;
    g->bins[a] = a < p->dim ? (int)bins_of(extent, size) : 1;
    g->scale[a] = extent > 0 ? g->bins[a] / extent : 0;
    g->size[a] = (float)(extent / g->bins[a]);
    g->nbins *= g->bins[a];
  }
}

/* Each thread reads all points and counts those in its range of bins. */
static void count_members(pl_bins *g)
{
  const pl_positions *p = g->points;
  PL_PARALLEL_FOR(p->threads)
  for (int t = 0; t < p->threads; t++) {
    const int begin = (int)(g->nbins * t / p->threads), end = (int)(g->nbins * (t + 1) / p->threads);
    for (int i = 0; i < p->count; i++)
      if (g->bin[i] >= begin && g->bin[i] < end) g->start[g->bin[i] + 1]++;
  }
}

static void sort_members(pl_bins *g)
{
  const pl_positions *p = g->points;
  PL_PARALLEL_FOR(p->threads)
  for (int t = 0; t < p->threads; t++) {
    const int begin = (int)(g->nbins * t / p->threads), end = (int)(g->nbins * (t + 1) / p->threads);
    for (int i = 0; i < p->count; i++) {
      if (g->bin[i] < begin || g->bin[i] >= end) continue;
      pl_point *to = &g->sorted[g->start[g->bin[i]]++];
      to->id = i;
      for (int a = 0; a < PL_PAIR_AXES; a++) to->at[a] = a < p->dim ? pl_place_in(g, a, i) : 0;
    }
  }
}

static void sort_points(pl_bins *g)
{
  const pl_positions *p = g->points;
  PL_PARALLEL_FOR(p->threads)
  for (int i = 0; i < p->count; i++) {
    int b = 0;
    for (int a = p->dim - 1; a >= 0; a--) b = b * g->bins[a] + pl_bin_along(g, a, p->axis[a][i] - g->low[a]);
    g->bin[i] = b;
  }
  count_members(g);
  for (int64_t b = 0; b < g->nbins; b++) g->start[b + 1] += g->start[b];
  sort_members(g);
  memmove(g->start + 1, g->start, (size_t)g->nbins * sizeof *g->start);
  g->start[0] = 0;
}

pl_err pl_bins_make(pl_bins *g)
{
  const pl_positions *p = g->points;
  size_t n = (size_t)p->count + PL_SPARE;
  choose_bins(g);
  g->start = pl_array_pool_alloc(p->pl, p->pool, ((size_t)g->nbins + 1) * sizeof(int));
  g->bin = pl_array_pool_alloc(p->pl, p->pool, n * sizeof(int));
  g->sorted = pl_array_pool_alloc(p->pl, p->pool, n * sizeof *g->sorted);
  if (!g->start || !g->bin || !g->sorted) return pl_fail_memory(p->pl, n * sizeof *g->sorted);
  memset(g->start, 0, ((size_t)g->nbins + 1) * sizeof *g->start);
  sort_points(g);
  return PL_SUCCESS;
}

void pl_bins_free(pl_bins *g)
{
  const pl_positions *p = g->points;
  void *const arrays[] = {g->start, g->bin, g->sorted};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
    pl_array_pool_give_back(p->pl, p->pool, arrays[k]);
}

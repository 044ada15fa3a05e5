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

void pl_bounds_along(int threads, int n, const double *x, double *low, double *high)
{
  double least = INFINITY, most = -INFINITY;
  PL_PARALLEL_RANGE(threads, least, most)
  for (int i = 0; i < n; i++) {
    least = x[i] < least ? x[i] : least;
    most = x[i] > most ? x[i] : most;
  }
  *low = least;
  *high = most;
}

static double bins_of(double extent, double size)
{
  double n = floor(extent / size);
  return n < 1 ? 1 : n;
}

/* Bins of a size, with so many more along each axis. */
static double all_bins(const pl_bins *g, const double high[PL_PAIR_AXES], double size, int more)
{
  double total = 1;
  for (int a = 0; a < g->points->dim; a++) total *= bins_of(high[a] - g->low[a], size) + more;
  return total;
}

/* Bins of 1 / PL_BINS_A_REACH of the reach, or larger ones if most of these would be empty, or more than an
 * int counts. */
static double choose_size(const pl_bins *g, const double high[PL_PAIR_AXES])
{
  const double most = (double)BINS_A_POINT * g->points->count + 64;
  double size = (double)g->reach / PL_BINS_A_REACH;
  while (all_bins(g, high, size, 0) > most || all_bins(g, high, size, 2 * PL_BINS_A_REACH) > INT_MAX - 1)
    size *= 1.5;
  return size;
}

static void choose_bins(pl_bins *g)
{
  const pl_positions *p = g->points;
  double high[PL_PAIR_AXES], longest = 0;
  for (int a = 0; a < p->dim; a++) {
    pl_bounds_along(p->threads, p->count, p->axis[a], &g->low[a], &high[a]);
    longest = fmax(longest, high[a] - g->low[a]);
  }
  g->reach = (float)(p->reach * (1 + 1e-5) + 2e-6 * longest);
  g->reach2 = g->reach * g->reach;
  const double size = choose_size(g, high);
  g->first = 0;
  for (int a = 0; a < p->dim; a++) {
    double extent = high[a] - g->low[a];
    g->bins[a] = (int)bins_of(extent, size);
    g->scale[a] = extent > 0 ? g->bins[a] / extent : 0;
    g->size[a] = (float)(extent / g->bins[a]);
    g->stride[a] = a ? g->stride[a - 1] * (g->bins[a - 1] + PL_BINS_A_REACH) : 1;
    g->first += g->stride[a] * PL_BINS_A_REACH;
    g->nbins = g->stride[a] * g->bins[a] + 2 * g->first;
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
      const int to = g->start[g->bin[i]]++;
      g->id[to] = i;
      for (int a = 0; a < p->dim; a++) g->at[a][to] = pl_place_in(g, a, i);
    }
  }
}

static inline void find_bin(pl_bins *g, int i)
{
  int64_t bin = g->first;
  unsigned part = 0, power = 1;
  for (int a = 0; a < g->points->dim; a++, power *= PL_BIN_PARTS) {
    const double x = (g->points->axis[a][i] - g->low[a]) * g->scale[a] * PL_BIN_PARTS,
                 last = PL_BIN_PARTS * g->bins[a] - 1;
    const unsigned parts = (unsigned)(int)(x < last ? x : last);
    bin += g->stride[a] * (parts / PL_BIN_PARTS);
    part += power * (parts % PL_BIN_PARTS);
  }
  g->bin[i] = (int)bin;
  g->part[i] = (unsigned char)part;
}

static void sort_points(pl_bins *g)
{
  const pl_positions *p = g->points;
  PL_PARALLEL_FOR(p->threads)
  for (int i = 0; i < p->count; i++) find_bin(g, i);
  count_members(g);
  for (int64_t b = 0; b < g->nbins; b++) g->start[b + 1] += g->start[b];
  sort_members(g);
  memmove(g->start + 1, g->start, (size_t)g->nbins * sizeof *g->start);
  g->start[0] = 0;
}

pl_err pl_bins_make(pl_bins *g)
{
  const pl_positions *p = g->points;
  const size_t n = (size_t)p->count + PL_SPARE, bytes = n * ((size_t)p->dim + 1) * sizeof(float);
  choose_bins(g);
  g->start = pl_array_pool_alloc(p->pl, p->pool, ((size_t)g->nbins + 1) * sizeof(int));
  g->bin = pl_array_pool_alloc(p->pl, p->pool, n * sizeof(int));
  g->part = pl_array_pool_alloc(p->pl, p->pool, n);
  g->at[0] = pl_array_pool_alloc(p->pl, p->pool, bytes);
  if (!g->start || !g->bin || !g->part || !g->at[0]) return pl_fail_memory(p->pl, bytes);
  for (int a = 1; a < p->dim; a++) g->at[a] = g->at[a - 1] + n;
  g->id = (int *)(g->at[p->dim - 1] + n);
  memset(g->start, 0, ((size_t)g->nbins + 1) * sizeof *g->start);
  sort_points(g);
  return PL_SUCCESS;
}

void pl_bins_free(pl_bins *g)
{
  const pl_positions *p = g->points;
  void *const arrays[] = {g->start, g->bin, g->part, g->at[0]};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
    pl_array_pool_give_back(p->pl, p->pool, arrays[k]);
}

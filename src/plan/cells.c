/* SPDX-License-Identifier: BSD-2-Clause
 * Rows of near points by bins: points are sorted by bin, bins run along axis 0, so the points near a particle
 * are a few contiguous runs. Bins are half as long as the reach: fewer points to look at than with whole
 * ones.
 */
#include "build.h"
#include "pairs.h"
#include <math.h>
#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define HAVE_WIDE 1
#endif

enum { FINE = 2, BINS_A_POINT = 4, STRIP = 64, SPARE = 16 };

typedef struct grid {
  const pl_cloud *points;
  int bins[PL_PAIR_AXES], around[PL_PAIR_AXES]; /* bins along each axis; those to look at on either side */
  double low[PL_PAIR_AXES], scale[PL_PAIR_AXES], size[PL_PAIR_AXES];
  int64_t nbins;
  int *start; /* nbins + 1, into the sorted points */
  int *bin;   /* of each point */
  int *id;    /* sorted */
  double *sorted[PL_PAIR_AXES];
} grid;

/* ---- bins ---- */

static void find_bounds(grid *g, double high[PL_PAIR_AXES])
{
  const pl_cloud *p = g->points;
  for (int a = 0; a < p->dim; a++) {
    double lo = INFINITY, hi = -INFINITY;
    for (int i = 0; i < p->count; i++) {
      lo = p->axis[a][i] < lo ? p->axis[a][i] : lo;
      hi = p->axis[a][i] > hi ? p->axis[a][i] : hi;
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

/* Bins of a FINEth of the reach, or larger ones where the points are so few that most would be empty. */
static void choose_bins(grid *g)
{
  const pl_cloud *p = g->points;
  double high[PL_PAIR_AXES], size = p->reach / FINE, total;
  find_bounds(g, high);
  for (;; size *= 1.5) {
    total = 1;
    for (int a = 0; a < p->dim; a++) total *= bins_of(high[a] - g->low[a], size);
    if (total <= (double)BINS_A_POINT * p->count + 64) break;
  }
  g->nbins = 1;
  for (int a = 0; a < PL_PAIR_AXES; a++) {
    double extent = a < p->dim ? high[a] - g->low[a] : 0;
    g->bins[a] = a < p->dim ? (int)bins_of(extent, size) : 1;
    g->scale[a] = extent > 0 ? g->bins[a] / extent : 0;
    g->size[a] = extent > 0 ? extent / g->bins[a] : INFINITY;
    g->around[a] = extent > 0 ? (int)fmin(ceil(p->reach * g->scale[a]), g->bins[a]) : 0;
    g->nbins *= g->bins[a];
  }
}

static int bin_along(const grid *g, int a, double x)
{
  int b = (int)((x - g->low[a]) * g->scale[a]);
  return b < 0 ? 0 : b < g->bins[a] ? b : g->bins[a] - 1;
}

static void sort_points(grid *g)
{
  const pl_cloud *p = g->points;
  for (int i = 0; i < p->count; i++) {
    int b = 0;
    for (int a = p->dim - 1; a >= 0; a--) b = b * g->bins[a] + bin_along(g, a, p->axis[a][i]);
    g->bin[i] = b;
    g->start[b + 1]++;
  }
  for (int64_t b = 0; b < g->nbins; b++) g->start[b + 1] += g->start[b];
  for (int i = 0; i < p->count; i++) {
    int to = g->start[g->bin[i]]++;
    g->id[to] = i;
    for (int a = 0; a < p->dim; a++) g->sorted[a][to] = p->axis[a][i];
  }
  for (int64_t b = g->nbins; b > 0; b--) g->start[b] = g->start[b - 1];
  g->start[0] = 0;
}

static pl_err make_grid(grid *g)
{
  const pl_cloud *p = g->points;
  size_t n = (size_t)p->count;
  choose_bins(g);
  g->start = pl_calloc(p->pl, (size_t)g->nbins + 1, sizeof(int));
  g->bin = pl_malloc_array(p->pl, n * sizeof(int));
  g->id = pl_malloc_array(p->pl, n * sizeof(int));
  bool good = g->start && g->bin && g->id;
  for (int a = 0; a < p->dim; a++)
    good &= (g->sorted[a] = pl_malloc_array(p->pl, n * sizeof(double))) != NULL;
  if (!good) return pl_fail_memory(p->pl, n * sizeof(double));
  sort_points(g);
  return PL_SUCCESS;
}

static void free_grid(grid *g)
{
  pl_context *pl = g->points->pl;
  pl_free(pl, g->start);
  pl_free_array(pl, g->bin);
  pl_free_array(pl, g->id);
  for (int a = 0; a < PL_PAIR_AXES; a++) pl_free_array(pl, g->sorted[a]);
}

/* ---- rows ---- */

/* Rows begin .. end - 1, in the making. */
typedef struct piece {
  int begin, end;
  size_t count, room;
  int *entry;
  bool failed;
} piece;

static void make_room(pl_context *pl, piece *w, size_t more)
{
  if (w->count + more <= w->room) return;
  size_t room = w->room + w->room / 2 + more + 1024;
  int *entry = pl_resize(pl, w->entry, room * sizeof *entry);
  w->failed = !entry;
  if (!entry) return;
  w->entry = entry;
  w->room = room;
}

/* A particle that looks for neighbours. */
typedef struct seeker {
  int id;
  double at[PL_PAIR_AXES], reach2;
} seeker;

/* Points first .. end - 1 of the sorted ones that are near the seeker, itself left out; `out` has room for
 * all of them and SPARE more. */
typedef size_t (*near_fn)(const grid *g, const seeker *s, int first, int end, int *out);

static size_t near_plain(const grid *g, const seeker *s, int first, int end, int *out)
{
  const double *restrict sx = g->sorted[0], *restrict sy = g->sorted[1], *restrict sz = g->sorted[2];
  size_t n = 0;
  double d2[STRIP];
  for (; first < end; first += STRIP) {
    int count = end - first < STRIP ? end - first : STRIP;
    for (int k = 0; k < count; k++) d2[k] = (sx[first + k] - s->at[0]) * (sx[first + k] - s->at[0]);
    for (int k = 0; k < count && sy; k++) d2[k] += (sy[first + k] - s->at[1]) * (sy[first + k] - s->at[1]);
    for (int k = 0; k < count && sz; k++) d2[k] += (sz[first + k] - s->at[2]) * (sz[first + k] - s->at[2]);
    for (int k = 0; k < count; k++) {
      out[n] = g->id[first + k];
      n += (d2[k] < s->reach2) & (out[n] != s->id);
    }
  }
  return n;
}

#ifdef HAVE_WIDE
/* The same, sixteen points at a time: their numbers are pressed together under the mask of those that are
 * near. */
__attribute__((target("avx512f"))) static size_t near_wide(const grid *g, const seeker *s, int first, int end,
                                                           int *out)
{
  const __m512d reach2 = _mm512_set1_pd(s->reach2);
  const __m512i self = _mm512_set1_epi32(s->id);
  size_t n = 0;
  for (; first < end; first += 16) {
    unsigned there = end - first >= 16 ? 0xffff : (1u << (end - first)) - 1;
    const __mmask8 low = (__mmask8)there, high = (__mmask8)(there >> 8);
    __m512d lower = _mm512_setzero_pd(), upper = lower;
    for (int a = 0; a < g->points->dim; a++) {
      const __m512d at = _mm512_set1_pd(s->at[a]);
      const __m512d x = _mm512_sub_pd(_mm512_maskz_loadu_pd(low, g->sorted[a] + first), at),
                    y = _mm512_sub_pd(_mm512_maskz_loadu_pd(high, g->sorted[a] + first + 8), at);
      lower = _mm512_fmadd_pd(x, x, lower);
      upper = _mm512_fmadd_pd(y, y, upper);
    }
    const __m512i id = _mm512_maskz_loadu_epi32((__mmask16)there, g->id + first);
    there = (unsigned)_mm512_mask_cmp_pd_mask(low, lower, reach2, _CMP_LT_OQ) |
            (unsigned)_mm512_mask_cmp_pd_mask(high, upper, reach2, _CMP_LT_OQ) << 8;
    const __mmask16 near = _mm512_mask_cmpneq_epi32_mask((__mmask16)there, id, self);
    _mm512_storeu_si512(out + n, _mm512_maskz_compress_epi32(near, id));
    n += (size_t)__builtin_popcount(near);
  }
  return n;
}
#endif

static near_fn best_near(void)
{
#ifdef HAVE_WIDE
  if (__builtin_cpu_supports("avx512f")) return near_wide;
#endif
  return near_plain;
}

/* The bins of a particle's surroundings along an axis: first and last. */
static void surroundings(const grid *g, int a, int i, int *first, int *last)
{
  *first = *last = 0;
  if (a >= g->points->dim) return;
  int b = bin_along(g, a, g->points->axis[a][i]);
  *first = b - g->around[a] > 0 ? b - g->around[a] : 0;
  *last = b + g->around[a] < g->bins[a] ? b + g->around[a] : g->bins[a] - 1;
}

/* The square of how far bin b along an axis is from x at least: 0 where x is in it. */
static inline double gap2(const grid *g, int a, int b, double x)
{
  double above = g->low[a] + b * g->size[a] - x, below = -above - g->size[a];
  double gap = above > below ? above : below;
  return gap > 0 ? gap * gap : 0;
}

static void add_row(const grid *g, near_fn near, piece *w, int i)
{
  const pl_cloud *p = g->points;
  int first[PL_PAIR_AXES], last[PL_PAIR_AXES];
  seeker s = {.id = i, .reach2 = p->reach * p->reach};
  size_t n = 0;
  for (int a = 0; a < p->dim; a++) s.at[a] = p->axis[a][i];
  for (int a = 0; a < PL_PAIR_AXES; a++) surroundings(g, a, i, &first[a], &last[a]);
  for (int bz = first[2]; bz <= last[2]; bz++) {
    double left = s.reach2 * (1 + 1e-9) - gap2(g, 2, bz, s.at[2]);
    for (int by = first[1]; by <= last[1]; by++) {
      if (gap2(g, 1, by, s.at[1]) > left) continue;
      const int *start = g->start + ((int64_t)bz * g->bins[1] + by) * g->bins[0];
      int from = start[first[0]], to = start[last[0] + 1];
      make_room(p->pl, w, n + (size_t)(to - from) + SPARE);
      if (w->failed) return;
      n += near(g, &s, from, to, w->entry + w->count + n);
    }
  }
  w->count += n;
}

static void add_rows(const grid *g, piece *w, int lanes, int far, int64_t *offset)
{
  const near_fn near = best_near();
  for (int i = w->begin; i < w->end && !w->failed; i++) {
    add_row(g, near, w, i);
    make_room(g->points->pl, w, (size_t)lanes);
    while (!w->failed && w->count % (size_t)lanes) w->entry[w->count++] = far;
    offset[i + 1] = (int64_t)w->count; /* from the piece's beginning, for now */
  }
}

/* The rows of all pieces in one array. */
static pl_err join(const pl_cloud *p, int pieces, piece *w, int64_t *offset, int **entry)
{
  int64_t total = 0;
  for (int t = 0; t < pieces; t++) {
    if (w[t].failed) return pl_fail_memory(p->pl, w[t].room * sizeof(int));
    for (int i = w[t].begin; i < w[t].end; i++) offset[i + 1] += total;
    total += (int64_t)w[t].count;
  }
  if (pieces == 1) {
    *entry = w->entry;
    w->entry = NULL;
    return PL_SUCCESS;
  }
  *entry = pl_resize(p->pl, *entry, (size_t)total * sizeof **entry);
  if (!*entry) return pl_fail_memory(p->pl, (size_t)total * sizeof **entry);
  PL_PARALLEL_FOR(p->threads)
  for (int t = 0; t < pieces; t++)
    if (w[t].count) memcpy(*entry + offset[w[t].begin], w[t].entry, w[t].count * sizeof **entry);
  return PL_SUCCESS;
}

static pl_err make_rows(const grid *g, int lanes, int far, int64_t *offset, int **entry)
{
  const pl_cloud *p = g->points;
  int pieces = p->threads;
  piece *w = pl_calloc(p->pl, (size_t)pieces, sizeof *w);
  if (!w) return pl_fail_memory(p->pl, (size_t)pieces * sizeof *w);
  if (pieces == 1) w->entry = *entry;
  if (pieces == 1) *entry = NULL;
  PL_PARALLEL_FOR(p->threads)
  for (int t = 0; t < pieces; t++) {
    w[t].begin = (int)((int64_t)p->n * t / pieces);
    w[t].end = (int)((int64_t)p->n * (t + 1) / pieces);
    make_room(p->pl, &w[t], (size_t)(p->expected / pieces) + (size_t)(p->expected / pieces) / 16);
    add_rows(g, &w[t], lanes, far, offset);
  }
  pl_err err = join(p, pieces, w, offset, entry);
  for (int t = 0; t < pieces; t++) pl_free(p->pl, w[t].entry);
  pl_free(p->pl, w);
  return err;
}

pl_err pl_cells_rows(const pl_cloud *points, int lanes, int far, int64_t **offset, int **entry)
{
  grid g = {.points = points};
  *offset = pl_malloc_array(points->pl, ((size_t)points->n + 1) * sizeof **offset);
  if (!*offset) return pl_fail_memory(points->pl, ((size_t)points->n + 1) * sizeof **offset);
  (*offset)[0] = 0;
  pl_err err = points->n ? make_grid(&g) : PL_SUCCESS;
  if (!err) err = points->n ? make_rows(&g, lanes, far, *offset, entry) : PL_SUCCESS;
  free_grid(&g);
  if (err) {
    pl_free_array(points->pl, *offset);
    *offset = NULL;
  }
  return err;
}

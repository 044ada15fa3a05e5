/* SPDX-License-Identifier: BSD-2-Clause
 * Rows of near points by bins: points are sorted by bin, bins run along axis 0, so the points near a particle
 * are a few contiguous runs. Bins are half as long as the reach: fewer points to look at than with whole
 * ones. The search is in single precision, from the corner of all points, and looks further than the reach by
 * what that may take: a row has every point within reach, and may have some just beyond.
 */
#include "build.h"
#include "pairs.h"
#include <math.h>
#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define HAVE_WIDE 1
#endif

enum { FINE = 2, BINS_A_POINT = 4, STRIP = 64, SPARE = 16, MOST_LANES = 16, FEW_ROWS = 1000 };

typedef struct grid {
  const pl_cloud *points;
  int bins[PL_PAIR_AXES], around[PL_PAIR_AXES]; /* bins along each axis; those to look at on either side */
  double low[PL_PAIR_AXES], scale[PL_PAIR_AXES], size[PL_PAIR_AXES];
  int64_t nbins;
  int *start; /* nbins + 1, into the sorted points */
  int *bin;   /* of each point */
  int *id;    /* sorted */
  float *sorted[PL_PAIR_AXES];
  float reach2; /* in single precision */
} grid;

/* ---- bins ---- */

static void find_bounds(grid *g, double high[PL_PAIR_AXES])
{
  const pl_cloud *p = g->points;
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

/* Bins of a FINEth of the reach, or larger ones where the points are so few that most would be empty. */
static void choose_bins(grid *g)
{
  const pl_cloud *p = g->points;
  double high[PL_PAIR_AXES], size = p->reach / FINE, longest = 0, total;
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
    longest = extent > longest ? extent : longest;
  }
  float reach = (float)(p->reach * (1 + 1e-5) + 2e-6 * longest);
  g->reach2 = reach * reach;
}

static int bin_along(const grid *g, int a, double x)
{
  int b = (int)((x - g->low[a]) * g->scale[a]);
  return b < 0 ? 0 : b < g->bins[a] ? b : g->bins[a] - 1;
}

/* Each thread of several takes a range of the bins and looks at all points. */
static void count_members(grid *g)
{
  const pl_cloud *p = g->points;
  PL_PARALLEL_FOR(p->threads)
  for (int t = 0; t < p->threads; t++) {
    const int begin = (int)(g->nbins * t / p->threads), end = (int)(g->nbins * (t + 1) / p->threads);
    for (int i = 0; i < p->count; i++)
      if (g->bin[i] >= begin && g->bin[i] < end) g->start[g->bin[i] + 1]++;
  }
}

static void place_members(grid *g)
{
  const pl_cloud *p = g->points;
  PL_PARALLEL_FOR(p->threads)
  for (int t = 0; t < p->threads; t++) {
    const int begin = (int)(g->nbins * t / p->threads), end = (int)(g->nbins * (t + 1) / p->threads);
    for (int i = 0; i < p->count; i++) {
      if (g->bin[i] < begin || g->bin[i] >= end) continue;
      int to = g->start[g->bin[i]]++;
      g->id[to] = i;
      for (int a = 0; a < p->dim; a++) g->sorted[a][to] = (float)(p->axis[a][i] - g->low[a]);
    }
  }
}

static void sort_points(grid *g)
{
  const pl_cloud *p = g->points;
  PL_PARALLEL_FOR(p->threads)
  for (int i = 0; i < p->count; i++) {
    int b = 0;
    for (int a = p->dim - 1; a >= 0; a--) b = b * g->bins[a] + bin_along(g, a, p->axis[a][i]);
    g->bin[i] = b;
  }
  count_members(g);
  for (int64_t b = 0; b < g->nbins; b++) g->start[b + 1] += g->start[b];
  place_members(g);
  memmove(g->start + 1, g->start, (size_t)g->nbins * sizeof *g->start);
  g->start[0] = 0;
}

static pl_err make_grid(grid *g)
{
  const pl_cloud *p = g->points;
  size_t n = (size_t)p->count;
  choose_bins(g);
  g->start = pl_stock_take(p->pl, p->stock, ((size_t)g->nbins + 1) * sizeof(int));
  g->bin = pl_stock_take(p->pl, p->stock, n * sizeof(int));
  g->id = pl_stock_take(p->pl, p->stock, n * sizeof(int));
  bool good = g->start && g->bin && g->id;
  for (int a = 0; a < p->dim; a++)
    good &= (g->sorted[a] = pl_stock_take(p->pl, p->stock, n * sizeof(float))) != NULL;
  if (!good) return pl_fail_memory(p->pl, n * sizeof(int));
  memset(g->start, 0, ((size_t)g->nbins + 1) * sizeof *g->start);
  sort_points(g);
  return PL_SUCCESS;
}

static void free_grid(grid *g)
{
  const pl_cloud *p = g->points;
  void *const arrays[] = {g->start, g->bin, g->id, g->sorted[0], g->sorted[1], g->sorted[2]};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) pl_stock_give(p->pl, p->stock, arrays[k]);
}

/* ---- rows ---- */

/* Entries, in the making. */
typedef struct store {
  size_t count, room;
  int *entry;
  bool lent; /* part of another array */
} store;

/* Rows begin .. end - 1: those of a group one behind the other, then interleaved with all before. */
typedef struct piece {
  int begin, end;
  store group, all;
  bool failed;
} piece;

static __attribute__((noinline)) void grow(const pl_cloud *p, piece *w, store *s, size_t more)
{
  size_t room = s->count + more < s->room + s->room / 2 ? s->room + s->room / 2 : s->count + more;
  int *entry = pl_stock_take(p->pl, p->stock, room * sizeof *entry);
  w->failed |= !entry;
  if (!entry) return;
  if (s->entry) memcpy(entry, s->entry, s->room * sizeof *entry); /* more is written than counted yet */
  if (!s->lent) pl_stock_give(p->pl, p->stock, s->entry);
  s->lent = false;
  s->entry = entry;
  s->room = pl_array_size(entry) / sizeof *entry;
}

static inline void make_room(const pl_cloud *p, piece *w, store *s, size_t more)
{
  if (s->count + more > s->room) grow(p, w, s, more);
}

/* A particle that looks for neighbours. */
typedef struct seeker {
  int id;
  float at[PL_PAIR_AXES];
} seeker;

/* Points first .. end - 1 of the sorted ones that are near the seeker, itself left out; `out` has room for
 * all of them and SPARE more. */
typedef size_t (*near_fn)(const grid *g, const seeker *s, int dim, int first, int end, int *out);

static inline size_t near_plain(const grid *g, const seeker *s, int dim, int first, int end, int *out)
{
  size_t n = 0;
  float d2[STRIP];
  for (; first < end; first += STRIP) {
    int count = end - first < STRIP ? end - first : STRIP;
    for (int k = 0; k < count; k++) d2[k] = 0;
    for (int a = 0; a < dim; a++) {
      const float *restrict x = g->sorted[a] + first;
      for (int k = 0; k < count; k++) d2[k] += (x[k] - s->at[a]) * (x[k] - s->at[a]);
    }
    for (int k = 0; k < count; k++) {
      out[n] = g->id[first + k];
      n += (d2[k] < g->reach2) & (out[n] != s->id);
    }
  }
  return n;
}

#ifdef HAVE_WIDE
#define WIDE __attribute__((target("avx512f")))
/* The same, sixteen points at a time: their numbers are pressed together under the mask of those that are
 * near. */
WIDE static inline size_t near_wide(const grid *g, const seeker *s, int dim, int first, int end, int *out)
{
  size_t n = 0;
  for (; first < end; first += 16) {
    const __mmask16 there = (__mmask16)(end - first >= 16 ? 0xffff : (1u << (end - first)) - 1);
    __m512 d2 = _mm512_setzero_ps();
    for (int a = 0; a < dim; a++) {
      const __m512 x =
        _mm512_sub_ps(_mm512_maskz_loadu_ps(there, g->sorted[a] + first), _mm512_set1_ps(s->at[a]));
      d2 = _mm512_fmadd_ps(x, x, d2);
    }
    const __m512i id = _mm512_maskz_loadu_epi32(there, g->id + first);
    const __mmask16 close = _mm512_mask_cmp_ps_mask(there, d2, _mm512_set1_ps(g->reach2), _CMP_LT_OQ);
    const __mmask16 near = _mm512_mask_cmpneq_epi32_mask(close, id, _mm512_set1_epi32(s->id));
    _mm512_storeu_si512(out + n, _mm512_maskz_compress_epi32(near, id));
    n += (size_t)__builtin_popcount(near);
  }
  return n;
}
#endif

enum { MOST_AROUND = 2 * FINE + 4 };

/* The bins of a particle's surroundings along an axis: first and last, and the squares of how far each is
 * away at least. */
typedef struct surroundings {
  int first, last;
  float gap2[MOST_AROUND];
} surroundings;

static inline __attribute__((always_inline)) surroundings look_around(const grid *g, int a, int i)
{
  const double x = g->points->axis[a][i] - g->low[a];
  const int b = bin_along(g, a, g->points->axis[a][i]);
  surroundings s;
  s.first = b - g->around[a] > 0 ? b - g->around[a] : 0;
  s.last = b + g->around[a] < g->bins[a] ? b + g->around[a] : g->bins[a] - 1;
  for (int k = s.first; k <= s.last && a; k++) {
    double above = k * g->size[a] - x, below = -above - g->size[a], gap = above > below ? above : below;
    s.gap2[k - s.first] = gap > 0 ? (float)(gap * gap) : 0;
  }
  return s;
}

static inline __attribute__((always_inline)) void add_row(const grid *g, near_fn near, int dim, piece *w,
                                                          int i)
{
  store *row = &w->group;
  const pl_cloud *p = g->points;
  surroundings x = look_around(g, 0, i), y = {0}, z = {0};
  seeker s = {.id = i};
  size_t n = row->count;
  if (dim > 1) y = look_around(g, 1, i);
  if (dim > 2) z = look_around(g, 2, i);
  for (int a = 0; a < dim; a++) s.at[a] = (float)(p->axis[a][i] - g->low[a]);
  for (int bz = z.first; bz <= z.last; bz++)
    for (int by = y.first; by <= y.last; by++) {
      if (dim > 1 && y.gap2[by - y.first] + (dim > 2 ? z.gap2[bz - z.first] : 0) > g->reach2) continue;
      const int *start = g->start + ((int64_t)bz * g->bins[1] + by) * g->bins[0];
      const int from = start[x.first], to = start[x.last + 1];
      make_room(p, w, row, n - row->count + (size_t)(to - from) + SPARE);
      if (w->failed) return;
      n += near(g, &s, dim, from, to, row->entry + n);
    }
  row->count = n;
}

/* Room for the next `more` entries; as much as all rows will take, by those that are there already. */
static void make_room_for_rows(const pl_cloud *p, piece *w, int done, size_t more)
{
  if (w->all.count + more <= w->all.room) return;
  double rows = w->end - w->begin, all = (double)w->all.count * rows / (done + 1);
  if (done > FEW_ROWS && all * 1.1 > (double)(w->all.count + more)) more = (size_t)(all * 1.1) - w->all.count;
  make_room(p, w, &w->all, more);
}

/* Entry k of the group's particle l goes to place k * lanes + l behind what is there; row l ends at end[l].
 * All rows become as long as the longest, which is returned. */
static int64_t interleave(const pl_cloud *p, piece *w, int done, int lanes, int far, const size_t *end)
{
  size_t longest = 0, all = (size_t)lanes;
  for (int l = 0; l < lanes; l++) {
    size_t length = end[l] - (l ? end[l - 1] : 0);
    longest = length > longest ? length : longest;
  }
  make_room_for_rows(p, w, done, longest * all);
  if (w->failed) return 0;
  for (int l = 0; l < lanes; l++) {
    const size_t begin = l ? end[l - 1] : 0, length = end[l] - begin;
    const int *restrict from = w->group.entry + begin;
    int *restrict to = w->all.entry + w->all.count + l;
    for (size_t k = 0; k < length; k++) to[k * all] = from[k];
    for (size_t k = length; k < longest; k++) to[k * all] = far;
  }
  w->all.count += longest * all;
  return (int64_t)longest;
}

static inline __attribute__((always_inline)) void add_some(const grid *g, near_fn near, int dim, piece *w,
                                                           int lanes, int far, int64_t *offset)
{
  const grid here = *g; /* nobody else sees it: its members stay in registers */
  size_t end[MOST_LANES];
  for (int first = w->begin; first < w->end && !w->failed; first += lanes) {
    const int64_t base = (int64_t)w->all.count; /* from the piece's beginning, for now */
    const int n = w->end - first < lanes ? w->end - first : lanes;
    w->group.count = 0;
    for (int l = 0; l < lanes; l++) {
      if (l < n && !w->failed) add_row(&here, near, dim, w, first + l);
      end[l] = w->group.count;
    }
    const int64_t longest = w->failed ? 0 : interleave(g->points, w, first - w->begin, lanes, far, end);
    for (int l = 0; l < n; l++) offset[first + l + 1] = base + (l + 1) * longest;
  }
}

/* One for each number of axes and each search, so that all is known inside. */
#define ADD_ROWS(name, near)                                                                                 \
  static void name(const grid *g, piece *w, int lanes, int far, int64_t *offset)                             \
  {                                                                                                          \
    if (g->points->dim == 1) add_some(g, near, 1, w, lanes, far, offset);                                    \
    if (g->points->dim == 2) add_some(g, near, 2, w, lanes, far, offset);                                    \
    if (g->points->dim == 3) add_some(g, near, 3, w, lanes, far, offset);                                    \
  }
ADD_ROWS(add_rows_plain, near_plain)
#ifdef HAVE_WIDE
WIDE ADD_ROWS(add_rows_wide, near_wide)
#endif

  static void add_rows(const grid *g, piece *w, int lanes, int far, int64_t *offset)
{
#ifdef HAVE_WIDE
  if (__builtin_cpu_supports("avx512f")) {
    add_rows_wide(g, w, lanes, far, offset);
    return;
  }
#endif
  add_rows_plain(g, w, lanes, far, offset);
}

static void cut_pieces(const pl_cloud *p, int pieces, piece *w, int lanes)
{
  for (int t = 0; t < pieces; t++) {
    w[t].begin = (int)((int64_t)p->n * t / pieces) / lanes * lanes;
    w[t].end = t + 1 < pieces ? (int)((int64_t)p->n * (t + 1) / pieces) / lanes * lanes : p->n;
  }
}

/* Pieces write to one array, each to a part of it that is a little longer than its rows were in the list of
 * before; *entry stays NULL where there is none. */
static void lend_room(const pl_cloud *p, int pieces, piece *w, int **entry)
{
  size_t total = 0;
  if (!p->before || p->before->n != p->n || !p->before->offset) return;
  for (int t = 0; t < pieces; t++) {
    int64_t rows = pl_pairs_entries(p->before, w[t].begin, w[t].end);
    w[t].all.room = (size_t)(rows + rows / 32) + SPARE * MOST_LANES;
    total += w[t].all.room;
  }
  *entry = pl_stock_take(p->pl, p->stock, total * sizeof **entry);
  int *at = *entry;
  for (int t = 0; t < pieces; t++) {
    if (!at) w[t].all.room = 0;
    if (!at) continue;
    w[t].all.entry = at;
    w[t].all.lent = true;
    at += w[t].all.room;
  }
}

/* Where the rows of each piece begin: in the array that was lent, where that was room enough for all, or one
 * behind the other in an array of that length, *entry. */
static pl_err place_pieces(const pl_cloud *p, int pieces, const piece *w, int64_t *base, int **entry)
{
  size_t total = 0;
  bool lent = *entry != NULL;
  for (int t = 0; t < pieces; t++) {
    if (w[t].failed) return pl_fail_memory(p->pl, w[t].all.room * sizeof(int));
    lent = lent && w[t].all.lent;
    base[t] = (int64_t)total;
    total += w[t].all.count;
  }
  for (int t = 0; lent && t < pieces; t++) base[t] = w[t].all.entry - *entry;
  if (lent) return PL_SUCCESS;
  int *array = pl_stock_take(p->pl, p->stock, (total + 1) * sizeof *array);
  if (!array) return pl_fail_memory(p->pl, total * sizeof *array);
  PL_PARALLEL_FOR(p->threads)
  for (int t = 0; t < pieces; t++)
    if (w[t].all.count) memcpy(array + base[t], w[t].all.entry, w[t].all.count * sizeof *array);
  pl_stock_give(p->pl, p->stock, *entry);
  *entry = array;
  return PL_SUCCESS;
}

/* Offsets so far are from the beginning of each piece. What the last row of a piece seems to be long is what
 * the next piece's beginning makes it: rows are as long as the first of their group. */
static void place_rows(const pl_cloud *p, int pieces, const piece *w, const int64_t *base, int64_t *offset)
{
  PL_PARALLEL_FOR(p->threads)
  for (int t = 0; t < pieces; t++) {
    for (int i = w[t].begin + 1; i < w[t].end; i++) offset[i] += base[t];
    if (w[t].end == p->n && w[t].begin < w[t].end) offset[p->n] += base[t];
  }
  for (int t = 0; t < pieces; t++)
    if (w[t].begin < w[t].end) offset[w[t].begin] = base[t];
}

static void fill_pieces(const grid *g, int pieces, piece *w, int lanes, int far, int64_t *offset)
{
  PL_PARALLEL_FOR(g->points->threads)
  for (int t = 0; t < pieces; t++) add_rows(g, &w[t], lanes, far, offset);
}

static pl_err make_rows(const grid *g, int lanes, int far, int64_t *offset, int **entry)
{
  const pl_cloud *p = g->points;
  int pieces = p->threads;
  piece *w = pl_calloc(p->pl, (size_t)pieces, sizeof *w);
  int64_t *base = pl_calloc(p->pl, (size_t)pieces, sizeof *base);
  pl_err err = w && base ? PL_SUCCESS : pl_fail_memory(p->pl, (size_t)pieces * sizeof *w);
  if (!err) {
    cut_pieces(p, pieces, w, lanes);
    lend_room(p, pieces, w, entry);
    fill_pieces(g, pieces, w, lanes, far, offset);
    err = place_pieces(p, pieces, w, base, entry);
  }
  if (!err) place_rows(p, pieces, w, base, offset);
  for (int t = 0; w && t < pieces; t++) {
    if (!w[t].all.lent) pl_stock_give(p->pl, p->stock, w[t].all.entry);
    pl_stock_give(p->pl, p->stock, w[t].group.entry);
  }
  pl_free(p->pl, w);
  pl_free(p->pl, base);
  return err;
}

pl_err pl_cells_rows(const pl_cloud *points, int lanes, int far, int64_t **offset, int **entry)
{
  grid g = {.points = points};
  *entry = NULL;
  *offset = pl_stock_take(points->pl, points->stock, ((size_t)points->n + 1) * sizeof **offset);
  if (!*offset) return pl_fail_memory(points->pl, ((size_t)points->n + 1) * sizeof **offset);
  (*offset)[0] = 0;
  pl_err err = points->n ? make_grid(&g) : PL_SUCCESS;
  if (!err) err = points->n ? make_rows(&g, lanes, far, *offset, entry) : PL_SUCCESS;
  free_grid(&g);
  if (err) {
    pl_stock_give(points->pl, points->stock, *offset);
    *offset = NULL;
  }
  return err;
}

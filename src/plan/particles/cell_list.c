/* SPDX-License-Identifier: BSD-2-Clause
 * Cell lists: points are sorted by bin, bins run along axis 0, so the points near a particle are a few
 * contiguous runs. Bins are half as long as the reach, which leaves fewer points to test than full bins. The
 * search is in single precision, relative to the lower corner, with a reach increased by the rounding error:
 * a row has every point within reach, and may have some just beyond.
 */
#include "cell_list.h"
#include "core/data/objects.h"
#include "core/threads/threads.h"
#include <math.h>
#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define HAVE_WIDE 1
#endif

enum { FINE = 2, BINS_A_POINT = 4, STRIP = 64, SPARE = 16, MOST_LANES = 16, FEW_ROWS = 1000 };

typedef struct grid {
  const pl_positions *points;
  int bins[PL_PAIR_AXES], around[PL_PAIR_AXES]; /* bins along each axis; bins to search on either side */
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

/* Bins of 1 / FINE of the reach, or larger ones if most of these would be empty. */
static void choose_bins(grid *g)
{
  const pl_positions *p = g->points;
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

/* Each thread reads all points and counts those in its range of bins. */
static void count_members(grid *g)
{
  const pl_positions *p = g->points;
  PL_PARALLEL_FOR(p->threads)
  for (int t = 0; t < p->threads; t++) {
    const int begin = (int)(g->nbins * t / p->threads), end = (int)(g->nbins * (t + 1) / p->threads);
    for (int i = 0; i < p->count; i++)
      if (g->bin[i] >= begin && g->bin[i] < end) g->start[g->bin[i] + 1]++;
  }
}

static void sort_members(grid *g)
{
  const pl_positions *p = g->points;
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
  const pl_positions *p = g->points;
  PL_PARALLEL_FOR(p->threads)
  for (int i = 0; i < p->count; i++) {
    int b = 0;
    for (int a = p->dim - 1; a >= 0; a--) b = b * g->bins[a] + bin_along(g, a, p->axis[a][i]);
    g->bin[i] = b;
  }
  count_members(g);
  for (int64_t b = 0; b < g->nbins; b++) g->start[b + 1] += g->start[b];
  sort_members(g);
  memmove(g->start + 1, g->start, (size_t)g->nbins * sizeof *g->start);
  g->start[0] = 0;
}

static pl_err build_grid(grid *g)
{
  const pl_positions *p = g->points;
  size_t n = (size_t)p->count;
  choose_bins(g);
  g->start = pl_array_pool_alloc(p->pl, p->pool, ((size_t)g->nbins + 1) * sizeof(int));
  g->bin = pl_array_pool_alloc(p->pl, p->pool, n * sizeof(int));
  g->id = pl_array_pool_alloc(p->pl, p->pool, n * sizeof(int));
  bool good = g->start && g->bin && g->id;
  for (int a = 0; a < p->dim; a++)
    good &= (g->sorted[a] = pl_array_pool_alloc(p->pl, p->pool, n * sizeof(float))) != NULL;
  if (!good) return pl_fail_memory(p->pl, n * sizeof(int));
  memset(g->start, 0, ((size_t)g->nbins + 1) * sizeof *g->start);
  sort_points(g);
  return PL_SUCCESS;
}

static void free_grid(grid *g)
{
  const pl_positions *p = g->points;
  void *const arrays[] = {g->start, g->bin, g->id, g->sorted[0], g->sorted[1], g->sorted[2]};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
    pl_array_pool_give_back(p->pl, p->pool, arrays[k]);
}

/* ---- rows ---- */

typedef struct store {
  size_t count, room;
  int *entry;
  bool borrowed; /* part of another array */
} store;

/* Rows begin .. end - 1. `group`: the rows of one group one after the other; `all`: interleaved rows. */
typedef struct piece {
  int begin, end;
  store group, all;
  bool failed;
} piece;

static __attribute__((noinline)) void grow_store(const pl_positions *p, piece *w, store *s, size_t more)
{
  size_t room = s->count + more < s->room + s->room / 2 ? s->room + s->room / 2 : s->count + more;
  int *entry = pl_array_pool_alloc(p->pl, p->pool, room * sizeof *entry);
  w->failed |= !entry;
  if (!entry) return;
  if (s->entry) memcpy(entry, s->entry, s->room * sizeof *entry); /* more is written than counted */
  if (!s->borrowed) pl_array_pool_give_back(p->pl, p->pool, s->entry);
  s->borrowed = false;
  s->entry = entry;
  s->room = pl_array_size(entry) / sizeof *entry;
}

static inline void reserve_entries(const pl_positions *p, piece *w, store *s, size_t more)
{
  if (s->count + more > s->room) grow_store(p, w, s, more);
}

typedef struct centre {
  int id;
  float at[PL_PAIR_AXES];
} centre;

/* Appends those of the sorted points first .. end - 1 that are near the centre, but not itself; `out` has
 * room for all of them and SPARE more. */
typedef size_t (*near_fn)(const grid *g, const centre *s, int dim, int first, int end, int *out);

static inline size_t near_plain(const grid *g, const centre *s, int dim, int first, int end, int *out)
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
/* The same for sixteen points at a time, with a compressing store of the near ones. */
WIDE static inline size_t near_wide(const grid *g, const centre *s, int dim, int first, int end, int *out)
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

/* The bins around a particle along an axis: first and last, and the square of the least distance to each. */
typedef struct surroundings {
  int first, last;
  float gap2[MOST_AROUND];
} surroundings;

static inline __attribute__((always_inline)) surroundings find_surroundings(const grid *g, int a, int i)
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
  const pl_positions *p = g->points;
  surroundings x = find_surroundings(g, 0, i), y = {0}, z = {0};
  centre s = {.id = i};
  size_t n = row->count;
  if (dim > 1) y = find_surroundings(g, 1, i);
  if (dim > 2) z = find_surroundings(g, 2, i);
  for (int a = 0; a < dim; a++) s.at[a] = (float)(p->axis[a][i] - g->low[a]);
  for (int bz = z.first; bz <= z.last; bz++)
    for (int by = y.first; by <= y.last; by++) {
      if (dim > 1 && y.gap2[by - y.first] + (dim > 2 ? z.gap2[bz - z.first] : 0) > g->reach2) continue;
      const int *start = g->start + ((int64_t)bz * g->bins[1] + by) * g->bins[0];
      const int from = start[x.first], to = start[x.last + 1];
      reserve_entries(p, w, row, n - row->count + (size_t)(to - from) + SPARE);
      if (w->failed) return;
      n += near(g, &s, dim, from, to, row->entry + n);
    }
  row->count = n;
}

/* Reserves `more` entries, or as many as all rows will need, estimated from those stored. */
static void reserve_rows(const pl_positions *p, piece *w, int done, size_t more)
{
  if (w->all.count + more <= w->all.room) return;
  double rows = w->end - w->begin, all = (double)w->all.count * rows / (done + 1);
  if (done > FEW_ROWS && all * 1.1 > (double)(w->all.count + more)) more = (size_t)(all * 1.1) - w->all.count;
  reserve_entries(p, w, &w->all, more);
}

/* Appends the group's rows: entry k of particle l becomes entry k * lanes + l; row l ends at end[l]. All rows
 * are padded to the longest, whose length is returned. */
static int64_t interleave(const pl_positions *p, piece *w, int done, int lanes, int padding,
                          const size_t *end)
{
  size_t longest = 0, all = (size_t)lanes;
  for (int l = 0; l < lanes; l++) {
    size_t length = end[l] - (l ? end[l - 1] : 0);
    longest = length > longest ? length : longest;
  }
  reserve_rows(p, w, done, longest * all);
  if (w->failed) return 0;
  for (int l = 0; l < lanes; l++) {
    const size_t begin = l ? end[l - 1] : 0, length = end[l] - begin;
    const int *restrict from = w->group.entry + begin;
    int *restrict to = w->all.entry + w->all.count + l;
    for (size_t k = 0; k < length; k++) to[k * all] = from[k];
    for (size_t k = length; k < longest; k++) to[k * all] = padding;
  }
  w->all.count += longest * all;
  return (int64_t)longest;
}

static inline __attribute__((always_inline)) void add_groups(const grid *g, near_fn near, int dim, piece *w,
                                                             int lanes, int padding, int64_t *offset)
{
  const grid here = *g; /* a local copy: its members stay in registers */
  size_t end[MOST_LANES];
  for (int first = w->begin; first < w->end && !w->failed; first += lanes) {
    const int64_t base = (int64_t)w->all.count; /* relative to the piece so far */
    const int n = w->end - first < lanes ? w->end - first : lanes;
    w->group.count = 0;
    for (int l = 0; l < lanes; l++) {
      if (l < n && !w->failed) add_row(&here, near, dim, w, first + l);
      end[l] = w->group.count;
    }
    const int64_t longest = w->failed ? 0 : interleave(g->points, w, first - w->begin, lanes, padding, end);
    for (int l = 0; l < n; l++) offset[first + l + 1] = base + (l + 1) * longest;
  }
}

/* Instances with constant search and number of axes. */
#define ADD_ROWS(name, near)                                                                                 \
  static void name(const grid *g, piece *w, int lanes, int padding, int64_t *offset)                         \
  {                                                                                                          \
    if (g->points->dim == 1) add_groups(g, near, 1, w, lanes, padding, offset);                              \
    if (g->points->dim == 2) add_groups(g, near, 2, w, lanes, padding, offset);                              \
    if (g->points->dim == 3) add_groups(g, near, 3, w, lanes, padding, offset);                              \
  }
ADD_ROWS(add_rows_plain, near_plain)
#ifdef HAVE_WIDE
WIDE ADD_ROWS(add_rows_wide, near_wide)
#endif

  static void add_rows(const grid *g, piece *w, int lanes, int padding, int64_t *offset)
{
#ifdef HAVE_WIDE
  if (__builtin_cpu_supports("avx512f")) {
    add_rows_wide(g, w, lanes, padding, offset);
    return;
  }
#endif
  add_rows_plain(g, w, lanes, padding, offset);
}

static void cut_pieces(const pl_positions *p, int pieces, piece *w, int lanes)
{
  for (int t = 0; t < pieces; t++) {
    w[t].begin = (int)((int64_t)p->n * t / pieces) / lanes * lanes;
    w[t].end = t + 1 < pieces ? (int)((int64_t)p->n * (t + 1) / pieces) / lanes * lanes : p->n;
  }
}

/* Pieces write to one array, each to a part that is a little longer than its rows in the previous list;
 * without one *entry stays NULL. */
static void share_array(const pl_positions *p, int pieces, piece *w, int **entry)
{
  size_t total = 0;
  if (!p->before || p->before->n != p->n || !p->before->list.offset) return;
  for (int t = 0; t < pieces; t++) {
    int64_t rows = pl_pairs_entries(p->before, w[t].begin, w[t].end);
    w[t].all.room = (size_t)(rows + rows / 32) + SPARE * MOST_LANES;
    total += w[t].all.room;
  }
  *entry = pl_array_pool_alloc(p->pl, p->pool, total * sizeof **entry);
  int *at = *entry;
  for (int t = 0; t < pieces; t++) {
    if (!at) w[t].all.room = 0;
    if (!at) continue;
    w[t].all.entry = at;
    w[t].all.borrowed = true;
    at += w[t].all.room;
  }
}

/* The begin of each piece's rows in *entry: the shared array if it was large enough for all pieces, else a
 * new one to which they are copied. */
static pl_err join_pieces(const pl_positions *p, int pieces, const piece *w, int64_t *base, int **entry)
{
  size_t total = 0;
  bool shared = *entry != NULL;
  for (int t = 0; t < pieces; t++) {
    if (w[t].failed) return pl_fail_memory(p->pl, w[t].all.room * sizeof(int));
    shared = shared && w[t].all.borrowed;
    base[t] = (int64_t)total;
    total += w[t].all.count;
  }
  for (int t = 0; shared && t < pieces; t++) base[t] = w[t].all.entry - *entry;
  if (shared) return PL_SUCCESS;
  int *array = pl_array_pool_alloc(p->pl, p->pool, (total + 1) * sizeof *array);
  if (!array) return pl_fail_memory(p->pl, total * sizeof *array);
  PL_PARALLEL_FOR(p->threads)
  for (int t = 0; t < pieces; t++)
    if (w[t].all.count) memcpy(array + base[t], w[t].all.entry, w[t].all.count * sizeof *array);
  pl_array_pool_give_back(p->pl, p->pool, *entry);
  *entry = array;
  return PL_SUCCESS;
}

/* Offsets so far are relative to each piece. The offset behind a piece's last row is the begin of the next
 * piece, so that row may seem too long: the length of a row is that of the first of its group. */
static void shift_offsets(const pl_positions *p, int pieces, const piece *w, const int64_t *base,
                          int64_t *offset)
{
  PL_PARALLEL_FOR(p->threads)
  for (int t = 0; t < pieces; t++) {
    for (int i = w[t].begin + 1; i < w[t].end; i++) offset[i] += base[t];
    if (w[t].end == p->n && w[t].begin < w[t].end) offset[p->n] += base[t];
  }
  for (int t = 0; t < pieces; t++)
    if (w[t].begin < w[t].end) offset[w[t].begin] = base[t];
}

static void search_pieces(const grid *g, int pieces, piece *w, int lanes, int padding, int64_t *offset)
{
  PL_PARALLEL_FOR(g->points->threads)
  for (int t = 0; t < pieces; t++) add_rows(g, &w[t], lanes, padding, offset);
}

static pl_err build_rows(const grid *g, int lanes, int padding, int64_t *offset, int **entry)
{
  const pl_positions *p = g->points;
  int pieces = p->threads;
  piece *w = pl_calloc(p->pl, (size_t)pieces, sizeof *w);
  int64_t *base = pl_calloc(p->pl, (size_t)pieces, sizeof *base);
  pl_err err = w && base ? PL_SUCCESS : pl_fail_memory(p->pl, (size_t)pieces * sizeof *w);
  if (!err) {
    cut_pieces(p, pieces, w, lanes);
    share_array(p, pieces, w, entry);
    search_pieces(g, pieces, w, lanes, padding, offset);
    err = join_pieces(p, pieces, w, base, entry);
  }
  if (!err) shift_offsets(p, pieces, w, base, offset);
  for (int t = 0; w && t < pieces; t++) {
    if (!w[t].all.borrowed) pl_array_pool_give_back(p->pl, p->pool, w[t].all.entry);
    pl_array_pool_give_back(p->pl, p->pool, w[t].group.entry);
  }
  pl_free_all(p->pl, w, base);
  return err;
}

pl_err pl_cell_list_rows(const pl_positions *points, int lanes, int padding, int64_t **offset, int **entry)
{
  grid g = {.points = points};
  *entry = NULL;
  *offset = pl_array_pool_alloc(points->pl, points->pool, ((size_t)points->n + 1) * sizeof **offset);
  if (!*offset) return pl_fail_memory(points->pl, ((size_t)points->n + 1) * sizeof **offset);
  (*offset)[0] = 0;
  pl_err err = points->n ? build_grid(&g) : PL_SUCCESS;
  if (!err) err = points->n ? build_rows(&g, lanes, padding, *offset, entry) : PL_SUCCESS;
  free_grid(&g);
  if (err) {
    pl_array_pool_give_back(points->pl, points->pool, *offset);
    *offset = NULL;
  }
  return err;
}

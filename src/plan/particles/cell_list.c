/* SPDX-License-Identifier: BSD-2-Clause
 * Cell lists: points are sorted by bin, bins run along axis 0, so the points near a cluster of consecutive
 * particles are a few contiguous runs. They are copied one behind the other, and each particle of the cluster
 * tests all of them: a loop without branches. Short bins leave few points to test. The search is in single
 * precision, relative to the lower corner, with a reach increased by the rounding error: a row has every
 * point within reach, and may have some just beyond.
 */
#include "cell_list.h"
#include "core/data/objects.h"
#include "core/threads/threads.h"
#include <math.h>
#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define HAVE_WIDE 1 /* vector instructions */
#endif

enum {
  FINE = 2, /* bins in a reach */
  BINS_A_POINT = 4,
  STRIP = 64,
  SPARE = 16, /* points that may be loaded and entries that may be stored behind the last one */
  MOST_LANES = 16,
  FEW_ROWS = 1000,
  MOST_TOGETHER = 8,          /* particles of a cluster */
  MOST_AROUND = 3 * FINE + 2, /* bins along axis 1 or 2 around a cluster, which is no longer than the reach */
  MOST_RUNS = MOST_AROUND * MOST_AROUND
};

/* Relative to the lower corner. */
typedef struct point {
  float at[PL_PAIR_AXES];
  int id;
} point;

typedef struct grid {
  const pl_positions *points;
  int bins[PL_PAIR_AXES];
  double low[PL_PAIR_AXES], scale[PL_PAIR_AXES];
  float size[PL_PAIR_AXES]; /* of a bin */
  int64_t nbins;
  int *start; /* nbins + 1, into the sorted points */
  int *bin;   /* of each point */
  point *sorted;
  float reach, reach2;  /* in single precision */
  uint64_t packed[256]; /* for each set of eight points, as bits, their numbers, as bytes */
} grid;

/* Particles begin .. end - 1, and the box around them. */
typedef struct cluster {
  int begin, end;
  float low[PL_PAIR_AXES], high[PL_PAIR_AXES];
} cluster;

/* Points one behind the other, in arrays for `room` of them. */
typedef struct crowd {
  int count, room;
  float *at[PL_PAIR_AXES]; /* at[0]: the memory of all arrays, from the pool */
  int *id;
} crowd;

/* Stores the ids of those of a crowd that are near particle i, but not its own, and returns how many; `out`
 * has room for all of them and SPARE more. */
typedef size_t (*near_fn)(const grid *g, const crowd *c, int i, int *restrict out);

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

static double all_bins(const grid *g, const double high[PL_PAIR_AXES], double size)
{
  double total = 1;
  for (int a = 0; a < g->points->dim; a++) total *= bins_of(high[a] - g->low[a], size);
  return total;
}

/* Bins of 1 / FINE of the reach, or larger ones if most of these would be empty. */
static void choose_bins(grid *g)
{
  const pl_positions *p = g->points;
  double high[PL_PAIR_AXES], longest = 0;
  find_bounds(g, high);
  for (int a = 0; a < p->dim; a++) longest = fmax(longest, high[a] - g->low[a]);
  g->reach = (float)(p->reach * (1 + 1e-5) + 2e-6 * longest);
  g->reach2 = g->reach * g->reach;
  double size = (double)g->reach / FINE;
  while (all_bins(g, high, size) > (double)BINS_A_POINT * p->count + 64) size *= 1.5;
  g->nbins = 1;
  for (int a = 0; a < PL_PAIR_AXES; a++) {
    double extent = a < p->dim ? high[a] - g->low[a] : 0;
    g->bins[a] = a < p->dim ? (int)bins_of(extent, size) : 1;
    g->scale[a] = extent > 0 ? g->bins[a] / extent : 0;
    g->size[a] = (float)(extent / g->bins[a]);
    g->nbins *= g->bins[a];
  }
}

/* Of a place relative to the lower corner. */
static inline int bin_along(const grid *g, int a, double x)
{
  const double b = x * g->scale[a], last = g->bins[a] - 1;
  return (int)(b < 0 ? 0 : b < last ? b : last);
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
      point *to = &g->sorted[g->start[g->bin[i]]++];
      to->id = i;
      for (int a = 0; a < PL_PAIR_AXES; a++) to->at[a] = a < p->dim ? (float)(p->axis[a][i] - g->low[a]) : 0;
    }
  }
}

static void sort_points(grid *g)
{
  const pl_positions *p = g->points;
  PL_PARALLEL_FOR(p->threads)
  for (int i = 0; i < p->count; i++) {
    int b = 0;
    for (int a = p->dim - 1; a >= 0; a--) b = b * g->bins[a] + bin_along(g, a, p->axis[a][i] - g->low[a]);
    g->bin[i] = b;
  }
  count_members(g);
  for (int64_t b = 0; b < g->nbins; b++) g->start[b + 1] += g->start[b];
  sort_members(g);
  memmove(g->start + 1, g->start, (size_t)g->nbins * sizeof *g->start);
  g->start[0] = 0;
}

static void pack_masks(uint64_t packed[256])
{
  for (unsigned mask = 0; mask < 256; mask++) {
    packed[mask] = 0;
    for (unsigned bit = 8; bit-- > 0;)
      if (mask >> bit & 1) packed[mask] = packed[mask] << 8 | bit;
  }
}

static pl_err build_grid(grid *g)
{
  const pl_positions *p = g->points;
  size_t n = (size_t)p->count + SPARE;
  choose_bins(g);
  pack_masks(g->packed);
  g->start = pl_array_pool_alloc(p->pl, p->pool, ((size_t)g->nbins + 1) * sizeof(int));
  g->bin = pl_array_pool_alloc(p->pl, p->pool, n * sizeof(int));
  g->sorted = pl_array_pool_alloc(p->pl, p->pool, n * sizeof *g->sorted);
  if (!g->start || !g->bin || !g->sorted) return pl_fail_memory(p->pl, n * sizeof *g->sorted);
  memset(g->start, 0, ((size_t)g->nbins + 1) * sizeof *g->start);
  sort_points(g);
  return PL_SUCCESS;
}

static void free_grid(grid *g)
{
  const pl_positions *p = g->points;
  void *const arrays[] = {g->start, g->bin, g->sorted};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
    pl_array_pool_give_back(p->pl, p->pool, arrays[k]);
}

/* ---- the points near a cluster ---- */

/* Sorted points. */
typedef struct run {
  int from, count;
} run;

/* The bins around a cluster along axis 1 or 2: first and last, and the square of the distance to each. */
typedef struct surroundings {
  int first, last;
  float gap2[MOST_AROUND];
} surroundings;

static inline float place_of(const grid *g, int a, int i)
{
  return (float)(g->points->axis[a][i] - g->low[a]);
}

/* Longer ones along axis 0 only have longer runs. */
static cluster find_cluster(const grid *g, int begin, int end)
{
  cluster c = {.begin = begin, .end = begin};
  for (; c.end < end && c.end < begin + MOST_TOGETHER; c.end++) {
    cluster next = c;
    for (int a = 0; a < g->points->dim; a++) {
      const float x = place_of(g, a, c.end);
      next.low[a] = c.end == begin || x < c.low[a] ? x : c.low[a];
      next.high[a] = c.end == begin || x > c.high[a] ? x : c.high[a];
      if (next.high[a] - next.low[a] > (a ? 1 : 2) * g->reach) return c;
    }
    c = next;
  }
  return c;
}

static surroundings find_surroundings(const grid *g, int a, const cluster *c)
{
  surroundings s = {.first = bin_along(g, a, c->low[a] - g->reach),
                    .last = bin_along(g, a, c->high[a] + g->reach)};
  for (int k = s.first; k <= s.last; k++) {
    const float above = (float)k * g->size[a] - c->high[a], below = c->low[a] - (float)(k + 1) * g->size[a],
                gap = above > below ? above : below;
    s.gap2[k - s.first] = gap > 0 ? gap * gap : 0;
  }
  return s;
}

/* The runs of points near a cluster; returns how many, and the points in *total. */
static int find_runs(const grid *g, const cluster *c, run runs[MOST_RUNS], int *total)
{
  const surroundings y = find_surroundings(g, 1, c), z = find_surroundings(g, 2, c);
  int n = 0;
  *total = 0;
  for (int bz = z.first; bz <= z.last; bz++)
    for (int by = y.first; by <= y.last; by++) {
      const float left = g->reach2 - y.gap2[by - y.first] - z.gap2[bz - z.first];
      if (left < 0) continue;
      const float half = sqrtf(left);
      const int *start = g->start + ((int64_t)bz * g->bins[1] + by) * g->bins[0];
      const int from = start[bin_along(g, 0, c->low[0] - half)],
                to = start[bin_along(g, 0, c->high[0] + half) + 1];
      runs[n++] = (run){from, to - from};
      *total += to - from;
    }
  return n;
}

static bool reserve_points(const pl_positions *p, crowd *c, int count)
{
  if (count + SPARE <= c->room) return true;
  pl_array_pool_give_back(p->pl, p->pool, c->at[0]);
  const size_t room = (size_t)count * 2 + SPARE;
  c->at[0] = pl_array_pool_alloc(p->pl, p->pool, room * (PL_PAIR_AXES + 1) * sizeof(float));
  c->room = c->at[0] ? (int)room : 0;
  if (!c->at[0]) return false;
  for (int a = 1; a < PL_PAIR_AXES; a++) c->at[a] = c->at[a - 1] + room;
  c->id = (int *)(c->at[PL_PAIR_AXES - 1] + room);
  return true;
}

/* Four points from `from` to place n of a crowd on. */
static inline void copy_four(crowd *c, int n, const point *from)
{
#ifdef HAVE_WIDE
  __m128 x = _mm_loadu_ps(from[0].at), y = _mm_loadu_ps(from[1].at), z = _mm_loadu_ps(from[2].at),
         id = _mm_loadu_ps(from[3].at);
  _MM_TRANSPOSE4_PS(x, y, z, id);
  _mm_storeu_ps(c->at[0] + n, x);
  _mm_storeu_ps(c->at[1] + n, y);
  _mm_storeu_ps(c->at[2] + n, z);
  _mm_storeu_si128((__m128i *)(c->id + n), _mm_castps_si128(id));
#else
  for (int k = 0; k < 4; k++) {
    for (int a = 0; a < PL_PAIR_AXES; a++) c->at[a][n + k] = from[k].at[a];
    c->id[n + k] = from[k].id;
  }
#endif
}

/* The points near a cluster, in sorted order. */
static bool gather_points(const grid *g, const cluster *around, crowd *c)
{
  run runs[MOST_RUNS];
  int total, n = find_runs(g, around, runs, &total);
  if (!reserve_points(g->points, c, total)) return false;
  c->count = 0;
  for (int r = 0; r < n; r++) { /* the last four may reach into the spare places */
    for (int k = 0; k < runs[r].count; k += 4) copy_four(c, c->count + k, g->sorted + runs[r].from + k);
    c->count += runs[r].count;
  }
  return true;
}

/* ---- the points near a particle ---- */

#define NEAR static inline __attribute__((always_inline)) size_t
NEAR near_plain(const grid *g, const crowd *c, int i, int *restrict out, int dim)
{
  size_t n = 0;
  float d2[STRIP];
  for (int first = 0; first < c->count; first += STRIP) {
    const int count = c->count - first < STRIP ? c->count - first : STRIP, *id = c->id + first;
    for (int k = 0; k < count; k++) d2[k] = 0;
    for (int a = 0; a < dim; a++) {
      const float *restrict x = c->at[a] + first, at = place_of(g, a, i);
      for (int k = 0; k < count; k++) d2[k] += (x[k] - at) * (x[k] - at);
    }
    for (int k = 0; k < count; k++) {
      out[n] = id[k];
      n += (d2[k] < g->reach2) & (id[k] != i);
    }
  }
  return n;
}

#ifdef HAVE_WIDE
#define WITH_AVX2 __attribute__((target("avx2,fma,popcnt")))
#define WITH_AVX512 __attribute__((target("avx512f,popcnt")))

/* The same for eight points at a time; a permutation puts the near ones first. */
WITH_AVX2 NEAR near_eight(const grid *g, const crowd *c, int i, int *restrict out, int dim)
{
  size_t n = 0;
  __m256 at[PL_PAIR_AXES];
  const __m256 reach2 = _mm256_set1_ps(g->reach2);
  const __m256i self = _mm256_set1_epi32(i);
  for (int a = 0; a < dim; a++) at[a] = _mm256_set1_ps(place_of(g, a, i));
  for (int first = 0, count = c->count; first < count; first += 8) {
    const unsigned there = count - first >= 8 ? 0xff : (1u << (count - first)) - 1;
    __m256 d2 = _mm256_setzero_ps();
    for (int a = 0; a < dim; a++) {
      const __m256 x = _mm256_sub_ps(_mm256_loadu_ps(c->at[a] + first), at[a]);
      d2 = _mm256_fmadd_ps(x, x, d2);
    }
    const __m256i id = _mm256_loadu_si256((const __m256i *)(c->id + first));
    const __m256 is_self = _mm256_castsi256_ps(_mm256_cmpeq_epi32(id, self)),
                 close = _mm256_andnot_ps(is_self, _mm256_cmp_ps(d2, reach2, _CMP_LT_OQ));
    const unsigned near = there & (unsigned)_mm256_movemask_ps(close);
    const __m256i order = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)&g->packed[near]));
    _mm256_storeu_si256((__m256i *)(out + n), _mm256_permutevar8x32_epi32(id, order));
    n += (size_t)__builtin_popcount(near);
  }
  return n;
}

/* The same for sixteen, with a compressing store. */
WITH_AVX512 NEAR near_sixteen(const grid *g, const crowd *c, int i, int *restrict out, int dim)
{
  size_t n = 0;
  __m512 at[PL_PAIR_AXES];
  const __m512 reach2 = _mm512_set1_ps(g->reach2);
  for (int a = 0; a < dim; a++) at[a] = _mm512_set1_ps(place_of(g, a, i));
  for (int first = 0, count = c->count; first < count; first += 16) {
    const __mmask16 there = (__mmask16)(count - first >= 16 ? 0xffff : (1u << (count - first)) - 1);
    __m512 d2 = _mm512_setzero_ps();
    for (int a = 0; a < dim; a++) {
      const __m512 x = _mm512_sub_ps(_mm512_loadu_ps(c->at[a] + first), at[a]);
      d2 = _mm512_fmadd_ps(x, x, d2);
    }
    const __m512i id = _mm512_loadu_si512(c->id + first);
    const __mmask16 close = _mm512_mask_cmp_ps_mask(there, d2, reach2, _CMP_LT_OQ),
                    near = _mm512_mask_cmpneq_epi32_mask(close, id, _mm512_set1_epi32(i));
    _mm512_storeu_si512(out + n, _mm512_maskz_compress_epi32(near, id));
    n += (size_t)__builtin_popcount(near);
  }
  return n;
}
#endif

/* Instances with a constant number of axes. */
#define INSTANCE(target, name, dim)                                                                          \
  target static size_t name##_##dim(const grid *g, const crowd *c, int i, int *restrict out)                 \
  {                                                                                                          \
    return name(g, c, i, out, dim);                                                                          \
  }
#define INSTANCES(target, name)                                                                              \
  INSTANCE(target, name, 1)                                                                                  \
  INSTANCE(target, name, 2)                                                                                  \
  INSTANCE(target, name, 3)                                                                                  \
  static const near_fn name##_of[PL_PAIR_AXES] = {name##_1, name##_2, name##_3};
INSTANCES(, near_plain)
#ifdef HAVE_WIDE
INSTANCES(WITH_AVX2, near_eight)
INSTANCES(WITH_AVX512, near_sixteen)
#endif

static near_fn choose_near(int dim)
{
#ifdef HAVE_WIDE
  if (__builtin_cpu_supports("avx512f")) return near_sixteen_of[dim - 1];
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return near_eight_of[dim - 1];
#endif
  return near_plain_of[dim - 1];
}

/* ---- rows ---- */

typedef struct store {
  size_t count, room;
  int *entry;
  bool borrowed; /* part of another array */
} store;

/* Rows begin .. end - 1. `group`: the rows of one group one after the other; `all`: interleaved
 * rows; `near`: the points near a cluster. */
typedef struct piece {
  int begin, end;
  store group, all;
  crowd near;
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

/* Reserves `more` entries, or as many as all rows will need, estimated from those stored. */
static void reserve_rows(const pl_positions *p, piece *w, int done, size_t more)
{
  if (w->all.count + more <= w->all.room) return;
  double rows = w->end - w->begin, all = (double)w->all.count * rows / (done + 1);
  if (done > FEW_ROWS && all * 1.1 > (double)(w->all.count + more)) more = (size_t)(all * 1.1) - w->all.count;
  reserve_entries(p, w, &w->all, more);
}

/* Entries of a group's rows up to `count`, four of four rows at a time, interleaved; returns how many of
 * each. */
static size_t interleave_fours(const int *const row[MOST_LANES], size_t lanes, size_t count, int *to)
{
  size_t done = 0;
#ifdef HAVE_WIDE
  for (; done + 4 <= count; done += 4)
    for (size_t l = 0; l < lanes; l += 4) {
      __m128i in[4], low[2], high[2];
      for (size_t k = 0; k < 4; k++) in[k] = _mm_loadu_si128((const __m128i *)(row[l + k] + done));
      for (size_t k = 0; k < 2; k++) {
        low[k] = _mm_unpacklo_epi32(in[2 * k], in[2 * k + 1]);
        high[k] = _mm_unpackhi_epi32(in[2 * k], in[2 * k + 1]);
      }
      int *at = to + done * lanes + l;
      _mm_storeu_si128((__m128i *)at, _mm_unpacklo_epi64(low[0], low[1]));
      _mm_storeu_si128((__m128i *)(at + lanes), _mm_unpackhi_epi64(low[0], low[1]));
      _mm_storeu_si128((__m128i *)(at + 2 * lanes), _mm_unpacklo_epi64(high[0], high[1]));
      _mm_storeu_si128((__m128i *)(at + 3 * lanes), _mm_unpackhi_epi64(high[0], high[1]));
    }
#else
  (void)row, (void)lanes, (void)count, (void)to;
#endif
  return done;
}

/* Appends the group's rows: entry k of particle l becomes entry k * lanes + l; row l ends at end[l]. All rows
 * are padded to the longest, whose length is returned. */
static int64_t interleave(const pl_positions *p, piece *w, int done, int lanes, int padding,
                          const size_t *end)
{
  const int *row[MOST_LANES];
  size_t length[MOST_LANES], longest = 0, shortest = SIZE_MAX, all = (size_t)lanes;
  for (int l = 0; l < lanes; l++) {
    const size_t begin = l ? end[l - 1] : 0;
    row[l] = w->group.entry + begin;
    length[l] = end[l] - begin;
    longest = length[l] > longest ? length[l] : longest;
    shortest = length[l] < shortest ? length[l] : shortest;
  }
  reserve_rows(p, w, done, longest * all);
  if (w->failed) return 0;
  int *to = w->all.entry + w->all.count;
  const size_t first = interleave_fours(row, all, shortest, to);
  for (size_t l = 0; l < all; l++) {
    for (size_t k = first; k < length[l]; k++) to[k * all + l] = row[l][k];
    for (size_t k = length[l]; k < longest; k++) to[k * all + l] = padding;
  }
  w->all.count += longest * all;
  return (int64_t)longest;
}

/* The rows of particles begin .. begin + n - 1 of a group; end[l] becomes the end of row l. */
static void add_group(const grid *g, near_fn near, piece *w, int begin, int n, size_t *end)
{
  const pl_positions *p = g->points;
  store *rows = &w->group;
  rows->count = 0;
  for (int i = begin; i < begin + n && !w->failed;) {
    const cluster c = find_cluster(g, i, begin + n);
    w->failed |= !gather_points(g, &c, &w->near);
    for (; i < c.end; i++) {
      if (!w->failed) reserve_entries(p, w, rows, (size_t)w->near.count + SPARE);
      if (!w->failed) rows->count += near(g, &w->near, i, rows->entry + rows->count);
      end[i - begin] = rows->count;
    }
  }
}

static void add_rows(const grid *g, piece *w, int lanes, int padding, int64_t *offset)
{
  const near_fn near = choose_near(g->points->dim);
  size_t end[MOST_LANES];
  for (int first = w->begin; first < w->end && !w->failed; first += lanes) {
    const int64_t base = (int64_t)w->all.count; /* relative to the piece so far */
    const int n = w->end - first < lanes ? w->end - first : lanes;
    add_group(g, near, w, first, n, end);
    for (int l = n; l < lanes; l++) end[l] = w->group.count;
    const int64_t longest = w->failed ? 0 : interleave(g->points, w, first - w->begin, lanes, padding, end);
    for (int l = 0; l < n; l++) offset[first + l + 1] = base + (l + 1) * longest;
  }
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
    pl_array_pool_give_back(p->pl, p->pool, w[t].near.at[0]);
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

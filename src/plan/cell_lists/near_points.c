/* SPDX-License-Identifier: BSD-2-Clause
 * The points near a cluster of particles, and those near each of them: by vectors of eight or sixteen, where
 * the processor has them.
 */
#include "near_points.h"
#include "core/context/context.h"
#include <math.h>

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define HAVE_WIDE 1 /* vector instructions */
#endif

enum {
  STRIP = 64,
  MOST_TOGETHER = 8,                     /* particles of a cluster */
  MOST_AROUND = 3 * PL_BINS_A_REACH + 2, /* bins along axis 1 or 2 around a cluster */
  MOST_RUNS = MOST_AROUND * MOST_AROUND
};

void pl_crowd_open(pl_crowd *c)
{
  *c = (pl_crowd){0};
  for (unsigned mask = 0; mask < 256; mask++) {
    c->packed[mask] = 0;
    for (unsigned bit = 8; bit-- > 0;)
      if (mask >> bit & 1) c->packed[mask] = c->packed[mask] << 8 | bit;
  }
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

/* Longer ones along axis 0 only have longer runs. */
pl_cluster pl_cluster_find(const pl_bins *g, int begin, int end)
{
  pl_cluster c = {.begin = begin, .end = begin};
  for (; c.end < end && c.end < begin + MOST_TOGETHER; c.end++) {
    pl_cluster next = c;
    for (int a = 0; a < g->points->dim; a++) {
      const float x = pl_place_in(g, a, c.end);
      next.low[a] = c.end == begin || x < c.low[a] ? x : c.low[a];
      next.high[a] = c.end == begin || x > c.high[a] ? x : c.high[a];
      if (next.high[a] - next.low[a] > (a ? 1 : 2) * g->reach) return c;
    }
    c = next;
  }
  return c;
}

static surroundings find_surroundings(const pl_bins *g, int a, const pl_cluster *c)
{
  surroundings s = {.first = pl_bin_along(g, a, c->low[a] - g->reach),
                    .last = pl_bin_along(g, a, c->high[a] + g->reach)};
  for (int k = s.first; k <= s.last; k++) {
    const float above = (float)k * g->size[a] - c->high[a], below = c->low[a] - (float)(k + 1) * g->size[a],
                gap = above > below ? above : below;
    s.gap2[k - s.first] = gap > 0 ? gap * gap : 0;
  }
  return s;
}

/* The runs of points near a cluster; returns how many, and the points in *total. */
static int find_runs(const pl_bins *g, const pl_cluster *c, run runs[MOST_RUNS], int *total)
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
      const int from = start[pl_bin_along(g, 0, c->low[0] - half)],
                to = start[pl_bin_along(g, 0, c->high[0] + half) + 1];
      runs[n++] = (run){from, to - from};
      *total += to - from;
    }
  return n;
}

static bool reserve_points(const pl_positions *p, pl_crowd *c, int count)
{
  if (count + PL_SPARE <= c->room) return true;
  pl_array_pool_give_back(p->pl, p->pool, c->at[0]);
  const size_t room = (size_t)count * 2 + PL_SPARE;
  c->at[0] = pl_array_pool_alloc(p->pl, p->pool, room * (PL_PAIR_AXES + 1) * sizeof(float));
  c->room = c->at[0] ? (int)room : 0;
  if (!c->at[0]) return false;
  for (int a = 1; a < PL_PAIR_AXES; a++) c->at[a] = c->at[a - 1] + room;
  c->id = (int *)(c->at[PL_PAIR_AXES - 1] + room);
  return true;
}

/* Four points from `from` to place n of a crowd on. */
static inline void copy_four(pl_crowd *c, int n, const pl_point *from)
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

bool pl_cluster_gather(const pl_bins *g, const pl_cluster *around, pl_crowd *c)
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
NEAR near_plain(const pl_bins *g, const pl_crowd *c, int i, int *restrict out, int dim)
{
  size_t n = 0;
  float d2[STRIP];
  for (int first = 0; first < c->count; first += STRIP) {
    const int count = c->count - first < STRIP ? c->count - first : STRIP, *id = c->id + first;
    for (int k = 0; k < count; k++) d2[k] = 0;
    for (int a = 0; a < dim; a++) {
      const float *restrict x = c->at[a] + first, at = pl_place_in(g, a, i);
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
WITH_AVX2 NEAR near_eight(const pl_bins *g, const pl_crowd *c, int i, int *restrict out, int dim)
{
  size_t n = 0;
  __m256 at[PL_PAIR_AXES];
  const __m256 reach2 = _mm256_set1_ps(g->reach2);
  const __m256i self = _mm256_set1_epi32(i);
  for (int a = 0; a < dim; a++) at[a] = _mm256_set1_ps(pl_place_in(g, a, i));
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
    const __m256i order = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)&c->packed[near]));
    _mm256_storeu_si256((__m256i *)(out + n), _mm256_permutevar8x32_epi32(id, order));
    n += (size_t)__builtin_popcount(near);
  }
  return n;
}

/* The same for sixteen, with a compressing store. */
WITH_AVX512 NEAR near_sixteen(const pl_bins *g, const pl_crowd *c, int i, int *restrict out, int dim)
{
  size_t n = 0;
  __m512 at[PL_PAIR_AXES];
  const __m512 reach2 = _mm512_set1_ps(g->reach2);
  for (int a = 0; a < dim; a++) at[a] = _mm512_set1_ps(pl_place_in(g, a, i));
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
  target static size_t name##_##dim(const pl_bins *g, const pl_crowd *c, int i, int *restrict out)           \
  {                                                                                                          \
    return name(g, c, i, out, dim);                                                                          \
  }
#define INSTANCES(target, name)                                                                              \
  INSTANCE(target, name, 1)                                                                                  \
  INSTANCE(target, name, 2)                                                                                  \
  INSTANCE(target, name, 3)                                                                                  \
  static const pl_near_fn name##_of[PL_PAIR_AXES] = {name##_1, name##_2, name##_3};
INSTANCES(, near_plain)
#ifdef HAVE_WIDE
INSTANCES(WITH_AVX2, near_eight)
INSTANCES(WITH_AVX512, near_sixteen)
#endif

pl_near_fn pl_near_choose(int dim, int lanes)
{
#ifdef HAVE_WIDE
  if (lanes >= 16 && __builtin_cpu_supports("avx512f")) return near_sixteen_of[dim - 1];
  if (lanes >= 8 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return near_eight_of[dim - 1];
#endif
  (void)lanes;
  return near_plain_of[dim - 1];
}

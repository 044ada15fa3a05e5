/* SPDX-License-Identifier: BSD-2-Clause
 * The points near each particle: by vectors of eight or sixteen, where the processor has them.
 */
#include "near_points.h"
#include "core/threads/threads.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define HAVE_WIDE 1 /* vector instructions */
#endif

#define NEAR static inline __attribute__((always_inline)) size_t
NEAR near_plain(const pl_near *near, int i, int *restrict out, int dim)
{
  const pl_bins *g = near->bins;
  const int *own = g->start + g->bin[i];
  const pl_near_rows *rows = &near->rows[g->part[i]];
  size_t n = 0;
  float at[PL_PAIR_AXES], d2[PL_SPARE];
  for (int a = 0; a < dim; a++) at[a] = pl_place_in(g, a, i);
  for (int r = 0; r < rows->count; r++) {
    int first = own[rows->row[r].first];
    for (int left = own[rows->row[r].end] - first; left > 0; first += PL_SPARE, left -= PL_SPARE) {
      for (int k = 0; k < PL_SPARE; k++) d2[k] = 0;
      for (int a = 0; a < dim; a++)
        for (int k = 0; k < PL_SPARE; k++) {
          const float x = g->at[a][first + k] - at[a];
          d2[k] += x * x;
        }
      for (int k = 0; k < PL_SPARE && k < left; k++) {
        const int id = g->id[first + k];
        out[n] = id;
        n += (d2[k] < g->reach2) & (id != i);
      }
    }
  }
  return n;
}

#ifdef HAVE_WIDE
#define WITH_AVX2 __attribute__((target("avx2,fma,popcnt")))
#define WITH_AVX512 __attribute__((target("avx512f,popcnt")))

/* The same for eight points at a time; a permutation puts the near ones first. */
WITH_AVX2 NEAR near_eight(const pl_near *near, int i, int *restrict out, int dim)
{
  const pl_bins g = *near->bins;
  const __m256 reach2 = _mm256_set1_ps(g.reach2);
  const __m256i self = _mm256_set1_epi32(i), number = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  __m256 at[PL_PAIR_AXES];
  const int *own = g.start + g.bin[i];
  const pl_near_rows *rows = &near->rows[g.part[i]];
  size_t n = 0;
  for (int a = 0; a < dim; a++) at[a] = _mm256_set1_ps(pl_place_in(&g, a, i));
  for (int r = 0; r < rows->count; r++) {
    int first = own[rows->row[r].first];
    for (int left = own[rows->row[r].end] - first; left > 0; first += 8, left -= 8) {
      __m256 d2 = _mm256_setzero_ps();
      for (int a = 0; a < dim; a++) {
        const __m256 x = _mm256_sub_ps(_mm256_loadu_ps(g.at[a] + first), at[a]);
        d2 = _mm256_fmadd_ps(x, x, d2);
      }
      const __m256i id = _mm256_loadu_si256((const __m256i *)(g.id + first)),
                    there = _mm256_cmpgt_epi32(_mm256_set1_epi32(left), number),
                    other = _mm256_andnot_si256(_mm256_cmpeq_epi32(id, self), there);
      const __m256 close = _mm256_cmp_ps(d2, reach2, _CMP_LT_OQ);
      const unsigned set = (unsigned)_mm256_movemask_ps(_mm256_and_ps(close, _mm256_castsi256_ps(other)));
      const __m256i order = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)&near->packed[set]));
      _mm256_storeu_si256((__m256i *)(out + n), _mm256_permutevar8x32_epi32(id, order));
      n += (size_t)__builtin_popcount(set);
    }
  }
  return n;
}

/* The same for sixteen, with compression. */
WITH_AVX512 NEAR near_sixteen(const pl_near *near, int i, int *restrict out, int dim)
{
  const pl_bins g = *near->bins;
  const __m512 reach2 = _mm512_set1_ps(g.reach2);
  const __m512i self = _mm512_set1_epi32(i),
                number = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  __m512 at[PL_PAIR_AXES];
  const int *own = g.start + g.bin[i];
  const pl_near_rows *rows = &near->rows[g.part[i]];
  size_t n = 0;
  for (int a = 0; a < dim; a++) at[a] = _mm512_set1_ps(pl_place_in(&g, a, i));
  for (int r = 0; r < rows->count; r++) {
    int first = own[rows->row[r].first];
    for (int left = own[rows->row[r].end] - first; left > 0; first += 16, left -= 16) {
      __m512 d2 = _mm512_setzero_ps();
      for (int a = 0; a < dim; a++) {
        const __m512 x = _mm512_sub_ps(_mm512_loadu_ps(g.at[a] + first), at[a]);
        d2 = _mm512_fmadd_ps(x, x, d2);
      }
      const __m512i id = _mm512_loadu_si512(g.id + first);
      const __mmask16 there = _mm512_cmpgt_epi32_mask(_mm512_set1_epi32(left), number),
                      close = _mm512_mask_cmp_ps_mask(there, d2, reach2, _CMP_LT_OQ),
                      set = _mm512_mask_cmpneq_epi32_mask(close, id, self);
      _mm512_storeu_si512(out + n, _mm512_maskz_compress_epi32(set, id));
      n += (size_t)__builtin_popcount(set);
    }
  }
  return n;
}
#endif

/* Instances with a constant number of axes. */
#define INSTANCE(target, name, dim)                                                                          \
  target static size_t name##_##dim(const pl_near *near, int i, int *restrict out)                           \
  {                                                                                                          \
    return name(near, i, out, dim);                                                                          \
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

static pl_near_fn choose(int dim, int lanes)
{
#ifdef HAVE_WIDE
  if (lanes >= 16 && __builtin_cpu_supports("avx512f")) return near_sixteen_of[dim - 1];
  if (lanes >= 8 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return near_eight_of[dim - 1];
#endif
  (void)lanes;
  return near_plain_of[dim - 1];
}

/* The square of the distance along an axis between a part of a bin and the bin that is `by` further. */
static float gap2(const pl_bins *g, int a, int part, int by)
{
  const int parts = by > 0 ? by * PL_BIN_PARTS - part - 1 : by < 0 ? (-by - 1) * PL_BIN_PARTS + part : 0;
  const float gap = (float)parts * g->size[a] / PL_BIN_PARTS;
  return gap * gap;
}

/* The rows of bins near the points of one class, a part of a bin along each axis. */
static void find_rows(const pl_bins *g, int number, pl_near_rows *rows)
{
  int part[PL_PAIR_AXES], most[PL_PAIR_AXES] = {0};
  for (int a = 0; a < PL_PAIR_AXES; a++, number /= PL_BIN_PARTS) part[a] = number % PL_BIN_PARTS;
  for (int a = 0; a < g->points->dim; a++)
    most[a] = g->bins[a] - 1 < PL_BINS_A_REACH ? g->bins[a] - 1 : PL_BINS_A_REACH;
  rows->count = 0;
  for (int z = -most[2]; z <= most[2]; z++)
    for (int y = -most[1]; y <= most[1]; y++) {
      const float left = g->reach2 - gap2(g, 1, part[1], y) - gap2(g, 2, part[2], z);
      const int row = y * (int)g->stride[1] + z * (int)g->stride[2];
      int first = -PL_BINS_A_REACH, last = PL_BINS_A_REACH;
      if (left < 0) continue;
      while (gap2(g, 0, part[0], first) > left) first++;
      while (gap2(g, 0, part[0], last) > left) last--;
      rows->row[rows->count].first = row + first;
      rows->row[rows->count++].end = row + last + 1;
    }
}

/* The most points that are in the bins around a bin. */
static size_t most_around(const pl_bins *g)
{
  int most = 0;
  PL_PARALLEL_MAX(g->points->threads, most)
  for (int64_t b = 0; b <= g->nbins - PL_BINS_AROUND; b++) {
    const int count = g->start[b + PL_BINS_AROUND] - g->start[b];
    most = count > most ? count : most;
  }
  const size_t all = (size_t)most * PL_BINS_AROUND * PL_BINS_AROUND, points = (size_t)g->points->count;
  return all < points ? all : points;
}

void pl_near_open(pl_near *near, const pl_bins *g, int lanes)
{
  near->bins = g;
  near->find = choose(g->points->dim, lanes);
  near->room = most_around(g) + PL_SPARE;
  for (int k = 0; k < PL_BIN_CLASSES; k++) find_rows(g, k, &near->rows[k]);
  for (unsigned set = 0; set < 256; set++) {
    near->packed[set] = 0;
    for (unsigned bit = 8; bit-- > 0;)
      if (set >> bit & 1) near->packed[set] = near->packed[set] << 8 | bit;
  }
}

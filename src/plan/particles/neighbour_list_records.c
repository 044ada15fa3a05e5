/* SPDX-License-Identifier: BSD-2-Clause
 * The records of a list on the host, and whether the list is still valid when particles have moved.
 *
 * A pair that is not in the list was beyond cutoff + skin when the list was built. It is nearer than the
 * cutoff now only if one of the two has moved further than half the skin: a fast particle. The points around
 * each fast particle are searched, in the bins of the list, for such a pair.
 */
#include "neighbour_list_records.h"
#include "core/base/real_value.h"
#include "core/data/objects.h"
#include "core/threads/threads.h"
#include "plan/cell_lists/point_bins.h"
#include <math.h>
#include <string.h>

/* ---- records ---- */

/* Functions for each type of positions: records of particles and ghosts, and particles that have moved far.
 * Inner functions are inlined with constant dim and width. */
#define RECORDS(T)                                                                                           \
  static inline __attribute__((always_inline)) void copy_##T(const T *restrict x, T *restrict record,        \
                                                             int begin, int end, int dim, int width)         \
  {                                                                                                          \
    for (size_t i = (size_t)begin; i < (size_t)end; i++)                                                     \
      for (size_t c = 0; c < (size_t)width; c++)                                                             \
        record[i * (size_t)width + c] = c < (size_t)dim ? x[i * (size_t)dim + c] : 0;                        \
  }                                                                                                          \
  static void records_##T(const pl_pairs *pairs, const T *x, int begin, int end)                             \
  {                                                                                                          \
    if (pairs->dim == 3)                                                                                     \
      copy_##T(x, pairs->list.record, begin, end, 3, 4);                                                     \
    else if (pairs->dim == 2)                                                                                \
      copy_##T(x, pairs->list.record, begin, end, 2, 2);                                                     \
    else                                                                                                     \
      copy_##T(x, pairs->list.record, begin, end, 1, 1);                                                     \
  }                                                                                                          \
  static inline __attribute__((always_inline)) void shift_##T(const pl_pairs *pairs, T shift[27][4],         \
                                                              int begin, int end, int width)                 \
  {                                                                                                          \
    T *record = pairs->list.record;                                                                          \
    for (size_t g = (size_t)begin, w = (size_t)width; g < (size_t)end; g++) {                                \
      const T *from = record + (size_t)pairs->list.owner[g] * w,                                             \
              *by = shift[pairs->list.image[g - (size_t)pairs->here]];                                       \
      T to[4];                                                                                               \
      for (size_t c = 0; c < w; c++) to[c] = from[c] + by[c];                                                \
      memcpy(record + g * w, to, w * sizeof *to);                                                            \
    }                                                                                                        \
  }                                                                                                          \
  static void ghosts_##T(const pl_pairs *pairs, double shift[27][PL_PAIR_AXES], int begin, int end)          \
  {                                                                                                          \
    T by[27][4] = {{0}};                                                                                     \
    for (int code = 0; code < 27; code++)                                                                    \
      for (int a = 0; a < pairs->dim; a++) by[code][a] = (T)shift[code][a];                                  \
    if (pairs->width == 4)                                                                                   \
      shift_##T(pairs, by, begin, end, 4);                                                                   \
    else if (pairs->width == 2)                                                                              \
      shift_##T(pairs, by, begin, end, 2);                                                                   \
    else                                                                                                     \
      shift_##T(pairs, by, begin, end, 1);                                                                   \
  }                                                                                                          \
  static inline __attribute__((always_inline)) int count_moved_##T(                                          \
    const T *restrict x, const T *restrict anchor, int begin, int end, int dim, T limit)                     \
  {                                                                                                          \
    int moved = 0;                                                                                           \
    for (size_t i = (size_t)begin; i < (size_t)end; i++) {                                                   \
      T d2 = 0;                                                                                              \
      for (size_t k = i * (size_t)dim; k < (i + 1) * (size_t)dim; k++) {                                     \
        const T d = x[k] - anchor[k];                                                                        \
        d2 += d * d;                                                                                         \
      }                                                                                                      \
      moved += !(d2 <= limit);                                                                               \
    }                                                                                                        \
    return moved;                                                                                            \
  }                                                                                                          \
  static int moved_##T(const pl_pairs *pairs, const T *x, int begin, int end, double limit)                  \
  {                                                                                                          \
    if (pairs->dim == 3) return count_moved_##T(x, pairs->list.anchor, begin, end, 3, (T)limit);             \
    if (pairs->dim == 2) return count_moved_##T(x, pairs->list.anchor, begin, end, 2, (T)limit);             \
    return count_moved_##T(x, pairs->list.anchor, begin, end, 1, (T)limit);                                  \
  }
RECORDS(double)
RECORDS(float)

/* How many of the particles first .. end - 1 have moved further than sqrt(limit) since the list was built, or
 * to a position that is not finite. */
static int moved_in(const pl_pairs *pairs, const void *x, int first, int end, double limit)
{
  return pairs->position->type == PL_DOUBLE ? moved_double(pairs, x, first, end, limit)
                                            : moved_float(pairs, x, first, end, limit);
}

static int threads_of(const pl_pairs *pairs)
{
  return pl_pairs_threads(pairs->position->node.pl, (size_t)pairs->nrecords);
}

static void fill_ghosts(const pl_pairs *pairs)
{
  double shift[27][PL_PAIR_AXES];
  const int pieces = pl_pieces(pairs->nrecords - pairs->here), threads = threads_of(pairs);
  pl_domain_shifts(pairs->domain, pairs->dim, shift);
  PL_PARALLEL_FOR(threads)
  for (int k = 0; k < pieces; k++) {
    int first = pairs->here + k * PL_PIECE, end = pl_piece_end(first, pairs->nrecords);
    if (pairs->position->type == PL_DOUBLE)
      ghosts_double(pairs, shift, first, end);
    else
      ghosts_float(pairs, shift, first, end);
  }
}

/* Copies the positions to the records but those of ghosts; returns how many particles have moved further than
 * sqrt(limit). */
static int64_t fill_records(const pl_pairs *pairs, const void *x, double limit)
{
  const int pieces = pl_pieces(pairs->here), threads = threads_of(pairs);
  int64_t moved = 0;
  PL_PARALLEL_SUM(threads, moved)
  for (int k = 0; k < pieces; k++) {
    int first = k * PL_PIECE, end = pl_piece_end(first, pairs->here);
    moved += moved_in(pairs, x, first, end < pairs->n ? end : pairs->n, limit);
    if (pairs->position->type == PL_DOUBLE)
      records_double(pairs, x, first, end);
    else
      records_float(pairs, x, first, end);
  }
  return moved;
}

/* Padding records and the square of the cutoff, at the end of the records. */
static void fill_padding(pl_pairs *pairs, double padding)
{
  const pl_type type = pairs->position->type;
  size_t first = (size_t)pairs->nrecords * (size_t)pairs->width,
         n = (size_t)pairs->lanes * (size_t)pairs->width;
  double cutoff2 = pairs->all_pairs ? INFINITY : pairs->cutoff * pairs->cutoff;
  for (size_t k = first; k < first + n; k++) pl_real_store(type, pairs->list.record, k, padding);
  pl_real_store(type, pairs->list.record, first + n, fmin(cutoff2, type == PL_DOUBLE ? 1e299 : 1e35));
}

void pl_pairs_fill(pl_pairs *pairs, const void *x, double padding)
{
  fill_padding(pairs, padding);
  fill_records(pairs, x, INFINITY);
  fill_ghosts(pairs);
  pairs->version = pairs->position->version;
}

/* ---- pairs that may be missing ---- */

static double square(double length)
{
  return length * length;
}

enum {
  MOST_AROUND = 2 * PL_BINS_A_REACH + 2, /* bins along axis 1 or 2 around a particle */
  MOST_RUNS = MOST_AROUND * MOST_AROUND,
  TOGETHER = 8 /* points, at most PL_SPARE */
};

/* A fast particle's places when the list was built and now, relative to the bins' corner, its way, and the
 * bins around the second place. Points may form a new pair with it if they were no nearer than sqrt(out2) to
 * the first, and are nearer than sqrt(around2) to the second: then the product of `way` and the way from the
 * first place to them is at least `ahead`. */
typedef struct seeker {
  float then[PL_PAIR_AXES], now[PL_PAIR_AXES], out2, around2;
  double way[PL_PAIR_AXES], length[PL_PAIR_AXES] /* of a bin */, ahead;
  int low[PL_PAIR_AXES], high[PL_PAIR_AXES];
} seeker;

/* The bin along an axis of a place relative to the corner, or the next one. */
static inline int bin_along(const pl_bins *g, int a, double x)
{
  const double b = x * g->scale[a], last = g->bins[a] - 1;
  return (int)(b < 0 ? 0 : b < last ? b : last);
}

/* For the faster one of a pair, which has moved by `way`; the other one is no further from its old place. */
static seeker seeker_of(const pl_pairs *pairs, const void *x, int i, double way)
{
  const pl_bins *g = pairs->list.bins[0];
  const double reach = pl_pairs_reach(pairs), margin = fmax(0, (double)g->reach - reach),
               out2 = square(fmax(0, reach - margin)), around = pairs->cutoff * (1 + 1e-4) + way + margin;
  seeker s = {.out2 = (float)out2,
              .around2 = (float)square(around),
              .ahead = (out2 + square(way) - square(around)) / 2};
  for (int a = 0; a < pairs->dim; a++) {
    const size_t k = (size_t)i * (size_t)pairs->dim + (size_t)a;
    const double then = pl_real_at(pairs->position->type, pairs->list.anchor, k) - g->low[a],
                 now = pl_real_at(pairs->position->type, x, k) - g->low[a];
    s.then[a] = (float)then;
    s.now[a] = (float)now;
    s.way[a] = now - then;
    s.length[a] = g->scale[a] > 0 ? 1 / g->scale[a] : 0;
    s.low[a] = bin_along(g, a, now - around);
    s.high[a] = bin_along(g, a, now + around);
  }
  return s;
}

/* What the points of bin b along axis a contribute to the product at most. */
static inline double most_ahead(const seeker *s, int a, int b)
{
  return ((b + (s->way[a] > 0)) * s->length[a] - (double)s->then[a]) * s->way[a];
}

/* Sorted points. */
typedef struct run {
  int begin, end;
} run;

/* The points of a row of bins, along axis 0, that contribute at least `ahead` there. */
static inline run find_run(const pl_bins *g, const seeker *s, double ahead, int y, int z)
{
  const int *start = g->start + g->first + z * g->stride[2] + y * g->stride[1],
            edge = bin_along(g, 0, (double)s->then[0] + ahead / s->way[0]);
  int low = s->low[0], high = s->high[0];
  if (s->way[0] > 0 && edge > low) low = edge;
  if (s->way[0] < 0 && edge < high) high = edge;
  return low > high ? (run){0, 0} : (run){start[low], start[high + 1]};
}

/* The runs of points that may form a new pair, loaded ahead: they are rarely in a cache. */
static int find_runs(const pl_bins *g, const seeker *s, int dim, run runs[MOST_RUNS])
{
  int n = 0;
  for (int z = s->low[2]; z <= s->high[2]; z++)
    for (int y = s->low[1]; y <= s->high[1]; y++) {
      runs[n] = find_run(g, s, s->ahead - most_ahead(s, 1, y) - most_ahead(s, 2, z), y, z);
      for (int a = 0; a < dim; a++) __builtin_prefetch(g->at[a] + runs[n].begin);
      n += runs[n].begin < runs[n].end;
    }
  return n;
}

/* Which of the first TOGETHER points of a run may form a new pair. */
static inline __attribute__((always_inline)) bool may_be_new(const pl_bins *g, const seeker *s, int dim,
                                                             run r, int new[TOGETHER])
{
  float then2[TOGETHER] = {0}, now2[TOGETHER] = {0};
  int any = 0;
  for (int a = 0; a < dim; a++)
    for (int k = 0; k < TOGETHER; k++) {
      const float x = g->at[a][r.begin + k], then = x - s->then[a], now = x - s->now[a];
      then2[k] += then * then;
      now2[k] += now * now;
    }
  for (int k = 0; k < TOGETHER; k++)
    any |= new[k] = (k < r.end - r.begin) & (then2[k] >= s->out2) & (now2[k] < s->around2);
  return any;
}

/* Whether two records are now within the cutoff, or nearly so. */
static bool is_pair(const pl_pairs *pairs, int i, int other)
{
  const size_t w = (size_t)pairs->width;
  double d2 = 0;
  for (size_t a = 0; a < (size_t)pairs->dim; a++)
    d2 += square(pl_real_at(pairs->position->type, pairs->list.record, (size_t)i * w + a) -
                 pl_real_at(pairs->position->type, pairs->list.record, (size_t)other * w + a));
  return d2 < square(pairs->cutoff * (1 + 1e-5));
}

static inline __attribute__((always_inline)) bool finds_new(const pl_pairs *pairs, const seeker *s, int i,
                                                            int dim)
{
  const pl_bins *g = pairs->list.bins[0];
  run runs[MOST_RUNS];
  int new[TOGETHER];
  for (int n = find_runs(g, s, dim, runs); n-- > 0;)
    for (run r = runs[n]; r.begin < r.end; r.begin += TOGETHER)
      for (int k = may_be_new(g, s, dim, r, new) ? 0 : TOGETHER; k < TOGETHER; k++)
        if (new[k] && is_pair(pairs, i, g->id[r.begin + k])) return true;
  return false;
}

static bool has_new_pair(const pl_pairs *pairs, const seeker *s, int i)
{
  if (pairs->dim == 3) return finds_new(pairs, s, i, 3);
  return pairs->dim == 2 ? finds_new(pairs, s, i, 2) : finds_new(pairs, s, i, 1);
}

static double way2_of(const pl_pairs *pairs, const void *x, int i)
{
  const size_t dim = (size_t)pairs->dim;
  double d2 = 0;
  for (size_t k = (size_t)i * dim; k < ((size_t)i + 1) * dim; k++)
    d2 += square(pl_real_at(pairs->position->type, x, k) -
                 pl_real_at(pairs->position->type, pairs->list.anchor, k));
  return d2;
}

/* Whether a pair may be missing with a fast particle of first .. end - 1. */
static bool misses_pair(const pl_pairs *pairs, const void *x, int first, int end, double limit)
{
  const double most = square(pairs->list.way * (1 - 1e-5));
  for (int i = first; i < end; i++) {
    const double way2 = way2_of(pairs, x, i);
    if (way2 <= limit) continue;
    if (!(way2 <= most)) return true; /* also for a position that is not finite */
    const seeker s = seeker_of(pairs, x, i, sqrt(way2));
    if (has_new_pair(pairs, &s, i)) return true;
  }
  return false;
}

static bool any_missing(const pl_pairs *pairs, const void *x, int64_t fast, double limit)
{
  enum { FEW = 16, WORK = 64 /* per fast particle */ };
  const int blocks = (pairs->n - 1) / FEW + 1,
            threads = pl_pairs_threads(pairs->position->node.pl, (size_t)(pairs->n + fast * WORK));
  bool any[1] = {false};
  PL_PARALLEL_FOR(threads)
  for (int k = 0; k < blocks; k++) {
    const int first = k * FEW, end = pairs->n - first < FEW ? pairs->n : first + FEW;
    if (!__atomic_load_n(any, __ATOMIC_RELAXED) && moved_in(pairs, x, first, end, limit) &&
        misses_pair(pairs, x, first, end, limit))
      __atomic_store_n(any, true, __ATOMIC_RELAXED);
  }
  return any[0];
}

/* A list is kept while the searches of a step cost less than a step has cost on average since it was built. A
 * search costs about as much as four rows. */
static bool search_pays(const pl_pairs *pairs, int64_t fast)
{
  enum { ROWS = 4, EMPTY_LIST = 1000 /* rows */ };
  return ROWS * (fast * pairs->list.updates - pairs->list.searched) <= pairs->n + EMPTY_LIST;
}

void pl_pairs_update(pl_pairs *pairs, const void *x, bool *stale)
{
  const double limit = square(pairs->skin / 2 * (1 - 1e-5)); /* for rounding in the type of positions */
  const int64_t fast = fill_records(pairs, x, limit);
  pairs->list.updates++;
  *stale = fast && !search_pays(pairs, fast);
  if (*stale) return;
  fill_ghosts(pairs);
  *stale = fast && any_missing(pairs, x, fast, limit);
  pairs->list.searched += fast;
  if (!*stale) pairs->version = pairs->position->version;
}

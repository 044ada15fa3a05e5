/* SPDX-License-Identifier: BSD-2-Clause
 * Rows of a neighbour list from cell lists (point_bins.h). The search is in single precision with a reach
 * increased by the rounding error: a row has every point within reach, and may have some just beyond.
 */
#include "cell_list.h"
#include "near_points.h"
#include "core/data/objects.h"
#include "core/threads/threads.h"
#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__)
#include <emmintrin.h>
#define HAVE_WIDE 1 /* vector instructions */
#endif

enum { MOST_LANES = 16, FEW_ROWS = 1000 };

typedef struct store {
  size_t count, room;
  int *entry;
  bool borrowed; /* part of another array */
} store;

/* Rows begin .. end - 1. `group`: those of one group, near->room entries each; `all`: interleaved rows. */
typedef struct piece {
  int begin, end;
  int *group;
  store all;
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

/* Interleaves entries 0 to count - 1 of rows that begin `stride` entries apart, four of four rows at a time:
 * entry k of row l becomes entry k * lanes + l. Up to three more of each row are copied, too.
 * Not inlined: it needs all registers. */
static __attribute__((noinline)) void interleave(const int *rows, size_t stride, size_t lanes, size_t count,
                                                 int *to)
{
  for (size_t k = 0; k < count; k += 4)
    for (size_t l = 0; l < lanes; l += 4) {
      const int *from = rows + l * stride + k;
      int *at = to + k * lanes + l;
#ifdef HAVE_WIDE
      __m128i in[4], low[2], high[2];
      for (size_t r = 0; r < 4; r++) in[r] = _mm_loadu_si128((const __m128i *)(from + r * stride));
      for (size_t r = 0; r < 2; r++) {
        low[r] = _mm_unpacklo_epi32(in[2 * r], in[2 * r + 1]);
        high[r] = _mm_unpackhi_epi32(in[2 * r], in[2 * r + 1]);
      }
      _mm_storeu_si128((__m128i *)at, _mm_unpacklo_epi64(low[0], low[1]));
      _mm_storeu_si128((__m128i *)(at + lanes), _mm_unpackhi_epi64(low[0], low[1]));
      _mm_storeu_si128((__m128i *)(at + 2 * lanes), _mm_unpacklo_epi64(high[0], high[1]));
      _mm_storeu_si128((__m128i *)(at + 3 * lanes), _mm_unpackhi_epi64(high[0], high[1]));
#else
      for (size_t r = 0; r < 4; r++)
        for (size_t e = 0; e < 4; e++) at[e * lanes + r] = from[r * stride + e];
#endif
    }
}

/* Appends the rows of n particles from `begin` on, padded to the longest; returns its length. */
static size_t add_group(const pl_near *near, piece *w, int begin, int n, int lanes, int padding)
{
  size_t length[MOST_LANES] = {0}, longest = 0;
  for (int l = 0; l < n; l++) {
    length[l] = near->find(near, begin + l, w->group + (size_t)l * near->room);
    longest = length[l] > longest ? length[l] : longest;
  }
  for (int l = 0; l < lanes; l++)
    for (size_t k = length[l]; k < longest; k += PL_SPARE)
      for (size_t e = 0; e < PL_SPARE; e++) w->group[(size_t)l * near->room + k + e] = padding;
  reserve_rows(near->bins->points, w, begin - w->begin, (longest + 3) * (size_t)lanes);
  if (w->failed) return 0;
  interleave(w->group, near->room, (size_t)lanes, longest, w->all.entry + w->all.count);
  w->all.count += longest * (size_t)lanes;
  return longest;
}

static void add_rows(const pl_near *near, piece *w, int lanes, int padding, int64_t *offset)
{
  const pl_positions *p = near->bins->points;
  w->group = pl_array_pool_alloc(p->pl, p->pool, (size_t)lanes * near->room * sizeof *w->group);
  w->failed = !w->group;
  for (int first = w->begin; first < w->end && !w->failed; first += lanes) {
    const int64_t base = (int64_t)w->all.count; /* relative to the piece so far */
    const int n = w->end - first < lanes ? w->end - first : lanes;
    const int64_t longest = (int64_t)add_group(near, w, first, n, lanes, padding);
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

/* The number of entries of a piece's share of the previous list, for as many rows as the piece has. */
static int64_t entries_before(const pl_positions *p, const piece *w)
{
  const int64_t n = p->before->list.rows, begin = w->begin * n / p->n, end = w->end * n / p->n;
  return pl_pairs_entries(p->before, (int)begin, (int)end) * p->n / n;
}

/* Pieces write to one array, each to a part that is a little longer than its share of the previous list;
 * without a list of about as many particles *entry stays NULL. */
static void share_array(const pl_positions *p, int pieces, piece *w, int **entry)
{
  const int n = p->before ? p->before->list.rows : 0;
  size_t total = 0;
  if (!n || p->n - n > n / 8) return;
  for (int t = 0; t < pieces; t++) {
    int64_t rows = entries_before(p, &w[t]);
    w[t].all.room = (size_t)(rows + rows / 32) + PL_SPARE * MOST_LANES;
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
  bool shared = true;
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

static void search_pieces(const pl_bins *g, int pieces, piece *w, int lanes, int padding, int64_t *offset)
{
  pl_near near;
  pl_near_open(&near, g, PL_NEAR_LANES);
  PL_PARALLEL_FOR(g->points->threads)
  for (int t = 0; t < pieces; t++) add_rows(&near, &w[t], lanes, padding, offset);
}

static pl_err build_rows(const pl_bins *g, int lanes, int padding, int64_t *offset, int **entry)
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
    pl_array_pool_give_back(p->pl, p->pool, w[t].group);
  }
  pl_free_all(p->pl, w, base);
  return err;
}

pl_err pl_cell_list_rows(const pl_bins *bins, int lanes, int padding, int64_t **offset, int **entry)
{
  const pl_positions *points = bins->points;
  *entry = NULL;
  *offset = pl_array_pool_alloc(points->pl, points->pool, ((size_t)points->n + 1) * sizeof **offset);
  if (!*offset) return pl_fail_memory(points->pl, ((size_t)points->n + 1) * sizeof **offset);
  (*offset)[0] = 0;
  pl_err err = points->n ? build_rows(bins, lanes, padding, *offset, entry) : PL_SUCCESS;
  if (err) {
    pl_array_pool_give_back(points->pl, points->pool, *offset);
    *offset = NULL;
  }
  return err;
}

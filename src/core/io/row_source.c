/* SPDX-License-Identifier: BSD-2-Clause
 * Rows in pieces. Each rank writes a contiguous block of rows; piece i is the i-th part of all blocks, so the
 * ranks exchange all pieces i at the same time. Own rows and the rows from each rank ascend, so both ends
 * find the rows of a piece by bisection, and only the records are sent.
 */
#include "row_source.h"
#include "core/comm/comm.h"
#include "core/context/memory.h"
#include "core/mesh/row_numbers.h"
#include <string.h>

enum { PIECE = 1 << 21 }; /* bytes: it stays in the processor's cache from the exchange to the write */

/* ---- routes ---- */

/* The first position whose row is not below `row`. */
static int64_t position_of(const int64_t *rows, int64_t n, int64_t row)
{
  int64_t low = 0;
  while (low < n) {
    const int64_t middle = low + (n - low) / 2;
    if (rows[middle] < row)
      low = middle + 1;
    else
      n = middle;
  }
  return low;
}

/* Tells the ranks of the blocks which rows come from this rank. */
static pl_err exchange_rows(pl_h5_routes *r)
{
  pl_context *pl = r->set->node.pl;
  const int ranks = pl_ranks(pl), n = r->set->end[1];
  void *received = NULL;
  int64_t *count = pl_calloc(pl, 2 * (size_t)ranks, sizeof *count);
  r->came_start = pl_calloc(pl, (size_t)ranks + 1, sizeof *r->came_start);
  pl_err err = pl_agree(pl, count && r->came_start ? PL_SUCCESS : pl_fail_memory(pl, (size_t)ranks * 16));
  for (int to = 0; !err && to < ranks; to++) {
    const pl_h5_block b = pl_h5_block_of_rank(pl, r->block.total, to);
    count[to] = position_of(r->rows, n, b.first + b.count) - position_of(r->rows, n, b.first);
  }
  if (!err) err = pl_comm_all_to_all(pl, sizeof *r->rows, r->rows, count, &received, count + ranks);
  for (int from = 0; !err && from < ranks; from++)
    r->came_start[from + 1] = r->came_start[from] + count[ranks + from];
  r->came = received;
  pl_free(pl, count);
  return err;
}

static pl_err make_routes(pl_h5_routes *r)
{
  pl_context *pl = r->set->node.pl;
  const int n = r->set->end[1];
  PL_TRY(pl_row_numbers(r->set, &r->rows));
  r->together = pl_comm_all(pl, !n || r->rows[n - 1] - r->rows[0] == n - 1); /* they ascend */
  r->block = r->together ? (pl_h5_block){r->set->global_size, n ? r->rows[0] : 0, n}
                         : pl_h5_block_of(pl, r->set->global_size);
  if (!r->together) return exchange_rows(r);
  pl_free_array(pl, r->rows);
  r->rows = NULL;
  return PL_SUCCESS;
}

pl_err pl_h5_routes_of(const pl_h5_file *f, pl_set *set, const pl_h5_routes **routes)
{
  pl_h5_routes *r = *f->routes;
  while (r && r->set != set) r = r->next;
  *routes = r;
  if (r) return PL_SUCCESS;
  r = pl_calloc(f->pl, 1, sizeof *r);
  PL_TRY(pl_agree(f->pl, r ? PL_SUCCESS : pl_fail_memory(f->pl, sizeof *r)));
  r->set = set;
  r->next = *f->routes;
  *routes = *f->routes = r;
  return make_routes(r);
}

void pl_h5_routes_free(pl_context *pl, pl_h5_routes **list)
{
  while (*list) {
    pl_h5_routes *r = *list;
    *list = r->next;
    pl_free_arrays(pl, r->rows, r->came);
    pl_free_all(pl, r->came_start, r);
  }
}

/* ---- pieces ---- */

/* The part of piece i of a rank's block. */
static pl_h5_block part_of(const pl_h5_row_source *s, int rank, int64_t i)
{
  pl_h5_block b = pl_h5_block_of_rank(s->pl, s->block.total, rank);
  const int64_t before = i * s->piece_rows < b.count ? i * s->piece_rows : b.count;
  const int64_t left = b.count - before;
  return (pl_h5_block){b.total, b.first + before, left < s->piece_rows ? left : s->piece_rows};
}

/* The positions of those of n rows that are in a block. */
static int64_t rows_in(const int64_t *rows, int64_t n, const pl_h5_block *b, int64_t *first)
{
  *first = position_of(rows, n, b->first);
  return position_of(rows + *first, n - *first, b->first + b->count);
}

/* This rank's elements in the part of piece i that another rank writes. */
static int64_t elements_for(const pl_h5_row_source *s, int rank, int64_t i, int64_t *first)
{
  const pl_h5_block part = part_of(s, rank, i);
  return rows_in(s->routes->rows, s->routes->set->end[1], &part, first);
}

/* So many records from `first` on, in memory or written to the buffer. */
static const char *take_records(const pl_h5_row_source *s, int64_t first, int64_t count, char *buffer)
{
  if (!s->records.fill) return (const char *)s->records.values + (size_t)first * s->records.stride;
  s->records.fill(s->records.object, first, count, buffer);
  return buffer;
}

/* Records to their rows of the piece. */
static void place_records(const pl_h5_row_source *s, const pl_h5_block *piece, const int64_t *rows, int64_t n,
                          const char *records)
{
  const size_t stride = s->records.stride;
  for (int64_t k = 0, end; k < n; k = end) { /* rows without a gap at once */
    for (end = k + 1; end < n && rows[end] == rows[end - 1] + 1;) end++;
    const size_t bytes = (size_t)(end - k) * stride;
    memcpy(s->piece + (size_t)(rows[k] - piece->first) * stride, records, bytes);
    records += bytes;
  }
}

/* Where the rows of a rank for a piece are among those that it sends. */
static int64_t rows_from(const pl_h5_row_source *s, int rank, const pl_h5_block *piece, const int64_t **rows)
{
  const pl_h5_routes *r = s->routes;
  int64_t first;
  const int64_t start = r->came_start[rank];
  const int64_t n = rows_in(r->came + start, r->came_start[rank + 1] - start, piece, &first);
  *rows = r->came + start + first;
  return n;
}

static pl_err start_receiving(pl_h5_row_source *s, const pl_h5_block *piece)
{
  char *at = s->received;
  for (int rank = 0; rank < pl_ranks(s->pl); rank++) {
    const int64_t *rows;
    const size_t bytes = (size_t)rows_from(s, rank, piece, &rows) * s->records.stride;
    if (rank == pl_rank(s->pl) || !bytes) continue;
    PL_TRY(pl_messages_receive(s->pl, &s->messages, rank, at, bytes));
    at += bytes;
  }
  return PL_SUCCESS;
}

static pl_err start_sending(pl_h5_row_source *s, int64_t i)
{
  char *buffer = s->sent;
  for (int rank = 0; rank < pl_ranks(s->pl); rank++) {
    int64_t first;
    const int64_t n = elements_for(s, rank, i, &first);
    if (rank == pl_rank(s->pl) || !n) continue;
    const char *records = take_records(s, first, n, buffer);
    PL_TRY(pl_messages_send(s->pl, &s->messages, rank, records, (size_t)n * s->records.stride));
    buffer += records == buffer ? (size_t)n * s->records.stride : 0;
  }
  return PL_SUCCESS;
}

/* Own records, while those of others are on their way; their buffer is behind those that are sent. */
static void place_own(const pl_h5_row_source *s, int64_t i, const pl_h5_block *piece)
{
  int64_t first, sent = 0, unused;
  const int64_t n = elements_for(s, pl_rank(s->pl), i, &first);
  if (!n) return;
  for (int rank = 0; s->records.fill && rank < pl_ranks(s->pl); rank++)
    sent += rank == pl_rank(s->pl) ? 0 : elements_for(s, rank, i, &unused);
  const char *records = take_records(s, first, n, s->sent + (size_t)sent * s->records.stride);
  place_records(s, piece, s->routes->rows + first, n, records);
}

static void place_received(const pl_h5_row_source *s, const pl_h5_block *piece)
{
  const char *at = s->received;
  for (int rank = 0; rank < pl_ranks(s->pl); rank++) {
    const int64_t *rows, n = rows_from(s, rank, piece, &rows);
    if (rank == pl_rank(s->pl)) continue;
    place_records(s, piece, rows, n, at);
    at += (size_t)n * s->records.stride;
  }
}

static pl_err exchange_piece(pl_h5_row_source *s, int64_t i, const pl_h5_block *piece)
{
  PL_TRY(start_receiving(s, piece));
  PL_TRY(start_sending(s, i));
  place_own(s, i, piece);
  PL_TRY(pl_messages_wait(s->pl, &s->messages));
  place_received(s, piece);
  return PL_SUCCESS;
}

static pl_err next_piece(pl_h5_source *source, int64_t i, pl_h5_block *rows, const void **values)
{
  pl_h5_row_source *s = (pl_h5_row_source *)source;
  const int64_t first = i * s->piece_rows, left = s->block.count - first;
  if (s->routes) {
    *rows = part_of(s, pl_rank(s->pl), i);
    *values = s->piece;
    return exchange_piece(s, i, rows);
  }
  *rows = (pl_h5_block){s->block.total, s->block.first + first, left < s->piece_rows ? left : s->piece_rows};
  *values = take_records(s, first, rows->count, s->piece);
  return PL_SUCCESS;
}

/* ---- sources ---- */

static int64_t ceiling(int64_t a, int64_t b)
{
  return (a + b - 1) / b;
}

static void open_source(pl_context *pl, const pl_h5_records *records, const pl_h5_block *b,
                        pl_h5_row_source *s)
{
  const int64_t stride = (int64_t)records->stride, rows = stride && stride < PIECE ? PIECE / stride : 1;
  *s = (pl_h5_row_source){.base = {.stride = records->stride, .piece = next_piece},
                          .pl = pl,
                          .records = *records,
                          .block = *b,
                          .piece_rows = rows};
  s->base.pieces = stride ? ceiling(b->count, rows) : 0;
}

pl_err pl_h5_open_block(pl_context *pl, const pl_h5_block *b, const pl_h5_records *records,
                        pl_h5_row_source *s)
{
  open_source(pl, records, b, s);
  if (!records->fill) return PL_SUCCESS;
  const size_t bytes = (size_t)s->piece_rows * records->stride;
  s->piece = pl_malloc_array(pl, bytes);
  return pl_agree(pl, s->piece ? PL_SUCCESS : pl_fail_memory(pl, bytes));
}

/* The most records that this rank sends for a piece. */
static int64_t most_sent(const pl_h5_row_source *s)
{
  int64_t most = 0, first;
  for (int64_t i = 0; i < s->base.pieces; i++) {
    int64_t n = 0;
    for (int rank = 0; rank < pl_ranks(s->pl); rank++) n += elements_for(s, rank, i, &first);
    most = n > most ? n : most;
  }
  return most;
}

pl_err pl_h5_open_set(pl_context *pl, const pl_h5_routes *routes, const pl_h5_records *records,
                      pl_h5_row_source *s)
{
  if (routes->together) return pl_h5_open_block(pl, &routes->block, records, s);
  open_source(pl, records, &routes->block, s);
  s->routes = routes;
  if (records->stride)
    s->base.pieces = ceiling(pl_h5_block_of_rank(pl, s->block.total, 0).count, s->piece_rows);
  const size_t bytes = (size_t)s->piece_rows * records->stride;
  const size_t sent = records->fill ? (size_t)most_sent(s) * records->stride : 0;
  s->piece = pl_malloc_array(pl, bytes);
  s->received = pl_malloc_array(pl, bytes);
  s->sent = pl_malloc_array(pl, sent);
  const bool all = s->piece && s->received && s->sent;
  pl_err err = all ? PL_SUCCESS : pl_fail_memory(pl, 2 * bytes + sent);
  if (!err) err = pl_messages_reserve(pl, &s->messages, 2 * pl_ranks(pl));
  return pl_agree(pl, err);
}

void pl_h5_source_close(pl_h5_row_source *s)
{
  if (pl_messages_free(s->pl, &s->messages)) pl_free_arrays(s->pl, s->piece, s->sent, s->received);
}

pl_err pl_h5_source_sum(pl_context *pl, pl_h5_source *source, uint64_t *sum)
{
  *sum = 0;
  for (int64_t i = 0; i < source->pieces; i++) {
    pl_h5_block rows;
    const void *values;
    PL_TRY(source->piece(source, i, &rows, &values));
    *sum += pl_h5_checksum(&rows, source->stride, values);
  }
  return pl_comm_reduce(pl, PL_UINT64, PL_INC, sum, 1);
}

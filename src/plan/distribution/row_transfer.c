/* SPDX-License-Identifier: BSD-2-Clause
 * Row transfers in pieces.
 */
#include "row_transfer.h"
#include "core/context/memory.h"
#include "core/comm/comm.h"
#include "core/threads/threads.h"
#include <limits.h>
#include <string.h>

enum { PIECE = 4 << 20 }; /* bytes that a rank sends at a time */

pl_err pl_row_transfer_counts(pl_context *pl, pl_row_transfer *transfer)
{
  PL_TRY(pl_comm_counts(pl, transfer->count, transfer->received_count));
  transfer->nreceived = pl_count_sum(pl, transfer->received_count);
  return PL_SUCCESS;
}

typedef struct transfer_state {
  pl_context *pl;
  const pl_row_transfer *transfer;
  size_t stride;
  const char *rows;
  char *result, *send;
  int64_t most;                    /* rows of a rank in one piece */
  int64_t *begin, *received_begin; /* of each rank: its first row sent and received */
  int64_t *send_n, *received_n;    /* rows of this piece, by rank */
} transfer_state;

static char *received_row(const transfer_state *t, int64_t i)
{
  int64_t row = t->transfer->row ? t->transfer->row[i] : i;
  return t->result + (size_t)row * t->stride;
}

static const char *sent_row(const transfer_state *t, int64_t i)
{
  int64_t row = t->transfer->order ? t->transfer->order[i] : i;
  return t->rows + (size_t)row * t->stride;
}

/* Rows that stay on this rank are copied without a message. */
static void copy_own(transfer_state *t)
{
  const int me = pl_rank(t->pl);
  const int64_t n = t->transfer->count[me];
  const int threads = pl_plan_threads(INT_MAX, (size_t)n * t->stride / sizeof(int));
  PL_PARALLEL_FOR(threads)
  for (int64_t i = 0; i < n; i++)
    memcpy(received_row(t, t->received_begin[me] + i), sent_row(t, t->begin[me] + i), t->stride);
}

static int64_t rows_left(const transfer_state *t, int rank, int64_t piece)
{
  int64_t left = rank == pl_rank(t->pl) ? 0 : t->transfer->count[rank] - piece * t->most;
  return left < 0 ? 0 : left > t->most ? t->most : left;
}

static void pack(transfer_state *t, int64_t piece)
{
  char *to = t->send;
  for (int r = 0; r < pl_ranks(t->pl); r++) {
    t->send_n[r] = rows_left(t, r, piece);
    for (int64_t i = 0; i < t->send_n[r]; i++, to += t->stride)
      memcpy(to, sent_row(t, t->begin[r] + piece * t->most + i), t->stride);
  }
}

static void unpack(transfer_state *t, int64_t piece, const char *received)
{
  for (int r = 0; r < pl_ranks(t->pl); r++)
    for (int64_t i = 0; i < t->received_n[r]; i++, received += t->stride)
      memcpy(received_row(t, t->received_begin[r] + piece * t->most + i), received, t->stride);
}

static pl_err alloc_buffers(transfer_state *t)
{
  pl_context *pl = t->pl;
  const size_t ranks = (size_t)pl_ranks(pl);
  t->most = (int64_t)(PIECE / (t->stride + 1) / ranks) + 1;
  PL_TRY(PL_NEW(pl, t->begin, 4 * ranks));
  t->received_begin = t->begin + ranks;
  t->send_n = t->received_begin + ranks;
  t->received_n = t->send_n + ranks;
  int64_t room = 0;
  for (size_t r = 0; r < ranks; r++) {
    if (r) t->begin[r] = t->begin[r - 1] + t->transfer->count[r - 1];
    if (r) t->received_begin[r] = t->received_begin[r - 1] + t->transfer->received_count[r - 1];
    room += rows_left(t, (int)r, 0);
  }
  t->send = pl_malloc_array(pl, (size_t)room * t->stride);
  return t->send ? PL_SUCCESS : pl_fail_memory(pl, (size_t)room * t->stride);
}

static pl_err count_pieces(const transfer_state *t, int64_t *pieces)
{
  *pieces = 0;
  for (int r = 0; r < pl_ranks(t->pl); r++) {
    int64_t here = r == pl_rank(t->pl) ? 0 : (t->transfer->count[r] + t->most - 1) / t->most;
    if (here > *pieces) *pieces = here;
  }
  return pl_comm_reduce(t->pl, PL_INT64, PL_MAX, pieces, 1);
}

static pl_err transfer_pieces(transfer_state *t)
{
  int64_t pieces;
  PL_TRY(count_pieces(t, &pieces));
  copy_own(t);
  for (int64_t piece = 0; piece < pieces; piece++) {
    void *received;
    pack(t, piece);
    PL_TRY(pl_comm_all_to_all(t->pl, t->stride, t->send, t->send_n, &received, t->received_n));
    unpack(t, piece, received);
    pl_free_array(t->pl, received);
  }
  return PL_SUCCESS;
}

pl_err pl_row_transfer_run(pl_context *pl, const pl_row_transfer *transfer, size_t stride, const void *rows,
                           void *result)
{
  transfer_state t = {.pl = pl, .transfer = transfer, .stride = stride, .rows = rows, .result = result};
  pl_err err = pl_agree(pl, alloc_buffers(&t));
  if (!err) err = transfer_pieces(&t);
  pl_free(pl, t.begin);
  pl_free_array(pl, t.send);
  return err;
}

/* ---- ragged rows: their lengths, then their entries as rows of their own ---- */

typedef struct rows {
  int *length, *received_length; /* in the order sent; by row */
  int *offset;                   /* of the received rows */
  int64_t *entry;
  pl_row_transfer entries;
} rows;

static pl_err prepare_rows(pl_context *pl, const pl_row_transfer *transfer, const int *offset, rows *r)
{
  size_t ranks = (size_t)pl_ranks(pl), n = (size_t)transfer->n;
  PL_TRY(PL_NEW_ARRAY(pl, r->length, n));
  PL_TRY(PL_NEW_ARRAY(pl, r->received_length, (size_t)transfer->nreceived));
  PL_TRY(PL_NEW(pl, r->offset, (size_t)transfer->nreceived + 1));
  PL_TRY(PL_NEW(pl, r->entries.count, 2 * ranks));
  r->entries.received_count = r->entries.count + ranks;
  for (size_t rank = 0, i = 0; rank < ranks; rank++)
    for (size_t end = i + (size_t)transfer->count[rank]; i < end; i++) {
      int row = transfer->order[i], length = offset[row + 1] - offset[row];
      r->length[i] = length;
      r->entries.count[rank] += length;
      r->entries.n += length;
    }
  return PL_SUCCESS;
}

static pl_err find_offsets(pl_context *pl, const pl_row_transfer *transfer, rows *r)
{
  int64_t entries = 0;
  for (int64_t i = 0; i < transfer->nreceived; i++) {
    entries += r->received_length[i];
    if (entries > INT32_MAX)
      return pl_fail(pl, PL_ERR_RANGE, "a ragged map has more than %d entries on one rank; use more ranks",
                     INT32_MAX);
    r->offset[i + 1] = (int)entries;
  }
  r->entry = pl_malloc_array(pl, (size_t)entries * sizeof *r->entry);
  r->entries.order = pl_malloc_array(pl, (size_t)r->entries.n * sizeof(int));
  r->entries.row = pl_malloc_array(pl, (size_t)entries * sizeof(int));
  bool all = r->entry && r->entries.order && r->entries.row;
  return all ? PL_SUCCESS : pl_fail_memory(pl, (size_t)entries * sizeof *r->entry);
}

static void order_entries(const pl_row_transfer *transfer, const int *offset, rows *r)
{
  int *next = r->entries.order;
  for (int64_t i = 0; i < transfer->n; i++)
    for (int k = offset[transfer->order[i]]; k < offset[transfer->order[i] + 1]; k++) *next++ = k;
  next = r->entries.row;
  for (int64_t i = 0; i < transfer->nreceived; i++) {
    int64_t row = transfer->row ? transfer->row[i] : i;
    for (int k = r->offset[row]; k < r->offset[row + 1]; k++) *next++ = k;
  }
}

static pl_err transfer_ragged(pl_context *pl, const pl_row_transfer *transfer, const int *offset,
                              const int64_t *entry, rows *r)
{
  pl_row_transfer lengths = *transfer;
  lengths.order = NULL;
  PL_TRY(pl_agree(pl, prepare_rows(pl, transfer, offset, r)));
  PL_TRY(pl_row_transfer_run(pl, &lengths, sizeof *r->length, r->length, r->received_length));
  PL_TRY(pl_agree(pl, find_offsets(pl, transfer, r)));
  PL_TRY(pl_row_transfer_counts(pl, &r->entries));
  order_entries(transfer, offset, r);
  return pl_row_transfer_run(pl, &r->entries, sizeof *entry, entry, r->entry);
}

pl_err pl_row_transfer_run_ragged(pl_context *pl, const pl_row_transfer *transfer, const int *offset,
                                  const int64_t *entry, int **received_offset, int64_t **received)
{
  rows r = {.length = NULL};
  pl_err err = transfer_ragged(pl, transfer, offset, entry, &r);
  pl_free_arrays(pl, r.length, r.received_length);
  pl_free(pl, r.entries.count);
  pl_free_arrays(pl, r.entries.order, r.entries.row);
  if (err) {
    pl_free(pl, r.offset);
    pl_free_array(pl, r.entry);
  }
  *received_offset = err ? NULL : r.offset;
  *received = err ? NULL : r.entry;
  return err;
}

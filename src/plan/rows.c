/* SPDX-License-Identifier: BSD-2-Clause
 * Rows of ragged maps on their way: first their lengths, then their entries. See rows.h.
 */
#include "rows.h"
#include <string.h>

typedef struct rows {
  int64_t n, entries;
  int *length, *came_length;
  int64_t *send, *count, *came_count;
} rows;

static pl_err pack(pl_scratch *scratch, const int64_t *row, const int64_t *count, const int *offset,
                   const int64_t *far, rows *r)
{
  size_t ranks = (size_t)pl_ranks(scratch->pl);
  for (int64_t i = 0; i < r->n; i++) r->entries += offset[row[i] + 1] - offset[row[i]];
  r->length = pl_scratch_take(scratch, (size_t)r->n, sizeof *r->length);
  r->count = pl_scratch_take(scratch, ranks, sizeof *r->count);
  r->came_count = pl_scratch_take(scratch, ranks, sizeof *r->came_count);
  r->send = pl_malloc_array(scratch->pl, (size_t)r->entries * sizeof *r->send);
  if (!r->send) scratch->failed = true;
  PL_TRY(pl_agree(scratch->pl, pl_scratch_check(scratch)));
  int64_t *next = r->send, i = 0;
  for (size_t rank = 0; rank < ranks; rank++)
    for (int64_t end = i + count[rank]; i < end; i++) {
      r->length[i] = offset[row[i] + 1] - offset[row[i]];
      r->count[rank] += r->length[i];
      if (r->length[i]) memcpy(next, far + offset[row[i]], (size_t)r->length[i] * sizeof *next);
      next += r->length[i];
    }
  return PL_SUCCESS;
}

/* Where rows begin, from their lengths. */
static pl_err find_offsets(pl_context *pl, const rows *r, int **came_offset)
{
  int64_t n = 0, entries = 0;
  for (int rank = 0; rank < pl_ranks(pl); rank++) n += r->came_count[rank];
  int *offset = *came_offset = pl_calloc(pl, (size_t)n + 1, sizeof *offset);
  if (!offset) return pl_fail_memory(pl, (size_t)n * sizeof *offset);
  for (int64_t i = 0; i < n; i++) {
    entries += r->came_length[i];
    if (entries > INT32_MAX)
      return pl_fail(pl, PL_ERR_RANGE, "a ragged map has more than %d entries on one rank; use more ranks",
                     INT32_MAX);
    offset[i + 1] = (int)entries;
  }
  return PL_SUCCESS;
}

static pl_err exchange(pl_scratch *scratch, const int64_t *count, rows *r, int **came_offset, int64_t **came)
{
  pl_context *pl = scratch->pl;
  PL_TRY(pl_comm_exchange(pl, sizeof *r->length, r->length, count, (void **)&r->came_length, r->came_count));
  PL_TRY(pl_agree(pl, find_offsets(pl, r, came_offset)));
  return pl_comm_exchange(pl, sizeof *r->send, r->send, r->count, (void **)came, r->came_count);
}

pl_err pl_rows_send(pl_scratch *scratch, int64_t n, const int64_t *row, const int64_t *count,
                    const int *offset, const int64_t *far, int **came_offset, int64_t **came)
{
  pl_context *pl = scratch->pl;
  rows r = {.n = n};
  *came_offset = NULL;
  pl_err err = pack(scratch, row, count, offset, far, &r);
  if (!err) err = exchange(scratch, count, &r, came_offset, came);
  pl_free_array(pl, r.send);
  pl_free_array(pl, r.came_length);
  if (!err) return PL_SUCCESS;
  pl_free(pl, *came_offset);
  *came_offset = NULL;
  return err;
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Sends the rows of a dat to the ranks that fetch them: those that declared them, or, once elements
 * were added or removed, as many to each rank as it owns.
 */
#include "declared_rows.h"
#include "core/comm/comm.h"
#include "core/mesh/row_numbers.h"
#include "objects.h"
#include <string.h>

int pl_rows_fetched(const pl_set *set)
{
  return pl_ranks(set->node.pl) > 1 && set->declared >= 0 ? set->declared : set->end[1];
}

/* Rows are sent in user order, that of their numbers, so those for a rank are contiguous. */
typedef struct row_buffers {
  int64_t *first, *count, *received_count; /* of each rank; `first`: the first row that it fetches */
  int64_t *number, *received_number;
  char *rows, *received;
} row_buffers;

static pl_err alloc_buffers(const pl_dat *dat, row_buffers *p)
{
  pl_context *pl = dat->node.pl;
  size_t ranks = (size_t)pl_ranks(pl), bytes = (size_t)dat->set->end[1] * pl_dat_stride(dat);
  PL_TRY(PL_NEW(pl, p->first, 3 * ranks));
  PL_TRY(PL_NEW_ARRAY(pl, p->rows, bytes));
  p->count = p->first + ranks;
  p->received_count = p->count + ranks;
  return PL_SUCCESS;
}

static void free_buffers(pl_context *pl, row_buffers *p)
{
  pl_free(pl, p->first);
  pl_free_arrays(pl, p->number, p->rows, p->received_number, p->received);
}

static pl_err send_rows(pl_dat *dat, row_buffers *p, char *values)
{
  pl_context *pl = dat->node.pl;
  const pl_set *set = dat->set;
  size_t stride = pl_dat_stride(dat);
  int ranks = pl_ranks(pl);
  int64_t first;
  PL_TRY(pl_comm_scan(pl, pl_rows_fetched(set), &first, NULL));
  PL_TRY(pl_comm_gather(pl, &first, sizeof first, p->first));
  pl_to_user_order(set, set->end[1], stride, dat->storage.host, p->rows);
  for (int i = 0, r = 0; i < set->end[1]; i++) {
    while (r + 1 < ranks && p->first[r + 1] <= p->number[i]) r++;
    p->count[r]++;
  }
  PL_TRY(pl_comm_all_to_all(pl, sizeof *p->number, p->number, p->count, (void **)&p->received_number,
                            p->received_count));
  PL_TRY(pl_comm_all_to_all(pl, stride, p->rows, p->count, (void **)&p->received, p->received_count));
  int64_t n = pl_count_sum(pl, p->received_count);
  for (int64_t i = 0; i < n; i++)
    memcpy(values + (size_t)(p->received_number[i] - first) * stride, p->received + (size_t)i * stride,
           stride);
  return PL_SUCCESS;
}

pl_err pl_rows_fetch(pl_dat *dat, void *values)
{
  row_buffers p = {0};
  pl_err err = pl_row_numbers(dat->set, &p.number);
  if (!err) err = pl_agree(dat->node.pl, alloc_buffers(dat, &p));
  if (!err) err = send_rows(dat, &p, values);
  free_buffers(dat->node.pl, &p);
  return err;
}

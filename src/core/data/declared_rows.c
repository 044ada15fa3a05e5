/* SPDX-License-Identifier: BSD-2-Clause
 * Sends the rows of a dat to the ranks that declared them.
 */
#include "declared_rows.h"
#include "core/comm/comm.h"
#include "objects.h"
#include <string.h>

/* Rows are sent in user order, that of global indices, so those for a rank are contiguous. */
typedef struct row_buffers {
  int64_t *first, *count, *received_count; /* of each rank; `first`: its first declared row */
  int64_t *ids, *received_ids;
  char *rows, *received;
} row_buffers;

static pl_err alloc_buffers(const pl_dat *dat, row_buffers *p)
{
  pl_context *pl = dat->node.pl;
  size_t ranks = (size_t)pl_ranks(pl), n = (size_t)dat->set->end[1];
  p->first = pl_calloc(pl, 3 * ranks, sizeof *p->first);
  p->ids = pl_calloc(pl, n, sizeof *p->ids);
  p->rows = pl_malloc_array(pl, n * pl_dat_stride(dat));
  if (!p->first || !p->ids || !p->rows) return pl_fail_memory(pl, n * (pl_dat_stride(dat) + sizeof *p->ids));
  p->count = p->first + ranks;
  p->received_count = p->count + ranks;
  return PL_SUCCESS;
}

static void free_buffers(pl_context *pl, row_buffers *p)
{
  pl_free(pl, p->first);
  pl_free(pl, p->ids);
  pl_free_array(pl, p->rows);
  pl_free_array(pl, p->received_ids);
  pl_free_array(pl, p->received);
}

static pl_err send_rows(pl_dat *dat, row_buffers *p, char *values)
{
  pl_context *pl = dat->node.pl;
  const pl_set *set = dat->set;
  size_t stride = pl_dat_stride(dat);
  int ranks = pl_ranks(pl);
  PL_TRY(pl_comm_gather(pl, &set->first, sizeof set->first, p->first));
  pl_to_user_order(set, set->end[1], stride, dat->host, p->rows);
  for (int i = 0, r = 0; i < set->end[1]; i++) {
    p->ids[i] = pl_user_global_index(set, i);
    while (r + 1 < ranks && p->first[r + 1] <= p->ids[i]) r++;
    p->count[r]++;
  }
  PL_TRY(
    pl_comm_all_to_all(pl, sizeof *p->ids, p->ids, p->count, (void **)&p->received_ids, p->received_count));
  PL_TRY(pl_comm_all_to_all(pl, stride, p->rows, p->count, (void **)&p->received, p->received_count));
  int64_t n = pl_count_sum(pl, p->received_count);
  if (set->global_size < set->global_end)
    memset(values, 0, (size_t)set->declared * stride); /* some elements were removed */
  for (int64_t i = 0; i < n; i++) {
    int64_t row = p->received_ids[i] - set->first;
    if (row < set->declared) /* not an element added later */
      memcpy(values + (size_t)row * stride, p->received + (size_t)i * stride, stride);
  }
  return PL_SUCCESS;
}

pl_err pl_rows_fetch(pl_dat *dat, void *values)
{
  row_buffers p = {0};
  pl_err err = pl_agree(dat->node.pl, alloc_buffers(dat, &p));
  if (!err) err = send_rows(dat, &p, values);
  free_buffers(dat->node.pl, &p);
  return err;
}

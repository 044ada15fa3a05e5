/* SPDX-License-Identifier: BSD-2-Clause
 * Rows that other ranks own.
 */
#include "remote_rows.h"
#include "core/comm/comm.h"
#include "core/context/memory.h"
#include "user_order.h"
#include <string.h>

pl_err pl_finder_open(const pl_set *set, size_t stride, const void *rows, pl_finder *finder)
{
  pl_context *pl = set->node.pl;
  size_t n = (size_t)set->end[1];
  *finder = (pl_finder){.set = set, .stride = stride, .rows = rows};
  bool plain = set->global && !set->user_order;
  if (!plain) finder->ids = pl_malloc_array(pl, (n + 1) * sizeof *finder->ids);
  pl_err err = plain || finder->ids ? PL_SUCCESS : pl_fail_memory(pl, n * sizeof *finder->ids);
  for (size_t i = 0; !err && !plain && i < n; i++) finder->ids[i] = pl_user_global_index(set, (int)i);
  if (!err) err = pl_lookup_make(pl, plain ? set->global : finder->ids, (int64_t)n, &finder->own);
  PL_TRY(pl_agree(pl, err));
  return pl_directory_of(set, &finder->directory);
}

void pl_finder_close(pl_finder *finder)
{
  pl_context *pl = finder->set->node.pl;
  pl_directory_free(pl, &finder->directory);
  pl_lookup_free(pl, &finder->own);
  pl_free_array(pl, finder->ids);
}

typedef struct row_request {
  pl_rank_sort sort;
  int64_t *wanted, *received_ids;
  char *replies, *rows;
  int64_t n; /* wanted */
} row_request;

static void free_request(pl_context *pl, row_request *q)
{
  pl_rank_sort_free(pl, &q->sort);
  pl_free_arrays(pl, q->wanted, q->received_ids, q->replies, q->rows);
}

/* Lists the ids of rows that this rank does not own. */
static pl_err make_request(const pl_finder *f, int64_t n, const int64_t *ids, row_request *q)
{
  pl_context *pl = f->set->node.pl;
  int64_t items = 0;
  for (int64_t i = 0; i < n; i++) items += ids[i] >= 0 && pl_lookup_find(&f->own, ids[i]) < 0;
  PL_TRY(pl_rank_sort_alloc(pl, items, &q->sort));
  PL_TRY(PL_NEW_ARRAY(pl, q->wanted, 2 * (size_t)items));
  for (int64_t i = 0; i < n; i++)
    if (ids[i] >= 0 && pl_lookup_find(&f->own, ids[i]) < 0) q->wanted[q->n++] = ids[i];
  return PL_SUCCESS;
}

static pl_err exchange_rows(const pl_finder *f, row_request *q)
{
  pl_context *pl = f->set->node.pl;
  pl_rank_sort *sort = &q->sort;
  int64_t *sorted = q->wanted + q->n;
  PL_TRY(pl_directory_find(pl, &f->directory, q->n, q->wanted, sort->rank));
  pl_sort_by_rank(pl, q->n, sort->rank, sort->count, sort->order);
  for (int64_t i = 0; i < q->n; i++) sorted[i] = q->wanted[sort->order[i]];
  PL_TRY(pl_comm_all_to_all(pl, sizeof *sorted, sorted, sort->count, (void **)&q->received_ids,
                            sort->received_count));
  int64_t n = pl_count_sum(pl, sort->received_count);
  q->replies = pl_malloc_array(pl, (size_t)n * f->stride);
  PL_TRY(pl_agree(pl, q->replies ? PL_SUCCESS : pl_fail_memory(pl, (size_t)n * f->stride)));
  for (int64_t i = 0; i < n; i++)
    memcpy(q->replies + (size_t)i * f->stride,
           f->rows + (size_t)pl_lookup_find(&f->own, q->received_ids[i]) * f->stride, f->stride);
  return pl_comm_all_to_all(pl, f->stride, q->replies, sort->received_count, (void **)&q->rows, sort->count);
}

pl_err pl_finder_ask(const pl_finder *f, int64_t n, const int64_t *ids, void *result)
{
  pl_context *pl = f->set->node.pl;
  const size_t stride = f->stride;
  row_request q = {.n = 0};
  pl_err err = pl_agree(pl, make_request(f, n, ids, &q));
  if (!err) err = exchange_rows(f, &q);
  char *found = err || !n ? NULL : memset(result, 0xff, (size_t)n * stride);
  /* Row p is for wanted[order[p]]; sort.rank now holds the inverse of `order`. */
  for (int64_t p = 0; found && p < q.n; p++) q.sort.rank[q.sort.order[p]] = (int)p;
  for (int64_t i = 0, j = 0; found && i < n; i++) {
    if (ids[i] < 0) continue;
    int64_t own = pl_lookup_find(&f->own, ids[i]);
    const char *row = own < 0 ? q.rows + (size_t)q.sort.rank[j++] * stride : f->rows + (size_t)own * stride;
    memcpy(found + (size_t)i * stride, row, stride);
  }
  free_request(pl, &q);
  return err;
}

pl_err pl_rows_find(const pl_set *set, size_t stride, const void *rows, int64_t n, const int64_t *ids,
                    void *result)
{
  pl_finder finder;
  pl_err err = pl_finder_open(set, stride, rows, &finder);
  if (!err) err = pl_finder_ask(&finder, n, ids, result);
  pl_finder_close(&finder);
  return err;
}

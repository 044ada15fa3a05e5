/* SPDX-License-Identifier: BSD-2-Clause
 * Rows that other ranks own.
 */
#include "remote_rows.h"
#include "core/comm/comm.h"
#include "core/context/memory.h"
#include "core/threads/threads.h"
#include "user_order.h"
#include <string.h>

pl_err pl_finder_open(const pl_set *set, size_t stride, const void *rows, pl_finder *finder)
{
  pl_context *pl = set->node.pl;
  size_t n = (size_t)set->end[1];
  *finder = (pl_finder){.set = set, .stride = stride, .rows = rows, .own.last = -1};
  finder->consecutive = !set->global && !set->user_order;
  bool plain = finder->consecutive || (set->global && !set->user_order);
  if (!plain) finder->ids = pl_malloc_array(pl, (n + 1) * sizeof *finder->ids);
  pl_err err = plain || finder->ids ? PL_SUCCESS : pl_fail_memory(pl, n * sizeof *finder->ids);
  for (size_t i = 0; !err && !plain && i < n; i++) finder->ids[i] = pl_user_global_index(set, (int)i);
  if (!err && !finder->consecutive)
    err = pl_lookup_make(pl, plain ? set->global : finder->ids, (int64_t)n, &finder->own);
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

enum { CHUNK = 1 << 10 }; /* ids that one thread looks up after each other */

typedef struct row_request {
  const pl_finder *finder;
  int64_t nids;
  const int64_t *ids;
  pl_rank_sort sort;
  int64_t *wanted, *received_ids;
  char *replies, *rows;
  int64_t n; /* wanted */
  int nchunks, threads;
  int64_t *before; /* of each chunk, and of their end: the wanted ids before it */
} row_request;

static void free_request(pl_context *pl, row_request *q)
{
  pl_rank_sort_free(pl, &q->sort);
  pl_free_arrays(pl, q->wanted, q->received_ids, q->replies, q->rows);
  pl_free(pl, q->before);
}

/* The row of an id on this rank; -1: it has none. */
static int64_t own_row(const pl_finder *f, int64_t id)
{
  const int64_t row = id - f->set->first;
  if (!f->consecutive) return pl_lookup_find(&f->own, id);
  return row >= 0 && row < f->set->end[1] ? row : -1;
}

static bool is_remote(const pl_finder *f, int64_t id)
{
  return id >= 0 && own_row(f, id) < 0;
}

static int64_t chunk_end(const row_request *q, int c)
{
  const int64_t end = ((int64_t)c + 1) * CHUNK;
  return end < q->nids ? end : q->nids;
}

static void count_chunk(row_request *q, int c)
{
  for (int64_t i = (int64_t)c * CHUNK; i < chunk_end(q, c); i++)
    q->before[c + 1] += is_remote(q->finder, q->ids[i]);
}

static void list_chunk(row_request *q, int c)
{
  int64_t at = q->before[c];
  for (int64_t i = (int64_t)c * CHUNK; at < q->before[c + 1]; i++)
    if (is_remote(q->finder, q->ids[i])) q->wanted[at++] = q->ids[i];
}

/* Lists the ids of rows that this rank does not own. */
static pl_err make_request(row_request *q)
{
  pl_context *pl = q->finder->set->node.pl;
  q->nchunks = (int)((q->nids + CHUNK - 1) / CHUNK);
  q->threads = pl_mesh_threads(pl, (size_t)q->nids);
  PL_TRY(PL_NEW(pl, q->before, (size_t)q->nchunks + 1));
  PL_PARALLEL_FOR(q->threads)
  for (int c = 0; c < q->nchunks; c++) count_chunk(q, c);
  for (int c = 0; c < q->nchunks; c++) q->before[c + 1] += q->before[c];
  q->n = q->before[q->nchunks];
  PL_TRY(pl_rank_sort_alloc(pl, q->n, &q->sort));
  PL_TRY(PL_NEW_ARRAY(pl, q->wanted, 2 * (size_t)q->n));
  PL_PARALLEL_FOR(q->threads)
  for (int c = 0; c < q->nchunks; c++) list_chunk(q, c);
  return PL_SUCCESS;
}

static pl_err exchange_rows(row_request *q)
{
  const pl_finder *f = q->finder;
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
    memcpy(q->replies + (size_t)i * f->stride, f->rows + (size_t)own_row(f, q->received_ids[i]) * f->stride,
           f->stride);
  return pl_comm_all_to_all(pl, f->stride, q->replies, sort->received_count, (void **)&q->rows, sort->count);
}

/* Missing rows have all bits set. sort.rank holds where the row of each wanted id is. */
static void copy_chunk(const row_request *q, int c, char *result)
{
  const pl_finder *f = q->finder;
  const size_t stride = f->stride;
  int64_t remote = q->before[c];
  for (int64_t i = (int64_t)c * CHUNK; i < chunk_end(q, c); i++) {
    const int64_t own = q->ids[i] < 0 ? -1 : own_row(f, q->ids[i]);
    char *to = result + (size_t)i * stride;
    if (own >= 0)
      memcpy(to, f->rows + (size_t)own * stride, stride);
    else if (q->ids[i] >= 0)
      memcpy(to, q->rows + (size_t)q->sort.rank[remote++] * stride, stride);
    else
      memset(to, 0xff, stride);
  }
}

pl_err pl_finder_ask(const pl_finder *f, int64_t n, const int64_t *ids, void *result)
{
  pl_context *pl = f->set->node.pl;
  row_request q = {.finder = f, .nids = n, .ids = ids, .threads = 1};
  pl_err err = pl_agree(pl, make_request(&q));
  if (!err) err = exchange_rows(&q);
  for (int64_t p = 0; !err && p < q.n; p++) q.sort.rank[q.sort.order[p]] = (int)p;
  PL_PARALLEL_FOR(q.threads)
  for (int c = 0; c < (err ? 0 : q.nchunks); c++) copy_chunk(&q, c, result);
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

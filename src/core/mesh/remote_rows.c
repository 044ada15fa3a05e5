/* SPDX-License-Identifier: BSD-2-Clause
 * Rows that other ranks hold. See fetch.h.
 */
#include "fetch.h"
#include <string.h>

/* ---- to where they were declared ---- */

/* Rows leave in the order of the view, which is that of global indices, so those of a rank lie together. */
typedef struct parcel {
  int64_t *first; /* of each rank's declared rows */
  int64_t *count, *came_count, *ids, *came_ids;
  char *rows, *came;
} parcel;

static pl_err make_parcel(const pl_dat *dat, parcel *p)
{
  pl_context *pl = dat->node.pl;
  size_t ranks = (size_t)pl_ranks(pl), n = (size_t)dat->set->part[1];
  p->first = pl_calloc(pl, ranks, sizeof *p->first);
  p->count = pl_calloc(pl, ranks, sizeof *p->count);
  p->came_count = pl_calloc(pl, ranks, sizeof *p->came_count);
  p->ids = pl_calloc(pl, n, sizeof *p->ids);
  p->rows = pl_malloc_array(pl, n * pl_dat_stride(dat));
  bool all = p->first && p->count && p->came_count && p->ids && p->rows;
  return all ? PL_SUCCESS : pl_fail_memory(pl, n * (pl_dat_stride(dat) + sizeof *p->ids));
}

static void free_parcel(pl_context *pl, parcel *p)
{
  pl_free(pl, p->first);
  pl_free(pl, p->count);
  pl_free(pl, p->came_count);
  pl_free(pl, p->ids);
  pl_free_array(pl, p->rows);
  pl_free_array(pl, p->came_ids);
  pl_free_array(pl, p->came);
}

static pl_err send_parcel(pl_dat *dat, parcel *p, char *values)
{
  pl_context *pl = dat->node.pl;
  const pl_set *set = dat->set;
  size_t stride = pl_dat_stride(dat);
  int ranks = pl_ranks(pl);
  PL_TRY(pl_comm_gather(pl, &set->first, sizeof set->first, p->first));
  pl_view_out(set, set->part[1], stride, dat->host, p->rows);
  for (int i = 0, r = 0; i < set->part[1]; i++) {
    p->ids[i] = pl_view_number(set, i);
    while (r + 1 < ranks && p->first[r + 1] <= p->ids[i]) r++;
    p->count[r]++;
  }
  PL_TRY(pl_comm_exchange(pl, sizeof *p->ids, p->ids, p->count, (void **)&p->came_ids, p->came_count));
  PL_TRY(pl_comm_exchange(pl, stride, p->rows, p->count, (void **)&p->came, p->came_count));
  int64_t came = pl_count_sum(pl, p->came_count);
  if (set->all < set->ids) memset(values, 0, (size_t)set->declared * stride); /* some left for ever */
  for (int64_t i = 0; i < came; i++) {
    int64_t row = p->came_ids[i] - set->first;
    if (row < set->declared) /* others were added later */
      memcpy(values + (size_t)row * stride, p->came + (size_t)i * stride, stride);
  }
  return PL_SUCCESS;
}

pl_err pl_rows_fetch(pl_dat *dat, void *values)
{
  parcel p = {0};
  pl_err err = pl_agree(dat->node.pl, make_parcel(dat, &p));
  if (!err) err = send_parcel(dat, &p, values);
  free_parcel(dat->node.pl, &p);
  return err;
}

/* ---- by global index ---- */

pl_err pl_finder_open(const pl_set *set, size_t stride, const void *rows, pl_finder *finder)
{
  pl_context *pl = set->node.pl;
  size_t n = (size_t)set->part[1];
  *finder = (pl_finder){.set = set, .stride = stride, .rows = rows};
  bool there = set->global && !set->view;
  if (!there) finder->ids = pl_malloc_array(pl, (n + 1) * sizeof *finder->ids);
  pl_err err = there || finder->ids ? PL_SUCCESS : pl_fail_memory(pl, n * sizeof *finder->ids);
  for (size_t i = 0; !err && !there && i < n; i++) finder->ids[i] = pl_view_number(set, (int)i);
  if (!err) err = pl_lookup_make(pl, there ? set->global : finder->ids, (int64_t)n, &finder->own);
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

typedef struct enquiry {
  int *owner;
  int64_t *wanted, *order, *count, *came_count, *asked;
  char *replies, *came;
  int64_t n; /* wanted */
} enquiry;

static void free_enquiry(pl_context *pl, enquiry *q)
{
  pl_free(pl, q->owner);
  pl_free(pl, q->wanted);
  pl_free(pl, q->order);
  pl_free(pl, q->count);
  pl_free(pl, q->came_count);
  pl_free_array(pl, q->asked);
  pl_free_array(pl, q->replies);
  pl_free_array(pl, q->came);
}

/* Only what this rank does not hold itself is asked for. */
static pl_err make_enquiry(const pl_finder *f, int64_t n, const int64_t *ids, enquiry *q)
{
  pl_context *pl = f->set->node.pl;
  size_t ranks = (size_t)pl_ranks(pl), items = 0;
  for (int64_t i = 0; i < n; i++) items += ids[i] >= 0 && pl_lookup_find(&f->own, ids[i]) < 0;
  q->owner = pl_calloc(pl, items, sizeof *q->owner);
  q->wanted = pl_calloc(pl, 2 * items, sizeof *q->wanted);
  q->order = pl_calloc(pl, items, sizeof *q->order);
  q->count = pl_calloc(pl, ranks, sizeof *q->count);
  q->came_count = pl_calloc(pl, ranks, sizeof *q->came_count);
  if (!q->owner || !q->wanted || !q->order || !q->count || !q->came_count)
    return pl_fail_memory(pl, items * sizeof *q->wanted);
  for (int64_t i = 0; i < n; i++)
    if (ids[i] >= 0 && pl_lookup_find(&f->own, ids[i]) < 0) q->wanted[q->n++] = ids[i];
  return PL_SUCCESS;
}

static pl_err ask(const pl_finder *f, enquiry *q)
{
  pl_context *pl = f->set->node.pl;
  int64_t *sorted = q->wanted + q->n;
  PL_TRY(pl_directory_find(pl, &f->directory, q->n, q->wanted, q->owner));
  pl_sort_by_rank(pl, q->n, q->owner, q->count, q->order);
  for (int64_t i = 0; i < q->n; i++) sorted[i] = q->wanted[q->order[i]];
  PL_TRY(pl_comm_exchange(pl, sizeof *sorted, sorted, q->count, (void **)&q->asked, q->came_count));
  int64_t asked = pl_count_sum(pl, q->came_count);
  q->replies = pl_malloc_array(pl, (size_t)asked * f->stride);
  PL_TRY(pl_agree(pl, q->replies ? PL_SUCCESS : pl_fail_memory(pl, (size_t)asked * f->stride)));
  for (int64_t i = 0; i < asked; i++)
    memcpy(q->replies + (size_t)i * f->stride,
           f->rows + (size_t)pl_lookup_find(&f->own, q->asked[i]) * f->stride, f->stride);
  return pl_comm_exchange(pl, f->stride, q->replies, q->came_count, (void **)&q->came, q->count);
}

pl_err pl_finder_ask(const pl_finder *f, int64_t n, const int64_t *ids, void *result)
{
  pl_context *pl = f->set->node.pl;
  const size_t stride = f->stride;
  enquiry q = {.n = 0};
  pl_err err = pl_agree(pl, make_enquiry(f, n, ids, &q));
  if (!err) err = ask(f, &q);
  char *found = err || !n ? NULL : memset(result, 0xff, (size_t)n * stride);
  /* wanted[j] came at the place p with order[p] = j; the owners' array serves for the inverse */
  for (int64_t p = 0; found && p < q.n; p++) q.owner[q.order[p]] = (int)p;
  for (int64_t i = 0, j = 0; found && i < n; i++) {
    if (ids[i] < 0) continue;
    int64_t own = pl_lookup_find(&f->own, ids[i]);
    const char *row = own < 0 ? q.came + (size_t)q.owner[j++] * stride : f->rows + (size_t)own * stride;
    memcpy(found + (size_t)i * stride, row, stride);
  }
  free_enquiry(pl, &q);
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

/* SPDX-License-Identifier: BSD-2-Clause
 * Lists of single values of a matrix.
 */
#include "entries.h"
#include "core/comm/comm.h"
#include "core/context/memory.h"
#include "core/mesh/owner_directory.h"
#include <string.h>

static pl_err grow(pl_context *pl, pl_entries *entries)
{
  const int64_t room = entries->room ? 2 * entries->room : 256;
  pl_entry *grown;
  PL_TRY(PL_NEW_ARRAY(pl, grown, (size_t)room));
  if (entries->n) memcpy(grown, entries->entry, (size_t)entries->n * sizeof *grown);
  pl_free_array(pl, entries->entry);
  entries->entry = grown;
  entries->room = room;
  return PL_SUCCESS;
}

pl_err pl_entries_add(pl_context *pl, pl_entries *entries, const pl_entry *entry)
{
  if (entries->n == entries->room) PL_TRY(grow(pl, entries));
  entries->entry[entries->n++] = *entry;
  return PL_SUCCESS;
}

void pl_entries_free(pl_context *pl, pl_entries *entries)
{
  pl_free_array(pl, entries->entry);
  *entries = (pl_entries){0};
}

/* ---- sorting ---- */

static bool is_after(const pl_entry *a, const pl_entry *b)
{
  return a->row != b->row ? a->row > b->row : a->column > b->column;
}

/* Merges two sorted parts, begin to middle - 1 and middle to end - 1. */
static void merge(const pl_entry *from, int64_t begin, int64_t middle, int64_t end, pl_entry *to)
{
  int64_t a = begin, b = middle;
  for (int64_t k = begin; k < end; k++)
    to[k] = a < middle && (b == end || !is_after(&from[a], &from[b])) ? from[a++] : from[b++];
}

pl_err pl_entries_sort(pl_context *pl, pl_entries *entries)
{
  const int64_t n = entries->n;
  pl_entry *from = entries->entry, *to;
  PL_TRY(PL_NEW_ARRAY(pl, to, (size_t)n + 1));
  for (int64_t width = 1; width < n; width *= 2) {
    for (int64_t begin = 0; begin < n; begin += 2 * width) {
      const int64_t middle = begin + width < n ? begin + width : n;
      merge(from, begin, middle, middle + width < n ? middle + width : n, to);
    }
    pl_entry *merged = to;
    to = from;
    from = merged;
  }
  pl_free_array(pl, to);
  entries->entry = from;
  entries->room = n;
  return PL_SUCCESS;
}

/* ---- sending ---- */

/* Sends each entry to the rank in sort->rank. */
static pl_err send_entries(pl_context *pl, pl_rank_sort *sort, pl_entries *entries)
{
  pl_entry *sorted, *received = NULL;
  PL_TRY(pl_agree(pl, PL_NEW_ARRAY(pl, sorted, (size_t)entries->n + 1)));
  pl_sort_by_rank(pl, entries->n, sort->rank, sort->count, sort->order);
  for (int64_t i = 0; i < entries->n; i++) sorted[i] = entries->entry[sort->order[i]];
  pl_err err =
    pl_comm_all_to_all(pl, sizeof *sorted, sorted, sort->count, (void **)&received, sort->received_count);
  pl_free_array(pl, sorted);
  PL_TRY(err);
  pl_free_array(pl, entries->entry);
  entries->entry = received;
  entries->n = entries->room = pl_count_sum(pl, sort->received_count);
  return PL_SUCCESS;
}

static pl_err find_owners(const pl_set *set, int dim, const pl_entries *entries, int *rank)
{
  pl_context *pl = set->node.pl;
  pl_directory directory = {0};
  int64_t *ids;
  PL_TRY(pl_agree(pl, PL_NEW_ARRAY(pl, ids, (size_t)entries->n + 1)));
  for (int64_t i = 0; i < entries->n; i++) ids[i] = entries->entry[i].row / dim;
  pl_err err = pl_directory_of(set, &directory);
  if (!err) err = pl_directory_find(pl, &directory, entries->n, ids, rank);
  pl_directory_free(pl, &directory);
  pl_free_array(pl, ids);
  return err;
}

pl_err pl_entries_to_owners(const pl_set *set, int dim, pl_entries *entries)
{
  pl_context *pl = set->node.pl;
  pl_rank_sort sort = {0};
  if (pl_ranks(pl) == 1) return PL_SUCCESS;
  pl_err err = pl_agree(pl, pl_rank_sort_alloc(pl, entries->n, &sort));
  if (!err) err = find_owners(set, dim, entries, sort.rank);
  if (!err) err = send_entries(pl, &sort, entries);
  pl_rank_sort_free(pl, &sort);
  return err;
}

pl_err pl_entries_to_blocks(pl_context *pl, int64_t block, pl_entries *entries)
{
  pl_rank_sort sort = {0};
  if (pl_ranks(pl) == 1) return PL_SUCCESS;
  pl_err err = pl_agree(pl, pl_rank_sort_alloc(pl, entries->n, &sort));
  for (int64_t i = 0; !err && i < entries->n; i++) sort.rank[i] = (int)(entries->entry[i].row / block);
  if (!err) err = send_entries(pl, &sort, entries);
  pl_rank_sort_free(pl, &sort);
  return err;
}

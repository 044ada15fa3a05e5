/* SPDX-License-Identifier: BSD-2-Clause
 * Rows of files and fetched values: elements in the order of their global indices. Indices have gaps once
 * elements were removed; rows have none.
 */
#include "row_numbers.h"
#include "core/comm/comm.h"
#include "core/context/memory.h"
#include "owner_directory.h"
#include "user_order.h"
#include <string.h>

int64_t pl_row_count(const pl_set *set)
{
  return pl_ranks(set->node.pl) > 1 ? set->global_size : set->end[1];
}

static int compare_ids(const void *a, const void *b)
{
  const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

/* Replaces ids, all those of a range of ids, by their rows; the lower ranks have the lower ranges. */
static pl_err number_ids(pl_context *pl, int64_t n, int64_t *ids)
{
  int64_t before;
  int64_t *sorted = pl_malloc_array(pl, (size_t)n * sizeof *sorted);
  pl_err err = pl_agree(pl, sorted ? PL_SUCCESS : pl_fail_memory(pl, (size_t)n * sizeof *sorted));
  if (!err) err = pl_comm_scan(pl, n, &before, NULL);
  if (!err && n) {
    memcpy(sorted, ids, (size_t)n * sizeof *ids);
    qsort(sorted, (size_t)n, sizeof *sorted, compare_ids);
    for (int64_t i = 0; i < n; i++) ids[i] = before + pl_find_ascending(sorted, n, ids[i]);
  }
  pl_free_array(pl, sorted);
  return err;
}

/* Replaces this rank's ascending ids by rows: each range of ids is numbered by one rank. */
static pl_err close_gaps(const pl_set *set, int64_t *count, int64_t *rows)
{
  pl_context *pl = set->node.pl;
  const int ranks = pl_ranks(pl), n = set->end[1];
  int64_t least = n ? rows[0] : set->global_end, *received_count = count + ranks;
  void *received = NULL, *answers = NULL;
  PL_TRY(pl_comm_reduce(pl, PL_INT64, PL_MIN, &least, 1));
  const int64_t block = (set->global_end - least + ranks) / ranks;
  for (int i = 0; i < n; i++) count[(rows[i] - least) / block]++;
  pl_err err = pl_comm_all_to_all(pl, sizeof *rows, rows, count, &received, received_count);
  if (!err) err = number_ids(pl, pl_count_sum(pl, received_count), received);
  if (!err) err = pl_comm_all_to_all(pl, sizeof *rows, received, received_count, &answers, count);
  if (!err && n) memcpy(rows, answers, (size_t)n * sizeof *rows);
  pl_free_arrays(pl, received, answers);
  return err;
}

pl_err pl_row_numbers(const pl_set *set, int64_t **result)
{
  pl_context *pl = set->node.pl;
  const bool several = pl_ranks(pl) > 1;
  const size_t n = (size_t)set->end[1];
  int64_t *rows = pl_malloc_array(pl, n * sizeof *rows);
  int64_t *count = pl_calloc(pl, 2 * (size_t)pl_ranks(pl), sizeof *count);
  pl_err err = pl_agree(pl, rows && count ? PL_SUCCESS : pl_fail_memory(pl, n * sizeof *rows));
  for (size_t i = 0; !err && i < n; i++) rows[i] = several ? pl_user_global_index(set, (int)i) : (int64_t)i;
  if (!err && several && set->global_size != set->global_end) err = close_gaps(set, count, rows);
  pl_free(pl, count);
  if (err) pl_free_array(pl, rows);
  *result = err ? NULL : rows;
  return err;
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Maps by global indices.
 */
#include "global_map.h"
#include "core/comm/comm.h"
#include "core/context/memory.h"
#include "core/threads/threads.h"
#include "map.h"
#include "user_order.h"

static pl_err reject_entry(const pl_set *from, const pl_set *to, int row, int entry, int64_t value,
                           bool ragged, const char *name)
{
  return pl_fail(from->node.pl, PL_ERR_RANGE,
                 "map \"%s\": target %d of element %lld is %lld, but set \"%s\" has only %lld elements%s",
                 name, entry, (long long)pl_user_global_index(from, row), (long long)value, to->node.name,
                 (long long)to->global_size, ragged ? "; leave out entries without a target" : "");
}

/* A negative entry means no target; ragged maps omit such entries. */
static bool is_wrong(const pl_set *to, bool ragged, int64_t target)
{
  return target >= to->global_size || (ragged && target < 0);
}

static pl_err check_entries(const pl_set *from, const pl_set *to, int arity, const int *offset,
                            const int64_t *index, const char *name)
{
  const size_t n = offset ? (size_t)offset[from->end[1]] : (size_t)from->end[1] * (size_t)arity;
  const int threads = pl_mesh_threads(from->node.pl, n);
  const bool ragged = offset != NULL;
  int64_t wrong = 0;
  PL_PARALLEL_SUM(threads, wrong)
  for (size_t k = 0; k < n; k++) wrong += is_wrong(to, ragged, index[k]);
  for (int i = 0; wrong && i < from->end[1]; i++) {
    size_t begin = ragged ? (size_t)offset[i] : (size_t)i * (size_t)arity;
    size_t end = ragged ? (size_t)offset[i + 1] : begin + (size_t)arity;
    for (size_t k = begin; k < end; k++)
      if (is_wrong(to, ragged, index[k]))
        return reject_entry(from, to, i, (int)(k - begin), index[k], ragged, name);
  }
  return PL_SUCCESS;
}

pl_err pl_global_map_enter(pl_set *from, pl_set *to, int arity, int *offset, int64_t *index, const char *name,
                           pl_map **result)
{
  pl_context *pl = from->node.pl;
  pl_map *map = NULL;
  pl_err err =
    index ? check_entries(from, to, arity, offset, index, name) : pl_fail_memory(pl, sizeof *index);
  if (!err) err = pl_map_new(from, to, offset, NULL, name, &map);
  err = pl_agree(pl, err);
  if (!err) {
    map->arity = arity;
    map->global_index = index;
    *result = map;
    return PL_SUCCESS;
  }
  if (map) {
    map->offset = NULL;
    pl_map_destroy(&map->node);
  }
  pl_free(pl, offset);
  pl_free_array(pl, index);
  return err;
}

int64_t *pl_global_map_new(pl_context *pl, size_t n, int arity)
{
  return pl_malloc_array(pl, n * (size_t)arity * sizeof(int64_t));
}

/* The stored row of the i-th owned element in user order. */
static int row_at(const pl_map *map, int i)
{
  return map->global_index ? i : pl_user_to_storage(map->from, i);
}

static size_t row_length(const pl_map *map, int row)
{
  return pl_map_begin(map, (size_t)row + 1) - pl_map_begin(map, (size_t)row);
}

int *pl_global_map_offsets(const pl_map *map)
{
  size_t n = (size_t)map->from->end[1];
  int *offset = pl_calloc(map->node.pl, n + 1, sizeof *offset);
  if (!offset) return pl_fail_memory(map->node.pl, (n + 1) * sizeof *offset), NULL;
  for (size_t i = 0; i < n; i++) offset[i + 1] = offset[i] + (int)row_length(map, row_at(map, (int)i));
  return offset;
}

/* The targets of the i-th owned element in user order; returns the end of the row in `index`. */
static int64_t *copy_row(const pl_map *map, int i, int64_t *index)
{
  const size_t row = (size_t)row_at(map, i);
  for (size_t k = pl_map_begin(map, row); k < pl_map_begin(map, row + 1); k++)
    *index++ = map->global_index   ? map->global_index[k]
               : map->index[k] < 0 ? -1
                                   : pl_element_global_index(map->to, map->index[k]);
  return index;
}

void pl_global_map_rows(const pl_map *map, int first, int count, int64_t *index)
{
  for (int i = first; i < first + count; i++) index = copy_row(map, i, index);
}

int64_t *pl_global_map_copy(const pl_map *map)
{
  size_t n = 0;
  for (int i = 0; i < map->from->end[1]; i++) n += row_length(map, row_at(map, i));
  int64_t *index = pl_malloc_array(map->node.pl, n * sizeof *index);
  if (!index) return pl_fail_memory(map->node.pl, n * sizeof *index), NULL;
  pl_global_map_rows(map, 0, map->from->end[1], index);
  return index;
}

pl_err pl_global_map_deliver(pl_context *pl, const pl_directory *owners, int64_t n,
                             const pl_global_pair *pairs, pl_global_pair **received, int64_t *nreceived)
{
  pl_rank_sort sort = {.rank = NULL};
  int64_t *targets = pl_malloc_array(pl, (size_t)n * sizeof *targets);
  pl_global_pair *sorted = pl_malloc_array(pl, (size_t)n * sizeof *sorted);
  *nreceived = 0;
  pl_err err = pl_rank_sort_alloc(pl, n, &sort);
  if (!err && (!targets || !sorted)) err = pl_fail_memory(pl, (size_t)n * sizeof *sorted);
  err = pl_agree(pl, err);
  for (int64_t i = 0; !err && i < n; i++) targets[i] = pairs[i].target;
  if (!err) err = pl_directory_find(pl, owners, n, targets, sort.rank);
  for (int64_t i = 0; !err && i < n; i++)
    if (sort.rank[i] < 0)
      err = pl_fail(pl, PL_ERR_RANGE, "element %lld was removed from its set", (long long)targets[i]);
  err = pl_agree(pl, err);
  if (!err) {
    pl_sort_by_rank(pl, n, sort.rank, sort.count, sort.order);
    for (int64_t i = 0; i < n; i++) sorted[i] = pairs[sort.order[i]];
    err = pl_comm_all_to_all(pl, sizeof *sorted, sorted, sort.count, (void **)received, sort.received_count);
  }
  if (!err) *nreceived = pl_count_sum(pl, sort.received_count);
  pl_rank_sort_free(pl, &sort);
  pl_free_arrays(pl, targets, sorted);
  return err;
}

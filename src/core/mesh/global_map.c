/* SPDX-License-Identifier: BSD-2-Clause
 * Maps on several ranks, declared and read by global indices. See far.h.
 */
#include "far.h"
#include <string.h>

/* ---- declaring ---- */

static pl_err complain(const pl_set *from, const pl_set *to, int row, int entry, int64_t value, bool ragged,
                       const char *name)
{
  return pl_fail(from->node.pl, PL_ERR_RANGE,
                 "map \"%s\": target %d of element %lld is %lld, but set \"%s\" has only %lld elements%s",
                 name, entry, (long long)pl_view_number(from, row), (long long)value, to->node.name,
                 (long long)to->all, ragged ? "; leave out what has no target" : "");
}

/* Negative entries mean that there is no target; ragged maps leave those out. */
static pl_err check_entries(const pl_set *from, const pl_set *to, int arity, const int *offset,
                            const int64_t *far, const char *name)
{
  for (int i = 0; i < from->part[1]; i++) {
    size_t begin = offset ? (size_t)offset[i] : (size_t)i * (size_t)arity;
    size_t end = offset ? (size_t)offset[i + 1] : begin + (size_t)arity;
    for (size_t k = begin; k < end; k++)
      if (far[k] >= to->all || (offset && far[k] < 0))
        return complain(from, to, i, (int)(k - begin), far[k], offset != NULL, name);
  }
  return PL_SUCCESS;
}

pl_err pl_far_enter(pl_set *from, pl_set *to, int arity, int *offset, int64_t *far, const char *name,
                    pl_map **result)
{
  pl_context *pl = from->node.pl;
  pl_map *map = NULL;
  pl_err err = far ? check_entries(from, to, arity, offset, far, name) : pl_fail_memory(pl, sizeof *far);
  if (!err) err = pl_map_new(from, to, arity, offset, NULL, name, &map);
  err = pl_agree(pl, err);
  if (!err) {
    map->far = far;
    *result = map;
    return PL_SUCCESS;
  }
  if (map) {
    map->offset = NULL;
    pl_map_destroy(&map->node);
  }
  pl_free(pl, offset);
  pl_free_array(pl, far);
  return err;
}

/* ---- reading ---- */

int64_t *pl_far_new(pl_context *pl, size_t n, int arity)
{
  return pl_malloc_array(pl, n * (size_t)arity * sizeof(int64_t));
}

/* The row in storage of the owned element at position i of the view. */
static int row_at(const pl_map *map, int i)
{
  return map->far ? i : pl_view_at(map->from, i);
}

static size_t row_length(const pl_map *map, int row)
{
  return pl_map_begin(map, (size_t)row + 1) - pl_map_begin(map, (size_t)row);
}

int *pl_far_offsets(const pl_map *map)
{
  size_t n = (size_t)map->from->part[1];
  int *offset = pl_calloc(map->node.pl, n + 1, sizeof *offset);
  if (!offset) return pl_fail_memory(map->node.pl, (n + 1) * sizeof *offset), NULL;
  for (size_t i = 0; i < n; i++) offset[i + 1] = offset[i] + (int)row_length(map, row_at(map, (int)i));
  return offset;
}

int64_t *pl_far_copy(const pl_map *map)
{
  size_t n = 0, next = 0;
  for (int i = 0; i < map->from->part[1]; i++) n += row_length(map, row_at(map, i));
  int64_t *far = pl_malloc_array(map->node.pl, n * sizeof *far);
  if (!far) return pl_fail_memory(map->node.pl, n * sizeof *far), NULL;
  for (int i = 0; i < map->from->part[1]; i++) {
    size_t row = (size_t)row_at(map, i);
    for (size_t k = pl_map_begin(map, row); k < pl_map_begin(map, row + 1); k++)
      far[next++] = map->far            ? map->far[k]
                    : map->index[k] < 0 ? -1
                                        : pl_element_number(map->to, map->index[k]);
  }
  return far;
}

/* ---- to the owners of targets ---- */

typedef struct delivery {
  int64_t *ids, *order, *count, *came_count;
  int *owner;
  pl_far_pair *sorted;
} delivery;

static pl_err make_delivery(pl_context *pl, int64_t n, delivery *d)
{
  size_t items = (size_t)n, ranks = (size_t)pl_ranks(pl);
  d->ids = pl_malloc_array(pl, items * sizeof *d->ids);
  d->order = pl_malloc_array(pl, items * sizeof *d->order);
  d->owner = pl_malloc_array(pl, items * sizeof *d->owner);
  d->sorted = pl_malloc_array(pl, items * sizeof *d->sorted);
  d->count = pl_calloc(pl, ranks, sizeof *d->count);
  d->came_count = pl_calloc(pl, ranks, sizeof *d->came_count);
  bool all = d->ids && d->order && d->owner && d->sorted && d->count && d->came_count;
  return all ? PL_SUCCESS : pl_fail_memory(pl, items * sizeof *d->sorted);
}

static void free_delivery(pl_context *pl, delivery *d)
{
  pl_free_array(pl, d->ids);
  pl_free_array(pl, d->order);
  pl_free_array(pl, d->owner);
  pl_free_array(pl, d->sorted);
  pl_free(pl, d->count);
  pl_free(pl, d->came_count);
}

pl_err pl_far_deliver(pl_context *pl, const pl_directory *owners, int64_t n, const pl_far_pair *pairs,
                      pl_far_pair **came, int64_t *ncame)
{
  delivery d = {.ids = NULL};
  *ncame = 0;
  pl_err err = pl_agree(pl, make_delivery(pl, n, &d));
  for (int64_t i = 0; !err && i < n; i++) d.ids[i] = pairs[i].target;
  if (!err) err = pl_directory_find(pl, owners, n, d.ids, d.owner);
  if (!err) {
    pl_sort_by_rank(pl, n, d.owner, d.count, d.order);
    for (int64_t i = 0; i < n; i++) d.sorted[i] = pairs[d.order[i]];
    err = pl_comm_exchange(pl, sizeof *d.sorted, d.sorted, d.count, (void **)came, d.came_count);
  }
  if (!err) *ncame = pl_count_sum(pl, d.came_count);
  free_delivery(pl, &d);
  return err;
}

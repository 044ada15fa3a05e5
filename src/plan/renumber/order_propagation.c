/* SPDX-License-Identifier: BSD-2-Clause
 * Order propagation along maps, and how scattered the targets of a map are.
 */
#include "order_propagation.h"
#include "plan/base/object_lists.h"
#include "plan/base/radix_sort.h"
#include "core/threads/threads.h"
#include "permute_storage.h"
#include <string.h>

static int find_order(const pl_set_orders *orders, const pl_set *set)
{
  for (int i = 0; i < orders->n; i++)
    if (orders->set[i] == set) return i;
  return -1;
}

/* Moves the elements of each range of the set back into it, stably. */
static void keep_ranges(const pl_set *set, const int *order, int *kept)
{
  int next[4] = {0, set->end[0], set->end[1], set->end[2]};
  for (int i = 0; i < set->end[3]; i++) {
    int p = 0;
    while (order[i] >= set->end[p]) p++;
    kept[next[p]++] = order[i];
  }
}

static pl_err add_order(pl_set_orders *orders, pl_set *set, int *order)
{
  int i = orders->n, n = set->end[3];
  int *inverse = pl_arena_array(&orders->arena, (size_t)n, sizeof *inverse);
  PL_TRY(pl_arena_check(&orders->arena));
  if (set->end[0] < n) {
    keep_ranges(set, order, inverse);
    memcpy(order, inverse, (size_t)n * sizeof *order);
  }
  for (int e = 0; e < n; e++) inverse[order[e]] = e;
  orders->set[i] = set;
  orders->order[i] = order;
  orders->inverse[i] = inverse;
  orders->n++;
  return PL_SUCCESS;
}

/* ---- elements sorted by their targets ---- */

static int row_of(const pl_map *map, int element, const int **row)
{
  size_t begin = pl_map_begin(map, (size_t)element);
  *row = map->index + begin;
  return (int)(pl_map_begin(map, (size_t)element + 1) - begin);
}

/* The greatest and the least new number of each element's targets; one past the last for none. */
static void extreme_targets(const pl_map *map, const int *inverse, int *greatest, int *least)
{
  int n = map->from->end[3], none = map->to->end[3], threads = pl_plan_threads(n, pl_map_entries(map));
  PL_PARALLEL_FOR(threads)
  for (int e = 0; e < n; e++) {
    const int *row;
    int targets = row_of(map, e, &row), high = -1, low = none;
    for (int k = 0; k < targets; k++) {
      if (row[k] < 0) continue;
      int t = inverse[row[k]];
      high = t > high ? t : high;
      low = t < low ? t : low;
    }
    greatest[e] = high < 0 ? none : high;
    least[e] = low;
  }
}

static pl_err sort_by_targets(pl_context *pl, const pl_map *map, const int *inverse, int *order)
{
  size_t n = (size_t)map->from->end[3];
  int nkeys = map->to->end[3] + 1, *greatest = pl_malloc_array(pl, 3 * n * sizeof *greatest);
  if (!greatest) return pl_fail_memory(pl, 3 * n * sizeof *greatest);
  int *least = greatest + n, *scratch = least + n;
  extreme_targets(map, inverse, greatest, least);
  pl_err err = pl_sort_counting(pl, (int)n, NULL, nkeys, least, scratch);
  if (!err) err = pl_sort_counting(pl, (int)n, scratch, nkeys, greatest, order);
  pl_free_array(pl, greatest);
  return err;
}

static pl_err order_by_touch(pl_context *pl, const pl_map *map, const int *from_order, int *order)
{
  int n = map->to->end[3], next = 0;
  unsigned char *touched = pl_calloc(pl, (size_t)n + 1, 1);
  if (!touched) return pl_fail_memory(pl, (size_t)n);
  for (int i = 0; i < map->from->end[3]; i++) {
    const int *row;
    int targets = row_of(map, from_order[i], &row);
    for (int k = 0; k < targets; k++) {
      if (row[k] < 0 || touched[row[k]]) continue;
      touched[row[k]] = 1;
      order[next++] = row[k];
    }
  }
  for (int t = 0; t < n; t++)
    if (!touched[t]) order[next++] = t;
  pl_free(pl, touched);
  return PL_SUCCESS;
}

/* ---- propagation ---- */

/* The map of greatest arity from a set without an order to set i (`towards`), or from set i to such a set;
 * NULL if there is none. */
static const pl_map *next_map(const pl_set_orders *orders, int i, bool towards)
{
  const pl_map *best = NULL;
  PL_EACH (const pl_map, map, orders->arena.pl->maps) {
    const pl_set *here = towards ? map->to : map->from, *there = towards ? map->from : map->to;
    if (!map->index || map->pair_map || here != orders->set[i] || find_order(orders, there) >= 0) continue;
    if (!best || map->arity > best->arity || (map->arity == best->arity && map->node.id < best->node.id))
      best = map;
  }
  return best;
}

static pl_err add_through(pl_set_orders *orders, int i, const pl_map *map, bool towards)
{
  pl_context *pl = orders->arena.pl;
  pl_set *set = towards ? map->from : map->to;
  int *order = pl_arena_array(&orders->arena, (size_t)set->end[3], sizeof *order);
  PL_TRY(pl_arena_check(&orders->arena));
  PL_TRY(towards ? sort_by_targets(pl, map, orders->inverse[i], order)
                 : order_by_touch(pl, map, orders->order[i], order));
  return add_order(orders, set, order);
}

/* Sorting by targets first: it gives loops over the elements the best order. */
pl_err pl_orders_propagate(pl_set *base, int *order, pl_set_orders *orders)
{
  size_t room = pl_node_count(orders->arena.pl->sets);
  orders->set = pl_arena_alloc(&orders->arena, room, sizeof *orders->set);
  orders->order = pl_arena_alloc(&orders->arena, room, sizeof *orders->order);
  orders->inverse = pl_arena_alloc(&orders->arena, room, sizeof *orders->inverse);
  PL_TRY(pl_arena_check(&orders->arena));
  PL_TRY(add_order(orders, base, order));
  for (int i = 0; i < orders->n; i++)
    for (int towards = 1; towards >= 0; towards--) {
      const pl_map *map;
      while ((map = next_map(orders, i, towards))) PL_TRY(add_through(orders, i, map, towards));
    }
  return PL_SUCCESS;
}

pl_err pl_orders_apply(pl_set_orders *orders)
{
  pl_order *list = pl_arena_alloc(&orders->arena, (size_t)orders->n, sizeof *list);
  PL_TRY(pl_arena_check(&orders->arena));
  for (int i = 0; i < orders->n; i++) list[i] = (pl_order){orders->set[i], orders->order[i]};
  return pl_reorder(orders->arena.pl, orders->n, list);
}

/* ---- scatter ---- */

enum {
  FEW = 1 << 14, /* elements or targets that fit in a near cache */
  WINDOW = 128,  /* elements of a sample */
  WINDOWS = 16,
  NEAR = 6, /* low bits in which the targets of a neighbourhood may differ */
  MOST_SEEN = 512
};

static int count_distinct(int n, int *list)
{
  int count = 0;
  pl_sort_ints(n, list);
  for (int i = 0; i < n; i++) count += !i || list[i] != list[i - 1];
  return count;
}

double pl_map_scatter(const pl_map *map, const pl_set_orders *orders)
{
  int n = map->from->end[3], list[MOST_SEEN];
  int64_t targets = 0, neighbourhoods = 0;
  int from = orders ? find_order(orders, map->from) : -1, to = orders ? find_order(orders, map->to) : -1;
  if (!map->index || map->to->end[3] < FEW || n < FEW) return 0;
  for (int w = 0; w < WINDOWS; w++) {
    int first = (int)((int64_t)(n - WINDOW) * w / (WINDOWS - 1)), seen = 0;
    for (int i = first; i < first + WINDOW; i++) {
      const int *row;
      int reached = row_of(map, from >= 0 ? orders->order[from][i] : i, &row);
      for (int k = 0; k < reached && seen < MOST_SEEN; k++)
        if (row[k] >= 0) list[seen++] = (to >= 0 ? orders->inverse[to][row[k]] : row[k]) >> NEAR;
    }
    targets += seen;
    neighbourhoods += count_distinct(seen, list);
  }
  return targets ? (double)neighbourhoods / (double)targets : 0;
}

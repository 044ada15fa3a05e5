/* SPDX-License-Identifier: BSD-2-Clause
 * Order propagation along maps, and how scattered the targets of a map are.
 */
#include "order_propagation.h"
#include "plan/base/object_lists.h"
#include "plan/base/radix_sort.h"
#include "plan/base/threads.h"
#include "permute_storage.h"

static int find_order(const pl_set_orders *orders, const pl_set *set)
{
  for (int i = 0; i < orders->n; i++)
    if (orders->set[i] == set) return i;
  return -1;
}

/* Moves the elements of each range of the set back into it, stably. */
static pl_err keep_ranges(const pl_set *set, int **order)
{
  pl_context *pl = set->node.pl;
  int n = set->end[3], next[4] = {0, set->end[0], set->end[1], set->end[2]};
  if (set->end[0] == n) return PL_SUCCESS;
  int *kept = pl_malloc_array(pl, (size_t)n * sizeof *kept);
  if (!kept) return pl_fail_memory(pl, (size_t)n * sizeof *kept);
  for (int i = 0; i < n; i++) {
    int e = (*order)[i], p = 0;
    while (e >= set->end[p]) p++;
    kept[next[p]++] = e;
  }
  pl_free_array(pl, *order);
  *order = kept;
  return PL_SUCCESS;
}

static pl_err add_order(pl_set_orders *orders, pl_set *set, int *order)
{
  size_t n = (size_t)set->end[3];
  int i = orders->n++;
  orders->set[i] = set;
  orders->order[i] = order;
  PL_TRY(keep_ranges(set, &orders->order[i]));
  orders->inverse[i] = pl_malloc_array(orders->pl, n * sizeof(int));
  if (!orders->inverse[i]) return pl_fail_memory(orders->pl, n * sizeof(int));
  for (size_t e = 0; e < n; e++) orders->inverse[i][orders->order[i][e]] = (int)e;
  return PL_SUCCESS;
}

static pl_err new_order(pl_context *pl, const pl_set *set, int **order)
{
  *order = pl_malloc_array(pl, (size_t)set->end[3] * sizeof **order);
  return *order ? PL_SUCCESS : pl_fail_memory(pl, (size_t)set->end[3] * sizeof **order);
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
  int n = map->from->end[3], nkeys = map->to->end[3] + 1;
  size_t bytes = (size_t)n * sizeof(int);
  int *greatest = pl_malloc_array(pl, bytes), *least = pl_malloc_array(pl, bytes),
      *scratch = pl_malloc_array(pl, bytes);
  pl_err err = greatest && least && scratch ? PL_SUCCESS : pl_fail_memory(pl, 3 * bytes);
  if (!err) {
    extreme_targets(map, inverse, greatest, least);
    err = pl_sort_counting(pl, n, NULL, nkeys, least, scratch);
  }
  if (!err) err = pl_sort_counting(pl, n, scratch, nkeys, greatest, order);
  pl_free_array(pl, greatest);
  pl_free_array(pl, least);
  pl_free_array(pl, scratch);
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
  PL_EACH (const pl_map, map, orders->pl->maps) {
    const pl_set *here = towards ? map->to : map->from, *there = towards ? map->from : map->to;
    if (!map->index || map->pair_map || here != orders->set[i] || find_order(orders, there) >= 0) continue;
    if (!best || map->arity > best->arity || (map->arity == best->arity && map->node.id < best->node.id))
      best = map;
  }
  return best;
}

static pl_err add_through(pl_set_orders *orders, int i, const pl_map *map, bool towards)
{
  int *order;
  pl_set *set = towards ? map->from : map->to;
  PL_TRY(new_order(orders->pl, set, &order));
  pl_err err = towards ? sort_by_targets(orders->pl, map, orders->inverse[i], order)
                       : order_by_touch(orders->pl, map, orders->order[i], order);
  if (!err) return add_order(orders, set, order);
  pl_free_array(orders->pl, order);
  return err;
}

/* Sorting by targets first: it gives loops over the elements the best order. */
static pl_err propagate(pl_set_orders *orders)
{
  for (int i = 0; i < orders->n; i++)
    for (int towards = 1; towards >= 0; towards--) {
      const pl_map *map;
      while ((map = next_map(orders, i, towards))) PL_TRY(add_through(orders, i, map, towards));
    }
  return PL_SUCCESS;
}

pl_err pl_orders_propagate(pl_context *pl, pl_set *base, int *order, pl_set_orders *orders)
{
  size_t room = pl_node_count(pl->sets);
  *orders = (pl_set_orders){.pl = pl,
                            .set = pl_calloc(pl, room, sizeof *orders->set),
                            .order = pl_calloc(pl, room, sizeof *orders->order),
                            .inverse = pl_calloc(pl, room, sizeof *orders->inverse)};
  pl_err err;
  if (!orders->set || !orders->order || !orders->inverse) {
    err = pl_fail_memory(pl, room * sizeof(void *));
    pl_free_array(pl, order);
  } else {
    err = add_order(orders, base, order);
  }
  if (!err) err = propagate(orders);
  if (err) pl_orders_free(orders);
  return err;
}

pl_err pl_orders_apply(const pl_set_orders *orders)
{
  pl_context *pl = orders->pl;
  size_t n = (size_t)orders->n;
  pl_order *list = pl_calloc(pl, n, sizeof *list);
  if (!list) return pl_fail_memory(pl, n * sizeof *list);
  for (size_t i = 0; i < n; i++) list[i] = (pl_order){orders->set[i], orders->order[i]};
  pl_err err = pl_reorder(pl, orders->n, list);
  pl_free(pl, list);
  return err;
}

void pl_orders_free(pl_set_orders *orders)
{
  for (int i = 0; i < orders->n; i++) {
    pl_free_array(orders->pl, orders->order[i]);
    pl_free_array(orders->pl, orders->inverse[i]);
  }
  pl_free(orders->pl, orders->set);
  pl_free(orders->pl, orders->order);
  pl_free(orders->pl, orders->inverse);
  *orders = (pl_set_orders){.pl = orders->pl};
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

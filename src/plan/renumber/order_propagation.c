/* SPDX-License-Identifier: BSD-2-Clause
 * Families: one order spread over all sets that maps connect.
 */
#include "renumber.h"
#include "build.h"
#include "sort.h"
#include <string.h>

/* ---- members ---- */

static int member_of(const pl_family *family, const pl_set *set)
{
  for (int i = 0; i < family->n; i++)
    if (family->set[i] == set) return i;
  return -1;
}

static int count_nodes(const pl_node *list)
{
  int n = 0;
  for (; list; list = list->next) n++;
  return n;
}

/* Stable: elements of each part of the set stay in it. */
static pl_err keep_parts(const pl_set *set, int **order)
{
  pl_context *pl = set->node.pl;
  int n = set->part[3], next[4] = {0, set->part[0], set->part[1], set->part[2]};
  if (set->part[0] == n) return PL_SUCCESS;
  int *kept = pl_malloc_array(pl, (size_t)n * sizeof *kept);
  if (!kept) return pl_fail_memory(pl, (size_t)n * sizeof *kept);
  for (int i = 0; i < n; i++) {
    int e = (*order)[i], p = 0;
    while (e >= set->part[p]) p++;
    kept[next[p]++] = e;
  }
  pl_free_array(pl, *order);
  *order = kept;
  return PL_SUCCESS;
}

/* Takes a set and its order into the family. */
static pl_err add_member(pl_family *family, pl_set *set, int *order)
{
  size_t n = (size_t)set->part[3];
  int i = family->n++;
  family->set[i] = set;
  family->order[i] = order;
  PL_TRY(keep_parts(set, &family->order[i]));
  family->place[i] = pl_malloc_array(family->pl, n * sizeof(int));
  if (!family->place[i]) return pl_fail_memory(family->pl, n * sizeof(int));
  for (size_t e = 0; e < n; e++) family->place[i][family->order[i][e]] = (int)e;
  return PL_SUCCESS;
}

static pl_err new_order(pl_context *pl, const pl_set *set, int **order)
{
  *order = pl_malloc_array(pl, (size_t)set->part[3] * sizeof **order);
  return *order ? PL_SUCCESS : pl_fail_memory(pl, (size_t)set->part[3] * sizeof **order);
}

/* ---- elements sorted by their targets ---- */

enum { PIECE = 1 << 14 };

/* The greatest and the least target of each element as they will be; one past the last for none. */
static void extreme_targets(const pl_map *map, const int *place, int *greatest, int *least)
{
  int n = map->from->part[3], none = map->to->part[3];
  int pieces = n / PIECE + 1, threads = pl_plan_threads(pieces, pl_map_entries(map));
  PL_PARALLEL_FOR(threads)
  for (int p = 0; p < pieces; p++)
    for (int e = p * PIECE; e < n && e < (p + 1) * PIECE; e++) {
      const int *row;
      int targets = pl_row_of(map, e, &row), high = -1, low = none;
      for (int k = 0; k < targets; k++) {
        if (row[k] < 0) continue;
        int t = place[row[k]];
        high = t > high ? t : high;
        low = t < low ? t : low;
      }
      greatest[e] = high < 0 ? none : high;
      least[e] = low;
    }
}

static pl_err sort_by_targets(pl_context *pl, const pl_map *map, const int *place, int *order)
{
  int n = map->from->part[3], nkeys = map->to->part[3] + 1;
  size_t bytes = (size_t)n * sizeof(int);
  int *greatest = pl_malloc_array(pl, bytes), *least = pl_malloc_array(pl, bytes),
      *scratch = pl_malloc_array(pl, bytes);
  pl_err err = greatest && least && scratch ? PL_SUCCESS : pl_fail_memory(pl, 3 * bytes);
  if (!err) {
    extreme_targets(map, place, greatest, least);
    err = pl_sort_counting(pl, n, NULL, nkeys, least, scratch);
  }
  if (!err) err = pl_sort_counting(pl, n, scratch, nkeys, greatest, order);
  pl_free_array(pl, greatest);
  pl_free_array(pl, least);
  pl_free_array(pl, scratch);
  return err;
}

/* ---- targets by first touch ---- */

static pl_err order_by_touch(pl_context *pl, const pl_map *map, const int *from_order, int *order)
{
  int n = map->to->part[3], next = 0;
  unsigned char *touched = pl_calloc(pl, (size_t)n + 1, 1);
  if (!touched) return pl_fail_memory(pl, (size_t)n);
  for (int i = 0; i < map->from->part[3]; i++) {
    const int *row;
    int targets = pl_row_of(map, from_order[i], &row);
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

/* ---- spreading ---- */

/* The map of most targets an element that leads from a set without its order to member i, or the other way;
 * NULL if there is none. */
static const pl_map *next_map(const pl_family *family, int i, bool towards)
{
  const pl_map *best = NULL;
  for (const pl_node *node = family->pl->maps; node; node = node->next) {
    const pl_map *map = (const pl_map *)node;
    const pl_set *here = towards ? map->to : map->from, *there = towards ? map->from : map->to;
    if (!map->index || map->pair_map || here != family->set[i] || member_of(family, there) >= 0) continue;
    if (!best || map->arity > best->arity || (map->arity == best->arity && node->id < best->node.id))
      best = map;
  }
  return best;
}

static pl_err add_through(pl_family *family, int i, const pl_map *map, bool towards)
{
  int *order;
  pl_set *set = towards ? map->from : map->to;
  PL_TRY(new_order(family->pl, set, &order));
  pl_err err = towards ? sort_by_targets(family->pl, map, family->place[i], order)
                       : order_by_touch(family->pl, map, family->order[i], order);
  if (!err) return add_member(family, set, order);
  pl_free_array(family->pl, order);
  return err;
}

/* Sorting by targets comes first: it leaves loops over the elements with the best order of all. */
static pl_err spread(pl_family *family)
{
  for (int i = 0; i < family->n; i++)
    for (int towards = 1; towards >= 0; towards--) {
      const pl_map *map;
      while ((map = next_map(family, i, towards))) PL_TRY(add_through(family, i, map, towards));
    }
  return PL_SUCCESS;
}

pl_err pl_family_spread(pl_context *pl, pl_set *base, int *order, pl_family *family)
{
  size_t room = (size_t)count_nodes(pl->sets);
  *family = (pl_family){.pl = pl,
                        .set = pl_calloc(pl, room, sizeof *family->set),
                        .order = pl_calloc(pl, room, sizeof *family->order),
                        .place = pl_calloc(pl, room, sizeof *family->place)};
  pl_err err;
  if (!family->set || !family->order || !family->place) {
    err = pl_fail_memory(pl, room * sizeof(void *));
    pl_free_array(pl, order);
  } else {
    err = add_member(family, base, order);
  }
  if (!err) err = spread(family);
  if (err) pl_family_free(family);
  return err;
}

pl_err pl_family_apply(const pl_family *family)
{
  size_t n = (size_t)family->n;
  pl_order *orders = pl_calloc(family->pl, n, sizeof *orders);
  if (!orders) return pl_fail_memory(family->pl, n * sizeof *orders);
  for (size_t i = 0; i < n; i++) orders[i] = (pl_order){family->set[i], family->order[i]};
  pl_err err = pl_reorder(family->pl, family->n, orders);
  pl_free(family->pl, orders);
  return err;
}

void pl_family_free(pl_family *family)
{
  for (int i = 0; i < family->n; i++) {
    pl_free_array(family->pl, family->order[i]);
    pl_free_array(family->pl, family->place[i]);
  }
  pl_free(family->pl, family->set);
  pl_free(family->pl, family->order);
  pl_free(family->pl, family->place);
  *family = (pl_family){.pl = family->pl};
}

/* ---- a quick look ---- */

enum {
  FEW = 1 << 14, /* elements or targets that stay in a near cache, however they are reached */
  WINDOW = 128,  /* elements that are looked at together */
  WINDOWS = 16,
  NEAR = 6, /* targets whose numbers agree but for so many bits are one neighbourhood */
  MOST_SEEN = 512
};

/* Distinct neighbourhoods among n targets; the list is sorted on the way. */
static int distinct(int n, int *list)
{
  int count = 0;
  for (int i = 1; i < n; i++) {
    int moving = list[i], j = i;
    for (; j > 0 && list[j - 1] > moving; j--) list[j] = list[j - 1];
    list[j] = moving;
  }
  for (int i = 0; i < n; i++) count += !i || list[i] != list[i - 1];
  return count;
}

double pl_map_scatter(const pl_map *map, const pl_family *family)
{
  int n = map->from->part[3], list[MOST_SEEN];
  int64_t targets = 0, places = 0;
  int from = family ? member_of(family, map->from) : -1, to = family ? member_of(family, map->to) : -1;
  if (!map->index || map->to->part[3] < FEW || n < FEW) return 0;
  for (int w = 0; w < WINDOWS; w++) {
    int first = (int)((int64_t)(n - WINDOW) * w / (WINDOWS - 1)), seen = 0;
    for (int i = first; i < first + WINDOW; i++) {
      const int *row;
      int reached = pl_row_of(map, from >= 0 ? family->order[from][i] : i, &row);
      for (int k = 0; k < reached && seen < MOST_SEEN; k++)
        if (row[k] >= 0) list[seen++] = (to >= 0 ? family->place[to][row[k]] : row[k]) >> NEAR;
    }
    targets += seen;
    places += distinct(seen, list);
  }
  return targets ? (double)places / (double)targets : 0;
}

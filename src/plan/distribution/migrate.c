/* SPDX-License-Identifier: BSD-2-Clause
 * Migration: loose sets get new owners, and everything declared on them goes along. See place.h.
 *
 * One object after the other: what has gone is given back before the next one travels, so that no rank needs
 * much more than it holds before or after. So once the first object has gone there is no way back: an error
 * after that ends what ranks do together (pl_wreck).
 */
#include "place.h"
#include "route.h"
#include <string.h>

#define EACH(type, object, list)                                                                             \
  for (type *object = (type *)(list); object; object = (type *)object->node.next)

typedef struct travel {
  pl_context *pl;
  pl_scratch scratch;
  bool begun; /* something has gone */
  /* of the set under way: */
  pl_set *set;
  pl_route route;
  int64_t *global; /* that will be here, ascending */
} travel;

static pl_err agree(travel *t)
{
  return pl_agree(t->pl, pl_scratch_check(&t->scratch));
}

/* ---- the route of a set ---- */

/* Rows sorted by where they go; those for one rank stay in their order. */
static pl_err sort_rows(travel *t, const int *rank)
{
  pl_context *pl = t->pl;
  pl_route *route = &t->route;
  const size_t ranks = (size_t)pl_ranks(pl), n = (size_t)t->set->part[1];
  route->n = (int64_t)n;
  route->count = pl_scratch_take(&t->scratch, ranks, sizeof *route->count);
  route->came_count = pl_scratch_take(&t->scratch, ranks, sizeof *route->came_count);
  int64_t *next = pl_scratch_take(&t->scratch, ranks, sizeof *next);
  route->order = pl_malloc_array(pl, n * sizeof *route->order);
  if (!route->order) t->scratch.failed = true;
  PL_TRY(agree(t));
  for (size_t i = 0; i < n; i++) route->count[rank[i]]++;
  for (size_t r = 1; r < ranks; r++) next[r] = next[r - 1] + route->count[r - 1];
  for (size_t i = 0; i < n; i++) route->order[next[rank[i]]++] = (int)i;
  return pl_route_tell(pl, route);
}

/* The ranks whose next arrival is to be merged, the least id on top. */
typedef struct heap {
  int n, *rank;
  const int64_t *came; /* what arrived, ascending for each rank */
  int64_t *next, *end; /* of each rank */
} heap;

static int64_t id_of(const heap *h, int at)
{
  return h->came[h->next[h->rank[at]]];
}

static void sink(heap *h, int at)
{
  for (int child; (child = 2 * at + 1) < h->n; at = child) {
    if (child + 1 < h->n && id_of(h, child + 1) < id_of(h, child)) child++;
    if (id_of(h, at) <= id_of(h, child)) return;
    int moved = h->rank[at];
    h->rank[at] = h->rank[child];
    h->rank[child] = moved;
  }
}

static void merge(travel *t, heap *h)
{
  for (int at = h->n / 2; at-- > 0;) sink(h, at);
  for (int64_t i = 0; i < t->route.ncome; i++) {
    int64_t *next = &h->next[h->rank[0]];
    t->global[i] = h->came[*next];
    t->route.place[*next] = (int)i;
    if (++*next == h->end[h->rank[0]]) h->rank[0] = h->rank[--h->n];
    sink(h, 0);
  }
}

/* Global indices come first; by them everything that follows finds its row. */
static pl_err merge_ids(travel *t, const int64_t *came)
{
  const size_t ranks = (size_t)pl_ranks(t->pl);
  heap h = {.came = came};
  h.rank = pl_scratch_take(&t->scratch, ranks, sizeof *h.rank);
  h.next = pl_scratch_take(&t->scratch, ranks, sizeof *h.next);
  h.end = pl_scratch_take(&t->scratch, ranks, sizeof *h.end);
  t->route.place = pl_malloc_array(t->pl, (size_t)t->route.ncome * sizeof *t->route.place);
  t->global = pl_malloc_array(t->pl, (size_t)t->route.ncome * sizeof *t->global);
  if (!t->global || !t->route.place) t->scratch.failed = true;
  PL_TRY(agree(t));
  for (size_t r = 0; r < ranks; r++) {
    h.next[r] = r ? h.end[r - 1] : 0;
    h.end[r] = h.next[r] + t->route.came_count[r];
    if (t->route.came_count[r]) h.rank[h.n++] = (int)r;
  }
  merge(t, &h);
  return PL_SUCCESS;
}

static pl_err exchange_ids(travel *t)
{
  pl_context *pl = t->pl;
  size_t n = (size_t)t->set->part[1], ncome = (size_t)t->route.ncome;
  if (ncome > INT32_MAX)
    pl_fail(pl, PL_ERR_RANGE, "set \"%s\": more than %d elements would be on one rank", t->set->node.name,
            INT32_MAX);
  PL_TRY(pl_agree(pl, ncome > INT32_MAX ? PL_ERR_RANGE : PL_SUCCESS));
  int64_t *ids = t->set->global ? t->set->global : pl_malloc_array(pl, (n + 1) * sizeof *ids);
  int64_t *came = pl_malloc_array(pl, ncome * sizeof *came);
  if (!ids || !came) t->scratch.failed = true;
  pl_err err = agree(t);
  for (size_t i = 0; !err && !t->set->global && i < n; i++) ids[i] = t->set->first + (int64_t)i;
  if (!err) err = pl_route_carry(pl, &t->route, sizeof *ids, ids, came);
  if (ids != t->set->global) pl_free_array(pl, ids);
  if (!err) err = merge_ids(t, came);
  pl_free_array(pl, came);
  return err;
}

/* ---- one object ---- */

/* Room for rows of `stride` bytes that come, which are then carried there. */
static pl_err carry(travel *t, size_t stride, const void *rows, void **result)
{
  *result = pl_malloc_array(t->pl, (size_t)t->route.ncome * stride);
  if (!*result) t->scratch.failed = true;
  pl_err err = agree(t);
  if (!err) err = pl_route_carry(t->pl, &t->route, stride, rows, *result);
  if (err) pl_free_array(t->pl, *result);
  return err;
}

/* Unless no rank has values: those that have none hold zeros. */
static pl_err carry_dat(travel *t, pl_dat *dat)
{
  pl_context *pl = t->pl;
  uint8_t any = dat->host || dat->device_valid;
  size_t stride = pl_dat_stride(dat);
  void *host;
  PL_TRY(pl_comm_reduce(pl, PL_UINT8, PL_MAX, &any, 1));
  if (!any) return PL_SUCCESS;
  size_t before = dat->host ? (size_t)dat->set->part[1] * stride : 0;
  if (!pl_dat_host(dat, false)) t->scratch.failed = true;
  PL_TRY(agree(t));
  PL_TRY(carry(t, stride, dat->host, &host));
  t->begun = true;
  pl_dat_leave_device(dat);
  pl_free_array(pl, dat->host);
  dat->host = host;
  dat->host_stale = false;
  pl->stats.host_bytes += (size_t)t->route.ncome * stride - before;
  return PL_SUCCESS;
}

static pl_err carry_map(travel *t, pl_map *map)
{
  int *offset = NULL;
  int64_t *far;
  if (map->offset)
    PL_TRY(pl_route_carry_ragged(t->pl, &t->route, map->offset, map->far, &offset, &far));
  else
    PL_TRY(carry(t, (size_t)map->arity * sizeof *far, map->far, (void **)&far));
  t->begun = true;
  pl_free_array(t->pl, map->far);
  pl_free(t->pl, map->offset);
  map->far = far;
  map->offset = offset;
  return PL_SUCCESS;
}

static int *list_members(pl_context *pl, const unsigned char *member, int64_t n, int *count)
{
  *count = 0;
  for (int64_t i = 0; i < n; i++) *count += member[i];
  int *list = pl_malloc(pl, (size_t)*count * sizeof *list), next = 0;
  for (int64_t i = 0; list && i < n; i++)
    if (member[i]) list[next++] = (int)i;
  return list;
}

/* Members travel as flags of all rows. */
static pl_err carry_subset(travel *t, pl_set *subset)
{
  pl_context *pl = t->pl;
  unsigned char *member = pl_calloc(pl, (size_t)subset->parent->part[1] + 1, 1), *came;
  if (!member) t->scratch.failed = true;
  pl_err err = agree(t);
  for (int i = 0; !err && i < subset->part[1]; i++) member[subset->indices[i]] = 1;
  if (!err) err = carry(t, 1, member, (void **)&came);
  pl_free(pl, member);
  PL_TRY(err);
  int count, *list = list_members(pl, came, t->route.ncome, &count);
  pl_free_array(pl, came);
  if (!list) t->scratch.failed = true;
  err = agree(t);
  if (err) {
    pl_free(pl, list);
    return err;
  }
  t->begun = true;
  pl_free(pl, subset->indices);
  subset->indices = list;
  for (int p = 0; p < 4; p++) subset->part[p] = count;
  return PL_SUCCESS;
}

/* ---- one set ---- */

static pl_err carry_all(travel *t)
{
  EACH(pl_dat, dat, t->pl->dats)
  if (dat->set == t->set) PL_TRY(carry_dat(t, dat));
  EACH(pl_map, map, t->pl->maps)
  if (map->far && map->from == t->set) PL_TRY(carry_map(t, map));
  EACH(pl_set, subset, t->pl->sets)
  if (subset->parent == t->set) PL_TRY(carry_subset(t, subset));
  return PL_SUCCESS;
}

static pl_err move_set(travel *t, const pl_move *move)
{
  t->set = move->set;
  t->route = (pl_route){.n = 0};
  t->global = NULL;
  pl_err err = sort_rows(t, move->rank);
  if (!err) err = exchange_ids(t);
  if (!err) err = carry_all(t);
  if (!err) {
    pl_free_array(t->pl, t->set->global);
    t->set->global = t->global;
    t->set->named = 0;
    for (int p = 0; p < 4; p++) t->set->part[p] = (int)t->route.ncome;
    t->global = NULL;
    t->begun = true;
  }
  pl_free_array(t->pl, t->global);
  pl_free_array(t->pl, t->route.order);
  pl_free_array(t->pl, t->route.place);
  return err;
}

pl_err pl_migrate(pl_context *pl, int n, const pl_move *moves)
{
  travel t = {.pl = pl, .scratch = {.pl = pl}};
  pl_err err = PL_SUCCESS;
  for (int i = 0; i < n && !err; i++) err = move_set(&t, &moves[i]);
  pl_scratch_free(&t.scratch);
  return err && t.begun ? pl_wreck(pl, err) : err;
}

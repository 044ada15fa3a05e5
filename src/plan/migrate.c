/* SPDX-License-Identifier: BSD-2-Clause
 * Migration: loose sets get new owners, and everything declared on them goes along. See place.h.
 */
#include "core/directory.h"
#include "place.h"
#include "rows.h"
#include <string.h>

/* One set on its way. */
typedef struct journey {
  pl_set *set;
  int64_t *count, *came_count; /* rows to and from each rank */
  int64_t *order;              /* rows, sorted by where they go */
  int64_t n;                   /* rows that come */
  int64_t *global;             /* their indices, ascending */
  int *row;                    /* where each of them stands among what came */
} journey;

/* What is ready to be swapped in; object by object. */
typedef struct load {
  void *object, *array;
  int *list, count; /* of a subset, whose array holds flags: its members; of a ragged map: its offsets */
  struct load *next;
} load;

typedef struct travel {
  pl_context *pl;
  pl_scratch scratch;
  int n;
  journey *journey;
  load *dats, *maps, *subsets;
} travel;

static pl_err agree(travel *t)
{
  return pl_agree(t->pl, pl_scratch_check(&t->scratch));
}

typedef struct keyed {
  int64_t id, row;
} keyed;

static int by_id(const void *a, const void *b)
{
  const keyed *x = a, *y = b;
  return (x->id > y->id) - (x->id < y->id);
}

/* Where the rows of a set go, and what comes. */
static pl_err start_journey(travel *t, journey *j, const int *rank)
{
  pl_context *pl = t->pl;
  size_t ranks = (size_t)pl_ranks(pl), n = (size_t)j->set->part[1];
  int64_t *ids = pl_malloc_array(pl, (n + 1) * sizeof *ids), *came = NULL;
  j->count = pl_scratch_take(&t->scratch, ranks, sizeof *j->count);
  j->came_count = pl_scratch_take(&t->scratch, ranks, sizeof *j->came_count);
  j->order = pl_scratch_take(&t->scratch, n, sizeof *j->order);
  if (!ids) t->scratch.failed = true;
  pl_err err = agree(t);
  if (!err) pl_sort_by_rank(pl, (int64_t)n, rank, j->count, j->order);
  for (size_t i = 0; !err && i < n; i++) ids[i] = pl_loose_id(j->set, (int)j->order[i]);
  if (!err) err = pl_comm_exchange(pl, sizeof *ids, ids, j->count, (void **)&came, j->came_count);
  pl_free_array(pl, ids);
  PL_TRY(err);
  for (size_t r = 0; r < ranks; r++) j->n += j->came_count[r];
  keyed *sorted = pl_malloc_array(pl, ((size_t)j->n + 1) * sizeof *sorted);
  j->row = pl_scratch_take(&t->scratch, (size_t)j->n, sizeof *j->row);
  j->global = pl_malloc_array(pl, (size_t)j->n * sizeof *j->global);
  if (!j->global || !sorted) t->scratch.failed = true;
  for (int64_t i = 0; !t->scratch.failed && i < j->n; i++) sorted[i] = (keyed){came[i], i};
  pl_free_array(pl, came);
  err = j->n > INT32_MAX ? pl_fail(pl, PL_ERR_RANGE, "set \"%s\": more than %d elements would be on one rank",
                                   j->set->node.name, INT32_MAX)
                         : pl_scratch_check(&t->scratch);
  err = pl_agree(pl, err);
  if (!err && j->n) qsort(sorted, (size_t)j->n, sizeof *sorted, by_id);
  for (int64_t i = 0; !err && i < j->n; i++) {
    j->global[i] = sorted[i].id;
    j->row[i] = (int)sorted[i].row;
  }
  pl_free_array(pl, sorted);
  return err;
}

static journey *journey_of(travel *t, const pl_set *set)
{
  for (int i = 0; i < t->n; i++)
    if (t->journey[i].set == set) return &t->journey[i];
  return NULL;
}

/* Rows of `stride` bytes go with their set; *result (pl_free_array) holds what came, by ascending global
 * index. */
static pl_err carry(travel *t, const journey *j, size_t stride, const char *rows, void **result)
{
  pl_context *pl = t->pl;
  size_t n = (size_t)j->set->part[1];
  int64_t *came_count = pl_scratch_take(&t->scratch, (size_t)pl_ranks(pl), sizeof *came_count);
  char *send = pl_malloc_array(pl, n * stride), *came = NULL, *sorted = NULL;
  if (!send) t->scratch.failed = true;
  pl_err err = agree(t);
  for (size_t i = 0; !err && i < n; i++)
    memcpy(send + i * stride, rows + (size_t)j->order[i] * stride, stride);
  if (!err) err = pl_comm_exchange(pl, stride, send, j->count, (void **)&came, came_count);
  pl_free_array(pl, send);
  if (!err && !(sorted = pl_malloc_array(pl, (size_t)j->n * stride))) t->scratch.failed = true;
  if (!err) err = agree(t);
  for (int64_t i = 0; !err && i < j->n; i++)
    memcpy(sorted + (size_t)i * stride, came + (size_t)j->row[i] * stride, stride);
  pl_free_array(pl, came);
  *result = err ? NULL : sorted;
  if (err) pl_free_array(pl, sorted);
  return err;
}

/* The same for the rows of a ragged map. */
static pl_err carry_rows(travel *t, const journey *j, const pl_map *map, load *l)
{
  pl_context *pl = t->pl;
  int *came_offset;
  int64_t *came = NULL, *far;
  PL_TRY(pl_rows_send(&t->scratch, j->set->part[1], j->order, j->count, map->offset, map->far, &came_offset,
                      &came));
  l->list = pl_calloc(pl, (size_t)j->n + 1, sizeof *l->list);
  l->array = far = pl_malloc_array(pl, (size_t)came_offset[j->n] * sizeof *far);
  if (!l->list || !far) t->scratch.failed = true;
  pl_err err = agree(t);
  for (int64_t i = 0; !err && i < j->n; i++) {
    const int *begin = &came_offset[j->row[i]];
    size_t length = (size_t)(begin[1] - begin[0]);
    if (length) memcpy(far + l->list[i], came + begin[0], length * sizeof *far);
    l->list[i + 1] = l->list[i] + (int)length;
  }
  pl_free(pl, came_offset);
  pl_free_array(pl, came);
  return err;
}

/* A new entry of a list. Collective. */
static pl_err add_load(travel *t, load **list, void *object, load **result)
{
  load *l = *result = pl_scratch_take(&t->scratch, 1, sizeof *l);
  PL_TRY(agree(t));
  l->object = object;
  l->next = *list;
  *list = l;
  return PL_SUCCESS;
}

#define EACH(type, object, list)                                                                             \
  for (type *object = (type *)(list); object; object = (type *)object->node.next)

/* Whether any rank has values: those that have none hold zeros. */
static pl_err carry_dat(travel *t, pl_dat *dat)
{
  uint8_t any = dat->host || dat->device_valid;
  PL_TRY(pl_comm_reduce(t->pl, PL_UINT8, PL_MAX, &any, 1));
  if (!any) return PL_SUCCESS;
  if (!pl_dat_host(dat, false)) t->scratch.failed = true;
  load *l;
  PL_TRY(add_load(t, &t->dats, dat, &l));
  return carry(t, journey_of(t, dat->set), pl_dat_stride(dat), dat->host, &l->array);
}

static pl_err carry_subset(travel *t, pl_set *subset)
{
  unsigned char *member = pl_scratch_take(&t->scratch, (size_t)subset->parent->part[1], 1);
  PL_TRY(agree(t));
  for (int i = 0; i < subset->part[1]; i++) member[subset->indices[i]] = 1;
  load *l;
  PL_TRY(add_load(t, &t->subsets, subset, &l));
  return carry(t, journey_of(t, subset->parent), 1, (char *)member, &l->array);
}

static pl_err carry_map(travel *t, pl_map *map)
{
  const journey *j = journey_of(t, map->from);
  load *l;
  PL_TRY(add_load(t, &t->maps, map, &l));
  if (map->offset) return carry_rows(t, j, map, l);
  return carry(t, j, (size_t)map->arity * sizeof *map->far, (const char *)map->far, &l->array);
}

static pl_err carry_all(travel *t)
{
  EACH(pl_dat, dat, t->pl->dats)
  if (journey_of(t, dat->set)) PL_TRY(carry_dat(t, dat));
  EACH(pl_map, map, t->pl->maps)
  if (map->far && journey_of(t, map->from)) PL_TRY(carry_map(t, map));
  EACH(pl_set, set, t->pl->sets)
  if (set->parent && journey_of(t, set->parent)) PL_TRY(carry_subset(t, set));
  return PL_SUCCESS;
}

/* ---- arriving ---- */

/* From flags of all rows to a list of members, in place of the old one. */
static int *list_members(pl_context *pl, const unsigned char *member, int64_t n, int *count)
{
  *count = 0;
  for (int64_t i = 0; i < n; i++) *count += member[i];
  int *list = pl_malloc(pl, (size_t)*count * sizeof *list), next = 0;
  for (int64_t i = 0; list && i < n; i++)
    if (member[i]) list[next++] = (int)i;
  return list;
}

static pl_err list_subsets(travel *t)
{
  for (load *l = t->subsets; l; l = l->next) {
    pl_set *subset = l->object;
    l->list = list_members(t->pl, l->array, journey_of(t, subset->parent)->n, &l->count);
    if (!l->list) t->scratch.failed = true;
  }
  return agree(t);
}

static void arrive(travel *t)
{
  pl_context *pl = t->pl;
  for (load *l = t->dats; l; l = l->next) {
    pl_dat *dat = l->object;
    size_t before = dat->host ? pl_dat_nbytes(dat) : 0;
    pl_dat_leave_device(dat);
    pl_free_array(pl, dat->host);
    dat->host = l->array;
    dat->host_stale = false;
    pl->stats.host_bytes += (size_t)journey_of(t, dat->set)->n * pl_dat_stride(dat) - before;
  }
  for (load *l = t->maps; l; l = l->next) {
    pl_map *map = l->object;
    pl_free_array(pl, map->far);
    pl_free(pl, map->offset);
    map->far = l->array;
    map->offset = l->list;
  }
  for (load *l = t->subsets; l; l = l->next) {
    pl_set *subset = l->object;
    pl_free(pl, subset->indices);
    subset->indices = l->list;
    pl_free_array(pl, l->array);
    for (int p = 0; p < 4; p++) subset->part[p] = l->count;
  }
}

static void settle(travel *t)
{
  for (int i = 0; i < t->n; i++) {
    journey *j = &t->journey[i];
    pl_free_array(t->pl, j->set->global);
    j->set->global = j->global;
    for (int p = 0; p < 4; p++) j->set->part[p] = (int)j->n;
  }
}

static void give_up(travel *t)
{
  for (int i = 0; t->journey && i < t->n; i++) pl_free_array(t->pl, t->journey[i].global);
  for (load *l = t->dats; l; l = l->next) pl_free_array(t->pl, l->array);
  for (load *l = t->maps; l; l = l->next) {
    pl_free_array(t->pl, l->array);
    pl_free(t->pl, l->list);
  }
  for (load *l = t->subsets; l; l = l->next) {
    pl_free_array(t->pl, l->array);
    pl_free(t->pl, l->list);
  }
}

pl_err pl_migrate(pl_context *pl, int n, const pl_move *moves)
{
  travel t = {.pl = pl, .scratch = {.pl = pl}, .n = n};
  t.journey = pl_scratch_take(&t.scratch, (size_t)n, sizeof *t.journey);
  pl_err err = agree(&t);
  for (int i = 0; !err && i < n; i++) t.journey[i].set = moves[i].set;
  for (int i = 0; !err && i < n; i++) err = start_journey(&t, &t.journey[i], moves[i].rank);
  if (!err) err = carry_all(&t);
  if (!err) err = list_subsets(&t);
  if (err) {
    give_up(&t);
  } else {
    arrive(&t);
    settle(&t);
  }
  pl_scratch_free(&t.scratch);
  return err;
}

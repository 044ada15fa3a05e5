/* SPDX-License-Identifier: BSD-2-Clause
 * Elements that go to other ranks, or for ever. See travel.h.
 *
 * An element travels as a parcel: its global index, the global indices that its entries of the map name, its
 * records dat by dat. What can fail comes first and is agreed on; then all ranks move together.
 */
#include "travel.h"
#include "core/directory.h"
#include "scratch.h"
#include "sort.h"
#include <string.h>

#define EACH(type, object, list)                                                                             \
  for (type *object = (type *)(list); object; object = (type *)object->node.next)

/* ---- what is acceptable ---- */

pl_err pl_travel_check(const pl_set *set, const pl_map *but, const char *what)
{
  pl_context *pl = set->node.pl;
  EACH(pl_map, map, pl->maps)
  if (!map->pair_map && map != but && (map->from == set || map->to == set))
    return pl_fail(pl, PL_ERR_STATE,
                   "%s: elements of \"%s\" change their ranks, but map \"%s\" is tied to them; free it first",
                   what, set->node.name, map->node.name);
  EACH(pl_set, subset, pl->sets)
  if (subset->parent == set)
    return pl_fail(pl, PL_ERR_STATE,
                   "%s: elements of \"%s\" change their ranks, but it has a subset \"%s\"; free it first",
                   what, set->node.name, subset->node.name);
  EACH(pl_dat, dat, pl->dats)
  if (dat->set == set && (dat->readers || dat->writer))
    return pl_fail(pl, PL_ERR_STATE, "%s: a host view of dat \"%s\" is open; close it with pl_dat_put first",
                   what, dat->node.name);
  return PL_SUCCESS;
}

pl_map *pl_travel_map(const pl_set *set)
{
  EACH(pl_map, map, set->node.pl->maps)
  if (map->from == set && !map->pair_map && map->arity == 1 && map->to != set) return map;
  return NULL;
}

void pl_travel_forget(pl_map *map)
{
  pl_context *pl = map->node.pl;
  if (map->device) pl->backend->buffer_free(pl, map->device);
  map->device = NULL;
  pl_free_array(pl, map->shown);
  map->shown = NULL;
  if (pl->plans_forget) pl->plans_forget(pl, map);
  pl_loops_unprepare(pl, map);
}

pl_err pl_travel_count(pl_set *set)
{
  set->all = set->part[1];
  return pl_comm_reduce(set->node.pl, PL_INT64, PL_INC, &set->all, 1);
}

pl_err pl_travel_room(pl_set *set, int64_t n)
{
  pl_context *pl = set->node.pl;
  PL_TRY(pl_agree(pl, pl_set_make_room(set, n)));
  return pl_comm_reduce(pl, PL_UINT64, PL_MAX, &pl->decl_version, 1);
}

/* ---- a journey ---- */

typedef struct cargo {
  pl_dat *dat;
  size_t stride;
} cargo;

typedef struct move {
  int from, to;
} move;

typedef struct journey {
  pl_context *pl;
  pl_set *set;
  pl_map *map;
  pl_scratch scratch;
  int ncargo;
  cargo *cargo;
  size_t bytes; /* of a parcel */
  int n, nhole, nleave, ncome, nmove, after;
  int *hole;                   /* places that become free, ascending */
  int64_t *count, *came_count; /* parcels to and from each rank */
  int *leave;                  /* places of those that travel, by rank */
  char *send, *came;
  move *move; /* of elements that fill places from the end */
  int64_t *global;
  int *view;
  pl_halo *halo;
} journey;

static size_t arity_of(const journey *j)
{
  return j->map ? (size_t)j->map->arity : 0;
}

/* The dats that any rank has values of; the others are zeros everywhere. */
static pl_err load_cargo(journey *j)
{
  int n = 0, next = 0;
  EACH(pl_dat, dat, j->pl->dats)
  n += dat->set == j->set;
  unsigned char *any = pl_scratch_take(&j->scratch, (size_t)n, 1);
  j->cargo = pl_scratch_take(&j->scratch, (size_t)n, sizeof *j->cargo);
  PL_TRY(pl_agree(j->pl, pl_scratch_check(&j->scratch)));
  EACH(pl_dat, dat, j->pl->dats)
  if (dat->set == j->set) any[next++] = dat->host || dat->device_valid;
  PL_TRY(pl_comm_reduce(j->pl, PL_UINT8, PL_MAX, any, (size_t)n));
  j->bytes = (1 + arity_of(j)) * sizeof(int64_t);
  next = 0;
  EACH(pl_dat, dat, j->pl->dats)
  if (dat->set == j->set && any[next++]) {
    if (!pl_dat_host(dat, false)) j->scratch.failed = true;
    j->cargo[j->ncargo++] = (cargo){dat, pl_dat_stride(dat)};
    j->bytes += pl_dat_stride(dat);
  }
  return pl_agree(j->pl, pl_scratch_check(&j->scratch));
}

/* Who leaves, sorted by where to. */
static pl_err find_leavers(journey *j, const int *to)
{
  int me = pl_rank(j->pl), next = 0;
  for (int i = 0; i < j->n; i++) {
    j->nhole += to[i] != me;
    j->nleave += to[i] != me && to[i] != PL_GONE;
  }
  size_t n = (size_t)j->nleave, ranks = (size_t)pl_ranks(j->pl);
  int *rank = pl_scratch_take(&j->scratch, n, sizeof *rank),
      *row = pl_scratch_take(&j->scratch, n, sizeof *row);
  int64_t *order = pl_scratch_take(&j->scratch, n, sizeof *order);
  j->hole = pl_scratch_take(&j->scratch, (size_t)j->nhole, sizeof *j->hole);
  j->leave = pl_scratch_take(&j->scratch, n, sizeof *j->leave);
  j->count = pl_scratch_take(&j->scratch, ranks, sizeof *j->count);
  j->came_count = pl_scratch_take(&j->scratch, ranks, sizeof *j->came_count);
  j->send = pl_malloc_array(j->pl, n * j->bytes);
  if (!j->send) j->scratch.failed = true;
  PL_TRY(pl_agree(j->pl, pl_scratch_check(&j->scratch)));
  for (int i = 0, hole = 0; i < j->n; i++) {
    if (to[i] == me) continue;
    j->hole[hole++] = i;
    if (to[i] == PL_GONE) continue;
    rank[next] = to[i];
    row[next++] = i;
  }
  pl_sort_by_rank(j->pl, j->nleave, rank, j->count, order);
  for (int k = 0; k < j->nleave; k++) j->leave[k] = row[order[k]];
  return PL_SUCCESS;
}

static void pack(const journey *j)
{
  char *at = j->send;
  size_t arity = arity_of(j);
  for (int k = 0; k < j->nleave; k++) {
    size_t i = (size_t)j->leave[k];
    memcpy(at, &j->set->global[i], sizeof(int64_t));
    at += sizeof(int64_t);
    for (size_t e = 0; e < arity; e++, at += sizeof(int64_t)) {
      int target = j->map->index[i * arity + e];
      int64_t name = target < 0 ? -1 : pl_element_number(j->map->to, target);
      memcpy(at, &name, sizeof name);
    }
    for (int d = 0; d < j->ncargo; d++) {
      memcpy(at, (char *)j->cargo[d].dat->host + i * j->cargo[d].stride, j->cargo[d].stride);
      at += j->cargo[d].stride;
    }
  }
}

/* ---- what is needed to arrive ---- */

/* Places that stay empty are filled from the end. */
static void plan_moves(journey *j)
{
  int last = j->n - 1, hole = j->nhole - 1;
  for (int h = j->ncome; h < j->nhole && j->hole[h] < j->after; h++) {
    while (hole >= 0 && last == j->hole[hole]) last--, hole--;
    j->move[j->nmove++] = (move){last--, j->hole[h]};
  }
}

static pl_err make_room(journey *j)
{
  int64_t come = pl_count_sum(j->pl, j->came_count), after = j->n - j->nhole + come;
  PL_TRY(pl_travel_room(j->set, after));
  j->ncome = (int)come;
  j->after = (int)after;
  j->move = pl_scratch_take(&j->scratch, (size_t)j->nhole, sizeof *j->move);
  j->global = pl_malloc_array(j->pl, (size_t)after * sizeof *j->global);
  j->view = pl_malloc_array(j->pl, (size_t)after * sizeof *j->view);
  j->halo = pl_halo_new(j->pl, 0, 0, 0);
  if (!j->global || !j->view || !j->halo) j->scratch.failed = true;
  if (j->map && !j->scratch.failed) {
    size_t kept = (size_t)j->n * arity_of(j), wanted = (size_t)pl_set_room(j->set) * arity_of(j);
    int *index = pl_malloc_array(j->pl, wanted * sizeof *index);
    if (index) {
      memcpy(index, j->map->index, kept * sizeof *index);
      pl_free_array(j->pl, j->map->index);
      j->map->index = index;
    } else {
      j->scratch.failed = true;
    }
  }
  return pl_agree(j->pl, pl_scratch_check(&j->scratch));
}

/* Where arrival k goes. */
static int place_of(const journey *j, int k)
{
  return k < j->nhole ? j->hole[k] : j->n + k - j->nhole;
}

/* The global indices that will be here, and the view by them. */
static pl_err name_elements(journey *j)
{
  size_t n = (size_t)j->after;
  int kept = j->n < j->after ? j->n : j->after;
  pl_keyed *items = pl_malloc_array(j->pl, n * sizeof *items),
           *spare = pl_malloc_array(j->pl, n * sizeof *spare), *sorted = items;
  pl_err err = items && spare ? PL_SUCCESS : pl_fail_memory(j->pl, n * sizeof *items);
  if (kept) memcpy(j->global, j->set->global, (size_t)kept * sizeof *j->global);
  for (int k = 0; k < j->ncome; k++)
    memcpy(&j->global[place_of(j, k)], j->came + (size_t)k * j->bytes, sizeof(int64_t));
  for (int m = 0; m < j->nmove; m++) j->global[j->move[m].to] = j->set->global[j->move[m].from];
  for (size_t i = 0; !err && i < n; i++) items[i] = (pl_keyed){(uint64_t)j->global[i], (int)i};
  if (!err && n) err = pl_sort_keyed(j->pl, j->after, items, spare, &sorted);
  for (size_t i = 0; !err && i < n; i++) j->view[i] = sorted[i].value;
  pl_free_array(j->pl, items);
  pl_free_array(j->pl, spare);
  return pl_agree(j->pl, err);
}

/* ---- arriving ---- */

static void arrive_dat(const journey *j, const cargo *c, size_t offset)
{
  char *host = c->dat->host;
  size_t s = c->stride;
  for (int k = 0; k < j->ncome; k++)
    memcpy(host + (size_t)place_of(j, k) * s, j->came + (size_t)k * j->bytes + offset, s);
  for (int m = 0; m < j->nmove; m++)
    memcpy(host + (size_t)j->move[m].to * s, host + (size_t)j->move[m].from * s, s);
  pl_dat_host_written(c->dat);
  c->dat->halo_stale = true;
}

/* Where an owned element is, by its global index. */
static int find_owned(const pl_set *set, int64_t id)
{
  int low = 0, high = set->part[1];
  if (id < 0) return -1;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (pl_view_number(set, middle) < id)
      low = middle + 1;
    else
      high = middle;
  }
  return pl_view_at(set, low);
}

static void arrive_map(const journey *j)
{
  pl_map *map = j->map;
  size_t arity = arity_of(j);
  for (int k = 0; k < j->ncome; k++)
    for (size_t e = 0; e < arity; e++) {
      int64_t name;
      memcpy(&name, j->came + (size_t)k * j->bytes + (1 + e) * sizeof name, sizeof name);
      map->index[(size_t)place_of(j, k) * arity + e] = find_owned(map->to, name);
    }
  for (int m = 0; m < j->nmove; m++)
    memcpy(map->index + (size_t)j->move[m].to * arity, map->index + (size_t)j->move[m].from * arity,
           arity * sizeof *map->index);
}

static void drop_buffer(pl_context *pl, void **buffer)
{
  if (*buffer) pl->backend->buffer_free(pl, *buffer);
  *buffer = NULL;
}

void pl_travel_take_over(pl_set *set, int64_t **global, int **view, pl_halo **halo, int owned, int total)
{
  pl_context *pl = set->node.pl;
  drop_buffer(pl, &set->global_device);
  pl_free_array(pl, set->global);
  pl_free_array(pl, set->view);
  pl_halo_free(pl, set->halo);
  set->global = *global;
  set->view = *view;
  set->halo = *halo;
  *global = NULL;
  *view = NULL;
  *halo = NULL;
  set->part[0] = set->part[1] = set->part[2] = owned;
  set->part[3] = total;
  set->moved++;
  pl_loops_resized(pl, set);
}

static void arrive(journey *j)
{
  size_t offset = (1 + arity_of(j)) * sizeof(int64_t);
  if (j->map) arrive_map(j);
  for (int d = 0; d < j->ncargo; d++) {
    arrive_dat(j, &j->cargo[d], offset);
    offset += j->cargo[d].stride;
  }
  pl_travel_take_over(j->set, &j->global, &j->view, &j->halo, j->after, j->after);
}

pl_err pl_travel(pl_set *set, const int *to, pl_map *map)
{
  pl_context *pl = set->node.pl;
  journey j = {.pl = pl, .set = set, .map = map, .scratch = {.pl = pl}, .n = set->part[1]};
  pl_err err = load_cargo(&j);
  if (!err) err = find_leavers(&j, to);
  if (!err) pack(&j);
  if (!err) err = pl_comm_exchange(pl, j.bytes, j.send, j.count, (void **)&j.came, j.came_count);
  if (!err) err = make_room(&j);
  if (!err) plan_moves(&j);
  if (!err) err = name_elements(&j);
  if (!err) arrive(&j);
  pl_free_array(pl, j.send);
  pl_free_array(pl, j.came);
  pl_free_array(pl, j.global);
  pl_free_array(pl, j.view);
  pl_halo_free(pl, j.halo);
  pl_scratch_free(&j.scratch);
  return err;
}

/* ---- ghosts ---- */

typedef struct ghosts {
  int64_t *ids, *came, *came_count, *global;
  int *view;
  pl_halo *halo;
  int64_t nsend, n;
} ghosts;

static pl_err name_ghosts(pl_set *set, ghosts *g, const int64_t *count, const int *send)
{
  pl_context *pl = set->node.pl;
  int ranks = pl_ranks(pl);
  g->nsend = pl_count_sum(pl, count);
  g->came_count = pl_calloc(pl, (size_t)ranks, sizeof *g->came_count);
  g->ids = pl_malloc_array(pl, (size_t)g->nsend * sizeof *g->ids);
  PL_TRY(pl_agree(pl, g->came_count && g->ids ? PL_SUCCESS : pl_fail_memory(pl, sizeof *g->ids)));
  for (int64_t k = 0; k < g->nsend; k++) g->ids[k] = set->global[send[k]];
  PL_TRY(pl_comm_exchange(pl, sizeof *g->ids, g->ids, count, (void **)&g->came, g->came_count));
  g->n = pl_count_sum(pl, g->came_count);
  return PL_SUCCESS;
}

static pl_err fill_halo(pl_set *set, ghosts *g, const int64_t *count, const int *send)
{
  pl_context *pl = set->node.pl;
  pl_halo *halo = g->halo;
  int64_t sent = 0, received = 0;
  for (int r = 0, i = 0; r < pl_ranks(pl); r++) {
    if (!count[r] && !g->came_count[r]) continue;
    halo->rank[i] = r;
    if ((halo->peer[i] = pl_peer_number(pl, r)) < 0) return PL_ERR_MEMORY;
    for (int64_t k = 0; k < count[r]; k++, sent++) halo->send[sent] = send[sent];
    for (int64_t k = 0; k < g->came_count[r]; k++, received++)
      halo->receive[received] = set->part[1] + (int)received;
    if (r < pl_rank(pl)) halo->nearby.lower = (int)received;
    i++;
    halo->send_offset[i] = (int)sent;
    halo->receive_offset[i] = (int)received;
  }
  return PL_SUCCESS;
}

static pl_err prepare_ghosts(pl_set *set, ghosts *g, const int64_t *count, const int *send)
{
  pl_context *pl = set->node.pl;
  int neighbours = 0, owned = set->part[1];
  for (int r = 0; r < pl_ranks(pl); r++) neighbours += count[r] || g->came_count[r];
  size_t total = (size_t)owned + (size_t)g->n;
  g->global = pl_malloc_array(pl, total * sizeof *g->global);
  g->view = pl_malloc_array(pl, total * sizeof *g->view);
  g->halo = pl_halo_new(pl, neighbours, g->nsend, g->n);
  if (!g->global || !g->view || !g->halo) return pl_fail_memory(pl, total * sizeof *g->global);
  if (owned) memcpy(g->global, set->global, (size_t)owned * sizeof *g->global);
  if (owned) memcpy(g->view, set->view, (size_t)owned * sizeof *g->view);
  if (g->n) memcpy(g->global + owned, g->came, (size_t)g->n * sizeof *g->global);
  for (size_t i = (size_t)owned; i < total; i++) g->view[i] = (int)i;
  return fill_halo(set, g, count, send);
}

pl_err pl_ghosts_make(pl_set *set, const int64_t *count, const int *send)
{
  pl_context *pl = set->node.pl;
  ghosts g = {.n = 0};
  pl_err err = name_ghosts(set, &g, count, send);
  if (!err) err = pl_travel_room(set, set->part[1] + g.n);
  if (!err) err = pl_agree(pl, prepare_ghosts(set, &g, count, send));
  if (!err) pl_travel_take_over(set, &g.global, &g.view, &g.halo, set->part[1], set->part[1] + (int)g.n);
  EACH(pl_dat, dat, pl->dats)
  if (!err && dat->set == set) dat->halo_stale = true;
  pl_free(pl, g.came_count);
  pl_free_array(pl, g.ids);
  pl_free_array(pl, g.came);
  pl_free_array(pl, g.global);
  pl_free_array(pl, g.view);
  pl_halo_free(pl, g.halo);
  return err;
}

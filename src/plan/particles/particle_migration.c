/* SPDX-License-Identifier: BSD-2-Clause
 * Elements that go to other ranks, or for ever. See travel.h.
 *
 * What can fail comes first and is agreed on; then all ranks move together. The names of those that travel
 * (global index, and what their entries of the map name) are few; their values take the way of halos.
 */
#include "travel.h"
#include "core/chain.h"
#include "core/directory.h"
#include <stdlib.h>
#include <string.h>

#define EACH(type, object, list)                                                                             \
  for (type *object = (type *)(list); object; object = (type *)object->node.next)

/* ---- what is acceptable ---- */

void pl_travel_begin(pl_set *set)
{
  if (set->travels) return;
  set->travels = true;
  pl_late_drop(set->node.pl);
}

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

/* ---- who leaves ---- */

void pl_leaving_find(pl_scratch *scratch, int n, const int *to, pl_leaving *leaving)
{
  int me = pl_rank(scratch->pl), ranks = pl_ranks(scratch->pl), ngone = 0;
  int64_t *next = pl_scratch_take(scratch, (size_t)ranks + 1, sizeof *next), all = 0;
  *leaving = (pl_leaving){.count = pl_scratch_take(scratch, (size_t)ranks, sizeof *leaving->count)};
  if (scratch->failed) return;
  for (int i = 0; i < n; i++) {
    if (to[i] == PL_GONE)
      ngone++;
    else if (to[i] != me)
      leaving->count[to[i]]++;
  }
  for (int r = 0; r < ranks; r++) next[r] = all, all += leaving->count[r];
  leaving->place = pl_scratch_take(scratch, (size_t)all, sizeof *leaving->place);
  leaving->gone = pl_scratch_take(scratch, (size_t)ngone, sizeof *leaving->gone);
  for (int i = 0; i < n && !scratch->failed; i++) {
    if (to[i] == PL_GONE)
      leaving->gone[leaving->ngone++] = i;
    else if (to[i] != me)
      leaving->place[next[to[i]]++] = i;
  }
}

/* ---- a journey ---- */

typedef struct journey {
  pl_context *pl;
  pl_set *set;
  pl_map *map;
  const pl_leaving *leave;
  pl_scratch scratch;
  int ndats;
  pl_dat **dat; /* that any rank has values of; the others are zeros everywhere */
  int n, nhole, nleave, ncome, nmove, after;
  int *hole;                /* places that become free, ascending */
  int64_t *name, *came;     /* of those that leave and arrive: global index, then what their entries name */
  int64_t *came_count;      /* from each rank */
  int *move_from, *move_to; /* of elements that fill places from the end */
  pl_halo *route, *halo;    /* of the journey; and the empty one that the set has after it */
} journey;

static size_t arity_of(const journey *j)
{
  return j->map ? (size_t)j->map->arity : 0;
}

static size_t name_size(const journey *j)
{
  return 1 + arity_of(j);
}

/* Values of a dat where they will be moved: on the device, and there alone, if there is one. */
static pl_err load(pl_dat *dat)
{
  if (!dat->node.pl->backend->dat_alloc)
    return pl_dat_host(dat, false) ? PL_SUCCESS : dat->node.pl->error_code;
  PL_TRY(pl_dat_device(dat, true));
  pl_dat_device_written(dat);
  return PL_SUCCESS;
}

static pl_err load_all(journey *j)
{
  int n = 0, next = 0;
  pl_err err = PL_SUCCESS;
  EACH(pl_dat, dat, j->pl->dats)
  n += dat->set == j->set;
  unsigned char *any = pl_scratch_take(&j->scratch, (size_t)n, 1);
  j->dat = pl_scratch_take(&j->scratch, (size_t)n, sizeof(pl_dat *));
  PL_TRY(pl_agree(j->pl, pl_scratch_check(&j->scratch)));
  EACH(pl_dat, dat, j->pl->dats)
  if (dat->set == j->set) any[next++] = dat->host || dat->device_valid;
  PL_TRY(pl_comm_reduce(j->pl, PL_UINT8, PL_MAX, any, (size_t)n));
  next = 0;
  EACH(pl_dat, dat, j->pl->dats)
  if (dat->set == j->set && any[next++]) {
    j->dat[j->ndats++] = dat;
    if (!err) err = load(dat);
  }
  return pl_agree(j->pl, err);
}

static int ascending(const void *a, const void *b)
{
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

static void find_holes(journey *j)
{
  const pl_leaving *l = j->leave;
  j->nleave = (int)pl_count_sum(j->pl, l->count);
  j->nhole = j->nleave + l->ngone;
  j->hole = pl_scratch_take(&j->scratch, (size_t)j->nhole, sizeof *j->hole);
  if (!j->nhole || !j->hole) return;
  memcpy(j->hole, l->place, (size_t)j->nleave * sizeof *j->hole);
  memcpy(j->hole + j->nleave, l->gone, (size_t)l->ngone * sizeof *j->hole);
  qsort(j->hole, (size_t)j->nhole, sizeof *j->hole, ascending);
}

static void write_names(const journey *j)
{
  int64_t *at = j->name;
  size_t arity = arity_of(j);
  for (int k = 0; k < j->nleave; k++) {
    size_t i = (size_t)j->leave->place[k];
    *at++ = j->set->global[i];
    for (size_t e = 0; e < arity; e++) {
      int target = j->map->index[i * arity + e];
      *at++ = target < 0 ? -1 : pl_element_number(j->map->to, target);
    }
  }
}

static pl_err exchange_names(journey *j)
{
  find_holes(j);
  j->name = pl_scratch_take(&j->scratch, (size_t)j->nleave * name_size(j), sizeof *j->name);
  j->came_count = pl_scratch_take(&j->scratch, (size_t)pl_ranks(j->pl), sizeof *j->came_count);
  PL_TRY(pl_agree(j->pl, pl_scratch_check(&j->scratch)));
  write_names(j);
  return pl_comm_exchange(j->pl, name_size(j) * sizeof *j->name, j->name, j->leave->count, (void **)&j->came,
                          j->came_count);
}

/* ---- what is needed to arrive ---- */

/* The neighbours of a halo and its offsets, from how many items go to each rank and come from it. */
static pl_err fill_halo(pl_context *pl, const int64_t *count, const int64_t *came_count, pl_halo **result)
{
  int n = 0, i = 0, ranks = pl_ranks(pl);
  int64_t sent = 0, received = 0;
  for (int r = 0; r < ranks; r++) n += count[r] || came_count[r];
  pl_halo *halo = *result = pl_halo_new(pl, n, pl_count_sum(pl, count), pl_count_sum(pl, came_count));
  if (!halo) return PL_ERR_MEMORY;
  for (int r = 0; r < ranks; r++) {
    if (!count[r] && !came_count[r]) continue;
    halo->rank[i] = r;
    if ((halo->peer[i] = pl_peer_number(pl, r)) < 0) return PL_ERR_MEMORY;
    i++;
    halo->send_offset[i] = (int)(sent += count[r]);
    halo->receive_offset[i] = (int)(received += came_count[r]);
    if (r < pl_rank(pl)) halo->nearby.lower = (int)received;
  }
  return PL_SUCCESS;
}

/* Where arrival k goes. */
static int place_of(const journey *j, int k)
{
  return k < j->nhole ? j->hole[k] : j->n + k - j->nhole;
}

static pl_err make_route(journey *j)
{
  PL_TRY(fill_halo(j->pl, j->leave->count, j->came_count, &j->route));
  if (j->nleave) memcpy(j->route->send, j->leave->place, (size_t)j->nleave * sizeof *j->route->send);
  for (int k = 0; k < j->ncome; k++) j->route->receive[k] = place_of(j, k);
  return PL_SUCCESS;
}

/* Places that stay empty are filled from the end. */
static void plan_moves(journey *j)
{
  int last = j->n - 1, hole = j->nhole - 1;
  for (int h = j->ncome; h < j->nhole && j->hole[h] < j->after; h++) {
    while (hole >= 0 && last == j->hole[hole]) last--, hole--;
    j->move_from[j->nmove] = last--;
    j->move_to[j->nmove++] = j->hole[h];
  }
}

pl_err pl_travel_names(pl_set *set, int n)
{
  pl_context *pl = set->node.pl;
  size_t room = (size_t)(n > pl_set_room(set) ? n : pl_set_room(set)), have = (size_t)set->part[3];
  if (n <= set->named) return PL_SUCCESS;
  int64_t *global = pl_malloc_array(pl, room * sizeof *global);
  int *view = pl_malloc_array(pl, room * sizeof *view);
  if (!global || !view) {
    pl_free_array(pl, global);
    pl_free_array(pl, view);
    return pl_fail_memory(pl, room * sizeof *global);
  }
  if (have) memcpy(global, set->global, have * sizeof *global);
  if (have) memcpy(view, set->view, have * sizeof *view);
  pl_free_array(pl, set->global);
  pl_free_array(pl, set->view);
  set->global = global;
  set->view = view;
  set->named = (int)room;
  return PL_SUCCESS;
}

static pl_err make_entries(journey *j)
{
  pl_map *map = j->map;
  size_t kept = (size_t)j->n * arity_of(j), wanted = (size_t)pl_set_room(j->set) * arity_of(j);
  if (!map) return PL_SUCCESS;
  int *index = pl_malloc_array(j->pl, wanted * sizeof *index);
  if (!index) return pl_fail_memory(j->pl, wanted * sizeof *index);
  if (kept) memcpy(index, map->index, kept * sizeof *index);
  pl_free_array(j->pl, map->index);
  map->index = index;
  return PL_SUCCESS;
}

static pl_err make_room(journey *j)
{
  int64_t come = pl_count_sum(j->pl, j->came_count), after = j->n - j->nhole + come;
  PL_TRY(pl_travel_room(j->set, after));
  j->ncome = (int)come;
  j->after = (int)after;
  j->move_from = pl_scratch_take(&j->scratch, (size_t)j->nhole, sizeof *j->move_from);
  j->move_to = pl_scratch_take(&j->scratch, (size_t)j->nhole, sizeof *j->move_to);
  j->halo = pl_halo_new(j->pl, 0, 0, 0);
  pl_err err = j->halo ? pl_scratch_check(&j->scratch) : PL_ERR_MEMORY;
  if (!err) err = make_route(j);
  if (!err) err = pl_travel_names(j->set, j->after);
  if (!err) err = make_entries(j);
  if (!err) plan_moves(j);
  return pl_agree(j->pl, err);
}

/* ---- arriving ---- */

static void fill_places(const journey *j, pl_dat *dat)
{
  char *host = dat->host;
  size_t s = pl_dat_stride(dat);
  for (int m = 0; m < j->nmove; m++)
    memcpy(host + (size_t)j->move_to[m] * s, host + (size_t)j->move_from[m] * s, s);
}

/* Values arrive, then the last ones fill what stays empty. */
static pl_err move_values(const journey *j)
{
  pl_context *pl = j->pl;
  pl_err err = PL_SUCCESS;
  PL_TRY(pl_halo_carry(pl, j->route, j->ndats, j->dat));
  if (pl->backend->dats_fill)
    err = pl->backend->dats_fill(pl, j->ndats, j->dat, j->nmove, j->move_from, j->move_to);
  for (int d = 0; d < j->ndats; d++) {
    if (!pl->backend->dats_fill) fill_places(j, j->dat[d]);
    j->dat[d]->halo_stale = true;
  }
  return pl_agree(pl, err);
}

static void arrive_names(const journey *j)
{
  int64_t *global = j->set->global;
  for (int k = 0; k < j->ncome; k++) global[place_of(j, k)] = j->came[(size_t)k * name_size(j)];
  for (int m = 0; m < j->nmove; m++) global[j->move_to[m]] = global[j->move_from[m]];
  j->set->unsorted = true;
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

static void arrive_entries(const journey *j)
{
  pl_map *map = j->map;
  size_t arity = arity_of(j);
  for (int k = 0; k < j->ncome; k++)
    for (size_t e = 0; e < arity; e++)
      map->index[(size_t)place_of(j, k) * arity + e] =
        find_owned(map->to, j->came[(size_t)k * name_size(j) + 1 + e]);
  for (int m = 0; m < j->nmove; m++)
    memcpy(map->index + (size_t)j->move_to[m] * arity, map->index + (size_t)j->move_from[m] * arity,
           arity * sizeof *map->index);
}

void pl_travel_renew(pl_set *set, pl_halo **halo, int owned, int total)
{
  pl_context *pl = set->node.pl;
  if (set->global_device) pl->backend->buffer_free(pl, set->global_device);
  set->global_device = NULL;
  pl_halo_free(pl, set->halo);
  set->halo = *halo;
  *halo = NULL;
  set->part[0] = set->part[1] = set->part[2] = owned;
  set->part[3] = total;
  set->moved++;
  pl_loops_resized(pl, set);
}

pl_err pl_travel(pl_set *set, const pl_leaving *leaving, pl_map *map)
{
  pl_context *pl = set->node.pl;
  journey j = {.pl = pl, .set = set, .map = map, .leave = leaving, .scratch = {.pl = pl}, .n = set->part[1]};
  pl_err err = load_all(&j);
  if (!err) err = exchange_names(&j);
  if (!err) err = make_room(&j);
  if (!err) err = move_values(&j);
  if (!err) {
    arrive_names(&j);
    if (map) arrive_entries(&j);
    pl_travel_renew(set, &j.halo, j.after, j.after);
  }
  pl_free_array(pl, j.came);
  pl_halo_free(pl, j.route);
  pl_halo_free(pl, j.halo);
  pl_scratch_free(&j.scratch);
  return err;
}

/* ---- ghosts ---- */

/* The global indices of elements that are copied to other ranks, and of those that come from them. */
static pl_err name_ghosts(pl_set *set, const int64_t *count, const int *send, int64_t **came,
                          int64_t *came_count)
{
  pl_context *pl = set->node.pl;
  int64_t n = pl_count_sum(pl, count), *ids = pl_malloc_array(pl, (size_t)n * sizeof *ids);
  pl_err err = pl_agree(pl, ids ? PL_SUCCESS : pl_fail_memory(pl, (size_t)n * sizeof *ids));
  for (int64_t k = 0; k < n && !err; k++) ids[k] = set->global[send[k]];
  if (!err) err = pl_comm_exchange(pl, sizeof *ids, ids, count, (void **)came, came_count);
  pl_free_array(pl, ids);
  return err;
}

static void enter_ghosts(pl_set *set, pl_halo **halo, const int64_t *came, int n, const int *send)
{
  int owned = set->part[1], nsend = (*halo)->send_offset[(*halo)->n];
  if (nsend) memcpy((*halo)->send, send, (size_t)nsend * sizeof *send);
  if (n) memcpy(set->global + owned, came, (size_t)n * sizeof *came);
  for (int k = 0; k < n; k++) {
    (*halo)->receive[k] = owned + k;
    set->view[owned + k] = owned + k;
  }
  pl_travel_renew(set, halo, owned, owned + n);
  EACH(pl_dat, dat, set->node.pl->dats)
  if (dat->set == set) dat->halo_stale = true;
}

pl_err pl_ghosts_make(pl_set *set, const int64_t *count, const int *send)
{
  pl_context *pl = set->node.pl;
  pl_halo *halo = NULL;
  int64_t *came = NULL, *came_count = pl_calloc(pl, (size_t)pl_ranks(pl), sizeof *came_count), n = 0;
  pl_err err = pl_agree(pl, came_count ? PL_SUCCESS : pl_fail_memory(pl, sizeof *came_count));
  if (!err) err = name_ghosts(set, count, send, &came, came_count);
  if (!err) n = pl_count_sum(pl, came_count);
  if (!err) err = pl_travel_room(set, set->part[1] + n);
  if (!err) {
    err = fill_halo(pl, count, came_count, &halo);
    if (!err) err = pl_travel_names(set, set->part[1] + (int)n);
    err = pl_agree(pl, err);
  }
  if (!err) enter_ghosts(set, &halo, came, (int)n, send);
  pl_free(pl, came_count);
  pl_free_array(pl, came);
  pl_halo_free(pl, halo);
  return err;
}

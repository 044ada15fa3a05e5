/* SPDX-License-Identifier: BSD-2-Clause
 * Migration of particles. All steps that can fail are done before values move, and agreed on. Global indices
 * of migrants and of their targets are sent first; values are exchanged like halos.
 */
#include "particle_migration.h"
#include "core/arrays/set_resize.h"
#include "core/chain/deferred_queue.h"
#include "core/comm/comm.h"
#include "core/loop/loop.h"
#include "plan/base/object_lists.h"
#include "plan/base/radix_sort.h"
#include "plan/distribution/halo_lists.h"
#include "plan/execution/plan_cache.h"
#include <string.h>

/* ---- sets that migrate ---- */

void pl_migration_enable(pl_set *set)
{
  if (set->migrates) return;
  set->migrates = true;
  pl_deferred_drop(set->node.pl);
}

pl_map *pl_migration_cell_map(const pl_set *set)
{
  PL_EACH (pl_map, map, set->node.pl->maps)
    if (map->from == set && !map->pair_map && !map->inner && map->arity == 1 && map->to != set) return map;
  return NULL;
}

static pl_err compose_again(pl_map *map)
{
  pl_context *pl = map->node.pl;
  int *index = pl_map_composed(map->outer, map->inner);
  if (!index) return PL_ERR_MEMORY;
  pl_free_array(pl, map->index);
  map->index = index;
  map->has_negative |= map->inner->has_negative || map->outer->has_negative;
  map->exposed = false;
  pl_halo_free(pl, map->halo);
  map->halo = NULL; /* its cells, and the elements they reach, are others */
  pl_map_changed(map);
  return PL_SUCCESS;
}

pl_err pl_migration_compose(const pl_map *inner)
{
  pl_err err = PL_SUCCESS;
  if (!inner) return PL_SUCCESS;
  PL_EACH (pl_map, map, inner->node.pl->maps)
    if (map->inner == inner && !err) err = compose_again(map);
  return pl_agree(inner->node.pl, err);
}

pl_err pl_migration_recount(pl_set *set)
{
  set->global_size = set->end[1];
  set->declared = -1;
  return pl_comm_reduce(set->node.pl, PL_INT64, PL_INC, &set->global_size, 1);
}

pl_err pl_migration_reserve(pl_set *set, int64_t n)
{
  pl_context *pl = set->node.pl;
  PL_TRY(pl_agree(pl, pl_set_make_room(set, n)));
  return pl_comm_reduce(pl, PL_UINT64, PL_MAX, &pl->decl_version, 1);
}

void pl_migrants_find(pl_arena *arena, int n, const int *to, pl_migrants *migrants)
{
  int me = pl_rank(arena->pl), ranks = pl_ranks(arena->pl), ngone = 0;
  int64_t *next = pl_arena_alloc(arena, (size_t)ranks + 1, sizeof *next), all = 0;
  *migrants = (pl_migrants){.count = pl_arena_alloc(arena, (size_t)ranks, sizeof *migrants->count)};
  if (arena->failed) return;
  for (int i = 0; i < n; i++) {
    if (to[i] == PL_REMOVED)
      ngone++;
    else if (to[i] != me)
      migrants->count[to[i]]++;
  }
  for (int r = 0; r < ranks; r++) next[r] = all, all += migrants->count[r];
  int *index = pl_arena_alloc(arena, (size_t)all, sizeof *index);
  migrants->index = index;
  migrants->removed = pl_arena_alloc(arena, (size_t)ngone, sizeof *migrants->removed);
  for (int i = 0; i < n && !arena->failed; i++) {
    if (to[i] == PL_REMOVED)
      migrants->removed[migrants->nremoved++] = i;
    else if (to[i] != me)
      index[next[to[i]]++] = i;
  }
}

/* ---- one migration ---- */

typedef struct migration {
  pl_context *pl;
  pl_set *set;
  pl_map *map;
  const pl_migrants *migrants;
  pl_arena arena;
  int ndats;
  pl_dat **dat; /* with values on any rank; the others are zero everywhere */
  int n, nhole, nsent, nreceived, nmove, after;
  int *hole;               /* storage indices that become free, ascending */
  int64_t *sent;           /* records of migrants: global index, then those of their targets */
  int64_t *received_count; /* from each rank */
  pl_all_to_all records;
  int *move_from, *move_to; /* of elements from the end that fill holes */
  pl_halo *transfer, *halo; /* lists of the migration; the empty halo after it */
} migration;

static size_t arity_of(const migration *j)
{
  return j->map ? (size_t)j->map->arity : 0;
}

static size_t record_size(const migration *j)
{
  return 1 + arity_of(j);
}

/* Makes the values of a dat valid where they are moved: on the device alone, or on a host. */
static pl_err load_dat(pl_dat *dat)
{
  if (!dat->node.pl->backend->data) return pl_dat_host(dat, false) ? PL_SUCCESS : dat->node.pl->error_code;
  PL_TRY(pl_dat_device(dat, true));
  pl_dat_device_written(dat);
  return PL_SUCCESS;
}

static pl_err load_dats(migration *j)
{
  size_t n = pl_node_count(j->pl->dats);
  int count = 0;
  pl_err err = PL_SUCCESS;
  unsigned char *any = pl_arena_alloc(&j->arena, n, 1);
  j->dat = pl_arena_alloc(&j->arena, n, sizeof(pl_dat *));
  PL_TRY(pl_arena_agree(&j->arena));
  PL_EACH (pl_dat, dat, j->pl->dats)
    if (dat->set == j->set) {
      any[count] = pl_dat_has_values(dat);
      j->dat[count++] = dat;
    }
  PL_TRY(pl_comm_reduce(j->pl, PL_UINT8, PL_MAX, any, (size_t)count));
  for (int d = 0; d < count; d++)
    if (any[d]) j->dat[j->ndats++] = j->dat[d];
  for (int d = 0; d < j->ndats && !err; d++) err = load_dat(j->dat[d]);
  return pl_agree(j->pl, err);
}

static void find_holes(migration *j)
{
  const pl_migrants *l = j->migrants;
  j->nsent = (int)pl_count_sum(j->pl, l->count);
  j->nhole = j->nsent + l->nremoved;
  j->hole = pl_arena_alloc(&j->arena, (size_t)j->nhole, sizeof *j->hole);
  if (!j->nhole || !j->hole) return;
  memcpy(j->hole, l->index, (size_t)j->nsent * sizeof *j->hole);
  memcpy(j->hole + j->nsent, l->removed, (size_t)l->nremoved * sizeof *j->hole);
  pl_sort_ints(j->nhole, j->hole);
}

static void write_records(const migration *j)
{
  int64_t *at = j->sent;
  size_t arity = arity_of(j);
  for (int k = 0; k < j->nsent; k++) {
    size_t i = (size_t)j->migrants->index[k];
    *at++ = j->set->global[i];
    for (size_t e = 0; e < arity; e++) {
      int target = j->map->index[i * arity + e];
      *at++ = target < 0 ? -1 : pl_element_global_index(j->map->to, target);
    }
  }
}

static pl_err prepare_records(migration *j)
{
  find_holes(j);
  j->sent = pl_arena_alloc(&j->arena, (size_t)j->nsent * record_size(j), sizeof *j->sent);
  j->received_count = pl_arena_alloc(&j->arena, (size_t)pl_ranks(j->pl), sizeof *j->received_count);
  PL_TRY(pl_arena_agree(&j->arena));
  return pl_all_to_all_prepare(j->pl, record_size(j) * sizeof *j->sent, j->migrants->count, j->received_count,
                               &j->records);
}

/* While a device moves the values. */
static pl_err exchange_records(migration *j)
{
  write_records(j);
  return pl_all_to_all_run(j->pl, &j->records, j->sent);
}

/* ---- storage for the received elements ---- */

static int storage_of(const migration *j, int k)
{
  return k < j->nhole ? j->hole[k] : j->n + k - j->nhole;
}

static pl_err build_transfer(migration *j)
{
  PL_TRY(pl_halo_of_counts(j->pl, j->migrants->count, j->received_count, &j->transfer));
  pl_halo_pass_buffers(j->set->halo, j->transfer);
  if (j->nsent) memcpy(j->transfer->send, j->migrants->index, (size_t)j->nsent * sizeof *j->transfer->send);
  for (int k = 0; k < j->nreceived; k++) j->transfer->receive[k] = storage_of(j, k);
  return PL_SUCCESS;
}

/* Elements from the end fill the holes that remain. */
static void plan_moves(migration *j)
{
  int last = j->n - 1, hole = j->nhole - 1;
  for (int h = j->nreceived; h < j->nhole && j->hole[h] < j->after; h++) {
    while (hole >= 0 && last == j->hole[hole]) last--, hole--;
    j->move_from[j->nmove] = last--;
    j->move_to[j->nmove++] = j->hole[h];
  }
}

pl_err pl_migration_reserve_indices(pl_set *set, int n)
{
  pl_context *pl = set->node.pl;
  size_t room = (size_t)(n > pl_set_room(set) ? n : pl_set_room(set)), have = (size_t)set->end[3];
  if (n <= set->index_room) return PL_SUCCESS;
  int64_t *global = pl_malloc_array(pl, room * sizeof *global);
  int *order = pl_malloc_array(pl, room * sizeof *order);
  if (!global || !order) return pl_free_arrays(pl, global, order), pl_fail_memory(pl, room * sizeof *global);
  if (have) memcpy(global, set->global, have * sizeof *global);
  if (have) memcpy(order, set->user_order, have * sizeof *order);
  pl_free_arrays(pl, set->global, set->user_order);
  set->global = global;
  set->user_order = order;
  set->index_room = (int)room;
  return PL_SUCCESS;
}

static pl_err grow_entries(migration *j)
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

static pl_err prepare_storage(migration *j)
{
  int64_t received = pl_count_sum(j->pl, j->received_count), after = j->n - j->nhole + received;
  PL_TRY(pl_migration_reserve(j->set, after));
  j->nreceived = (int)received;
  j->after = (int)after;
  j->move_from = pl_arena_alloc(&j->arena, (size_t)j->nhole, sizeof *j->move_from);
  j->move_to = pl_arena_alloc(&j->arena, (size_t)j->nhole, sizeof *j->move_to);
  j->halo = pl_halo_new(j->pl, 0, 0, 0);
  pl_err err = j->halo ? pl_arena_check(&j->arena) : PL_ERR_MEMORY;
  if (!err) err = build_transfer(j);
  if (!err) err = pl_migration_reserve_indices(j->set, j->after);
  if (!err) err = grow_entries(j);
  if (!err) plan_moves(j);
  return pl_agree(j->pl, err);
}

/* ---- moving ---- */

static void fill_holes(const migration *j, pl_dat *dat)
{
  char *host = dat->storage.host;
  size_t s = pl_dat_stride(dat);
  for (int m = 0; m < j->nmove; m++)
    memcpy(host + (size_t)j->move_to[m] * s, host + (size_t)j->move_from[m] * s, s);
}

/* Receives values, then fills the remaining holes. */
static pl_err move_values(const migration *j)
{
  pl_context *pl = j->pl;
  pl_err err = pl_halo_exchange_lists(pl, j->transfer, j->ndats, j->dat);
  if (!err && pl->backend->data)
    err = pl->backend->data->fill(pl, j->ndats, j->dat, j->nmove, j->move_from, j->move_to);
  for (int d = 0; d < j->ndats; d++) {
    if (!err && !pl->backend->data) fill_holes(j, j->dat[d]);
    pl_dat_halo_outdated(j->dat[d]);
  }
  return pl_agree(pl, err);
}

static void store_indices(const migration *j)
{
  int64_t *global = j->set->global;
  const int64_t *received = j->records.received;
  for (int k = 0; k < j->nreceived; k++) global[storage_of(j, k)] = received[(size_t)k * record_size(j)];
  for (int m = 0; m < j->nmove; m++) global[j->move_to[m]] = global[j->move_from[m]];
  j->set->user_order_stale = true;
}

/* The storage index of an owned element by its global index; -1 for a negative one. */
static int find_owned(const pl_set *set, int64_t id)
{
  int low = 0, high = set->end[1];
  if (id < 0) return -1;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (pl_user_global_index(set, middle) < id)
      low = middle + 1;
    else
      high = middle;
  }
  return pl_user_to_storage(set, low);
}

static void store_entries(const migration *j)
{
  pl_map *map = j->map;
  size_t arity = arity_of(j);
  const int64_t *received = j->records.received;
  for (int k = 0; k < j->nreceived; k++)
    for (size_t e = 0; e < arity; e++)
      map->index[(size_t)storage_of(j, k) * arity + e] =
        find_owned(map->to, received[(size_t)k * record_size(j) + 1 + e]);
  for (int m = 0; m < j->nmove; m++)
    memcpy(map->index + (size_t)j->move_to[m] * arity, map->index + (size_t)j->move_from[m] * arity,
           arity * sizeof *map->index);
}

/* Whether a composition leads from the set: on ranks its elements may reach halos, so none is core. */
static bool is_composed(const pl_set *set)
{
  PL_EACH (pl_map, map, set->node.pl->maps)
    if (map->from == set && map->inner) return pl_ranks(set->node.pl) > 1;
  return false;
}

void pl_migration_commit(pl_set *set, pl_halo **halo, int owned, int total)
{
  pl_context *pl = set->node.pl;
  pl_drop_buffer(pl, &set->global_device);
  pl_halo_pass_buffers(set->halo, *halo);
  pl_halo_free(pl, set->halo);
  set->halo = *halo;
  *halo = NULL;
  set->end[0] = is_composed(set) ? 0 : owned;
  set->end[1] = set->end[2] = owned;
  set->end[3] = total;
  set->copies_unnumbered = false;
  set->order_version++;
  pl_loops_resized(pl, set);
}

pl_err pl_particles_migrate(pl_set *set, const pl_migrants *migrants, pl_map *map)
{
  pl_context *pl = set->node.pl;
  migration j = {
    .pl = pl, .set = set, .map = map, .migrants = migrants, .arena = {.pl = pl}, .n = set->end[1]};
  pl_err err = load_dats(&j);
  if (!err) err = prepare_records(&j);
  if (!err) err = prepare_storage(&j);
  if (!err) err = move_values(&j);
  if (!err) err = exchange_records(&j);
  if (!err) {
    store_indices(&j);
    if (map) store_entries(&j);
    pl_halo_pass_buffers(j.transfer, set->halo);
    pl_migration_commit(set, &j.halo, j.after, j.after);
  }
  pl_all_to_all_free(pl, &j.records);
  pl_halo_free(pl, j.transfer);
  pl_halo_free(pl, j.halo);
  pl_arena_free(&j.arena);
  return err;
}

/* ---- ghosts ---- */

/* Loops over particles seldom read the global indices of copies, which are sent when they do. */
static void store_ghosts(pl_set *set, pl_halo **halo, int n, const int *send)
{
  int owned = set->end[1];
  (*halo)->incomplete = true;
  (*halo)->listed = send;
  pl_migration_commit(set, halo, owned, owned + n);
  set->copies_unnumbered = true;
  PL_EACH (pl_dat, dat, set->node.pl->dats)
    if (dat->set == set) pl_dat_halo_outdated(dat);
}

void pl_ghosts_complete(pl_set *set)
{
  pl_halo *halo = set->halo;
  if (!halo || !halo->incomplete) return;
  int owned = set->end[1], nsend = halo->send_offset[halo->n], n = halo->receive_offset[halo->n];
  if (nsend) memcpy(halo->send, halo->listed, (size_t)nsend * sizeof *halo->send);
  for (int k = 0; k < n; k++) halo->receive[k] = owned + k;
  for (int i = owned; i < owned + n; i++) set->user_order[i] = i;
  halo->incomplete = false;
}

pl_err pl_ghosts_make(pl_set *set, const int64_t *count, const int *send)
{
  pl_context *pl = set->node.pl;
  pl_halo *halo = NULL;
  int64_t *received_count = pl_calloc(pl, (size_t)pl_ranks(pl), sizeof *received_count), n = 0;
  pl_err err = pl_agree(pl, received_count ? PL_SUCCESS : pl_fail_memory(pl, sizeof *received_count));
  if (!err) err = pl_comm_counts(pl, count, received_count);
  if (!err) n = pl_count_sum(pl, received_count);
  if (!err) err = pl_migration_reserve(set, set->end[1] + n);
  if (!err) {
    err = pl_halo_of_counts(pl, count, received_count, &halo);
    if (!err) err = pl_migration_reserve_indices(set, set->end[1] + (int)n);
    err = pl_agree(pl, err);
  }
  if (!err) store_ghosts(set, &halo, (int)n, send);
  pl_free(pl, received_count);
  pl_halo_free(pl, halo);
  return err;
}

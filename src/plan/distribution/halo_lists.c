/* SPDX-License-Identifier: BSD-2-Clause
 * Construction of halo lists.
 *
 * An element with a target on rank q is also executed by q, which keeps it in its exec halo. All other remote
 * elements that the owned elements and the exec halo reach are in the nonexec halo. A rank holds only its own
 * elements and its halos; only counts have an entry for each rank.
 */
#include "halo_lists.h"
#include "core/comm/comm.h"
#include "core/data/objects.h"
#include "core/exchange/exchange.h"
#include "distribute.h"
#include "row_transfer.h"
#include <string.h>

static void alloc_counts(pl_arena *arena, pl_copy_lists *copies)
{
  size_t ranks = (size_t)pl_ranks(arena->pl);
  copies->out_count = pl_arena_alloc(arena, ranks, sizeof(int64_t));
  copies->in_count = pl_arena_alloc(arena, ranks, sizeof(int64_t));
}

/* ---- rows ---- */

int pl_dist_set_rows(const pl_dist_set *ds)
{
  return ds->n + (int)ds->exec.in.n + (int)ds->nonexec.in.n;
}

int pl_dist_set_row(const pl_dist_set *ds, int64_t id)
{
  const pl_set *set = ds->set;
  int64_t row = set->global ? pl_lookup_find(&ds->owned, id) : pl_undistributed_row(set, id);
  return row >= 0 ? (int)row : pl_id_table_get(&ds->row, id);
}

static pl_err prepare_set(pl_arena *arena, pl_dist_set *ds)
{
  alloc_counts(arena, &ds->exec);
  alloc_counts(arena, &ds->nonexec);
  ds->boundary = pl_arena_alloc(arena, (size_t)ds->n, 1);
  if (ds->set->global && pl_lookup_make(arena->pl, ds->set->global, ds->n, &ds->owned)) arena->failed = true;
  PL_TRY(pl_arena_agree(arena));
  return pl_directory_of(ds->set, &ds->directory);
}

int pl_dist_map_row(const pl_dist_map *dm, int row, const int64_t **targets)
{
  size_t i = (size_t)row, n = (size_t)dm->from->n, arity = (size_t)dm->map->arity;
  if (i < n) {
    *targets = dm->map->global_index + pl_map_begin(dm->map, i);
    return (int)(pl_map_begin(dm->map, i + 1) - pl_map_begin(dm->map, i));
  }
  const int *offset = dm->exec_offset;
  *targets = dm->exec + (offset ? (size_t)offset[i - n] : (i - n) * arity);
  return offset ? offset[i - n + 1] - offset[i - n] : dm->map->arity;
}

/* Calls visit for every target of the owned rows of a map, or of the exec halo's rows. */
typedef void (*target_fn)(pl_arena *arena, pl_dist_map *dm, int row, int64_t target, void *data);

static void each_target(pl_arena *arena, pl_dist_map *dm, bool exec, target_fn visit, void *data)
{
  int begin = exec ? dm->from->n : 0, end = exec ? begin + (int)dm->from->exec.in.n : dm->from->n;
  for (int i = begin; i < end && !arena->failed; i++) {
    const int64_t *target;
    int n = pl_dist_map_row(dm, i, &target);
    for (int k = 0; k < n; k++)
      if (target[k] >= 0) visit(arena, dm, i, target[k], data);
  }
}

/* Global indices that this rank does not hold, each once, and their owners. */
typedef struct remote_ids {
  pl_ids ids;
  pl_id_table number;
  int *owner;
} remote_ids;

static void add_remote(pl_arena *arena, pl_dist_map *dm, int row, int64_t target, void *data)
{
  remote_ids *s = data;
  (void)row;
  if (pl_dist_set_row(dm->to, target) >= 0 || pl_id_table_get(&s->number, target) >= 0) return;
  pl_id_table_put(arena, &s->number, target, (int)s->ids.n);
  pl_ids_add(arena, &s->ids, target);
}

/* Collects the remote targets of rows in one set. */
static pl_err find_remote(pl_arena *arena, pl_dist_set *to, const pl_dist_group *group, bool exec,
                          remote_ids *s)
{
  memset(s, 0, sizeof *s);
  for (int m = 0; m < group->nmaps; m++) {
    if (group->map[m].to != to) continue;
    each_target(arena, &group->map[m], false, add_remote, s);
    if (exec) each_target(arena, &group->map[m], true, add_remote, s);
  }
  s->owner = pl_arena_alloc(arena, (size_t)s->ids.n, sizeof *s->owner);
  PL_TRY(pl_arena_agree(arena));
  return pl_directory_find(arena->pl, &to->directory, s->ids.n, s->ids.item, s->owner);
}

/* ---- exec halos: pairs of a rank and a row ---- */

enum { RANK_SHIFT = 32 };

static void add_export(pl_arena *arena, pl_dist_map *dm, int row, int64_t target, void *data)
{
  const remote_ids *s = data;
  int number = pl_id_table_get(&s->number, target);
  if (number < 0) return;
  dm->from->boundary[row] = PL_BOUNDARY;
  pl_ids_add(arena, &dm->from->exec.out, (int64_t)s->owner[number] << RANK_SHIFT | row);
}

/* Replaces sorted pairs (rank, row) by counts and rows. */
static void separate_pairs(pl_ids *pairs, int64_t *count)
{
  for (int64_t i = 0; i < pairs->n; i++) {
    count[pairs->item[i] >> RANK_SHIFT]++;
    pairs->item[i] = pairs->item[i] & (((int64_t)1 << RANK_SHIFT) - 1);
  }
}

pl_err pl_copy_lists_send(pl_arena *arena, const pl_copy_lists *copies, size_t stride, const void *records,
                          void **received)
{
  int64_t *in_count = pl_arena_alloc(arena, (size_t)pl_ranks(arena->pl), sizeof *in_count);
  char *send = pl_arena_alloc(arena, (size_t)copies->out.n, stride);
  PL_TRY(pl_arena_agree(arena));
  for (int64_t i = 0; i < copies->out.n; i++)
    memcpy(send + (size_t)i * stride, (const char *)records + (size_t)copies->out.item[i] * stride, stride);
  return pl_comm_all_to_all(arena->pl, stride, send, copies->out_count, received, in_count);
}

/* Numbers received copies as rows from `first` on. */
static void add_copies(pl_arena *arena, pl_dist_set *ds, pl_copy_lists *copies, int64_t *ids, int first)
{
  int64_t n = pl_count_sum(arena->pl, copies->in_count);
  for (int64_t i = 0; i < n; i++) {
    pl_ids_add(arena, &copies->in, ids[i]);
    pl_id_table_put(arena, &ds->row, ids[i], first + (int)i);
  }
}

static pl_err exchange_exec(pl_arena *arena, pl_dist_set *ds)
{
  pl_context *pl = arena->pl;
  pl_copy_lists *exec = &ds->exec;
  pl_ids_sort_unique(&exec->out);
  separate_pairs(&exec->out, exec->out_count);
  int64_t *ids = pl_arena_alloc(arena, (size_t)exec->out.n, sizeof *ids), *received;
  PL_TRY(pl_arena_agree(arena));
  for (int64_t i = 0; i < exec->out.n; i++) ids[i] = pl_undistributed_id(ds->set, (int)exec->out.item[i]);
  PL_TRY(pl_comm_all_to_all(pl, sizeof *ids, ids, exec->out_count, (void **)&received, exec->in_count));
  add_copies(arena, ds, exec, received, ds->n);
  pl_free_array(pl, received);
  return pl_arena_agree(arena);
}

/* Owners send the map rows of the exec halo. */
static pl_err exchange_rows(pl_arena *arena, pl_dist_map *dm)
{
  const pl_copy_lists *exec = &dm->from->exec;
  size_t stride = (size_t)dm->map->arity * sizeof *dm->exec;
  if (!dm->map->offset)
    return pl_copy_lists_send(arena, exec, stride, dm->map->global_index, (void **)&dm->exec);
  pl_row_transfer transfer = {.n = exec->out.n, .count = exec->out_count, .nreceived = exec->in.n};
  transfer.received_count = exec->in_count;
  transfer.order = pl_arena_alloc(arena, (size_t)transfer.n, sizeof *transfer.order);
  PL_TRY(pl_arena_agree(arena));
  for (int64_t i = 0; i < transfer.n; i++) transfer.order[i] = (int)exec->out.item[i];
  return pl_row_transfer_run_ragged(arena->pl, &transfer, dm->map->offset, dm->map->global_index,
                                    &dm->exec_offset, &dm->exec);
}

/* ---- nonexec halos ---- */

typedef struct owned_id {
  int owner;
  int64_t id;
} owned_id;

static int by_owner(const void *a, const void *b)
{
  const owned_id *x = a, *y = b;
  if (x->owner != y->owner) return (x->owner > y->owner) - (x->owner < y->owner);
  return (x->id > y->id) - (x->id < y->id);
}

/* The ids to request, by owner, ascending. */
static pl_err sort_by_owner(pl_arena *arena, pl_dist_set *ds, const remote_ids *s, int64_t *ids)
{
  owned_id *list = pl_arena_alloc(arena, (size_t)s->ids.n, sizeof *list);
  if (!list) return pl_arena_check(arena);
  for (int64_t i = 0; i < s->ids.n; i++) list[i] = (owned_id){s->owner[i], s->ids.item[i]};
  if (s->ids.n) qsort(list, (size_t)s->ids.n, sizeof *list, by_owner);
  for (int64_t i = 0; i < s->ids.n; i++) {
    ds->nonexec.in_count[list[i].owner]++;
    ids[i] = list[i].id;
  }
  return PL_SUCCESS;
}

static pl_err exchange_nonexec(pl_arena *arena, pl_dist_set *ds, const remote_ids *s)
{
  pl_context *pl = arena->pl;
  int64_t *ids = pl_arena_alloc(arena, (size_t)s->ids.n, sizeof *ids), *requested;
  if (ids) sort_by_owner(arena, ds, s, ids);
  PL_TRY(pl_arena_agree(arena));
  PL_TRY(pl_comm_all_to_all(pl, sizeof *ids, ids, ds->nonexec.in_count, (void **)&requested,
                            ds->nonexec.out_count));
  int64_t n = pl_count_sum(pl, ds->nonexec.out_count);
  for (int64_t i = 0; i < n; i++) pl_ids_add(arena, &ds->nonexec.out, pl_dist_set_row(ds, requested[i]));
  pl_free_array(pl, requested);
  add_copies(arena, ds, &ds->nonexec, ids, ds->n + (int)ds->exec.in.n);
  return pl_arena_agree(arena);
}

/* ---- all together ---- */

/* Flags the targets of elements outside the core: loops in gather form run them last. */
static void flag_target(pl_arena *arena, pl_dist_map *dm, int row, int64_t target, void *data)
{
  const bool *exec = data;
  (void)arena;
  if (!*exec && !(dm->from->boundary[row] & PL_BOUNDARY)) return;
  int reached = pl_dist_set_row(dm->to, target);
  if (reached >= 0 && reached < dm->to->n) dm->to->boundary[reached] |= PL_BOUNDARY_TARGET;
}

/* The core first, its boundary targets last, then the boundary. */
static void number_rows(pl_arena *arena, pl_dist_set *ds)
{
  int total = pl_dist_set_rows(ds), next[4] = {0};
  ds->storage_index = pl_arena_alloc(arena, (size_t)total, sizeof *ds->storage_index);
  if (!ds->storage_index) return;
  for (int i = 0; i < ds->n; i++) next[ds->boundary[i] & PL_BOUNDARY ? PL_BOUNDARY : ds->boundary[i]]++;
  ds->ncore = next[0] + next[PL_BOUNDARY_TARGET];
  next[PL_BOUNDARY] = ds->ncore;
  next[PL_BOUNDARY_TARGET] = next[0];
  next[0] = 0;
  for (int i = 0; i < ds->n; i++)
    ds->storage_index[i] = next[ds->boundary[i] & PL_BOUNDARY ? PL_BOUNDARY : ds->boundary[i]]++;
  for (int i = ds->n; i < total; i++) ds->storage_index[i] = i;
}

pl_err pl_halo_lists_build(pl_arena *arena, pl_dist_group *group)
{
  const int nsets = group->nsets, nmaps = group->nmaps;
  pl_dist_set *set = group->set;
  pl_dist_map *map = group->map;
  remote_ids ids;
  for (int i = 0; i < nsets; i++) PL_TRY(prepare_set(arena, &set[i]));
  for (int i = 0; i < nsets; i++) {
    PL_TRY(find_remote(arena, &set[i], group, false, &ids));
    for (int m = 0; m < nmaps; m++)
      if (map[m].to == &set[i]) each_target(arena, &map[m], false, add_export, &ids);
  }
  PL_TRY(pl_arena_agree(arena));
  for (int i = 0; i < nsets; i++) PL_TRY(exchange_exec(arena, &set[i]));
  for (int m = 0; m < nmaps; m++) PL_TRY(exchange_rows(arena, &map[m]));
  for (int i = 0; i < nsets; i++) {
    PL_TRY(find_remote(arena, &set[i], group, true, &ids));
    PL_TRY(exchange_nonexec(arena, &set[i], &ids));
    pl_directory_free(arena->pl, &set[i].directory);
  }
  for (int exec = 0; exec < 2; exec++)
    for (int m = 0; m < nmaps; m++) each_target(arena, &map[m], exec, flag_target, &(bool){exec});
  for (int i = 0; i < nsets; i++) number_rows(arena, &set[i]);
  return pl_arena_agree(arena);
}

void pl_halo_lists_free(pl_context *pl, pl_dist_group *group)
{
  for (int i = 0; i < group->nsets; i++) {
    pl_directory_free(pl, &group->set[i].directory);
    pl_lookup_free(pl, &group->set[i].owned);
  }
  for (int m = 0; m < group->nmaps; m++) {
    pl_free_array(pl, group->map[m].exec);
    pl_free(pl, group->map[m].exec_offset);
  }
}

pl_err pl_halo_of_counts(pl_context *pl, const int64_t *count, const int64_t *received_count,
                         pl_halo **result)
{
  int n = 0, i = 0, ranks = pl_ranks(pl);
  int64_t sent = 0, received = 0;
  for (int r = 0; r < ranks; r++) n += count[r] || received_count[r];
  pl_halo *halo = *result = pl_halo_new(pl, n, pl_count_sum(pl, count), pl_count_sum(pl, received_count));
  if (!halo) return PL_ERR_MEMORY;
  for (int r = 0; r < ranks; r++) {
    if (!count[r] && !received_count[r]) continue;
    halo->rank[i] = r;
    if ((halo->peer[i] = pl_peer_number(pl, r)) < 0) return PL_ERR_MEMORY;
    i++;
    halo->send_offset[i] = (int)(sent += count[r]);
    halo->receive_offset[i] = (int)(received += received_count[r]);
    if (r < pl_rank(pl)) halo->nearby.lower = (int)received;
  }
  return PL_SUCCESS;
}

void pl_halo_owners(const pl_set *set, int *owner)
{
  const pl_halo *halo = set->halo;
  for (int i = 0; i < halo->n; i++)
    for (int k = halo->receive_offset[i]; k < halo->receive_offset[i + 1]; k++)
      owner[halo->receive[k] - set->end[1]] = halo->rank[i];
}

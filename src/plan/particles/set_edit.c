/* SPDX-License-Identifier: BSD-2-Clause
 * Edits of sets with maps. All new arrays are filled before the first object changes.
 */
#include "set_edit.h"
#include "core/arrays/set_resize.h"
#include "core/chain/deferred_queue.h"
#include "core/comm/comm.h"
#include "core/loop/loop.h"
#include "core/mesh/remote_rows.h"
#include "core/particles/pair_map.h"
#include "plan/base/object_lists.h"
#include "plan/base/arena.h"
#include "plan/distribution/connected_sets.h"
#include "plan/distribution/distribute.h"
#include "plan/distribution/undistribute.h"
#include <string.h>

typedef struct new_map {
  pl_map *map;
  void *entries; /* translated; NULL: no map to the set */
  void *rows;    /* rows that stay, then new ones; NULL: no map from the set */
  int *offset;
} new_map;

typedef struct new_dat {
  pl_dat *dat;
  void *host; /* NULL: the dat has no values */
} new_dat;

typedef struct edit {
  pl_context *pl;
  pl_set *set;
  const char *caller;
  pl_arena arena;
  bool permutes; /* global indices stay at their positions */
  int kept, added, after;
  int *from;          /* the element in storage that position i receives, i < kept */
  int64_t *now;       /* the number of an element in storage afterwards; -1: it is removed */
  int64_t first, all; /* global index of the first new element; new elements of all ranks */
  int64_t *global;
  int nmaps, ndats;
  new_map *map;
  new_dat *dat;
} edit;

static bool on_ranks(const edit *e)
{
  return pl_ranks(e->pl) > 1;
}

/* ---- begin ---- */

pl_err pl_edit_begin(pl_set *set, const char *caller)
{
  pl_context *pl = set->node.pl;
  PL_TRY(pl_flush_all(pl));
  return pl_agree_on(pl, pl_set_check_free(set, caller), "%s of \"%s\"", caller, set->node.name);
}

/* Rows in user order on every rank. */
static pl_err open_edit(edit *e, pl_set *set, const char *caller)
{
  *e = (edit){.pl = set->node.pl, .set = set, .caller = caller, .arena = {.pl = set->node.pl}};
  pl_deferred_drop(e->pl);
  if (on_ranks(e)) PL_TRY(pl_undistribute(set));
  e->from = pl_arena_alloc(&e->arena, (size_t)set->end[1], sizeof *e->from);
  e->now = pl_arena_alloc(&e->arena, (size_t)set->end[1], sizeof *e->now);
  e->map = pl_arena_alloc(&e->arena, pl_node_count(e->pl->maps), sizeof *e->map);
  e->dat = pl_arena_alloc(&e->arena, pl_node_count(e->pl->dats), sizeof *e->dat);
  PL_TRY(pl_arena_agree(&e->arena));
  PL_EACH (pl_map, map, e->pl->maps)
    if (!map->pair_map && (map->index || map->global_index) && (map->from == set || map->to == set))
      e->map[e->nmaps++].map = map;
  PL_EACH (pl_dat, dat, e->pl->dats)
    if (dat->set == set) e->dat[e->ndats++].dat = dat;
  return PL_SUCCESS;
}

/* ---- maps to the set ---- */

static size_t entry_size(const pl_map *map)
{
  return map->global_index ? sizeof *map->global_index : sizeof *map->index;
}

static pl_err report_target(const edit *e, const pl_map *map, size_t row, int64_t target)
{
  return pl_fail(e->pl, PL_ERR_STATE,
                 "%s: map \"%s\" leads from element %lld of \"%s\" to element %lld of \"%s\", which would be "
                 "removed; keep it, or free the map first",
                 e->caller, map->node.name, (long long)pl_element_global_index(map->from, (int)row),
                 map->from->node.name,
                 (long long)(map->global_index ? target : pl_element_global_index(e->set, (int)target)),
                 e->set->node.name);
}

/* No row that stays leads to an element that goes. */
static pl_err check_targets(const edit *e, const pl_map *map, const int64_t *old, const int64_t *now)
{
  for (size_t row = 0; row < (size_t)map->from->end[3]; row++) {
    if (map->from == e->set && e->now[row] < 0) continue;
    for (size_t i = pl_map_begin(map, row); i < pl_map_begin(map, row + 1); i++)
      if (old[i] >= 0 && now[i] < 0) return report_target(e, map, row, old[i]);
  }
  return PL_SUCCESS;
}

static pl_err find_targets(const edit *e, size_t n, const int64_t *old, int64_t *now)
{
  if (on_ranks(e)) return pl_rows_find(e->set, sizeof *now, e->now, (int64_t)n, old, now);
  for (size_t i = 0; i < n; i++) now[i] = old[i] < 0 ? -1 : e->now[old[i]];
  return PL_SUCCESS;
}

/* The entries of a map to the set, for the storage after the edit. */
static pl_err translate(const edit *e, new_map *m)
{
  const pl_map *map = m->map;
  const size_t n = pl_map_entries(map);
  int64_t *old = pl_malloc_array(e->pl, 2 * n * sizeof *old), *now = old + n;
  m->entries = pl_malloc_array(e->pl, n * entry_size(map));
  pl_err err = pl_agree(e->pl, old && m->entries ? PL_SUCCESS : pl_fail_memory(e->pl, 2 * n * sizeof *old));
  for (size_t i = 0; !err && i < n; i++) old[i] = map->global_index ? map->global_index[i] : map->index[i];
  if (!err) err = find_targets(e, n, old, now);
  if (!err) err = check_targets(e, map, old, now);
  for (size_t i = 0; !err && i < n; i++) {
    if (map->global_index)
      ((int64_t *)m->entries)[i] = now[i];
    else
      ((int *)m->entries)[i] = (int)now[i];
  }
  pl_free_array(e->pl, old);
  return pl_agree(e->pl, err);
}

/* ---- maps from the set, dats, global indices ---- */

static pl_err gather_ragged(const edit *e, new_map *m, const char *entries)
{
  const int *offset = m->map->offset;
  const size_t size = entry_size(m->map);
  int total = 0;
  PL_TRY(PL_NEW(e->pl, m->offset, (size_t)e->after + 1));
  for (int i = 0; i < e->after; i++) {
    if (i < e->kept) total += offset[e->from[i] + 1] - offset[e->from[i]];
    m->offset[i + 1] = total;
  }
  if (!(m->rows = pl_malloc_array(e->pl, (size_t)total * size))) return pl_fail_memory(e->pl, (size_t)total);
  for (int i = 0; i < e->kept; i++)
    memcpy((char *)m->rows + (size_t)m->offset[i] * size, entries + (size_t)offset[e->from[i]] * size,
           (size_t)(m->offset[i + 1] - m->offset[i]) * size);
  return PL_SUCCESS;
}

/* New elements have values of bytes `fresh`. */
static pl_err gather_rows(const edit *e, size_t stride, const void *rows, int fresh, void **result)
{
  const size_t bytes = (size_t)e->after * stride, stay = (size_t)e->kept * stride;
  if (!(*result = pl_malloc_array(e->pl, bytes))) return pl_fail_memory(e->pl, bytes);
  pl_gather_records(e->kept, stride, e->from, rows, *result);
  if (bytes > stay) memset((char *)*result + stay, fresh, bytes - stay);
  return PL_SUCCESS;
}

static pl_err gather_map(const edit *e, new_map *m)
{
  const pl_map *map = m->map;
  const void *entries = m->entries          ? m->entries
                        : map->global_index ? (const void *)map->global_index
                                            : map->index;
  if (map->from != e->set) return PL_SUCCESS;
  if (map->offset) return gather_ragged(e, m, entries);
  return gather_rows(e, (size_t)map->arity * entry_size(map), entries, 0xff, &m->rows);
}

static pl_err gather_dat(const edit *e, new_dat *d)
{
  PL_TRY(pl_dat_move_to_host(d->dat));
  return d->dat->storage.host ? gather_rows(e, pl_dat_stride(d->dat), d->dat->storage.host, 0, &d->host)
                              : PL_SUCCESS;
}

static pl_err gather_indices(edit *e)
{
  if (!on_ranks(e)) return PL_SUCCESS;
  PL_TRY(PL_NEW_ARRAY(e->pl, e->global, (size_t)e->after));
  for (int i = 0; i < e->after; i++)
    e->global[i] =
      i < e->kept ? pl_undistributed_id(e->set, e->permutes ? i : e->from[i]) : e->first + (i - e->kept);
  return PL_SUCCESS;
}

static pl_err gather_all(edit *e)
{
  pl_err err = gather_indices(e);
  for (int i = 0; i < e->nmaps && !err; i++) err = gather_map(e, &e->map[i]);
  for (int i = 0; i < e->ndats && !err; i++) err = gather_dat(e, &e->dat[i]);
  return err;
}

/* ---- commit ---- */

static void replace_map(const edit *e, new_map *m)
{
  pl_map *map = m->map;
  void *entries = m->rows ? m->rows : m->entries;
  if (m->rows) pl_free_array(e->pl, m->entries);
  pl_map_replace(map, m->offset ? m->offset : map->offset, map->global_index ? NULL : entries,
                 map->global_index ? entries : NULL);
  map->exposed = map->locality_checked = false;
  map->has_negative |= map->from == e->set && e->all && !map->offset;
  m->rows = m->entries = NULL;
  m->offset = NULL;
}

static void replace_dat(const edit *e, new_dat *d)
{
  pl_dat *dat = d->dat;
  pl_dat_drop_spare(dat);
  if (d->host)
    pl_storage_replace_host(dat, d->host, pl_dat_room_bytes(dat), (size_t)e->after * pl_dat_stride(dat));
  d->host = NULL;
  pl_dat_changed(dat);
  if (!on_ranks(e)) pl_dat_halo_updated(dat, NULL);
}

static void replace_set(edit *e)
{
  pl_set *set = e->set;
  const int end[4] = {e->after, e->after, e->after, e->after};
  pl_set_replace(set, e->global, NULL, NULL, end);
  e->global = NULL;
  if (!e->permutes) set->declared = -1;
  set->global_end = on_ranks(e) ? set->global_end + e->all : e->after;
  PL_EACH (pl_map, map, e->pl->maps)
    if (map->from == set && map->pairs && !map->pair_map)
      memcpy(map->pairs->set->end, set->end, sizeof set->end);
  e->pl->decl_version++;
  pl_loops_resized(e->pl, set);
}

static pl_err close_edit(edit *e, pl_err err)
{
  for (int i = 0; i < e->nmaps; i++) {
    pl_free_arrays(e->pl, e->map[i].entries, e->map[i].rows);
    pl_free(e->pl, e->map[i].offset);
  }
  for (int i = 0; i < e->ndats; i++) pl_free_array(e->pl, e->dat[i].host);
  pl_free_array(e->pl, e->global);
  pl_arena_free(&e->arena);
  pl_err distributed = pl_distribute(e->pl);
  return err ? err : distributed;
}

/* The new numbers of the elements that stay. */
static void name_kept(edit *e)
{
  for (int i = 0; i < e->set->end[1]; i++) e->now[i] = -1;
  for (int i = 0; i < e->kept; i++) {
    const int row = e->permutes ? i : e->from[i];
    e->now[e->from[i]] = on_ranks(e) ? pl_undistributed_id(e->set, row) : i;
  }
}

static pl_err run(edit *e)
{
  int64_t before;
  pl_err err = pl_set_check_size(e->set, (int64_t)e->kept + e->added, e->caller);
  PL_TRY(pl_agree(e->pl, err));
  PL_TRY(pl_comm_scan(e->pl, e->added, &before, &e->all));
  e->first = e->set->global_end + before;
  e->after = e->kept + e->added;
  name_kept(e);
  for (int i = 0; i < e->nmaps; i++)
    if (e->map[i].map->to == e->set) PL_TRY(translate(e, &e->map[i]));
  PL_TRY(pl_agree(e->pl, gather_all(e)));
  for (int i = 0; i < e->nmaps; i++) replace_map(e, &e->map[i]);
  for (int i = 0; i < e->ndats; i++) replace_dat(e, &e->dat[i]);
  replace_set(e);
  e->set->global_size = e->set->end[1];
  return pl_comm_reduce(e->pl, PL_INT64, PL_INC, &e->set->global_size, 1);
}

/* ---- the three edits ---- */

pl_err pl_edit_keep(pl_set *set, pl_dat *flag, const char *caller)
{
  static const uint64_t zero = 0;
  const size_t size = pl_type_size(flag->type);
  edit e;
  pl_err err = open_edit(&e, set, caller);
  const char *value = err ? NULL : pl_dat_host(flag, false);
  if (!err) err = pl_agree(e.pl, value ? PL_SUCCESS : e.pl->error_code);
  for (int i = 0; !err && i < set->end[1]; i++) {
    const int element = pl_user_to_storage(set, i);
    if (memcmp(value + (size_t)element * size, &zero, size)) e.from[e.kept++] = element;
  }
  if (!err) err = run(&e);
  return close_edit(&e, err);
}

pl_err pl_edit_add(pl_set *set, int64_t n, const char *caller)
{
  edit e;
  pl_err err = open_edit(&e, set, caller);
  if (!err) {
    e.added = (int)n;
    for (e.kept = 0; e.kept < set->end[1]; e.kept++) e.from[e.kept] = pl_user_to_storage(set, e.kept);
    err = run(&e);
  }
  return close_edit(&e, err);
}

static pl_err read_order(edit *e, const pl_dat *order, const int *entry)
{
  const int n = e->set->end[1];
  for (int i = 0; i < n; i++) e->now[i] = -1;
  for (int i = 0; i < n; i++) {
    const int position = entry[pl_user_to_storage(e->set, i)];
    if (position < 0 || position >= n || e->now[position] >= 0)
      return pl_fail(e->pl, PL_ERR_RANGE, "%s: order \"%s\" is no permutation: element %d holds %d",
                     e->caller, order->node.name, i, position);
    e->now[position] = i;
    e->from[e->kept++] = pl_user_to_storage(e->set, position);
  }
  return PL_SUCCESS;
}

pl_err pl_edit_reorder(pl_set *set, pl_dat *order, const char *caller)
{
  edit e;
  pl_err err = open_edit(&e, set, caller);
  const int *entry = err ? NULL : pl_dat_host(order, false);
  if (!err) err = pl_agree(e.pl, entry ? read_order(&e, order, entry) : e.pl->error_code);
  e.permutes = true;
  if (!err) err = run(&e);
  return close_edit(&e, err);
}

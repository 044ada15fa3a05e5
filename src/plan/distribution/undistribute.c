/* SPDX-License-Identifier: BSD-2-Clause
 * From distributed sets to undistributed ones. All new arrays are allocated and filled before any object
 * changes.
 */
#include "undistribute.h"
#include "core/chain/deferred_queue.h"
#include "core/comm/comm.h"
#include "core/exchange/halo.h"
#include "core/mesh/global_map.h"
#include "connected_sets.h"
#include "plan/base/object_lists.h"
#include "plan/base/arena.h"
#include "plan/base/radix_sort.h"

typedef struct new_set {
  pl_set *set;
  int64_t *global;
  int *row; /* of each element in storage: its row */
} new_set;

typedef struct new_map {
  pl_map *map;
  int64_t *global_index;
  int *offset; /* NULL: a fixed arity */
} new_map;

typedef struct new_dat {
  pl_dat *dat;
  void *host; /* NULL: the dat has no values */
} new_dat;

typedef struct work {
  pl_context *pl;
  pl_arena arena;
  int nsets, nmaps, ndats;
  new_set *set;
  new_map *map;
  new_dat *dat;
} work;

static void collect_objects(work *w)
{
  pl_context *pl = w->pl;
  w->set = pl_arena_alloc(&w->arena, pl_node_count(pl->sets), sizeof *w->set);
  w->map = pl_arena_alloc(&w->arena, pl_node_count(pl->maps), sizeof *w->map);
  w->dat = pl_arena_alloc(&w->arena, pl_node_count(pl->dats), sizeof *w->dat);
  if (w->arena.failed) return;
  PL_EACH (pl_set, set, pl->sets)
    if (set->marked && set->halo) w->set[w->nsets++].set = set;
  PL_EACH (pl_map, map, pl->maps)
    if (map->index && map->from->marked && map->from->halo) w->map[w->nmaps++].map = map;
  PL_EACH (pl_dat, dat, pl->dats)
    if (dat->set->marked && dat->set->halo) w->dat[w->ndats++].dat = dat;
}

static void *alloc_rows(work *w, size_t count, size_t size)
{
  void *array = count > PTRDIFF_MAX / (size + 1) ? NULL : pl_malloc_array(w->pl, count * size);
  if (!array) w->arena.failed = true;
  return array;
}

static void fill_set(work *w, new_set *s)
{
  const pl_set *set = s->set;
  s->global = alloc_rows(w, (size_t)set->end[1], sizeof *s->global);
  s->row = pl_arena_alloc(&w->arena, (size_t)set->end[3], sizeof *s->row);
  if (w->arena.failed) return;
  for (int i = 0; i < set->end[3]; i++) s->row[pl_user_to_storage(set, i)] = i;
  for (int i = 0; i < set->end[1]; i++) s->global[i] = set->global[pl_user_to_storage(set, i)];
}

static void fill_map(work *w, new_map *m)
{
  if (m->map->offset) m->offset = pl_global_map_offsets(m->map);
  m->global_index = pl_global_map_copy(m->map);
  if (!m->global_index || (m->map->offset && !m->offset)) w->arena.failed = true;
}

static void fill_dat(work *w, new_dat *d)
{
  pl_dat *dat = d->dat;
  size_t stride = pl_dat_stride(dat);
  if (pl_dat_move_to_host(dat)) w->arena.failed = true;
  if (!dat->storage.host || w->arena.failed) return;
  d->host = alloc_rows(w, (size_t)dat->set->end[1], stride);
  if (d->host) pl_to_user_order(dat->set, dat->set->end[1], stride, dat->storage.host, d->host);
}

static pl_err fill_all(work *w)
{
  collect_objects(w);
  PL_TRY(pl_arena_check(&w->arena));
  PL_TRY(pl_marked_check_views(w->pl));
  for (int i = 0; i < w->nsets && !w->arena.failed; i++) fill_set(w, &w->set[i]);
  for (int i = 0; i < w->nmaps && !w->arena.failed; i++) fill_map(w, &w->map[i]);
  for (int i = 0; i < w->ndats && !w->arena.failed; i++) fill_dat(w, &w->dat[i]);
  return pl_arena_check(&w->arena);
}

static void free_arrays(work *w)
{
  for (int i = 0; i < w->nsets; i++) pl_free_array(w->pl, w->set[i].global);
  for (int i = 0; i < w->nmaps; i++) {
    pl_free_array(w->pl, w->map[i].global_index);
    pl_free(w->pl, w->map[i].offset);
  }
  for (int i = 0; i < w->ndats; i++) pl_free_array(w->pl, w->dat[i].host);
}

static void replace_subset(pl_set *subset, const int *row)
{
  int n = subset->end[1];
  pl_set_drop_derived(subset);
  for (int i = 0; i < n; i++) subset->indices[i] = row[subset->indices[i]];
  pl_sort_ints(n, subset->indices);
  for (int p = 0; p < 4; p++) subset->end[p] = n;
}

static void replace_set(const new_set *s)
{
  pl_set *set = s->set;
  PL_EACH (pl_set, subset, set->node.pl->sets)
    if (subset->parent == set) replace_subset(subset, s->row);
  const int n = set->end[1], end[4] = {n, n, n, n};
  pl_set_replace(set, s->global, NULL, NULL, end);
}

/* Sets last: the sizes of dats depend on them. */
static void replace_all(work *w)
{
  for (int i = 0; i < w->nmaps; i++) {
    const new_map *m = &w->map[i];
    pl_map_replace(m->map, m->offset, NULL, m->global_index);
  }
  for (int i = 0; i < w->ndats; i++) {
    pl_dat *dat = w->dat[i].dat;
    size_t bytes = (size_t)dat->set->end[1] * pl_dat_stride(dat);
    if (w->dat[i].host) pl_storage_replace_host(dat, w->dat[i].host, pl_dat_room_bytes(dat), bytes);
  }
  for (int i = 0; i < w->nsets; i++) replace_set(&w->set[i]);
  w->pl->decl_version++;
}

pl_err pl_undistribute_marked(pl_context *pl)
{
  work w = {.pl = pl, .arena = {.pl = pl}};
  pl_err err = pl_agree(pl, fill_all(&w));
  if (err)
    free_arrays(&w);
  else
    replace_all(&w);
  pl_arena_free(&w.arena);
  return err;
}

pl_err pl_undistribute(pl_set *set)
{
  pl_context *pl = set->node.pl;
  PL_TRY(pl_flush_all(pl));
  pl_deferred_drop(pl);
  pl_marks_clear(pl);
  set->marked = true;
  pl_marks_spread(pl, false);
  return pl_undistribute_marked(pl);
}

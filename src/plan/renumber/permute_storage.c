/* SPDX-License-Identifier: BSD-2-Clause
 * Permuting storage: all steps that can fail are done before the first object changes.
 */
#include "permute_storage.h"
#include "core/chain/deferred_queue.h"
#include "core/exchange/halo.h"
#include "core/particles/pair_map.h"
#include "core/data/objects.h"
#include "core/threads/threads.h"
#include "plan/execution/plan_cache.h"
#include <limits.h>
#include <string.h>

typedef struct work {
  pl_context *pl;
  int n;
  const pl_order *orders;
  int **inverse;    /* of each set: the inverse of its order */
  int64_t **global; /* of each set without global indices: an array for them; else NULL */
  char *scratch;    /* as large as the largest dat or map */
} work;

static int index_of(const work *w, const pl_set *set)
{
  for (int i = 0; i < w->n; i++)
    if (w->orders[i].set == set) return i;
  return -1;
}

/* ---- preparation ---- */

static pl_err check_views(const work *w)
{
  PL_EACH (const pl_dat, dat, w->pl->dats)
    if (index_of(w, dat->set) >= 0 && (dat->readers || dat->writer))
      return pl_fail(
        w->pl, PL_ERR_STATE,
        "set \"%s\" cannot be renumbered: a %s view of dat \"%s\" is open; close it with %s first",
        dat->set->node.name, pl_view_kind(dat), dat->node.name, pl_view_end(dat));
  for (int i = 0; i < w->n; i++) PL_TRY(pl_set_check_wrapped(w->pl, w->orders[i].set, "renumbering"));
  return PL_SUCCESS;
}

/* Copies the values of dats to the host; *most becomes at least the bytes of the largest. */
static pl_err dats_to_host(const work *w, size_t *most)
{
  PL_EACH (pl_dat, dat, w->pl->dats) {
    if (index_of(w, dat->set) < 0 || !pl_dat_has_values(dat)) continue;
    if (!pl_dat_host(dat, false)) return w->pl->error_code;
    if (pl_dat_nbytes(dat) > *most) *most = pl_dat_nbytes(dat);
  }
  return PL_SUCCESS;
}

static bool is_affected(const work *w, const pl_map *map)
{
  return map->index && (index_of(w, map->from) >= 0 || index_of(w, map->to) >= 0);
}

static size_t map_bytes(const pl_map *map)
{
  return pl_map_entries(map) * sizeof(int);
}

static size_t offset_bytes(const pl_map *map)
{
  return ((size_t)map->from->end[3] + 1) * sizeof(int);
}

/* The arrays that users have pointers to become user arrays; the map gets copies. */
static pl_err copy_arrays(pl_map *map)
{
  pl_context *pl = map->node.pl;
  int *index = pl_malloc_array(pl, map_bytes(map));
  int *offset = map->offset ? pl_memdup(pl, map->offset, offset_bytes(map)) : NULL;
  if (!index || (map->offset && !offset)) {
    pl_free_array(pl, index);
    pl_free(pl, offset);
    return pl_fail_memory(pl, map_bytes(map));
  }
  memcpy(index, map->index, map_bytes(map));
  map->user_index = map->index;
  map->user_offset = map->offset;
  map->index = index;
  map->offset = offset;
  map->exposed = false;
  return PL_SUCCESS;
}

/* Copies the arrays of maps and subsets that users have pointers to. */
static pl_err copy_exposed(const work *w, size_t *most)
{
  PL_EACH (pl_map, map, w->pl->maps) {
    if (!is_affected(w, map)) continue;
    size_t bytes = map_bytes(map) + (map->offset ? offset_bytes(map) : 0);
    if (bytes > *most) *most = bytes;
    if (map->exposed) PL_TRY(copy_arrays(map));
  }
  PL_EACH (pl_set, set, w->pl->sets) {
    if (!set->exposed || index_of(w, set->parent) < 0) continue;
    int *copy = pl_memdup(w->pl, set->indices, (size_t)set->end[3] * sizeof *copy);
    if (!copy) return pl_fail_memory(w->pl, (size_t)set->end[3] * sizeof *copy);
    set->user_indices = set->indices;
    set->indices = copy;
    set->exposed = false;
  }
  return PL_SUCCESS;
}

static pl_err alloc_set_arrays(work *w, int i)
{
  const pl_set *set = w->orders[i].set;
  const size_t n = (size_t)set->end[3];
  PL_TRY(PL_NEW_ARRAY(w->pl, w->inverse[i], n));
  if (!set->global) PL_TRY(PL_NEW_ARRAY(w->pl, w->global[i], n));
  const int *order = w->orders[i].order;
  for (int e = 0; e < set->end[3]; e++) w->inverse[i][order[e]] = e;
  return PL_SUCCESS;
}

static pl_err prepare_all(work *w)
{
  size_t n = (size_t)w->n, most = 0;
  PL_TRY(check_views(w));
  PL_TRY(dats_to_host(w, &most));
  PL_TRY(copy_exposed(w, &most));
  for (size_t i = 0; i < n; i++) {
    size_t members = (size_t)w->orders[i].set->end[3] * sizeof(int64_t);
    if (members > most) most = members;
  }
  PL_TRY(PL_NEW(w->pl, w->inverse, n));
  PL_TRY(PL_NEW(w->pl, w->global, n));
  PL_TRY(PL_NEW_ARRAY(w->pl, w->scratch, most));
  for (int i = 0; i < w->n; i++) PL_TRY(alloc_set_arrays(w, i));
  return PL_SUCCESS;
}

/* ---- permuting ---- */

enum { PIECE = 1 << 14 }; /* elements that a thread copies at once */

static void permute_records(const work *w, int i, size_t stride, void *data)
{
  const int n = w->orders[i].set->end[3], *order = w->orders[i].order;
  int pieces = n / PIECE + (n % PIECE != 0), threads = pl_plan_threads(pieces, (size_t)n);
  PL_PARALLEL_FOR(threads)
  for (int p = 0; p < pieces; p++) {
    int first = p * PIECE, end = n - first < PIECE ? n : first + PIECE;
    pl_gather_records(end - first, stride, order + first, data, w->scratch + (size_t)first * stride);
  }
  PL_PARALLEL_FOR(threads)
  for (int p = 0; p < pieces; p++) {
    size_t first = (size_t)p * PIECE * stride, end = (size_t)n * stride;
    memcpy((char *)data + first, w->scratch + first,
           end - first < PIECE * stride ? end - first : PIECE * stride);
  }
}

static void permute_dats(const work *w)
{
  PL_EACH (pl_dat, dat, w->pl->dats) {
    int i = index_of(w, dat->set);
    if (i < 0 || !pl_dat_has_values(dat)) continue;
    if (pl_dat_stride(dat)) permute_records(w, i, pl_dat_stride(dat), dat->storage.host);
    pl_dat_host_written(dat);
  }
}

static void renumber_targets(const int *inverse, size_t n, int *index)
{
  int threads = pl_plan_threads(INT_MAX, n);
  PL_PARALLEL_FOR(threads)
  for (size_t k = 0; k < n; k++)
    if (index[k] >= 0) index[k] = inverse[index[k]];
}

static void permute_rows(const work *w, int i, pl_map *map)
{
  const int n = w->orders[i].set->end[3], *order = w->orders[i].order;
  int *index = (int *)(void *)w->scratch, *offset = index + pl_map_entries(map);
  offset[0] = 0;
  for (int e = 0; e < n; e++) {
    int first = map->offset[order[e]], count = map->offset[order[e] + 1] - first;
    memcpy(index + offset[e], map->index + first, (size_t)count * sizeof(int));
    offset[e + 1] = offset[e] + count;
  }
  memcpy(map->index, index, map_bytes(map));
  memcpy(map->offset, offset, offset_bytes(map));
}

static void permute_maps(const work *w)
{
  PL_EACH (pl_map, map, w->pl->maps) {
    if (map->pair_map && index_of(w, map->from) >= 0) map->pairs->built = false;
    if (!is_affected(w, map)) continue;
    int from = index_of(w, map->from), to = index_of(w, map->to);
    if (from >= 0 && map->offset) permute_rows(w, from, map);
    if (from >= 0 && !map->offset)
      permute_records(w, from, (size_t)pl_map_row(map) * sizeof(int), map->index);
    if (to >= 0) renumber_targets(w->inverse[to], pl_map_entries(map), map->index);
    pl_map_drop_copies(map);
    pl_plans_forget(w->pl, map);
  }
}

/* Members ascend again; each range keeps its elements, so it keeps its size. */
static void permute_subsets(const work *w)
{
  PL_EACH (pl_set, set, w->pl->sets) {
    int i = set->parent ? index_of(w, set->parent) : -1, next = 0;
    if (i < 0) continue;
    memset(w->scratch, 0, (size_t)set->parent->end[3]);
    for (int k = 0; k < set->end[3]; k++) w->scratch[w->inverse[i][set->indices[k]]] = 1;
    for (int e = 0; e < set->parent->end[3]; e++)
      if (w->scratch[e]) set->indices[next++] = e;
    pl_drop_buffer(w->pl, &set->device);
    pl_plans_forget(w->pl, set);
  }
}

static void renumber_halo(const work *w, int i, pl_halo *halo)
{
  if (!halo) return;
  renumber_targets(w->inverse[i], (size_t)halo->send_offset[halo->n], halo->send);
  renumber_targets(w->inverse[i], (size_t)halo->receive_offset[halo->n], halo->receive);
  pl_halo_free_device(w->pl, halo);
}

static void permute_set(const work *w, int i)
{
  pl_set *set = w->orders[i].set;
  if (!set->global) {
    set->global = w->global[i];
    w->global[i] = NULL;
    for (int e = 0; e < set->end[3]; e++) set->global[e] = w->orders[i].order[e];
  } else {
    permute_records(w, i, sizeof *set->global, set->global);
  }
  PL_EACH (pl_map, map, w->pl->maps)
    if (map->to == set) renumber_halo(w, i, map->halo);
  renumber_halo(w, i, set->halo);
  if (set->user_order) {
    if (!set->user_order_stale) renumber_targets(w->inverse[i], (size_t)set->end[3], set->user_order);
  } else {
    set->user_order = w->inverse[i]; /* from the number before, which was the user's */
    w->inverse[i] = NULL;
  }
  set->order_version++;
  pl_drop_buffer(w->pl, &set->global_device);
  pl_plans_forget(w->pl, set);
}

static void free_work(work *w)
{
  for (int i = 0; i < w->n; i++) {
    if (w->inverse) pl_free_array(w->pl, w->inverse[i]);
    if (w->global) pl_free_array(w->pl, w->global[i]);
  }
  pl_free_all(w->pl, w->inverse, w->global);
  pl_free_array(w->pl, w->scratch);
}

pl_err pl_reorder(pl_context *pl, int n, const pl_order *orders)
{
  work w = {.pl = pl, .n = n, .orders = orders};
  PL_TRY(pl_flush_all(pl));
  pl_err err = prepare_all(&w);
  if (!err) {
    permute_dats(&w);
    permute_maps(&w);
    permute_subsets(&w);
    for (int i = 0; i < n; i++) permute_set(&w, i);
    pl->decl_version++;
    pl->deferred.storage_version++;
  }
  free_work(&w);
  return err;
}

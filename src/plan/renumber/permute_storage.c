/* SPDX-License-Identifier: BSD-2-Clause
 * Reordering storage: everything that can fail comes first, then all objects are moved.
 */
#include "reorder.h"
#include "build.h"
#include "core/chain.h"
#include "core/halo.h"
#include "core/pairs.h"
#include <string.h>

/* What a reordering needs besides the orders. */
typedef struct work {
  pl_context *pl;
  int n;
  const pl_order *orders;
  int **place;      /* of each set: where an element went, the inverse of its order */
  int64_t **global; /* of each set: room for its global indices, if it has none; else NULL */
  char *scratch;    /* as large as the largest dat or map */
} work;

/* The number of a set among those reordered, or -1. */
static int number_of(const work *w, const pl_set *set)
{
  for (int i = 0; i < w->n; i++)
    if (w->orders[i].set == set) return i;
  return -1;
}

/* ---- what can fail ---- */

static pl_err check_views(const work *w)
{
  for (pl_node *node = w->pl->dats; node; node = node->next) {
    const pl_dat *dat = (const pl_dat *)node;
    if (number_of(w, dat->set) >= 0 && (dat->readers || dat->writer))
      return pl_fail(w->pl, PL_ERR_STATE,
                     "set \"%s\" cannot be renumbered: a host view of dat \"%s\" is open; close it with "
                     "pl_dat_put first",
                     dat->set->node.name, node->name);
  }
  return PL_SUCCESS;
}

static bool has_values(const pl_dat *dat)
{
  return dat->host || dat->device_valid;
}

/* Brings dats home; returns the bytes of the largest in *most. */
static pl_err bring_home(const work *w, size_t *most)
{
  for (pl_node *node = w->pl->dats; node; node = node->next) {
    pl_dat *dat = (pl_dat *)node;
    if (number_of(w, dat->set) < 0 || !has_values(dat)) continue;
    if (!pl_dat_host(dat, false)) return w->pl->error_code;
    if (pl_dat_nbytes(dat) > *most) *most = pl_dat_nbytes(dat);
  }
  return PL_SUCCESS;
}

static bool is_touched(const work *w, const pl_map *map)
{
  return map->index && (number_of(w, map->from) >= 0 || number_of(w, map->to) >= 0);
}

static size_t map_bytes(const pl_map *map)
{
  return pl_map_entries(map) * sizeof(int);
}

static size_t offset_bytes(const pl_map *map)
{
  return ((size_t)map->from->part[3] + 1) * sizeof(int);
}

/* What users were shown stays theirs; the map goes on with copies. */
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
  map->shown = map->index;
  map->shown_offset = map->offset;
  map->index = index;
  map->offset = offset;
  map->lent = false;
  return PL_SUCCESS;
}

/* Indices that users have been shown as they are become what users see; the copy becomes the storage. */
static pl_err copy_lent(const work *w, size_t *most)
{
  for (pl_node *node = w->pl->maps; node; node = node->next) {
    pl_map *map = (pl_map *)node;
    if (!is_touched(w, map)) continue;
    size_t bytes = map_bytes(map) + (map->offset ? offset_bytes(map) : 0);
    if (bytes > *most) *most = bytes;
    if (map->lent) PL_TRY(copy_arrays(map));
  }
  for (pl_node *node = w->pl->sets; node; node = node->next) {
    pl_set *set = (pl_set *)node;
    if (!set->lent || number_of(w, set->parent) < 0) continue;
    int *copy = pl_memdup(w->pl, set->indices, (size_t)set->part[3] * sizeof *copy);
    if (!copy) return pl_fail_memory(w->pl, (size_t)set->part[3] * sizeof *copy);
    set->shown = set->indices;
    set->indices = copy;
    set->lent = false;
  }
  return PL_SUCCESS;
}

static pl_err make_room(work *w, int i)
{
  const pl_set *set = w->orders[i].set;
  size_t n = (size_t)set->part[3], bytes = n * sizeof(int64_t);
  w->place[i] = pl_malloc_array(w->pl, n * sizeof(int));
  w->global[i] = set->global ? NULL : pl_malloc_array(w->pl, bytes);
  if (!w->place[i] || (!set->global && !w->global[i])) return pl_fail_memory(w->pl, bytes);
  const int *order = w->orders[i].order;
  for (int e = 0; e < set->part[3]; e++) w->place[i][order[e]] = e;
  return PL_SUCCESS;
}

static pl_err get_ready(work *w)
{
  size_t n = (size_t)w->n, most = 0;
  PL_TRY(check_views(w));
  PL_TRY(bring_home(w, &most));
  PL_TRY(copy_lent(w, &most));
  for (size_t i = 0; i < n; i++) {
    size_t members = (size_t)w->orders[i].set->part[3] * sizeof(int64_t);
    if (members > most) most = members;
  }
  w->place = pl_calloc(w->pl, n, sizeof *w->place);
  w->global = pl_calloc(w->pl, n, sizeof *w->global);
  w->scratch = pl_malloc_array(w->pl, most);
  if (!w->place || !w->global || !w->scratch) return pl_fail_memory(w->pl, most);
  for (int i = 0; i < w->n; i++) PL_TRY(make_room(w, i));
  return PL_SUCCESS;
}

/* ---- moving ---- */

enum { PIECE = 1 << 14 }; /* elements that a thread moves at a time */

static int pieces_of(int n)
{
  return n / PIECE + (n % PIECE != 0);
}

/* Records of `stride` bytes at `data` into the new order, through the scratch. */
static void move_records(const work *w, int i, size_t stride, void *data)
{
  const int n = w->orders[i].set->part[3], *order = w->orders[i].order;
  int pieces = pieces_of(n), threads = pl_plan_threads(pieces, (size_t)n);
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

static void move_dats(const work *w)
{
  for (pl_node *node = w->pl->dats; node; node = node->next) {
    pl_dat *dat = (pl_dat *)node;
    int i = number_of(w, dat->set);
    if (i < 0 || !has_values(dat)) continue;
    if (pl_dat_stride(dat)) move_records(w, i, pl_dat_stride(dat), dat->host);
    pl_dat_host_written(dat);
  }
}

static void move_targets(const int *place, size_t n, int *index)
{
  int pieces = (int)(n / PIECE + (n % PIECE != 0)), threads = pl_plan_threads(pieces, n);
  PL_PARALLEL_FOR(threads)
  for (int p = 0; p < pieces; p++) {
    size_t first = (size_t)p * PIECE, end = n - first < PIECE ? n : first + PIECE;
    for (size_t k = first; k < end; k++)
      if (index[k] >= 0) index[k] = place[index[k]];
  }
}

/* The rows of a ragged map into the order of its elements. */
static void move_rows(const work *w, int i, pl_map *map)
{
  const int n = w->orders[i].set->part[3], *order = w->orders[i].order;
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

static void move_maps(const work *w)
{
  for (pl_node *node = w->pl->maps; node; node = node->next) {
    pl_map *map = (pl_map *)node;
    if (map->pair_map && number_of(w, map->from) >= 0) map->pairs->built = false;
    if (!is_touched(w, map)) continue;
    int from = number_of(w, map->from), to = number_of(w, map->to);
    if (from >= 0 && map->offset) move_rows(w, from, map);
    if (from >= 0 && !map->offset) move_records(w, from, (size_t)map->arity * sizeof(int), map->index);
    if (to >= 0) move_targets(w->place[to], pl_map_entries(map), map->index);
    if (map->device) w->pl->backend->buffer_free(w->pl, map->device);
    if (map->device_offset) w->pl->backend->buffer_free(w->pl, map->device_offset);
    map->device = map->device_offset = NULL;
    pl_plans_forget(w->pl, map);
  }
}

/* Members of a subset, ascending again; the parts keep their elements, so they keep their sizes. */
static void move_subsets(const work *w)
{
  for (pl_node *node = w->pl->sets; node; node = node->next) {
    pl_set *set = (pl_set *)node;
    int i = set->parent ? number_of(w, set->parent) : -1, next = 0;
    if (i < 0) continue;
    memset(w->scratch, 0, (size_t)set->parent->part[3]);
    for (int k = 0; k < set->part[3]; k++) w->scratch[w->place[i][set->indices[k]]] = 1;
    for (int e = 0; e < set->parent->part[3]; e++)
      if (w->scratch[e]) set->indices[next++] = e;
    if (set->device) w->pl->backend->buffer_free(w->pl, set->device);
    set->device = NULL;
    pl_plans_forget(w->pl, set);
  }
}

static void move_halo(const work *w, int i, pl_halo *halo)
{
  if (!halo) return;
  move_targets(w->place[i], (size_t)halo->send_offset[halo->n], halo->send);
  move_targets(w->place[i], (size_t)halo->receive_offset[halo->n], halo->receive);
  pl_halo_leave_device(w->pl, halo);
}

static void move_set(const work *w, int i)
{
  pl_set *set = w->orders[i].set;
  if (!set->global) {
    set->global = w->global[i];
    w->global[i] = NULL;
    for (int e = 0; e < set->part[3]; e++) set->global[e] = w->orders[i].order[e];
  } else {
    move_records(w, i, sizeof *set->global, set->global);
  }
  for (pl_node *node = w->pl->maps; node; node = node->next)
    if (((pl_map *)node)->to == set) move_halo(w, i, ((pl_map *)node)->halo);
  if (set->halo) {
    move_halo(w, i, set->halo);
  }
  if (set->view) {
    if (!set->unsorted) move_targets(w->place[i], (size_t)set->part[3], set->view);
  } else {
    set->view = w->place[i]; /* where the user's element went */
    w->place[i] = NULL;
  }
  set->moved++;
  if (set->global_device) w->pl->backend->buffer_free(w->pl, set->global_device);
  set->global_device = NULL;
  pl_plans_forget(w->pl, set);
}

static void free_work(work *w)
{
  for (int i = 0; i < w->n; i++) {
    if (w->place) pl_free_array(w->pl, w->place[i]);
    if (w->global) pl_free_array(w->pl, w->global[i]);
  }
  pl_free(w->pl, w->place);
  pl_free(w->pl, w->global);
  pl_free_array(w->pl, w->scratch);
}

pl_err pl_reorder(pl_context *pl, int n, const pl_order *orders)
{
  work w = {.pl = pl, .n = n, .orders = orders};
  PL_TRY(pl_late_run(pl));
  pl_err err = get_ready(&w);
  if (!err) {
    move_dats(&w);
    move_maps(&w);
    move_subsets(&w);
    for (int i = 0; i < n; i++) move_set(&w, i);
    pl->decl_version++;
    pl->late.changes++;
  }
  free_work(&w);
  return err;
}

/* ---- checking ---- */

static bool refuse(char *why, size_t size, const char *format, const char *name, int at)
{
  if (why) snprintf(why, size, format, name, at);
  return false;
}

/* Whether list[0..n) is a permutation that leads positions of each of the first `parts` parts into that part.
 * Without memory it is not. */
static bool is_permutation(const pl_set *set, const int *list, const int *part, int parts, const char *what,
                           char *why, size_t size)
{
  int n = part[parts - 1], p = 0;
  unsigned char *seen = pl_calloc(set->node.pl, (size_t)n + 1, 1);
  bool good = seen || refuse(why, size, "set \"%s\": no memory to check %d elements", set->node.name, n);
  for (int i = 0; good && i < n; i++) {
    while (i >= part[p]) p++;
    good = list[i] >= (p ? part[p - 1] : 0) && list[i] < part[p] && !seen[list[i]];
    if (good)
      seen[list[i]] = 1;
    else
      refuse(why, size, what, set->node.name, i);
  }
  pl_free(set->node.pl, seen);
  return good;
}

bool pl_order_is_valid(const pl_order *order, char *why, size_t size)
{
  return is_permutation(order->set, order->order, order->set->part, 4,
                        "the order of set \"%s\" leads position %d out of its part, or twice to one place",
                        why, size);
}

static bool subset_is_valid(const pl_set *set, char *why, size_t size)
{
  for (int k = 0; k < set->part[3]; k++)
    if (set->indices[k] < 0 || set->indices[k] >= set->parent->part[3] ||
        (k && set->indices[k] <= set->indices[k - 1]))
      return refuse(why, size, "subset \"%s\": member %d is outside the parent or not above the one before",
                    set->node.name, k);
  return true;
}

bool pl_set_is_valid(const pl_set *set, char *why, size_t size)
{
  if (set->parent) return subset_is_valid(set, why, size);
  const int ends[2] = {set->part[1], set->part[3]};
  if (set->view && !is_permutation(set, pl_view(set), ends, 2,
                                   "the view of set \"%s\" leads position %d among elements of others, or "
                                   "twice to one element",
                                   why, size))
    return false;
  for (int i = 1; set->global && i < set->part[1]; i++)
    if (set->global[pl_view_at(set, i)] <= set->global[pl_view_at(set, i - 1)])
      return refuse(why, size,
                    "set \"%s\": the global index at position %d of the view is not above the last",
                    set->node.name, i);
  return true;
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Maps of fixed arity, and functions of all maps. Invariant: every index is below the target set's total
 * size.
 */
#include "map.h"
#include "core/threads/threads.h"
#include "core/comm/comm.h"
#include "core/context/memory.h"
#include "core/context/observer.h"
#include "core/mesh/remote_rows.h"
#include "core/tools/tools.h"
#include "global_map.h"
#include "user_order.h"
#include <string.h>

/* Whether a row of the map has a target in the halo. */
static bool reaches_halo(const pl_map *map, int e)
{
  const int *row = map->index + (size_t)e * (size_t)map->arity;
  bool reaches = false;
  for (int k = 0; k < map->arity; k++) reaches |= row[k] >= map->to->end[1];
  return reaches;
}

int pl_map_core(pl_map *map)
{
  const int n = map->from->end[0], threads = pl_plan_threads(n, (size_t)n * (size_t)map->arity);
  int left = 0; /* elements behind and with the first that reaches the halo */
  if (map->core_known) return map->core_known - 1;
  if (map->offset || map->block_values > 1 || map->to->capacity) return 0;
  PL_PARALLEL_MAX(threads, left)
  for (int e = 0; e < n; e++)
    if (reaches_halo(map, e) && n - e > left) left = n - e;
  map->core_known = n - left + 1;
  return n - left;
}

/* The least and the greatest of n indices, and 0. */
static void index_range(pl_context *pl, size_t n, const int *index, int *least, int *greatest)
{
  enum { PART = 1 << 16 };
  int parts = (int)(n / PART) + 1, threads = pl_mesh_threads(pl, n), low = 0, high = 0;
  PL_PARALLEL_RANGE(threads, low, high)
  for (int p = 0; p < parts; p++) {
    size_t begin = (size_t)p * PART, end = p + 1 < parts ? begin + PART : n;
    for (size_t i = begin; i < end; i++) {
      low = index[i] < low ? index[i] : low;
      high = index[i] > high ? index[i] : high;
    }
  }
  *least = low;
  *greatest = high;
}

static pl_err check_indices(const pl_set *from, const pl_set *to, int arity, const int *indices,
                            const char *name)
{
  size_t n = (size_t)from->end[3] * (size_t)arity, i = 0;
  int limit = to->end[3], least, greatest;
  index_range(from->node.pl, n, indices, &least, &greatest);
  if (greatest < limit || !n) return PL_SUCCESS;
  while (i < n && indices[i] < limit) i++;
  if (i == n) return PL_SUCCESS; /* an empty set of targets, and no target */
  return pl_fail(from->node.pl, PL_ERR_RANGE,
                 "map \"%s\": target %d of element %zu is %d, but set \"%s\" has only %d elements", name,
                 (int)(i % (size_t)arity), i / (size_t)arity, indices[i], to->node.name, limit);
}

pl_err pl_map_check_ends(const pl_set *from, const pl_set *to, const char *name)
{
  pl_context *pl = from->node.pl;
  if (from->parent || to->parent)
    return pl_fail(pl, PL_ERR_ARG, "map \"%s\": \"%s\" is a subset; maps go from set to set", name,
                   from->parent ? from->node.name : to->node.name);
  if (to->node.pl != pl)
    return pl_fail(pl, PL_ERR_ARG, "map \"%s\": its two sets belong to different contexts", name);
  return PL_SUCCESS;
}

pl_err pl_map_new(pl_set *from, pl_set *to, int *offset, int *index, const char *name, pl_map **result)
{
  pl_context *pl = from->node.pl;
  pl_map *map = pl_node_new(pl, &pl->maps, sizeof *map, name);
  if (!map) return PL_ERR_MEMORY;
  map->from = from;
  map->to = to;
  map->block_values = 1;
  map->offset = offset;
  map->index = index;
  from->ref++;
  to->ref++;
  *result = map;
  return PL_SUCCESS;
}

static bool any_negative(pl_context *pl, size_t n, const int *index)
{
  int least, greatest;
  index_range(pl, n, index, &least, &greatest);
  return least < 0;
}

pl_err pl_map_enter(pl_set *from, pl_set *to, int arity, int *index, const char *name, pl_map **result)
{
  pl_context *pl = from->node.pl;
  pl_err err = pl_map_new(from, to, NULL, index, name, result);
  if (err) return pl_free_array(pl, index), err;
  (*result)->arity = arity;
  (*result)->has_negative = index && any_negative(pl, (size_t)from->end[3] * (size_t)arity, index);
  return PL_SUCCESS;
}

static int *new_indices(pl_context *pl, size_t rows, size_t arity)
{
  size_t bytes = rows * arity * sizeof(int);
  int *index = pl_malloc_array(pl, bytes);
  if (!index) pl_fail_memory(pl, bytes);
  return index;
}

/* From user order to storage order. */
static void store_indices(const pl_set *from, const pl_set *to, int arity, const int *user, int *index)
{
  pl_from_user_order(from, from->end[3], (size_t)arity * sizeof *index, user, index);
  size_t n = (size_t)from->end[3] * (size_t)arity;
  for (size_t i = 0; to->user_order && i < n; i++)
    if (index[i] >= 0) index[i] = pl_user_to_storage(to, index[i]);
}

/* Checks for indices of either width. */
static pl_err check_declaration(pl_set *from, pl_set *to, int arity, const char *name, pl_map **result)
{
  PL_TRY(PL_GIVEN_FOR(pl_context_of(from ? from : to), "pl_decl_map", name, from, to, result));
  PL_TRY(pl_map_check_ends(from, to, name));
  if (arity < 1)
    return pl_fail(from->node.pl, PL_ERR_RANGE, "map \"%s\": arity %d is less than 1", name, arity);
  return PL_SUCCESS;
}

static pl_err decl_local_map(pl_set *from, pl_set *to, int arity, const int *indices, const char *name,
                             pl_map **result)
{
  pl_context *pl = from->node.pl;
  int *index = NULL;
  if (indices) PL_TRY(check_indices(from, to, arity, indices, name));
  if (indices && !(index = new_indices(pl, (size_t)from->end[3], (size_t)arity))) return PL_ERR_MEMORY;
  if (indices) store_indices(from, to, arity, indices, index);
  return pl_map_enter(from, to, arity, index, name, result);
}

/* ---- on several ranks: global indices of owned rows ---- */

/* A map is defined on all ranks or on none; a rank without rows may pass NULL. */
static pl_err agree_defined(const pl_set *from, const void *indices, const char *name, bool *defined)
{
  pl_context *pl = from->node.pl;
  int32_t any = indices != NULL;
  PL_TRY(pl_comm_reduce(pl, PL_INT32, PL_MAX, &any, 1));
  *defined = any;
  bool lacks = any && !indices && from->end[1];
  return pl_agree(pl, lacks
                        ? pl_fail(pl, PL_ERR_ARG, "map \"%s\": other ranks pass indices, this one NULL", name)
                        : PL_SUCCESS);
}

static pl_err decl_global_map(pl_set *from, pl_set *to, int arity, const int *indices, const char *name,
                              pl_map **result)
{
  int64_t *index = pl_global_map_new(from->node.pl, (size_t)from->end[1], arity);
  size_t n = index && indices ? (size_t)from->end[1] * (size_t)arity : 0;
  const int threads = pl_mesh_threads(from->node.pl, n);
  PL_PARALLEL_FOR(threads)
  for (size_t i = 0; i < n; i++) index[i] = indices[i];
  return pl_global_map_enter(from, to, arity, NULL, index, name, result);
}

static pl_err permute_global(const pl_map *map, int n, const int *permutation, const char *name,
                             pl_map **result)
{
  int64_t *all = pl_global_map_copy(map),
          *index = pl_global_map_new(map->node.pl, (size_t)map->from->end[1], n);
  for (int e = 0; all && index && e < map->from->end[1]; e++)
    for (int i = 0; i < n; i++)
      index[(size_t)e * (size_t)n + (size_t)i] = all[(size_t)e * (size_t)map->arity + (size_t)permutation[i]];
  if (!all) {
    pl_free_array(map->node.pl, index);
    index = NULL;
  }
  pl_free_array(map->node.pl, all);
  return pl_global_map_enter(map->from, map->to, n, NULL, index, name, result);
}

/* Fetches the rows of `outer` that `inner` reaches from their owners. */
static pl_err compose_global(const pl_map *outer, const pl_map *inner, const char *name, pl_map **result)
{
  pl_context *pl = outer->node.pl;
  int64_t *rows = pl_global_map_copy(outer), *ids = pl_global_map_copy(inner),
          *index = pl_global_map_new(pl, (size_t)inner->from->end[1], outer->arity);
  pl_err err = pl_agree(pl, rows && ids && index ? PL_SUCCESS : pl_fail_memory(pl, sizeof *index));
  if (!err)
    err =
      pl_rows_find(outer->from, (size_t)outer->arity * sizeof *rows, rows, inner->from->end[1], ids, index);
  pl_free_arrays(pl, rows, ids);
  if (!err) return pl_global_map_enter(inner->from, outer->to, outer->arity, NULL, index, name, result);
  pl_free_array(pl, index);
  return err;
}

/* ---- declaring ---- */

static pl_err decl_map(pl_set *from, pl_set *to, int arity, const int *indices, const char *name,
                       pl_map **result)
{
  if (pl_ranks(from->node.pl) == 1) return decl_local_map(from, to, arity, indices, name, result);
  bool defined;
  PL_TRY(agree_defined(from, indices, name, &defined));
  if (defined) return decl_global_map(from, to, arity, indices, name, result);
  return pl_agree(from->node.pl, decl_local_map(from, to, arity, NULL, name, result));
}

static pl_err agree_declaration(pl_err err, pl_set *from, pl_set *to, int arity, const char *name)
{
  if (!from || !to) return err;
  return pl_agree_on(from->node.pl, err, "map \"%s\" from \"%s\" to \"%s\" of arity %d", name,
                     from->node.name, to->node.name, arity);
}

pl_err pl_decl_map(pl_set *from, pl_set *to, int arity, const int *indices, const char *name, pl_map **result)
{
  if (!name) name = "(unnamed)";
  pl_err err = check_declaration(from, to, arity, name, result);
  PL_TRY(agree_declaration(err, from, to, arity, name));
  pl_event_begin(from->node.pl, PL_TOOL_PLAN, "declare map", from->node.name, 0);
  err = decl_map(from, to, arity, indices, name, result);
  pl_event_end(from->node.pl, PL_TOOL_PLAN);
  return err;
}

int *pl_map_ints(pl_context *pl, size_t n, const int64_t *index)
{
  int *ints = new_indices(pl, n, 1);
  for (size_t i = 0; ints && i < n; i++)
    ints[i] = index[i] < 0 ? -1 : index[i] > INT32_MAX ? INT32_MAX : (int)index[i];
  return ints;
}

pl_err pl_decl_map_global(pl_set *from, pl_set *to, int arity, const int64_t *indices, const char *name,
                          pl_map **result)
{
  if (!name) name = "(unnamed)";
  pl_err err = check_declaration(from, to, arity, name, result);
  if (!err && !indices && (from->end[1] || pl_ranks(from->node.pl) == 1))
    err = pl_fail(from->node.pl, PL_ERR_ARG, "pl_decl_map_global: the indices of \"%s\" are NULL", name);
  PL_TRY(agree_declaration(err, from, to, arity, name));
  size_t n = (size_t)from->end[1] * (size_t)arity;
  if (pl_ranks(from->node.pl) > 1) {
    int64_t *index = pl_global_map_new(from->node.pl, (size_t)from->end[1], arity);
    if (index && n) memcpy(index, indices, n * sizeof *index);
    return pl_global_map_enter(from, to, arity, NULL, index, name, result);
  }
  int *ints = pl_map_ints(from->node.pl, (size_t)from->end[3] * (size_t)arity, indices);
  if (!ints) return PL_ERR_MEMORY;
  err = decl_local_map(from, to, arity, ints, name, result);
  pl_free_array(from->node.pl, ints);
  return err;
}

/* Fails unless another map can be derived from this one. */
static pl_err check_defined(const pl_map *map, const char *name)
{
  if (map->offset)
    return pl_fail(map->node.pl, PL_ERR_ARG,
                   "map \"%s\": map \"%s\" is ragged; this takes maps of fixed arity", name, map->node.name);
  if (map->index || map->global_index) return PL_SUCCESS;
  return pl_fail(map->node.pl, PL_ERR_STATE, "map \"%s\": made from map \"%s\", whose indices are undefined",
                 name, map->node.name);
}

static pl_err check_permutation(const pl_map *map, int n, const int *permutation, const char *name,
                                pl_map **result)
{
  pl_context *pl = map->node.pl;
  PL_TRY(PL_GIVEN_FOR(pl, "pl_map_permute", name, permutation, result));
  PL_TRY(check_defined(map, name));
  if (n < 1)
    return pl_fail(pl, PL_ERR_RANGE, "map \"%s\": a permutation of %d entries; it needs at least 1", name, n);
  for (int i = 0; i < n; i++)
    if (permutation[i] < 0 || permutation[i] >= map->arity)
      return pl_fail(pl, PL_ERR_RANGE, "map \"%s\": permutation entry %d is %d, but map \"%s\" has arity %d",
                     name, i, permutation[i], map->node.name, map->arity);
  return PL_SUCCESS;
}

pl_err pl_map_permute(const pl_map *map, int n, const int *permutation, const char *name, pl_map **result)
{
  if (!name) name = "(unnamed)";
  PL_TRY_GIVEN(map);
  pl_context *pl = map->node.pl;
  PL_TRY(pl_agree_on(pl, check_permutation(map, n, permutation, name, result),
                     "pl_map_permute of \"%s\" to %d", map->node.name, n));
  if (pl_ranks(pl) > 1) return permute_global(map, n, permutation, name, result);
  size_t total = (size_t)map->from->end[3];
  int *indices = new_indices(pl, total, (size_t)n);
  if (!indices) return PL_ERR_MEMORY;
  for (size_t e = 0; e < total; e++)
    for (int i = 0; i < n; i++)
      indices[e * (size_t)n + (size_t)i] = map->index[e * (size_t)map->arity + (size_t)permutation[i]];
  return pl_map_enter(map->from, map->to, n, indices, name, result);
}

static pl_err check_composition(const pl_map *outer, const pl_map *inner, const char *name, pl_map **result)
{
  pl_context *pl = outer->node.pl;
  PL_TRY(PL_GIVEN_FOR(pl, "pl_map_compose", name, inner, result));
  PL_TRY(check_defined(outer, name));
  PL_TRY(check_defined(inner, name));
  if (inner->arity != 1)
    return pl_fail(pl, PL_ERR_ARG, "map \"%s\": inner map \"%s\" has arity %d; it must have arity 1", name,
                   inner->node.name, inner->arity);
  if (inner->to != outer->from)
    return pl_fail(pl, PL_ERR_ARG,
                   "map \"%s\": inner map \"%s\" ends on \"%s\", but map \"%s\" starts from \"%s\"", name,
                   inner->node.name, inner->to->node.name, outer->node.name, outer->from->node.name);
  return PL_SUCCESS;
}

int *pl_map_composed(const pl_map *outer, const pl_map *inner)
{
  const size_t each = (size_t)inner->arity, n = (size_t)inner->from->end[3] * each,
               arity = (size_t)outer->arity;
  int *index = new_indices(inner->node.pl, (size_t)pl_set_room(inner->from) * each, arity);
  const int threads = pl_plan_threads(inner->from->end[3], n * arity);
  PL_PARALLEL_FOR(threads)
  for (size_t i = 0; i < (index ? n : 0); i++)
    for (size_t k = 0; k < arity; k++)
      index[i * arity + k] = inner->index[i] < 0 ? -1 : outer->index[(size_t)inner->index[i] * arity + k];
  return index;
}

static pl_err compose_local(const pl_map *outer, const pl_map *inner, const char *name, pl_map **result)
{
  int *index = pl_map_composed(outer, inner);
  return index ? pl_map_enter(inner->from, outer->to, outer->arity, index, name, result) : PL_ERR_MEMORY;
}

pl_err pl_map_compose(const pl_map *outer, const pl_map *inner, const char *name, pl_map **result)
{
  if (!name) name = "(unnamed)";
  PL_TRY_GIVEN(outer);
  pl_context *pl = outer->node.pl;
  PL_TRY(pl_agree_on(pl, check_composition(outer, inner, name, result), "pl_map_compose of \"%s\"",
                     outer->node.name));
  if (pl_ranks(pl) > 1)
    PL_TRY(compose_global(outer, inner, name, result));
  else
    PL_TRY(compose_local(outer, inner, name, result));
  (*result)->outer = (pl_map *)outer;
  (*result)->inner = (pl_map *)inner;
  return PL_SUCCESS;
}

/* A composition whose parts are freed no longer changes. */
static void forget_compositions(const pl_map *freed)
{
  PL_EACH (pl_map, map, freed->node.pl->maps)
    if (map->outer == freed || map->inner == freed) map->outer = map->inner = NULL;
}

int pl_map_arity(const pl_map *map)
{
  return map ? map->arity : 0;
}

pl_set *pl_map_from(const pl_map *map)
{
  return map ? map->from : NULL;
}

pl_set *pl_map_to(const pl_map *map)
{
  return map ? map->to : NULL;
}

const char *pl_map_name(const pl_map *map)
{
  return map ? map->node.name : "";
}

/* Rows from storage order to user order; sets `user_offset` of a ragged map. */
static void copy_rows(const pl_map *map, int *user, int *user_offset)
{
  const pl_set *from = map->from;
  if (!map->offset) {
    pl_to_user_order(from, from->end[3], (size_t)map->arity * sizeof(int), map->index, user);
    return;
  }
  for (int i = 0, next = user_offset[0] = 0; i < from->end[3]; i++) {
    int e = pl_user_to_storage(from, i);
    for (int k = map->offset[e]; k < map->offset[e + 1]; k++) user[next++] = map->index[k];
    user_offset[i + 1] = next;
  }
}

/* Copies the indices to user order. */
static pl_err copy_indices(pl_map *map)
{
  pl_context *pl = map->node.pl;
  size_t n = pl_map_entries(map), rows = (size_t)map->from->end[3] + 1;
  int *position = NULL, *user = new_indices(pl, n, 1);
  int *user_offset = map->offset ? pl_calloc(pl, rows, sizeof(int)) : NULL;
  pl_err err = !user ? PL_ERR_MEMORY : map->offset && !user_offset ? pl_fail_memory(pl, rows) : PL_SUCCESS;
  if (!err) err = pl_user_positions(map->to, &position);
  if (err) {
    pl_free_array(pl, user);
    pl_free(pl, user_offset);
    return err;
  }
  copy_rows(map, user, user_offset);
  for (size_t i = 0; position && i < n; i++)
    if (user[i] >= 0) user[i] = position[user[i]];
  pl_free(pl, position);
  map->user_index = user;
  map->user_offset = user_offset;
  return PL_SUCCESS;
}

/* Whether the user gets the arrays themselves; else a copy in user order exists, or there is no memory for
 * it. */
static bool expose_map(pl_map *map)
{
  if (map->user_index) return false;
  if (map->from->user_order || map->to->user_order) return copy_indices(map), false;
  return map->exposed = true;
}

const int *pl_map_indices(const pl_map *map)
{
  if (!map || !map->index) return NULL;
  return expose_map((pl_map *)map) ? map->index : map->user_index;
}

const int *pl_map_offsets(const pl_map *map)
{
  if (!map || !map->offset || !map->index) return NULL;
  return expose_map((pl_map *)map) ? map->offset : map->user_offset;
}

size_t pl_map_entries(const pl_map *map)
{
  return pl_map_begin(map, (size_t)map->from->end[3]);
}

int pl_map_entry(const pl_map *map, int k, int *behind)
{
  *behind = 0;
  if (map->block_values == 1) return k;
  const int width = map->tensor_rows.block[1], height = map->block_values / width, line = map->tensor[1];
  *behind = k / line % height * width + k % width;
  return k / line / height * (line / width) + k % line / width;
}

int pl_map_block_target(const pl_map *map, size_t element, int k)
{
  int behind;
  const size_t entry = (size_t)pl_map_entry(map, k, &behind);
  const int first = map->index[pl_map_begin(map, element) + entry];
  return first < 0 ? first : first + behind;
}

void pl_map_drop_copies(pl_map *map)
{
  pl_context *pl = map->node.pl;
  pl_drop_buffer(pl, &map->device);
  pl_drop_buffer(pl, &map->device_offset);
  pl_drop_buffer(pl, &map->device_narrow);
  pl_drop_buffer(pl, &map->device_base);
  map->narrow = 0;
  map->core_known = 0;
}

void pl_map_destroy(pl_node *node)
{
  pl_map *map = (pl_map *)node;
  pl_notify_freed(node->pl, PL_OBJECT_MAP, node);
  forget_compositions(map);
  map->from->ref--;
  map->to->ref--;
  pl_map_drop_copies(map);
  pl_free_arrays(node->pl, map->global_index, map->index, map->user_index);
  pl_free_all(node->pl, map->offset, map->user_offset);
  pl_node_free(node);
}

PL_DEFINE_FREE(pl_map_free, pl_map, pl_map_destroy)

/* SPDX-License-Identifier: BSD-2-Clause
 * Ragged maps, and the inverse of any map. Invariant: offsets ascend from 0, every value is in [0, to).
 */
#include "core/comm/comm.h"
#include "core/context/memory.h"
#include "global_map.h"
#include "map.h"
#include "user_order.h"
#include <string.h>

/* ---- declaring ---- */

static pl_err check_offsets(const pl_set *from, const int *offsets, const char *name)
{
  pl_context *pl = from->node.pl;
  int rows = pl_set_rows(from);
  if (!offsets)
    return pl_fail(pl, PL_ERR_ARG, "map \"%s\": the offsets are NULL, but \"%s\" has %d elements here", name,
                   from->node.name, rows);
  if (offsets[0] != 0)
    return pl_fail(pl, PL_ERR_RANGE, "map \"%s\": the first offset is %d; it must be 0", name, offsets[0]);
  for (int e = 0; e < rows; e++)
    if (offsets[e + 1] < offsets[e])
      return pl_fail(pl, PL_ERR_RANGE,
                     "map \"%s\": the offset of element %d is %d, less than the one before it", name, e + 1,
                     offsets[e + 1]);
  return PL_SUCCESS;
}

static pl_err check_values(const pl_set *from, const pl_set *to, const int *offsets, const int *values,
                           const char *name)
{
  for (int e = 0; e < from->end[3]; e++)
    for (int i = offsets[e]; i < offsets[e + 1]; i++)
      if (values[i] < 0 || values[i] >= to->end[3])
        return pl_fail(from->node.pl, PL_ERR_RANGE,
                       "map \"%s\": entry %d of element %d is %d, outside set \"%s\" with its %d elements; "
                       "leave out entries without a target",
                       name, i - offsets[e], e, values[i], to->node.name, to->end[3]);
  return PL_SUCCESS;
}

/* From user order to storage order. */
static void store_rows(const pl_set *from, const pl_set *to, const int *offsets, const int *values,
                       int *offset, int *index)
{
  int n = from->end[3];
  for (int i = 0; i < n; i++) offset[pl_user_to_storage(from, i) + 1] = offsets[i + 1] - offsets[i];
  for (int e = 0; e < n; e++) offset[e + 1] += offset[e];
  for (int i = 0; i < n; i++) {
    int *row = index + offset[pl_user_to_storage(from, i)];
    for (int k = offsets[i]; k < offsets[i + 1]; k++) *row++ = pl_user_to_storage(to, values[k]);
  }
}

static pl_err decl_local_ragged(pl_set *from, pl_set *to, const int *offsets, const int *values,
                                const char *name, pl_map **result)
{
  pl_context *pl = from->node.pl;
  size_t n = (size_t)from->end[3], entries = (size_t)offsets[n];
  PL_TRY(check_values(from, to, offsets, values, name));
  int *offset = pl_calloc(pl, n + 1, sizeof *offset);
  int *index = pl_malloc_array(pl, entries * sizeof *index);
  if (offset && index) store_rows(from, to, offsets, values, offset, index);
  pl_err err = offset && index ? pl_map_new(from, to, 0, offset, index, name, result)
                               : pl_fail_memory(pl, (entries + n) * sizeof *index);
  if (err) {
    pl_free(pl, offset);
    pl_free_array(pl, index);
  }
  return err;
}

/* On several ranks: rows of owned elements with global indices of either width. */
static pl_err decl_global_ragged(pl_set *from, pl_set *to, const int *offsets, const int *ints,
                                 const int64_t *wide, const char *name, pl_map **result)
{
  pl_context *pl = from->node.pl;
  size_t n = (size_t)from->end[1], entries = offsets ? (size_t)offsets[n] : 0;
  int *offset = pl_calloc(pl, n + 1, sizeof *offset);
  int64_t *index = offset ? pl_global_map_new(pl, entries, 1) : NULL;
  if (offset && offsets) memcpy(offset, offsets, (n + 1) * sizeof *offset);
  for (size_t i = 0; index && i < entries; i++) index[i] = wide ? wide[i] : ints[i];
  return pl_global_map_enter(from, to, 0, offset, index, name, result);
}

/* Checks for values of either width. */
static pl_err check_declaration(pl_set *from, pl_set *to, const int *offsets, const void *values,
                                const char *name, pl_map **result)
{
  pl_context *pl = from->node.pl;
  PL_TRY(PL_GIVEN_FOR(pl, "pl_decl_map_ragged", name, result));
  PL_TRY(pl_map_check_ends(from, to, name));
  if (!offsets && pl_ranks(pl) > 1 && !from->end[1]) return PL_SUCCESS; /* this rank has no rows */
  PL_TRY(check_offsets(from, offsets, name));
  if (offsets[pl_set_rows(from)] && !values)
    return pl_fail(pl, PL_ERR_ARG, "map \"%s\": the values are NULL", name);
  return PL_SUCCESS;
}

static pl_err agree_declaration(pl_set *from, pl_set *to, const int *offsets, const void *values,
                                const char *name, pl_map **result)
{
  pl_context *pl = from ? from->node.pl : to ? to->node.pl : NULL;
  PL_TRY(PL_GIVEN_FOR(pl, "pl_decl_map_ragged", name, from, to));
  return pl_agree_on(pl, check_declaration(from, to, offsets, values, name, result),
                     "ragged map \"%s\" from \"%s\" to \"%s\"", name, from->node.name, to->node.name);
}

pl_err pl_decl_map_ragged(pl_set *from, pl_set *to, const int *offsets, const int *values, const char *name,
                          pl_map **result)
{
  if (!name) name = "(unnamed)";
  PL_TRY(agree_declaration(from, to, offsets, values, name, result));
  if (pl_ranks(from->node.pl) > 1) return decl_global_ragged(from, to, offsets, values, NULL, name, result);
  return decl_local_ragged(from, to, offsets, values, name, result);
}

pl_err pl_decl_map_ragged_global(pl_set *from, pl_set *to, const int *offsets, const int64_t *values,
                                 const char *name, pl_map **result)
{
  if (!name) name = "(unnamed)";
  PL_TRY(agree_declaration(from, to, offsets, values, name, result));
  if (pl_ranks(from->node.pl) > 1) return decl_global_ragged(from, to, offsets, NULL, values, name, result);
  pl_context *pl = from->node.pl;
  int *ints = pl_map_ints(pl, (size_t)offsets[from->end[3]], values);
  pl_err err = ints ? decl_local_ragged(from, to, offsets, ints, name, result) : PL_ERR_MEMORY;
  pl_free_array(pl, ints);
  return err;
}

/* ---- inverting ---- */

/* offset[t] advances to the begin of row t + 1 and is moved back at the end. */
static void fill_inverse(const pl_map *map, int *offset, int *index)
{
  for (int e = 0; e < map->from->end[3]; e++)
    for (size_t i = pl_map_begin(map, (size_t)e); i < pl_map_begin(map, (size_t)e + 1); i++)
      if (map->index[i] >= 0) index[offset[map->index[i]]++] = e;
  for (int t = map->to->end[3]; t > 0; t--) offset[t] = offset[t - 1];
  offset[0] = 0;
}

static pl_err invert_local(const pl_map *map, const char *name, pl_map **result)
{
  pl_context *pl = map->node.pl;
  size_t n = (size_t)map->to->end[3];
  int *offset = pl_calloc(pl, n + 2, sizeof *offset), *index = NULL;
  if (!offset) return pl_fail_memory(pl, n * sizeof *offset);
  for (size_t i = 0; i < pl_map_entries(map); i++)
    if (map->index[i] >= 0) offset[map->index[i] + 1]++;
  for (size_t t = 0; t < n; t++) offset[t + 1] += offset[t];
  index = pl_malloc_array(pl, (size_t)offset[n] * sizeof *index);
  if (index) fill_inverse(map, offset, index);
  pl_err err = index ? pl_map_new(map->to, map->from, 0, offset, index, name, result)
                     : pl_fail_memory(pl, (size_t)offset[n] * sizeof *index);
  if (err) {
    pl_free(pl, offset);
    pl_free_array(pl, index);
  }
  return err;
}

/* ---- inverting on several ranks: the owner of a target collects its elements ---- */

static pl_err list_pairs(const pl_map *map, pl_global_pair **pairs, int64_t *n)
{
  pl_context *pl = map->node.pl;
  int *offset = pl_global_map_offsets(map);
  int64_t *index = offset ? pl_global_map_copy(map) : NULL;
  size_t entries = index ? (size_t)offset[map->from->end[1]] : 0;
  *n = 0;
  *pairs = pl_malloc_array(pl, entries * sizeof **pairs);
  for (int i = 0; index && *pairs && i < map->from->end[1]; i++)
    for (int k = offset[i]; k < offset[i + 1]; k++)
      if (index[k] >= 0) (*pairs)[(*n)++] = (pl_global_pair){index[k], pl_user_global_index(map->from, i)};
  pl_err err = index && *pairs ? PL_SUCCESS : pl_fail_memory(pl, entries * sizeof **pairs);
  pl_free(pl, offset);
  pl_free_array(pl, index);
  return pl_agree(pl, err);
}

static int by_target(const void *a, const void *b)
{
  const pl_global_pair *x = a, *y = b;
  if (x->target != y->target) return (x->target > y->target) - (x->target < y->target);
  return (x->element > y->element) - (x->element < y->element);
}

/* Rows of the owned targets from sorted pairs; targets ascend in user order. */
static void fill_rows(const pl_set *to, int64_t n, const pl_global_pair *pairs, int *offset, int64_t *index)
{
  int64_t next = 0;
  for (int t = 0; t < to->end[1]; t++) {
    int64_t id = pl_user_global_index(to, t);
    for (; next < n && pairs[next].target == id; next++) index[next] = pairs[next].element;
    offset[t + 1] = (int)next;
  }
}

static pl_err invert_global(const pl_map *map, const char *name, pl_map **result)
{
  pl_context *pl = map->node.pl;
  pl_global_pair *pairs = NULL, *received = NULL;
  pl_directory owners = {0};
  int64_t n, nreceived = 0;
  pl_err err = list_pairs(map, &pairs, &n);
  if (!err) err = pl_directory_of(map->to, &owners);
  if (!err) err = pl_global_map_deliver(pl, &owners, n, pairs, &received, &nreceived);
  pl_directory_free(pl, &owners);
  pl_free_array(pl, pairs);
  if (!err && nreceived > INT32_MAX)
    err =
      pl_fail(pl, PL_ERR_RANGE, "map \"%s\": the inverse of map \"%s\" has more than %d entries on a rank",
              name, map->node.name, INT32_MAX);
  PL_TRY(pl_agree(pl, err));
  int *offset = pl_calloc(pl, (size_t)map->to->end[1] + 1, sizeof *offset);
  int64_t *index = offset ? pl_global_map_new(pl, (size_t)nreceived, 1) : NULL;
  if (nreceived) qsort(received, (size_t)nreceived, sizeof *received, by_target);
  if (index) fill_rows(map->to, nreceived, received, offset, index);
  pl_free_array(pl, received);
  return pl_global_map_enter(map->to, map->from, 0, offset, index, name, result);
}

static pl_err check_inversion(const pl_map *map, const char *name, pl_map **result)
{
  pl_context *pl = map->node.pl;
  PL_TRY(PL_GIVEN_FOR(pl, "pl_map_invert", name, result));
  if (map->pair_map)
    return pl_fail(pl, PL_ERR_ARG, "map \"%s\": map \"%s\" is a pair map, which is its own inverse", name,
                   map->node.name);
  if (!map->index && !map->global_index && map->from->end[3])
    return pl_fail(pl, PL_ERR_STATE, "map \"%s\": made from map \"%s\", whose indices are undefined", name,
                   map->node.name);
  if (pl_map_entries(map) > INT32_MAX)
    return pl_fail(pl, PL_ERR_RANGE, "map \"%s\": the inverse of map \"%s\" has more than %d entries", name,
                   map->node.name, INT32_MAX);
  return PL_SUCCESS;
}

pl_err pl_map_invert(const pl_map *map, const char *name, pl_map **result)
{
  if (!name) name = "(unnamed)";
  PL_TRY_GIVEN(map);
  pl_context *pl = map->node.pl;
  PL_TRY(pl_agree_on(pl, check_inversion(map, name, result), "pl_map_invert of \"%s\"", map->node.name));
  return pl_ranks(pl) > 1 ? invert_global(map, name, result) : invert_local(map, name, result);
}

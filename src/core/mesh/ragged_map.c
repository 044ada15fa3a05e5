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

typedef struct declaration {
  pl_set *from, *to;
  const int *offsets;
  const int *ints;     /* the values, */
  const int64_t *wide; /* or as global indices */
  const char *name;
} declaration;

static pl_err check_offsets(const declaration *d)
{
  pl_context *pl = d->from->node.pl;
  int rows = pl_set_rows(d->from);
  if (!d->offsets)
    return pl_fail(pl, PL_ERR_ARG, "map \"%s\": the offsets are NULL, but \"%s\" has %d elements here",
                   d->name, d->from->node.name, rows);
  if (d->offsets[0] != 0)
    return pl_fail(pl, PL_ERR_RANGE, "map \"%s\": the first offset is %d; it must be 0", d->name,
                   d->offsets[0]);
  for (int e = 0; e < rows; e++)
    if (d->offsets[e + 1] < d->offsets[e])
      return pl_fail(pl, PL_ERR_RANGE,
                     "map \"%s\": the offset of element %d is %d, less than the one before it", d->name,
                     e + 1, d->offsets[e + 1]);
  return PL_SUCCESS;
}

static pl_err check_values(const declaration *d)
{
  const int n = d->to->end[3];
  for (int e = 0; e < d->from->end[3]; e++)
    for (int i = d->offsets[e]; i < d->offsets[e + 1]; i++)
      if (d->ints[i] < 0 || d->ints[i] >= n)
        return pl_fail(d->from->node.pl, PL_ERR_RANGE,
                       "map \"%s\": entry %d of element %d is %d, outside set \"%s\" with its %d elements; "
                       "leave out entries without a target",
                       d->name, i - d->offsets[e], e, d->ints[i], d->to->node.name, n);
  return PL_SUCCESS;
}

/* From user order to storage order. */
static void store_rows(const declaration *d, int *offset, int *index)
{
  const int n = d->from->end[3], *offsets = d->offsets;
  for (int i = 0; i < n; i++) offset[pl_user_to_storage(d->from, i) + 1] = offsets[i + 1] - offsets[i];
  for (int e = 0; e < n; e++) offset[e + 1] += offset[e];
  for (int i = 0; i < n; i++) {
    int *row = index + offset[pl_user_to_storage(d->from, i)];
    for (int k = offsets[i]; k < offsets[i + 1]; k++) *row++ = pl_user_to_storage(d->to, d->ints[k]);
  }
}

/* Of rows that are complete, or could not be allocated; owns both arrays. */
static pl_err enter_rows(pl_set *from, pl_set *to, int *offset, int *index, const char *name, pl_map **result)
{
  pl_context *pl = from->node.pl;
  pl_err err = offset && index ? pl_map_new(from, to, offset, index, name, result)
                               : pl_fail_memory(pl, (size_t)from->end[3] * sizeof *index);
  if (err) {
    pl_free(pl, offset);
    pl_free_array(pl, index);
  }
  return err;
}

static pl_err declare_local(const declaration *d, pl_map **result)
{
  pl_context *pl = d->from->node.pl;
  size_t n = (size_t)d->from->end[3];
  PL_TRY(check_values(d));
  int *offset = pl_calloc(pl, n + 1, sizeof *offset);
  int *index = pl_malloc_array(pl, (size_t)d->offsets[n] * sizeof *index);
  if (offset && index) store_rows(d, offset, index);
  return enter_rows(d->from, d->to, offset, index, d->name, result);
}

/* On several ranks: rows of owned elements. */
static pl_err declare_global(const declaration *d, pl_map **result)
{
  pl_context *pl = d->from->node.pl;
  size_t n = (size_t)d->from->end[1], entries = d->offsets ? (size_t)d->offsets[n] : 0;
  int *offset = pl_calloc(pl, n + 1, sizeof *offset);
  int64_t *index = offset ? pl_global_map_new(pl, entries, 1) : NULL;
  if (offset && d->offsets) memcpy(offset, d->offsets, (n + 1) * sizeof *offset);
  for (size_t i = 0; index && i < entries; i++) index[i] = d->wide ? d->wide[i] : d->ints[i];
  return pl_global_map_enter(d->from, d->to, 0, offset, index, d->name, result);
}

static pl_err check_declaration(const declaration *d, pl_map **result)
{
  pl_context *pl = d->from->node.pl;
  PL_TRY(PL_GIVEN_FOR(pl, "pl_decl_map_ragged", d->name, result));
  PL_TRY(pl_map_check_ends(d->from, d->to, d->name));
  if (!d->offsets && pl_ranks(pl) > 1 && !d->from->end[1]) return PL_SUCCESS; /* this rank has no rows */
  PL_TRY(check_offsets(d));
  if (d->offsets[pl_set_rows(d->from)] && !d->ints && !d->wide)
    return pl_fail(pl, PL_ERR_ARG, "map \"%s\": the values are NULL", d->name);
  return PL_SUCCESS;
}

static pl_err declare(declaration d, pl_map **result)
{
  pl_set *from = d.from, *to = d.to;
  pl_context *pl = from ? from->node.pl : to ? to->node.pl : NULL;
  if (!d.name) d.name = "(unnamed)";
  PL_TRY(PL_GIVEN_FOR(pl, "pl_decl_map_ragged", d.name, from, to));
  PL_TRY(pl_agree_on(pl, check_declaration(&d, result), "ragged map \"%s\" from \"%s\" to \"%s\"", d.name,
                     from->node.name, to->node.name));
  if (pl_ranks(pl) > 1) return declare_global(&d, result);
  if (!d.wide) return declare_local(&d, result);
  int *ints = pl_map_ints(pl, (size_t)d.offsets[from->end[3]], d.wide);
  d.ints = ints;
  pl_err err = ints ? declare_local(&d, result) : PL_ERR_MEMORY;
  pl_free_array(pl, ints);
  return err;
}

pl_err pl_decl_map_ragged(pl_set *from, pl_set *to, const int *offsets, const int *values, const char *name,
                          pl_map **result)
{
  return declare((declaration){from, to, offsets, values, NULL, name}, result);
}

pl_err pl_decl_map_ragged_global(pl_set *from, pl_set *to, const int *offsets, const int64_t *values,
                                 const char *name, pl_map **result)
{
  return declare((declaration){from, to, offsets, NULL, values, name}, result);
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
  return enter_rows(map->to, map->from, offset, index, name, result);
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

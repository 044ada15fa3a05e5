/* SPDX-License-Identifier: BSD-2-Clause
 * Ragged maps, and the inverse of any map. Invariant: offsets ascend from 0, every value is in [0, to).
 */
#include "far.h"
#include "loop.h"
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
  for (int e = 0; e < from->part[3]; e++)
    for (int i = offsets[e]; i < offsets[e + 1]; i++)
      if (values[i] < 0 || values[i] >= to->part[3])
        return pl_fail(
          from->node.pl, PL_ERR_RANGE,
          "map \"%s\": entry %d of element %d is %d, outside set \"%s\" with its %d elements; leave "
          "out what has no target",
          name, i - offsets[e], e, values[i], to->node.name, to->part[3]);
  return PL_SUCCESS;
}

/* From the order that users see to that of storage. */
static void store_rows(const pl_set *from, const pl_set *to, const int *offsets, const int *values,
                       int *offset, int *index)
{
  int n = from->part[3];
  for (int i = 0; i < n; i++) offset[pl_view_at(from, i) + 1] = offsets[i + 1] - offsets[i];
  for (int e = 0; e < n; e++) offset[e + 1] += offset[e];
  for (int i = 0; i < n; i++) {
    int *row = index + offset[pl_view_at(from, i)];
    for (int k = offsets[i]; k < offsets[i + 1]; k++) *row++ = pl_view_at(to, values[k]);
  }
}

static pl_err decl_here(pl_set *from, pl_set *to, const int *offsets, const int *values, const char *name,
                        pl_map **result)
{
  pl_context *pl = from->node.pl;
  size_t n = (size_t)from->part[3], entries = (size_t)offsets[n];
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

/* On several ranks: the owned rows, whose values are global indices of either width. */
static pl_err decl_far(pl_set *from, pl_set *to, const int *offsets, const int *narrow, const int64_t *wide,
                       const char *name, pl_map **result)
{
  pl_context *pl = from->node.pl;
  size_t n = (size_t)from->part[1], entries = offsets ? (size_t)offsets[n] : 0;
  int *offset = pl_calloc(pl, n + 1, sizeof *offset);
  int64_t *far = offset ? pl_far_new(pl, entries, 1) : NULL;
  if (offset && offsets) memcpy(offset, offsets, (n + 1) * sizeof *offset);
  for (size_t i = 0; far && i < entries; i++) far[i] = wide ? wide[i] : narrow[i];
  return pl_far_enter(from, to, 0, offset, far, name, result);
}

/* What declarations of either width have in common. */
static pl_err check_declaration(pl_set *from, pl_set *to, const int *offsets, const void *values,
                                const char *name, pl_map **result)
{
  pl_context *pl = from->node.pl;
  if (!result) return pl_fail(pl, PL_ERR_ARG, "map \"%s\": a pointer is NULL", name);
  PL_TRY(pl_map_check_ends(from, to, name));
  if (!offsets && pl_ranks(pl) > 1 && !from->part[1]) return PL_SUCCESS; /* this rank has no rows */
  PL_TRY(check_offsets(from, offsets, name));
  if (offsets[pl_set_rows(from)] && !values)
    return pl_fail(pl, PL_ERR_ARG, "map \"%s\": the values are NULL", name);
  return PL_SUCCESS;
}

static pl_err agree_declaration(pl_set *from, pl_set *to, const int *offsets, const void *values,
                                const char *name, pl_map **result)
{
  pl_context *pl = from ? from->node.pl : to ? to->node.pl : NULL;
  if (!from || !to) return pl_fail(pl, PL_ERR_ARG, "map \"%s\": a pointer is NULL", name);
  return pl_agree_on(pl, check_declaration(from, to, offsets, values, name, result),
                     "ragged map \"%s\" from \"%s\" to \"%s\"", name, from->node.name, to->node.name);
}

pl_err pl_decl_map_ragged(pl_set *from, pl_set *to, const int *offsets, const int *values, const char *name,
                          pl_map **result)
{
  if (!name) name = "(unnamed)";
  PL_TRY(agree_declaration(from, to, offsets, values, name, result));
  if (pl_ranks(from->node.pl) > 1) return decl_far(from, to, offsets, values, NULL, name, result);
  return decl_here(from, to, offsets, values, name, result);
}

/* On one rank; what an int cannot hold is outside any set, as are negative values. */
static pl_err decl_narrowed(pl_set *from, pl_set *to, const int *offsets, const int64_t *values,
                            const char *name, pl_map **result)
{
  pl_context *pl = from->node.pl;
  size_t entries = (size_t)offsets[from->part[3]];
  int *narrow = pl_malloc_array(pl, entries * sizeof *narrow);
  if (!narrow) return pl_fail_memory(pl, entries * sizeof *narrow);
  for (size_t i = 0; i < entries; i++)
    narrow[i] = values[i] < 0 ? -1 : values[i] > INT32_MAX ? INT32_MAX : (int)values[i];
  pl_err err = decl_here(from, to, offsets, narrow, name, result);
  pl_free_array(pl, narrow);
  return err;
}

pl_err pl_decl_map_ragged_global(pl_set *from, pl_set *to, const int *offsets, const int64_t *values,
                                 const char *name, pl_map **result)
{
  if (!name) name = "(unnamed)";
  PL_TRY(agree_declaration(from, to, offsets, values, name, result));
  if (pl_ranks(from->node.pl) > 1) return decl_far(from, to, offsets, NULL, values, name, result);
  return decl_narrowed(from, to, offsets, values, name, result);
}

/* ---- inverting ---- */

/* Calls visit for each pair (element, target) of a map, elements ascending. */
typedef void (*pair_visitor)(int element, int target, int *offset, int *index);

static void each_pair(const pl_map *map, pair_visitor visit, int *offset, int *index)
{
  for (int e = 0; e < map->from->part[3]; e++) {
    int first = map->offset ? map->offset[e] : e * map->arity;
    int end = map->offset ? map->offset[e + 1] : first + map->arity;
    for (int i = first; i < end; i++)
      if (map->index[i] >= 0) visit(e, map->index[i], offset, index);
  }
}

static void count_pair(int element, int target, int *offset, int *index)
{
  (void)element, (void)index;
  offset[target + 1]++;
}

/* offset[t] is moved along and ends where row t + 1 begins. */
static void place_pair(int element, int target, int *offset, int *index)
{
  index[offset[target]++] = element;
}

static void fill_inverse(const pl_map *map, int *offset, int *index)
{
  int n = map->to->part[3];
  each_pair(map, place_pair, offset, index);
  for (int t = n; t > 0; t--) offset[t] = offset[t - 1];
  offset[0] = 0;
}

static pl_err invert_here(const pl_map *map, const char *name, pl_map **result)
{
  pl_context *pl = map->node.pl;
  size_t n = (size_t)map->to->part[3];
  int *offset = pl_calloc(pl, n + 2, sizeof *offset), *index = NULL;
  if (!offset) return pl_fail_memory(pl, n * sizeof *offset);
  each_pair(map, count_pair, offset, NULL);
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

/* ---- inverting on several ranks: pairs of target and element meet where the target is ---- */

static pl_err list_pairs(const pl_map *map, pl_far_pair **pairs, int64_t *n)
{
  pl_context *pl = map->node.pl;
  int *offset = pl_far_offsets(map);
  int64_t *far = offset ? pl_far_copy(map) : NULL;
  size_t entries = far ? (size_t)offset[map->from->part[1]] : 0;
  *n = 0;
  *pairs = pl_malloc_array(pl, entries * sizeof **pairs);
  for (int i = 0; far && *pairs && i < map->from->part[1]; i++)
    for (int k = offset[i]; k < offset[i + 1]; k++)
      if (far[k] >= 0) (*pairs)[(*n)++] = (pl_far_pair){far[k], pl_view_number(map->from, i)};
  pl_err err = far && *pairs ? PL_SUCCESS : pl_fail_memory(pl, entries * sizeof **pairs);
  pl_free(pl, offset);
  pl_free_array(pl, far);
  return pl_agree(pl, err);
}

static int by_target(const void *a, const void *b)
{
  const pl_far_pair *x = a, *y = b;
  if (x->target != y->target) return (x->target > y->target) - (x->target < y->target);
  return (x->element > y->element) - (x->element < y->element);
}

/* Rows of the owned targets from sorted pairs: the view ascends as the targets do. */
static void fill_rows(const pl_set *to, int64_t n, const pl_far_pair *pairs, int *offset, int64_t *far)
{
  int64_t next = 0;
  for (int t = 0; t < to->part[1]; t++) {
    int64_t id = pl_view_number(to, t);
    for (; next < n && pairs[next].target == id; next++) far[next] = pairs[next].element;
    offset[t + 1] = (int)next;
  }
}

static pl_err invert_far(const pl_map *map, const char *name, pl_map **result)
{
  pl_context *pl = map->node.pl;
  pl_far_pair *pairs = NULL, *came = NULL;
  pl_directory owners = {0};
  int64_t n, ncame = 0;
  pl_err err = list_pairs(map, &pairs, &n);
  if (!err) err = pl_directory_of(map->to, &owners);
  if (!err) err = pl_far_deliver(pl, &owners, n, pairs, &came, &ncame);
  pl_directory_free(pl, &owners);
  pl_free_array(pl, pairs);
  if (!err && ncame > INT32_MAX)
    err =
      pl_fail(pl, PL_ERR_RANGE, "map \"%s\": the inverse of map \"%s\" has more than %d entries on a rank",
              name, map->node.name, INT32_MAX);
  PL_TRY(pl_agree(pl, err));
  int *offset = pl_calloc(pl, (size_t)map->to->part[1] + 1, sizeof *offset);
  int64_t *far = offset ? pl_far_new(pl, (size_t)ncame, 1) : NULL;
  if (ncame) qsort(came, (size_t)ncame, sizeof *came, by_target);
  if (far) fill_rows(map->to, ncame, came, offset, far);
  pl_free_array(pl, came);
  return pl_far_enter(map->to, map->from, 0, offset, far, name, result);
}

static pl_err check_inversion(const pl_map *map, const char *name, pl_map **result)
{
  pl_context *pl = map->node.pl;
  if (!result) return pl_fail(pl, PL_ERR_ARG, "map \"%s\": a pointer is NULL", name);
  if (map->pair_map)
    return pl_fail(pl, PL_ERR_ARG, "map \"%s\": map \"%s\" is a pair map, which is its own inverse", name,
                   map->node.name);
  if (!map->index && !map->far && map->from->part[3])
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
  if (!map) return pl_fail(NULL, PL_ERR_ARG, "map \"%s\": a pointer is NULL", name);
  pl_context *pl = map->node.pl;
  PL_TRY(pl_agree_on(pl, check_inversion(map, name, result), "pl_map_invert of \"%s\"", map->node.name));
  return pl_ranks(pl) > 1 ? invert_far(map, name, result) : invert_here(map, name, result);
}

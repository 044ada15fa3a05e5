/* SPDX-License-Identifier: BSD-2-Clause
 * Ragged maps, and the inverse of any map. Invariant: offsets ascend from 0, every value is in [0, to).
 */
#include "loop.h"
#include <string.h>

/* ---- declaring ---- */

static pl_err check_offsets(const pl_set *from, const int *offsets, const char *name)
{
  pl_context *pl = from->node.pl;
  if (offsets[0] != 0)
    return pl_fail(pl, PL_ERR_RANGE, "map \"%s\": the first offset is %d; it must be 0", name, offsets[0]);
  for (int e = 0; e < from->part[3]; e++)
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

pl_err pl_decl_map_ragged(pl_set *from, pl_set *to, const int *offsets, const int *values, const char *name,
                          pl_map **result)
{
  pl_context *pl = from ? from->node.pl : to ? to->node.pl : NULL;
  if (!name) name = "(unnamed)";
  if (!from || !to || !offsets || !result)
    return pl_fail(pl, PL_ERR_ARG, "map \"%s\": a pointer is NULL", name);
  PL_TRY(pl_map_check_ends(from, to, name));
  PL_TRY(pl_agree(pl, pl_alone(pl, "ragged maps")));
  PL_TRY(check_offsets(from, offsets, name));
  size_t n = (size_t)from->part[3], entries = (size_t)offsets[n];
  if (entries && !values) return pl_fail(pl, PL_ERR_ARG, "map \"%s\": the values are NULL", name);
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

pl_err pl_map_invert(const pl_map *map, const char *name, pl_map **result)
{
  if (!name) name = "(unnamed)";
  if (!map || !result)
    return pl_fail(map ? map->node.pl : NULL, PL_ERR_ARG, "map \"%s\": a pointer is NULL", name);
  pl_context *pl = map->node.pl;
  PL_TRY(pl_agree(pl, pl_alone(pl, "inverses of maps")));
  if (!map->index && map->from->part[3])
    return pl_fail(pl, PL_ERR_STATE, "map \"%s\": made from map \"%s\", whose indices are undefined", name,
                   map->node.name);
  if (pl_map_entries(map) > INT32_MAX)
    return pl_fail(pl, PL_ERR_RANGE, "map \"%s\": the inverse of map \"%s\" has more than %d entries", name,
                   map->node.name, INT32_MAX);
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

/* SPDX-License-Identifier: BSD-2-Clause
 * Places of particles; see places.h.
 */
#include "particle_places.h"
#include "core/data/objects.h"
#include "plan/base/radix_sort.h"

const char *pl_places_name(const pl_set *set, char buffer[PL_H5_NAME])
{
  return pl_h5_full_name("plait/places", set->node.name, buffer);
}

int64_t pl_places_bytes(const pl_set *set)
{
  enum { HEADER = 8192 };
  return HEADER + set->global_size * (int64_t)sizeof(int64_t);
}

/* Of elements in user order. */
static void fill_places(const void *object, int64_t first, int64_t count, void *values)
{
  const pl_set *set = object;
  const int64_t rank = pl_rank(set->node.pl);
  for (int64_t i = 0; i < count; i++)
    ((int64_t *)values)[i] = rank << 32 | pl_user_to_storage(set, (int)(first + i));
}

pl_err pl_places_write(pl_h5_file *f, pl_set *set)
{
  char name[PL_H5_NAME];
  const pl_h5_records records = {.stride = sizeof(int64_t), .fill = fill_places, .object = set};
  const pl_h5_new d = {pl_places_name(set, name), PL_INT64, 1, &(uint64_t){(uint64_t)set->global_size}, NULL};
  return pl_h5_write_records(f, &d, set, &records);
}

pl_err pl_places_sort(pl_context *pl, int64_t n, const int64_t *places, int **order)
{
  pl_keyed *items = pl_malloc(pl, 2 * ((size_t)n + 1) * sizeof *items), *sorted;
  *order = pl_malloc(pl, ((size_t)n + 1) * sizeof **order);
  pl_err err = items && *order ? PL_SUCCESS : pl_fail_memory(pl, 2 * (size_t)n * sizeof *items);
  for (int64_t i = 0; !err && i < n; i++) items[i] = (pl_keyed){(uint64_t)places[i], (int)i};
  if (!err) err = pl_sort_keyed(pl, (int)n, items, items + n, &sorted);
  for (int64_t i = 0; !err && i < n; i++) (*order)[i] = sorted[i].value;
  pl_free(pl, items);
  return err;
}

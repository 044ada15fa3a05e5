/* SPDX-License-Identifier: BSD-2-Clause
 * Blocks of a map whose targets 16 bits can count.
 */
#include "narrow_rows.h"
#include "core/threads/threads.h"

enum {
  MANY = 1 << 16, /* elements whose rows do not stay in a cache */
  FEW = 32        /* of so many blocks one may have targets that are too far apart */
};

static int block_count(const pl_map *map)
{
  return (map->from->end[3] + PL_NARROW_BLOCK - 1) / PL_NARROW_BLOCK;
}

/* The entries of a block. */
static size_t find_entries(const pl_map *map, int block, size_t *end)
{
  const size_t row = (size_t)pl_map_row(map), first = (size_t)block * PL_NARROW_BLOCK * row,
               all = pl_map_entries(map);
  *end = first + PL_NARROW_BLOCK * row < all ? first + PL_NARROW_BLOCK * row : all;
  return first;
}

/* The least target of a block; -1: its targets are too far apart. */
static int base_of(const pl_map *map, int block)
{
  size_t end, k = find_entries(map, block, &end);
  int least = map->index[k], most = least;
  for (; k < end; k++) {
    if (map->index[k] < least) least = map->index[k];
    if (map->index[k] > most) most = map->index[k];
  }
  return most - least <= UINT16_MAX ? least : -1;
}

static bool may_be_narrow(const pl_map *map)
{
  return map->index && !map->offset && !map->has_negative && !map->row_mask && !map->pair_map &&
         !map->mover && map->block_values == 1 && map->arity % 2 == 0 && map->from->end[3] >= MANY &&
         !map->from->capacity && !map->to->capacity;
}

void pl_map_find_narrow(pl_map *map)
{
  if (map->narrow) return;
  map->narrow = -1;
  if (!may_be_narrow(map)) return;
  const int n = block_count(map), threads = pl_plan_threads(n, pl_map_entries(map));
  int64_t wide = 0;
  PL_PARALLEL_SUM(threads, wide)
  for (int b = 0; b < n; b++) wide += base_of(map, b) < 0;
  if (wide <= n / FEW) map->narrow = 1;
}

void pl_narrow_rows_fill(const pl_map *map, uint16_t *narrow, int *base)
{
  const int n = block_count(map), threads = pl_plan_threads(n, pl_map_entries(map));
  PL_PARALLEL_FOR(threads)
  for (int b = 0; b < n; b++) {
    size_t end, k = find_entries(map, b, &end);
    base[b] = base_of(map, b);
    for (; k < end; k++) narrow[k] = base[b] < 0 ? 0 : (uint16_t)(map->index[k] - base[b]);
  }
}

/* SPDX-License-Identifier: BSD-2-Clause
 * The distributed owner directory of a set: the owners of elements by global index, in one block a rank.
 * Invariant: rank r stores the owners of global indices base + [r * block, (r + 1) * block), where base is
 * the least global index. For a set whose ranks have consecutive global indices, every rank has the first of
 * each rank instead.
 */
#pragma once

#include "plait.h"

typedef struct pl_directory {
  int64_t base, block;
  int *owner;     /* of this rank's block; -1: unknown */
  int64_t *first; /* the least global index of each rank; NULL: there are blocks */
} pl_directory;

/* Builds the directory of a set. Collective; free it also after an error. */
pl_err pl_directory_of(const pl_set *set, pl_directory *directory);

/* owner[i] = the rank that owns ids[i]; every id has an owner. Collective. */
pl_err pl_directory_find(pl_context *pl, const pl_directory *directory, int64_t n, const int64_t *ids,
                         int *owner);

void pl_directory_free(pl_context *pl, pl_directory *directory);

/* The first of the ascending ids low to high - 1 that is not below `id`; high: none. Local. */
static inline int64_t pl_lower_bound(const int64_t *ids, int64_t low, int64_t high, int64_t id)
{
  while (low < high) {
    int64_t middle = low + (high - low) / 2;
    if (ids[middle] < id)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* The index of `id` among n ascending ids, or -1; fast if they have no gaps. Local. */
int64_t pl_find_ascending(const int64_t *ids, int64_t n, int64_t id);

/* A lookup table for many searches: ids from base + (k << shift) up to base + (k + 1 << shift) are at
 * start[k] to start[k + 1]. The caller keeps the ids. Local. */
typedef struct pl_lookup {
  const int64_t *ids;
  int64_t base, last;
  int shift, *start;
} pl_lookup;
pl_err pl_lookup_make(pl_context *pl, const int64_t *ids, int64_t n, pl_lookup *lookup);
void pl_lookup_free(pl_context *pl, pl_lookup *lookup);
static inline int64_t pl_lookup_find(const pl_lookup *lookup, int64_t id)
{
  if (!lookup->start || id < lookup->base || id > lookup->last) return -1;
  const int *start = lookup->start + ((id - lookup->base) >> lookup->shift);
  int64_t at = pl_lower_bound(lookup->ids, start[0], start[1], id);
  return at < start[1] && lookup->ids[at] == id ? at : -1;
}

/* Sorts n items stably by their target rank: order[] lists the items, count[r] of them for each rank r.
 * Local. */
void pl_sort_by_rank(pl_context *pl, int64_t n, const int *rank, int64_t *count, int64_t *order);

/* The arrays of such a sort and of the all-to-all exchange after it. Local; free them also after an error. */
typedef struct pl_rank_sort {
  int *rank;
  int64_t *order, *count, *received_count;
} pl_rank_sort;
pl_err pl_rank_sort_alloc(pl_context *pl, int64_t n, pl_rank_sort *sort);
void pl_rank_sort_free(pl_context *pl, pl_rank_sort *sort);

/* SPDX-License-Identifier: BSD-2-Clause
 * Who owns an element: ranks of owners, spread over all ranks by global index, so that no rank holds a whole
 * set. Invariant: rank r knows the owners of global indices base + [r * block, (r + 1) * block), where base
 * is the least.
 */
#ifndef PLAIT_CORE_DIRECTORY_H
#define PLAIT_CORE_DIRECTORY_H

#include "objects.h"

typedef struct pl_directory {
  int64_t base, block;
  int *owner; /* of this rank's block; -1: nobody has said */
} pl_directory;

/* From the n elements that each rank owns. Collective; free it also after an error. */
pl_err pl_directory_build(pl_context *pl, int64_t n, const int64_t *ids, pl_directory *directory);

/* The directory of a set. */
pl_err pl_directory_of(const pl_set *set, pl_directory *directory);

/* owner[i] becomes the rank that owns ids[i]; every id is somebody's. Collective. */
pl_err pl_directory_find(pl_context *pl, const pl_directory *directory, int64_t n, const int64_t *ids,
                         int *owner);

void pl_directory_free(pl_context *pl, pl_directory *directory);

/* Where `id` stands among n ascending ids; -1: nowhere. Quick where they have no gaps. Local. */
int64_t pl_find_ascending(const int64_t *ids, int64_t n, int64_t id);

/* The same often: ids between base + (k << shift) and base + (k + 1 << shift) stand from start[k] to
 * start[k + 1]. The ids stay the caller's. Local. */
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
  int low = start[0], high = start[1];
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (lookup->ids[middle] < id)
      low = middle + 1;
    else
      high = middle;
  }
  return low < start[1] && lookup->ids[low] == id ? low : -1;
}

/* The sum of a number for each rank. Local. */
int64_t pl_count_sum(const pl_context *pl, const int64_t *count);

/* A letter to each rank: items sorted by the rank they go to, in their order. count[r] items go to rank r
 * (room for pl_ranks); order[] (n) are their numbers. Local. */
void pl_sort_by_rank(pl_context *pl, int64_t n, const int *rank, int64_t *count, int64_t *order);

#endif

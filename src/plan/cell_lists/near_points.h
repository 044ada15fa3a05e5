/* SPDX-License-Identifier: BSD-2-Clause
 * The points near a cluster of consecutive particles: a few contiguous runs of sorted points, copied one
 * behind the other, so that each particle of the cluster tests all of them in a loop without branches.
 */
#pragma once

#include "point_bins.h"
#include <stdbool.h>

/* Particles begin .. end - 1, and the box around them. */
typedef struct pl_cluster {
  int begin, end;
  float low[PL_PAIR_AXES], high[PL_PAIR_AXES];
} pl_cluster;

/* Points one behind the other, in arrays for `room` of them. */
typedef struct pl_crowd {
  int count, room;
  float *at[PL_PAIR_AXES]; /* at[0]: the memory of all arrays, from the pool */
  int *id;
  uint64_t packed[256]; /* for each set of eight points, as bits, their numbers, as bytes */
} pl_crowd;

void pl_crowd_open(pl_crowd *c);

/* The cluster of up to eight particles that begins with `begin` and lies in a box about as long as the reach.
 */
pl_cluster pl_cluster_find(const pl_bins *g, int begin, int end);

/* The points near a cluster, in sorted order; false without memory. */
bool pl_cluster_gather(const pl_bins *g, const pl_cluster *around, pl_crowd *c);

/* Stores the ids of those of a crowd that are near particle i, but not its own, and returns how many; `out`
 * has room for all of them and PL_SPARE more. */
typedef size_t (*pl_near_fn)(const pl_bins *g, const pl_crowd *c, int i, int *restrict out);

/* The function for `dim` axes with the widest vectors of this processor, of at most so many points (1, 8,
 * 16). */
enum { PL_NEAR_LANES = 16 };
pl_near_fn pl_near_choose(int dim, int lanes);

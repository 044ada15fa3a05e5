/* SPDX-License-Identifier: BSD-2-Clause
 * Several loops over different sets, tile by tile: sparse tiling of unstructured meshes (Strout et al., full
 * sparse tiling; Luporini et al., SLOPE, 2019: tiles grown loop by loop through the maps). The first loop's
 * elements are cut into tiles; each further element goes to the last tile that leaves anything it needs, or
 * still needs what it overwrites.
 *
 * Tiles of a thread run in their order, all loops within each. Elements that would have to follow tiles of
 * two threads are in the tail, which runs when all threads are done. Invariant (pl_tiles_are_valid): if an
 * element must follow one of an earlier loop, its tile is not before that one's, and of the same thread or
 * the tail; elements of one loop that collide are of one thread or in the tail.
 */
#ifndef PLAIT_PLAN_TILES_H
#define PLAIT_PLAN_TILES_H

#include "plan.h"

/* What a tile runs of one loop: ranges of positions, and single elements. */
typedef struct pl_tile_part {
  int nranges, nsingles;
  const pl_run *range;
  const int *single;
} pl_tile_part;

typedef struct pl_tiles {
  int nloops, nthreads, ntiles; /* with the tail, which is the last */
  int *first;                   /* thread t's tiles are first[t] to first[t + 1] - 1 */
  pl_tile_part *part;           /* tile * nloops + loop */
  pl_run **range;               /* by loop: room of all parts */
  int **single;
  int64_t tail; /* elements in it */
} pl_tiles;

/* What is tiled: loops in order, with the storage of their dats, since dats may change places in between. */
typedef struct pl_tile_loop {
  const pl_loop *loop;
  const void *const *storage; /* of each argument; NULL where there is none */
} pl_tile_loop;

typedef struct pl_tile_request {
  int nloops;
  const pl_tile_loop *loop;
  int nthreads;
  int tiles; /* of all threads together; at least one for each */
} pl_tile_request;

/* Whether a loop may be in tiles. */
bool pl_loop_may_tile(const pl_loop *loop);

pl_err pl_tiles_make(pl_context *pl, const pl_tile_request *request, pl_tiles **tiles);
bool pl_tiles_are_valid(const pl_tile_request *request, const pl_tiles *tiles, const char **why);
void pl_tiles_free(pl_context *pl, pl_tiles *tiles);

#endif

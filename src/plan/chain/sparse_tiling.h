/* SPDX-License-Identifier: BSD-2-Clause
 * Sparse tiling of several loops over an unstructured mesh (Strout et al., full sparse tiling; Luporini et
 * al., SLOPE, 2019: tiles grow loop by loop through the maps). The elements of the first loop are cut into
 * tiles; each further element goes to the last tile on which it depends.
 *
 * A thread runs its tiles in order, all loops within each. Elements that depend on tiles of two threads are
 * in the tail, which runs after all threads. Invariant (pl_tiles_are_valid): if an element depends on one of
 * an earlier loop, its tile is not before that one's, and of the same thread or the tail; elements of one
 * loop that write one target are of one thread or in the tail.
 */
#pragma once

#include <stdbool.h>
#include "plan/base/arena.h"
#include "plan/blocks/plan.h"

/* The elements of one loop in a tile: ranges of positions, and single elements. */
typedef struct pl_tile_part {
  int nranges, nsingles;
  const pl_run *range;
  const int *single;
} pl_tile_part;

typedef struct pl_tiles {
  pl_arena arena;               /* holds the arrays */
  int nloops, nthreads, ntiles; /* including the tail, the last tile */
  int *first;                   /* thread t's tiles are first[t] to first[t + 1] - 1 */
  pl_tile_part *part;           /* tile * nloops + loop */
  pl_run **range;               /* by loop: the arrays of all parts */
  int **single;
  int64_t tail; /* elements in it */
} pl_tiles;

/* A loop to tile, with the storage of its dats, since dats may be swapped between loops. */
typedef struct pl_tile_loop {
  const pl_loop *loop;
  const void *const *storage; /* of each argument; NULL: none */
} pl_tile_loop;

typedef struct pl_tile_request {
  int nloops;
  const pl_tile_loop *loop;
  int nthreads;
  int tiles; /* of all threads; each gets at least one */
} pl_tile_request;

/* Whether a loop can be tiled. */
bool pl_loop_may_tile(const pl_loop *loop);

pl_err pl_tiles_make(pl_context *pl, const pl_tile_request *request, pl_tiles **tiles);
void pl_tiles_free(pl_context *pl, pl_tiles *tiles);

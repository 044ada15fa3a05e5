/* SPDX-License-Identifier: BSD-2-Clause
 * The points of which neighbour lists are built, on the host.
 */
#pragma once

#include "core/particles/pair_map.h"

/* The points of a list being built. axis[a][i] is coordinate a of point i; the first n are particles, the
 * rest ghosts. */
typedef struct pl_positions {
  pl_context *pl;
  pl_array_pool *pool;
  int dim, n, count;
  double *axis[PL_PAIR_AXES];
  double reach;           /* the greatest distance of listed pairs */
  const pl_pairs *before; /* the previous list of the particles, or NULL */
  int threads;
} pl_positions;

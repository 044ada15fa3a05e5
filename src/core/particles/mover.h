/* SPDX-License-Identifier: BSD-2-Clause
 * The internal dats and globals of a map whose particles are tracked from cell to cell
 * (plan/particles/particle_tracking.c), created at the first move and freed with the map.
 */
#pragma once

#include "plait.h"
#include <stdbool.h>

/* A kernel generated from a user's, found by its text. */
typedef struct pl_move_kernel {
  char *text;
  const pl_kernel *kernel;
  struct pl_move_kernel *next;
} pl_move_kernel;

typedef struct pl_mover {
  pl_dat *cell, *state; /* of each particle: its cell; whether it still moves */
  pl_dat *order;        /* of the remaining particles */
  pl_dat *anchor;       /* a dat on the cells for loops that only read their map */
  pl_global *count, *limit;
  pl_move_kernel *kernels;
} pl_mover;

/* Frees the mover of a map; `objects`: also its dats and globals, which else the context frees. */
void pl_mover_free(pl_map *map, bool objects);

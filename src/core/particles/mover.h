/* SPDX-License-Identifier: BSD-2-Clause
 * What a map needs whose particles hop from cell to cell (plan/move.c): dats and globals of the library's
 * own, made when its particles move for the first time, and gone with it.
 */
#ifndef PLAIT_CORE_MOVE_H
#define PLAIT_CORE_MOVE_H

#include "objects.h"

/* A kernel made of a user's, found again by its text. */
typedef struct pl_move_kernel {
  char *text;
  const pl_kernel *kernel;
  struct pl_move_kernel *next;
} pl_move_kernel;

typedef struct pl_mover {
  pl_dat *cell, *state; /* of each particle: where it is; whether it is still on its way */
  pl_dat *order;        /* of those that stay */
  pl_dat *anchor;       /* on the cells: stands for them where only their map is read */
  pl_global *count, *limit;
  pl_move_kernel *kernels;
} pl_mover;

/* Gives the mover back; `objects`: and what it has declared, else that goes with the context. */
void pl_mover_free(pl_map *map, bool objects);

#endif

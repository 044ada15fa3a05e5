/* SPDX-License-Identifier: BSD-2-Clause
 * The generated kernel that tracks one particle: it calls the user's kernel cell after cell.
 */
#pragma once

#include <stdbool.h>
#include "core/context/string_builder.h"

/* State 1: the particle has not found its cell yet (0: it has left the mesh, 2: it has); and the cell of a
 * particle whose kernel failed to find one. The generated kernel has these values as literals. */
enum { PL_MOVE_UNFINISHED = 1, PL_MOVE_LOST_CELL = -3 };

/* Counters: particles that left the mesh, that continue on another rank, without a final cell, and hops. */
enum { PL_MOVE_LEFT, PL_MOVE_ELSEWHERE, PL_MOVE_LOST, PL_MOVE_HOPS, PL_MOVE_COUNTS };

/* Arguments of the generated loop before the user's. */
enum { PL_MOVE_CELL, PL_MOVE_STATE, PL_MOVE_COUNT, PL_MOVE_LIMIT, PL_MOVE_FACES, PL_MOVE_OWN };

typedef struct pl_move_call {
  const pl_kernel *kernel;
  pl_map *where, *faces;
  int nargs;
  const pl_arg *args;
} pl_move_call;

/* Whether an argument belongs to the cell, not to the particle. */
bool pl_move_of_cell(const pl_arg *arg);

/* The text of the generated kernel. Errors: PL_ERR_KERNEL for the kernel's parameters, PL_ERR_ARG for
 * arguments. */
pl_err pl_move_text(const pl_move_call *call, pl_string *text);

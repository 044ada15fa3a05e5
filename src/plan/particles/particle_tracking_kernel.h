/* SPDX-License-Identifier: BSD-2-Clause
 * Particles that hop over a mesh: one call in the making. The particles' set is that of all direct arguments;
 * `where` leads from it to the cells, `faces` from a cell to those across its faces.
 */
#ifndef PLAIT_PLAN_MOVE_H
#define PLAIT_PLAN_MOVE_H

#include "core/loop.h"
#include "core/move.h"
#include "core/text.h"

/* States of a particle, and places that are none. */
enum {
  PL_MOVE_GONE = 0,
  PL_MOVE_ON_ITS_WAY = 1,
  PL_MOVE_SETTLED = 2,
  PL_MOVE_OUTSIDE = -1,
  PL_MOVE_ASTRAY = -3
};

/* What is counted: particles that left, that go on elsewhere, that never settle, and hops. */
enum { PL_MOVE_LEFT, PL_MOVE_ELSEWHERE, PL_MOVE_LOST, PL_MOVE_HOPS, PL_MOVE_COUNTS };

/* Arguments of the made loop that come before the user's. */
enum { PL_MOVE_CELL, PL_MOVE_STATE, PL_MOVE_COUNT, PL_MOVE_LIMIT, PL_MOVE_FACES, PL_MOVE_OWN };

typedef struct pl_move_call {
  const pl_kernel *kernel;
  pl_map *where, *faces;
  int nargs;
  const pl_arg *args;
} pl_move_call;

/* An argument that belongs to the cell and not to the particle. */
bool pl_move_of_cell(const pl_arg *arg);

/* The text of the made kernel; errors of the kernel's parameters and of arguments that cannot be. */
pl_err pl_move_text(const pl_move_call *call, pl_text *text);

#endif

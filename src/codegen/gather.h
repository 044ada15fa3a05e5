/* SPDX-License-Identifier: BSD-2-Clause
 * What a loop that increments a dat needs to run inside the loop that reads it (fuse_gather.c): its one map,
 * turned round into rows of equal length.
 */
#ifndef PLAIT_CODEGEN_GATHER_H
#define PLAIT_CODEGEN_GATHER_H

#include "plan/inverse.h"
#include "workshop.h"

enum { PL_SIDE_BITS = 4 }; /* of an entry, in the dat of sides: 0, or 1 + the slot of the increments */

/* The one map through which a loop increments a dat, and the indices in the order of its arguments. */
typedef struct pl_aim {
  pl_map *map;
  int nslots, index[PL_SIDES];
} pl_aim;

/* False if the loop does anything but increment the dat through one map. */
bool pl_aim_find(const pl_loop *loop, const pl_dat *dat, pl_aim *a);

/* The map of the targets' set that holds all targets which the loop reads through another map, the one
 * declared first, of all ranks; corners->of stays NULL if there is none. Collective. */
pl_err pl_corners_find(pl_context *pl, const pl_loop *loop, const pl_aim *a, const pl_inverse *inverse,
                       int degree, pl_corners *corners);

/* The place of an entry in its row, of which `row` says what is taken; -1: its targets are not where those of
 * others at this place and side are. */
int pl_corner_fit(const pl_corners *c, int t, int entry, int nslots, unsigned *row);

/* The turned map of a loop; degree 0 if nothing is reached, -1 if an element is reached too often. */
pl_err pl_turn(pl_context *pl, const pl_loop *loop, const pl_aim *a, pl_turned **result);

#endif

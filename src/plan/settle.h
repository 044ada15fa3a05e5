/* SPDX-License-Identifier: BSD-2-Clause
 * Particles on ranks. A rank's particles fill a box: space is cut by recursive bisection of the particles, so
 * ranks have equally many; they follow these cuts until some rank has many more than others. What another
 * rank has within reach of that box, by any image, is copied here: the halo of the particles' set.
 * Invariants: a particle has one owner; whatever is nearer than `reach` to an owned particle, by positions of
 * the halo's version, is owned or in the halo.
 */
#ifndef PLAIT_PLAN_SETTLE_H
#define PLAIT_PLAN_SETTLE_H

#include "pairs.h"

/* What this rank's particles fill. */
typedef struct pl_extent {
  double low[PL_PAIR_AXES], high[PL_PAIR_AXES];
} pl_extent;

/* Of n particles; empty (low above high) for none. */
pl_extent pl_extent_of(int dim, int n, double *const axis[]);

/* Which images of coordinate x along an axis are within reach of the extent: bit d is the image shifted by
 * d - 1 lengths of the box. */
int pl_images_along(const pl_domain *domain, int axis, double x, double reach, const pl_extent *extent);

/* Puts particles back into the box, sends each to the rank that owns its place and copies to whom they are
 * near. Nothing where that is so already. What a device can do itself it does: values do not leave it, unless
 * space is cut anew. Errors: PL_ERR_RANGE for a particle that is nowhere. Collective. */
pl_err pl_settle(pl_map *map, double reach);

#endif

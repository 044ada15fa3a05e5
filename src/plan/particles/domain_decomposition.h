/* SPDX-License-Identifier: BSD-2-Clause
 * Domain decomposition of particles. Space is cut by recursive bisection so that ranks have equally many
 * particles; the cuts are used again until some rank has many more than others. Particles of other ranks
 * within reach of this rank's extent, by any image, are copied here: the halo of the particles' set.
 * Invariants: a particle has one owner; every particle nearer than `reach` to an owned one, by positions of
 * the halo's version, is owned or in the halo.
 */
#pragma once

#include "core/particles/pair_map.h"

/* The bounding box of this rank's particles. */
typedef struct pl_extent {
  double low[PL_PAIR_AXES], high[PL_PAIR_AXES];
} pl_extent;

/* Of n particles; empty (low above high) for none. */
pl_extent pl_extent_of(int threads, int dim, int n, double *const axis[]);

/* The coordinates within reach of an extent along an axis, and the length of the box (infinite: the axis is
 * not periodic). */
typedef struct pl_image_range {
  double low, high, length;
} pl_image_range;

void pl_image_ranges(const pl_domain *domain, int dim, double reach, const pl_extent *extent,
                     pl_image_range *range);

/* The images of coordinate x in a range: bit d is the image shifted by d - 1 lengths of the box. */
static inline int pl_images_along(const pl_image_range *range, double x)
{
  const double below = x - range->length, above = x + range->length;
  return ((below >= range->low) & (below <= range->high)) | ((x >= range->low) & (x <= range->high)) << 1 |
         ((above >= range->low) & (above <= range->high)) << 2;
}

/* The bounds of a domain (NULL: free space) as they were stored, or stored now. */
bool pl_domain_same_box(const pl_domain *domain, const double *low, const double *high);
void pl_domain_store_box(const pl_domain *domain, double *low, double *high);

/* Wraps particles into the box, sends each to the rank that owns its position, and copies it to the ranks
 * that it is near. Does nothing if the halo is up to date. A device that can does it itself unless space is
 * cut again; call pl_ghosts_complete once it builds lists. Errors: PL_ERR_RANGE for an invalid position.
 * Collective. */
pl_err pl_decompose(pl_map *map, double reach);

/* Space is cut again by the next call, whatever the set's past. */
void pl_decomposition_forget(pl_set *set);

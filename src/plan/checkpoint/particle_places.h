/* SPDX-License-Identifier: BSD-2-Clause
 * Places of particles in memory: the rank of each particle, and its position in storage there. Sums over
 * particles are added in this order, so a program that continues with the same bits needs it.
 */
#pragma once

#include "core/io/hdf5_write.h"

/* The dataset with a place for each particle of the set. */
const char *pl_places_name(const pl_set *set, char buffer[PL_H5_NAME]);
/* Its bytes at most, with HDF5's header. */
int64_t pl_places_bytes(const pl_set *set);
pl_err pl_places_write(pl_h5_file *f, pl_set *set);

static inline int64_t pl_place_rank(int64_t place)
{
  return place >> 32;
}

/* The order of n places: *order (pl_free) lists their indices, by rank and then by position. Local. */
pl_err pl_places_sort(pl_context *pl, int64_t n, const int64_t *places, int **order);

/* SPDX-License-Identifier: BSD-2-Clause
 * Triad: what the memory gives where the loops run, to compare them with.
 */
#ifndef AIRFOIL_TRIAD_H
#define AIRFOIL_TRIAD_H

#include "plait.h"

/* GB/s of a[i] = b[i] + s c[i] over 2^24 doubles each on the context's backend, 24 bytes counted an element:
 * the fastest of ten runs. Under mpirun each rank
 * has its share of the elements and tells its own GB/s; collective. */
double triad_gbytes_per_s(pl_context *pl);

#endif

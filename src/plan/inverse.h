/* SPDX-License-Identifier: BSD-2-Clause
 * The inverse of maps: for each target the elements that reach it. Owned by whoever builds it.
 * Invariant: row t is entry[offset[t] .. offset[t + 1]), ascending; an entry is element * nslots + slot,
 * where slot is the place of (map, index) in the list of reaches. Negative map entries appear nowhere.
 */
#ifndef PLAIT_PLAN_INVERSE_H
#define PLAIT_PLAN_INVERSE_H

#include "plan.h"

typedef struct pl_inverse {
  int ntargets, nslots, nentries;
  int *offset, *entry;
} pl_inverse;

/* Inverts `nslots` reaches (each of one index, all to one set) of the elements of a set or subset. Errors:
 * PL_ERR_RANGE if entries do not fit 31 bits. */
pl_err pl_inverse_build(pl_context *pl, const pl_set *set, int nslots, const pl_reach *reach,
                        pl_inverse *inverse);
void pl_inverse_free(pl_context *pl, pl_inverse *inverse);

#endif

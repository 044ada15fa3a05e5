/* SPDX-License-Identifier: BSD-2-Clause
 * Masks of a matrix argument: the rows and columns of local tensors that a loop drops.
 */
#pragma once

#include "core/mesh/map.h"
#include <plait/matrix.h>

/* A nonzero value of of[0], a dat of the row set, drops a row, and one of of[1], of the column set, a column;
 * NULL drops nothing. */
typedef struct pl_masks {
  pl_dat *of[2];
  uint64_t version[2];       /* of the dats when they were read */
  unsigned char *dropped[2]; /* the values as 0 or 1, with those of the halo, in storage order; NULL: none */
} pl_masks;

static inline bool pl_masks_exist(const pl_masks *masks)
{
  return masks->of[0] || masks->of[1];
}

/* PL_ERR_TYPE for a mask that is not a dat of its set with `block` values of an integer type. Local. */
pl_err pl_masks_check(const pl_masks *masks, const char *matrix, const pl_map_pair *pair, const int block[2]);

/* Reads masks that have changed since they were read. Collective. */
pl_err pl_masks_read(pl_masks *masks, bool *changed);

/* Makes the positions (positions.h) of dropped values -1. Local. */
void pl_masks_apply(const pl_masks *masks, const pl_map_pair *pair, const int block[2], int *positions);

void pl_masks_free(pl_masks *masks);

/* SPDX-License-Identifier: BSD-2-Clause
 * The positions of local tensors among the values of a sparsity.
 */
#pragma once

#include "plan/sparsity/masks.h"
#include "sparsity.h"

/* The positions of one pair of maps and masks, among the slots or among contributions. */
typedef struct pl_tensor_positions {
  struct pl_tensor_positions *next;
  pl_map_pair of;
  pl_masks masks;
  struct pl_contributions *apart; /* contributions.h; NULL: the slots */
  pl_map *map;                    /* from the elements to the slots or contributions */
} pl_tensor_positions;

enum { PL_TENSOR_MOST = 1 << 16 }; /* values of a local tensor */

/* The positions of a pair of maps, without the rows and columns that the masks (or NULL) drop; `apart`: those
 * of contributions. Collective. */
pl_err pl_sparsity_positions(pl_sparsity *sparsity, const pl_map_pair *pair, pl_dat *const mask[2],
                             bool apart, pl_tensor_positions **positions);

/* Those with this map; NULL: it is not one of the sparsity's. */
pl_tensor_positions *pl_sparsity_find_positions(const pl_sparsity *sparsity, const pl_map *map);

/* Computes masked positions again if a mask has changed. Collective. */
pl_err pl_sparsity_refresh(pl_sparsity *sparsity, pl_tensor_positions *positions);

/* Those that depend on a map or mask, or all (NULL). */
void pl_sparsity_positions_free(pl_sparsity *sparsity, const void *map_or_mask);
size_t pl_sparsity_positions_bytes(const pl_sparsity *sparsity);

void pl_sparsity_forget_matrix(pl_sparsity *sparsity, const pl_node *mat);

/* SPDX-License-Identifier: BSD-2-Clause
 * Lists by which a block sums its increments before it writes them. The caller owns them.
 * Invariants: blocks divide [begin, end) into pieces of block_size positions. The targets of block b, each
 * once and ascending, are target[offset[b] .. offset[b + 1]), as ~target if another block reaches it too. The
 * increments of its i-th target are entry[block_size * nslots * b + row[offset[b] + b + i] ..
 * + row[... + i + 1]), ascending by element: slot * block_size + index of the element in the block. Negative
 * map entries appear nowhere.
 */
#pragma once

#include "plan.h"

typedef struct pl_block_sums {
  int begin, end, block_size, nblocks, nslots;
  int *offset, *target;
  uint16_t *row, *entry;
  int shared; /* targets that several blocks reach, counted in each */
} pl_block_sums;

/* Lists for `nslots` reaches (each of one index, all to one set) at the positions of a run of a set or
 * subset. Errors: PL_ERR_RANGE if a block has more than 65535 entries or there are more than 2^31 in all. */
pl_err pl_block_sums_build(pl_set *set, pl_run run, int block_size, int nslots, const pl_reach *reach,
                           pl_block_sums *sums);
void pl_block_sums_free(pl_context *pl, pl_block_sums *sums);

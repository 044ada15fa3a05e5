/* SPDX-License-Identifier: BSD-2-Clause
 * Lists for adding up the increments of a block before they leave it. Owned by whoever builds them.
 * Invariants: blocks cut [begin, end) into pieces of block_size positions. The targets of block b, each once
 * and ascending, are target[offset[b] .. offset[b + 1]), as ~target where another block has it too. What its
 * i-th target gets is entry[block_size * nslots * b + row[offset[b] + b + i] .. + row[... + i + 1]),
 * ascending by element: slot * block_size + place of the element in the block. Negative map entries appear
 * nowhere.
 */
#ifndef PLAIT_PLAN_BLOCK_SUMS_H
#define PLAIT_PLAN_BLOCK_SUMS_H

#include "plan.h"

typedef struct pl_block_sums {
  int begin, end, block_size, nblocks, nslots;
  int *offset, *target;
  uint16_t *row, *entry;
  int shared; /* targets of several blocks, counted in each */
} pl_block_sums;

/* Lists of `nslots` reaches (each of one index, all to one set) for positions begin to end of a set or
 * subset. Errors: PL_ERR_RANGE if a block has more than 65535 entries or there are more than 2^31 in all. */
pl_err pl_block_sums_build(pl_context *pl, pl_set *set, int begin, int end, int block_size, int nslots,
                           const pl_reach *reach, pl_block_sums *sums);
void pl_block_sums_free(pl_context *pl, pl_block_sums *sums);

#endif

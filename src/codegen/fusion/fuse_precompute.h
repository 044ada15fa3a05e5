/* SPDX-License-Identifier: BSD-2-Clause
 * A producer computed for blocks of its consumer.
 */
#pragma once

#include <stdbool.h>
#include "fusion_cache.h"

/* The consumer, run over blocks of `size` elements, with `dat` computed by the producer for each block. The
 * caller prepares the loop. PL_ERR_KERNEL if it cannot be done. */
pl_err pl_fuse_blocks(pl_context *pl, pl_loop *producer, pl_loop *consumer, pl_dat *dat, int size,
                      const pl_fused **fused);

/* The most bytes of a block's values, and how often a target is computed on average; false: no memory. */
bool pl_blocks_cost(pl_context *pl, pl_loop *consumer, pl_dat *dat, int size, size_t *bytes, double *times);

/* SPDX-License-Identifier: BSD-2-Clause
 * Loops in blocks: a producer's values are computed for the targets of a block of elements, once each, into
 * memory of the block's own, before the block's elements use them.
 */
#ifndef PLAIT_CODEGEN_BLOCKS_H
#define PLAIT_CODEGEN_BLOCKS_H

#include "wrap.h"
#include "workshop.h"

enum { PL_BLOCK_BYTES = 32 << 10, PL_BLOCK_ELEMENTS = 128 };

/* The consumer, run over blocks of `size` elements, with `dat` computed by the producer for each block. The
 * loop is prepared by who runs it. PL_ERR_KERNEL if that cannot be had. */
pl_err pl_fuse_blocks(pl_context *pl, pl_loop *producer, pl_loop *consumer, pl_dat *dat, int size,
                      pl_loop **made);

/* Bytes that a block's values take at most, and how often a target is computed on average; false: the targets
 * could not be counted. */
bool pl_blocks_cost(pl_context *pl, pl_loop *consumer, pl_dat *dat, int size, size_t *bytes, double *times);

/* The text: all of a device's kernel, or both functions of a host's. */
void pl_print_blocks_device(const pl_body *b);
void pl_print_blocks_host(const pl_body *b);

#endif

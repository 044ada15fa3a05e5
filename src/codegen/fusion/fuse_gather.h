/* SPDX-License-Identifier: BSD-2-Clause
 * Loops that increment a dat, inlined into the loop that reads it: each element calls their kernels for the
 * elements that increment it and keeps only its own increments.
 */
#pragma once

#include "fusion_cache.h"

enum { PL_GATHER_PRODUCERS = 6 };

/* The consumer with the producers inlined, up to PL_GATHER_PRODUCERS: `dat` was zero before them and is read
 * directly. The loop may only be a member for pl_fuse. PL_ERR_KERNEL if it cannot be done. */
pl_err pl_fuse_gather(pl_context *pl, int n, pl_loop *const *producer, pl_loop *consumer, pl_dat *dat,
                      const pl_fused **fused);

/* A loop over the targets that adds the loop's increments of the dat to it, or with `stores` to zeros. NULL:
 * there is none. *core: of the targets the first that only core elements increment. Collective. */
pl_err pl_fuse_gathered(pl_context *pl, pl_loop *loop, pl_dat *dat, bool stores, const pl_fused **fused,
                        int *core);

/* SPDX-License-Identifier: BSD-2-Clause
 * Two loops over different sets as one loop over their disjoint union, so that they share a launch.
 */
#pragma once

#include <stdbool.h>
#include "fusion_cache.h"

bool pl_loop_may_share_launch(const pl_loop *loop);

/* For independent loops that may share a launch. Each element calls the kernel of its loop. */
pl_err pl_fuse_sets(pl_context *pl, pl_loop *a, pl_loop *b, const pl_fused **fused);

/* SPDX-License-Identifier: BSD-2-Clause
 * Dependence analysis of recorded loops from their access descriptors: which must follow which, and which may
 * be fused.
 */
#pragma once

#include <stdbool.h>
#include "core/chain/chain.h"

enum { PL_WHY = 320 };

/* Whether the later record depends on the earlier one; `why` (PL_WHY bytes, may be NULL) names the object. */
bool pl_op_depends(const pl_op *earlier, const pl_op *later, char *why);

/* Whether two loops may be fused, element by element, the earlier one first; if not, `why` says why. */
bool pl_loops_may_fuse(const pl_loop *earlier, const pl_loop *later, char *why);

/* Whether the producer can be inlined wherever the consumer reads `dat`; if not, `why` says why. The caller
 * checks the records between the two. */
bool pl_loops_may_inline(const pl_loop *producer, const pl_loop *consumer, const pl_dat *dat, char *why);

/* Whether a loop may be fused with any other. */
bool pl_loop_may_fuse_any(const pl_loop *loop, char *why);

/* The name of a record for people. */
const char *pl_op_name(const pl_op *op);

/* Whether two loops have data in common, so that fusing them saves memory accesses. */
bool pl_loops_share(const pl_loop *a, const pl_loop *b);

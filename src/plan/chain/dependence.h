/* SPDX-License-Identifier: BSD-2-Clause
 * What may be said of recorded loops from their access descriptors alone: which must wait for which, and
 * which may run as one.
 */
#ifndef PLAIT_PLAN_DEPEND_H
#define PLAIT_PLAN_DEPEND_H

#include "core/chain.h"

enum { PL_WHY = 320 };

/* Whether the later op must come after the earlier one; `why` (PL_WHY bytes, may be NULL) says for what. */
bool pl_op_depends(const pl_op *earlier, const pl_op *later, char *why);

/* Whether two loops may run as one, element by element, the earlier one first; else `why` says why not, with
 * names. */
bool pl_loops_may_fuse(const pl_loop *earlier, const pl_loop *later, char *why);

/* Whether the producer can be called wherever the consumer reads `dat`, instead of being run before; else
 * `why` says why not. What happens between the two is the caller's to look at. */
bool pl_loops_may_inline(const pl_loop *producer, const pl_loop *consumer, const pl_dat *dat, char *why);

/* Whether a loop may be a part of another at all. */
bool pl_loop_suits(const pl_loop *loop, char *why);

/* Whether they have data in common, so that one pass saves something. */
bool pl_loops_share(const pl_loop *a, const pl_loop *b);

/* The loop writes all of the dat's values and reads none of them. */
bool pl_loop_covers(const pl_loop *loop, const pl_dat *dat);
bool pl_loop_uses(const pl_loop *loop, const void *object);
bool pl_loop_writes(const pl_loop *loop, const void *object);
bool pl_loop_reads(const pl_loop *loop, const void *object);

#endif

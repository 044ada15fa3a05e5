/* SPDX-License-Identifier: BSD-2-Clause
 * Plans of a strategy and its own values of parameters: common to all strategies.
 */
#pragma once

#include "strategy.h"
#include "plan/execution/plan_cache.h"

/* The smallest block; and bytes of local memory beyond which too few blocks are resident. */
enum { PL_LEAST_BLOCK = 32, PL_USUAL_SHARED = 48 << 10 };

pl_run pl_range_run(const pl_loop *loop, int p); /* the elements of range p */

/* The strategy's own value of a parameter in launches for a range; NULL: it has none. */
const pl_strategy_value *pl_strategy_find(const pl_strategy *s, int range, pl_param_kind kind, int arg);

/* Values for launches of range p (-1: of all): `size` bytes, copied from the host or, if host is NULL, left
 * undefined; a number, which replaces the one before. */
pl_err pl_add_buffer(pl_device *device, pl_strategy *s, int p, pl_param_kind kind, int arg, const void *host,
                     size_t size);
void pl_set_number(pl_strategy *s, int p, pl_param_kind kind, int arg, int number);
pl_err pl_add_list(pl_device *device, pl_strategy *s, int p, pl_param_kind kind, const int *list, int n);
pl_err pl_add_blocks(pl_device *device, pl_strategy *s, int p);  /* of the range's plan */
pl_err pl_add_colours(pl_device *device, pl_strategy *s, int p); /* blocks and element colours */

pl_err pl_strategy_plan(pl_device *device, const pl_strategy *s, int p, int nstage, const pl_reach *stage,
                        const pl_plan **plan);

/* Local memory: bytes of a work item in reductions, bytes left for a block, and whether `shared` fits. */
size_t pl_reduction_bytes(const pl_loop *loop);
size_t pl_shared_limit(const pl_device *device, const pl_strategy *s);
bool pl_shared_fits(const pl_device *device, const pl_strategy *s, size_t shared, char *why);

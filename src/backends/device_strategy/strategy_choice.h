/* SPDX-License-Identifier: BSD-2-Clause
 * Which strategies suit a loop on a device, by its writes and by options conflict and reproducible.
 */
#pragma once

#include "strategy.h"
#include "codegen/loop/conflict.h"

/* At most PL_MAX_STRATEGIES, the likely fastest first; *compare: the first calls compare them. `why`
 * (PL_VARIANT bytes) is empty unless the strategy of option conflict cannot be used. */
int pl_strategies_wanted(const pl_device *device, const pl_loop *loop, pl_conflict *list, bool *compare,
                         char *why);

/* Why an argument, or some argument of a loop, cannot be written by atomics; or NULL. */
const char *pl_why_not_atomic(const pl_device *device, const pl_arg *arg);
const char *pl_why_no_atomics(const pl_device *device, const pl_loop *loop);

/* SPDX-License-Identifier: BSD-2-Clause
 * Combine: a block sums its increments by target in local memory, then adds each sum once.
 */
#pragma once

#include "strategy.h"

pl_err pl_strategy_plan_combine(pl_device *device, pl_strategy *s, int nslots, const pl_reach *slot,
                                bool *fits, char *why);

/* SPDX-License-Identifier: BSD-2-Clause
 * Combine: a block sums its increments by target in local memory, then adds each sum once.
 */
#ifndef PLAIT_BACKENDS_DEVICE_STRATEGY_STRATEGY_COMBINE_H
#define PLAIT_BACKENDS_DEVICE_STRATEGY_STRATEGY_COMBINE_H

#include "strategy.h"

pl_err pl_strategy_plan_combine(pl_device *device, pl_strategy *s, int nslots, const pl_reach *slot,
                                bool *fits, char *why);

#endif

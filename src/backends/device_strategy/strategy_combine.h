/* SPDX-License-Identifier: BSD-2-Clause
 * Combine: a block sums its increments by target in local memory, then adds each sum once.
 */
#pragma once

#include "strategy.h"

/* Chooses the size of blocks, of elements with so many increments. Then, at any time, the lists of blocks. */
bool pl_strategy_fit_combine(pl_device *device, pl_strategy *s, int nslots, char *why);
pl_err pl_strategy_list_combine(pl_device *device, pl_strategy *s, int nslots, const pl_reach *slot);

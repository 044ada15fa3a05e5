/* SPDX-License-Identifier: BSD-2-Clause
 * Gather and store, by the inverse of the maps: a target calls the kernel for each incident element and keeps
 * its own increment, or adds up the increments that elements have stored. A matrix is gathered row by row.
 */
#pragma once

#include "strategy.h"

pl_err pl_strategy_plan_gather(pl_device *device, pl_strategy *s, const pl_increments *all, bool *fits,
                               char *why);
/* Of stored increments: what the text depends on. */
void pl_strategy_fit_store(pl_strategy *s, const pl_increments *all);
/* The rows of either. */
pl_err pl_strategy_list_rows(pl_device *device, pl_strategy *s, const pl_increments *all);

/* SPDX-License-Identifier: BSD-2-Clause
 * Comparing strategies in the first calls of a loop. The choice is stored beside the compiled code, for other
 * processes.
 */
#pragma once

#include "loop_prepare.h"

/* If an earlier process made the choice, the list becomes that strategy. */
pl_err pl_strategy_recall(pl_device *device, pl_device_code *code, int *n, pl_conflict *list, bool *compare);
/* The first calls compare the strategies; and whether they do so still. */
void pl_strategies_compare(pl_device_code *code);
bool pl_strategies_compete(const pl_device_code *code);
void pl_strategy_trial_close(pl_device *device, pl_device_code *code);

/* Around each range of a call. The last trial's end keeps the fastest strategy. */
pl_err pl_strategy_trial_begin(pl_device *device, pl_device_code *code);
pl_err pl_strategy_trial_end(pl_device *device, pl_device_code *code, bool last_range);

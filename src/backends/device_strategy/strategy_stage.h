/* SPDX-License-Identifier: BSD-2-Clause
 * Stage: a block copies the targets of its elements to local memory and back, and is coloured inside.
 */
#pragma once

#include "strategy.h"

pl_err pl_strategy_plan_stage(pl_device *device, pl_strategy *s, bool *fits, char *why);

/* SPDX-License-Identifier: BSD-2-Clause
 * Stage: a block copies the targets of its elements to local memory and back, and is coloured inside.
 */
#ifndef PLAIT_BACKENDS_DEVICE_STRATEGY_STRATEGY_STAGE_H
#define PLAIT_BACKENDS_DEVICE_STRATEGY_STRATEGY_STAGE_H

#include "strategy.h"

pl_err pl_strategy_plan_stage(pl_device *device, pl_strategy *s, bool *fits, char *why);

#endif

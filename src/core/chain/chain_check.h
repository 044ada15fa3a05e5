/* SPDX-License-Identifier: BSD-2-Clause
 * PLAIT_CHECK of chains: runs a schedule loop by loop and as steps, and compares. The second run counts;
 * there is none if a loop fails.
 */
#pragma once

#include "chain.h"

typedef pl_err (*pl_schedule_runner)(pl_context *pl, const pl_schedule *schedule);
pl_err pl_chain_check(pl_context *pl, pl_schedule *schedule, pl_schedule_runner run_ops,
                      pl_schedule_runner run_steps);

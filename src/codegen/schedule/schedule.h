/* SPDX-License-Identifier: BSD-2-Clause
 * Hook `schedule` of all backends: recorded loops become steps.
 */
#pragma once

#include "core/chain/chain.h"

pl_err pl_schedule_make(pl_context *pl, pl_schedule *schedule);

/* Hook `check_loop`: a loop against its kernel's text. */
pl_err pl_schedule_check(pl_context *pl, pl_loop *loop);

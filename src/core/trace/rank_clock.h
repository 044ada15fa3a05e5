/* SPDX-License-Identifier: BSD-2-Clause
 * The clocks of the ranks.
 */
#pragma once

#include "core/context/context.h"

/* *offset: seconds to add to this rank's clock to obtain that of rank 0. *origin: a time on the clock of rank
 * 0, the same on all ranks. Collective. */
pl_err pl_rank_clock(pl_context *pl, double *offset, double *origin);

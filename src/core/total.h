/* SPDX-License-Identifier: BSD-2-Clause
 * Reductions over ranks on their way: from what each rank has found to what all have.
 */
#ifndef PLAIT_CORE_TOTAL_H
#define PLAIT_CORE_TOTAL_H

#include "objects.h"

/* What this rank has found for a global goes to all: from `found`, or, where that is NULL, from the device as
 * soon as it is there. The value of the global itself joins in when somebody waits. */
pl_err pl_total_send(pl_global *global, pl_access op, const void *found);

/* Starts those whose parts are there, or, with `wait`, all. A rank that cannot leaves the others. Local. */
pl_err pl_totals_start(pl_context *pl, bool wait);

/* Before a loop that reduces: not too many are on their way. Local, as pl_global_wait. */
pl_err pl_totals_limit(pl_context *pl);

/* The value of a global no longer matters, nor does what comes for it. */
void pl_totals_drop(pl_global *global);

void pl_totals_close(pl_context *pl);

#endif

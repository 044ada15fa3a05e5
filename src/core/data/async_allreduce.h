/* SPDX-License-Identifier: BSD-2-Clause
 * Non-blocking allreduce of globals over ranks.
 */
#pragma once

#include "core/context/observer.h"

/* Starts the reduction of this rank's partial result: `found`, or if NULL the device's value once it is
 * computed. It is combined with the value of the global in pl_global_wait. */
pl_err pl_allreduce_send(pl_global *global, pl_access op, const void *found);

/* Before a loop that reduces: limits the number of pending reductions. */
pl_err pl_allreduces_limit(pl_context *pl);

/* The value of a global is about to be overwritten: drops its pending reductions, and its error. */
void pl_allreduces_drop(pl_global *global);

void pl_allreduces_close(pl_context *pl);

/* Waits for the pending reductions of a global; they are in its value then. Not collective, but it needs the
 * partial results of all ranks. */
pl_err pl_global_wait(pl_global *global);

extern const pl_observer pl_allreduce_observer;

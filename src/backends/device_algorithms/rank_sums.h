/* SPDX-License-Identifier: BSD-2-Clause
 * Sums of globals over ranks by their devices, where these share memory, and barriers of ranks: the host does
 * not wait.
 */
#pragma once

#include "backends/device/driver.h"

/* Whether the devices of all ranks can; prepares them. Collective. */
bool pl_device_sums_ranks(pl_context *pl);
/* Replaces the values of at most PL_RANK_SUMS globals, each of at most PL_RANK_SUM doubles, by their sums
 * over all ranks, behind submitted work. Every rank calls it for the same globals. */
pl_err pl_device_rank_sums(pl_context *pl, int n, pl_global *const *globals);
/* Lets the queue in use wait until the queues of the ranks of a mask have come to the same barrier, and what
 * they wrote before it can be read. Both ranks of a pair call it equally often. If one waits in vain for
 * long, it goes on and its next sums are no numbers. */
pl_err pl_device_rank_barrier(pl_device *device, int ranks);
void pl_device_rank_sums_close(pl_device *device);

/* SPDX-License-Identifier: BSD-2-Clause
 * Sums of globals over ranks by their devices, where these share memory: the host does not wait.
 */
#pragma once

#include "backends/device/driver.h"

/* Whether the devices of all ranks can; prepares them. Collective. */
bool pl_device_sums_ranks(pl_context *pl);
/* Replaces the values of at most PL_RANK_SUMS globals, each of at most PL_RANK_SUM doubles, by their sums
 * over all ranks, behind submitted work. Every rank calls it for the same globals. */
pl_err pl_device_rank_sums(pl_context *pl, int n, pl_global *const *globals);
void pl_device_rank_sums_close(pl_device *device);

/* SPDX-License-Identifier: BSD-2-Clause
 * Conjugate gradients on a small system by one kernel that runs all iterations.
 */
#pragma once

#include "backends/device/driver.h"

struct pl_cg_steps; /* plan/solver/solver.h */

/* *done: false: the system is too large for this device, and nothing has happened. */
pl_err pl_device_cg_steps(pl_context *pl, struct pl_cg_steps *cg, bool *done);
void pl_device_cg_free(pl_device *device);

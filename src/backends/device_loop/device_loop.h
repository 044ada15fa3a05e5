/* SPDX-License-Identifier: BSD-2-Clause
 * Running a loop on a device.
 */
#pragma once

#include "loop_prepare.h"

pl_err pl_device_run(pl_context *pl, pl_loop *loop, const pl_loop_range *range);
pl_err pl_device_run_boundary(pl_device *device, pl_device_code *code); /* of a loop that deferred it */
bool pl_device_merges_ranges(pl_context *pl, const pl_loop *loop);
/* The element that the extreme of argument i is from, -1 if there is none. */
pl_err pl_device_arg_element(pl_context *pl, const pl_loop *loop, int i, int64_t *element);

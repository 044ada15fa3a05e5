/* SPDX-License-Identifier: BSD-2-Clause
 * Reductions and scans on a device.
 */
#pragma once

#include "backends/device/driver.h"
#include "core/context/backend.h"

/* The last item of a scan, or of a reduction without a result, is copied to `last` unless that is NULL. */
pl_err pl_device_scan_items(pl_context *pl, const pl_scan_call *call, void *last);
pl_err pl_device_scan_run(pl_context *pl, const pl_scan_call *call);
void pl_device_scans_free(pl_device *device);

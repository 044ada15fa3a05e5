/* SPDX-License-Identifier: BSD-2-Clause
 * Opening and closing a device, and naming devices.
 */
#pragma once

#include "backends/device/driver.h"

pl_err pl_device_open(pl_context *pl, const pl_driver *driver, void **state);
void pl_device_close(pl_context *pl);
pl_err pl_device_sync(pl_context *pl);

int pl_device_local_rank(void); /* of this process on its machine: each uses another device */
void pl_device_describe(const pl_device *device, pl_device_info *info);
/* The error for an option device that matches no device; lists all. */
pl_err pl_device_unknown(const pl_device *device, const char *kind);

/* SPDX-License-Identifier: BSD-2-Clause
 * Halo exchange of devices (core/exchange/exchange.h), and asynchronous reads of globals.
 */
#pragma once

#include "device_channels.h"

struct pl_device_code;

pl_err pl_device_exchange_ready(pl_context *pl, struct pl_exchange *x);
pl_err pl_device_exchange_begin(pl_context *pl, struct pl_exchange *x);
pl_err pl_device_exchange_end(pl_context *pl, struct pl_exchange *x);
/* The exchange under way launches the rest of a loop (device->run_boundary) when its halos have arrived; all
 * data of the loop is on the device. */
pl_err pl_device_defer_boundary(pl_device *device, struct pl_device_code *code);
pl_err pl_device_global_start_read(pl_context *pl, pl_global *global, void *host, void **event);
pl_err pl_device_global_fetch(pl_context *pl, pl_global *global, void *host, void **event);

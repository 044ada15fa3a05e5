/* SPDX-License-Identifier: BSD-2-Clause
 * Globals on the device, and arithmetic of them there.
 */
#pragma once

#include "driver.h"

struct pl_formula;

pl_err pl_device_global_buffer(pl_device *device, pl_global *global); /* with undefined values */
pl_err pl_device_global(pl_device *device, pl_global *global);        /* with the current value */

/* ---- operations of the backend ---- */

pl_err pl_device_global_download(pl_context *pl, pl_global *global);
pl_err pl_device_global_compute(pl_context *pl, const struct pl_formula *formula);

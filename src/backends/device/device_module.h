/* SPDX-License-Identifier: BSD-2-Clause
 * Device code: a text becomes a module through memory, the disk cache and the driver's compiler. Modules live
 * as long as the device.
 */
#pragma once

#include "driver.h"

/* An error of `text` is returned first. `registers`: at most so many a work item, where the compiler takes a
 * limit; 0: no limit. */
pl_err pl_module_get(pl_device *device, const char *label, const pl_string *text, int registers,
                     pl_module **module);
/* Starts to compile a text in the background, unless its code is known, so that pl_module_get waits less.
 * Fails only without memory. */
pl_err pl_module_begin(pl_device *device, const char *label, const pl_string *text, int registers);
pl_err pl_module_kernel(pl_module *module, const char *name, void **kernel);
void pl_modules_close(pl_device *device);

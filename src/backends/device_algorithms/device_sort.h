/* SPDX-License-Identifier: BSD-2-Clause
 * Radix sort and selection on a device.
 */
#pragma once

#include "plait.h"

pl_err pl_device_sort(pl_context *pl, pl_dat *keys, int bits, pl_dat *order);
pl_err pl_device_select(pl_context *pl, pl_dat *flag, pl_dat *order, int64_t *count);

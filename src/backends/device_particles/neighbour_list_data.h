/* SPDX-License-Identifier: BSD-2-Clause
 * Neighbour lists of pair maps on the device.
 */
#pragma once

#include "backends/device/driver.h"
#include "core/particles/pair_map.h"

pl_err pl_device_pairs(pl_device *device, pl_map *map); /* the current list is on the device */
void pl_device_pairs_clear(pl_device *device, pl_pairs_device *on);
void pl_device_pairs_free(pl_context *pl, pl_pairs *pairs);

/* SPDX-License-Identifier: BSD-2-Clause
 * Neighbour lists of pair maps on the device.
 */
#ifndef PLAIT_BACKENDS_DEVICE_PARTICLES_NEIGHBOUR_LIST_DATA_H
#define PLAIT_BACKENDS_DEVICE_PARTICLES_NEIGHBOUR_LIST_DATA_H

#include "backends/device/driver.h"
#include "core/particles/pair_map.h"

pl_err pl_device_pairs(pl_device *device, pl_map *map); /* the current list is on the device */
void pl_device_pairs_clear(pl_device *device, pl_pairs_device *on);
void pl_device_pairs_free(pl_context *pl, pl_pairs *pairs);

#endif

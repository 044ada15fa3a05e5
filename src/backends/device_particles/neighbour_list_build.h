/* SPDX-License-Identifier: BSD-2-Clause
 * Neighbour lists built and renewed on the device.
 */
#pragma once

#include "backends/device/driver.h"
#include "core/particles/pair_map.h"

struct pl_nearby;

/* Whether the device can build a pair map's lists; and its buffers and kernels for that. */
bool pl_device_lists_can(const pl_device *device, const pl_map *map);
pl_err pl_device_lists_open(pl_device *device, pl_pairs *pairs);

/* On ranks, after pl_device_lists_open: puts this rank's own particles into the bins of the next list, before
 * it has copies of others, for a halo that will be `near`. */
pl_err pl_device_list_begin(pl_device *device, pl_map *map, const struct pl_nearby *near);

/* After the launch of a loop: waits for the list's state. *rebuilt: the list was stale, so that the loop did
 * nothing; it is current now. */
pl_err pl_device_pairs_confirm(pl_device *device, pl_map *map, bool *rebuilt);

pl_err pl_device_pairs_renew(pl_context *pl, pl_map *map, bool same, bool *done);
pl_err pl_device_pairs_entries(pl_context *pl, const pl_pairs *pairs, int64_t *entries);

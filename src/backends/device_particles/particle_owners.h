/* SPDX-License-Identifier: BSD-2-Clause
 * Particles that leave for other ranks, and those near other ranks' domains, found on the device.
 */
#pragma once

#include <stdbool.h>
#include "plait.h"

struct pl_cut;
struct pl_extent;
struct pl_nearby;

pl_err pl_device_particles_leaving(pl_context *pl, pl_map *map, const struct pl_cut *cut, int64_t *count,
                                   const int **place, bool *moved, bool *done);
pl_err pl_device_particles_near(pl_context *pl, pl_map *map, const struct pl_nearby *near,
                                const struct pl_extent *extent, int64_t *count, const int **place);
pl_err pl_device_particles_keep(pl_context *pl, pl_map *map, bool *kept);

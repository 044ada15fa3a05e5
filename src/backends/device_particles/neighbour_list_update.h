/* SPDX-License-Identifier: BSD-2-Clause
 * Updates of the records of a list between two builds.
 */
#pragma once

#include "neighbour_list_launch.h"

/* From current positions. Starts a probe: loops do nothing if the list is stale. */
pl_err pl_list_update(pl_device *device, pl_pairs *pairs);
/* Pairs with copies that may be new; more make the list stale. */
int pl_list_most_undecided(const pl_pairs *pairs);

/* Functions of pl_pair_ops, for ranks. */
pl_err pl_device_pairs_start_update(pl_context *pl, pl_map *map);
pl_err pl_device_pairs_update(pl_context *pl, pl_map *map);
pl_err pl_device_pairs_stale(pl_context *pl, pl_map *map, bool *stale);

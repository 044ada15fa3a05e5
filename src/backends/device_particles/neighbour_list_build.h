/* SPDX-License-Identifier: BSD-2-Clause
 * Neighbour lists built and updated on the device; and launches and buffers for the kernels of a pair map.
 */
#pragma once

#include "backends/device/driver.h"
#include "core/particles/pair_map.h"

/* ---- launches ---- */

struct pl_nearby;

enum { PL_LIST_GROUP = 256, PL_LIST_TILES = 8, PL_LIST_ARGS = 20 };

typedef struct pl_list_launch {
  pl_device *device;
  int n;
  pl_launch_arg arg[PL_LIST_ARGS];
} pl_list_launch;

static inline void pl_list_add(pl_list_launch *l, size_t size, const void *value)
{
  l->arg[l->n++] = (pl_launch_arg){size, value};
}
#define PL_LIST_ARG(l, value) pl_list_add(l, sizeof(value), &(value))

/* Adds four arguments: the number of particles, then layout, pack and room of their positions. */
void pl_list_positions(pl_list_launch *l, const pl_pairs *pairs, const int *n, const int *room);
int pl_list_room_of(const pl_dat *dat);
pl_err pl_list_go(pl_list_launch *l, void *module, const char *name, int64_t items, int group);

/* ---- buffers ---- */

pl_err pl_list_grow(pl_device *device, pl_pairs_buffer *buffer, size_t bytes); /* loses its values */
pl_err pl_list_send(pl_device *device, const void *values, size_t bytes, pl_pairs_buffer *buffer);

/* ---- lists ---- */

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
pl_err pl_device_pairs_start_update(pl_context *pl, pl_map *map);
pl_err pl_device_pairs_update(pl_context *pl, pl_map *map);
pl_err pl_device_pairs_stale(pl_context *pl, pl_map *map, bool *stale);
pl_err pl_device_pairs_entries(pl_context *pl, const pl_pairs *pairs, int64_t *entries);

/* SPDX-License-Identifier: BSD-2-Clause
 * Launches and buffers for the kernels of a pair map.
 */
#pragma once

#include "backends/device/driver.h"
#include "core/particles/pair_map.h"

/* ---- launches ---- */

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

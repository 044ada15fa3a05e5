/* SPDX-License-Identifier: BSD-2-Clause
 * What the files share that make neighbour lists on a device (device_build.c) and find out for other ranks
 * who is where (device_settle.c): launches of their kernels, and buffers that grow.
 */
#ifndef PLAIT_BACKENDS_DEVICE_LISTS_H
#define PLAIT_BACKENDS_DEVICE_LISTS_H

#include "core/pairs.h"
#include "device.h"

enum { PL_LIST_GROUP = 256, PL_LIST_ARGS = 20 };

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

/* Four arguments: how many particles, then where components of their positions are (value_at). */
void pl_list_positions(pl_list_launch *at, const pl_pairs *pairs, const int *n, const int *size);
int pl_list_dat_size(const pl_dat *dat);

/* A kernel of a pair map's module for so many items, in groups. */
pl_err pl_list_go(pl_list_launch *l, void *module, const char *name, int64_t items, int group);

/* A buffer of at least `bytes`, whose values are lost when it grows; and one with values. */
pl_err pl_list_room(pl_device *device, pl_pairs_buffer *buffer, size_t bytes);
pl_err pl_list_send(pl_device *device, const void *values, size_t bytes, pl_pairs_buffer *buffer);

/* Whether a device can make a pair map's lists itself; and its state for that, there from now on. */
bool pl_device_lists_can(const pl_device *device, const pl_map *map);
pl_err pl_device_lists_open(pl_device *device, pl_pairs *pairs);

#endif

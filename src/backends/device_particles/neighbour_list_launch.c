/* SPDX-License-Identifier: BSD-2-Clause
 * Launches of kernels of a pair map, and their buffers.
 */
#include "neighbour_list_launch.h"
#include "backends/device/device_module.h"
#include "core/data/objects.h"

/* ---- launches ---- */

pl_err pl_list_go(pl_list_launch *l, void *module, const char *name, int64_t items, int group)
{
  void *kernel;
  pl_grid grid = pl_grid_for(items, group);
  grid.waits = 1;
  if (!grid.blocks) return PL_SUCCESS;
  PL_TRY(pl_module_kernel(module, name, &kernel));
  return l->device->driver->launch(l->device, kernel, grid, l->n, l->arg);
}

int pl_list_room_of(const pl_dat *dat)
{
  return dat->storage.room ? dat->storage.room : dat->set->end[3];
}

void pl_list_positions(pl_list_launch *l, const pl_pairs *pairs, const int *n, const int *room)
{
  PL_LIST_ARG(l, *n), PL_LIST_ARG(l, pairs->position->storage.layout.tile),
    PL_LIST_ARG(l, pairs->position->storage.layout.pack), PL_LIST_ARG(l, *room);
}

/* ---- buffers ---- */

pl_err pl_list_grow(pl_device *device, pl_pairs_buffer *buffer, size_t bytes)
{
  if (buffer->bytes >= bytes && buffer->at) return PL_SUCCESS;
  if (buffer->at) device->driver->free(device, buffer->at);
  *buffer = (pl_pairs_buffer){0};
  bytes += bytes / 8 + 64;
  PL_TRY(device->driver->alloc(device, bytes, &buffer->at));
  buffer->bytes = bytes;
  return PL_SUCCESS;
}

pl_err pl_list_send(pl_device *device, const void *values, size_t bytes, pl_pairs_buffer *buffer)
{
  PL_TRY(pl_list_grow(device, buffer, bytes));
  return device->driver->write(device, buffer->at, 0, values, bytes);
}

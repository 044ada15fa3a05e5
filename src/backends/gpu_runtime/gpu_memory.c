/* SPDX-License-Identifier: BSD-2-Clause
 * Devices with streams: memory, asynchronous copies, and memory and events shared between processes.
 * Invariant: host memory that was registered for a copy is unregistered when the copy has ended.
 */
#include "gpu_runtime.h"
#include "core/context/memory.h"

pl_err pl_gpu_alloc(pl_device *device, size_t size, void **buffer)
{
  return GPU_FLUSHED(alloc, "allocating memory", buffer, size ? size : 1);
}

void pl_gpu_free(pl_device *device, void *buffer)
{
  if (buffer) pl_gpu_current(device)->free(buffer);
}

pl_err pl_gpu_zero(pl_device *device, void *buffer, size_t size)
{
  if (!size || pl_replay_zero(device, buffer, size)) return PL_SUCCESS;
  pl_gpu *g = pl_gpu_enter(device);
  return GPU_CALL(set_bytes, "zeroing memory", buffer, 0, size, g->stream);
}

pl_err pl_gpu_copy(pl_device *device, void *to, void *from, size_t size)
{
  if (!size || pl_replay_copy(device, to, from, size)) return PL_SUCCESS;
  pl_gpu *g = pl_gpu_enter(device);
  return GPU_CALL(copy, "copying on the device", to, from, size, g->stream);
}

/* ---- between host and device ---- */

pl_err pl_gpu_host_alloc(pl_device *device, size_t size, void **memory)
{
  return GPU_FLUSHED(host_alloc, "allocating pinned host memory", memory, size ? size : 1, PL_GPU_PORTABLE);
}

void pl_gpu_host_free(pl_device *device, void *memory)
{
  if (memory) pl_gpu_current(device)->host_free(memory);
}

pl_err pl_gpu_start_read(pl_device *device, void *host, void *buffer, size_t at, size_t size)
{
  pl_gpu *g = pl_gpu_current(device);
  if (!size) return PL_SUCCESS;
  return GPU_CALL(read, "copying from the device", host, (char *)buffer + at, size, g->stream);
}

pl_err pl_gpu_start_write(pl_device *device, void *buffer, size_t at, const void *host, size_t size)
{
  pl_gpu *g = pl_gpu_current(device);
  if (!size) return PL_SUCCESS;
  return GPU_CALL(write, "copying to the device", (char *)buffer + at, host, size, g->stream);
}

/* Copies from and to pinned memory are several times as fast; pinning pays even for one large copy. */
enum { MIN_PINNED = 16 << 20 };

static bool pin_memory(pl_gpu *g, const void *host, size_t size)
{
  return size >= MIN_PINNED && g->host_register((void *)(uintptr_t)host, size, 0) == 0;
}

static pl_err end_copy(pl_device *device, bool pinned, bool wait, const void *host, pl_err err)
{
  pl_gpu *g = device->dev;
  if (!err && (pinned || wait)) err = GPU_CALL(stream_wait, "waiting for the device", g->stream);
  if (pinned) g->host_unregister((void *)(uintptr_t)host);
  return err;
}

pl_err pl_gpu_write(pl_device *device, void *buffer, size_t at, const void *host, size_t size)
{
  bool pinned = pin_memory(pl_gpu_current(device), host, size);
  return end_copy(device, pinned, false, host, pl_gpu_start_write(device, buffer, at, host, size));
}

pl_err pl_gpu_read(pl_device *device, void *host, void *buffer, size_t at, size_t size)
{
  bool pinned = pin_memory(pl_gpu_current(device), host, size);
  return end_copy(device, pinned, true, host, pl_gpu_start_read(device, host, buffer, at, size));
}

/* ---- between processes ---- */

/* Another process opens the whole allocation of the driver that holds a buffer: a shared buffer fills one. */
enum { DRIVER_BLOCK = 2 << 20 };

pl_err pl_gpu_shared_new(pl_device *device, size_t size, void **buffer, pl_handle *handle)
{
  PL_TRY(device->driver->alloc(device, (size + DRIVER_BLOCK - 1) / DRIVER_BLOCK * DRIVER_BLOCK, buffer));
  pl_err err = GPU_FLUSHED(memory_share, "sharing memory", handle, *buffer);
  if (!err) return PL_SUCCESS;
  device->driver->free(device, *buffer);
  *buffer = NULL;
  return err;
}

pl_err pl_gpu_shared_open(pl_device *device, const pl_handle *handle, void **buffer)
{
  pl_gpu *g = pl_gpu_current(device);
  return GPU_CALL(memory_open, "opening the memory of another rank", buffer, *handle, g->kind->peer_flag);
}

void pl_gpu_shared_close(pl_device *device, void *buffer, bool opened)
{
  if (buffer && opened)
    pl_gpu_current(device)->memory_close(buffer);
  else
    device->driver->free(device, buffer);
}

pl_err pl_gpu_shared_event_new(pl_device *device, void **event, pl_handle *handle)
{
  pl_gpu *g = pl_gpu_current(device);
  PL_TRY(GPU_CALL(event_new, "creating an event", event, PL_GPU_INTERPROCESS | PL_GPU_NO_TIMING));
  pl_err err = GPU_CALL(event_share, "sharing an event", handle, *event);
  if (!err) return PL_SUCCESS;
  g->event_free(*event);
  *event = NULL;
  return err;
}

pl_err pl_gpu_shared_event_open(pl_device *device, const pl_handle *handle, void **event)
{
  return GPU_FLUSHED(event_open, "opening the event of another rank", event, *handle);
}

void *pl_gpu_address(pl_device *device, void *buffer)
{
  return (void)device, buffer;
}

/* SPDX-License-Identifier: BSD-2-Clause
 * The CUDA driver: memory, asynchronous copies, and memory and events shared between processes. Invariant:
 * host memory that was registered for a copy is unregistered when the copy has ended.
 */
#include "cuda_driver.h"
#include "core/context/memory.h"
#include <string.h>

static CUdeviceptr pointer(void *buffer)
{
  return (CUdeviceptr)(uintptr_t)buffer;
}

pl_err pl_cuda_alloc(pl_device *device, size_t size, void **buffer)
{
  CUdeviceptr p = 0;
  PL_TRY(CUDA_FLUSHED(cuMemAlloc, "allocating memory", &p, size ? size : 1));
  *buffer = (void *)(uintptr_t)p;
  return PL_SUCCESS;
}

void pl_cuda_free(pl_device *device, void *buffer)
{
  if (buffer) pl_cuda_current(device)->p_cuMemFree(pointer(buffer));
}

pl_err pl_cuda_zero(pl_device *device, void *buffer, size_t size)
{
  if (!size || pl_replay_zero(device, buffer, size)) return PL_SUCCESS;
  cuda *c = pl_cuda_enter(device);
  return CUDA_CALL(cuMemsetD8Async, "zeroing memory", pointer(buffer), 0, size, c->stream);
}

pl_err pl_cuda_copy(pl_device *device, void *to, void *from, size_t size)
{
  if (!size || pl_replay_copy(device, to, from, size)) return PL_SUCCESS;
  cuda *c = pl_cuda_enter(device);
  return CUDA_CALL(cuMemcpyDtoDAsync, "copying on the device", pointer(to), pointer(from), size, c->stream);
}

/* ---- between host and device ---- */

pl_err pl_cuda_host_alloc(pl_device *device, size_t size, void **memory)
{
  return CUDA_FLUSHED(cuMemHostAlloc, "allocating pinned host memory", memory, size ? size : 1,
                      CU_MEMHOSTALLOC_PORTABLE);
}

void pl_cuda_host_free(pl_device *device, void *memory)
{
  if (memory) pl_cuda_current(device)->p_cuMemFreeHost(memory);
}

pl_err pl_cuda_start_read(pl_device *device, void *host, void *buffer, size_t at, size_t size)
{
  cuda *c = pl_cuda_current(device);
  if (!size) return PL_SUCCESS;
  return CUDA_CALL(cuMemcpyDtoHAsync, "copying from the device", host, pointer(buffer) + at, size, c->stream);
}

pl_err pl_cuda_start_write(pl_device *device, void *buffer, size_t at, const void *host, size_t size)
{
  cuda *c = pl_cuda_current(device);
  if (!size) return PL_SUCCESS;
  return CUDA_CALL(cuMemcpyHtoDAsync, "copying to the device", pointer(buffer) + at, host, size, c->stream);
}

/* Copies from and to pinned memory are several times as fast; pinning pays even for one large copy. */
enum { MIN_PINNED = 16 << 20 };

static bool pin_memory(cuda *c, const void *host, size_t size)
{
  return size >= MIN_PINNED && c->p_cuMemHostRegister((void *)(uintptr_t)host, size, 0) == CUDA_SUCCESS;
}

static pl_err end_copy(pl_device *device, bool pinned, bool wait, const void *host, pl_err err)
{
  cuda *c = device->dev;
  if (!err && (pinned || wait)) err = CUDA_CALL(cuStreamSynchronize, "waiting for the device", c->stream);
  if (pinned) c->p_cuMemHostUnregister((void *)(uintptr_t)host);
  return err;
}

pl_err pl_cuda_write(pl_device *device, void *buffer, size_t at, const void *host, size_t size)
{
  bool pinned = pin_memory(pl_cuda_current(device), host, size);
  return end_copy(device, pinned, false, host, pl_cuda_start_write(device, buffer, at, host, size));
}

pl_err pl_cuda_read(pl_device *device, void *host, void *buffer, size_t at, size_t size)
{
  bool pinned = pin_memory(pl_cuda_current(device), host, size);
  return end_copy(device, pinned, true, host, pl_cuda_start_read(device, host, buffer, at, size));
}

/* ---- between processes ---- */

/* Another process opens the whole allocation of the driver that holds a buffer: a shared buffer fills one. */
enum { DRIVER_BLOCK = 2 << 20 };

pl_err pl_cuda_shared_new(pl_device *device, size_t size, void **buffer, pl_handle *handle)
{
  CUipcMemHandle ipc;
  PL_TRY(device->driver->alloc(device, (size + DRIVER_BLOCK - 1) / DRIVER_BLOCK * DRIVER_BLOCK, buffer));
  pl_err err = CUDA_FLUSHED(cuIpcGetMemHandle, "sharing memory", &ipc, pointer(*buffer));
  if (err) {
    device->driver->free(device, *buffer);
    *buffer = NULL;
    return err;
  }
  memcpy(handle->bytes, &ipc, sizeof ipc);
  return PL_SUCCESS;
}

pl_err pl_cuda_shared_open(pl_device *device, const pl_handle *handle, void **buffer)
{
  CUipcMemHandle ipc;
  CUdeviceptr there = 0;
  memcpy(&ipc, handle->bytes, sizeof ipc);
  PL_TRY(CUDA_FLUSHED(cuIpcOpenMemHandle, "opening the memory of another rank", &there, ipc,
                      CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
  *buffer = (void *)(uintptr_t)there;
  return PL_SUCCESS;
}

void pl_cuda_shared_close(pl_device *device, void *buffer, bool opened)
{
  if (buffer && opened)
    pl_cuda_current(device)->p_cuIpcCloseMemHandle(pointer(buffer));
  else
    device->driver->free(device, buffer);
}

pl_err pl_cuda_shared_event_new(pl_device *device, void **event, pl_handle *handle)
{
  cuda *c = pl_cuda_current(device);
  CUevent created = NULL;
  CUipcEventHandle ipc;
  PL_TRY(
    CUDA_CALL(cuEventCreate, "creating an event", &created, CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING));
  pl_err err = CUDA_CALL(cuIpcGetEventHandle, "sharing an event", &ipc, created);
  if (err) {
    c->p_cuEventDestroy(created);
    return err;
  }
  memcpy(handle->bytes, &ipc, sizeof ipc);
  *event = created;
  return PL_SUCCESS;
}

pl_err pl_cuda_shared_event_open(pl_device *device, const pl_handle *handle, void **event)
{
  CUevent created = NULL;
  CUipcEventHandle ipc;
  memcpy(&ipc, handle->bytes, sizeof ipc);
  PL_TRY(CUDA_FLUSHED(cuIpcOpenEventHandle, "opening the event of another rank", &created, ipc));
  *event = created;
  return PL_SUCCESS;
}

void *pl_cuda_address(pl_device *device, void *buffer)
{
  return (void)device, buffer;
}

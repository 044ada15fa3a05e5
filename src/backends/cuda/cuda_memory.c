/* SPDX-License-Identifier: BSD-2-Clause
 * The CUDA driver: memory that travels without anybody waiting, and memory and events of other processes.
 */
#include "cuda_driver.h"
#include <string.h>

static CUdeviceptr pointer(void *buffer)
{
  return (CUdeviceptr)(uintptr_t)buffer;
}

pl_err pl_cuda_host_alloc(pl_device *device, size_t size, void **memory)
{
  return pl_cuda_check(
    device, pl_cuda_current(device)->p_cuMemHostAlloc(memory, size ? size : 1, CU_MEMHOSTALLOC_PORTABLE),
    "taking host memory that is not paged");
}

void pl_cuda_host_free(pl_device *device, void *memory)
{
  if (memory) pl_cuda_current(device)->p_cuMemFreeHost(memory);
}

pl_err pl_cuda_start_read(pl_device *device, void *host, void *buffer, size_t at, size_t size)
{
  cuda *c = pl_cuda_current(device);
  if (!size) return PL_SUCCESS;
  return pl_cuda_check(device, c->p_cuMemcpyDtoHAsync(host, pointer(buffer) + at, size, c->stream),
                       "copying from the device");
}

pl_err pl_cuda_start_write(pl_device *device, void *buffer, size_t at, const void *host, size_t size)
{
  cuda *c = pl_cuda_current(device);
  if (!size) return PL_SUCCESS;
  return pl_cuda_check(device, c->p_cuMemcpyHtoDAsync(pointer(buffer) + at, host, size, c->stream),
                       "copying to the device");
}

/* What a process opens is the whole block that the driver took from the system: shared buffers have one of
 * their own. */
enum { WHOLE_BLOCK = 2 << 20 };

pl_err pl_cuda_shared_new(pl_device *device, size_t size, void **buffer, pl_handle *handle)
{
  CUipcMemHandle given;
  PL_TRY(device->driver->alloc(device, (size + WHOLE_BLOCK - 1) / WHOLE_BLOCK * WHOLE_BLOCK, buffer));
  pl_err err = pl_cuda_check(device, pl_cuda_current(device)->p_cuIpcGetMemHandle(&given, pointer(*buffer)),
                             "sharing memory");
  if (err) {
    device->driver->free(device, *buffer);
    *buffer = NULL;
    return err;
  }
  memcpy(handle->bytes, &given, sizeof given);
  return PL_SUCCESS;
}

pl_err pl_cuda_shared_open(pl_device *device, const pl_handle *handle, void **buffer)
{
  CUipcMemHandle given;
  CUdeviceptr there = 0;
  memcpy(&given, handle->bytes, sizeof given);
  PL_TRY(pl_cuda_check(
    device, pl_cuda_current(device)->p_cuIpcOpenMemHandle(&there, given, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS),
    "opening a neighbour's memory"));
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

pl_err pl_cuda_signal_new(pl_device *device, void **event, pl_handle *handle)
{
  cuda *c = pl_cuda_current(device);
  CUevent made = NULL;
  CUipcEventHandle given;
  PL_TRY(pl_cuda_check(device, c->p_cuEventCreate(&made, CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING),
                       "making an event"));
  pl_err err = pl_cuda_check(device, c->p_cuIpcGetEventHandle(&given, made), "sharing an event");
  if (err) {
    c->p_cuEventDestroy(made);
    return err;
  }
  memcpy(handle->bytes, &given, sizeof given);
  *event = made;
  return PL_SUCCESS;
}

pl_err pl_cuda_signal_open(pl_device *device, const pl_handle *handle, void **event)
{
  CUevent made = NULL;
  CUipcEventHandle given;
  memcpy(&given, handle->bytes, sizeof given);
  PL_TRY(pl_cuda_check(device, pl_cuda_current(device)->p_cuIpcOpenEventHandle(&made, given),
                       "opening a neighbour's event"));
  *event = made;
  return PL_SUCCESS;
}

void *pl_cuda_address(pl_device *device, void *buffer)
{
  return (void)device, buffer;
}

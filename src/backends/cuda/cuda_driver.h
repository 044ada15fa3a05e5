/* SPDX-License-Identifier: BSD-2-Clause
 * The state of the CUDA driver, and its memory operations. Only this file includes CUDA's headers.
 */
#pragma once

#include <cuda.h>
#include <nvrtc.h>
#include "backends/device/graph_replay.h"

/* Fields are called p_NAME, as cuda.h defines some names as macros of versioned ones. */
typedef struct cuda {
  void *libcuda, *libnvrtc;
#define X(library, f) __typeof__(&f) p_##f;
#include "cuda_functions.def"
#undef X
  CUdevice device;
  CUcontext context;
  CUstream first, stream; /* `stream` is the one in use */
  char arch[32];          /* --gpu-architecture=sm_90 */
} cuda;

/* Turns an error of the driver into the context's, with what it was doing and a remedy. */
pl_err pl_cuda_check(pl_device *device, CUresult result, const char *doing);

/* Makes the CUDA context current on the calling thread. */
static inline cuda *pl_cuda_enter(pl_device *device)
{
  cuda *c = device->dev;
  c->p_cuCtxSetCurrent(c->context);
  return c;
}

/* The same, behind all calls that a replay has collected. */
static inline cuda *pl_cuda_current(pl_device *device)
{
  if (device->replay) pl_replay_flush(device);
  return pl_cuda_enter(device);
}

/* A call of the driver, checked, for functions with a pl_device *device: with their own `cuda *c`, or behind
 * all collected calls. */
#define CUDA_CALL(function, doing, ...) pl_cuda_check(device, c->p_##function(__VA_ARGS__), doing)
#define CUDA_FLUSHED(function, doing, ...)                                                                   \
  pl_cuda_check(device, pl_cuda_current(device)->p_##function(__VA_ARGS__), doing)

/* ---- cuda_memory.c: operations of pl_driver ---- */

pl_err pl_cuda_alloc(pl_device *device, size_t size, void **buffer);
void pl_cuda_free(pl_device *device, void *buffer);
pl_err pl_cuda_write(pl_device *device, void *buffer, size_t at, const void *host, size_t size);
pl_err pl_cuda_read(pl_device *device, void *host, void *buffer, size_t at, size_t size);
pl_err pl_cuda_zero(pl_device *device, void *buffer, size_t size);
pl_err pl_cuda_copy(pl_device *device, void *to, void *from, size_t size);
pl_err pl_cuda_host_alloc(pl_device *device, size_t size, void **memory);
void pl_cuda_host_free(pl_device *device, void *memory);
pl_err pl_cuda_start_read(pl_device *device, void *host, void *buffer, size_t at, size_t size);
pl_err pl_cuda_start_write(pl_device *device, void *buffer, size_t at, const void *host, size_t size);
pl_err pl_cuda_shared_new(pl_device *device, size_t size, void **buffer, pl_handle *handle);
pl_err pl_cuda_shared_open(pl_device *device, const pl_handle *handle, void **buffer);
void pl_cuda_shared_close(pl_device *device, void *buffer, bool opened);
pl_err pl_cuda_shared_event_new(pl_device *device, void **event, pl_handle *handle);
pl_err pl_cuda_shared_event_open(pl_device *device, const pl_handle *handle, void **event);
void *pl_cuda_address(pl_device *device, void *buffer);

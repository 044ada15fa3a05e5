/* SPDX-License-Identifier: BSD-2-Clause
 * What the files of the CUDA driver share; the only one that includes CUDA's headers.
 */
#ifndef PLAIT_BACKENDS_CUDA_DRIVER_H
#define PLAIT_BACKENDS_CUDA_DRIVER_H

#include "device.h"
#include <cuda.h>
#include <nvrtc.h>

/* Functions taken from the two libraries; cuda.h turns some names into versioned ones. */
#define CUDA_FUNCTIONS(X)                                                                                    \
  X(cuInit)                                                                                                  \
  X(cuDriverGetVersion)                                                                                      \
  X(cuGetErrorString)                                                                                        \
  X(cuDeviceGetCount)                                                                                        \
  X(cuDeviceGet)                                                                                             \
  X(cuDeviceGetName)                                                                                         \
  X(cuDeviceGetAttribute)                                                                                    \
  X(cuDevicePrimaryCtxRetain)                                                                                \
  X(cuDevicePrimaryCtxRelease)                                                                               \
  X(cuCtxSetCurrent)                                                                                         \
  X(cuStreamCreate)                                                                                          \
  X(cuStreamCreateWithPriority)                                                                              \
  X(cuCtxGetStreamPriorityRange)                                                                             \
  X(cuStreamDestroy)                                                                                         \
  X(cuStreamSynchronize)                                                                                     \
  X(cuStreamWaitEvent)                                                                                       \
  X(cuMemHostRegister)                                                                                       \
  X(cuMemHostUnregister)                                                                                     \
  X(cuCtxSynchronize)                                                                                        \
  X(cuEventCreate)                                                                                           \
  X(cuEventDestroy)                                                                                          \
  X(cuEventRecord)                                                                                           \
  X(cuEventSynchronize)                                                                                      \
  X(cuEventQuery)                                                                                            \
  X(cuEventElapsedTime)                                                                                      \
  X(cuMemAlloc)                                                                                              \
  X(cuMemFree)                                                                                               \
  X(cuMemcpyHtoDAsync)                                                                                       \
  X(cuMemcpyDtoHAsync)                                                                                       \
  X(cuMemcpyDtoDAsync)                                                                                       \
  X(cuMemsetD8Async)                                                                                         \
  X(cuMemHostAlloc)                                                                                          \
  X(cuMemFreeHost)                                                                                           \
  X(cuIpcGetMemHandle)                                                                                       \
  X(cuIpcOpenMemHandle)                                                                                      \
  X(cuIpcCloseMemHandle)                                                                                     \
  X(cuIpcGetEventHandle)                                                                                     \
  X(cuIpcOpenEventHandle)                                                                                    \
  X(cuModuleLoadDataEx)                                                                                      \
  X(cuModuleUnload)                                                                                          \
  X(cuModuleGetFunction)                                                                                     \
  X(cuFuncGetAttribute)                                                                                      \
  X(cuFuncSetAttribute)                                                                                      \
  X(cuLaunchKernel)                                                                                          \
  X(cuStreamBeginCapture)                                                                                    \
  X(cuStreamEndCapture)                                                                                      \
  X(cuGraphInstantiateWithFlags)                                                                             \
  X(cuGraphLaunch)                                                                                           \
  X(cuGraphDestroy)                                                                                          \
  X(cuGraphExecDestroy)

#define NVRTC_FUNCTIONS(X)                                                                                   \
  X(nvrtcVersion)                                                                                            \
  X(nvrtcGetErrorString)                                                                                     \
  X(nvrtcCreateProgram)                                                                                      \
  X(nvrtcCompileProgram)                                                                                     \
  X(nvrtcDestroyProgram)                                                                                     \
  X(nvrtcGetProgramLogSize)                                                                                  \
  X(nvrtcGetProgramLog)                                                                                      \
  X(nvrtcGetCUBINSize)                                                                                       \
  X(nvrtcGetCUBIN)

/* Fields are called p_NAME: the headers' own names may be macros. */
#define STRING_(f) #f
#define STRING(f) STRING_(f)

typedef struct cuda {
  void *libcuda, *libnvrtc;
#define X(f) __typeof__(&f) p_##f;
  CUDA_FUNCTIONS(X)
  NVRTC_FUNCTIONS(X)
#undef X
  CUdevice device;
  CUcontext context;
  CUstream first, stream; /* `stream` is the one in use */
  char arch[32];          /* --gpu-architecture=sm_90 */
} cuda;

/* An error of the driver's as one of the library's: what was being done, and what may help. */
pl_err pl_cuda_check(pl_device *device, CUresult result, const char *doing);

/* Calls of the driver need the context current on the calling thread. */
static inline cuda *pl_cuda_enter(pl_device *device)
{
  cuda *c = device->dev;
  c->p_cuCtxSetCurrent(c->context);
  return c;
}

/* The same for calls that come after all that was asked for before. */
static inline cuda *pl_cuda_current(pl_device *device)
{
  if (device->replay) pl_replay_settle(device);
  return pl_cuda_enter(device);
}

/* cuda_shared.c: memory between host and device without waiting, and between processes. */
pl_err pl_cuda_host_alloc(pl_device *device, size_t size, void **memory);
void pl_cuda_host_free(pl_device *device, void *memory);
pl_err pl_cuda_start_read(pl_device *device, void *host, void *buffer, size_t at, size_t size);
pl_err pl_cuda_start_write(pl_device *device, void *buffer, size_t at, const void *host, size_t size);
pl_err pl_cuda_shared_new(pl_device *device, size_t size, void **buffer, pl_handle *handle);
pl_err pl_cuda_shared_open(pl_device *device, const pl_handle *handle, void **buffer);
void pl_cuda_shared_close(pl_device *device, void *buffer, bool opened);
pl_err pl_cuda_signal_new(pl_device *device, void **event, pl_handle *handle);
pl_err pl_cuda_signal_open(pl_device *device, const pl_handle *handle, void **event);
void *pl_cuda_address(pl_device *device, void *buffer);

#endif

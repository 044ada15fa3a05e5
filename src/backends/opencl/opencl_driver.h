/* SPDX-License-Identifier: BSD-2-Clause
 * What the files of the OpenCL driver share; the only one that includes OpenCL's headers.
 */
#ifndef PLAIT_BACKENDS_OPENCL_DRIVER_H
#define PLAIT_BACKENDS_OPENCL_DRIVER_H

#define CL_TARGET_OPENCL_VERSION 120
#include "device.h"
#include <CL/cl.h>

#define FUNCTIONS(X)                                                                                         \
  X(clGetPlatformIDs)                                                                                        \
  X(clGetPlatformInfo)                                                                                       \
  X(clGetDeviceIDs)                                                                                          \
  X(clGetDeviceInfo)                                                                                         \
  X(clCreateContext)                                                                                         \
  X(clReleaseContext)                                                                                        \
  X(clCreateCommandQueue)                                                                                    \
  X(clReleaseCommandQueue)                                                                                   \
  X(clCreateBuffer)                                                                                          \
  X(clReleaseMemObject)                                                                                      \
  X(clEnqueueWriteBuffer)                                                                                    \
  X(clEnqueueReadBuffer)                                                                                     \
  X(clEnqueueCopyBuffer)                                                                                     \
  X(clEnqueueFillBuffer)                                                                                     \
  X(clCreateProgramWithSource)                                                                               \
  X(clCreateProgramWithBinary)                                                                               \
  X(clBuildProgram)                                                                                          \
  X(clGetProgramInfo)                                                                                        \
  X(clGetProgramBuildInfo)                                                                                   \
  X(clReleaseProgram)                                                                                        \
  X(clCreateKernel)                                                                                          \
  X(clReleaseKernel)                                                                                         \
  X(clGetKernelWorkGroupInfo)                                                                                \
  X(clSetKernelArg)                                                                                          \
  X(clEnqueueNDRangeKernel)                                                                                  \
  X(clEnqueueMarkerWithWaitList)                                                                             \
  X(clGetEventProfilingInfo)                                                                                 \
  X(clWaitForEvents)                                                                                         \
  X(clGetEventInfo)                                                                                          \
  X(clFlush)                                                                                                 \
  X(clReleaseEvent)                                                                                          \
  X(clFinish)

enum { MOST_PLATFORMS = 16, MOST_DEVICES = 32, MOST_QUEUES = 64 };

typedef struct opencl {
  void *library;
#define X(f) __typeof__(&f) p_##f;
  FUNCTIONS(X)
#undef X
  cl_platform_id platform;
  cl_device_id device;
  cl_context context;
  cl_command_queue queue; /* in use; queues[0] is the first */
  cl_command_queue queues[MOST_QUEUES];
  bool timed;                  /* queues keep times: from the first event on */
  cl_mem mark;                 /* a byte that events write */
  struct pl_opencl_lent *lent; /* buffers over memory that other processes map */
} opencl;

/* An error of OpenCL's as one of the library's. */
pl_err pl_opencl_check(pl_device *device, cl_int result, const char *doing);

/* opencl.c: memory. */
pl_err pl_opencl_alloc(pl_device *device, size_t size, void **buffer);

/* opencl_code.c: programs and kernels. */
pl_err pl_opencl_compile(pl_device *device, const char *label, const char *text, int registers,
                         pl_text *binary);
pl_err pl_opencl_load(pl_device *device, const pl_text *binary, int registers, void **module);
void pl_opencl_unload(pl_device *device, void *module);
pl_err pl_opencl_kernel(pl_device *device, void *module, const char *name, void **result);
void pl_opencl_kernel_free(pl_device *device, void *kernel);
pl_err pl_opencl_limit(pl_device *device, void *kernel, int *block);
size_t pl_opencl_private_bytes(pl_device *device, void *kernel);
pl_err pl_opencl_launch(pl_device *device, void *kernel, int blocks, int block_size, size_t shared, int nargs,
                        const pl_launch_arg *args);

/* opencl_queue.c: queues and events. */
pl_err pl_opencl_sync(pl_device *device);
pl_err pl_opencl_queue_new(pl_device *device, bool urgent, void **queue);
void pl_opencl_queue_free(pl_device *device, void *queue);
void pl_opencl_queue_use(pl_device *device, void *queue);
pl_err pl_opencl_queue_wait(pl_device *device, void *event);
pl_err pl_opencl_event_new(pl_device *device, bool timed, void **event);
void pl_opencl_event_free(pl_device *device, void *event);
pl_err pl_opencl_event_record(pl_device *device, void *event);
pl_err pl_opencl_event_wait(pl_device *device, void *event);
pl_err pl_opencl_event_done(pl_device *device, void *event, bool *done);
pl_err pl_opencl_event_seconds(pl_device *device, void *from, void *to, double *seconds);

/* opencl_shared.c: memory between host and device without waiting, and between processes. */
pl_err pl_opencl_start_read(pl_device *device, void *host, void *buffer, size_t at, size_t size);
pl_err pl_opencl_start_write(pl_device *device, void *buffer, size_t at, const void *host, size_t size);
pl_err pl_opencl_shared_new(pl_device *device, size_t size, void **buffer, pl_handle *handle);
pl_err pl_opencl_shared_open(pl_device *device, const pl_handle *handle, void **buffer);
void pl_opencl_shared_close(pl_device *device, void *buffer, bool opened);
void *pl_opencl_address(pl_device *device, void *buffer);

#endif

/* SPDX-License-Identifier: BSD-2-Clause
 * The state of the OpenCL driver, and its operations. Only this file includes OpenCL's headers.
 */
#pragma once

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include "backends/device/driver.h"

enum { MAX_PLATFORMS = 16, MAX_DEVICES = 32, MAX_QUEUES = 64 };

typedef struct pl_opencl_shared pl_opencl_shared;

typedef struct opencl {
  void *library;
#define X(f) __typeof__(&f) p_##f;
#include "opencl_functions.def"
#undef X
  cl_platform_id platform;
  cl_device_id device;
  cl_context context;
  cl_command_queue queue; /* in use; queues[0] is the first */
  cl_command_queue queues[MAX_QUEUES];
  bool timed;               /* queues record times: since the first timed event */
  cl_mem mark;              /* a byte that timed events write */
  pl_opencl_shared *shared; /* buffers over memory that other processes map */
} opencl;

/* Turns an error of OpenCL into the context's. */
pl_err pl_opencl_check(pl_device *device, cl_int result, const char *doing);

/* A call of OpenCL, checked, for functions with a pl_device *device and its opencl *c. */
#define OPENCL_CALL(function, doing, ...) pl_opencl_check(device, c->p_##function(__VA_ARGS__), doing)

/* ---- opencl_module.c ---- */

pl_err pl_opencl_compile(pl_device *device, const char *label, const char *text, int registers,
                         pl_string *binary);
pl_err pl_opencl_load(pl_device *device, const pl_string *binary, int registers, void **module);
void pl_opencl_unload(pl_device *device, void *module);
pl_err pl_opencl_kernel(pl_device *device, void *module, const char *name, void **result);
void pl_opencl_kernel_free(pl_device *device, void *kernel);
pl_err pl_opencl_limit(pl_device *device, void *kernel, int *block);
size_t pl_opencl_private_bytes(pl_device *device, void *kernel);
pl_err pl_opencl_launch(pl_device *device, void *kernel, int blocks, int block_size, size_t shared, int nargs,
                        const pl_launch_arg *args);

/* ---- opencl_queue.c ---- */

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

/* ---- opencl_memory.c ---- */

pl_err pl_opencl_alloc(pl_device *device, size_t size, void **buffer);
void pl_opencl_free(pl_device *device, void *buffer);
pl_err pl_opencl_write(pl_device *device, void *buffer, size_t at, const void *host, size_t size);
pl_err pl_opencl_read(pl_device *device, void *host, void *buffer, size_t at, size_t size);
pl_err pl_opencl_zero(pl_device *device, void *buffer, size_t size);
pl_err pl_opencl_copy(pl_device *device, void *to, void *from, size_t size);
pl_err pl_opencl_start_read(pl_device *device, void *host, void *buffer, size_t at, size_t size);
pl_err pl_opencl_start_write(pl_device *device, void *buffer, size_t at, const void *host, size_t size);
pl_err pl_opencl_shared_new(pl_device *device, size_t size, void **buffer, pl_handle *handle);
pl_err pl_opencl_shared_open(pl_device *device, const pl_handle *handle, void **buffer);
void pl_opencl_shared_close(pl_device *device, void *buffer, bool opened);
void *pl_opencl_address(pl_device *device, void *buffer);

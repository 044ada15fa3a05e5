/* SPDX-License-Identifier: BSD-2-Clause
 * The state of the OpenCL driver, and its operations. Only this file includes OpenCL's headers.
 */
#pragma once

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include "backends/device/driver.h"

enum { MAX_PLATFORMS = 16, MAX_DEVICES = 32, MAX_QUEUES = 64 };

typedef struct pl_opencl_shared pl_opencl_shared;
typedef struct pl_opencl_pinned pl_opencl_pinned;

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
  bool keeps_code;          /* the implementation has a cache of its own */
  bool long_header;         /* it reads clang's opencl-c.h for each text */
  bool timed;               /* queues record times: since the first timed event */
  cl_mem mark;              /* a byte that timed events write */
  pl_opencl_shared *shared; /* buffers over memory that other processes map */
  pl_opencl_pinned *pinned; /* page-locked host memory */
} opencl;

/* Turns an error of OpenCL into the context's. */
pl_err pl_opencl_check(pl_device *device, cl_int result, const char *doing);

/* A call of OpenCL, checked, for functions with a pl_device *device and its opencl *c. */
#define OPENCL_CALL(function, doing, ...) pl_opencl_check(device, c->p_##function(__VA_ARGS__), doing)

/* ---- operations of pl_driver: opencl_module.c, opencl_queue.c, opencl_memory.c ---- */

/* clang-format off */
#define OPENCL_OPERATIONS(X)                                                                                 \
  X(sync) X(build_new) X(build_run) X(build_end) X(build_free) X(load) X(unload) X(kernel) X(kernel_free)     \
  X(limit) X(private_bytes) X(launch)                                                                        \
  X(alloc) X(free) X(write) X(read) X(zero) X(copy) X(start_read) X(start_write) X(host_alloc) X(host_free) \
  X(queue_new) X(queue_free) X(queue_use) X(queue_wait)                                                      \
  X(event_new) X(event_free) X(event_record) X(event_wait) X(event_done) X(event_seconds)                    \
  X(shared_new) X(shared_open) X(shared_close) X(address) X(native)
/* clang-format on */
#define OPENCL_DECLARE(operation) PL_DRIVER_DECLARE(pl_opencl_, operation)
#define OPENCL_FILL(operation) PL_DRIVER_FILL(pl_opencl_, operation)
OPENCL_OPERATIONS(OPENCL_DECLARE)

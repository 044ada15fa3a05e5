/* SPDX-License-Identifier: BSD-2-Clause
 * The driver of devices whose runtime has streams, as CUDA has and runtimes modelled on it: all of pl_driver
 * except for the names of the functions, the device's properties and the sentences. Invariant: the runtime
 * and its compiler are opened at run time, so the library also runs on machines without them.
 */
#pragma once

#include "backends/device/graph_replay.h"
#include <pthread.h>

/* Values that these runtimes share; each driver asserts that its headers agree. */
enum {
  PL_GPU_NON_BLOCKING = 1,
  PL_GPU_NO_TIMING = 2,
  PL_GPU_INTERPROCESS = 4,
  PL_GPU_PORTABLE = 1,
  PL_GPU_CAPTURE_THREAD = 1,
  PL_GPU_KERNEL_MAX_BLOCK = 0,
  PL_GPU_KERNEL_SHARED = 1,
  PL_GPU_KERNEL_PRIVATE = 3,
  PL_GPU_KERNEL_MAX_SHARED = 8
};

#define PL_GPU_SAME(value, theirs) _Static_assert((int)(value) == (int)(theirs), #theirs)

typedef struct pl_gpu pl_gpu;

/* A function of gpu_functions.def in the runtime or in the compiler. */
typedef struct pl_gpu_function {
  size_t place; /* in pl_gpu */
  bool compiler;
  const char *name;
} pl_gpu_function;
#define PL_GPU_NAME(f) #f
#define PL_GPU_FUNCTION(library, place, f) {offsetof(pl_gpu, place), library, PL_GPU_NAME(f)},

/* The end of the sentence of an error. */
typedef struct pl_gpu_remedy {
  int result;
  const char *text;
} pl_gpu_remedy;

typedef struct pl_gpu_kind {
  const char *name, *compiler;     /* for messages */
  const char *const *libraries[2]; /* of the runtime and the compiler: names, the first found counts */
  const char *no_runtime, *no_device, *no_compiler; /* sentences */
  const pl_gpu_function *functions;                 /* ended by a row without a name */
  int out_of_memory, not_ready;                     /* results */
  int dlpack;                                       /* DLPack's number of this kind */
  int max_block, max_shared, units, pci[3];         /* attributes of devices; pci: domain, bus, slot */
  unsigned peer_flag;                               /* of memory_open */
  size_t free_shared;                               /* bytes of shared memory allowed without a request */
  const char *quiet;                                /* flag: no warnings, nor errors for valid C */
  const char *unqualified;                          /* flag: functions without qualifier are the device's */
  const char *contract, *no_contract;               /* flags: with and without fused multiply-add */
  const pl_gpu_remedy *remedies;                    /* of errors, ended by a row without a text */
  /* A launch that may start while the kernel before it ends, by gpu->early_function; NULL: none. */
  int (*launch_early)(const pl_gpu *gpu, void *function, pl_grid grid, void **values);
  pl_err (*describe)(pl_device *device, pl_gpu *gpu); /* version, identity, arch, abilities */
} pl_gpu_kind;

struct pl_gpu {
  const pl_gpu_kind *kind;
  void *library[2]; /* the runtime, the compiler */
#define X(place, parameters) int(*place) parameters;
#include "gpu_functions.def"
#undef X
  const char *(*error_text)(int result); /* instead of error_string */
  int device;
  int waits_together; /* launch_together works; set by describe */
  pthread_t starter;  /* while `starting`, it alone makes the context and the first stream */
  bool starting;
  int start_result;        /* of the start; an error is that of all later calls, */
  const char *start_doing; /* in what the start did last */
  void *context;
  void *first, *stream; /* `stream` is the one in use */
  void *captured;       /* in which a graph begins and ends */
  char arch[300];       /* flag: the code's target */
  void *early_function; /* of the runtime, for kind->launch_early; NULL: no kernel starts early */
  int blocks_before;    /* of the kernel that went into `stream` last; 0: other work, or none, did */
};

/* ---- gpu_runtime.c ---- */

const char *pl_gpu_unavailable(const pl_gpu_kind *kind);
pl_err pl_gpu_open(pl_device *device, const pl_gpu_kind *kind);
pl_err pl_gpu_device_at(pl_context *pl, const pl_gpu_kind *kind, int index, pl_device_info *info);

/* Turns an error of the runtime into the context's, with the operation and a remedy. */
pl_err pl_gpu_check(pl_device *device, int result, const char *doing);

/* Waits until the device has started, which pl_gpu_open has begun. */
void pl_gpu_join(pl_device *device);

static inline void pl_gpu_use(pl_gpu *g)
{
  if (g->context_use)
    g->context_use(g->context);
  else
    g->device_use(g->device);
}

/* Makes the device current on the calling thread. Everything that is put into a stream comes through here,
 * and so does the first use of the device. */
static inline pl_gpu *pl_gpu_enter(pl_device *device)
{
  pl_gpu *g = device->dev;
  if (__builtin_expect(g->starting, 0)) pl_gpu_join(device);
  g->blocks_before = 0;
  pl_gpu_use(g);
  return g;
}

/* The same, behind all calls that a replay has collected. */
static inline pl_gpu *pl_gpu_current(pl_device *device)
{
  if (device->replay) pl_replay_flush(device);
  return pl_gpu_enter(device);
}

/* A call of the runtime, checked, for functions with a pl_device *device: with their own `pl_gpu *g`, or
 * behind all collected calls. */
#define GPU_CALL(function, doing, ...) pl_gpu_check(device, g->function(__VA_ARGS__), doing)
#define GPU_FLUSHED(function, doing, ...)                                                                    \
  pl_gpu_check(device, pl_gpu_current(device)->function(__VA_ARGS__), doing)

/* ---- operations of pl_driver: gpu_module.c, gpu_queue.c, gpu_memory.c ---- */

/* clang-format off */
#define PL_GPU_OPERATIONS(X)                                                                                 \
  X(close) X(sync) X(build_new) X(build_run) X(build_end) X(build_free) X(load) X(unload) X(kernel) X(limit) \
  X(private_bytes) X(launch) X(together) X(launch_together)                                                  \
  X(alloc) X(free) X(write) X(read) X(zero) X(copy) X(host_alloc) X(host_free) X(start_read) X(start_write)  \
  X(queue_new) X(queue_free) X(queue_use) X(queue_wait)                                                      \
  X(event_new) X(event_free) X(event_record) X(event_wait) X(event_done) X(event_seconds)                    \
  X(shared_new) X(shared_open) X(shared_close) X(shared_event_new) X(shared_event_open) X(address) X(native) \
  X(graph_begin) X(graph_end) X(graph_run) X(graph_free)
/* clang-format on */
#define PL_GPU_DECLARE(operation) PL_DRIVER_DECLARE(pl_gpu_, operation)
#define PL_GPU_FILL(operation) PL_DRIVER_FILL(pl_gpu_, operation)
PL_GPU_OPERATIONS(PL_GPU_DECLARE)

/* The backend of a file with its `kind`. */
#define PL_GPU_BACKEND(id)                                                                                   \
  static const char *unavailable(pl_context *pl)                                                             \
  {                                                                                                          \
    return (void)pl, pl_gpu_unavailable(&kind);                                                              \
  }                                                                                                          \
  static pl_err open_device(pl_device *device)                                                               \
  {                                                                                                          \
    return pl_gpu_open(device, &kind);                                                                       \
  }                                                                                                          \
  static pl_err device_at(pl_context *pl, int index, pl_device_info *info)                                   \
  {                                                                                                          \
    return pl_gpu_device_at(pl, &kind, index, info);                                                         \
  }                                                                                                          \
  static pl_err open_backend(pl_context *pl, void **state)                                                   \
  {                                                                                                          \
    static const pl_driver driver = {.name = #id,                                                            \
                                     .open = open_device,                                                    \
                                     .has_priorities = true,                                                 \
                                     .zero_copy = true,                                                      \
                                     PL_GPU_OPERATIONS(PL_GPU_FILL)};                                        \
    return pl_device_open(pl, &driver, state);                                                               \
  }                                                                                                          \
  const pl_backend pl_backend_##id = {.name = #id,                                                           \
                                      .unavailable = unavailable,                                            \
                                      .open = open_backend,                                                  \
                                      .device_at = device_at,                                                \
                                      PL_DEVICE_BACKEND};

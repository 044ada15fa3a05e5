/* SPDX-License-Identifier: BSD-2-Clause
 * The driver of devices whose runtime has streams, as CUDA has and runtimes modelled on it: all of pl_driver
 * except for the names of the functions, the device's properties and the sentences. Invariant: the runtime
 * and its compiler are opened at run time, so the library also runs on machines without them.
 */
#pragma once

#include "backends/device/graph_replay.h"

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

typedef struct pl_gpu_kind {
  const char *name, *compiler;     /* for messages */
  const char *const *libraries[2]; /* of the runtime and the compiler: names, the first found counts */
  const char *no_runtime, *no_device, *no_compiler;   /* sentences */
  const pl_gpu_function *functions;                   /* ended by a row without a name */
  int out_of_memory, not_ready;                       /* results */
  int max_block, max_shared, units, pci[3];           /* attributes of devices; pci: domain, bus, slot */
  unsigned peer_flag;                                 /* of memory_open */
  size_t free_shared;                                 /* bytes of shared memory allowed without a request */
  const char *quiet;                                  /* flag: no warnings, nor errors for what C allows */
  const char *contract, *no_contract;                 /* flags: with and without fused multiply-add */
  const char *(*remedy)(int result);                  /* the end of the sentence of an error; "" */
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
  void *context;
  void *first, *stream; /* `stream` is the one in use */
  char arch[300];       /* flag: the code's target */
};

/* ---- gpu_runtime.c ---- */

const char *pl_gpu_unavailable(const pl_gpu_kind *kind);
pl_err pl_gpu_open(pl_device *device, const pl_gpu_kind *kind);
void pl_gpu_close(pl_device *device);
pl_err pl_gpu_device_at(pl_context *pl, const pl_gpu_kind *kind, int index, pl_device_info *info);

/* Turns an error of the runtime into the context's, with what it was doing and a remedy. */
pl_err pl_gpu_check(pl_device *device, int result, const char *doing);

/* Makes the device current on the calling thread. */
static inline pl_gpu *pl_gpu_enter(pl_device *device)
{
  pl_gpu *g = device->dev;
  if (g->context_use)
    g->context_use(g->context);
  else
    g->device_use(g->device);
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

pl_err pl_gpu_compile(pl_device *device, const char *label, const char *text, int registers,
                      pl_string *binary);
pl_err pl_gpu_load(pl_device *device, const pl_string *binary, int registers, void **module);
void pl_gpu_unload(pl_device *device, void *module);
pl_err pl_gpu_kernel(pl_device *device, void *module, const char *name, void **kernel);
pl_err pl_gpu_limit(pl_device *device, void *kernel, int *block);
size_t pl_gpu_private_bytes(pl_device *device, void *kernel);
pl_err pl_gpu_launch(pl_device *device, void *kernel, int blocks, int block_size, size_t shared, int nargs,
                     const pl_launch_arg *args);
pl_err pl_gpu_sync(pl_device *device);

pl_err pl_gpu_queue_new(pl_device *device, bool urgent, void **queue);
void pl_gpu_queue_free(pl_device *device, void *queue);
void pl_gpu_queue_use(pl_device *device, void *queue);
pl_err pl_gpu_queue_wait(pl_device *device, void *event);
pl_err pl_gpu_event_new(pl_device *device, bool timed, void **event);
void pl_gpu_event_free(pl_device *device, void *event);
pl_err pl_gpu_event_record(pl_device *device, void *event);
pl_err pl_gpu_event_wait(pl_device *device, void *event);
pl_err pl_gpu_event_done(pl_device *device, void *event, bool *done);
pl_err pl_gpu_event_seconds(pl_device *device, void *from, void *to, double *seconds);
pl_err pl_gpu_graph_begin(pl_device *device);
pl_err pl_gpu_graph_end(pl_device *device, void **graph);
pl_err pl_gpu_graph_run(pl_device *device, void *graph);
void pl_gpu_graph_free(pl_device *device, void *graph);

pl_err pl_gpu_alloc(pl_device *device, size_t size, void **buffer);
void pl_gpu_free(pl_device *device, void *buffer);
pl_err pl_gpu_write(pl_device *device, void *buffer, size_t at, const void *host, size_t size);
pl_err pl_gpu_read(pl_device *device, void *host, void *buffer, size_t at, size_t size);
pl_err pl_gpu_zero(pl_device *device, void *buffer, size_t size);
pl_err pl_gpu_copy(pl_device *device, void *to, void *from, size_t size);
pl_err pl_gpu_host_alloc(pl_device *device, size_t size, void **memory);
void pl_gpu_host_free(pl_device *device, void *memory);
pl_err pl_gpu_start_read(pl_device *device, void *host, void *buffer, size_t at, size_t size);
pl_err pl_gpu_start_write(pl_device *device, void *buffer, size_t at, const void *host, size_t size);
pl_err pl_gpu_shared_new(pl_device *device, size_t size, void **buffer, pl_handle *handle);
pl_err pl_gpu_shared_open(pl_device *device, const pl_handle *handle, void **buffer);
void pl_gpu_shared_close(pl_device *device, void *buffer, bool opened);
pl_err pl_gpu_shared_event_new(pl_device *device, void **event, pl_handle *handle);
pl_err pl_gpu_shared_event_open(pl_device *device, const pl_handle *handle, void **event);
void *pl_gpu_address(pl_device *device, void *buffer);

/* A driver's own are name and open. */
#define PL_GPU_DRIVER                                                                                        \
  .close = pl_gpu_close, .alloc = pl_gpu_alloc, .free = pl_gpu_free, .write = pl_gpu_write,                  \
  .read = pl_gpu_read, .zero = pl_gpu_zero, .copy = pl_gpu_copy, .compile = pl_gpu_compile,                  \
  .load = pl_gpu_load, .unload = pl_gpu_unload, .kernel = pl_gpu_kernel, .limit = pl_gpu_limit,              \
  .private_bytes = pl_gpu_private_bytes, .launch = pl_gpu_launch, .sync = pl_gpu_sync,                       \
  .queue_new = pl_gpu_queue_new, .queue_free = pl_gpu_queue_free, .queue_use = pl_gpu_queue_use,             \
  .queue_wait = pl_gpu_queue_wait, .event_new = pl_gpu_event_new, .event_free = pl_gpu_event_free,           \
  .event_record = pl_gpu_event_record, .event_wait = pl_gpu_event_wait, .event_done = pl_gpu_event_done,     \
  .event_seconds = pl_gpu_event_seconds, .host_alloc = pl_gpu_host_alloc, .host_free = pl_gpu_host_free,     \
  .zero_copy = true, .start_read = pl_gpu_start_read, .start_write = pl_gpu_start_write,                     \
  .shared_new = pl_gpu_shared_new, .shared_open = pl_gpu_shared_open, .shared_close = pl_gpu_shared_close,   \
  .shared_event_new = pl_gpu_shared_event_new, .shared_event_open = pl_gpu_shared_event_open,                \
  .address = pl_gpu_address, .graph_begin = pl_gpu_graph_begin, .graph_end = pl_gpu_graph_end,               \
  .graph_run = pl_gpu_graph_run, .graph_free = pl_gpu_graph_free

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
    static const pl_driver driver = {.name = #id, .open = open_device, PL_GPU_DRIVER};                       \
    return pl_device_open(pl, &driver, state);                                                               \
  }                                                                                                          \
  const pl_backend pl_backend_##id = {.name = #id,                                                           \
                                      .unavailable = unavailable,                                            \
                                      .open = open_backend,                                                  \
                                      .device_at = device_at,                                                \
                                      PL_DEVICE_BACKEND};

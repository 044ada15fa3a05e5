/* SPDX-License-Identifier: BSD-2-Clause
 * The driver of a device: the differences of runtimes (memory, compilation, launches, queues), and
 * the state of a device backend. All other device code is written once, over this contract. Invariant: work
 * in one queue is done in the order of its calls; only read, sync and event_wait wait for the device.
 */
#pragma once

#include <stdbool.h>
#include "codegen/jit/disk_cache.h"
#include "codegen/target/dialect.h"
#include "core/context/backend.h"
#include "core/exchange/halo.h"

struct pl_device_code;
struct pl_device_exchange;
struct pl_rank_sums;
struct pl_scan_program;
struct pl_cg_program;
struct pl_host;

typedef struct pl_device pl_device;
typedef struct pl_module pl_module;
typedef struct pl_build pl_build;
typedef struct pl_replay pl_replay;

/* A kernel argument: `size` bytes at `value`; for a buffer, the address of its handle. */
typedef struct pl_launch_arg {
  size_t size;
  const void *value;
} pl_launch_arg;
#define PL_LAUNCH_ARG(variable)                                                                              \
  {                                                                                                          \
    sizeof(variable), &(variable)                                                                            \
  }

/* The blocks of a launch. No padding, as calls are compared as bytes (graph_replay.c). */
typedef struct pl_grid {
  int blocks, block_size;
  int shared; /* bytes of local memory in addition to those that the kernel declares */
  int waits;  /* 1: the kernel begins with the dialect's statement `wait`, so it may start early */
} pl_grid;

static inline pl_grid pl_grid_of(int blocks, int block_size)
{
  return (pl_grid){.blocks = blocks, .block_size = block_size};
}

/* A work item for each of `items`. */
static inline pl_grid pl_grid_for(int64_t items, int block_size)
{
  return pl_grid_of((int)((items + block_size - 1) / block_size), block_size);
}

/* Kinds of memory that processes of one machine share. */
enum { PL_SHARES_NOTHING = 0, PL_SHARES_DEVICE, PL_SHARES_HOST };

/* A name by which another process opens a buffer or an event. */
typedef struct pl_handle {
  char bytes[64];
} pl_handle;

/* Every function returns after setting the context's error, or succeeds. */
typedef struct pl_driver {
  const char *name;                  /* also the dialect's */
  pl_err (*open)(pl_device *device); /* chooses the device, fills in dev and the properties below */
  void (*close)(pl_device *device);
  pl_err (*alloc)(pl_device *device, size_t size, void **buffer);
  void (*free)(pl_device *device, void *buffer);
  /* Between host memory, which may be reused at once, and a buffer from byte `at` on; read waits. */
  pl_err (*write)(pl_device *device, void *buffer, size_t at, const void *host, size_t size);
  pl_err (*read)(pl_device *device, void *host, void *buffer, size_t at, size_t size);
  pl_err (*zero)(pl_device *device, void *buffer, size_t size);
  pl_err (*copy)(pl_device *device, void *to, void *from, size_t size);
  /* Compilation: build_new makes a program of a text; build_run compiles it; build_end gives its binary, or
   * the error, from the result of build_run. build_run uses no context: any thread may call it, and several
   * threads at the same time unless builds_one_by_one. `registers`: at most so many a work item, if
   * limits_registers; 0: no limit. */
  pl_err (*build_new)(pl_device *device, const char *label, const char *text, int registers, void **program);
  int (*build_run)(pl_device *device, void *program);
  pl_err (*build_end)(pl_device *device, const char *label, const char *text, void *program, int result,
                      pl_string *binary);
  void (*build_free)(pl_device *device, void *program);
  /* The binary that build_end gave for this text, in this process or another. */
  pl_err (*load)(pl_device *device, const char *label, const char *text, int registers,
                 const pl_string *binary, void **module);
  void (*unload)(pl_device *device, void *module);
  pl_err (*kernel)(pl_device *device, void *module, const char *name, void **kernel);
  void (*kernel_free)(pl_device *device, void *kernel);         /* NULL: nothing to free */
  pl_err (*limit)(pl_device *device, void *kernel, int *block); /* work items that a block may have */
  size_t (*private_bytes)(pl_device *device, void *kernel);     /* of a work item, spilled from registers */
  pl_err (*launch)(pl_device *device, void *kernel, pl_grid grid, int nargs, const pl_launch_arg *args);
  /* Optional: blocks that may wait for each other. `most`: so many run at the same time, at least one; they
   * are launched together or not at all. */
  pl_err (*together)(pl_device *device, void *kernel, int block_size, int *most);
  pl_err (*launch_together)(pl_device *device, void *kernel, pl_grid grid, int nargs,
                            const pl_launch_arg *args);
  pl_err (*sync)(pl_device *device); /* all queues */

  /* Work goes to the queue in use; NULL is the first one. urgent: scheduled before others, if possible;
   * timed: event_seconds works. */
  pl_err (*queue_new)(pl_device *device, bool urgent, void **queue);
  void (*queue_free)(pl_device *device, void *queue);
  void (*queue_use)(pl_device *device, void *queue);
  pl_err (*queue_wait)(pl_device *device, void *event);
  pl_err (*event_new)(pl_device *device, bool timed, void **event);
  void (*event_free)(pl_device *device, void *event);
  pl_err (*event_record)(pl_device *device, void *event);
  pl_err (*event_wait)(pl_device *device, void *event); /* on the host */
  pl_err (*event_done)(pl_device *device, void *event, bool *done);
  pl_err (*event_seconds)(pl_device *device, void *from, void *to, double *seconds);

  /* Asynchronous, between memory of host_alloc and a buffer. host_alloc and host_free (NULL is fine) are
   * optional: without them any memory will do. */
  pl_err (*start_write)(pl_device *device, void *buffer, size_t at, const void *host, size_t size);
  pl_err (*start_read)(pl_device *device, void *host, void *buffer, size_t at, size_t size);
  pl_err (*host_alloc)(pl_device *device, size_t size, void **memory);
  void (*host_free)(pl_device *device, void *memory);
  bool has_priorities; /* work of an urgent queue goes before waiting work of others */
  bool zero_copy;      /* kernels write to memory of host_alloc, and the host reads it while they run */

  /* If shared_memory_kind is not 0: a buffer that other processes of this machine open by its handle and
   * close before its owner does; optionally, an event that they wait for, used and freed as others. */
  pl_err (*shared_new)(pl_device *device, size_t size, void **buffer, pl_handle *handle);
  pl_err (*shared_open)(pl_device *device, const pl_handle *handle, void **buffer);
  void (*shared_close)(pl_device *device, void *buffer, bool opened); /* NULL is fine */
  pl_err (*shared_event_new)(pl_device *device, void **event, pl_handle *handle);
  pl_err (*shared_event_open)(pl_device *device, const pl_handle *handle, void **event);
  void *(*address)(pl_device *device, void *buffer); /* of a shared_new buffer, for MPI */
  pl_native_device (*native)(pl_device *device);     /* after all collected calls */

  /* Optional, all or none: launches, zeros and copies between begin and end are recorded as one graph. */
  pl_err (*graph_begin)(pl_device *device);
  pl_err (*graph_end)(pl_device *device, void **graph);
  pl_err (*graph_run)(pl_device *device, void *graph);
  void (*graph_free)(pl_device *device, void *graph);
} pl_driver;

/* A driver lists its operations once, as a macro over X(operation): PL_DRIVER_DECLARE declares the functions
 * PREFIX_operation, with the types above, and PL_DRIVER_FILL puts them into the driver's table. */
#define PL_DRIVER_DECLARE(prefix, operation) __typeof__(*((pl_driver *)NULL)->operation) prefix##operation;
#define PL_DRIVER_FILL(prefix, operation) .operation = prefix##operation,

struct pl_device {
  pl_context *pl;
  const pl_driver *driver;
  const pl_dialect *dialect;
  const pl_dialect *lane_dialect; /* of scans, sorts and lists, which use values of other lanes */
  void *dev;                      /* the driver's own state */
  char name[128];
  char number[32];    /* as option device takes it */
  char version[256];  /* for people */
  char identity[512]; /* device, driver and compiler: a binary depends on them */
  int max_block;
  size_t max_shared;  /* bytes of local memory of a block */
  size_t max_private; /* bytes of all private memory of a block, if that is one stack; 0: no limit */
  int units;          /* that run blocks at the same time */
  bool limits_registers, has_double, has_atomics_64, takes_ptx;
  bool builds_one_by_one;              /* the driver compiles one text at a time */
  int shared_memory_kind;              /* PL_SHARES_... */
  int machine_index;                   /* the device's number on this machine, the same in all processes */
  bool mpi_direct;                     /* MPI takes the results of `address` */
  struct pl_device_exchange *exchange; /* NULL before the first exchange */
  struct pl_rank_sums *sums;           /* NULL before the first sum over ranks by devices */
  struct pl_cg_program *cg;            /* NULL before the first iterations by cg_steps */
  uint64_t exchanges;                  /* ended so far in their queue; later loops wait for their unpacking */
  /* The boundary of deferred_loop is launched when the exchange under way has ended. */
  struct pl_device_code *deferred_loop;
  pl_err (*run_boundary)(pl_device *device, struct pl_device_code *code);
  /* While pl->sums_on_devices: a barrier, for the queue in use, with the ranks of a mask
   * (device_algorithms/rank_sums.h). */
  pl_err (*barrier)(pl_device *device, int ranks);
  pl_cache *cache;
  struct pl_host *host; /* with PLAIT_CHECK: runs reference loops */
  pl_module *modules;
  pl_build *builds; /* in the background */
  void *staging;    /* a buffer for conversions between layouts, grown as needed */
  size_t staging_size;
  pl_list_copy moves[2];         /* from and to where elements are moved (pl_device_dats_fill) */
  void *move_kernel[9];          /* by the size of values; NULL: not compiled yet */
  void *sort_kernel[2][9][3];    /* by reports, by the size of keys: count, bases, scatter; NULL as above */
  int queues;                    /* in addition to the first */
  struct pl_scan_program *scans; /* prepared reductions and scans */
  bool backwards;                /* the last large launch went through its blocks backwards */
  pl_replay *replay;             /* collects calls now; NULL: calls go to the device at once */
  pl_err replay_failed;          /* the error of an early pl_replay_flush */
  void *sort_buffer[5];          /* of the last sort, kept for the next one */
  size_t sort_size[5];
};

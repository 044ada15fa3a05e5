/* SPDX-License-Identifier: BSD-2-Clause
 * Device programs (docs/programs.md), queues and events. */
#ifndef PLAIT_PROGRAMS_H
#define PLAIT_PROGRAMS_H

#include <plait/dats.h>

PL_EXTERN_C_BEGIN

/* ---- programs ---- */

/* Compiles a program: kernels in the common subset of CUDA and OpenCL C, with the macros KERNEL, DEVICE,
 * GLOBAL, LOCAL, LOCAL_ID, SYNC_THREADS ... It runs on every backend; on the host a work-group is a loop over
 * its work items. `defines` ("NAME" or "NAME=VALUE", NULL-terminated, may be NULL) precede the source. `name`
 * identifies the source in messages, as NAME:LINE. Errors: PL_ERR_COMPILE with the first compiler messages,
 * PL_ERR_KERNEL for parameter types that differ between backends. Local. */
PL_API pl_err pl_program_create(pl_context *pl, const char *source, const char *const *defines,
                                const char *name, pl_program **program);

/* Creates an entry: a kernel of the program with arguments of its own, all unset. Errors: PL_ERR_KERNEL for
 * an unknown name, listing the kernels. Local. */
PL_API pl_err pl_program_kernel(pl_program *program, const char *name, pl_entry **entry);

/* Sets argument `position` (from 0) until it is set again. A dat goes to a pointer to its value type or to a
 * vector of it; the kernel sees the elements in the order of host views, owned ones first, in AoS layout
 * unless pl_dat_set_layout was called. Access: PL_READ, PL_WRITE (every value will be written), PL_RW or
 * PL_INC. A value consists of `count` values of `type`, 1 or the width of a vector type, and is copied; float
 * and double are converted, and a struct of the program is passed as bytes. Errors: PL_ERR_RANGE past the
 * last parameter, PL_ERR_TYPE and PL_ERR_ACCESS if the parameter differs. Local. */
PL_API pl_err pl_entry_dat(pl_entry *entry, int position, pl_dat *dat, pl_access access);
PL_API pl_err pl_entry_value(pl_entry *entry, int position, pl_type type, int count, const void *value);

/* Launches at least `threads` work items, in whole groups of `block` (0: option block_size, else 128, at most
 * pl_entry_block_limit). Data is transferred only if it is not valid on the device. Errors: PL_ERR_STATE for
 * an argument that is not set or has an open view. Local if the kernel only reads. All ranks must launch a
 * kernel that writes dats (if necessary with 0 work items), so that halo copies become stale on all ranks. */
PL_API pl_err pl_entry_run(pl_entry *entry, int64_t threads, int block);

/* Maximum group size of this kernel on this device. Local. */
PL_API pl_err pl_entry_block_limit(pl_entry *entry, int *limit);

/* Frees an entry, or a program. */
PL_API void pl_entry_free(pl_entry **entry);
PL_API void pl_program_free(pl_program **program);

/* The types real and mixed of programs, by option precision: float and float (single), float and double
 * (mixed), double and double (double). In loops pl_mixed has the second type; pl_real has the type of the
 * dats, so declare these with pl_real_type(pl). Local. */
PL_API pl_type pl_real_type(const pl_context *pl);
PL_API pl_type pl_mixed_type(const pl_context *pl);

/* ---- queues and events ---- */

/* Creates a queue (CUDA: stream). Loops, programs, copies and transfers go to the current queue in order;
 * work in different queues may overlap, so order accesses to one object from two queues by events. Host views
 * and results wait for all queues. On the host work runs at once, in order. All of these calls are local, but
 * pl_queue_use, pl_event_record and pl_sync run recorded loops first (plait/chains.h), as all ranks must. */
PL_API pl_err pl_queue_create(pl_context *pl, const char *name, pl_queue **queue);

/* Makes `queue` the current one; NULL: the default queue. */
PL_API pl_err pl_queue_use(pl_context *pl, pl_queue *queue);

/* Waits for the queue and frees it; if it was current, the default queue becomes current. */
PL_API void pl_queue_free(pl_queue **queue);

/* Waits on the host for all queues. */
PL_API pl_err pl_sync(pl_context *pl);

/* An event marks all work submitted to the current queue when it is recorded, which may be repeated.
 * pl_event_wait blocks the host until that work is done; pl_queue_wait makes the current queue wait;
 * pl_event_seconds waits for both events and returns the device time between them. Errors: PL_ERR_STATE for
 * an event that was not recorded. */
PL_API pl_err pl_event_create(pl_context *pl, const char *name, pl_event **event);
PL_API pl_err pl_event_record(pl_event *event);
PL_API pl_err pl_event_wait(pl_event *event);
PL_API pl_err pl_queue_wait(pl_event *event);
PL_API pl_err pl_event_seconds(pl_event *from, pl_event *to, double *seconds);
PL_API void pl_event_free(pl_event **event);

PL_EXTERN_C_END

#endif

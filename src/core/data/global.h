/* SPDX-License-Identifier: BSD-2-Clause
 * Globals: values that belong to no set; and consts.
 */
#pragma once

#include "core/context/context.h"

typedef struct pl_allreduce pl_allreduce;

struct pl_global {
  pl_node node;
  int dim;
  pl_type type;
  void *value;
  void *device;
  bool host_stale, device_valid; /* as in a dat */
  void *saved_value;             /* on several ranks: the value while a device reduces into a neutral one */
  void *fetched;                 /* an event: until then a copy reads the device's value; or NULL */
  uint64_t fetched_at;           /* the backend's */
  int pending_reductions;        /* not yet combined with the value (async_allreduce.h) */
  bool random;                   /* the words of a pl_random */
  bool internal;                 /* a coefficient of a built-in loop (dat_arithmetic.c) */
};

struct pl_const {
  pl_node node;
  int dim;
  pl_type type;
  void *value;
};

/* A global of zeros, or an object that begins with one and has `size` bytes. Local. */
pl_err pl_global_new(pl_context *pl, size_t size, int dim, pl_type type, const char *name,
                     pl_global **result);
void pl_global_destroy(pl_node *global);

size_t pl_global_nbytes(const pl_global *global);
bool pl_global_is_zero(const pl_global *global); /* the host copy: all its bytes */

/* A read that does not wait: begin after the loops that write the global, end before it is read or written by
 * others. A memory of zeros is ready for use; free waits. */
typedef struct pl_global_read {
  void *value, *event;
  bool begun;
} pl_global_read;
pl_err pl_global_read_begin(pl_global *global, pl_global_read *read);
pl_err pl_global_read_end(pl_global *global, pl_global_read *read);
void pl_global_read_free(pl_context *pl, pl_global_read *read);

/* Makes the host value valid; marks the only valid value. */
pl_err pl_global_host(pl_global *global);
void pl_global_host_written(pl_global *global);
void pl_global_device_written(pl_global *global);

/* SPDX-License-Identifier: BSD-2-Clause
 * Data on the device: dats, maps and subsets, and conversion between a dat's layout and host order.
 */
#pragma once

#include "driver.h"

pl_device *pl_device_of(pl_context *pl); /* of the context's backend */

/* ---- operations of the backend ---- */

pl_err pl_device_dat_alloc(pl_context *pl, pl_dat *dat);
pl_err pl_device_dat_write(pl_context *pl, pl_dat *dat, int begin, int n, const void *values);
pl_err pl_device_dat_read(pl_context *pl, pl_dat *dat, int begin, int n, void *values);
pl_err pl_device_dat_zero(pl_context *pl, pl_dat *dat);
pl_err pl_device_dat_zero_subset(pl_context *pl, pl_dat *dat, pl_set *subset);
pl_err pl_device_dat_zero_range(pl_context *pl, pl_dat *dat, int begin, int end);
pl_err pl_device_dat_copy(pl_context *pl, pl_dat *from, pl_dat *to);
pl_err pl_device_dats_fill(pl_context *pl, int ndats, pl_dat *const *dats, int n, const int *from,
                           const int *to);
pl_err pl_device_gather(pl_context *pl, pl_dat *order, int n, pl_dat *from, pl_dat *to);
void pl_device_buffer_free(pl_context *pl, void *buffer);
pl_err pl_device_host_alloc(pl_context *pl, size_t bytes, void **memory); /* for start_read, start_write */
void pl_device_host_free(pl_context *pl, void *memory);
int pl_device_shares(pl_context *pl); /* PL_SHARES_..., as option transport allows */

/* ---- for the device's own modules ---- */

pl_native_device pl_device_native(pl_context *pl);
void pl_device_choose_layout(pl_dat *dat); /* before its first buffer */

/* Buffers of objects, allocated and filled when first asked for. */
pl_err pl_device_map(pl_device *device, pl_map *map);
pl_err pl_device_subset(pl_device *device, pl_set *subset);
pl_err pl_device_global_index(pl_device *device, pl_set *set);                             /* NULL is fine */
pl_err pl_device_copy_in(pl_device *device, const void *host, size_t size, void **buffer); /* a new buffer */

/* A buffer for n integers, which loses its values if it grows; and one with these values. */
pl_err pl_device_list_grow(pl_device *device, int n, pl_list_copy *copy);
pl_err pl_device_list(pl_device *device, const int *list, int n, pl_list_copy *copy);

/* A dat's values as a new buffer in host order; and values of such a buffer back in the dat. */
pl_err pl_device_flatten(pl_device *device, pl_dat *dat, void **flat);
pl_err pl_device_unflatten(pl_device *device, pl_dat *dat, void **flat);

/* Records of the elements list[first .. first + n), between a dat and a buffer, contiguous there from byte
 * `at` on (a multiple of the size of values). `list` and `buffer` are the addresses of handles. */
typedef struct pl_record_list {
  const pl_dat *dat;
  void *const *list, *const *buffer;
  int first, n;
  size_t at;
} pl_record_list;

pl_err pl_device_move_prepare(pl_device *device, const pl_dat *dat); /* compiles the kernel */
pl_err pl_device_move_records(pl_device *device, int n, const pl_record_list *list, bool to_device);

/* SPDX-License-Identifier: BSD-2-Clause
 * The storage of dats: allocation, exchange, growth, conversion, and which copy is valid.
 */
#pragma once

#include "dat_object.h"

/* Bytes per element; bytes of the storage on one side, unused capacity included. */
size_t pl_dat_stride(const pl_dat *dat);
size_t pl_dat_room_bytes(const pl_dat *dat);

/* A dat of dim values an element that is no object of the context. */
pl_dat pl_dat_unlisted(pl_set *set, char *name, int dim, pl_type type);

/* ---- states ---- */

bool pl_dat_has_values(const pl_dat *dat);  /* else they are zeros that no memory holds yet */
bool pl_dat_is_zero(const pl_dat *dat);     /* since pl_dat_zero_later; equal on all ranks */
bool pl_dat_holds_zeros(const pl_dat *dat); /* its owned values were set to zeros; on this rank */
bool pl_dat_host_is_valid(const pl_dat *dat);
bool pl_dat_on_device(const pl_dat *dat); /* whether loops run on a device */

/* Words of messages about an open view of a dat. */
static inline const char *pl_view_kind(const pl_dat *dat)
{
  return dat->device_views ? "device" : "host";
}
static inline const char *pl_view_end(const pl_dat *dat)
{
  return dat->device_views ? "pl_dat_put_device" : "pl_dat_put";
}

/* The only valid copy is now that on the host; on the device; where loops run. */
void pl_dat_host_written(pl_dat *dat);
void pl_dat_device_written(pl_dat *dat);
void pl_dat_written(pl_dat *dat);

/* The values are zeros, which are stored when a copy is needed. */
void pl_dat_drop_values(pl_dat *dat);

/* Marks the copy where loops run as valid, whatever the other is. Returns the storage as it was. */
pl_storage pl_storage_assume_valid(pl_dat *dat);

/* Both copies are valid after a transfer to the host or to the device. */
void pl_dat_downloaded(pl_dat *dat);
void pl_dat_uploaded(pl_dat *dat);

/* Other ranks' copies of this rank's elements, and the reverse: `part` is up to date, NULL for all of the
 * halo; none is; values of a new version were written. */
void pl_dat_halo_updated(pl_dat *dat, const struct pl_halo *part);
void pl_dat_halo_outdated(pl_dat *dat);
bool pl_dat_halo_is_stale(const pl_dat *dat, const struct pl_halo *halo);
void pl_dat_changed(pl_dat *dat);
void pl_dat_note_zeros(pl_dat *dat); /* behind it: all owned values are zeros */

/* ---- memory ---- */

/* Memory where there is none. The values of host memory are undefined. */
pl_err pl_storage_alloc_host(pl_dat *dat);
pl_err pl_storage_alloc_device(pl_dat *dat);

/* Makes `memory` of the program the dat's only storage, with its values: on the device, in the layout, or on
 * the host. It has room for all elements of the set. */
void pl_storage_wrap(pl_dat *dat, bool on_device, pl_layout layout, void *memory);

/* PL_ERR_STATE if a matrix is numbered like the set (NULL: a marked set), or a dat of it wraps memory of the
 * program, which `what` would replace. */
pl_err pl_set_check_wrapped(pl_context *pl, const pl_set *set, const char *what);

/* Exchanges everything: memory, states, layouts. Then each dat gets its own layout back where it must keep
 * it. */
pl_err pl_storage_swap(pl_dat *a, pl_dat *b);

/* Exchanges only the memory on the side where loops run; states stay. Both dats have one layout. */
void pl_storage_swap_memory(pl_dat *a, pl_dat *b);

/* Makes `host`, an array of `after` bytes, the host copy; the one before had `before` bytes. */
void pl_storage_replace_host(pl_dat *dat, void *host, size_t before, size_t after);

/* Both sides get room for `room` elements and keep their values. Before set->capacity changes. */
pl_err pl_storage_grow(pl_dat *dat, int room);

/* PL_ERR_RANGE if a layout's packs do not divide the values of a record. */
pl_err pl_layout_check(pl_context *pl, const char *what, const char *name, pl_layout layout, int record);

/* Moves the device copy, if there is one, to a layout. */
pl_err pl_storage_convert(pl_dat *dat, pl_layout layout);

/* Pins the layout of a device copy that the user accesses: the requested one, else AoS. */
pl_err pl_dat_pin_layout(pl_dat *dat);

/* Free the device copy, while the host copy is valid; both copies and the spare; the spare. */
void pl_dat_free_device(pl_dat *dat);
void pl_dat_release(pl_dat *dat);
void pl_dat_drop_spare(pl_dat *dat);
void pl_dat_drop_unlisted(pl_dat **dat); /* of pl_dat_unlisted, allocated; NULL is fine */

/* SPDX-License-Identifier: BSD-2-Clause
 * The storage of dats.
 *
 * Invariants: the host copy is valid if it is allocated and not stale; the device copy is valid if
 * device_valid. If neither is, the values are zeros that no memory holds yet.
 */
#include "storage.h"
#include "core/context/memory.h"
#include "core/context/observer.h"
#include "core/mesh/set.h"
#include "kept_values.h"
#include "layout.h"
#include <string.h>

size_t pl_dat_stride(const pl_dat *dat)
{
  return (size_t)dat->dim * pl_type_size(dat->type);
}

size_t pl_dat_nbytes(const pl_dat *dat)
{
  return dat ? (size_t)dat->set->end[3] * pl_dat_stride(dat) : 0;
}

size_t pl_dat_room_bytes(const pl_dat *dat)
{
  return (size_t)pl_set_room(dat->set) * pl_dat_stride(dat);
}

pl_dat pl_dat_unlisted(pl_set *set, char *name, int dim, pl_type type)
{
  return (pl_dat){.node = {.pl = set->node.pl, .name = name},
                  .set = set,
                  .dim = dim,
                  .type = type,
                  .storage = {.layout = {PL_AOS, 1}},
                  .pinned = true};
}

/* ---- states ---- */

bool pl_dat_has_values(const pl_dat *dat)
{
  return pl_dat_host_is_valid(dat) || dat->storage.device_valid;
}

bool pl_dat_is_zero(const pl_dat *dat)
{
  return dat->zero_version && dat->zero_version == dat->version;
}

/* Others may write memory that the program has at any time. */
bool pl_dat_holds_zeros(const pl_dat *dat)
{
  return dat->storage.zeros && !dat->storage.wrapped && !dat->exports;
}

void pl_dat_note_zeros(pl_dat *dat)
{
  dat->storage.zeros = true;
}

bool pl_dat_host_is_valid(const pl_dat *dat)
{
  return dat->storage.host && !dat->storage.host_stale;
}

bool pl_dat_on_device(const pl_dat *dat)
{
  return dat->node.pl->backend->data != NULL;
}

void pl_dat_host_written(pl_dat *dat)
{
  pl_dat_drop_kept(dat);
  dat->storage.zeros = false;
  dat->storage.host_stale = false;
  dat->storage.device_valid = false;
}

void pl_dat_device_written(pl_dat *dat)
{
  pl_dat_drop_kept(dat);
  dat->storage.zeros = false;
  dat->storage.device_valid = true;
  dat->storage.host_stale = dat->storage.host != NULL;
}

void pl_dat_written(pl_dat *dat)
{
  if (pl_dat_on_device(dat))
    pl_dat_device_written(dat);
  else
    pl_dat_host_written(dat);
}

void pl_dat_drop_values(pl_dat *dat)
{
  pl_dat_drop_kept(dat);
  dat->storage.device_valid = false;
  dat->storage.host_stale = dat->storage.host != NULL;
}

pl_storage pl_storage_assume_valid(pl_dat *dat)
{
  const pl_storage was = dat->storage;
  dat->storage.device_valid = pl_dat_on_device(dat);
  dat->storage.host_stale = false;
  return was;
}

void pl_dat_downloaded(pl_dat *dat)
{
  dat->storage.host_stale = false;
}

void pl_dat_uploaded(pl_dat *dat)
{
  dat->storage.device_valid = true;
}

void pl_dat_halo_updated(pl_dat *dat, const struct pl_halo *part)
{
  if (!part) dat->storage.halo_stale = false;
  dat->storage.partial_halo = part;
  dat->storage.partial_version = dat->version;
}

void pl_dat_halo_outdated(pl_dat *dat)
{
  dat->storage.halo_stale = true;
  dat->storage.partial_halo = NULL;
}

bool pl_dat_halo_is_stale(const pl_dat *dat, const struct pl_halo *halo)
{
  const pl_storage *s = &dat->storage;
  return s->halo_stale && !(s->partial_halo == halo && s->partial_version == dat->version);
}

void pl_dat_changed(pl_dat *dat)
{
  dat->version++;
  dat->storage.zeros = false;
  pl_dat_halo_outdated(dat);
}

/* ---- allocation ---- */

pl_err pl_storage_alloc_host(pl_dat *dat)
{
  if (dat->storage.host) return PL_SUCCESS;
  pl_context *pl = dat->node.pl;
  const size_t bytes = pl_dat_room_bytes(dat);
  dat->storage.host = pl_malloc_array(pl, bytes);
  if (!dat->storage.host) return pl_fail_memory(pl, bytes);
  dat->storage.host_stale = dat->storage.device_valid;
  pl->stats.host_allocations++;
  pl->stats.host_bytes += bytes;
  return PL_SUCCESS;
}

pl_err pl_storage_alloc_device(pl_dat *dat)
{
  pl_context *pl = dat->node.pl;
  if (dat->storage.device) return PL_SUCCESS;
  pl->backend->data->choose_layout(dat);
  dat->storage.room = pl_set_room(dat->set);
  PL_TRY(pl->backend->data->alloc(pl, dat));
  pl->stats.device_allocations++;
  pl->stats.device_bytes += pl_dat_room_bytes(dat);
  return PL_SUCCESS;
}

void pl_storage_wrap(pl_dat *dat, bool on_device, pl_layout layout, void *memory)
{
  dat->storage.wrapped = memory;
  dat->storage.layout = layout;
  dat->storage.room = pl_set_room(dat->set);
  dat->pinned |= on_device;
  *(on_device ? &dat->storage.device : &dat->storage.host) = memory;
  if (on_device) pl_dat_device_written(dat);
}

pl_err pl_set_check_wrapped(pl_context *pl, const pl_set *set, const char *what)
{
  PL_EACH (const pl_set, other, pl->sets)
    if (other->numberings && (set ? other == set : other->marked))
      return pl_fail(
        pl, PL_ERR_STATE,
        "%s: set \"%s\" cannot be reordered or resized, because a matrix is numbered like it; do "
        "that, and declare all maps, before matrices are used, or free them first",
        what, other->node.name);
  PL_EACH (const pl_dat, dat, pl->dats)
    if (dat->storage.wrapped && (set ? dat->set == set : dat->set->marked))
      return pl_fail(pl, PL_ERR_STATE,
                     "%s: set \"%s\" cannot be reordered or resized, because dat \"%s\" is in memory of the "
                     "program; free the dat first",
                     what, dat->set->node.name, dat->node.name);
  return PL_SUCCESS;
}

static bool is_wrapped(const pl_dat *dat, const void *memory)
{
  return memory && memory == dat->storage.wrapped;
}

void pl_dat_free_device(pl_dat *dat)
{
  pl_context *pl = dat->node.pl;
  if (dat->storage.device && !is_wrapped(dat, dat->storage.device)) {
    pl->stats.device_bytes -= pl_dat_room_bytes(dat);
    pl->backend->data->buffer_free(pl, dat->storage.device);
  }
  dat->storage.device = NULL;
  dat->storage.device_valid = false;
}

void pl_dat_drop_unlisted(pl_dat **dat)
{
  if (!*dat) return;
  pl_dat_release(*dat);
  pl_free((*dat)->node.pl, *dat);
  *dat = NULL;
}

void pl_dat_drop_spare(pl_dat *dat)
{
  pl_dat_drop_unlisted(&dat->spare);
}

void pl_dat_release(pl_dat *dat)
{
  pl_context *pl = dat->node.pl;
  pl_dat_free_kept(dat);
  if (dat->storage.host && !is_wrapped(dat, dat->storage.host)) {
    pl->stats.host_bytes -= pl_dat_room_bytes(dat);
    pl_free_array(pl, dat->storage.host);
  }
  dat->storage.host = NULL;
  dat->storage.host_stale = false;
  pl_dat_free_device(dat);
  dat->storage.wrapped = NULL;
  pl_dat_drop_spare(dat);
  pl_dat_drop_unlisted(&dat->device_copy);
}

/* ---- exchange ---- */

static bool has_layout(const pl_dat *dat, pl_layout layout)
{
  return dat->storage.layout.tile == layout.tile && dat->storage.layout.pack == layout.pack;
}

/* Restores the dat's own layout if it is pinned or has no device copy. */
static pl_err keep_layout(pl_dat *dat, pl_layout own)
{
  pl_context *pl = dat->node.pl;
  if (has_layout(dat, own)) return PL_SUCCESS;
  if (dat->storage.device && !dat->pinned) {
    pl->decl_version++; /* loops were prepared for the other one */
    return PL_SUCCESS;
  }
  PL_TRY(pl_backend_flush(pl));
  return pl_storage_convert(dat, own);
}

pl_err pl_storage_swap(pl_dat *a, pl_dat *b)
{
  const pl_storage of_a = a->storage, of_b = b->storage;
  const pl_failure failure = a->node.failure;
  pl_dat_drop_kept(a), pl_dat_drop_kept(b);
  a->storage = of_b;
  b->storage = of_a;
  a->storage.partial_halo = b->storage.partial_halo = NULL;
  a->node.failure = b->node.failure;
  b->node.failure = failure;
  a->version++;
  PL_TRY(keep_layout(a, of_a.layout));
  return keep_layout(b, of_b.layout);
}

void pl_storage_swap_memory(pl_dat *a, pl_dat *b)
{
  pl_storage *s = &a->storage, *t = &b->storage;
  const pl_storage was = *s;
  if (pl_dat_on_device(a)) {
    s->device = t->device, t->device = was.device;
    s->room = t->room, t->room = was.room;
  } else {
    s->host = t->host, t->host = was.host;
  }
  s->zeros = t->zeros = false;
}

void pl_storage_replace_host(pl_dat *dat, void *host, size_t before, size_t after)
{
  pl_free_array(dat->node.pl, dat->storage.host);
  dat->storage.host = host;
  dat->node.pl->stats.host_bytes += after - before;
}

/* ---- growth and conversion ---- */

static pl_err grow_host(pl_dat *dat, int room)
{
  pl_context *pl = dat->node.pl;
  const size_t stride = pl_dat_stride(dat), bytes = (size_t)room * stride;
  void *host = pl_malloc_array(pl, bytes);
  if (!host) return pl_fail_memory(pl, bytes);
  memcpy(host, dat->storage.host, (size_t)dat->set->end[3] * stride);
  pl_storage_replace_host(dat, host, pl_dat_room_bytes(dat), bytes);
  return PL_SUCCESS;
}

/* The device copy moves to a buffer with this layout and room. */
static pl_err move_device(pl_dat *dat, pl_layout layout, int room)
{
  pl_context *pl = dat->node.pl;
  pl_dat moved = *dat;
  moved.storage.layout = layout;
  moved.storage.room = room;
  moved.storage.device = NULL;
  PL_TRY(pl->backend->data->alloc(pl, &moved));
  pl_err err = dat->storage.device_valid ? pl->backend->data->copy(pl, dat, &moved) : PL_SUCCESS;
  pl->backend->data->buffer_free(pl, err ? moved.storage.device : dat->storage.device);
  if (!err) dat->storage = moved.storage;
  return err;
}

pl_err pl_storage_grow(pl_dat *dat, int room)
{
  const size_t more = ((size_t)room - (size_t)pl_set_room(dat->set)) * pl_dat_stride(dat);
  pl_dat_drop_spare(dat);
  if (dat->storage.device) {
    PL_TRY(move_device(dat, dat->storage.layout, room));
    dat->node.pl->stats.device_bytes += more;
  }
  return dat->storage.host ? grow_host(dat, room) : PL_SUCCESS;
}

pl_err pl_storage_convert(pl_dat *dat, pl_layout layout)
{
  if (dat->storage.device) return move_device(dat, layout, pl_set_room(dat->set));
  dat->storage.layout = layout;
  return PL_SUCCESS;
}

static pl_err check_layout_is_free(const pl_dat *dat)
{
  pl_context *pl = dat->node.pl;
  if (is_wrapped(dat, dat->storage.device))
    return pl_fail(
      pl, PL_ERR_STATE,
      "pl_dat_set_layout of \"%s\": the values are in device memory of the program, whose layout "
      "was given to pl_dat_wrap",
      dat->node.name);
  if (dat->device_views)
    return pl_fail(
      pl, PL_ERR_STATE,
      "pl_dat_set_layout of \"%s\": a device view is open; close it with pl_dat_put_device first",
      dat->node.name);
  return PL_SUCCESS;
}

pl_err pl_layout_check(pl_context *pl, const char *what, const char *name, pl_layout layout, int record)
{
  if (layout.tile == PL_AOS || record % layout.pack == 0) return PL_SUCCESS;
  return pl_fail(pl, PL_ERR_RANGE, "%s of \"%s\": packs of %d values do not divide its %d values an element",
                 what, name, layout.pack, record);
}

pl_err pl_dat_set_layout(pl_dat *dat, const char *text)
{
  pl_layout layout;
  PL_TRY_GIVEN(dat);
  pl_context *pl = dat->node.pl;
  if (!text || !pl_layout_parse(text, &layout))
    return pl_fail(
      pl, PL_ERR_ARG,
      "pl_dat_set_layout of \"%s\": \"%s\" is none of aos, soa, soa:M, aosoa:V, aosoa:V,M (V a power of "
      "two from 2 to 1024, M 1, 2 or 4)",
      dat->node.name, text ? text : "");
  PL_TRY(pl_layout_check(pl, "pl_dat_set_layout", dat->node.name, layout, pl_dat_record(dat)));
  PL_TRY(pl_before_any_access(pl));
  if (!has_layout(dat, layout)) {
    PL_TRY(check_layout_is_free(dat));
    PL_TRY(pl_storage_convert(dat, layout));
    pl->decl_version++; /* loops were prepared for the old layout, even without a device copy */
  }
  dat->pinned = true;
  return PL_SUCCESS;
}

pl_err pl_dat_pin_layout(pl_dat *dat)
{
  return dat->pinned ? PL_SUCCESS : pl_dat_set_layout(dat, "aos");
}

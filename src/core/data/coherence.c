/* SPDX-License-Identifier: BSD-2-Clause
 * Where the valid copy lives: every transition of dats and globals between host and device, and every
 * transfer.
 *
 * Invariants: the host copy is valid if there is host storage and it is not stale; the device copy is valid
 * if device_valid. Where neither is, the values are zeros that nobody has needed yet. Nothing is transferred
 * that is not asked for, and a read never makes the other side's copy valid without moving it there.
 */
#include "chain.h"
#include <string.h>

/* ---- dats: the host side ---- */

static void *take_storage(pl_dat *dat)
{
  pl_context *pl = dat->node.pl;
  size_t bytes = pl_dat_room_bytes(dat);
  void *host = pl_malloc_array(pl, bytes);
  if (!host) {
    pl_fail_memory(pl, bytes);
    return NULL;
  }
  pl->stats.host_allocations++;
  pl->stats.host_bytes += bytes;
  return host;
}

static pl_err bring_home(pl_dat *dat)
{
  pl_context *pl = dat->node.pl;
  PL_TRY(pl->backend->dat_download(pl, dat));
  pl->stats.bytes_from_device += pl_dat_nbytes(dat);
  pl->stats.calls_from_device++;
  dat->host_stale = false;
  return PL_SUCCESS;
}

void *pl_dat_host_now(pl_dat *dat, bool overwrite)
{
  bool fresh = !dat->host;
  if (fresh && !(dat->host = take_storage(dat))) return NULL;
  if (fresh && dat->device_valid) dat->host_stale = true;
  if (overwrite) return dat->host;
  if (dat->host_stale) return bring_home(dat) ? NULL : dat->host;
  return fresh ? memset(dat->host, 0, pl_dat_nbytes(dat)) : dat->host;
}

void *pl_dat_host(pl_dat *dat, bool overwrite)
{
  return pl_late_touch(&dat->node, true) ? NULL : pl_dat_host_now(dat, overwrite);
}

void pl_dat_host_written(pl_dat *dat)
{
  dat->host_stale = false;
  dat->device_valid = false;
}

/* ---- dats: the device side ---- */

static pl_err send(pl_dat *dat)
{
  pl_context *pl = dat->node.pl;
  PL_TRY(pl->backend->dat_upload(pl, dat));
  pl->stats.bytes_to_device += pl_dat_nbytes(dat);
  pl->stats.calls_to_device++;
  return PL_SUCCESS;
}

static pl_err take_device(pl_dat *dat)
{
  pl_context *pl = dat->node.pl;
  if (dat->device) return PL_SUCCESS;
  PL_TRY(pl->backend->dat_alloc(pl, dat));
  pl->stats.device_allocations++;
  pl->stats.device_bytes += pl_dat_room_bytes(dat);
  return PL_SUCCESS;
}

pl_err pl_dat_device(pl_dat *dat, bool reads)
{
  pl_context *pl = dat->node.pl;
  PL_TRY(pl_late_touch(&dat->node, true));
  PL_TRY(take_device(dat));
  if (dat->device_valid || !reads) return PL_SUCCESS;
  PL_TRY(dat->host ? send(dat) : pl->backend->dat_zero(pl, dat));
  dat->device_valid = true;
  return PL_SUCCESS;
}

void pl_dat_device_written(pl_dat *dat)
{
  dat->device_valid = true;
  dat->host_stale = dat->host != NULL;
}

pl_state pl_dat_state(const pl_dat *dat)
{
  if (dat) pl_late_touch((pl_node *)&dat->node, true);
  if (!dat || !dat->device) return PL_DEVICE_UNALLOCATED;
  if (!dat->host) return PL_HOST_UNALLOCATED;
  return !dat->device_valid ? PL_ON_HOST : dat->host_stale ? PL_ON_DEVICE : PL_ON_BOTH;
}

void pl_dat_leave_device(pl_dat *dat)
{
  pl_context *pl = dat->node.pl;
  if (dat->device) {
    pl->stats.device_bytes -= pl_dat_room_bytes(dat);
    pl->backend->buffer_free(pl, dat->device);
  }
  dat->device = NULL;
  dat->device_valid = false;
}

void pl_dat_release(pl_dat *dat)
{
  pl_context *pl = dat->node.pl;
  if (dat->host) pl->stats.host_bytes -= pl_dat_room_bytes(dat);
  pl_free_array(pl, dat->host);
  dat->host = NULL;
  pl_dat_leave_device(dat);
  pl_dat_drop_spare(dat);
}

/* ---- by hand ---- */

static bool has_device(const pl_dat *dat)
{
  return dat->node.pl->backend->dat_alloc != NULL;
}

pl_err pl_dat_allocate_device(pl_dat *dat)
{
  if (!dat) return PL_ERR_ARG;
  PL_TRY(pl_late_touch(&dat->node, true));
  return has_device(dat) ? take_device(dat) : PL_SUCCESS;
}

pl_err pl_dat_to_device(pl_dat *dat)
{
  if (!dat) return PL_ERR_ARG;
  if (dat->writer)
    return pl_fail(
      dat->node.pl, PL_ERR_STATE,
      "pl_dat_to_device: a writable host view of dat \"%s\" is open; close it with pl_dat_put first",
      dat->node.name);
  PL_TRY(pl_late_touch(&dat->node, true));
  return has_device(dat) ? pl_dat_device(dat, true) : PL_SUCCESS;
}

pl_err pl_dat_from_device(pl_dat *dat)
{
  if (!dat) return PL_ERR_ARG;
  PL_TRY(pl_late_touch(&dat->node, true));
  if (!dat->device_valid) return PL_SUCCESS;
  return pl_dat_host(dat, false) ? PL_SUCCESS : dat->node.pl->error_code;
}

/* ---- globals ---- */

pl_err pl_global_host(pl_global *global)
{
  pl_context *pl = global->node.pl;
  PL_TRY(pl_global_wait(global));
  if (!global->host_stale) return PL_SUCCESS;
  PL_TRY(pl->backend->global_download(pl, global));
  pl->stats.bytes_from_device += (size_t)global->dim * pl_type_size(global->type);
  pl->stats.calls_from_device++;
  global->host_stale = false;
  return PL_SUCCESS;
}

void pl_global_host_written(pl_global *global)
{
  global->host_stale = false;
  global->device_valid = false;
}

void pl_global_device_written(pl_global *global)
{
  global->host_stale = true;
  global->device_valid = true;
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Host/device coherence of dats and globals.
 *
 * Invariants: the host copy is valid if it is allocated and not stale; the device copy is valid if
 * device_valid. If neither is, the values are zeros that were never needed. Transfers happen on demand only.
 */
#include "coherence.h"
#include "core/data/async_allreduce.h"
#include "objects.h"
#include <string.h>

/* ---- dats: the host side ---- */

static void *alloc_host(pl_dat *dat)
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

static pl_err download_dat(pl_dat *dat)
{
  pl_context *pl = dat->node.pl;
  PL_TRY(pl->backend->data->download(pl, dat));
  pl->stats.bytes_from_device += pl_dat_nbytes(dat);
  pl->stats.calls_from_device++;
  dat->host_stale = false;
  return PL_SUCCESS;
}

void *pl_dat_host_now(pl_dat *dat, bool overwrite)
{
  bool unused = !dat->host;
  if (overwrite) pl_failure_clear(dat->node.pl, &dat->node.failure);
  if (unused && !(dat->host = alloc_host(dat))) return NULL;
  if (unused && dat->device_valid) dat->host_stale = true;
  if (overwrite) return dat->host;
  if (dat->host_stale) return download_dat(dat) ? NULL : dat->host;
  return unused ? memset(dat->host, 0, pl_dat_nbytes(dat)) : dat->host;
}

void *pl_dat_host(pl_dat *dat, bool overwrite)
{
  return pl_before_access(&dat->node, overwrite) ? NULL : pl_dat_host_now(dat, overwrite);
}

void pl_dat_host_written(pl_dat *dat)
{
  dat->host_stale = false;
  dat->device_valid = false;
}

/* ---- dats: the device side ---- */

static pl_err upload_dat(pl_dat *dat)
{
  pl_context *pl = dat->node.pl;
  PL_TRY(pl->backend->data->upload(pl, dat));
  pl->stats.bytes_to_device += pl_dat_nbytes(dat);
  pl->stats.calls_to_device++;
  return PL_SUCCESS;
}

static pl_err alloc_device(pl_dat *dat)
{
  pl_context *pl = dat->node.pl;
  if (dat->device) return PL_SUCCESS;
  PL_TRY(pl->backend->data->alloc(pl, dat));
  pl->stats.device_allocations++;
  pl->stats.device_bytes += pl_dat_room_bytes(dat);
  return PL_SUCCESS;
}

pl_err pl_dat_device(pl_dat *dat, bool reads)
{
  pl_context *pl = dat->node.pl;
  PL_TRY(pl_before_access(&dat->node, true));
  PL_TRY(alloc_device(dat));
  if (!reads) pl_failure_clear(pl, &dat->node.failure);
  PL_TRY(pl_failure_repeat(pl, &dat->node.failure));
  if (dat->device_valid || !reads) return PL_SUCCESS;
  PL_TRY(dat->host ? upload_dat(dat) : pl->backend->data->zero(pl, dat));
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
  if (dat) pl_before_access((pl_node *)&dat->node, true);
  if (!dat || !dat->device) return PL_DEVICE_UNALLOCATED;
  if (!dat->host) return PL_HOST_UNALLOCATED;
  return !dat->device_valid ? PL_ON_HOST : dat->host_stale ? PL_ON_DEVICE : PL_ON_BOTH;
}

void pl_dat_free_device(pl_dat *dat)
{
  pl_context *pl = dat->node.pl;
  if (dat->device) {
    pl->stats.device_bytes -= pl_dat_room_bytes(dat);
    pl->backend->data->buffer_free(pl, dat->device);
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
  pl_dat_free_device(dat);
  pl_dat_drop_spare(dat);
}

/* ---- either side ---- */

bool pl_dat_on_device(const pl_dat *dat)
{
  return dat->node.pl->backend->data != NULL;
}

pl_err pl_dat_acquire(pl_dat *dat, bool reads)
{
  if (pl_dat_on_device(dat)) return pl_dat_device(dat, reads);
  return pl_dat_host(dat, !reads) ? PL_SUCCESS : dat->node.pl->error_code;
}

void pl_dat_written(pl_dat *dat)
{
  if (pl_dat_on_device(dat))
    pl_dat_device_written(dat);
  else
    pl_dat_host_written(dat);
}

pl_err pl_dat_allocate_device(pl_dat *dat)
{
  if (!dat) return PL_ERR_NULL;
  PL_TRY(pl_before_access(&dat->node, true));
  return pl_dat_on_device(dat) ? alloc_device(dat) : PL_SUCCESS;
}

pl_err pl_dat_to_device(pl_dat *dat)
{
  if (!dat) return PL_ERR_NULL;
  if (dat->writer)
    return pl_fail(
      dat->node.pl, PL_ERR_STATE,
      "pl_dat_to_device: a writable host view of dat \"%s\" is open; close it with pl_dat_put first",
      dat->node.name);
  PL_TRY(pl_before_access(&dat->node, true));
  return pl_dat_on_device(dat) ? pl_dat_device(dat, true) : PL_SUCCESS;
}

pl_err pl_dat_from_device(pl_dat *dat)
{
  if (!dat) return PL_ERR_NULL;
  PL_TRY(pl_before_access(&dat->node, false));
  if (!dat->device_valid) return PL_SUCCESS;
  return pl_dat_host(dat, false) ? PL_SUCCESS : dat->node.pl->error_code;
}

/* ---- globals ---- */

pl_err pl_global_host(pl_global *global)
{
  pl_context *pl = global->node.pl;
  PL_TRY(pl_global_wait(global));
  if (!global->host_stale) return PL_SUCCESS;
  PL_TRY(pl->backend->data->global_download(pl, global));
  pl->stats.bytes_from_device += pl_global_nbytes(global);
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

pl_err pl_backend_flush(pl_context *pl)
{
  return pl->backend->replay && pl->backend->replay->flush ? pl->backend->replay->flush(pl) : PL_SUCCESS;
}

void *pl_transfer_alloc(pl_context *pl, size_t bytes)
{
  void *memory = NULL;
  if (!pl->backend->exchange) memory = pl_malloc(pl, bytes);
  if (pl->backend->exchange && pl->backend->exchange->host_alloc(pl, bytes, &memory)) return NULL;
  if (!memory) pl_fail_memory(pl, bytes);
  return memory;
}

void pl_transfer_free(pl_context *pl, void *memory)
{
  if (pl->backend->exchange)
    pl->backend->exchange->host_free(pl, memory);
  else
    pl_free(pl, memory);
}

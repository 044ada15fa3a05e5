/* SPDX-License-Identifier: BSD-2-Clause
 * Host/device coherence of dats and globals.
 *
 * Invariants: the host copy is valid if it is allocated and not stale; the device copy is valid if
 * device_valid. If neither is, the values are zeros that were never needed. Transfers happen on demand only.
 * Kept values apply while version, order of elements, storage and size are those of the dat; a change of
 * values without a new version, like a new storage, drops them.
 */
#include "coherence.h"
#include "core/data/async_allreduce.h"
#include "objects.h"
#include <string.h>

/* ---- kept values ---- */

typedef struct pl_kept {
  uint64_t version, order_version;
  const void *host; /* NULL: no values */
  size_t bytes;
  char loop[64];
  char values[];
} pl_kept;

static size_t owned_bytes(const pl_dat *dat)
{
  return (size_t)dat->set->end[1] * pl_dat_stride(dat);
}

void pl_dat_drop_kept(pl_dat *dat)
{
  if (dat->kept) dat->kept->host = NULL;
}

static void free_kept(pl_dat *dat)
{
  pl_free(dat->node.pl, dat->kept);
  dat->kept = NULL;
}

pl_err pl_dat_reserve_kept(pl_dat *dat)
{
  pl_context *pl = dat->node.pl;
  const size_t bytes = owned_bytes(dat);
  if (dat->kept && dat->kept->bytes == bytes) return PL_SUCCESS;
  free_kept(dat);
  dat->kept = pl_calloc(pl, 1, sizeof *dat->kept + bytes);
  if (!dat->kept) return pl_fail_memory(pl, sizeof *dat->kept + bytes);
  dat->kept->bytes = bytes;
  return PL_SUCCESS;
}

void pl_dat_keep(pl_dat *dat, const char *loop)
{
  pl_kept *kept = dat->kept;
  if (dat->host_stale || kept->bytes != owned_bytes(dat)) return;
  kept->version = dat->version;
  kept->order_version = dat->set->order_version;
  kept->host = dat->host;
  snprintf(kept->loop, sizeof kept->loop, "%s", loop);
  memcpy(kept->values, dat->host, kept->bytes);
}

static bool kept_applies(const pl_dat *dat)
{
  const pl_kept *kept = dat->kept;
  return kept && kept->host && !dat->host_stale && kept->version == dat->version && kept->host == dat->host &&
         kept->order_version == dat->set->order_version && kept->bytes == owned_bytes(dat);
}

pl_err pl_dat_check_kept(const pl_dat *dat)
{
  pl_context *pl = dat->node.pl;
  const char *now = dat->host;
  size_t at = 0;
  if (!pl_opt_flag(pl, PL_OPT_CHECK) || !kept_applies(dat)) return PL_SUCCESS;
  while (at < dat->kept->bytes && now[at] == dat->kept->values[at]) at++;
  if (at == dat->kept->bytes) return PL_SUCCESS;
  int value = (int)(at / pl_type_size(dat->type));
  return pl_fail(pl, PL_ERR_CHECK,
                 "dat \"%s\", element %lld, component %d: changed after loop \"%s\", but not by the library; "
                 "look for a write through a stale or wrong pointer",
                 dat->node.name, (long long)pl_element_global_index(dat->set, value / dat->dim),
                 value % dat->dim, dat->kept->loop);
}

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

static pl_err download(pl_dat *dat, int begin, int n, void *values)
{
  pl_context *pl = dat->node.pl;
  PL_TRY(pl->backend->data->read(pl, dat, begin, n, values));
  pl->stats.bytes_from_device += (size_t)n * pl_dat_stride(dat);
  pl->stats.calls_from_device++;
  return PL_SUCCESS;
}

static pl_err download_dat(pl_dat *dat)
{
  PL_TRY(download(dat, 0, dat->set->end[3], dat->host));
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
  pl_dat_drop_kept(dat);
  dat->host_stale = false;
  dat->device_valid = false;
}

/* ---- dats: the device side ---- */

static pl_err upload(pl_dat *dat, int begin, int n, const void *values)
{
  pl_context *pl = dat->node.pl;
  PL_TRY(pl->backend->data->write(pl, dat, begin, n, values));
  pl->stats.bytes_to_device += (size_t)n * pl_dat_stride(dat);
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
  PL_TRY(dat->host ? upload(dat, 0, dat->set->end[3], dat->host) : pl->backend->data->zero(pl, dat));
  dat->device_valid = true;
  return PL_SUCCESS;
}

void pl_dat_device_written(pl_dat *dat)
{
  pl_dat_drop_kept(dat);
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
  free_kept(dat);
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
  PL_TRY_GIVEN(dat);
  PL_TRY(pl_before_access(&dat->node, true));
  return pl_dat_on_device(dat) ? alloc_device(dat) : PL_SUCCESS;
}

pl_err pl_dat_to_device(pl_dat *dat)
{
  PL_TRY_GIVEN(dat);
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
  PL_TRY_GIVEN(dat);
  PL_TRY(pl_before_access(&dat->node, false));
  if (!dat->device_valid) return PL_SUCCESS;
  return pl_dat_host(dat, false) ? PL_SUCCESS : dat->node.pl->error_code;
}

/* ---- parts ---- */

static bool host_is_valid(const pl_dat *dat)
{
  return dat->host && !dat->host_stale;
}

pl_err pl_dat_zero_elements(pl_dat *dat, int begin, int end)
{
  pl_context *pl = dat->node.pl;
  size_t stride = pl_dat_stride(dat);
  if (dat->device_valid) PL_TRY(pl->backend->data->zero_range(pl, dat, begin, end));
  if (host_is_valid(dat))
    memset((char *)dat->host + (size_t)begin * stride, 0, (size_t)(end - begin) * stride);
  return PL_SUCCESS;
}

/* `values` have the dat's type. */
static pl_err write_elements(pl_dat *dat, int begin, int n, const void *values)
{
  size_t stride = pl_dat_stride(dat);
  if (dat->device_valid) {
    PL_TRY(upload(dat, begin, n, values));
    if (!host_is_valid(dat)) return PL_SUCCESS;
  }
  char *host = pl_dat_host_now(dat, n == dat->set->end[3]);
  if (!host) return dat->node.pl->error_code;
  memcpy(host + (size_t)begin * stride, values, (size_t)n * stride);
  return PL_SUCCESS;
}

static pl_err read_elements(pl_dat *dat, int begin, int n, void *values)
{
  size_t stride = pl_dat_stride(dat);
  if (dat->device_valid && !host_is_valid(dat)) return download(dat, begin, n, values);
  const char *host = pl_dat_host_now(dat, false);
  if (!host) return dat->node.pl->error_code;
  memcpy(values, host + (size_t)begin * stride, (size_t)n * stride);
  return PL_SUCCESS;
}

pl_err pl_dat_write_part(pl_dat *dat, int begin, int n, pl_type type, const void *values)
{
  size_t count = (size_t)n * (size_t)dat->dim;
  if (!n) return PL_SUCCESS;
  if (type == dat->type) return write_elements(dat, begin, n, values);
  void *converted = pl_malloc(dat->node.pl, count * pl_type_size(dat->type));
  if (!converted) return pl_fail_memory(dat->node.pl, count * pl_type_size(dat->type));
  pl_convert(type, values, dat->type, converted, count);
  pl_err err = write_elements(dat, begin, n, converted);
  pl_free(dat->node.pl, converted);
  return err;
}

pl_err pl_dat_read_part(pl_dat *dat, int begin, int n, pl_type type, void *values)
{
  size_t count = (size_t)n * (size_t)dat->dim;
  if (!n) return PL_SUCCESS;
  if (type == dat->type) return read_elements(dat, begin, n, values);
  void *converted = pl_malloc(dat->node.pl, count * pl_type_size(dat->type));
  if (!converted) return pl_fail_memory(dat->node.pl, count * pl_type_size(dat->type));
  pl_err err = read_elements(dat, begin, n, converted);
  if (!err) pl_convert(dat->type, converted, type, values, count);
  pl_free(dat->node.pl, converted);
  return err;
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

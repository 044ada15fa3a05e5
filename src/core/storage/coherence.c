/* SPDX-License-Identifier: BSD-2-Clause
 * Host/device coherence of dats. Transfers happen on demand only.
 */
#include "coherence.h"
#include "core/base/scalar_type.h"
#include "core/context/memory.h"
#include "core/context/observer.h"
#include "core/mesh/set.h"
#include "core/tools/tools.h"
#include <string.h>

/* ---- dats: the host side ---- */

static pl_err download(pl_dat *dat, int begin, int n, void *values)
{
  pl_context *pl = dat->node.pl;
  pl_event_begin(pl, PL_TOOL_DOWNLOAD, dat->node.name, dat->set->node.name,
                 (double)n * (double)pl_dat_stride(dat));
  pl_err err = pl->backend->data->read(pl, dat, begin, n, values);
  pl_event_end(pl, PL_TOOL_DOWNLOAD);
  PL_TRY(err);
  pl->stats.bytes_from_device += (size_t)n * pl_dat_stride(dat);
  pl->stats.calls_from_device++;
  return PL_SUCCESS;
}

static pl_err download_dat(pl_dat *dat)
{
  PL_TRY(download(dat, 0, dat->set->end[3], dat->storage.host));
  pl_dat_downloaded(dat);
  return PL_SUCCESS;
}

void *pl_dat_host_now(pl_dat *dat, bool overwrite)
{
  const bool zeros = !pl_dat_has_values(dat);
  if (overwrite) pl_failure_clear(dat->node.pl, &dat->node.failure);
  if (pl_storage_alloc_host(dat)) return NULL;
  if (overwrite) return dat->storage.host;
  if (zeros) {
    memset(dat->storage.host, 0, pl_dat_nbytes(dat));
    pl_dat_downloaded(dat);
  }
  return dat->storage.host_stale && download_dat(dat) ? NULL : dat->storage.host;
}

void *pl_dat_host(pl_dat *dat, bool overwrite)
{
  return pl_before_access(&dat->node, overwrite) ? NULL : pl_dat_host_now(dat, overwrite);
}

/* ---- dats: the device side ---- */

static pl_err upload(pl_dat *dat, int begin, int n, const void *values)
{
  pl_context *pl = dat->node.pl;
  pl_event_begin(pl, PL_TOOL_UPLOAD, dat->node.name, dat->set->node.name,
                 (double)n * (double)pl_dat_stride(dat));
  pl_err err = pl->backend->data->write(pl, dat, begin, n, values);
  pl_event_end(pl, PL_TOOL_UPLOAD);
  PL_TRY(err);
  pl->stats.bytes_to_device += (size_t)n * pl_dat_stride(dat);
  pl->stats.calls_to_device++;
  return PL_SUCCESS;
}

pl_err pl_dat_device(pl_dat *dat, bool reads)
{
  pl_context *pl = dat->node.pl;
  PL_TRY(pl_before_access(&dat->node, true));
  PL_TRY(pl_storage_alloc_device(dat));
  if (!reads) pl_failure_clear(pl, &dat->node.failure);
  PL_TRY(pl_failure_repeat(pl, &dat->node.failure));
  if (dat->storage.device_valid || !reads) return PL_SUCCESS;
  PL_TRY(pl_dat_host_is_valid(dat) ? upload(dat, 0, dat->set->end[3], dat->storage.host)
                                   : pl->backend->data->zero(pl, dat));
  pl_dat_uploaded(dat);
  return PL_SUCCESS;
}

pl_state pl_dat_state(const pl_dat *dat)
{
  if (dat) pl_before_access((pl_node *)&dat->node, true);
  if (!dat || !dat->storage.device) return PL_DEVICE_UNALLOCATED;
  if (!dat->storage.host) return PL_HOST_UNALLOCATED;
  return !dat->storage.device_valid ? PL_ON_HOST : dat->storage.host_stale ? PL_ON_DEVICE : PL_ON_BOTH;
}

/* ---- either side ---- */

pl_err pl_dat_acquire(pl_dat *dat, bool reads)
{
  if (pl_dat_on_device(dat)) return pl_dat_device(dat, reads);
  return pl_dat_host(dat, !reads) ? PL_SUCCESS : dat->node.pl->error_code;
}

pl_err pl_dat_allocate_device(pl_dat *dat)
{
  PL_TRY_GIVEN(dat);
  PL_TRY(pl_before_access(&dat->node, true));
  return pl_dat_on_device(dat) ? pl_storage_alloc_device(dat) : PL_SUCCESS;
}

pl_err pl_dat_to_device(pl_dat *dat)
{
  PL_TRY_GIVEN(dat);
  if (dat->writer)
    return pl_fail(dat->node.pl, PL_ERR_STATE,
                   "pl_dat_to_device: a writable %s view of dat \"%s\" is open; close it with %s first",
                   pl_view_kind(dat), dat->node.name, pl_view_end(dat));
  PL_TRY(pl_before_access(&dat->node, true));
  return pl_dat_on_device(dat) ? pl_dat_device(dat, true) : PL_SUCCESS;
}

pl_err pl_dat_from_device(pl_dat *dat)
{
  PL_TRY_GIVEN(dat);
  PL_TRY(pl_before_access(&dat->node, false));
  if (!dat->storage.device_valid) return PL_SUCCESS;
  return pl_dat_host(dat, false) ? PL_SUCCESS : dat->node.pl->error_code;
}

/* ---- parts ---- */

pl_err pl_dat_zero_elements(pl_dat *dat, int begin, int end)
{
  pl_context *pl = dat->node.pl;
  size_t stride = pl_dat_stride(dat);
  if (dat->storage.device_valid) PL_TRY(pl->backend->data->zero_range(pl, dat, begin, end));
  if (pl_dat_host_is_valid(dat))
    memset((char *)dat->storage.host + (size_t)begin * stride, 0, (size_t)(end - begin) * stride);
  return PL_SUCCESS;
}

/* `values` have the dat's type. */
static pl_err write_elements(pl_dat *dat, int begin, int n, const void *values)
{
  size_t stride = pl_dat_stride(dat);
  if (dat->storage.device_valid) {
    PL_TRY(upload(dat, begin, n, values));
    if (!pl_dat_host_is_valid(dat)) return PL_SUCCESS;
  }
  char *host = pl_dat_host_now(dat, n == dat->set->end[3]);
  if (!host) return dat->node.pl->error_code;
  memcpy(host + (size_t)begin * stride, values, (size_t)n * stride);
  return PL_SUCCESS;
}

static pl_err read_elements(pl_dat *dat, int begin, int n, void *values)
{
  size_t stride = pl_dat_stride(dat);
  if (dat->storage.device_valid && !pl_dat_host_is_valid(dat)) return download(dat, begin, n, values);
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

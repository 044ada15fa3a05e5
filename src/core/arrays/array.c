/* SPDX-License-Identifier: BSD-2-Clause
 * Arrays: dats on an anonymous set that is freed with them. Parts are transferred alone.
 */
#include "core/chain/deferred_queue.h"
#include "core/data/layout.h"
#include "core/loop/loop.h"
#include <string.h>

pl_err pl_decl_array(pl_context *pl, int64_t n, int dim, pl_type type, const void *data, const char *name,
                     pl_dat **array)
{
  pl_set *set;
  PL_TRY(pl_context_check(pl));
  PL_TRY(PL_GIVEN_FOR(pl, "pl_decl_array", name, array));
  PL_TRY(pl_decl_set(pl, n, name, &set));
  pl_err err = pl_decl_dat(set, dim, type, data, name, array);
  if (err) {
    pl_set_destroy(&set->node);
    return err;
  }
  set->anonymous = true;
  (*array)->layout = PL_AOS; /* the layout that programs use */
  (*array)->pinned = true;
  return PL_SUCCESS;
}

static pl_err check_array(const pl_dat *dat, const char *what)
{
  pl_context *pl = dat->node.pl;
  if (!dat->set->anonymous)
    return pl_fail(pl, PL_ERR_ARG, "%s: dat \"%s\" is on set \"%s\"; pass an array (pl_decl_array)", what,
                   dat->node.name, dat->set->node.name);
  return pl_dat_check_no_views(dat, what);
}

/* ---- parts ---- */

static pl_err check_part(const pl_dat *dat, const char *what, int64_t offset, int64_t count, pl_type type,
                         const void *values)
{
  pl_context *pl = dat->node.pl;
  int n = dat->set->end[3];
  PL_TRY(check_array(dat, what));
  if (offset < 0 || count < 0 || offset > n || count > n - offset)
    return pl_fail(pl, PL_ERR_RANGE, "%s: %lld elements from %lld on, but array \"%s\" has %d", what,
                   (long long)count, (long long)offset, dat->node.name, n);
  if (!values && count)
    return pl_fail(pl, PL_ERR_ARG, "%s: the values for array \"%s\" are NULL", what, dat->node.name);
  return pl_check_conversion(pl, what, dat->node.name, dat->type, type);
}

/* A range of the array: byte offset and size, number of values, buffer for converted values. */
typedef struct part {
  pl_dat *dat;
  size_t at, bytes, values;
  void *converted; /* NULL: no conversion */
} part;

static pl_err open_part(pl_dat *dat, int64_t offset, int64_t count, pl_type type, part *p)
{
  size_t stride = pl_dat_stride(dat);
  *p = (part){dat, (size_t)offset * stride, (size_t)count * stride, (size_t)count * (size_t)dat->dim, NULL};
  if (type == dat->type) return PL_SUCCESS;
  p->converted = pl_malloc(dat->node.pl, p->bytes);
  return p->converted ? PL_SUCCESS : pl_fail_memory(dat->node.pl, p->bytes);
}

/* A part is transferred alone if the device copy is valid and AoS. */
static bool transfers_alone(const pl_dat *dat)
{
  return dat->device_valid && dat->layout == PL_AOS && dat->node.pl->backend->data;
}

static pl_err write_part(const part *p, const void *values)
{
  pl_dat *dat = p->dat;
  pl_context *pl = dat->node.pl;
  bool all = p->bytes == pl_dat_nbytes(dat), alone = transfers_alone(dat),
       on_host = dat->host && !dat->host_stale;
  if (alone) {
    PL_TRY(pl->backend->data->write(pl, dat, p->at, p->bytes, values));
    pl->stats.bytes_to_device += p->bytes;
    pl->stats.calls_to_device++;
    if (!on_host) return PL_SUCCESS;
  }
  char *host = pl_dat_host(dat, all);
  if (!host) return pl->error_code;
  memcpy(host + p->at, values, p->bytes);
  if (!alone) pl_dat_host_written(dat);
  return PL_SUCCESS;
}

static pl_err read_part(const part *p, void *values)
{
  pl_dat *dat = p->dat;
  pl_context *pl = dat->node.pl;
  if (transfers_alone(dat) && (!dat->host || dat->host_stale)) {
    PL_TRY(pl->backend->data->read(pl, dat, p->at, p->bytes, values));
    pl->stats.bytes_from_device += p->bytes;
    pl->stats.calls_from_device++;
    return PL_SUCCESS;
  }
  char *host = pl_dat_host(dat, false);
  if (!host) return pl->error_code;
  memcpy(values, host + p->at, p->bytes);
  return PL_SUCCESS;
}

pl_err pl_array_write(pl_dat *array, int64_t offset, int64_t count, pl_type type, const void *values)
{
  part p;
  if (!array) return PL_ERR_NULL;
  PL_TRY(check_part(array, "pl_array_write", offset, count, type, values));
  if (!count) return PL_SUCCESS;
  PL_TRY(pl_before_access(&array->node, true));
  PL_TRY(open_part(array, offset, count, type, &p));
  if (p.converted) pl_convert(type, values, array->type, p.converted, p.values);
  pl_err err = write_part(&p, p.converted ? p.converted : values);
  pl_free(array->node.pl, p.converted);
  if (!err) array->version++;
  return err;
}

pl_err pl_array_read(pl_dat *array, int64_t offset, int64_t count, pl_type type, void *values)
{
  part p;
  if (!array) return PL_ERR_NULL;
  PL_TRY(check_part(array, "pl_array_read", offset, count, type, values));
  if (!count) return PL_SUCCESS;
  PL_TRY(pl_before_access(&array->node, false));
  PL_TRY(open_part(array, offset, count, type, &p));
  pl_err err = read_part(&p, p.converted ? p.converted : values);
  if (!err && p.converted) pl_convert(array->type, p.converted, type, values, p.values);
  pl_free(array->node.pl, p.converted);
  return err;
}

/* ---- size ---- */

pl_err pl_array_resize(pl_dat *array, int64_t n)
{
  if (!array) return PL_ERR_NULL;
  pl_context *pl = array->node.pl;
  pl_set *set = array->set;
  PL_TRY(check_array(array, "pl_array_resize"));
  if (set->ref > 1)
    return pl_fail(pl, PL_ERR_STATE,
                   "pl_array_resize: %d other objects are declared on array \"%s\"; free them first",
                   set->ref - 1, array->node.name);
  if (n < 0 || n > INT32_MAX || n > PTRDIFF_MAX / (int64_t)(pl_dat_stride(array) + 1))
    return pl_fail(pl, PL_ERR_RANGE, "pl_array_resize: size %lld of array \"%s\"", (long long)n,
                   array->node.name);
  PL_TRY(pl_flush_all(pl));
  pl_loops_forget(pl, set);
  pl_loops_forget(pl, array);
  pl_notify_resized(pl, set);
  pl_dat_release(array);
  array->host_stale = array->device_valid = false;
  for (int k = 0; k < 4; k++) set->end[k] = (int)n;
  array->version++;
  return PL_SUCCESS;
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Dats: declaration, whole-dat operations, host views.
 * Invariant: an open PL_RW or PL_WRITE view is the only view; `version` grows with every modification.
 */
#include "dat.h"
#include "core/storage/coherence.h"
#include "core/storage/kept_values.h"
#include "core/comm/comm.h"
#include "core/base/scalar_type.h"
#include "core/context/guarded_pages.h"
#include "core/context/memory.h"
#include "core/context/observer.h"
#include "core/mesh/user_order.h"
#include "core/threads/threads.h"
#include "core/tools/tools.h"
#include "declared_rows.h"
#include <string.h>

/* ---- declaring ---- */

static pl_err check_shape(pl_set *set, int rank, const int *shape, pl_type type, const char *name)
{
  pl_context *pl = set->node.pl;
  int64_t dim = 1;
  if (set->parent)
    return pl_fail(pl, PL_ERR_ARG, "dat \"%s\": \"%s\" is a subset; declare the dat on set \"%s\"", name,
                   set->node.name, set->parent->node.name);
  if (!pl_type_size(type)) return pl_fail(pl, PL_ERR_TYPE, "dat \"%s\": %d is not a type", name, (int)type);
  if (rank < 1 || !shape)
    return pl_fail(pl, PL_ERR_ARG, "dat \"%s\": its shape has %d extents, or is NULL; it needs at least 1",
                   name, rank);
  for (int i = 0; i < rank; i++) {
    if (shape[i] < 0)
      return pl_fail(pl, PL_ERR_RANGE, "dat \"%s\": extent %d is negative: %d", name, i, shape[i]);
    dim *= shape[i];
    if (dim > INT32_MAX)
      return pl_fail(pl, PL_ERR_RANGE, "dat \"%s\": more than %d values on an element", name, INT32_MAX);
  }
  if (dim && set->end[3] > PTRDIFF_MAX / (dim * (int64_t)pl_type_size(type)))
    return pl_fail(pl, PL_ERR_RANGE,
                   "dat \"%s\": %lld values on each of %d elements are more than memory can hold", name,
                   (long long)dim, set->end[3]);
  return PL_SUCCESS;
}

static pl_err fill_dat(pl_dat *dat, pl_set *set, int rank, const int *shape, pl_type type, const void *data)
{
  pl_context *pl = dat->node.pl;
  dat->set = set;
  dat->type = type;
  dat->rank = rank;
  dat->dim = 1;
  dat->storage.layout.pack = 1;
  dat->shape = pl_memdup(pl, shape, (size_t)rank * sizeof *shape);
  if (!dat->shape) return pl_fail_memory(pl, (size_t)rank * sizeof *shape);
  for (int i = 0; i < rank; i++) dat->dim *= shape[i];
  if (pl_ranks(pl) > 1) pl_dat_halo_outdated(dat); /* other ranks may pass values */
  if (!data) return PL_SUCCESS;
  if (!pl_dat_host(dat, true)) return PL_ERR_MEMORY;
  int rows = pl_set_rows(set);
  pl_event_begin(pl, PL_TOOL_PLAN, "declare dat", set->node.name, 0);
  pl_from_user_order(set, rows, pl_dat_stride(dat), data, dat->storage.host);
  pl_event_end(pl, PL_TOOL_PLAN);
  size_t halo = (size_t)(set->end[3] - rows) * pl_dat_stride(dat);
  if (halo) memset((char *)dat->storage.host + pl_dat_nbytes(dat) - halo, 0, halo);
  return PL_SUCCESS;
}

pl_err pl_dat_new(pl_set *set, pl_type type, const char *name, pl_dat **result)
{
  const int one = 1;
  pl_dat *dat = pl_node_new(set->node.pl, &set->node.pl->dats, sizeof *dat, name);
  if (!dat) return PL_ERR_MEMORY;
  dat->node.internal = true;
  pl_err err = fill_dat(dat, set, 1, &one, type, NULL);
  set->ref++;
  if (err) return pl_dat_destroy(&dat->node), err;
  *result = dat;
  return PL_SUCCESS;
}

pl_err pl_decl_dat_shape(pl_set *set, int rank, const int *shape, pl_type type, const void *data,
                         const char *name, pl_dat **result)
{
  const char *shown = name ? name : "(unnamed)";
  PL_TRY_GIVEN(set);
  pl_context *pl = set->node.pl;
  pl_err err = PL_GIVEN_FOR(pl, "pl_decl_dat", shown, result);
  if (!err) err = check_shape(set, rank, shape, type, shown);
  pl_dat *dat = err ? NULL : pl_node_new(pl, &pl->dats, sizeof *dat, name);
  if (!err) err = dat ? fill_dat(dat, set, rank, shape, type, data) : PL_ERR_MEMORY;
  if (dat) set->ref++;
  err = pl_agree_on(pl, err, "dat \"%s\" on \"%s\", %s of dim %d", shown, set->node.name,
                    err ? "" : pl_type_name(type), err ? 0 : dat->dim);
  if (err) {
    if (dat) pl_dat_destroy(&dat->node);
    return err;
  }
  *result = dat;
  return PL_SUCCESS;
}

pl_err pl_decl_dat(pl_set *set, int dim, pl_type type, const void *data, const char *name, pl_dat **dat)
{
  return pl_decl_dat_shape(set, 1, &dim, type, data, name, dat);
}

pl_err pl_decl_dat_from(pl_set *set, int dim, pl_type type, pl_type from, const void *data, const char *name,
                        pl_dat **dat)
{
  PL_TRY_GIVEN(set);
  pl_context *pl = set->node.pl;
  size_t n = dim > 0 ? (size_t)dim * (size_t)pl_set_rows(set) : 0;
  pl_err err = pl_check_conversion(pl, "pl_decl_dat_from", name ? name : "(unnamed)", type, from);
  void *values = data && !err ? pl_malloc(pl, n * pl_type_size(type)) : NULL;
  if (data && !err && !values) err = pl_fail_memory(pl, n * pl_type_size(type));
  err = pl_agree(pl, err);
  if (values) pl_convert(from, data, type, values, n);
  if (!err) err = pl_decl_dat(set, dim, type, values, name, dat);
  pl_free(pl, values);
  return err;
}

/* ---- whole dats ---- */

bool pl_dat_view_blocks(const pl_dat *dat, bool writes)
{
  return dat->writer || (dat->readers && writes);
}

pl_err pl_dat_check_no_views(const pl_dat *dat, const char *what)
{
  if (!dat->readers && !dat->writer) return PL_SUCCESS;
  return pl_fail(dat->node.pl, PL_ERR_STATE, "%s: a %s view of dat \"%s\" is open; close it with %s first",
                 what, pl_view_kind(dat), dat->node.name, pl_view_end(dat));
}

pl_err pl_dat_check_no_writer(const pl_dat *dat, const char *what)
{
  if (!dat->writer) return PL_SUCCESS;
  return pl_fail(dat->node.pl, PL_ERR_STATE, "%s: a writable %s view of dat \"%s\" is open", what,
                 pl_view_kind(dat), dat->node.name);
}

pl_err pl_dat_check_like(const char *what, const pl_dat *a, const pl_dat *b)
{
  if (a->set == b->set && a->dim == b->dim) return PL_SUCCESS;
  return pl_fail(b->node.pl, PL_ERR_TYPE,
                 "%s: dat \"%s\" holds %d of %s on \"%s\", but dat \"%s\" holds %d of %s on \"%s\"%s", what,
                 a->node.name, a->dim, pl_type_name(a->type), a->set->node.name, b->node.name, b->dim,
                 pl_type_name(b->type), b->set->node.name,
                 a->set == b->set || strcmp(a->set->node.name, b->set->node.name) ? "" : ", another set");
}

pl_err pl_dat_check_subset(const char *what, const pl_dat *dat, const pl_set *subset)
{
  if (subset == dat->set || subset->parent == dat->set) return PL_SUCCESS;
  return pl_fail(dat->node.pl, PL_ERR_ARG, "%s: \"%s\" is not a subset of \"%s\", the set of dat \"%s\"",
                 what, subset->node.name, dat->set->node.name, dat->node.name);
}

/* By all threads. */
static void zero_host(pl_dat *dat)
{
  const size_t bytes = pl_dat_nbytes(dat);
  const int parts = pl_mesh_threads(dat->node.pl, bytes / sizeof(double));
  const size_t part = bytes / (size_t)parts;
  PL_PARALLEL_FOR(parts)
  for (int i = 0; i < parts; i++)
    memset((char *)dat->storage.host + (size_t)i * part, 0, i + 1 < parts ? part : bytes - (size_t)i * part);
}

pl_err pl_dat_zero_now(pl_dat *dat)
{
  if (dat->storage.device_valid) {
    PL_TRY(dat->node.pl->backend->data->zero(dat->node.pl, dat));
    pl_dat_device_written(dat);
  } else if (pl_dat_host_is_valid(dat)) {
    zero_host(dat);
    pl_dat_host_written(dat);
  }
  pl_failure_clear(dat->node.pl, &dat->node.failure);
  pl_dat_halo_updated(dat, NULL);
  return PL_SUCCESS;
}

pl_err pl_dat_zero_later(pl_dat *dat)
{
  PL_TRY(pl_dat_check_no_views(dat, "pl_dat_zero"));
  PL_TRY(pl_before_access(&dat->node, true));
  if (dat->storage.wrapped)
    PL_TRY(pl_dat_zero_now(dat));
  else
    pl_dat_drop_values(dat);
  pl_failure_clear(dat->node.pl, &dat->node.failure);
  pl_dat_halo_updated(dat, NULL);
  dat->zero_version = ++dat->version;
  return PL_SUCCESS;
}

/* ---- host views ---- */

/* The open view was opened with PLAIT_CHECK. */
static bool view_is_checked(const pl_dat *dat)
{
  return dat->view_pages && dat->user_view == dat->view_pages->values;
}

/* With PLAIT_CHECK a copy has pages of its own, which are protected once the view is closed and kept until
 * the next view: pointers into a closed view find no other data. */
static void *new_copy(pl_dat *dat)
{
  pl_context *pl = dat->node.pl;
  size_t bytes = pl_dat_nbytes(dat);
  if (!pl_opt_flag(pl, PL_OPT_CHECK)) return pl_malloc_array(pl, bytes);
  pl_pages *pages = pl_pages_new(pl, bytes);
  if (!pages) return NULL;
  pl_pages_free(pl, dat->view_pages);
  dat->view_pages = pages;
  return pages->values;
}

/* Copies the values to user order; all open views share the copy. */
static pl_err open_copy(pl_dat *dat, bool overwrite)
{
  pl_context *pl = dat->node.pl;
  bool check = pl_opt_flag(pl, PL_OPT_CHECK);
  if (dat->user_view || (!dat->set->user_order && !check)) return PL_SUCCESS;
  if (dat->storage.host == dat->storage.wrapped) return PL_SUCCESS; /* in user order; the program has it */
  dat->user_view = new_copy(dat);
  if (!dat->user_view) return pl_fail_memory(pl, pl_dat_nbytes(dat));
  if (!overwrite)
    pl_to_user_order(dat->set, dat->set->end[3], pl_dat_stride(dat), dat->storage.host, dat->user_view);
  if (overwrite && check) pl_poison(dat->user_view, pl_dat_nbytes(dat));
  return PL_SUCCESS;
}

static void close_copy(pl_dat *dat)
{
  if (dat->user_view && dat->writer)
    pl_from_user_order(dat->set, dat->set->end[3], pl_dat_stride(dat), dat->user_view, dat->storage.host);
  if (view_is_checked(dat))
    pl_pages_protect(dat->view_pages);
  else
    pl_free_array(dat->node.pl, dat->user_view);
  dat->user_view = NULL;
}

/* The values of owned elements come first. */
static pl_err find_unwritten(const pl_dat *dat)
{
  size_t size = pl_type_size(dat->type), count = (size_t)dat->set->end[1] * (size_t)dat->dim, n = 0;
  while (n < count && !pl_is_poison((const char *)dat->user_view + n * size, size)) n++;
  if (n == count) return PL_SUCCESS;
  int position = (int)(n / (size_t)dat->dim);
  return pl_fail(
    dat->node.pl, PL_ERR_CHECK,
    "dat \"%s\", element %lld, component %d: not written through the PL_WRITE host view; write all "
    "values, or open it with PL_RW",
    dat->node.name, (long long)pl_user_global_index(dat->set, position), (int)(n % (size_t)dat->dim));
}

static pl_err find_changed(const pl_dat *dat)
{
  const size_t stride = pl_dat_stride(dat);
  for (int p = 0; p < dat->set->end[3]; p++) {
    const char *stored = (const char *)dat->storage.host + (size_t)pl_user_to_storage(dat->set, p) * stride;
    if (memcmp((const char *)dat->user_view + (size_t)p * stride, stored, stride))
      return pl_fail(dat->node.pl, PL_ERR_CHECK,
                     "dat \"%s\", element %lld: changed through a PL_READ host view; open it with PL_RW",
                     dat->node.name, (long long)pl_user_global_index(dat->set, p));
  }
  return PL_SUCCESS;
}

pl_err pl_dat_get(pl_dat *dat, pl_access access, void **data)
{
  PL_TRY(PL_GIVEN(pl_context_of(dat), "pl_dat_get", dat, data));
  pl_context *pl = dat->node.pl;
  if (access != PL_READ && access != PL_RW && access != PL_WRITE)
    return pl_fail(pl, PL_ERR_ACCESS, "pl_dat_get of \"%s\": the access must be PL_READ, PL_RW or PL_WRITE",
                   dat->node.name);
  if (pl_dat_view_blocks(dat, access != PL_READ)) return pl_dat_check_no_views(dat, "pl_dat_get");
  PL_TRY(pl_before_access(&dat->node, access != PL_READ));
  if (access == PL_RW) PL_TRY(pl_failure_repeat(pl, &dat->node.failure));
  if (access != PL_WRITE) PL_TRY(pl_dat_check_kept(dat));
  if (!pl_dat_host_now(dat, access == PL_WRITE)) return pl->error_code;
  PL_TRY(open_copy(dat, access == PL_WRITE));
  if (access == PL_READ) {
    dat->readers++;
  } else {
    dat->writer = true;
    dat->poisoned = access == PL_WRITE && view_is_checked(dat);
    pl_dat_host_written(dat);
    pl_dat_changed(dat);
  }
  *data = dat->user_view ? dat->user_view : dat->storage.host;
  return PL_SUCCESS;
}

pl_err pl_dat_put(pl_dat *dat)
{
  PL_TRY_GIVEN(dat);
  pl_context *pl = dat->node.pl;
  if (dat->writer && !dat->device_views) {
    pl_err err = dat->poisoned ? find_unwritten(dat) : PL_SUCCESS;
    close_copy(dat);
    dat->writer = false;
    return err;
  }
  if (dat->writer || dat->readers == dat->device_views)
    return pl_fail(pl, PL_ERR_STATE, "pl_dat_put: no host view of dat \"%s\" is open", dat->node.name);
  pl_err err = view_is_checked(dat) ? find_changed(dat) : PL_SUCCESS;
  dat->readers--;
  if (dat->readers == dat->device_views) close_copy(dat);
  return err;
}

static pl_err fetch(pl_dat *dat, void *data)
{
  if (dat->writer) return pl_dat_check_no_views(dat, "pl_dat_fetch");
  if (!pl_dat_host(dat, false)) return dat->node.pl->error_code;
  if (pl_ranks(dat->node.pl) > 1) return pl_rows_fetch(dat, data);
  pl_to_user_order(dat->set, dat->set->end[1], pl_dat_stride(dat), dat->storage.host, data);
  return PL_SUCCESS;
}

pl_err pl_dat_fetch_as(pl_dat *dat, pl_type type, void *data)
{
  PL_TRY_GIVEN(dat);
  pl_context *pl = dat->node.pl;
  pl_err err = pl_check_values(&dat->node, "pl_dat_fetch", dat->type, &type, data);
  if (!err) err = pl_dat_check_kept(dat);
  PL_TRY(pl_agree_on_error(pl, err));
  if (type == dat->type) return fetch(dat, data);
  size_t n = (size_t)pl_rows_fetched(dat->set) * (size_t)dat->dim;
  void *values = pl_malloc(pl, n * pl_type_size(dat->type));
  if (!values) return pl_agree_on_error(pl, pl_fail_memory(pl, n * pl_type_size(dat->type)));
  err = fetch(dat, values);
  if (!err) pl_convert(dat->type, values, type, data, n);
  pl_free(pl, values);
  return err;
}

pl_err(pl_dat_fetch)(pl_dat *dat, void *data)
{
  return pl_dat_fetch_as(dat, PL_TYPE_COUNT, data);
}

/* ---- reading and freeing ---- */

uint64_t pl_dat_version(const pl_dat *dat)
{
  if (dat) pl_before_access((pl_node *)&dat->node, false);
  return dat ? dat->version : 0;
}

pl_set *pl_dat_set(const pl_dat *dat)
{
  return dat ? dat->set : NULL;
}

int pl_dat_dim(const pl_dat *dat)
{
  return dat ? dat->dim : 0;
}

pl_type pl_dat_type(const pl_dat *dat)
{
  return dat ? dat->type : PL_TYPE_COUNT;
}

const char *pl_dat_name(const pl_dat *dat)
{
  return dat ? dat->node.name : "";
}

size_t pl_dat_host_bytes(const pl_dat *dat)
{
  if (dat) pl_before_access((pl_node *)&dat->node, true);
  return dat && dat->storage.host && dat->storage.host != dat->storage.wrapped ? pl_dat_room_bytes(dat) : 0;
}

void pl_dat_destroy(pl_node *node)
{
  pl_dat *dat = (pl_dat *)node;
  pl_notify_freed(node->pl, PL_OBJECT_DAT, node);
  dat->writer = false;
  close_copy(dat);
  if (dat->release) dat->release(dat->owner);
  pl_pages_free(node->pl, dat->view_pages);
  if (dat->set) {
    dat->set->ref--;
    pl_dat_release(dat);
    if (dat->set->anonymous && !dat->set->ref) pl_set_destroy(&dat->set->node);
  }
  pl_free(node->pl, dat->shape);
  pl_node_free(node);
}

void pl_dat_free(pl_dat **handle)
{
  if (!handle || !*handle) return;
  pl_dat *dat = *handle;
  *handle = NULL;
  if (dat->matrix)
    pl_log(dat->node.pl, 0, "pl_dat_free: dat \"%s\" belongs to a matrix and stays until pl_mat_free",
           dat->node.name);
  else
    pl_dat_destroy(&dat->node);
}

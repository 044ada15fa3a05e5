/* SPDX-License-Identifier: BSD-2-Clause
 * Dats: declaration, whole-dat operations, host views, versions.
 * Invariant: an open PL_RW or PL_WRITE view is the only view; `version` grows with every modification.
 */
#include "fetch.h"
#include "hash.h"
#include "chain.h"
#include "loop.h"
#include "pairs.h"
#include "program.h"
#include <string.h>

/* ---- declaring ---- */

size_t pl_dat_stride(const pl_dat *dat)
{
  return (size_t)dat->dim * pl_type_size(dat->type);
}

size_t pl_dat_nbytes(const pl_dat *dat)
{
  return dat ? (size_t)dat->set->part[3] * pl_dat_stride(dat) : 0;
}

size_t pl_dat_room_bytes(const pl_dat *dat)
{
  return (size_t)pl_set_room(dat->set) * pl_dat_stride(dat);
}

static pl_err check_shape(pl_set *set, int rank, const int *shape, pl_type type, const char *name)
{
  pl_context *pl = set->node.pl;
  int64_t dim = 1;
  if (set->parent)
    return pl_fail(pl, PL_ERR_ARG, "dat \"%s\": \"%s\" is a subset; declare the dat on set \"%s\"", name,
                   set->node.name, set->parent->node.name);
  if (!pl_type_size(type)) return pl_fail(pl, PL_ERR_TYPE, "dat \"%s\": %d is not a type", name, (int)type);
  if (rank < 1 || !shape) return pl_fail(pl, PL_ERR_ARG, "dat \"%s\": a shape of %d extents", name, rank);
  for (int i = 0; i < rank; i++) {
    if (shape[i] < 0) return pl_fail(pl, PL_ERR_RANGE, "dat \"%s\": extent %d is %d", name, i, shape[i]);
    dim *= shape[i];
    if (dim > INT32_MAX)
      return pl_fail(pl, PL_ERR_RANGE, "dat \"%s\": more than %d values on an element", name, INT32_MAX);
  }
  if (dim && set->part[3] > PTRDIFF_MAX / (dim * (int64_t)pl_type_size(type)))
    return pl_fail(pl, PL_ERR_RANGE,
                   "dat \"%s\": %lld values on each of %d elements are more than memory can hold", name,
                   (long long)dim, set->part[3]);
  return PL_SUCCESS;
}

static pl_err fill_dat(pl_dat *dat, pl_set *set, int rank, const int *shape, pl_type type, const void *data)
{
  pl_context *pl = dat->node.pl;
  dat->set = set;
  dat->type = type;
  dat->rank = rank;
  dat->dim = 1;
  dat->pack = 1;
  dat->shape = pl_memdup(pl, shape, (size_t)rank * sizeof *shape);
  if (!dat->shape) return pl_fail_memory(pl, (size_t)rank * sizeof *shape);
  for (int i = 0; i < rank; i++) dat->dim *= shape[i];
  dat->halo_stale = pl_ranks(pl) > 1; /* other ranks may come with values */
  if (!data) return PL_SUCCESS;
  if (!pl_dat_host(dat, true)) return PL_ERR_MEMORY;
  int rows = pl_set_rows(set);
  pl_view_in(set, rows, pl_dat_stride(dat), data, dat->host);
  size_t halo = (size_t)(set->part[3] - rows) * pl_dat_stride(dat);
  if (halo) memset((char *)dat->host + pl_dat_nbytes(dat) - halo, 0, halo);
  return PL_SUCCESS;
}

pl_err pl_dat_new(pl_set *set, pl_type type, const char *name, pl_dat **result)
{
  const int one = 1;
  pl_dat *dat = pl_node_new(set->node.pl, &set->node.pl->dats, sizeof *dat, name);
  if (!dat) return PL_ERR_MEMORY;
  pl_err err = fill_dat(dat, set, 1, &one, type, NULL);
  set->ref++;
  if (err)
    pl_dat_destroy(&dat->node);
  else
    *result = dat;
  return err;
}

pl_err pl_decl_dat_shape(pl_set *set, int rank, const int *shape, pl_type type, const void *data,
                         const char *name, pl_dat **result)
{
  const char *shown = name ? name : "(unnamed)";
  if (!set) return PL_ERR_ARG;
  pl_context *pl = set->node.pl;
  pl_err err = result ? check_shape(set, rank, shape, type, shown)
                      : pl_fail(pl, PL_ERR_ARG, "dat \"%s\": a pointer is NULL", shown);
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

/* ---- whole values ---- */

static pl_err check_no_views(const pl_dat *dat, const char *what)
{
  if (!dat->readers && !dat->writer) return PL_SUCCESS;
  return pl_fail(dat->node.pl, PL_ERR_STATE,
                 "%s: a host view of dat \"%s\" is open; close it with pl_dat_put first", what,
                 dat->node.name);
}

static pl_err check_no_writer(const pl_dat *dat, const char *what)
{
  if (!dat->writer) return PL_SUCCESS;
  return pl_fail(dat->node.pl, PL_ERR_STATE, "%s: a writable host view of dat \"%s\" is open", what,
                 dat->node.name);
}

static pl_err copy_on_device(pl_dat *from, pl_dat *to)
{
  pl_context *pl = to->node.pl;
  PL_TRY(pl_dat_device(to, false));
  PL_TRY(pl->backend->dat_copy(pl, from, to));
  pl_dat_device_written(to);
  return PL_SUCCESS;
}

static pl_err copy_on_host(pl_dat *from, pl_dat *to)
{
  void *source = pl_dat_host(from, false), *target = source ? pl_dat_host(to, true) : NULL;
  if (!target) return to->node.pl->error_code;
  memcpy(target, source, pl_dat_nbytes(to));
  pl_dat_host_written(to);
  return PL_SUCCESS;
}

static pl_err copy_now(pl_dat *from, pl_dat *to)
{
  PL_TRY(from == to ? PL_SUCCESS : from->device_valid ? copy_on_device(from, to) : copy_on_host(from, to));
  to->halo_stale = from->halo_stale;
  return PL_SUCCESS;
}

/* What is recorded runs for the owned elements, and ranks exchange the others: those that a program has
 * declared on one rank (pl_decl_set_parts) nobody would bring. */
static bool is_recorded(const pl_dat *dat)
{
  const pl_set *set = dat->set;
  return pl_late_records(dat->node.pl) && (pl_ranks(dat->node.pl) > 1 || set->part[1] == set->part[3]);
}

pl_err pl_dat_check_like(const char *what, const pl_dat *a, const pl_dat *b)
{
  if (a->set == b->set && a->dim == b->dim && a->type == b->type) return PL_SUCCESS;
  return pl_fail(b->node.pl, PL_ERR_TYPE,
                 "%s: dat \"%s\" holds %d of %s on \"%s\", but dat \"%s\" holds %d of %s on \"%s\"%s", what,
                 a->node.name, a->dim, pl_type_name(a->type), a->set->node.name, b->node.name, b->dim,
                 pl_type_name(b->type), b->set->node.name,
                 a->set == b->set || strcmp(a->set->node.name, b->set->node.name) ? "" : ", another set");
}

pl_err pl_dat_check_subset(const char *what, const pl_dat *dat, const pl_set *subset)
{
  if (subset == dat->set || subset->parent == dat->set) return PL_SUCCESS;
  return pl_fail(dat->node.pl, PL_ERR_ARG, "%s: \"%s\" is not a subset of \"%s\", where dat \"%s\" lives",
                 what, subset->node.name, dat->set->node.name, dat->node.name);
}

static pl_err check_alike(const pl_dat *from, const pl_dat *to)
{
  bool arrays = from->set->anonymous && to->set->anonymous;
  if (arrays && from->set->part[3] != to->set->part[3])
    return pl_fail(to->node.pl, PL_ERR_TYPE, "pl_dat_copy: array \"%s\" has %d elements, array \"%s\" has %d",
                   from->node.name, from->set->part[3], to->node.name, to->set->part[3]);
  if (arrays && from->dim == to->dim && from->type == to->type) return PL_SUCCESS;
  return pl_dat_check_like("pl_dat_copy", from, to);
}

pl_err pl_dat_copy(pl_dat *from, pl_dat *to)
{
  if (!from || !to) return pl_fail(from ? from->node.pl : NULL, PL_ERR_ARG, "pl_dat_copy: a dat is NULL");
  PL_TRY(check_alike(from, to));
  PL_TRY(check_no_writer(from, "pl_dat_copy"));
  PL_TRY(check_no_views(to, "pl_dat_copy"));
  if (from->set == to->set && from != to && is_recorded(to)) return pl_late_copy(from, to);
  PL_TRY(pl_late_touch(&from->node, false));
  PL_TRY(pl_late_touch(&to->node, true));
  if (pl_chain_rehearses(to->node.pl)) return PL_SUCCESS;
  PL_TRY(copy_now(from, to));
  to->version++;
  return PL_SUCCESS;
}

/* The values are copied at once, by each rank if it has any, and not by a loop, which all would have to run.
 */
pl_err pl_dat_duplicate(pl_dat *dat, const char *name, pl_dat **copy)
{
  if (!dat || !copy)
    return pl_fail(dat ? dat->node.pl : NULL, PL_ERR_ARG, "pl_dat_duplicate: a pointer is NULL");
  PL_TRY(check_no_writer(dat, "pl_dat_duplicate"));
  PL_TRY(pl_late_touch(&dat->node, false));
  PL_TRY(pl_decl_dat_shape(dat->set, dat->rank, dat->shape, dat->type, NULL, name, copy));
  pl_err err = dat->host || dat->device_valid ? copy_now(dat, *copy) : PL_SUCCESS;
  if (err) pl_dat_free(copy);
  return err;
}

pl_err pl_dat_zero(pl_dat *dat)
{
  if (!dat) return PL_ERR_ARG;
  PL_TRY(check_no_views(dat, "pl_dat_zero"));
  if (is_recorded(dat)) return pl_late_zero(dat, dat->set);
  PL_TRY(pl_late_touch(&dat->node, true));
  if (pl_chain_rehearses(dat->node.pl)) return PL_SUCCESS;
  PL_TRY(pl_dat_zero_now(dat));
  dat->version++;
  return PL_SUCCESS;
}

pl_err pl_dat_zero_now(pl_dat *dat)
{
  if (dat->device_valid) {
    PL_TRY(dat->node.pl->backend->dat_zero(dat->node.pl, dat));
    pl_dat_device_written(dat);
  } else if (dat->host) {
    memset(dat->host, 0, pl_dat_nbytes(dat));
  }
  dat->halo_stale = false;
  return PL_SUCCESS;
}

static pl_err zero_on_device(pl_dat *dat, pl_set *subset)
{
  PL_TRY(dat->node.pl->backend->dat_zero_subset(dat->node.pl, dat, subset));
  pl_dat_device_written(dat);
  return PL_SUCCESS;
}

static pl_err zero_on_host(pl_dat *dat, const pl_set *subset)
{
  char *host = pl_dat_host(dat, false);
  if (!host) return dat->node.pl->error_code;
  size_t stride = pl_dat_stride(dat);
  for (int i = 0; i < subset->part[3]; i++) memset(host + (size_t)subset->indices[i] * stride, 0, stride);
  pl_dat_host_written(dat);
  return PL_SUCCESS;
}

pl_err pl_dat_zero_subset(pl_dat *dat, pl_set *subset)
{
  if (!dat || !subset)
    return pl_fail(dat ? dat->node.pl : NULL, PL_ERR_ARG, "pl_dat_zero_subset: a pointer is NULL");
  if (subset == dat->set) return pl_dat_zero(dat);
  PL_TRY(pl_dat_check_subset("pl_dat_zero_subset", dat, subset));
  PL_TRY(check_no_views(dat, "pl_dat_zero_subset"));
  if (is_recorded(dat)) return pl_late_zero(dat, subset);
  PL_TRY(pl_late_touch(&dat->node, true));
  if (pl_chain_rehearses(dat->node.pl)) return PL_SUCCESS;
  PL_TRY(dat->device_valid ? zero_on_device(dat, subset) : zero_on_host(dat, subset));
  dat->version++;
  return PL_SUCCESS;
}

/* ---- host views ---- */

/* What the open view shows: the host storage itself, or, in another order, a copy of it. */
static void *shown(const pl_dat *dat)
{
  return dat->shown ? dat->shown : dat->host;
}

static uint64_t checksum(const pl_dat *dat)
{
  return pl_hash(PL_HASH_START, shown(dat), pl_dat_nbytes(dat));
}

/* The copy that the views of a dat on a set with a view of its own share. */
static pl_err open_copy(pl_dat *dat, bool overwrite)
{
  pl_context *pl = dat->node.pl;
  if (!dat->set->view || dat->shown) return PL_SUCCESS;
  dat->shown = pl_malloc_array(pl, pl_dat_nbytes(dat));
  if (!dat->shown) return pl_fail_memory(pl, pl_dat_nbytes(dat));
  if (!overwrite) pl_view_out(dat->set, dat->set->part[3], pl_dat_stride(dat), dat->host, dat->shown);
  return PL_SUCCESS;
}

static void close_copy(pl_dat *dat)
{
  if (dat->shown && dat->writer)
    pl_view_in(dat->set, dat->set->part[3], pl_dat_stride(dat), dat->shown, dat->host);
  pl_free_array(dat->node.pl, dat->shown);
  dat->shown = NULL;
}

pl_err pl_dat_get(pl_dat *dat, pl_access access, void **data)
{
  if (!dat || !data) return pl_fail(dat ? dat->node.pl : NULL, PL_ERR_ARG, "pl_dat_get: a pointer is NULL");
  pl_context *pl = dat->node.pl;
  if (access != PL_READ && access != PL_RW && access != PL_WRITE)
    return pl_fail(pl, PL_ERR_ACCESS, "pl_dat_get of \"%s\": the access must be PL_READ, PL_RW or PL_WRITE",
                   dat->node.name);
  if (dat->writer || (dat->readers && access != PL_READ)) return check_no_views(dat, "pl_dat_get");
  PL_TRY(pl_late_touch(&dat->node, access != PL_READ));
  if (!pl_dat_host_now(dat, access == PL_WRITE)) return pl->error_code;
  PL_TRY(open_copy(dat, access == PL_WRITE));
  if (access == PL_READ) {
    if (!dat->readers) dat->checksum = pl_opt_flag(pl, PL_OPT_CHECK) ? checksum(dat) : 0;
    dat->readers++;
  } else {
    dat->writer = true;
    pl_dat_host_written(dat);
    dat->halo_stale = true;
    dat->version++;
  }
  *data = shown(dat);
  return PL_SUCCESS;
}

pl_err pl_dat_put(pl_dat *dat)
{
  if (!dat) return PL_ERR_ARG;
  pl_context *pl = dat->node.pl;
  if (dat->writer) {
    close_copy(dat);
    dat->writer = false;
    return PL_SUCCESS;
  }
  if (!dat->readers)
    return pl_fail(pl, PL_ERR_STATE, "pl_dat_put: no host view of dat \"%s\" is open", dat->node.name);
  bool changed = dat->checksum && pl_opt_flag(pl, PL_OPT_CHECK) && checksum(dat) != dat->checksum;
  dat->readers--;
  if (!dat->readers) close_copy(dat);
  if (changed)
    return pl_fail(pl, PL_ERR_CHECK, "dat \"%s\" was changed through a PL_READ host view; open it with PL_RW",
                   dat->node.name);
  return PL_SUCCESS;
}

pl_err pl_dat_fetch(pl_dat *dat, void *data)
{
  if (!dat || !data) return pl_fail(dat ? dat->node.pl : NULL, PL_ERR_ARG, "pl_dat_fetch: a pointer is NULL");
  if (dat->writer) return check_no_views(dat, "pl_dat_fetch");
  if (!pl_dat_host(dat, false)) return dat->node.pl->error_code;
  if (pl_ranks(dat->node.pl) > 1) return pl_rows_fetch(dat, data);
  pl_view_out(dat->set, dat->set->part[1], pl_dat_stride(dat), dat->host, data);
  return PL_SUCCESS;
}

/* ---- reading and freeing ---- */

uint64_t pl_dat_version(const pl_dat *dat)
{
  if (dat) pl_late_touch((pl_node *)&dat->node, false);
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
  if (dat) pl_late_touch((pl_node *)&dat->node, true);
  return dat && dat->host ? pl_dat_room_bytes(dat) : 0;
}

void pl_dat_destroy(pl_node *node)
{
  pl_dat *dat = (pl_dat *)node;
  pl_loops_forget(node->pl, dat);
  pl_pairs_forget(node->pl, dat);
  pl_free_array(node->pl, dat->shown);
  pl_entries_forget(node->pl, dat);
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
  pl_dat_destroy(&(*handle)->node);
  *handle = NULL;
}

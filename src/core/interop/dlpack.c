/* SPDX-License-Identifier: BSD-2-Clause
 * Dats as tensors of DLPack, which are open views, and tensors as dats, which wrap their memory. Invariant: a
 * tensor may be deleted after its dat and its context were freed.
 */
#include "dlpack.h"
#include "core/base/scalar_type.h"
#include "core/comm/comm.h"
#include "core/mesh/set.h"
#include "tensor_format.h"
#include "wrap.h"

/* ---- dats as tensors ---- */

/* A tensor that was handed out. It has no context, but the context's allocator. */
typedef struct pl_export {
  struct pl_export *next; /* of the dat */
  pl_dat *dat;            /* NULL once it was freed */
  bool on_device;
  pl_realloc_fn realloc;
  void *realloc_user;
  size_t size;
  DLManagedTensor unversioned; /* one of the two was handed out */
  DLManagedTensorVersioned versioned;
  int64_t extents[]; /* shape, strides */
} pl_export;

static void delete_export(pl_export *e)
{
  if (e->dat) {
    pl_export **link = &e->dat->exports;
    while (*link != e) link = &(*link)->next;
    *link = e->next;
    (void)(e->on_device ? pl_dat_put_device(e->dat) : pl_dat_put(e->dat)); /* pl_errmsg has the error */
  }
  e->realloc(e->realloc_user, e, e->size, 0);
}

static void delete_unversioned(DLManagedTensor *tensor)
{
  if (tensor) delete_export(tensor->manager_ctx);
}

static void delete_versioned(DLManagedTensorVersioned *tensor)
{
  if (tensor) delete_export(tensor->manager_ctx);
}

static pl_export *new_export(pl_dat *dat, int ndim)
{
  pl_context *pl = dat->node.pl;
  const size_t size = sizeof(pl_export) + 2 * (size_t)ndim * sizeof(int64_t);
  pl_export *e = pl->realloc(pl->realloc_user, NULL, 0, size);
  if (!e) return pl_fail_memory(pl, size), NULL;
  *e = (pl_export){.dat = dat,
                   .on_device = pl_dat_on_device(dat),
                   .realloc = pl->realloc,
                   .realloc_user = pl->realloc_user,
                   .size = size,
                   .unversioned = {.manager_ctx = e, .deleter = delete_unversioned},
                   .versioned = {.version = {1, 0}, .manager_ctx = e, .deleter = delete_versioned}};
  return e;
}

static pl_err check_exported(const pl_dat *dat, DLDevice device)
{
  if (device.device_type) return PL_SUCCESS;
  return pl_fail(dat->node.pl, PL_ERR_BACKEND,
                 "pl_dat_to_dlpack of \"%s\": device memory of backend \"%s\" has no address; use "
                 "pl_dat_get_device or pl_dat_get",
                 dat->node.name, dat->node.pl->backend->name);
}

/* Shape and strides of the open view at `data`. */
static pl_err describe(pl_export *e, int ndim, DLDevice device, void *data)
{
  const pl_dat *dat = e->dat;
  int64_t *shape = e->extents, *strides = shape + ndim;
  const pl_layout layout = e->on_device ? dat->storage.layout : (pl_layout){PL_AOS, 1};
  shape[0] = dat->set->end[3];
  for (int k = 1; k < ndim; k++) shape[k] = dat->shape[k - 1];
  if (!pl_tensor_strides(layout, dat->type, pl_set_room(dat->set), ndim, shape, strides))
    return pl_fail(
      dat->node.pl, PL_ERR_STATE,
      "pl_dat_to_dlpack of \"%s\": its layout on the device has tiles or packs, which strides cannot "
      "describe; set layout aos or soa by pl_dat_set_layout",
      dat->node.name);
  e->unversioned.dl_tensor = e->versioned.dl_tensor = (DLTensor){.data = data,
                                                                 .device = device,
                                                                 .ndim = ndim,
                                                                 .dtype = pl_tensor_type(dat->type),
                                                                 .shape = shape,
                                                                 .strides = strides};
  return PL_SUCCESS;
}

/* The view is open and its values are complete. */
static pl_err open_view(pl_export *e, pl_access access, void **data)
{
  pl_context *pl = e->dat->node.pl;
  if (!e->on_device) return pl_dat_get(e->dat, access, data);
  PL_TRY(pl_dat_get_device(e->dat, access, data, NULL));
  pl_err err = pl->backend->sync(pl);
  if (err) (void)pl_dat_put_device(e->dat);
  return err;
}

static pl_err export_dat(pl_dat *dat, pl_access access, pl_export **result)
{
  const DLDevice device = pl_tensor_device(dat->node.pl, pl_dat_on_device(dat));
  const int ndim = pl_tensor_ndim(dat->rank, dat->shape);
  void *data;
  PL_TRY(check_exported(dat, device));
  if (pl_dat_on_device(dat)) PL_TRY(pl_dat_pin_layout(dat));
  pl_export *e = new_export(dat, ndim);
  if (!e) return PL_ERR_MEMORY;
  pl_err err = describe(e, ndim, device, NULL);
  if (!err) err = open_view(e, access, &data);
  if (err) {
    e->realloc(e->realloc_user, e, e->size, 0);
    return err;
  }
  e->unversioned.dl_tensor.data = e->versioned.dl_tensor.data = data;
  e->versioned.flags = access == PL_READ ? DLPACK_FLAG_BITMASK_READ_ONLY : 0;
  e->next = dat->exports;
  dat->exports = *result = e;
  return PL_SUCCESS;
}

pl_err pl_dat_to_dlpack(pl_dat *dat, pl_access access, DLManagedTensorVersioned **tensor)
{
  pl_export *e;
  PL_TRY(PL_GIVEN(pl_context_of(dat), "pl_dat_to_dlpack", dat, tensor));
  PL_TRY(export_dat(dat, access, &e));
  *tensor = &e->versioned;
  return PL_SUCCESS;
}

pl_err pl_dat_to_dlpack_unversioned(pl_dat *dat, pl_access access, DLManagedTensor **tensor)
{
  pl_export *e;
  PL_TRY(PL_GIVEN(pl_context_of(dat), "pl_dat_to_dlpack_unversioned", dat, tensor));
  PL_TRY(export_dat(dat, access, &e));
  *tensor = &e->unversioned;
  return PL_SUCCESS;
}

static void forget_dat(pl_context *pl, pl_object_kind kind, void *object)
{
  (void)pl;
  if (kind != PL_OBJECT_DAT) return;
  for (pl_export *e = ((pl_dat *)object)->exports; e; e = e->next) e->dat = NULL;
}

const pl_observer pl_dlpack_observer = {.object_freed = forget_dat};

/* ---- tensors as dats ---- */

enum { MOST_EXTENTS = 32 };

static const char import_name[] = "pl_dat_from_dlpack";

/* The extents of an element: those of the tensor but the first. */
static pl_err read_shape(const pl_set *set, const DLTensor *t, const char *name, int *rank, int *shape)
{
  pl_context *pl = set->node.pl;
  if (t->ndim < 1 || t->ndim > MOST_EXTENTS || t->shape[0] != set->end[3])
    return pl_fail(
      pl, PL_ERR_RANGE,
      "%s: dat \"%s\": the tensor has %d extents, the first %lld; it needs 1 to %d, the first the "
      "%d elements of set \"%s\"",
      import_name, name, (int)t->ndim, t->ndim > 0 ? (long long)t->shape[0] : 0LL, MOST_EXTENTS, set->end[3],
      set->node.name);
  *rank = t->ndim > 1 ? t->ndim - 1 : 1;
  shape[0] = 1;
  for (int k = 1; k < t->ndim; k++) {
    if (t->shape[k] < 0 || t->shape[k] > INT32_MAX)
      return pl_fail(pl, PL_ERR_RANGE, "%s: dat \"%s\": extent %d of the tensor is %lld", import_name, name,
                     k, (long long)t->shape[k]);
    shape[k - 1] = (int)t->shape[k];
  }
  return PL_SUCCESS;
}

static pl_err find_side(const pl_set *set, const DLTensor *t, const char *name, pl_wrapping *w)
{
  pl_context *pl = set->node.pl;
  const DLDevice device = pl_tensor_device(pl, pl->backend->data != NULL);
  w->on_device = t->device.device_type != kDLCPU;
  w->memory = t->data ? (char *)t->data + t->byte_offset : NULL;
  if (!w->on_device || (pl->backend->data && t->device.device_type == device.device_type &&
                        t->device.device_id == device.device_id))
    return PL_SUCCESS;
  return pl_fail(
    pl, PL_ERR_ARG,
    "%s: dat \"%s\": the tensor is on device %d of DLPack's kind %d, which is not the device of backend "
    "\"%s\"",
    import_name, name, (int)t->device.device_id, (int)t->device.device_type, pl->backend->name);
}

/* The layout whose strides the tensor has. */
static pl_err find_layout(const pl_set *set, const DLTensor *t, pl_type type, const char *name,
                          pl_wrapping *w)
{
  int64_t strides[MOST_EXTENTS];
  const pl_layout layouts[] = {{PL_AOS, 1}, {PL_SOA, pl_type_is_complex(type) ? 2 : 1}};
  for (int i = 0; i < (w->on_device ? 2 : 1); i++) {
    w->layout = layouts[i];
    pl_tensor_strides(w->layout, type, set->end[3], t->ndim, t->shape, strides);
    if (pl_tensor_has_strides(t, strides)) return PL_SUCCESS;
  }
  return pl_fail(
    set->node.pl, PL_ERR_ARG,
    "%s: dat \"%s\": the strides of the tensor are not those of rows without gaps%s; copy it first",
    import_name, name, w->on_device ? ", nor of components" : "");
}

static pl_err import_tensor(pl_err err, pl_set *set, const DLTensor *t, void (*release)(void *), void *owner,
                            const char *name, pl_dat **dat)
{
  const char *shown = name ? name : "(unnamed)";
  int shape[MOST_EXTENTS] = {1}, rank = 1;
  pl_wrapping w = {.layout = {PL_AOS, 1}};
  pl_type type = PL_TYPE_COUNT;
  PL_TRY(pl_agree(set->node.pl, err));
  PL_TRY(pl_notify_distribute(set->node.pl)); /* it defines the number of elements */
  type = pl_type_of_tensor(t->dtype);
  if (type == PL_TYPE_COUNT)
    err =
      pl_fail(set->node.pl, PL_ERR_TYPE, "%s: dat \"%s\": dats have no type of DLPack's code %d with %d bits",
              import_name, shown, t->dtype.code, t->dtype.bits);
  if (!err) err = read_shape(set, t, shown, &rank, shape);
  if (!err) err = find_side(set, t, shown, &w);
  if (!err) err = find_layout(set, t, type, shown, &w);
  PL_TRY(pl_wrap(import_name, err, set, rank, shape, type, &w, name, dat));
  (*dat)->release = release;
  (*dat)->owner = owner;
  return PL_SUCCESS;
}

static void release_versioned(void *owner)
{
  DLManagedTensorVersioned *tensor = owner;
  if (tensor->deleter) tensor->deleter(tensor);
}

static void release_unversioned(void *owner)
{
  DLManagedTensor *tensor = owner;
  if (tensor->deleter) tensor->deleter(tensor);
}

static pl_err check_versioned(pl_context *pl, const DLManagedTensorVersioned *tensor, const char *name)
{
  if (tensor->version.major != 1)
    return pl_fail(pl, PL_ERR_ARG,
                   "%s: dat \"%s\": the tensor has version %u.%u of DLPack; this library knows 1",
                   import_name, name, (unsigned)tensor->version.major, (unsigned)tensor->version.minor);
  if (tensor->flags & DLPACK_FLAG_BITMASK_READ_ONLY)
    return pl_fail(pl, PL_ERR_ACCESS, "%s: dat \"%s\": the tensor is read-only; copy it first", import_name,
                   name);
  return PL_SUCCESS;
}

pl_err pl_dat_from_dlpack(pl_set *set, DLManagedTensorVersioned *tensor, const char *name, pl_dat **dat)
{
  PL_TRY_GIVEN(set);
  const char *shown = name ? name : "(unnamed)";
  pl_err err = PL_GIVEN_FOR(set->node.pl, import_name, shown, tensor, dat);
  if (!err) err = check_versioned(set->node.pl, tensor, shown);
  return import_tensor(err, set, err ? NULL : &tensor->dl_tensor, release_versioned, tensor, name, dat);
}

pl_err pl_dat_from_dlpack_unversioned(pl_set *set, DLManagedTensor *tensor, const char *name, pl_dat **dat)
{
  PL_TRY_GIVEN(set);
  pl_err err = PL_GIVEN_FOR(set->node.pl, import_name, name ? name : "(unnamed)", tensor, dat);
  return import_tensor(err, set, err ? NULL : &tensor->dl_tensor, release_unversioned, tensor, name, dat);
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Compressed rows on a CUDA device.
 */
#include "device_rows.h"
#include "core/comm/comm.h"
#include "core/context/observer.h"
#include "core/data/objects.h"
#include "core/exchange/halo.h"

enum { DLPACK_CUDA = 2 };

pl_err pl_device_rows_check(pl_context *pl, const char *name)
{
  const pl_backend *backend = pl->backend;
  if (backend->data && backend->data->native(pl).dlpack == DLPACK_CUDA && pl_ranks(pl) == 1)
    return PL_SUCCESS;
  return pl_fail(pl, PL_ERR_BACKEND,
                 "%s solves on a CUDA device and one rank, not on backend \"%s\" and %d ranks; set "
                 "PLAIT_BACKEND=cuda, or use another preconditioner",
                 name, backend->name, pl_ranks(pl));
}

/* ---- the structure ---- */

static void list_offsets(const pl_pattern *pattern, int block, int *offset)
{
  *offset = 0;
  for (int r = 0; r < pattern->nrows; r++)
    for (int i = 0; i < block; i++, offset++)
      offset[1] = *offset + (pattern->offset[r + 1] - pattern->offset[r]) * block;
}

/* Row by row: the column of each value, and its place in the matrix. */
static void list_columns(const pl_pattern *pattern, int block, int *column, int *order)
{
  for (int r = 0; r < pattern->nrows; r++)
    for (int i = 0; i < block; i++)
      for (int k = pattern->offset[r]; k < pattern->offset[r + 1]; k++)
        for (int j = 0; j < block; j++) {
          *column++ = pattern->column[k] * block + j;
          if (order) *order++ = (k * block + i) * block + j;
        }
}

static pl_err fill_structure(pl_device_rows *d, const pl_sparsity *s)
{
  const int block = s->block[0];
  int *offset = pl_dat_host(&d->offset, true), *column = pl_dat_host(&d->column, true),
      *order = block > 1 ? pl_dat_host(&d->order, true) : NULL;
  if (!offset || !column || (block > 1 && !order)) return PL_ERR_MEMORY;
  list_offsets(&s->pattern, block, offset);
  list_columns(&s->pattern, block, column, order);
  PL_TRY(pl_dat_device(&d->offset, true));
  return pl_dat_device(&d->column, true);
}

pl_err pl_device_rows_open(pl_mat *a, pl_device_rows *d, pl_package_rows *rows)
{
  pl_context *pl = a->node.pl;
  const pl_sparsity *s = a->sparsity;
  char *name = a->node.name;
  PL_TRY(pl_internal_set_new(pl, (int64_t)rows->rows * rows->block + 1, "starts", &d->starts));
  PL_TRY(pl_internal_set_new(pl, s->slots->end[1], "slots", &d->slots));
  d->offset = pl_dat_unlisted(d->starts, name, 1, PL_INT32);
  d->column = pl_dat_unlisted(d->slots, name, 1, PL_INT32);
  d->order = pl_dat_unlisted(d->slots, name, 1, PL_INT32);
  d->values = pl_dat_unlisted(d->slots, name, 1, a->type);
  for (int i = 0; i < 2; i++) d->vector[i] = pl_dat_unlisted(s->rows, name, rows->block, a->type);
  d->open = true;
  PL_TRY(fill_structure(d, s));
  rows->offset = d->offset.storage.device;
  rows->column = d->column.storage.device;
  rows->count = d->slots->end[1];
  rows->all = rows->rows *= rows->block;
  rows->block = 1;
  return PL_SUCCESS;
}

void pl_device_rows_free(pl_device_rows *d)
{
  if (d->open) {
    pl_dat *const dats[] = {&d->offset, &d->column, &d->order, &d->values, &d->vector[0], &d->vector[1]};
    for (size_t i = 0; i < sizeof dats / sizeof *dats; i++) pl_dat_release(dats[i]);
  }
  if (d->slots) pl_set_destroy(&d->slots->node);
  if (d->starts) pl_set_destroy(&d->starts->node);
  *d = (pl_device_rows){.open = false};
}

/* ---- values ---- */

pl_err pl_device_rows_values(pl_mat *a, pl_device_rows *d, const void **values)
{
  pl_context *pl = a->node.pl;
  const int block = a->sparsity->block[0];
  PL_TRY(pl_before_access(&a->values->node, false));
  PL_TRY(pl_dat_device(a->values, true));
  if (block > 1)
    PL_TRY(pl->backend->algorithms->gather(pl, &d->order, d->slots->end[1], a->values, &d->values));
  *values = block > 1 ? d->values.storage.device : a->values->storage.device;
  return PL_SUCCESS;
}

/* Whether the values of the device copy are element by element. */
static bool is_plain(const pl_dat *dat)
{
  return dat->dim == 1 || dat->storage.layout.tile == PL_AOS;
}

pl_err pl_device_rows_vectors(pl_device_rows *d, pl_dat *r, pl_dat *z, const void **from, void **to)
{
  pl_context *pl = r->node.pl;
  PL_TRY(pl_before_access(&r->node, false));
  PL_TRY(pl_before_access(&z->node, true));
  PL_TRY(pl_dat_device(r, true));
  PL_TRY(pl_dat_device(z, false));
  for (int i = 0; i < 2; i++)
    if (!is_plain(i ? z : r)) PL_TRY(pl_dat_device(&d->vector[i], false));
  if (!is_plain(r)) PL_TRY(pl->backend->data->copy(pl, r, &d->vector[0]));
  *from = (is_plain(r) ? r : &d->vector[0])->storage.device;
  *to = (is_plain(z) ? z : &d->vector[1])->storage.device;
  return PL_SUCCESS;
}

pl_err pl_device_rows_written(pl_device_rows *d, pl_dat *z)
{
  pl_context *pl = z->node.pl;
  if (!is_plain(z)) PL_TRY(pl->backend->data->copy(pl, &d->vector[1], z));
  pl_dat_device_written(z);
  pl_dat_changed(z);
  return PL_SUCCESS;
}

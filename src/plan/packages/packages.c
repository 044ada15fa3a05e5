/* SPDX-License-Identifier: BSD-2-Clause
 * Shared by all solver packages: global numbers, the values and vectors on the host, calls of the module.
 */
#include "packages.h"
#include "core/comm/comm.h"
#include "core/context/observer.h"
#include "core/data/objects.h"
#include "core/exchange/halo.h"
#include "device_rows.h"

struct pl_package {
  pl_context *pl;
  const pl_package_functions *functions;
  pl_package_rows rows;
  int64_t *number;
  size_t n;               /* values of a vector */
  double *values, *r, *z; /* copies on the host, if the matrix's type is not double; else NULL */
  pl_device_rows device;  /* for a package on a device */
  void *state;            /* of the module */
};

pl_err pl_package_check(pl_context *pl, pl_module_kind kind, const char *name)
{
  const void *comm;
  const pl_package_functions *functions = pl_module_functions(pl, kind);
  if (!functions) return pl_fail(pl, PL_ERR_BACKEND, "%s", pl_module_missing(pl, kind));
  return functions->on_device ? pl_device_rows_check(pl, name) : pl_comm_for_library(pl, &comm);
}

/* ---- the matrix ---- */

static pl_err number_rows(pl_package *p, pl_set *set)
{
  pl_package_rows *rows = &p->rows;
  pl_err err = PL_NEW_ARRAY(p->pl, p->number, (size_t)set->end[3] + 1);
  PL_TRY(pl_agree(p->pl, err));
  PL_TRY(pl_comm_scan(p->pl, rows->rows, &rows->first, &rows->all));
  for (int r = 0; r < rows->rows; r++) p->number[r] = rows->first + r;
  rows->number = p->number;
  return set->halo ? pl_halo_copy(set, sizeof *p->number, p->number) : PL_SUCCESS;
}

static pl_err check_size(const pl_package *p)
{
  if (p->rows.all * p->rows.block <= INT32_MAX) return PL_SUCCESS;
  return pl_fail(p->pl, PL_ERR_RANGE, "matrix \"%s\" has %lld rows; solver packages take at most %d",
                 p->rows.name, (long long)(p->rows.all * p->rows.block), INT32_MAX);
}

static pl_err allocate_copies(pl_package *p, const pl_mat *a)
{
  if (a->type == PL_DOUBLE) return PL_SUCCESS;
  PL_TRY(PL_NEW_ARRAY(p->pl, p->r, p->n + 1));
  PL_TRY(PL_NEW_ARRAY(p->pl, p->z, p->n + 1));
  return PL_NEW_ARRAY(p->pl, p->values, (size_t)a->values->set->end[1] + 1);
}

static pl_err open_package(pl_package *p, pl_mat *a, pl_module_kind kind)
{
  const pl_sparsity *s = a->sparsity;
  p->functions = pl_module_functions(p->pl, kind);
  p->rows = (pl_package_rows){.rank = pl_rank(p->pl),
                              .ranks = pl_ranks(p->pl),
                              .rows = s->pattern.nrows,
                              .block = s->block[0],
                              .offset = s->pattern.offset,
                              .column = s->pattern.column,
                              .type = p->functions->on_device ? a->type : PL_DOUBLE};
  p->n = (size_t)p->rows.rows * (size_t)p->rows.block;
  if (p->functions->on_device) return pl_device_rows_open(a, &p->device, &p->rows);
  PL_TRY(pl_comm_for_library(p->pl, &p->rows.comm));
  PL_TRY(number_rows(p, s->rows));
  return pl_agree(p->pl, allocate_copies(p, a));
}

/* The first n values of a dat on the host: its own, or converted in `copy`. Local. */
static pl_err read_values(pl_dat *dat, size_t n, double *copy, const double **values)
{
  PL_TRY(pl_before_access(&dat->node, false));
  const void *host = pl_dat_host(dat, false);
  if (!host) return PL_ERR_MEMORY;
  *values = copy ? copy : host;
  if (copy) pl_convert(dat->type, host, PL_DOUBLE, copy, n);
  return PL_SUCCESS;
}

static pl_err take_values(pl_package *p, pl_mat *a)
{
  const double *values = NULL;
  if (p->functions->on_device) return pl_device_rows_values(a, &p->device, &p->rows.values);
  PL_TRY(read_values(a->values, (size_t)a->values->set->end[1], p->values, &values));
  p->rows.values = values;
  return PL_SUCCESS;
}

pl_err pl_package_make(pl_mat *a, pl_module_kind kind, const char *options, pl_package **package)
{
  pl_context *pl = a->node.pl;
  pl_package *p = *package;
  pl_err err = PL_SUCCESS;
  if (!p) {
    PL_TRY(pl_agree(pl, PL_NEW(pl, *package, 1)));
    p = *package;
    p->pl = pl;
    err = open_package(p, a, kind);
  }
  p->rows.name = a->node.name;
  p->rows.options = options;
  if (!err) err = check_size(p);
  if (!err) err = pl_agree(pl, take_values(p, a));
  if (!err) err = pl_agree(pl, p->functions->make(pl, &p->rows, &p->state));
  if (err) pl_package_free(package);
  return err;
}

/* ---- vectors ---- */

static pl_err open_vectors(pl_package *p, pl_dat *r, pl_dat *z, const double **from, void **to)
{
  PL_TRY(read_values(r, p->n, p->r, from));
  PL_TRY(pl_before_access(&z->node, true));
  *to = pl_dat_host(z, true);
  return *to ? PL_SUCCESS : PL_ERR_MEMORY;
}

static pl_err apply_on_device(pl_package *p, pl_dat *r, pl_dat *z)
{
  const void *from = NULL;
  void *to = NULL;
  PL_TRY(pl_device_rows_vectors(&p->device, r, z, &from, &to));
  PL_TRY(p->functions->apply(p->pl, p->state, from, to));
  return pl_device_rows_written(&p->device, z);
}

pl_err pl_package_apply(pl_package *p, pl_dat *r, pl_dat *z)
{
  if (p->functions->on_device) return apply_on_device(p, r, z);
  const double *from = NULL;
  void *to = NULL;
  PL_TRY(pl_agree_on_error(p->pl, open_vectors(p, r, z, &from, &to)));
  PL_TRY(pl_agree_on_error(p->pl, p->functions->apply(p->pl, p->state, from, p->z ? p->z : to)));
  if (p->z) pl_convert(PL_DOUBLE, p->z, z->type, to, p->n);
  pl_dat_host_written(z);
  pl_dat_changed(z);
  return PL_SUCCESS;
}

void pl_package_free(pl_package **package)
{
  pl_package *p = *package;
  if (!p) return;
  if (p->state) p->functions->release(p->pl, p->state);
  pl_device_rows_free(&p->device);
  pl_free_arrays(p->pl, p->number, p->values, p->r, p->z);
  pl_free(p->pl, p);
  *package = NULL;
}

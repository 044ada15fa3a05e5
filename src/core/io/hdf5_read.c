/* SPDX-License-Identifier: BSD-2-Clause
 * Sets, maps, dats and consts from HDF5 files (hdf5_write.c); each rank reads one block of rows.
 */
#include "core/base/hash.h"
#include "core/comm/comm.h"
#include "core/data/objects.h"
#include "hdf5_file.h"
#include <string.h>

/* The block of rows of a set's elements: the owned ones, since pl_decl_set_hdf5 declared the set. The entry
 * has `more` rows after the last element's. */
static pl_err rows_for(const pl_h5_file *f, pl_set *set, const pl_h5_dataset *d, const char *name, int more,
                       pl_h5_block *b)
{
  *b = (pl_h5_block){set->global_size, set->first, set->end[1]};
  if (set->global && pl_ranks(f->pl) > 1)
    return pl_fail(f->pl, PL_ERR_STATE, "file \"%s\": \"%s\" must be read before set \"%s\" is partitioned",
                   f->path, name, set->node.name);
  if (d->rank >= 1 && (int64_t)d->extent[0] == set->global_size + more) return PL_SUCCESS;
  return pl_fail(f->pl, PL_ERR_IO, "file \"%s\": \"%s\" has %lld rows, but set \"%s\" has %lld elements",
                 f->path, name, d->rank < 1 ? 1LL : (long long)d->extent[0], set->node.name,
                 (long long)set->global_size);
}

/* Fails unless all ranks have found the same dataset, since reading is collective. */
static pl_err check_same(const pl_h5_file *f, const char *kind, const char *name, const pl_h5_dataset *d)
{
  uint64_t hash = pl_hash(PL_HASH_START, kind, strlen(kind));
  hash = pl_hash(hash, name, strlen(name));
  hash = pl_hash(hash, d->extent, (size_t)d->rank * sizeof *d->extent);
  hash = pl_hash(hash, &d->type, sizeof d->type);
  bool same;
  PL_TRY(pl_comm_same(f->pl, hash, &same));
  if (same) return PL_SUCCESS;
  return pl_fail(f->pl, PL_ERR_ARG,
                 "file \"%s\": other ranks read another object or file (here \"%s\"); all must read the same "
                 "object of the same file",
                 f->path, name);
}

typedef pl_err (*reader)(const pl_h5_file *f, pl_h5_dataset *d, const char *name, void *request);

/* Opens the file and the dataset and calls `read`. */
static pl_err read_one(pl_context *pl, const char *path, const char *kind, const char *name, reader read,
                       void *request)
{
  const pl_h5_functions *functions;
  pl_h5_file *f;
  pl_h5_dataset d;
  char full[PL_H5_NAME];
  PL_TRY(pl_h5_module(pl, path, &functions));
  PL_TRY(functions->open(pl, path, &f));
  pl_err err = f->functions->find(f, pl_h5_full_name(kind, name, full), &d);
  bool is_open = !err;
  err = pl_agree(pl, err);
  if (!err) err = check_same(f, kind, name, &d);
  if (!err) err = pl_agree(pl, read(f, &d, name, request));
  if (is_open) f->functions->dataset_close(&d);
  return f->functions->close(f, err);
}

static pl_err read_set(const pl_h5_file *f, pl_h5_dataset *d, const char *name, void *request)
{
  int64_t n;
  pl_h5_block all = {1, 0, 1};
  bool one = d->rank == 0 || (d->rank == 1 && d->extent[0] == 1);
  if (!one || !pl_type_is_integer(d->type))
    return pl_fail(f->pl, PL_ERR_IO, "file \"%s\": set \"%s\" is not a single integer", f->path, name);
  PL_TRY(f->functions->read(f, d, name, PL_INT64, &all, &n));
  if (n < 0)
    return pl_fail(f->pl, PL_ERR_IO, "file \"%s\": set \"%s\" has %lld elements; write the file again",
                   f->path, name, (long long)n);
  return pl_decl_set(f->pl, pl_h5_block_of(f->pl, n).count, name, request);
}

pl_err pl_decl_set_hdf5(pl_context *pl, const char *path, const char *name, pl_set **set)
{
  PL_TRY(pl_context_check(pl));
  PL_TRY(PL_H5_GIVEN(pl, "pl_decl_set_hdf5", path, name, set));
  return read_one(pl, path, "sets", name, read_set, set);
}

typedef struct map_request {
  pl_set *from, *to;
  pl_map **map;
} map_request;

/* The offsets of this rank's rows, checked, as numbers from 0 on. */
static pl_err check_offsets(const pl_h5_file *f, const char *name, int64_t n, int64_t total,
                            const int64_t *start, int *offset)
{
  bool good = start[0] >= 0 && start[n] <= total && start[n] - start[0] <= INT32_MAX;
  for (int64_t i = 0; good && i < n; i++) good = start[i] <= start[i + 1];
  for (int64_t i = 0; good && i <= n; i++) offset[i] = (int)(start[i] - start[0]);
  return good ? PL_SUCCESS
              : pl_fail(f->pl, PL_ERR_IO,
                        "file \"%s\": the offsets of map \"%s\" do not ascend from 0 to its %lld entries",
                        f->path, name, (long long)total);
}

/* Reads the entries between two offsets and declares the map. */
static pl_err read_entries(const pl_h5_file *f, const pl_h5_dataset *d, const char *name,
                           const map_request *m, int64_t first, const int *offset)
{
  const pl_h5_block b = {(int64_t)d->extent[0], first, offset[m->from->end[1]]};
  int64_t *index = pl_malloc_array(f->pl, (size_t)b.count * sizeof *index);
  pl_err err = pl_agree(f->pl, index ? PL_SUCCESS : pl_fail_memory(f->pl, (size_t)b.count * sizeof *index));
  if (!err) err = f->functions->read(f, d, name, PL_INT64, &b, index);
  if (!err) err = pl_decl_map_ragged_global(m->from, m->to, offset, index, name, m->map);
  pl_free_array(f->pl, index);
  return err;
}

static pl_err read_offsets(const pl_h5_file *f, const pl_h5_dataset *d, const pl_h5_dataset *offsets,
                           const char *name, const map_request *m)
{
  pl_h5_block b;
  if (offsets->rank != 1 || !pl_type_is_integer(offsets->type) || !pl_type_is_integer(d->type))
    return pl_fail(f->pl, PL_ERR_IO, "file \"%s\": map \"%s\" is not a table of integers", f->path, name);
  PL_TRY(rows_for(f, m->from, offsets, name, 1, &b));
  const size_t n = (size_t)b.count++; /* the next row's offset ends the last row */
  int64_t *start = pl_malloc_array(f->pl, (n + 1) * sizeof *start);
  int *offset = pl_malloc_array(f->pl, (n + 1) * sizeof *offset);
  pl_err err = pl_agree(f->pl, start && offset ? PL_SUCCESS : pl_fail_memory(f->pl, n * sizeof *start));
  if (!err) err = f->functions->read(f, offsets, name, PL_INT64, &b, start);
  if (!err) err = pl_agree(f->pl, check_offsets(f, name, (int64_t)n, (int64_t)d->extent[0], start, offset));
  if (!err) err = read_entries(f, d, name, m, start[0], offset);
  pl_free_arrays(f->pl, start, offset);
  return err;
}

static pl_err read_ragged(const pl_h5_file *f, const pl_h5_dataset *d, const char *name, const map_request *m)
{
  pl_h5_dataset offsets;
  char full[PL_H5_NAME];
  pl_err err = f->functions->find(f, pl_h5_full_name("offsets", name, full), &offsets);
  const bool is_open = !err;
  err = pl_agree(f->pl, err);
  if (!err) err = read_offsets(f, d, &offsets, name, m);
  if (is_open) f->functions->dataset_close(&offsets);
  return err;
}

static pl_err read_map(const pl_h5_file *f, pl_h5_dataset *d, const char *name, void *data)
{
  const map_request *m = data;
  pl_h5_block b;
  if (d->rank == 1 && f->functions->has(f, "offsets", name)) return read_ragged(f, d, name, m);
  PL_TRY(rows_for(f, m->from, d, name, 0, &b));
  if (d->rank != 2 || d->extent[1] < 1 || d->extent[1] > INT32_MAX || !pl_type_is_integer(d->type))
    return pl_fail(f->pl, PL_ERR_IO, "file \"%s\": map \"%s\" is not a table of integers", f->path, name);
  size_t n = (size_t)b.count * (size_t)d->extent[1];
  int64_t *index = pl_malloc_array(f->pl, n * sizeof *index);
  PL_TRY(pl_agree(f->pl, index ? PL_SUCCESS : pl_fail_memory(f->pl, n * sizeof *index)));
  pl_err err = f->functions->read(f, d, name, PL_INT64, &b, index);
  if (!err) err = pl_decl_map_global(m->from, m->to, (int)d->extent[1], index, name, m->map);
  pl_free_array(f->pl, index);
  return err;
}

pl_err pl_decl_map_hdf5(pl_set *from, pl_set *to, const char *path, const char *name, pl_map **map)
{
  pl_context *pl = from ? from->node.pl : to ? to->node.pl : NULL;
  PL_TRY(PL_H5_GIVEN(pl, "pl_decl_map_hdf5", from, to, path, name, map));
  map_request request = {from, to, map};
  return read_one(pl, path, "maps", name, read_map, &request);
}

typedef struct dat_request {
  pl_set *set;
  pl_dat **dat;
} dat_request;

static pl_err read_dat(const pl_h5_file *f, pl_h5_dataset *d, const char *name, void *data)
{
  const dat_request *request = data;
  pl_h5_block b;
  int shape[PL_H5_RANK] = {1}, rank = d->rank > 1 ? d->rank - 1 : 1;
  size_t stride = pl_type_size(d->type);
  PL_TRY(rows_for(f, request->set, d, name, 0, &b));
  for (int i = 1; i < d->rank; i++) {
    shape[i - 1] = d->extent[i] > INT32_MAX ? -1 : (int)d->extent[i];
    stride *= (size_t)d->extent[i];
  }
  char *values = pl_malloc_array(f->pl, (size_t)b.count * stride);
  PL_TRY(pl_agree(f->pl, values ? PL_SUCCESS : pl_fail_memory(f->pl, (size_t)b.count * stride)));
  pl_err err = f->functions->read(f, d, name, d->type, &b, values);
  if (!err) err = pl_decl_dat_shape(request->set, rank, shape, d->type, values, name, request->dat);
  pl_free_array(f->pl, values);
  return err;
}

pl_err pl_decl_dat_hdf5(pl_set *set, const char *path, const char *name, pl_dat **dat)
{
  PL_TRY(PL_H5_GIVEN(pl_context_of(set), "pl_decl_dat_hdf5", set, path, name, dat));
  dat_request request = {set, dat};
  return read_one(set->node.pl, path, "dats", name, read_dat, &request);
}

static pl_err read_const(const pl_h5_file *f, pl_h5_dataset *d, const char *name, void *request)
{
  int64_t dim = d->rank == 1 ? (int64_t)d->extent[0] : 0;
  if (dim < 1 || dim > INT32_MAX)
    return pl_fail(f->pl, PL_ERR_IO, "file \"%s\": const \"%s\" is not a row of values", f->path, name);
  pl_h5_block all = {dim, 0, dim};
  void *values = pl_malloc(f->pl, (size_t)dim * pl_type_size(d->type));
  pl_err err =
    pl_agree(f->pl, values ? PL_SUCCESS : pl_fail_memory(f->pl, (size_t)dim * pl_type_size(d->type)));
  if (!err) err = f->functions->read(f, d, name, d->type, &all, values);
  if (!err) err = pl_decl_const(f->pl, name, (int)dim, d->type, values, request);
  pl_free(f->pl, values);
  return err;
}

pl_err pl_decl_const_hdf5(pl_context *pl, const char *path, const char *name, pl_const **constant)
{
  PL_TRY(pl_context_check(pl));
  PL_TRY(PL_H5_GIVEN(pl, "pl_decl_const_hdf5", path, name));
  return read_one(pl, path, "consts", name, read_const, constant);
}

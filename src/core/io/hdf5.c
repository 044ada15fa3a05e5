/* SPDX-License-Identifier: BSD-2-Clause
 * Sets, maps, dats and consts to and from HDF5 files.
 *
 * A file holds, by name: /sets/NAME, the number of elements over all ranks; /maps/NAME, global indices
 * [elements of `from`, arity] with the names of both sets as attributes; /dats/NAME, values [elements,
 * extents...] with the name of the set; /consts/NAME, values. Rows are in the order of global indices,
 * independent of ranks and renumbering: each rank writes or reads one contiguous block of them, collectively.
 * Complex values are pairs {r, i}, as in h5py.
 */
#include "core/base/hash.h"
#include "core/comm/comm.h"
#include "core/data/objects.h"
#include "core/mesh/global_map.h"
#include "file_rows.h"
#include "hdf5_file.h"
#include <string.h>

/* Fails on all ranks if a pointer is missing on one. */
#define ALL_GIVEN(pl, call, ...) agree_given((pl), PL_GIVEN((pl), (call), __VA_ARGS__))
static pl_err agree_given(pl_context *pl, pl_err err)
{
  return pl ? pl_agree(pl, err) : err;
}

/* ---- blocks of rows ---- */

static pl_h5_block block_of(const pl_context *pl, int64_t total)
{
  int64_t ranks = pl_ranks(pl), rank = pl_rank(pl);
  int64_t each = total / ranks, more = total % ranks; /* the first `more` ranks have one row more */
  return (pl_h5_block){total, rank * each + (rank < more ? rank : more), each + (rank < more)};
}

static int rank_of_row(const pl_context *pl, int64_t total, int64_t row)
{
  int64_t ranks = pl_ranks(pl), each = total / ranks, more = total % ranks;
  if (row < more * (each + 1)) return (int)(row / (each + 1));
  return (int)(more + (row - more * (each + 1)) / each);
}

/* Packs {row, record} pairs by the rank whose block the row is in. */
static void pack_rows(const pl_set *set, const int64_t *rows, size_t stride, const char *records,
                      int64_t *count, char *sent)
{
  const pl_context *pl = set->node.pl;
  size_t size = sizeof(int64_t) + stride;
  int64_t next = 0;
  for (int rank = 0; rank < pl_ranks(pl); rank++) { /* user order ascends, and so do the ranks */
    count[rank] = 0;
    for (; next < set->end[1]; next++, count[rank]++) {
      if (rank_of_row(pl, set->global_size, rows[next]) != rank) break;
      memcpy(sent + (size_t)next * size, &rows[next], sizeof *rows);
      memcpy(sent + (size_t)next * size + sizeof *rows, records + (size_t)next * stride, stride);
    }
  }
}

/* Exchanges records in user order for this rank's block of rows, *result (pl_free_array it). */
static pl_err exchange_block(pl_set *set, size_t stride, const char *records, char **result)
{
  pl_context *pl = set->node.pl;
  size_t ranks = (size_t)pl_ranks(pl), size = sizeof(int64_t) + stride, n = (size_t)set->end[1];
  pl_h5_block b = block_of(pl, set->global_size);
  void *received = NULL;
  int64_t *rows;
  PL_TRY(pl_file_rows(set, &rows));
  int64_t *count = pl_calloc(pl, 2 * ranks, sizeof *count);
  char *sent = pl_malloc_array(pl, n * size), *rows_here = pl_malloc_array(pl, (size_t)b.count * stride);
  bool all = count && sent && rows_here;
  pl_err err = pl_agree(pl, all ? PL_SUCCESS : pl_fail_memory(pl, n * size));
  if (!err) pack_rows(set, rows, stride, records, count, sent);
  if (!err) err = pl_comm_all_to_all(pl, size, sent, count, &received, count + ranks);
  int64_t arrived = err ? 0 : pl_count_sum(pl, count + ranks);
  for (int64_t i = 0; i < arrived; i++) {
    int64_t row;
    const char *item = (char *)received + (size_t)i * size;
    memcpy(&row, item, sizeof row);
    memcpy(rows_here + (size_t)(row - b.first) * stride, item + sizeof row, stride);
  }
  pl_free(pl, count);
  pl_free_array(pl, rows);
  pl_free_array(pl, sent);
  pl_free_array(pl, received);
  *result = rows_here;
  if (err) pl_free_array(pl, rows_here);
  return err;
}

/* Writes records in user order. */
static pl_err write_records(const pl_h5_file *f, const char *name, pl_set *set, pl_type type, int rank,
                            uint64_t *extent, size_t stride, const char *records,
                            const char *const *attributes)
{
  char *here;
  PL_TRY(exchange_block(set, stride, records, &here));
  pl_h5_block b = block_of(f->pl, set->global_size);
  extent[0] = (uint64_t)set->global_size;
  pl_err err = pl_h5_write(f, name, type, &b, rank, extent, here, attributes);
  pl_free_array(f->pl, here);
  return err;
}

/* ---- writing objects ---- */

enum { NAME = 300 };

static const char *full_name(const char *kind, const char *name, char *buffer)
{
  snprintf(buffer, NAME, "/%s/%s", kind, name);
  return buffer;
}

static const char *const no_attributes[] = {NULL};

static pl_err write_set(const pl_h5_file *f, const pl_set *set)
{
  char name[NAME];
  uint64_t extent = 1;
  pl_h5_block b = {1, 0, pl_rank(f->pl) == 0};
  return pl_h5_write(f, full_name("sets", set->node.name, name), PL_INT64, &b, 1, &extent, &set->global_size,
                     no_attributes);
}

static pl_err write_map(const pl_h5_file *f, pl_map *map)
{
  char name[NAME];
  uint64_t extent[2] = {0, (uint64_t)map->arity};
  const char *const attributes[] = {"from", map->from->node.name, "to", map->to->node.name, NULL};
  int64_t *index = pl_global_map_copy(map);
  PL_TRY(pl_agree(f->pl, index ? PL_SUCCESS : PL_ERR_MEMORY));
  pl_err err = write_records(f, full_name("maps", map->node.name, name), map->from, PL_INT64, 2, extent,
                             (size_t)map->arity * sizeof *index, (const char *)index, attributes);
  pl_free_array(f->pl, index);
  return err;
}

static pl_err write_dat(const pl_h5_file *f, pl_dat *dat)
{
  char name[NAME];
  uint64_t extent[PL_H5_RANK];
  const char *const attributes[] = {"set", dat->set->node.name, NULL};
  size_t stride = pl_dat_stride(dat);
  if (dat->rank >= PL_H5_RANK)
    return pl_fail(f->pl, PL_ERR_IO, "file \"%s\": dat \"%s\" has %d extents, more than HDF5 can hold",
                   f->path, dat->node.name, dat->rank);
  for (int i = 0; i < dat->rank; i++) extent[i + 1] = (uint64_t)dat->shape[i];
  void *values; /* in user order owned elements come first */
  PL_TRY(pl_agree(f->pl, pl_dat_get(dat, PL_READ, &values)));
  pl_err err = write_records(f, full_name("dats", dat->node.name, name), dat->set, dat->type, dat->rank + 1,
                             extent, stride, values, attributes);
  pl_dat_put(dat);
  return err;
}

static pl_err write_const(const pl_h5_file *f, const pl_const *constant)
{
  char name[NAME];
  uint64_t extent = (uint64_t)constant->dim;
  pl_h5_block b = {constant->dim, 0, pl_rank(f->pl) == 0 ? constant->dim : 0};
  return pl_h5_write(f, full_name("consts", constant->node.name, name), constant->type, &b, 1, &extent,
                     constant->value, no_attributes);
}

/* Rejects objects that cannot be written before the file is created. */
static pl_err check_writable(pl_context *pl, const char *path)
{
  for (const pl_node *node = pl->maps; node; node = node->next)
    if (((const pl_map *)node)->offset && !node->internal)
      return pl_fail(pl, PL_ERR_IO,
                     "file \"%s\": map \"%s\" is ragged; only maps of fixed arity can be written", path,
                     node->name);
  for (const pl_node *node = pl->dats; node; node = node->next)
    if (((const pl_dat *)node)->writer)
      return pl_fail(
        pl, PL_ERR_STATE,
        "file \"%s\": a writable host view of dat \"%s\" is open; close it with pl_dat_put first", path,
        node->name);
  return PL_SUCCESS;
}

/* An upper bound. */
static int64_t file_size(pl_context *pl)
{
  enum { FRAME = 65536, OBJECT = 4096 }; /* HDF5's headers: of the file and of one object */
  int64_t bytes = FRAME;
  for (pl_node *node = pl->sets; node; node = node->next) bytes += OBJECT;
  for (pl_node *node = pl->maps; node; node = node->next)
    bytes +=
      OBJECT + ((pl_map *)node)->from->global_size * ((pl_map *)node)->arity * (int64_t)sizeof(int64_t);
  for (pl_node *node = pl->dats; node; node = node->next)
    bytes += OBJECT + ((pl_dat *)node)->set->global_size * (int64_t)pl_dat_stride((pl_dat *)node);
  for (pl_node *node = pl->consts; node; node = node->next)
    bytes += OBJECT + ((pl_const *)node)->dim * (int64_t)sizeof(pl_cdouble);
  return bytes;
}

static pl_err write_all(const pl_h5_file *f)
{
  pl_context *pl = f->pl;
  for (pl_node *node = pl->sets; node; node = node->next)
    if (!((pl_set *)node)->parent && !node->internal) PL_TRY(write_set(f, (pl_set *)node));
  for (pl_node *node = pl->maps; node; node = node->next)
    if ((((pl_map *)node)->index || ((pl_map *)node)->global_index) && !node->internal)
      PL_TRY(write_map(f, (pl_map *)node));
  for (pl_node *node = pl->dats; node; node = node->next)
    if (!node->internal) PL_TRY(write_dat(f, (pl_dat *)node));
  for (pl_node *node = pl->consts; node; node = node->next) PL_TRY(write_const(f, (const pl_const *)node));
  return PL_SUCCESS;
}

pl_err pl_hdf5_write(pl_context *pl, const char *path)
{
  pl_h5_file *f;
  PL_TRY(pl_context_check(pl));
  PL_TRY(ALL_GIVEN(pl, "pl_hdf5_write", path));
  PL_TRY(pl_agree(pl, check_writable(pl, path)));
  PL_TRY(pl_h5_create(pl, path, file_size(pl), &f));
  return pl_h5_close(f, pl_agree(pl, write_all(f)));
}

/* ---- reading ---- */

/* The block of rows of a set's elements: the owned ones, since pl_decl_set_hdf5 declared the set. */
static pl_err rows_for(const pl_h5_file *f, pl_set *set, const pl_h5_dataset *d, const char *name,
                       pl_h5_block *b)
{
  *b = (pl_h5_block){set->global_size, set->first, set->end[1]};
  if (set->global && pl_ranks(f->pl) > 1)
    return pl_fail(f->pl, PL_ERR_STATE, "file \"%s\": \"%s\" must be read before set \"%s\" is partitioned",
                   f->path, name, set->node.name);
  if (d->rank >= 1 && (int64_t)d->extent[0] == set->global_size) return PL_SUCCESS;
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
                 "file \"%s\": ranks do not read the same of it (\"%s\" here); all must name the same object "
                 "of the same file",
                 f->path, name);
}

typedef pl_err (*reader)(const pl_h5_file *f, pl_h5_dataset *d, const char *name, void *request);

/* Opens the file and the dataset and calls `read`. */
static pl_err read_one(pl_context *pl, const char *path, const char *kind, const char *name, reader read,
                       void *request)
{
  pl_h5_file *f;
  pl_h5_dataset d;
  char full[NAME];
  PL_TRY(pl_h5_open(pl, path, &f));
  pl_err err = pl_h5_find(f, full_name(kind, name, full), &d);
  bool is_open = !err;
  err = pl_agree(pl, err);
  if (!err) err = check_same(f, kind, name, &d);
  if (!err) err = pl_agree(pl, read(f, &d, name, request));
  if (is_open) pl_h5_dataset_close(&d);
  return pl_h5_close(f, err);
}

static pl_err read_set(const pl_h5_file *f, pl_h5_dataset *d, const char *name, void *request)
{
  int64_t n;
  pl_h5_block all = {1, 0, 1};
  bool one = d->rank == 0 || (d->rank == 1 && d->extent[0] == 1);
  if (!one || !pl_type_is_integer(d->type))
    return pl_fail(f->pl, PL_ERR_IO, "file \"%s\": set \"%s\" is not a single integer", f->path, name);
  PL_TRY(pl_h5_read(f, d, name, PL_INT64, &all, &n));
  if (n < 0)
    return pl_fail(f->pl, PL_ERR_IO, "file \"%s\": set \"%s\" has %lld elements", f->path, name,
                   (long long)n);
  return pl_decl_set(f->pl, block_of(f->pl, n).count, name, request);
}

pl_err pl_decl_set_hdf5(pl_context *pl, const char *path, const char *name, pl_set **set)
{
  PL_TRY(pl_context_check(pl));
  PL_TRY(ALL_GIVEN(pl, "pl_decl_set_hdf5", path, name, set));
  return read_one(pl, path, "sets", name, read_set, set);
}

typedef struct map_request {
  pl_set *from, *to;
  pl_map **map;
} map_request;

static pl_err read_map(const pl_h5_file *f, pl_h5_dataset *d, const char *name, void *data)
{
  const map_request *m = data;
  pl_h5_block b;
  PL_TRY(rows_for(f, m->from, d, name, &b));
  if (d->rank != 2 || d->extent[1] < 1 || d->extent[1] > INT32_MAX || !pl_type_is_integer(d->type))
    return pl_fail(f->pl, PL_ERR_IO, "file \"%s\": map \"%s\" is not a table of integers", f->path, name);
  size_t n = (size_t)b.count * (size_t)d->extent[1];
  int64_t *index = pl_malloc_array(f->pl, n * sizeof *index);
  PL_TRY(pl_agree(f->pl, index ? PL_SUCCESS : pl_fail_memory(f->pl, n * sizeof *index)));
  pl_err err = pl_h5_read(f, d, name, PL_INT64, &b, index);
  if (!err) err = pl_decl_map_global(m->from, m->to, (int)d->extent[1], index, name, m->map);
  pl_free_array(f->pl, index);
  return err;
}

pl_err pl_decl_map_hdf5(pl_set *from, pl_set *to, const char *path, const char *name, pl_map **map)
{
  pl_context *pl = from ? from->node.pl : to ? to->node.pl : NULL;
  PL_TRY(ALL_GIVEN(pl, "pl_decl_map_hdf5", from, to, path, name, map));
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
  PL_TRY(rows_for(f, request->set, d, name, &b));
  for (int i = 1; i < d->rank; i++) {
    shape[i - 1] = d->extent[i] > INT32_MAX ? -1 : (int)d->extent[i];
    stride *= (size_t)d->extent[i];
  }
  char *values = pl_malloc_array(f->pl, (size_t)b.count * stride);
  PL_TRY(pl_agree(f->pl, values ? PL_SUCCESS : pl_fail_memory(f->pl, (size_t)b.count * stride)));
  pl_err err = pl_h5_read(f, d, name, d->type, &b, values);
  if (!err) err = pl_decl_dat_shape(request->set, rank, shape, d->type, values, name, request->dat);
  pl_free_array(f->pl, values);
  return err;
}

pl_err pl_decl_dat_hdf5(pl_set *set, const char *path, const char *name, pl_dat **dat)
{
  PL_TRY(ALL_GIVEN(pl_context_of(set), "pl_decl_dat_hdf5", set, path, name, dat));
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
  if (!err) err = pl_h5_read(f, d, name, d->type, &all, values);
  if (!err) err = pl_decl_const(f->pl, name, (int)dim, d->type, values, request);
  pl_free(f->pl, values);
  return err;
}

pl_err pl_decl_const_hdf5(pl_context *pl, const char *path, const char *name, pl_const **constant)
{
  PL_TRY(pl_context_check(pl));
  PL_TRY(ALL_GIVEN(pl, "pl_decl_const_hdf5", path, name));
  return read_one(pl, path, "consts", name, read_const, constant);
}

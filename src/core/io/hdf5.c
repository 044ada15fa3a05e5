/* SPDX-License-Identifier: BSD-2-Clause
 * Sets, maps, dats and consts to and from HDF5 files; the only file that knows HDF5.
 *
 * A file holds, by name: /sets/NAME, the number of elements over all ranks; /maps/NAME, global indices
 * [elements of `from`, arity] with the names of both sets as attributes; /dats/NAME, values [elements,
 * extents...] with the name of the set; /consts/NAME, values. Rows stand in the order of global indices,
 * whatever ranks or renumbering did: each rank writes or reads one contiguous block of them, all together
 * where there are several. Complex values are pairs {r, i}, as h5py has them.
 */
#include "loop.h"
#include <string.h>

#ifndef PLAIT_HAVE_HDF5
#define PLAIT_HAVE_HDF5 0
#endif

/* Whether a call has all that it needs, on all ranks. */
static pl_err all_given(pl_context *pl, const char *call, bool given)
{
  pl_err err = given ? PL_SUCCESS : pl_fail(pl, PL_ERR_ARG, "%s: a pointer is NULL", call);
  return pl ? pl_agree(pl, err) : err;
}

#if PLAIT_HAVE_HDF5

#include <hdf5.h>
#include "file.h"
#include "hash.h"

/* An open file, for one call. */
typedef struct h5_file {
  pl_context *pl;
  const char *path;
  hid_t id, transfer;
  H5E_auto2_t print; /* HDF5's own messages on stderr are switched off meanwhile */
  void *print_data;
} h5_file;

/* ---- errors ---- */

static herr_t keep_deepest(unsigned n, const H5E_error2_t *error, void *text)
{
  if (n == 0 && error->desc) snprintf(text, 200, "%s", error->desc);
  return 0;
}

static pl_err io_error(const h5_file *f, const char *doing, const char *what)
{
  char why[200] = "HDF5 does not say why";
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_deepest, why);
  return pl_fail(f->pl, PL_ERR_IO, "file \"%s\": cannot %s%s%s%s: %s", f->path, doing, *what ? " \"" : "",
                 what, *what ? "\"" : "", why);
}

/* ---- files ---- */

static hid_t access_list(pl_context *pl)
{
  hid_t list = H5Pcreate(H5P_FILE_ACCESS);
#ifdef H5_HAVE_PARALLEL
  const MPI_Comm *comm = pl_comm_handle(pl);
  if (pl_ranks(pl) > 1) H5Pset_fapl_mpio(list, *comm, MPI_INFO_NULL);
#else
  (void)pl;
#endif
  return list;
}

static hid_t transfer_list(pl_context *pl)
{
  hid_t list = H5Pcreate(H5P_DATASET_XFER);
#ifdef H5_HAVE_PARALLEL
  if (pl_ranks(pl) > 1) H5Pset_dxpl_mpio(list, H5FD_MPIO_COLLECTIVE);
#else
  (void)pl;
#endif
  return list;
}

static pl_err check_ranks(pl_context *pl, const char *path)
{
#ifndef H5_HAVE_PARALLEL
  if (pl_ranks(pl) > 1)
    return pl_fail(pl, PL_ERR_IO,
                   "file \"%s\": this HDF5 cannot write from %d ranks; build with a parallel one (Debian: "
                   "libhdf5-openmpi-dev)",
                   path, pl_ranks(pl));
#endif
  (void)pl, (void)path;
  return PL_SUCCESS;
}

static void close_file(h5_file *f)
{
  if (f->id >= 0) H5Fclose(f->id);
  H5Pclose(f->transfer);
  H5Eset_auto2(H5E_DEFAULT, f->print, f->print_data);
}

static pl_err open_file(pl_context *pl, const char *path, bool create, h5_file *f)
{
  PL_TRY(check_ranks(pl, path));
  PL_TRY(pl_file_meet(pl, path, create));
  *f = (h5_file){.pl = pl, .path = path, .transfer = transfer_list(pl)};
  hid_t list = access_list(pl);
  H5Eget_auto2(H5E_DEFAULT, &f->print, &f->print_data);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  f->id = create ? H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, list) : H5Fopen(path, H5F_ACC_RDONLY, list);
  pl_err err = f->id < 0 ? io_error(f, create ? "create it" : "open it", "") : PL_SUCCESS;
  H5Pclose(list);
  err = pl_agree(pl, err);
  if (err) close_file(f);
  return err;
}

/* ---- types ---- */

static hid_t real_type(pl_type type)
{
  switch (type) {
  case PL_INT8:
    return H5T_NATIVE_INT8;
  case PL_UINT8:
    return H5T_NATIVE_UINT8;
  case PL_INT16:
    return H5T_NATIVE_INT16;
  case PL_UINT16:
    return H5T_NATIVE_UINT16;
  case PL_INT32:
    return H5T_NATIVE_INT32;
  case PL_UINT32:
    return H5T_NATIVE_UINT32;
  case PL_INT64:
    return H5T_NATIVE_INT64;
  case PL_UINT64:
    return H5T_NATIVE_UINT64;
  case PL_FLOAT:
    return H5T_NATIVE_FLOAT;
  default:
    return H5T_NATIVE_DOUBLE;
  }
}

/* The file type of a value; to be closed by H5Tclose. */
static hid_t new_type(pl_type type)
{
  hid_t real = real_type(pl_type_base(type));
  if (!pl_type_is_complex(type)) return H5Tcopy(real);
  size_t size = pl_type_size(type);
  hid_t pair = H5Tcreate(H5T_COMPOUND, size);
  H5Tinsert(pair, "r", 0, real);
  H5Tinsert(pair, "i", size / 2, real);
  return pair;
}

/* The type of a dataset's values among ours, or PL_TYPE_COUNT. */
static pl_type type_of(hid_t dataset)
{
  hid_t stored = H5Dget_type(dataset), native = H5Tget_native_type(stored, H5T_DIR_ASCEND);
  pl_type found = PL_TYPE_COUNT;
  for (int t = 0; t < PL_TYPE_COUNT && found == PL_TYPE_COUNT; t++) {
    hid_t ours = new_type((pl_type)t);
    if (H5Tequal(native, ours) > 0) found = (pl_type)t;
    H5Tclose(ours);
  }
  H5Tclose(native);
  H5Tclose(stored);
  return found;
}

/* ---- rows of a dataset ---- */

enum { MOST_RANK = H5S_MAX_RANK };

/* Which rows this rank writes or reads of a dataset of so many. */
typedef struct block {
  int64_t total, first, count;
} block;

static block block_of(const pl_context *pl, int64_t total)
{
  int64_t ranks = pl_ranks(pl), rank = pl_rank(pl);
  int64_t each = total / ranks, more = total % ranks; /* the first `more` ranks have one row more */
  return (block){total, rank * each + (rank < more ? rank : more), each + (rank < more)};
}

static int rank_of_row(const pl_context *pl, int64_t total, int64_t row)
{
  int64_t ranks = pl_ranks(pl), each = total / ranks, more = total % ranks;
  if (row < more * (each + 1)) return (int)(row / (each + 1));
  return (int)(more + (row - more * (each + 1)) / each);
}

/* The memory and file spaces of a block of rows, each of `rank - 1` further extents. */
static void make_spaces(const block *b, int rank, const hsize_t *extent, hid_t *memory, hid_t *file)
{
  hsize_t start[MOST_RANK] = {0}, count[MOST_RANK];
  count[0] = (hsize_t)b->count;
  start[0] = (hsize_t)b->first;
  for (int i = 1; i < rank; i++) count[i] = extent[i];
  *memory = H5Screate_simple(rank, count, NULL);
  *file = H5Screate_simple(rank, extent, NULL);
  if (b->count && rank)
    H5Sselect_hyperslab(*file, H5S_SELECT_SET, start, NULL, count, NULL);
  else if (!b->count)
    H5Sselect_none(*file), H5Sselect_none(*memory);
}

static bool holds_nothing(int rank, const hsize_t *extent)
{
  for (int i = 0; i < rank; i++)
    if (!extent[i]) return true;
  return false;
}

/* HDF5 writes and reads together, and does not come back where a rank is missing: so ranks agree before each
 * step. */
static pl_err write_rows(const h5_file *f, const char *name, pl_type type, const block *b, int rank,
                         const hsize_t *extent, const void *values, hid_t *dataset)
{
  hid_t memory, space, values_type = new_type(type), links = H5Pcreate(H5P_LINK_CREATE);
  H5Pset_create_intermediate_group(links, 1);
  make_spaces(b, rank, extent, &memory, &space);
  *dataset = H5Dcreate2(f->id, name, values_type, space, links, H5P_DEFAULT, H5P_DEFAULT);
  pl_err err = pl_agree(f->pl, *dataset < 0 ? io_error(f, "create", name) : PL_SUCCESS);
  if (!err && !holds_nothing(rank, extent) &&
      H5Dwrite(*dataset, values_type, memory, space, f->transfer, values) < 0)
    err = io_error(f, "write", name);
  H5Sclose(memory);
  H5Sclose(space);
  H5Tclose(values_type);
  H5Pclose(links);
  err = pl_agree(f->pl, err);
  if (err && *dataset >= 0) H5Dclose(*dataset);
  return err;
}

static pl_err write_word(const h5_file *f, hid_t dataset, const char *name, const char *word)
{
  hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
  H5Tset_size(type, strlen(word) + 1);
  hid_t attribute = H5Acreate2(dataset, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  bool good = attribute >= 0 && H5Awrite(attribute, type, word) >= 0;
  pl_err err = good ? PL_SUCCESS : io_error(f, "write attribute", name);
  if (attribute >= 0) H5Aclose(attribute);
  H5Sclose(space);
  H5Tclose(type);
  return err;
}

/* ---- from the order of a rank to blocks of rows ---- */

/* Packs {row, record} pairs by the rank whose block the row is in. */
static void pack(const pl_set *set, size_t stride, const char *records, int64_t *count, char *sent)
{
  const pl_context *pl = set->node.pl;
  size_t size = sizeof(int64_t) + stride;
  int64_t next = 0;
  for (int rank = 0; rank < pl_ranks(pl); rank++) { /* the view is ascending, so ranks are met in order */
    count[rank] = 0;
    for (; next < set->part[1]; next++, count[rank]++) {
      int64_t row = pl_view_number(set, (int)next);
      if (rank_of_row(pl, set->all, row) != rank) break;
      memcpy(sent + (size_t)next * size, &row, sizeof row);
      memcpy(sent + (size_t)next * size + sizeof row, records + (size_t)next * stride, stride);
    }
  }
}

/* Records in the order of the view to this rank's block of rows, in *result (pl_free_array it). */
static pl_err to_block(pl_set *set, size_t stride, const char *records, char **result)
{
  pl_context *pl = set->node.pl;
  size_t ranks = (size_t)pl_ranks(pl), size = sizeof(int64_t) + stride, n = (size_t)set->part[1];
  block b = block_of(pl, set->all);
  void *received = NULL;
  int64_t *count = pl_calloc(pl, 2 * ranks, sizeof *count), arrived = 0;
  char *sent = pl_malloc_array(pl, n * size), *rows_here = pl_malloc_array(pl, (size_t)b.count * stride);
  bool all = count && sent && rows_here;
  pl_err err = pl_agree(pl, all ? PL_SUCCESS : pl_fail_memory(pl, n * size));
  if (!err) pack(set, stride, records, count, sent);
  if (!err) err = pl_comm_exchange(pl, size, sent, count, &received, count + ranks);
  for (size_t k = 0; !err && k < ranks; k++) arrived += count[ranks + k];
  for (int64_t i = 0; !err && i < arrived; i++) {
    int64_t row;
    const char *item = (char *)received + (size_t)i * size;
    memcpy(&row, item, sizeof row);
    memcpy(rows_here + (size_t)(row - b.first) * stride, item + sizeof row, stride);
  }
  pl_free(pl, count);
  pl_free_array(pl, sent);
  pl_free_array(pl, received);
  *result = rows_here;
  if (err) pl_free_array(pl, rows_here);
  return err;
}

/* Writes records that stand in the order of the view. */
static pl_err write_records(const h5_file *f, const char *name, pl_set *set, pl_type type, int rank,
                            hsize_t *extent, size_t stride, const char *records, hid_t *dataset)
{
  char *here;
  PL_TRY(to_block(set, stride, records, &here));
  block b = block_of(f->pl, set->all);
  extent[0] = (hsize_t)set->all;
  pl_err err = write_rows(f, name, type, &b, rank, extent, here, dataset);
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

static pl_err write_set(const h5_file *f, const pl_set *set)
{
  char name[NAME];
  hid_t dataset;
  hsize_t extent = 1;
  block b = {1, 0, pl_rank(f->pl) == 0};
  PL_TRY(
    write_rows(f, full_name("sets", set->node.name, name), PL_INT64, &b, 1, &extent, &set->all, &dataset));
  H5Dclose(dataset);
  return PL_SUCCESS;
}

/* Rows of global indices in the order of the view. */
static pl_err global_indices(const pl_map *map, int64_t **result)
{
  pl_context *pl = map->node.pl;
  size_t n = (size_t)map->from->part[1], arity = (size_t)map->arity;
  int64_t *index = *result = pl_malloc_array(pl, n * arity * sizeof *index);
  PL_TRY(pl_agree(pl, index ? PL_SUCCESS : pl_fail_memory(pl, n * arity * sizeof *index)));
  if (map->far && n) memcpy(index, map->far, n * arity * sizeof *index);
  for (size_t i = 0; !map->far && i < n; i++) {
    const int *row = map->index + (size_t)pl_view_at(map->from, (int)i) * arity;
    for (size_t k = 0; k < arity; k++) *index++ = row[k] < 0 ? -1 : pl_element_number(map->to, row[k]);
  }
  return PL_SUCCESS;
}

static pl_err write_map(const h5_file *f, pl_map *map)
{
  char name[NAME];
  hid_t dataset;
  int64_t *index;
  hsize_t extent[2] = {0, (hsize_t)map->arity};
  PL_TRY(global_indices(map, &index));
  pl_err err = write_records(f, full_name("maps", map->node.name, name), map->from, PL_INT64, 2, extent,
                             (size_t)map->arity * sizeof *index, (const char *)index, &dataset);
  pl_free_array(f->pl, index);
  if (err) return err;
  err = write_word(f, dataset, "from", map->from->node.name);
  if (!err) err = write_word(f, dataset, "to", map->to->node.name);
  H5Dclose(dataset);
  return err;
}

static pl_err write_dat(const h5_file *f, pl_dat *dat)
{
  char name[NAME];
  hid_t dataset;
  hsize_t extent[MOST_RANK];
  size_t stride = pl_dat_stride(dat);
  if (dat->rank >= MOST_RANK)
    return pl_fail(f->pl, PL_ERR_IO, "file \"%s\": dat \"%s\" has %d extents, more than HDF5 can hold",
                   f->path, dat->node.name, dat->rank);
  for (int i = 0; i < dat->rank; i++) extent[i + 1] = (hsize_t)dat->shape[i];
  void *values; /* owned elements come first in a view */
  PL_TRY(pl_agree(f->pl, pl_dat_get(dat, PL_READ, &values)));
  pl_err err = write_records(f, full_name("dats", dat->node.name, name), dat->set, dat->type, dat->rank + 1,
                             extent, stride, values, &dataset);
  pl_dat_put(dat);
  if (err) return err;
  err = write_word(f, dataset, "set", dat->set->node.name);
  H5Dclose(dataset);
  return err;
}

static pl_err write_const(const h5_file *f, const pl_const *constant)
{
  char name[NAME];
  hid_t dataset;
  hsize_t extent = (hsize_t)constant->dim;
  block b = {constant->dim, 0, pl_rank(f->pl) == 0 ? constant->dim : 0};
  PL_TRY(write_rows(f, full_name("consts", constant->node.name, name), constant->type, &b, 1, &extent,
                    constant->value, &dataset));
  H5Dclose(dataset);
  return PL_SUCCESS;
}

/* What cannot be written is said before a file is made. */
static pl_err check_all(pl_context *pl, const char *path)
{
  for (const pl_node *node = pl->maps; node; node = node->next)
    if (((const pl_map *)node)->offset && !node->own)
      return pl_fail(pl, PL_ERR_IO,
                     "file \"%s\": map \"%s\" is ragged; only maps of fixed arity can be written", path,
                     node->name);
  for (const pl_node *node = pl->sets; node; node = node->next)
    if (((const pl_set *)node)->all != ((const pl_set *)node)->ids && !node->own)
      return pl_fail(pl, PL_ERR_STATE,
                     "file \"%s\": elements have left set \"%s\", so the rows of its file would have gaps; "
                     "write what its host views show",
                     path, node->name);
  for (const pl_node *node = pl->dats; node; node = node->next)
    if (((const pl_dat *)node)->writer)
      return pl_fail(
        pl, PL_ERR_STATE,
        "file \"%s\": a writable host view of dat \"%s\" is open; close it with pl_dat_put first", path,
        node->name);
  return PL_SUCCESS;
}

static pl_err write_all(const h5_file *f)
{
  pl_context *pl = f->pl;
  for (pl_node *node = pl->sets; node; node = node->next)
    if (!((pl_set *)node)->parent && !node->own) PL_TRY(write_set(f, (pl_set *)node));
  for (pl_node *node = pl->maps; node; node = node->next)
    if ((((pl_map *)node)->index || ((pl_map *)node)->far) && !node->own)
      PL_TRY(write_map(f, (pl_map *)node));
  for (pl_node *node = pl->dats; node; node = node->next)
    if (!node->own) PL_TRY(write_dat(f, (pl_dat *)node));
  for (pl_node *node = pl->consts; node; node = node->next) PL_TRY(write_const(f, (const pl_const *)node));
  return PL_SUCCESS;
}

pl_err pl_hdf5_write(pl_context *pl, const char *path)
{
  h5_file f;
  PL_TRY(pl_context_check(pl));
  PL_TRY(all_given(pl, "pl_hdf5_write", path));
  PL_TRY(pl_agree(pl, check_all(pl, path)));
  PL_TRY(open_file(pl, path, true, &f));
  pl_err err = pl_agree(pl, write_all(&f));
  close_file(&f);
  return err;
}

/* ---- reading ---- */

/* A dataset that was found, and its shape. */
typedef struct found {
  hid_t dataset;
  int rank;
  hsize_t extent[MOST_RANK];
  pl_type type;
} found;

static pl_err find(const h5_file *f, const char *kind, const char *name, found *d)
{
  char full[NAME];
  d->dataset = H5Dopen2(f->id, full_name(kind, name, full), H5P_DEFAULT);
  if (d->dataset < 0)
    return pl_fail(f->pl, PL_ERR_IO, "file \"%s\": there is no \"%s\" in it", f->path, full);
  hid_t space = H5Dget_space(d->dataset);
  d->rank = H5Sget_simple_extent_dims(space, d->extent, NULL);
  d->type = type_of(d->dataset);
  H5Sclose(space);
  if (d->rank >= 0 && d->type != PL_TYPE_COUNT) return PL_SUCCESS;
  H5Dclose(d->dataset);
  return pl_fail(f->pl, PL_ERR_IO, "file \"%s\": \"%s\" holds values of no type of ours", f->path, full);
}

static pl_err read_rows(const h5_file *f, const found *d, const char *name, pl_type type, const block *b,
                        void *values)
{
  hid_t memory, space, values_type;
  if (holds_nothing(d->rank, d->extent)) return PL_SUCCESS;
  values_type = new_type(type);
  make_spaces(b, d->rank, d->extent, &memory, &space);
  bool good = H5Dread(d->dataset, values_type, memory, space, f->transfer, values) >= 0;
  pl_err err = good ? PL_SUCCESS : io_error(f, "read", name);
  H5Sclose(memory);
  H5Sclose(space);
  H5Tclose(values_type);
  return err;
}

/* The block of rows of elements of a set: as many as this rank owns, since it was declared by
 * pl_decl_set_hdf5. */
static pl_err rows_for(const h5_file *f, pl_set *set, const found *d, const char *name, block *b)
{
  *b = (block){set->all, set->first, set->part[1]};
  if (set->global && pl_ranks(f->pl) > 1)
    return pl_fail(f->pl, PL_ERR_STATE, "file \"%s\": \"%s\" must be read before set \"%s\" is partitioned",
                   f->path, name, set->node.name);
  if (d->rank >= 1 && (int64_t)d->extent[0] == set->all) return PL_SUCCESS;
  return pl_fail(f->pl, PL_ERR_IO, "file \"%s\": \"%s\" has %lld rows, but set \"%s\" has %lld elements",
                 f->path, name, d->rank < 1 ? 1LL : (long long)d->extent[0], set->node.name,
                 (long long)set->all);
}

/* All ranks must have found the same, or one would read together with ranks that do not. */
static pl_err find_same(const h5_file *f, const char *kind, const char *name, const found *d)
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

typedef pl_err (*reader)(const h5_file *f, found *d, const char *name, void *request);

/* Opens the file, finds the dataset, and lets `read` make something of it. */
static pl_err read_one(pl_context *pl, const char *path, const char *kind, const char *name, reader read,
                       void *request)
{
  h5_file f;
  found d;
  PL_TRY(open_file(pl, path, false, &f));
  pl_err err = find(&f, kind, name, &d);
  bool found_here = !err;
  err = pl_agree(pl, err);
  if (!err) err = find_same(&f, kind, name, &d);
  if (!err) err = pl_agree(pl, read(&f, &d, name, request));
  if (found_here) H5Dclose(d.dataset);
  close_file(&f);
  return err;
}

static pl_err read_set(const h5_file *f, found *d, const char *name, void *request)
{
  int64_t n;
  block all = {1, 0, 1};
  bool one = d->rank == 0 || (d->rank == 1 && d->extent[0] == 1);
  if (!one || !pl_type_is_integer(d->type))
    return pl_fail(f->pl, PL_ERR_IO, "file \"%s\": set \"%s\" is no single whole number", f->path, name);
  PL_TRY(read_rows(f, d, name, PL_INT64, &all, &n));
  if (n < 0)
    return pl_fail(f->pl, PL_ERR_IO, "file \"%s\": set \"%s\" has %lld elements", f->path, name,
                   (long long)n);
  return pl_decl_set(f->pl, block_of(f->pl, n).count, name, request);
}

pl_err pl_decl_set_hdf5(pl_context *pl, const char *path, const char *name, pl_set **set)
{
  PL_TRY(pl_context_check(pl));
  PL_TRY(all_given(pl, "pl_decl_set_hdf5", path && name && set));
  return read_one(pl, path, "sets", name, read_set, set);
}

typedef struct map_request {
  pl_set *from, *to;
  pl_map **map;
} map_request;

static pl_err read_map(const h5_file *f, found *d, const char *name, void *data)
{
  const map_request *m = data;
  block b;
  PL_TRY(rows_for(f, m->from, d, name, &b));
  if (d->rank != 2 || d->extent[1] < 1 || d->extent[1] > INT32_MAX || !pl_type_is_integer(d->type))
    return pl_fail(f->pl, PL_ERR_IO, "file \"%s\": map \"%s\" is no table of whole numbers", f->path, name);
  size_t n = (size_t)b.count * (size_t)d->extent[1];
  int64_t *index = pl_malloc_array(f->pl, n * sizeof *index);
  PL_TRY(pl_agree(f->pl, index ? PL_SUCCESS : pl_fail_memory(f->pl, n * sizeof *index)));
  pl_err err = read_rows(f, d, name, PL_INT64, &b, index);
  if (!err) err = pl_decl_map_global(m->from, m->to, (int)d->extent[1], index, name, m->map);
  pl_free_array(f->pl, index);
  return err;
}

pl_err pl_decl_map_hdf5(pl_set *from, pl_set *to, const char *path, const char *name, pl_map **map)
{
  pl_context *pl = from ? from->node.pl : to ? to->node.pl : NULL;
  PL_TRY(all_given(pl, "pl_decl_map_hdf5", from && to && path && name && map));
  map_request request = {from, to, map};
  return read_one(pl, path, "maps", name, read_map, &request);
}

typedef struct dat_request {
  pl_set *set;
  pl_dat **dat;
} dat_request;

static pl_err read_dat(const h5_file *f, found *d, const char *name, void *data)
{
  const dat_request *request = data;
  block b;
  int shape[MOST_RANK] = {1}, rank = d->rank > 1 ? d->rank - 1 : 1;
  size_t stride = pl_type_size(d->type);
  PL_TRY(rows_for(f, request->set, d, name, &b));
  for (int i = 1; i < d->rank; i++) {
    shape[i - 1] = d->extent[i] > INT32_MAX ? -1 : (int)d->extent[i];
    stride *= (size_t)d->extent[i];
  }
  char *values = pl_malloc_array(f->pl, (size_t)b.count * stride);
  PL_TRY(pl_agree(f->pl, values ? PL_SUCCESS : pl_fail_memory(f->pl, (size_t)b.count * stride)));
  pl_err err = read_rows(f, d, name, d->type, &b, values);
  if (!err) err = pl_decl_dat_shape(request->set, rank, shape, d->type, values, name, request->dat);
  pl_free_array(f->pl, values);
  return err;
}

pl_err pl_decl_dat_hdf5(pl_set *set, const char *path, const char *name, pl_dat **dat)
{
  PL_TRY(all_given(set ? set->node.pl : NULL, "pl_decl_dat_hdf5", set && path && name && dat));
  dat_request request = {set, dat};
  return read_one(set->node.pl, path, "dats", name, read_dat, &request);
}

static pl_err read_const(const h5_file *f, found *d, const char *name, void *request)
{
  int64_t dim = d->rank == 1 ? (int64_t)d->extent[0] : 0;
  if (dim < 1 || dim > INT32_MAX)
    return pl_fail(f->pl, PL_ERR_IO, "file \"%s\": const \"%s\" is no row of values", f->path, name);
  block all = {dim, 0, dim};
  void *values = pl_malloc(f->pl, (size_t)dim * pl_type_size(d->type));
  pl_err err =
    pl_agree(f->pl, values ? PL_SUCCESS : pl_fail_memory(f->pl, (size_t)dim * pl_type_size(d->type)));
  if (!err) err = read_rows(f, d, name, d->type, &all, values);
  if (!err) err = pl_decl_const(f->pl, name, (int)dim, d->type, values, request);
  pl_free(f->pl, values);
  return err;
}

pl_err pl_decl_const_hdf5(pl_context *pl, const char *path, const char *name, pl_const **constant)
{
  PL_TRY(pl_context_check(pl));
  PL_TRY(all_given(pl, "pl_decl_const_hdf5", path && name));
  return read_one(pl, path, "consts", name, read_const, constant);
}

#else

static pl_err missing(pl_context *pl, const char *what)
{
  return pl_fail(
    pl, PL_ERR_IO,
    "%s: the library was built without HDF5; install it (Debian: libhdf5-openmpi-dev) and configure "
    "again with -DPLAIT_WITH_HDF5=ON",
    what);
}

pl_err pl_hdf5_write(pl_context *pl, const char *path)
{
  PL_TRY(pl_context_check(pl));
  PL_TRY(all_given(pl, "pl_hdf5_write", path));
  return missing(pl, "pl_hdf5_write");
}

pl_err pl_decl_set_hdf5(pl_context *pl, const char *path, const char *name, pl_set **set)
{
  PL_TRY(pl_context_check(pl));
  PL_TRY(all_given(pl, "pl_decl_set_hdf5", path && name && set));
  return missing(pl, "pl_decl_set_hdf5");
}

pl_err pl_decl_map_hdf5(pl_set *from, pl_set *to, const char *path, const char *name, pl_map **map)
{
  pl_context *pl = from ? from->node.pl : to ? to->node.pl : NULL;
  PL_TRY(all_given(pl, "pl_decl_map_hdf5", from && to && path && name && map));
  return missing(pl, "pl_decl_map_hdf5");
}

pl_err pl_decl_dat_hdf5(pl_set *set, const char *path, const char *name, pl_dat **dat)
{
  PL_TRY(all_given(set ? set->node.pl : NULL, "pl_decl_dat_hdf5", set && path && name && dat));
  return missing(set->node.pl, "pl_decl_dat_hdf5");
}

pl_err pl_decl_const_hdf5(pl_context *pl, const char *path, const char *name, pl_const **constant)
{
  PL_TRY(pl_context_check(pl));
  (void)constant;
  PL_TRY(all_given(pl, "pl_decl_const_hdf5", path && name));
  return missing(pl, "pl_decl_const_hdf5");
}

#endif

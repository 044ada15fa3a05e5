/* SPDX-License-Identifier: BSD-2-Clause
 * Datasets of HDF5 files that grow, in chunks.
 */
#include "hdf5_growing.h"
#include "core/comm/comm.h"
#include <errno.h>

/* Where the bytes of a dataset are in the file: those from first * bytes on in the chunks from `first` on. */
typedef struct chunks {
  int64_t row_bytes, bytes; /* of a chunk */
  int64_t first, count;
  int64_t *address;
} chunks;

/* Chunks hold as many rows as are written first, which are often those of a step. Their places in the file
 * are fixed when the dataset grows, and HDF5 itself never writes to them. */
static hid_t create_growing(const h5_file *f, const char *name, hid_t type, const pl_h5_rows *rows)
{
  enum { FEWEST = 64, LARGEST = 1 << 25 };
  const hsize_t width = rows->width ? (hsize_t)rows->width : 1,
                most = LARGEST / (width * sizeof(int64_t)) + 1;
  const hsize_t wanted = rows->count > FEWEST ? (hsize_t)rows->count : FEWEST;
  const hsize_t none[2] = {0, width}, ends[2] = {H5S_UNLIMITED, width};
  const hsize_t chunk[2] = {wanted < most ? wanted : most, width};
  const int rank = rows->width ? 2 : 1;
  hid_t space = H5Screate_simple(rank, none, ends), storage = H5Pcreate(H5P_DATASET_CREATE);
  hid_t links = H5Pcreate(H5P_LINK_CREATE);
  H5Pset_create_intermediate_group(links, 1);
  H5Pset_chunk(storage, rank, chunk);
  H5Pset_alloc_time(storage, H5D_ALLOC_TIME_EARLY);
  H5Pset_fill_time(storage, H5D_FILL_TIME_NEVER);
  hid_t dataset = H5Dcreate2(f->id, name, type, space, links, storage, H5P_DEFAULT);
  H5Pclose(links);
  H5Pclose(storage);
  H5Sclose(space);
  return dataset;
}

/* Makes a dataset as large as needed, if its rows are like these. */
static bool grow(hid_t dataset, hid_t type, const pl_h5_rows *rows, hsize_t chunk[2])
{
  hsize_t extent[2] = {0, 1};
  hid_t stored = H5Dget_type(dataset), space = H5Dget_space(dataset), list = H5Dget_create_plist(dataset);
  const int rank = H5Sget_simple_extent_ndims(space);
  bool good =
    rank == (rows->width ? 2 : 1) && H5Tequal(stored, type) > 0 && H5Pget_chunk(list, 2, chunk) == rank;
  if (good) H5Sget_simple_extent_dims(space, extent, NULL);
  good = good && (!rows->width || extent[1] == (hsize_t)rows->width);
  const hsize_t end = (hsize_t)(rows->first + rows->count);
  if (end > extent[0]) extent[0] = end;
  good = good && H5Dset_extent(dataset, extent) >= 0;
  H5Pclose(list);
  H5Sclose(space);
  H5Tclose(stored);
  return good;
}

static bool find_chunks(hid_t dataset, hsize_t chunk_rows, chunks *c)
{
  for (int64_t i = 0; i < c->count; i++) {
    const hsize_t at[2] = {(hsize_t)(c->first + i) * chunk_rows, 0};
    unsigned filters;
    haddr_t address;
    hsize_t size;
    if (H5Dget_chunk_info_by_coord(dataset, at, &filters, &address, &size) < 0 || address == HADDR_UNDEF)
      return false;
    c->address[i] = (int64_t)address;
  }
  return true;
}

/* Rank 0: makes room for the rows and finds it in the file. */
static pl_err make_chunks(const h5_file *f, const char *name, pl_type type, const pl_h5_rows *rows, chunks *c)
{
  hid_t values_type = pl_h5_new_type(type);
  const bool exists = H5Lexists(f->id, name, H5P_DEFAULT) > 0;
  hid_t dataset = exists ? H5Dopen2(f->id, name, H5P_DEFAULT) : create_growing(f, name, values_type, rows);
  hsize_t chunk[2] = {1, 1};
  bool good = dataset >= 0 && grow(dataset, values_type, rows, chunk);
  const int64_t per_chunk = (int64_t)chunk[0];
  c->row_bytes = (int64_t)pl_type_size(type) * (rows->width ? rows->width : 1);
  c->bytes = per_chunk * c->row_bytes;
  c->first = rows->first / per_chunk;
  c->count = rows->count ? (rows->first + rows->count - 1) / per_chunk + 1 - c->first : 0;
  pl_err err = PL_SUCCESS;
  if (good) err = PL_NEW(f->base.pl, c->address, (size_t)c->count + 1);
  if (!err && !(good && find_chunks(dataset, chunk[0], c))) err = pl_h5_io_error(f, "extend", name);
  if (dataset >= 0) H5Dclose(dataset);
  H5Tclose(values_type);
  return err;
}

/* Bytes of the dataset from `at` on. */
static bool write_to_chunks(int fd, const chunks *c, const char *bytes, int64_t size, int64_t at)
{
  bool good = true;
  while (good && size > 0) {
    const int64_t chunk = at / c->bytes, inside = at % c->bytes;
    const int64_t n = size < c->bytes - inside ? size : c->bytes - inside;
    good = pl_h5_write_bytes(fd, bytes, (size_t)n, c->address[chunk - c->first] + inside);
    bytes += n;
    at += n;
    size -= n;
  }
  return good;
}

/* Rank 0's knowledge to all. */
static pl_err share_chunks(pl_context *pl, chunks *c)
{
  int64_t numbers[] = {c->row_bytes, c->bytes, c->first, c->count};
  PL_TRY(pl_comm_bcast(pl, 0, numbers, sizeof numbers));
  c->row_bytes = numbers[0], c->bytes = numbers[1], c->first = numbers[2], c->count = numbers[3];
  PL_TRY(pl_agree(pl, pl_rank(pl) ? PL_NEW(pl, c->address, (size_t)c->count + 1) : PL_SUCCESS));
  return pl_comm_bcast(pl, 0, c->address, (size_t)c->count * sizeof *c->address);
}

pl_err pl_h5_extend(pl_h5_file *file, const char *name, pl_type type, const pl_h5_rows *rows,
                    pl_h5_source *source)
{
  h5_file *f = (h5_file *)file;
  chunks c = {.address = NULL};
  pl_err err = pl_agree(file->pl, pl_rank(file->pl) ? PL_SUCCESS : make_chunks(f, name, type, rows, &c));
  if (!err) err = share_chunks(file->pl, &c);
  for (int64_t i = 0; !err && i < source->pieces; i++) {
    pl_h5_block b;
    const void *values;
    err = source->piece(source, i, &b, &values);
    if (err || f->failure) continue;
    const int64_t stride = (int64_t)source->stride;
    if (!write_to_chunks(f->fd, &c, values, b.count * stride, rows->first * c.row_bytes + b.first * stride))
      f->failure = errno;
  }
  pl_free(file->pl, c.address);
  return err;
}

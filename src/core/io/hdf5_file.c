/* SPDX-License-Identifier: BSD-2-Clause
 * The module of HDF5: files and datasets.
 *
 * Ranks do not use HDF5's own parallel access, which deadlocks if a write fails on one of them. Rank 0
 * declares the datasets, contiguous and without fill values, and every rank writes its rows to their place in
 * the file. For reading each rank opens the file alone.
 */
#define _GNU_SOURCE /* fallocate, sync_file_range */
#include "core/comm/comm.h"
#include "hdf5_growing.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char checksum_name[] = "checksum";
static const pl_h5_functions functions; /* the module, at the end of the file */

/* ---- errors ---- */

static herr_t copy_deepest(unsigned n, const H5E_error2_t *error, void *text)
{
  if (n == 0 && error->desc) snprintf(text, 200, "%s", error->desc);
  return 0;
}

pl_err pl_h5_io_error(const h5_file *f, const char *doing, const char *what)
{
  char why[200] = "HDF5 gives no reason";
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, copy_deepest, why);
  return pl_fail(f->base.pl, PL_ERR_IO, "file \"%s\": cannot %s%s%s%s: %s", f->base.path, doing,
                 *what ? " \"" : "", what, *what ? "\"" : "", why);
}

static pl_err system_error(const h5_file *f, const char *name)
{
  return pl_fail(f->base.pl, PL_ERR_IO, "file \"%s\": cannot write %s: %s", f->base.path, name,
                 strerror(errno));
}

/* ---- files ---- */

/* The ranks add their parts of the checksums, and rank 0 writes them. */
static pl_err write_checksums(const h5_file *f)
{
  pl_context *pl = f->base.pl;
  uint64_t *sum = pl_calloc(pl, (size_t)f->n + 1, sizeof *sum);
  bool good = true;
  PL_TRY(pl_agree(pl, sum ? PL_SUCCESS : pl_fail_memory(pl, (size_t)f->n * sizeof *sum)));
  for (int i = 0; i < f->n; i++) sum[i] = f->dataset[i].checksum;
  pl_err err = pl_comm_reduce(pl, PL_UINT64, PL_INC, sum, (size_t)f->n);
  for (int i = 0; !err && pl_rank(pl) == 0 && i < f->n; i++)
    good = H5Awrite(f->dataset[i].attribute, H5T_NATIVE_UINT64, &sum[i]) >= 0 && good;
  pl_free(pl, sum);
  return !err && !good ? pl_h5_io_error(f, "write attribute", checksum_name) : err;
}

/* A failed write of this rank is an error of all. */
static pl_err end_writing(h5_file *f)
{
  errno = f->failure;
  PL_TRY(pl_agree(f->base.pl, f->failure ? system_error(f, "it") : PL_SUCCESS));
  return write_checksums(f);
}

static pl_err close_file(pl_h5_file *file, pl_err err)
{
  h5_file *f = (h5_file *)file;
  pl_context *pl = file->pl;
  if ((f->creates || f->appends) && !err) err = end_writing(f);
  for (int i = 0; i < f->n; i++)
    if (f->dataset[i].attribute >= 0) H5Aclose(f->dataset[i].attribute);
  pl_free(pl, f->dataset);
  if (f->id >= 0 && H5Fclose(f->id) < 0 && !err) err = pl_h5_io_error(f, "write it", "");
  if (f->fd >= 0) {
    struct stat info;
    if (pl_rank(pl) == 0 && !fstat(f->fd, &info)) (void)!ftruncate(f->fd, info.st_size); /* unused reserve */
    if (f->appends && fsync(f->fd) && !err) err = system_error(f, "it");
    if (close(f->fd) && !err) err = system_error(f, "it");
  }
  H5Eset_auto2(H5E_DEFAULT, f->print, f->print_data);
  f->file.keep = file->keep;
  if (f->creates) err = pl_file_end(pl, &f->file, err);
  if (f->appends) err = pl_agree(pl, err);
  pl_free(pl, f);
  return err;
}

static pl_err new_file(pl_context *pl, const char *path, h5_file **result)
{
  h5_file *f = *result = pl_calloc(pl, 1, sizeof *f);
  PL_TRY(pl_agree(pl, f ? PL_SUCCESS : pl_fail_memory(pl, sizeof *f)));
  f->base = (pl_h5_file){&functions, pl, path, NULL, 0};
  f->id = f->fd = -1;
  H5Eget_auto2(H5E_DEFAULT, &f->print, &f->print_data);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  return PL_SUCCESS;
}

static pl_err open_file(pl_context *pl, const char *path, pl_h5_file **result)
{
  h5_file *f;
  PL_TRY(pl_file_agree(pl, path));
  PL_TRY(new_file(pl, path, &f));
  *result = &f->base;
  f->id = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  pl_err err = pl_agree(pl, f->id < 0 ? pl_h5_io_error(f, "open it", "") : PL_SUCCESS);
  return err ? close_file(&f->base, err) : PL_SUCCESS;
}

/* Space in the file from `first` on, where the file system can reserve it. */
static pl_err reserve(const h5_file *f, int mode, int64_t first, int64_t bytes)
{
  if (!fallocate(f->fd, mode, (off_t)first, (off_t)bytes)) return PL_SUCCESS;
  return errno == EOPNOTSUPP || errno == ENOSYS ? PL_SUCCESS : system_error(f, "it");
}

/* Since version 1.8 headers have checksums. A program that shows the file may have it open while it grows. */
static hid_t open_written(const char *path, bool exists)
{
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_LATEST);
#if H5_VERSION_GE(1, 10, 7)
  H5Pset_file_locking(access, false, true);
#endif
  hid_t id =
    exists ? H5Fopen(path, H5F_ACC_RDWR, access) : H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
  H5Pclose(access);
  return id;
}

/* HDF5 does not survive a write that fails, so space is reserved before it opens the file. It frees the space
 * of a new one, for which it is reserved again. */
static pl_err open_to_write(h5_file *f, const char *path, int64_t bytes)
{
  struct stat info;
  f->fd = open(path, O_WRONLY | O_CLOEXEC);
  if (f->fd < 0 || fstat(f->fd, &info)) return system_error(f, "it");
  if (pl_rank(f->base.pl) > 0) return PL_SUCCESS;
  PL_TRY(reserve(f, f->appends ? FALLOC_FL_KEEP_SIZE : 0, f->appends ? info.st_size : 0, bytes));
  f->id = open_written(path, f->appends);
  if (f->id < 0) return pl_h5_io_error(f, f->appends ? "open it" : "create it", "");
  return f->appends ? PL_SUCCESS : reserve(f, FALLOC_FL_KEEP_SIZE, 0, bytes);
}

static pl_err append_file(pl_context *pl, const char *path, int64_t bytes, pl_h5_file **result)
{
  h5_file *f;
  PL_TRY(new_file(pl, path, &f));
  *result = &f->base;
  f->appends = true;
  pl_err err = pl_agree(pl, open_to_write(f, path, bytes));
  return err ? close_file(&f->base, err) : PL_SUCCESS;
}

static pl_err create_file(pl_context *pl, const char *path, int64_t bytes, pl_h5_file **result)
{
  h5_file *f;
  PL_TRY(new_file(pl, path, &f));
  *result = &f->base;
  pl_err err = pl_file_begin(pl, path, &f->file);
  f->creates = !err;
  if (!err) err = pl_agree(pl, open_to_write(f, f->file.temporary, bytes));
  return err ? close_file(&f->base, err) : PL_SUCCESS;
}

/* ---- types ---- */

static hid_t real_type(pl_type type)
{
  const hid_t types[] = {
    [PL_INT8] = H5T_NATIVE_INT8,     [PL_UINT8] = H5T_NATIVE_UINT8,   [PL_INT16] = H5T_NATIVE_INT16,
    [PL_UINT16] = H5T_NATIVE_UINT16, [PL_INT32] = H5T_NATIVE_INT32,   [PL_UINT32] = H5T_NATIVE_UINT32,
    [PL_INT64] = H5T_NATIVE_INT64,   [PL_UINT64] = H5T_NATIVE_UINT64, [PL_FLOAT] = H5T_NATIVE_FLOAT,
    [PL_DOUBLE] = H5T_NATIVE_DOUBLE};
  return types[type];
}

hid_t pl_h5_new_type(pl_type type)
{
  hid_t real = real_type(pl_type_base(type));
  if (!pl_type_is_complex(type)) return H5Tcopy(real);
  size_t size = pl_type_size(type);
  hid_t pair = H5Tcreate(H5T_COMPOUND, size);
  H5Tinsert(pair, "r", 0, real);
  H5Tinsert(pair, "i", size / 2, real);
  return pair;
}

/* The type of a dataset's values, or PL_TYPE_COUNT; *size: the bytes of a stored value. */
static pl_type type_of(hid_t dataset, size_t *size)
{
  hid_t stored = H5Dget_type(dataset), native = H5Tget_native_type(stored, H5T_DIR_ASCEND);
  pl_type found = PL_TYPE_COUNT;
  *size = H5Tget_size(stored);
  for (int t = 0; t < PL_TYPE_COUNT && found == PL_TYPE_COUNT; t++) {
    hid_t candidate = pl_h5_new_type((pl_type)t);
    if (H5Tequal(native, candidate) > 0) found = (pl_type)t;
    H5Tclose(candidate);
  }
  H5Tclose(native);
  H5Tclose(stored);
  return found;
}

/* ---- datasets ---- */

static bool is_empty(int rank, const uint64_t *extent)
{
  for (int i = 0; i < rank; i++)
    if (!extent[i]) return true;
  return false;
}

/* An attribute of a dataset or group: a text, or integers. */
static pl_err write_attribute(const h5_file *f, hid_t object, const char *name, hid_t type, hid_t space,
                              const void *value)
{
  hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  bool good = attribute >= 0 && H5Awrite(attribute, type, value) >= 0;
  pl_err err = good ? PL_SUCCESS : pl_h5_io_error(f, "write attribute", name);
  if (attribute >= 0) H5Aclose(attribute);
  H5Sclose(space);
  return err;
}

static pl_err write_text(const h5_file *f, hid_t object, const char *name, const char *word, size_t size)
{
  hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, size);
  pl_err err = write_attribute(f, object, name, type, H5Screate(H5S_SCALAR), word);
  H5Tclose(type);
  return err;
}

static void read_checksum(hid_t dataset, pl_h5_dataset *d)
{
  d->has_checksum = false;
  if (H5Aexists(dataset, checksum_name) <= 0) return;
  hid_t attribute = H5Aopen(dataset, checksum_name, H5P_DEFAULT);
  d->has_checksum = attribute >= 0 && H5Aread(attribute, H5T_NATIVE_UINT64, &d->checksum) >= 0;
  if (attribute >= 0) H5Aclose(attribute);
}

/* The attribute of a checksum, which is written when the file is closed. */
static pl_err declare_checksum(const h5_file *f, hid_t dataset, const char *name, hid_t *attribute)
{
  hid_t space = H5Screate(H5S_SCALAR);
  *attribute = H5Acreate2(dataset, checksum_name, H5T_NATIVE_UINT64, space, H5P_DEFAULT, H5P_DEFAULT);
  H5Sclose(space);
  return *attribute < 0 ? pl_h5_io_error(f, "write the checksum of", name) : PL_SUCCESS;
}

/* Declares a dataset, whose values lie in the file from *offset on, and its attributes. Rank 0. */
static pl_err declare(const h5_file *f, const pl_h5_new *d, int64_t *offset, hid_t *checksum)
{
  hsize_t all[PL_H5_RANK];
  for (int i = 0; i < d->rank; i++) all[i] = d->extent[i];
  hid_t values_type = pl_h5_new_type(d->type), space = H5Screate_simple(d->rank, all, NULL);
  hid_t links = H5Pcreate(H5P_LINK_CREATE), storage = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_create_intermediate_group(links, 1);
  H5Pset_alloc_time(storage, H5D_ALLOC_TIME_EARLY);
  H5Pset_fill_time(storage, H5D_FILL_TIME_NEVER);
  hid_t dataset = H5Dcreate2(f->id, d->name, values_type, space, links, storage, H5P_DEFAULT);
  pl_err err = dataset < 0 ? pl_h5_io_error(f, "create", d->name) : PL_SUCCESS;
  for (const char *const *pair = d->attributes; !err && pair && *pair; pair += 2)
    err = write_text(f, dataset, pair[0], pair[1], strlen(pair[1]) + 1);
  if (!err) err = declare_checksum(f, dataset, d->name, checksum);
  if (!err) *offset = (int64_t)H5Dget_offset(dataset);
  if (dataset >= 0) H5Dclose(dataset);
  H5Pclose(storage);
  H5Pclose(links);
  H5Sclose(space);
  H5Tclose(values_type);
  return err;
}

/* The disk begins to write a piece while the next one is made. */
bool pl_h5_write_bytes(int fd, const char *bytes, size_t size, int64_t offset)
{
  const char *at = bytes, *end = bytes + size;
  while (at < end) {
    ssize_t n = pwrite(fd, at, (size_t)(end - at), (off_t)(offset + (at - bytes)));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n;
  }
  (void)sync_file_range(fd, (off_t)offset, (off_t)size, SYNC_FILE_RANGE_WRITE);
  return true;
}

/* Writes the rows of this rank and sums up their checksum. A failed write is kept for the end, because the
 * other ranks need this one for the following pieces. */
static pl_err write_pieces(h5_file *f, pl_h5_source *source, int64_t offset, uint64_t *checksum)
{
  const size_t stride = source->stride;
  for (int64_t i = 0; i < source->pieces; i++) {
    pl_h5_block rows;
    const void *values;
    PL_TRY(source->piece(source, i, &rows, &values));
    *checksum += pl_h5_checksum(&rows, stride, values);
    if (!f->failure &&
        !pl_h5_write_bytes(f->fd, values, (size_t)rows.count * stride, offset + rows.first * (int64_t)stride))
      f->failure = errno;
  }
  return PL_SUCCESS;
}

static pl_err write_dataset(pl_h5_file *file, const pl_h5_new *d, pl_h5_source *source)
{
  h5_file *f = (h5_file *)file;
  pl_context *pl = file->pl;
  checked written = {0, H5I_INVALID_HID};
  int64_t offset = 0;
  pl_err err = PL_GROW(pl, f->dataset, f->room, f->n + 1);
  if (!err && pl_rank(pl) == 0) err = declare(f, d, &offset, &written.attribute);
  if (!err) f->dataset[f->n++] = written;
  PL_TRY(pl_agree(pl, err));
  PL_TRY(pl_comm_bcast(pl, 0, &offset, sizeof offset));
  return write_pieces(f, source, offset, &f->dataset[f->n - 1].checksum);
}

/* ---- reading ---- */

/* Whether the file holds that many bytes of a dataset: as many are stored, or fewer through filters. */
static bool holds(const h5_file *f, hid_t dataset, uint64_t bytes)
{
  enum { MOST_COMPRESSED = 1 << 16 }; /* no usual filter saves more */
  hid_t list = H5Dget_create_plist(dataset);
  const uint64_t ratio = H5Pget_nfilters(list) > 0 ? MOST_COMPRESSED : 1;
  hsize_t stored = H5Dget_storage_size(dataset), whole = 0;
  H5Pclose(list);
  if (H5Fget_filesize(f->id, &whole) < 0 || stored > whole) stored = whole; /* the header may claim more */
  return bytes / ratio <= stored && stored;
}

/* Values that the file does not hold are refused before memory is taken for them. From then on no product of
 * extents and a type's size exceeds INT64_MAX. */
static pl_err check_stored(const h5_file *f, const pl_h5_dataset *d, size_t size, const char *name)
{
  uint64_t values = 1, bytes = 0;
  bool fits = true;
  if (is_empty(d->rank, d->extent)) return PL_SUCCESS;
  for (int i = 0; i < d->rank; i++) fits = fits && !__builtin_mul_overflow(values, d->extent[i], &values);
  fits = fits && values <= INT64_MAX / sizeof(pl_cdouble) && !__builtin_mul_overflow(values, size, &bytes);
  if (fits && holds(f, (hid_t)d->id, bytes)) return PL_SUCCESS;
  return pl_fail(f->base.pl, PL_ERR_IO,
                 "file \"%s\": it does not hold all values of \"%s\"; write the file again", f->base.path,
                 name);
}

static void close_dataset(pl_h5_dataset *d)
{
  H5Dclose((hid_t)d->id);
}

static pl_err find_dataset(const pl_h5_file *file, const char *name, pl_h5_dataset *d)
{
  size_t size;
  hsize_t extent[PL_H5_RANK];
  d->id = H5Dopen2(((const h5_file *)file)->id, name, H5P_DEFAULT);
  if (d->id < 0)
    return pl_fail(file->pl, PL_ERR_IO, "file \"%s\": there is no \"%s\" in it", file->path, name);
  hid_t space = H5Dget_space((hid_t)d->id);
  d->rank = H5Sget_simple_extent_dims(space, extent, NULL);
  for (int i = 0; i < d->rank; i++) d->extent[i] = extent[i];
  d->type = type_of((hid_t)d->id, &size);
  read_checksum((hid_t)d->id, d);
  H5Sclose(space);
  pl_err err =
    d->rank < 0 || d->type == PL_TYPE_COUNT
      ? pl_fail(file->pl, PL_ERR_IO, "file \"%s\": \"%s\" holds values of an unknown type", file->path, name)
      : check_stored((const h5_file *)file, d, size, name);
  if (err) close_dataset(d);
  return err;
}

static pl_err read_block(const pl_h5_file *file, const pl_h5_dataset *d, const char *name, pl_type type,
                         const pl_h5_block *b, void *values)
{
  hsize_t start[PL_H5_RANK] = {(hsize_t)b->first}, count[PL_H5_RANK] = {(hsize_t)b->count};
  if (!b->count || is_empty(d->rank, d->extent)) return PL_SUCCESS;
  for (int i = 1; i < d->rank; i++) count[i] = d->extent[i];
  hid_t values_type = pl_h5_new_type(type), memory = H5Screate_simple(d->rank, count, NULL);
  hid_t space = H5Dget_space((hid_t)d->id);
  if (d->rank) H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
  bool good = H5Dread((hid_t)d->id, values_type, memory, space, H5P_DEFAULT, values) >= 0;
  pl_err err = good ? PL_SUCCESS : pl_h5_io_error((const h5_file *)file, "read", name);
  H5Sclose(memory);
  H5Sclose(space);
  H5Tclose(values_type);
  return err;
}

static pl_err read_dataset(const pl_h5_file *file, const pl_h5_dataset *d, const char *name, pl_type type,
                           const pl_h5_block *b, void *values)
{
  return pl_agree(file->pl, read_block(file, d, name, type, b, values));
}

static bool has_dataset(const pl_h5_file *file, const char *kind, const char *name)
{
  char full[PL_H5_NAME];
  const hid_t id = ((const h5_file *)file)->id;
  return H5Lexists(id, pl_h5_full_name(kind, "", full), H5P_DEFAULT) > 0 &&
         H5Lexists(id, pl_h5_full_name(kind, name, full), H5P_DEFAULT) > 0;
}

/* ---- groups and links, by rank 0 ---- */

static pl_err describe_group(const h5_file *f, hid_t group, const char *type, int part)
{
  static const int64_t version[2] = {2, 2};
  hsize_t two = 2;
  PL_TRY(write_attribute(f, group, "Version", H5T_NATIVE_INT64, H5Screate_simple(1, &two, NULL), version));
  PL_TRY(write_text(f, group, "Type", type, strlen(type)));
  if (part < 0) return PL_SUCCESS;
  return write_attribute(f, group, "Index", H5T_NATIVE_INT, H5Screate(H5S_SCALAR), &part);
}

/* Members are listed in the order of their creation, which is that of the parts of a collection. */
static pl_err create_group(const h5_file *f, const char *name, const char *type, int part)
{
  hid_t links = H5Pcreate(H5P_LINK_CREATE), order = H5Pcreate(H5P_GROUP_CREATE);
  H5Pset_create_intermediate_group(links, 1);
  H5Pset_link_creation_order(order, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  hid_t group = H5Gcreate2(f->id, name, links, order, H5P_DEFAULT);
  pl_err err = group < 0 ? pl_h5_io_error(f, "create", name) : PL_SUCCESS;
  if (!err && type) err = describe_group(f, group, type, part);
  if (group >= 0) H5Gclose(group);
  H5Pclose(order);
  H5Pclose(links);
  return err;
}

static pl_err new_group(const pl_h5_file *file, const char *name, const char *type, int part)
{
  const bool first = pl_rank(file->pl) == 0;
  return pl_agree(file->pl, first ? create_group((const h5_file *)file, name, type, part) : PL_SUCCESS);
}

static pl_err set_number(const h5_file *f, const char *group, const char *name, int64_t value)
{
  hid_t object = H5Gopen2(f->id, group, H5P_DEFAULT);
  if (object >= 0 && H5Aexists(object, name) > 0) H5Adelete(object, name);
  pl_err err = write_attribute(f, object, name, H5T_NATIVE_INT64, H5Screate(H5S_SCALAR), &value);
  if (object >= 0) H5Gclose(object);
  return err;
}

static pl_err put_number(const pl_h5_file *file, const char *group, const char *name, int64_t value)
{
  const bool first = pl_rank(file->pl) == 0;
  return pl_agree(file->pl, first ? set_number((const h5_file *)file, group, name, value) : PL_SUCCESS);
}

static pl_err new_link(const pl_h5_file *file, const char *from, const char *to, bool hard)
{
  const h5_file *f = (const h5_file *)file;
  herr_t status = 0;
  if (pl_rank(file->pl) == 0)
    status = hard ? H5Lcreate_hard(f->id, from, f->id, to, H5P_DEFAULT, H5P_DEFAULT)
                  : H5Lcreate_soft(from, f->id, to, H5P_DEFAULT, H5P_DEFAULT);
  return pl_agree(file->pl, status < 0 ? pl_h5_io_error(f, "create", to) : PL_SUCCESS);
}

static const pl_h5_functions functions = {.open = open_file,
                                          .create = create_file,
                                          .append = append_file,
                                          .close = close_file,
                                          .write = write_dataset,
                                          .extend = pl_h5_extend,
                                          .number = put_number,
                                          .find = find_dataset,
                                          .dataset_close = close_dataset,
                                          .read = read_dataset,
                                          .has = has_dataset,
                                          .group = new_group,
                                          .link = new_link};

PL_DEFINE_MODULE(hdf5, &functions)

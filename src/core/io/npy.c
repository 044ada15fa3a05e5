/* SPDX-License-Identifier: BSD-2-Clause
 * Dats to and from NumPy .npy files, format version 1.0 (NumPy Enhancement Proposal 1): magic, version,
 * length of the header, the header (a Python dictionary padded with blanks to a multiple of 64), the values.
 * On several ranks rows are in the order of global indices, and each rank writes or reads its own rows.
 */
#include "core/chain/deferred_queue.h"
#include "core/comm/comm.h"
#include "core/data/objects.h"
#include "core/mesh/row_numbers.h"
#include "parallel_file.h"
#include <errno.h>
#include <string.h>

static const char *const descriptors[PL_TYPE_COUNT] = {
  [PL_INT8] = "|i1",  [PL_UINT8] = "|u1",  [PL_INT16] = "<i2",         [PL_UINT16] = "<u2",
  [PL_INT32] = "<i4", [PL_UINT32] = "<u4", [PL_INT64] = "<i8",         [PL_UINT64] = "<u8",
  [PL_FLOAT] = "<f4", [PL_DOUBLE] = "<f8", [PL_COMPLEX_FLOAT] = "<c8", [PL_COMPLEX_DOUBLE] = "<c16"};

enum { PREFIX = 10, ALIGN = 64 }; /* magic 6, version 2, length 2 */

/* The whole header of a dat's file, from the magic to the newline before the values. */
static void build_header(const pl_dat *dat, pl_string *header)
{
  pl_string_add(header, "{'descr': '%s', 'fortran_order': False, 'shape': (%lld,", descriptors[dat->type],
                (long long)pl_row_count(dat->set));
  if (dat->rank > 1 || dat->dim != 1)
    for (int i = 0; i < dat->rank; i++)
      pl_string_add(header, " %d%s", dat->shape[i], i + 1 < dat->rank ? "," : "");
  pl_string_add(header, "), }");
  while ((PREFIX + header->length + 1) % ALIGN && !header->failed) pl_string_add(header, " ");
  pl_string_add(header, "\n");
}

static pl_err io_error(const pl_dat *dat, const char *doing, const char *path)
{
  return pl_fail(dat->node.pl, PL_ERR_IO, "dat \"%s\": %s \"%s\": %s", dat->node.name, doing, path,
                 errno ? strerror(errno) : "the file ends too early");
}

/* Writes or reads the rows of this rank's elements, one contiguous run at a time. */
static bool move_rows(FILE *file, const pl_dat *dat, const int64_t *row, size_t start, char *values,
                      bool writing)
{
  const size_t stride = pl_dat_stride(dat);
  for (int i = 0, n, end = dat->set->end[1]; i < end; i += n) {
    for (n = 1; i + n < end && row[i + n] == row[i] + n;) n++;
    char *at = values + (size_t)i * stride;
    const size_t bytes = (size_t)n * stride;
    if (fseeko(file, (off_t)(start + (size_t)row[i] * stride), SEEK_SET)) return false;
    if ((writing ? fwrite(at, 1, bytes, file) : fread(at, 1, bytes, file)) != bytes) return false;
  }
  return true;
}

static bool write_header(const char *path, const pl_string *header)
{
  unsigned char prefix[PREFIX] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0};
  prefix[8] = (unsigned char)(header->length & 255);
  prefix[9] = (unsigned char)(header->length >> 8);
  FILE *file = fopen(path, "wb");
  bool good =
    file && fwrite(prefix, PREFIX, 1, file) == 1 && fwrite(header->data, header->length, 1, file) == 1;
  return file && fclose(file) == 0 && good;
}

static bool write_rows(const char *path, const pl_dat *dat, const int64_t *row, size_t start, void *values)
{
  FILE *file = fopen(path, "r+b");
  bool good = file && move_rows(file, dat, row, start, values, true);
  return file && fclose(file) == 0 && good;
}

/* Rank 0 writes the header, then all ranks their rows. */
static pl_err write_all(pl_dat *dat, const char *path, const pl_string *header, const int64_t *row,
                        void *values)
{
  pl_context *pl = dat->node.pl;
  pl_new_file file;
  PL_TRY(pl_file_begin(pl, path, &file));
  errno = 0;
  bool good = pl_rank(pl) > 0 || write_header(file.temporary, header);
  pl_err err = pl_agree(pl, good ? PL_SUCCESS : io_error(dat, "cannot write", path));
  if (!err && !write_rows(file.temporary, dat, row, PREFIX + header->length, values))
    err = io_error(dat, "cannot write", path);
  return pl_file_end(pl, &file, err);
}

/* Checks the call on all ranks, builds the header and finds the rows. */
static pl_err begin_file(pl_dat *dat, const char *path, const char *call, pl_string *header, int64_t **row)
{
  pl_context *pl = dat ? dat->node.pl : NULL;
  pl_err err = PL_GIVEN(pl, call, dat, path);
  if (!pl) return err;
  PL_TRY(pl_agree(pl, err));
  PL_TRY(pl_flush_all(pl)); /* recorded loops may reorder elements */
  pl_string_init(header, pl);
  build_header(dat, header);
  err = pl_agree(pl, pl_string_check(header));
  if (!err) err = pl_row_numbers(dat->set, row);
  if (err) pl_string_free(header);
  return err;
}

static pl_err save_values(pl_dat *dat, const char *path, const pl_string *header, const int64_t *row)
{
  void *values;
  PL_TRY(pl_agree(dat->node.pl, pl_dat_get(dat, PL_READ, &values)));
  pl_err err = write_all(dat, path, header, row, values), put = pl_dat_put(dat);
  return err ? err : put;
}

pl_err pl_dat_save(pl_dat *dat, const char *path)
{
  int64_t *row;
  pl_string header;
  PL_TRY(begin_file(dat, path, "pl_dat_save", &header, &row));
  pl_err err = save_values(dat, path, &header, row);
  pl_free_array(dat->node.pl, row);
  pl_string_free(&header);
  return err;
}

/* Reads a file whose header must equal that of build_header, except for blanks. */
static pl_err read_all(pl_dat *dat, FILE *file, const char *path, const pl_string *expected,
                       const int64_t *row, void *values)
{
  pl_context *pl = dat->node.pl;
  unsigned char prefix[PREFIX];
  char header[4096] = "";
  if (fread(prefix, PREFIX, 1, file) != 1 || memcmp(prefix, "\x93NUMPY\x01", 7))
    return pl_fail(pl, PL_ERR_IO, "dat \"%s\": \"%s\" is not a .npy file of format 1", dat->node.name, path);
  size_t length = (size_t)prefix[8] | (size_t)prefix[9] << 8;
  if (length >= sizeof header || fread(header, 1, length, file) != length)
    return io_error(dat, "cannot read", path);
  for (const char *a = header, *b = expected->data;; a++, b++) {
    a += strspn(a, " \n,");
    b += strspn(b, " \n,");
    if (*a != *b)
      return pl_fail(pl, PL_ERR_IO, "dat \"%s\": \"%s\" is %.*s, expected %.*s", dat->node.name, path,
                     (int)strcspn(header, "}") + 1, header, (int)strcspn(expected->data, "}") + 1,
                     expected->data);
    if (!*a) break;
  }
  if (move_rows(file, dat, row, PREFIX + length, values, false)) return PL_SUCCESS;
  return io_error(dat, "cannot read", path);
}

static pl_err read_file(pl_dat *dat, const char *path, const pl_string *expected, const int64_t *row,
                        void *values)
{
  errno = 0;
  FILE *file = fopen(path, "rb");
  if (!file) return io_error(dat, "cannot read", path);
  pl_err err = read_all(dat, file, path, expected, row, values);
  fclose(file);
  return err;
}

/* The dat changes only if all ranks have read their rows. */
static pl_err load_values(pl_dat *dat, const char *path, const pl_string *expected, const int64_t *row,
                          void *scratch, size_t bytes)
{
  pl_context *pl = dat->node.pl;
  void *values;
  PL_TRY(pl_file_agree(pl, path));
  pl_err err = scratch ? read_file(dat, path, expected, row, scratch) : pl_fail_memory(pl, bytes);
  PL_TRY(pl_agree(pl, err));
  PL_TRY(pl_dat_get(dat, PL_RW, &values));
  if (bytes) memcpy(values, scratch, bytes);
  return pl_dat_put(dat);
}

pl_err pl_dat_load(pl_dat *dat, const char *path)
{
  int64_t *row;
  pl_string expected;
  PL_TRY(begin_file(dat, path, "pl_dat_load", &expected, &row));
  pl_context *pl = dat->node.pl;
  const size_t bytes = (size_t)dat->set->end[1] * pl_dat_stride(dat);
  void *scratch = pl_malloc_array(pl, bytes);
  pl_err err = load_values(dat, path, &expected, row, scratch, bytes);
  pl_free_arrays(pl, scratch, row);
  pl_string_free(&expected);
  return err;
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Dats to and from NumPy .npy files, format version 1.0 (NumPy Enhancement Proposal 1): magic, version,
 * length of the header, the header (a Python dictionary padded with blanks to a multiple of 64), then the
 * values.
 */
#include "objects.h"
#include "text.h"
#include <errno.h>
#include <string.h>

static const char *const descriptors[PL_TYPE_COUNT] = {
  [PL_INT8] = "|i1",  [PL_UINT8] = "|u1",  [PL_INT16] = "<i2",         [PL_UINT16] = "<u2",
  [PL_INT32] = "<i4", [PL_UINT32] = "<u4", [PL_INT64] = "<i8",         [PL_UINT64] = "<u8",
  [PL_FLOAT] = "<f4", [PL_DOUBLE] = "<f8", [PL_COMPLEX_FLOAT] = "<c8", [PL_COMPLEX_DOUBLE] = "<c16"};

enum { PREFIX = 10, ALIGN = 64 }; /* magic 6, version 2, length 2 */

/* The whole header of a dat's file, from the magic to the newline before the values. */
static void build_header(const pl_dat *dat, pl_text *header)
{
  pl_text_add(header, "{'descr': '%s', 'fortran_order': False, 'shape': (%d,", descriptors[dat->type],
              dat->set->part[1]);
  if (dat->rank > 1 || dat->dim != 1)
    for (int i = 0; i < dat->rank; i++)
      pl_text_add(header, " %d%s", dat->shape[i], i + 1 < dat->rank ? "," : "");
  pl_text_add(header, "), }");
  while ((PREFIX + header->length + 1) % ALIGN && !header->failed) pl_text_add(header, " ");
  pl_text_add(header, "\n");
}

static pl_err io_error(const pl_dat *dat, const char *doing, const char *path)
{
  return pl_fail(dat->node.pl, PL_ERR_IO, "dat \"%s\": %s \"%s\": %s", dat->node.name, doing, path,
                 errno ? strerror(errno) : "the file ends too early");
}

static bool write_all(FILE *file, const pl_text *header, const void *values, size_t bytes)
{
  unsigned char prefix[PREFIX] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0};
  prefix[8] = (unsigned char)(header->length & 255);
  prefix[9] = (unsigned char)(header->length >> 8);
  return fwrite(prefix, PREFIX, 1, file) == 1 && fwrite(header->data, header->length, 1, file) == 1 &&
         fwrite(values, 1, bytes, file) == bytes;
}

pl_err pl_dat_save(pl_dat *dat, const char *path)
{
  void *values;
  if (!dat || !path) return pl_fail(dat ? dat->node.pl : NULL, PL_ERR_ARG, "pl_dat_save: a pointer is NULL");
  PL_TRY(pl_alone(dat->node.pl, "NumPy files"));
  pl_text header;
  pl_text_init(&header, dat->node.pl);
  build_header(dat, &header);
  pl_err err = pl_text_check(&header);
  if (!err) err = pl_dat_get(dat, PL_READ, &values);
  if (!err) {
    errno = 0;
    FILE *file = fopen(path, "wb");
    bool good = file && write_all(file, &header, values, (size_t)dat->set->part[1] * pl_dat_stride(dat));
    if (file) good = fclose(file) == 0 && good;
    err = pl_dat_put(dat);
    if (!good) err = io_error(dat, "cannot write", path);
  }
  pl_text_free(&header);
  return err;
}

/* Reads a file whose header must be the one that build_header gives, but for blanks. */
static pl_err read_all(pl_dat *dat, FILE *file, const char *path, const pl_text *expected, void *values,
                       size_t bytes)
{
  pl_context *pl = dat->node.pl;
  unsigned char prefix[PREFIX];
  char header[4096];
  if (fread(prefix, PREFIX, 1, file) != 1 || memcmp(prefix, "\x93NUMPY\x01", 7))
    return pl_fail(pl, PL_ERR_IO, "dat \"%s\": \"%s\" is not a .npy file of format 1", dat->node.name, path);
  size_t length = (size_t)prefix[8] | (size_t)prefix[9] << 8;
  if (length >= sizeof header || fread(header, 1, length, file) != length)
    return io_error(dat, "cannot read", path);
  header[length] = '\0';
  for (const char *a = header, *b = expected->data;; a++, b++) {
    a += strspn(a, " \n,");
    b += strspn(b, " \n,");
    if (*a != *b)
      return pl_fail(pl, PL_ERR_IO, "dat \"%s\": \"%s\" holds %.*s, expected %.*s", dat->node.name, path,
                     (int)strcspn(header, "\n"), header, (int)strcspn(expected->data, "\n"), expected->data);
    if (!*a) break;
  }
  return fread(values, 1, bytes, file) == bytes ? PL_SUCCESS : io_error(dat, "cannot read", path);
}

static pl_err load_values(pl_dat *dat, const char *path, const pl_text *expected, void *scratch, size_t bytes)
{
  void *values;
  errno = 0;
  FILE *file = fopen(path, "rb");
  if (!file) return io_error(dat, "cannot read", path);
  pl_err err = read_all(dat, file, path, expected, scratch, bytes);
  fclose(file);
  if (err) return err;
  PL_TRY(pl_dat_get(dat, PL_RW, &values));
  if (bytes) memcpy(values, scratch, bytes);
  return pl_dat_put(dat);
}

pl_err pl_dat_load(pl_dat *dat, const char *path)
{
  if (!dat || !path) return pl_fail(dat ? dat->node.pl : NULL, PL_ERR_ARG, "pl_dat_load: a pointer is NULL");
  pl_context *pl = dat->node.pl;
  PL_TRY(pl_alone(pl, "NumPy files"));
  size_t bytes = (size_t)dat->set->part[1] * pl_dat_stride(dat);
  pl_text expected;
  pl_text_init(&expected, pl);
  build_header(dat, &expected);
  pl_err err = pl_text_check(&expected);
  void *scratch = err ? NULL : pl_malloc_array(pl, bytes);
  if (!err && !scratch) err = pl_fail_memory(pl, bytes);
  if (!err) err = load_values(dat, path, &expected, scratch, bytes);
  pl_free_array(pl, scratch);
  pl_text_free(&expected);
  return err;
}

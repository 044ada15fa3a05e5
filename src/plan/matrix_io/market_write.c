/* SPDX-License-Identifier: BSD-2-Clause
 * Writes Matrix Market files. Each rank writes a block of rows, so the file does not depend on the ranks.
 */
#include "value_list.h"
#include "core/base/plain_format.h"
#include "core/comm/comm.h"
#include "core/data/objects.h"
#include "core/io/parallel_file.h"
#include <errno.h>
#include <string.h>

enum { LINE = 160 };

static int format_header(const pl_mat *mat, int64_t entries, char *text)
{
  const pl_sparsity *s = mat->sparsity;
  return snprintf(text, LINE, "%%%%MatrixMarket matrix coordinate %s general\n%lld %lld %lld\n",
                  pl_type_is_complex(mat->type) ? "complex" : "real",
                  (long long)pl_set_global_size(s->rows) * s->block[0],
                  (long long)pl_set_global_size(s->columns) * s->block[1], (long long)entries);
}

/* As many digits as a value needs to be read again exactly. */
static int format_entry(const pl_mat *mat, const pl_entry *entry, char *text)
{
  const int digits = pl_type_base(mat->type) == PL_DOUBLE ? 17 : 9;
  int n = snprintf(text, LINE, "%lld %lld %.*g", (long long)entry->row + 1, (long long)entry->column + 1,
                   digits, entry->value[0]);
  if (pl_type_is_complex(mat->type)) n += snprintf(text + n, LINE - n, " %.*g", digits, entry->value[1]);
  text[n] = '\n';
  return n + 1;
}

static bool write_entries(FILE *file, const pl_mat *mat, const pl_entries *entries, const char *header,
                          int64_t begin)
{
  char text[LINE];
  bool good = !fseeko(file, (off_t)begin, SEEK_SET) && fputs(header, file) >= 0;
  for (int64_t i = 0; good && i < entries->n; i++) {
    const size_t n = (size_t)format_entry(mat, &entries->entry[i], text);
    good = fwrite(text, 1, n, file) == n;
  }
  return good;
}

/* Writes this rank's part of the file between those of other ranks. Collective. */
static pl_err write_part(const pl_mat *mat, const pl_entries *entries, const char *path)
{
  pl_context *pl = mat->node.pl;
  char header[LINE] = "", text[LINE];
  int64_t total = 0, bytes = 0, begin = 0;
  PL_TRY(pl_comm_scan(pl, entries->n, NULL, &total));
  if (pl_rank(pl) == 0) bytes = format_header(mat, total, header);
  for (int64_t i = 0; i < entries->n; i++) bytes += format_entry(mat, &entries->entry[i], text);
  PL_TRY(pl_comm_scan(pl, bytes, &begin, NULL));
  FILE *file = fopen(path, "r+b");
  bool good = file && write_entries(file, mat, entries, header, begin);
  if (file && fclose(file)) good = false;
  if (good) return PL_SUCCESS;
  return pl_fail(pl, PL_ERR_IO, "matrix \"%s\": cannot write its file: %s", mat->node.name, strerror(errno));
}

static pl_err write_file(const pl_mat *mat, const pl_entries *entries, const char *path)
{
  pl_new_file file;
  PL_TRY(pl_file_begin(mat->node.pl, path, &file));
  pl_plain plain = pl_plain_begin();
  pl_err err = write_part(mat, entries, file.temporary);
  pl_plain_end(plain);
  return pl_file_end(mat->node.pl, &file, err);
}

pl_err pl_mat_write(pl_mat *mat, const char *path)
{
  PL_TRY_GIVEN(mat);
  pl_context *pl = mat->node.pl;
  pl_entries entries = {0};
  PL_TRY(pl_agree_on(pl, PL_GIVEN(pl, "pl_mat_write", path), "pl_mat_write of \"%s\"", mat->node.name));
  pl_err err = pl_values_list(mat, &entries);
  const int64_t rows = pl_set_global_size(mat->sparsity->rows) * mat->sparsity->block[0];
  if (!err) err = pl_entries_to_blocks(pl, rows / pl_ranks(pl) + 1, &entries);
  if (!err) err = pl_agree(pl, pl_entries_sort(pl, &entries));
  if (!err) err = write_file(mat, &entries, path);
  pl_entries_free(pl, &entries);
  return err;
}

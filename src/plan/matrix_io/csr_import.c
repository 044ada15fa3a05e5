/* SPDX-License-Identifier: BSD-2-Clause
 * Values of a matrix from compressed rows of the program.
 */
#include "value_list.h"
#include "core/comm/comm.h"
#include "core/data/objects.h"
#include <string.h>

/* The arrays of pl_mat_set_csr. */
typedef struct csr_rows {
  int64_t n;
  const int64_t *row, *offset, *column;
  const char *values;
} csr_rows;

static pl_err check_rows(const pl_mat *mat, const csr_rows *from)
{
  pl_context *pl = mat->node.pl;
  const int64_t rows = pl_set_global_size(mat->sparsity->rows);
  if (from->n < 0 || (from->n > 0 && (!from->row || !from->offset)))
    return pl_fail(pl, PL_ERR_ARG, "pl_mat_set_csr of \"%s\": %lld rows%s", mat->node.name,
                   (long long)from->n, from->n > 0 ? ", but an array is NULL" : "");
  for (int64_t i = 0; i < from->n; i++) {
    if (from->row[i] < 0 || from->row[i] >= rows)
      return pl_fail(pl, PL_ERR_RANGE, "pl_mat_set_csr of \"%s\": row %lld of %lld", mat->node.name,
                     (long long)from->row[i], (long long)rows);
    if (from->offset[i + 1] < from->offset[i])
      return pl_fail(pl, PL_ERR_RANGE, "pl_mat_set_csr of \"%s\": row %lld ends before it begins",
                     mat->node.name, (long long)from->row[i]);
  }
  if (from->n && from->offset[from->n] > from->offset[0] && (!from->column || !from->values))
    return pl_fail(pl, PL_ERR_ARG, "pl_mat_set_csr of \"%s\": an array is NULL", mat->node.name);
  return PL_SUCCESS;
}

/* Adds the values of block k, in row `row` of blocks. */
static pl_err list_block(const pl_mat *mat, const csr_rows *from, int64_t row, int64_t k, pl_entries *entries)
{
  const int *block = mat->sparsity->block, n = block[0] * block[1];
  const size_t size = pl_type_size(mat->type);
  for (int i = 0; i < n; i++) {
    pl_entry entry = {row * block[0] + i / block[1], from->column[k] * block[1] + i % block[1], {0, 0}};
    pl_convert(pl_type_base(mat->type), from->values + ((size_t)k * (size_t)n + (size_t)i) * size, PL_DOUBLE,
               entry.value, pl_type_is_complex(mat->type) ? 2 : 1);
    PL_TRY(pl_entries_add(mat->node.pl, entries, &entry));
  }
  return PL_SUCCESS;
}

static pl_err list_rows(const pl_mat *mat, const csr_rows *from, pl_entries *entries)
{
  PL_TRY(check_rows(mat, from));
  for (int64_t i = 0; i < from->n; i++)
    for (int64_t k = from->offset[i]; k < from->offset[i + 1]; k++)
      PL_TRY(list_block(mat, from, from->row[i], k, entries));
  return PL_SUCCESS;
}

pl_err pl_mat_set_csr(pl_mat *mat, int64_t n, const int64_t *rows, const int64_t *offsets,
                      const int64_t *columns, const void *values)
{
  PL_TRY_GIVEN(mat);
  pl_context *pl = mat->node.pl;
  const csr_rows from = {n, rows, offsets, columns, values};
  pl_entries entries = {0};
  pl_err err = pl_agree(pl, list_rows(mat, &from, &entries));
  if (!err) err = pl_mat_ready(mat);
  if (!err) err = pl_entries_to_owners(mat->sparsity->rows, mat->sparsity->block[0], &entries);
  if (!err) err = pl_values_check(mat, &entries);
  if (!err) err = pl_mat_zero(mat);
  if (!err) err = pl_values_add(mat, &entries);
  if (!err) mat->state = PL_MAT_INSERTING;
  pl_entries_free(pl, &entries);
  return err;
}

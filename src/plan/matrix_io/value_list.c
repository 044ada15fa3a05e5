/* SPDX-License-Identifier: BSD-2-Clause
 * The values of a matrix as a list of entries, on the host.
 */
#include "value_list.h"
#include "core/comm/comm.h"
#include "core/data/objects.h"

static int parts_of(const pl_mat *mat)
{
  return pl_type_is_complex(mat->type) ? 2 : 1;
}

/* The place of an entry among the values. */
static pl_err find_place(const pl_mat *mat, const pl_entry *entry, int64_t *place)
{
  *place = pl_sparsity_place(mat->sparsity, entry->row, entry->column);
  if (*place >= 0) return PL_SUCCESS;
  return pl_fail(mat->node.pl, PL_ERR_RANGE,
                 "matrix \"%s\": the sparsity has no entry at row %lld, column %lld", mat->node.name,
                 (long long)entry->row, (long long)entry->column);
}

static pl_err find_places(const pl_mat *mat, const pl_entries *entries)
{
  int64_t place;
  PL_TRY(pl_sparsity_make_ids(mat->sparsity));
  for (int64_t i = 0; i < entries->n; i++) PL_TRY(find_place(mat, &entries->entry[i], &place));
  return PL_SUCCESS;
}

pl_err pl_values_check(const pl_mat *mat, const pl_entries *entries)
{
  return pl_agree(mat->node.pl, find_places(mat, entries));
}

static pl_err add_entry(const pl_mat *mat, char *values, const pl_entry *entry)
{
  char value[2 * sizeof(double)];
  int64_t place;
  PL_TRY(find_place(mat, entry, &place));
  pl_convert(PL_DOUBLE, entry->value, pl_type_base(mat->type), value, (size_t)parts_of(mat));
  pl_combine(mat->type, PL_INC, values + (size_t)place * pl_type_size(mat->type), value, 1);
  return PL_SUCCESS;
}

pl_err pl_values_add(pl_mat *mat, const pl_entries *entries)
{
  char *values;
  PL_TRY(pl_values_check(mat, entries));
  pl_err err = pl_dat_get(mat->values, PL_RW, (void **)&values);
  if (!err) {
    mat->state = PL_MAT_ADDING;
    for (int64_t i = 0; !err && i < entries->n; i++) err = add_entry(mat, values, &entries->entry[i]);
    pl_err put = pl_dat_put(mat->values);
    err = err ? err : put;
  }
  return pl_agree(mat->node.pl, err);
}

/* Adds the block in row r and column k of the pattern to the list. */
static pl_err list_block(const pl_mat *mat, const char *values, int r, int k, pl_entries *entries)
{
  const pl_sparsity *s = mat->sparsity;
  const int n = s->block[0] * s->block[1];
  const size_t size = pl_type_size(mat->type);
  const int64_t row = pl_element_global_index(s->rows, r) * s->block[0];
  const int64_t column = pl_element_global_index(s->columns, s->pattern.column[k]) * s->block[1];
  for (int i = 0; i < n; i++) {
    pl_entry entry = {row + i / s->block[1], column + i % s->block[1], {0, 0}};
    pl_convert(pl_type_base(mat->type), values + ((size_t)k * (size_t)n + (size_t)i) * size, PL_DOUBLE,
               entry.value, (size_t)parts_of(mat));
    PL_TRY(pl_entries_add(mat->node.pl, entries, &entry));
  }
  return PL_SUCCESS;
}

pl_err pl_values_list(pl_mat *mat, pl_entries *entries)
{
  pl_context *pl = mat->node.pl;
  char *values;
  PL_TRY(pl_mat_ready(mat));
  pl_err err = pl_dat_get(mat->values, PL_READ, (void **)&values);
  if (!err) {
    const pl_pattern *p = &mat->sparsity->pattern;
    for (int r = 0; !err && r < p->nrows; r++)
      for (int k = p->offset[r]; !err && k < p->offset[r + 1]; k++)
        err = list_block(mat, values, r, k, entries);
    pl_err put = pl_dat_put(mat->values);
    err = err ? err : put;
  }
  return pl_agree(pl, err);
}

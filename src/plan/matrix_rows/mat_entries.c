/* SPDX-License-Identifier: BSD-2-Clause
 * Rows, diagonal and single values of matrices, on the host; rows and diagonal of devices are in
 * mat_diagonal.c.
 */
#include "mat_diagonal.h"
#include "core/comm/comm.h"
#include "core/data/objects.h"
#include <string.h>

typedef enum change { GET, SET, ADD } change;

/* Runs an operation on the values on the host, between pl_dat_get and pl_dat_put. An error of one rank is an
 * error of all. */
typedef struct edit {
  pl_mat *mat;
  char *values;
  size_t size; /* of a value */
  pl_set *rows;
  pl_dat *diagonal;
  char *line; /* the values of `diagonal` */
  double number;
  int m, n;
  const int64_t *row, *column;
  char *block; /* the values of the caller */
  change kind;
} edit;

static pl_err run_edit(edit *e, pl_access access, pl_err (*work)(edit *e))
{
  pl_mat *mat = e->mat;
  pl_context *pl = mat->node.pl;
  e->size = pl_type_size(mat->type);
  PL_TRY(pl_mat_ready(mat));
  pl_err err = pl_dat_get(mat->values, access, (void **)&e->values);
  if (!err) {
    if (access != PL_READ) mat->state = PL_MAT_INSERTING;
    err = work(e);
    pl_err put = pl_dat_put(mat->values);
    err = err ? err : put;
  }
  return pl_agree_on_error(pl, err);
}

/* The value at place (a, b) of a block. */
static char *value_at(const edit *e, int slot, int a, int b)
{
  const int *block = e->mat->sparsity->block;
  return e->values + (((size_t)slot * (size_t)block[0] + (size_t)a) * (size_t)block[1] + (size_t)b) * e->size;
}

static pl_err check_diagonal(const pl_mat *mat, const char *what)
{
  if (pl_sparsity_is_square(mat->sparsity)) return PL_SUCCESS;
  return pl_fail(
    mat->node.pl, PL_ERR_STATE,
    "%s: matrix \"%s\" has no diagonal, because its rows and columns are different sets or blocks", what,
    mat->node.name);
}

/* ---- rows ---- */

static pl_err zero_rows(edit *e)
{
  const pl_sparsity *s = e->mat->sparsity;
  char number[2 * sizeof(double)];
  pl_convert(PL_DOUBLE, &e->number, e->mat->type, number, 1);
  for (int i = 0; i < e->rows->end[1]; i++) {
    const int r = pl_element_at(e->rows, i), *offset = s->pattern.offset;
    memset(value_at(e, offset[r], 0, 0), 0,
           (size_t)(value_at(e, offset[r + 1], 0, 0) - value_at(e, offset[r], 0, 0)));
    const int slot = e->number == 0 ? -1 : pl_pattern_find(&s->pattern, r, r);
    for (int a = 0; slot >= 0 && a < s->block[0]; a++) memcpy(value_at(e, slot, a, a), number, e->size);
  }
  return PL_SUCCESS;
}

pl_err pl_mat_zero_rows(pl_mat *a, pl_set *rows, double diagonal)
{
  PL_TRY(PL_GIVEN(pl_context_of(a), "pl_mat_zero_rows", a, rows));
  pl_context *pl = a->node.pl;
  pl_err err = PL_SUCCESS;
  if (pl_set_base(rows) != a->sparsity->rows)
    err = pl_fail(pl, PL_ERR_ARG,
                  "pl_mat_zero_rows: \"%s\" is not the row set of matrix \"%s\" or a subset of it",
                  rows->node.name, a->node.name);
  if (!err && diagonal != 0) err = check_diagonal(a, "pl_mat_zero_rows");
  PL_TRY(pl_agree_on_error(pl, err));
  PL_TRY(pl_mat_ready(a));
  if (a->on_devices) return pl_mat_rows_zero(a, rows, diagonal);
  edit e = {.mat = a, .rows = rows, .number = diagonal};
  return run_edit(&e, PL_RW, zero_rows);
}

/* ---- the diagonal ---- */

/* Calls `copy` for each value of the diagonal. */
static void each_diagonal(edit *e, bool set)
{
  const pl_sparsity *s = e->mat->sparsity;
  for (int r = 0; r < s->pattern.nrows; r++) {
    const int slot =
      pl_pattern_find(&s->pattern, pl_user_to_storage(s->rows, r), pl_user_to_storage(s->rows, r));
    for (int a = 0; a < s->block[0]; a++) {
      char *value = value_at(e, slot, a, a);
      char *other = e->line + ((size_t)r * (size_t)s->block[0] + (size_t)a) * e->size;
      memcpy(set ? value : other, set ? other : value, e->size);
    }
  }
}

static pl_err get_diagonal(edit *e)
{
  PL_TRY(pl_dat_get(e->diagonal, PL_RW, (void **)&e->line));
  each_diagonal(e, false);
  return pl_dat_put(e->diagonal);
}

static pl_err set_diagonal(edit *e)
{
  PL_TRY(pl_dat_get(e->diagonal, PL_READ, (void **)&e->line));
  each_diagonal(e, true);
  return pl_dat_put(e->diagonal);
}

static pl_err edit_diagonal(const char *what, pl_mat *a, pl_dat *diagonal, pl_access access,
                            pl_err (*work)(edit *e))
{
  PL_TRY(PL_GIVEN(pl_context_of(a), what, a, diagonal));
  pl_context *pl = a->node.pl;
  pl_err err = check_diagonal(a, what);
  if (!err && (diagonal->set != a->sparsity->rows || diagonal->dim != a->sparsity->block[0] ||
               diagonal->type != a->type))
    err = pl_fail(pl, PL_ERR_TYPE, "%s: dat \"%s\" must hold %d of %s on \"%s\" for matrix \"%s\"", what,
                  diagonal->node.name, a->sparsity->block[0], pl_type_name(a->type),
                  a->sparsity->rows->node.name, a->node.name);
  PL_TRY(pl_agree_on_error(pl, err));
  PL_TRY(pl_mat_ready(a));
  if (a->on_devices)
    return access == PL_READ ? pl_mat_diagonal_get(a, diagonal)
                             : pl_mat_diagonal_set(a, a->sparsity->rows, diagonal);
  edit e = {.mat = a, .diagonal = diagonal};
  return run_edit(&e, access, work);
}

pl_err pl_mat_get_diagonal(pl_mat *a, pl_dat *diagonal)
{
  return edit_diagonal("pl_mat_get_diagonal", a, diagonal, PL_READ, get_diagonal);
}

pl_err pl_mat_set_diagonal(pl_mat *a, pl_dat *diagonal)
{
  return edit_diagonal("pl_mat_set_diagonal", a, diagonal, PL_RW, set_diagonal);
}

/* ---- single values ---- */

static pl_err check_row(const edit *e, int64_t number)
{
  const pl_sparsity *s = e->mat->sparsity;
  if (pl_sparsity_row(s, number / s->block[0]) >= 0) return PL_SUCCESS;
  return pl_fail(e->mat->node.pl, PL_ERR_RANGE,
                 "matrix \"%s\": row %lld is not one of this rank's; each rank passes rows that it owns",
                 e->mat->node.name, (long long)number);
}

static pl_err change_row(edit *e, int i)
{
  PL_TRY(check_row(e, e->row[i]));
  for (int j = 0; j < e->n; j++) {
    if (e->column[j] < 0) continue;
    const int64_t place = pl_sparsity_place(e->mat->sparsity, e->row[i], e->column[j]);
    char *mine = e->block + ((size_t)i * (size_t)e->n + (size_t)j) * e->size;
    char *value = place < 0 ? NULL : e->values + (size_t)place * e->size;
    if (value && e->kind == GET) memcpy(mine, value, e->size);
    if (value && e->kind == SET) memcpy(value, mine, e->size);
    if (value && e->kind == ADD) pl_combine(e->mat->type, PL_INC, value, mine, 1);
    if (e->kind == GET || value) continue;
    return pl_fail(e->mat->node.pl, PL_ERR_RANGE,
                   "matrix \"%s\": the sparsity has no entry at row %lld, column %lld", e->mat->node.name,
                   (long long)e->row[i], (long long)e->column[j]);
  }
  return PL_SUCCESS;
}

static pl_err change_values(edit *e)
{
  PL_TRY(pl_sparsity_make_ids(e->mat->sparsity));
  if (e->kind == GET && e->m > 0 && e->n > 0) memset(e->block, 0, (size_t)e->m * (size_t)e->n * e->size);
  for (int i = 0; i < e->m; i++)
    if (e->row[i] >= 0) PL_TRY(change_row(e, i));
  return PL_SUCCESS;
}

static pl_err edit_values(const char *what, edit *e)
{
  PL_TRY(PL_GIVEN(NULL, what, e->mat));
  pl_context *pl = e->mat->node.pl;
  const bool missing =
    (e->m > 0 && !e->row) || (e->n > 0 && !e->column) || (e->m > 0 && e->n > 0 && !e->block);
  pl_err err = PL_SUCCESS;
  if (e->m < 0 || e->n < 0 || missing)
    err = pl_fail(pl, PL_ERR_ARG, "%s of \"%s\": %d rows and %d columns%s", what, e->mat->node.name, e->m,
                  e->n, missing ? ", but an array is NULL" : "");
  PL_TRY(pl_agree_on_error(pl, err));
  PL_TRY(run_edit(e, e->kind == GET ? PL_READ : PL_RW, change_values));
  if (e->kind == ADD) e->mat->state = PL_MAT_ADDING;
  return PL_SUCCESS;
}

pl_err pl_mat_set(pl_mat *a, int m, const int64_t *rows, int n, const int64_t *columns, const void *values)
{
  edit e = {.mat = a, .m = m, .row = rows, .n = n, .column = columns, .block = (char *)values, .kind = SET};
  return edit_values("pl_mat_set", &e);
}

pl_err pl_mat_add(pl_mat *a, int m, const int64_t *rows, int n, const int64_t *columns, const void *values)
{
  edit e = {.mat = a, .m = m, .row = rows, .n = n, .column = columns, .block = (char *)values, .kind = ADD};
  return edit_values("pl_mat_add", &e);
}

pl_err pl_mat_get(pl_mat *a, int m, const int64_t *rows, int n, const int64_t *columns, void *values)
{
  edit e = {.mat = a, .m = m, .row = rows, .n = n, .column = columns, .block = values, .kind = GET};
  return edit_values("pl_mat_get", &e);
}

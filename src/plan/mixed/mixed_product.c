/* SPDX-License-Identifier: BSD-2-Clause
 * Products, rows and diagonals of mixed matrices.
 */
#include "core/comm/comm.h"
#include "mixed_mat.h"

static pl_mat *block_of(const pl_mixed_mat *a, int i, int j)
{
  return a->block[i * a->side[1]->n + j];
}

/* ---- checks ---- */

static pl_err check_vector(const char *what, const pl_mixed_mat *a, const pl_mixed_dat *d, int side)
{
  if (d->set != a->side[side] || d->type != a->type)
    return pl_fail(a->node.pl, PL_ERR_TYPE,
                   "%s: mixed dat \"%s\" must hold %s on mixed set \"%s\" for mixed matrix \"%s\"", what,
                   d->node.name, pl_type_name(a->type), a->side[side]->node.name, a->node.name);
  return pl_mixed_dat_check(d);
}

static pl_err check_product(const char *what, const pl_mixed_mat *a, const pl_mixed_dat *x,
                            const pl_mixed_dat *y, bool transposed)
{
  PL_TRY(check_vector(what, a, x, !transposed));
  PL_TRY(check_vector(what, a, y, transposed));
  PL_TRY(pl_mixed_mat_check(a));
  for (int i = 0; i < x->set->n; i++)
    for (int j = 0; j < y->set->n; j++)
      if (x->dat[i] == y->dat[j])
        return pl_fail(a->node.pl, PL_ERR_ARG, "%s: dat \"%s\" is a part of both x and y", what,
                       x->dat[i]->node.name);
  return PL_SUCCESS;
}

/* ---- products ---- */

static pl_err new_vector(pl_set *set, int dim, pl_type type, pl_dat **dat)
{
  if (*dat) return PL_SUCCESS;
  PL_TRY(pl_decl_dat(set, dim, type, NULL, "product", dat));
  (*dat)->node.internal = true;
  return PL_SUCCESS;
}

/* Adds the product of block (i, j), or of its transpose, to the parts before. */
static pl_err add_block(pl_mixed_mat *a, int i, int j, bool transposed, pl_mixed_dat *x, pl_mixed_dat *y)
{
  const int to = transposed ? j : i, from = transposed ? i : j;
  const pl_mixed_set *set = a->side[transposed];
  pl_dat **product = &a->product[transposed][to], *result = y->dat[to];
  if (from) PL_TRY(new_vector(set->set[to], set->dim[to], a->type, product));
  pl_dat *into = from ? *product : result;
  PL_TRY(transposed ? pl_mat_multiply_transposed(block_of(a, i, j), x->dat[from], into)
                    : pl_mat_multiply(block_of(a, i, j), x->dat[from], into));
  return from ? pl_dat_axpy(1.0, into, result) : PL_SUCCESS;
}

static pl_err multiply_blocks(pl_mixed_mat *a, bool transposed, pl_mixed_dat *x, pl_mixed_dat *y)
{
  for (int i = 0; i < a->side[0]->n; i++)
    for (int j = 0; j < a->side[1]->n; j++) PL_TRY(add_block(a, i, j, transposed, x, y));
  return PL_SUCCESS;
}

/* The vectors of both sides, also for the diagonal. */
static pl_err make_vectors(pl_mixed_mat *a)
{
  for (int k = 0; k < 2; k++) PL_TRY(new_vector(a->side[k]->whole, 1, a->type, &a->whole_vector[k]));
  return PL_SUCCESS;
}

static pl_err multiply_whole(pl_mixed_mat *a, bool transposed, pl_mixed_dat *x, pl_mixed_dat *y)
{
  PL_TRY(make_vectors(a));
  pl_dat *from = a->whole_vector[!transposed], *to = a->whole_vector[transposed];
  PL_TRY(pl_mixed_dat_gather(x, from));
  PL_TRY(transposed ? pl_mat_multiply_transposed(a->whole, from, to) : pl_mat_multiply(a->whole, from, to));
  return pl_mixed_dat_scatter(to, y);
}

static pl_err multiply(const char *what, pl_mixed_mat *a, bool transposed, pl_mixed_dat *x, pl_mixed_dat *y)
{
  PL_TRY(PL_GIVEN(pl_context_of(a), what, a, x, y));
  PL_TRY(pl_agree_on_error(a->node.pl, check_product(what, a, x, y, transposed)));
  return a->form == PL_MIXED_NESTED ? multiply_blocks(a, transposed, x, y)
                                    : multiply_whole(a, transposed, x, y);
}

pl_err pl_mixed_mat_multiply(pl_mixed_mat *a, pl_mixed_dat *x, pl_mixed_dat *y)
{
  return multiply("pl_mixed_mat_multiply", a, false, x, y);
}

pl_err pl_mixed_mat_multiply_transposed(pl_mixed_mat *a, pl_mixed_dat *x, pl_mixed_dat *y)
{
  return multiply("pl_mixed_mat_multiply_transposed", a, true, x, y);
}

/* ---- the diagonal ---- */

static pl_err check_diagonal(const char *what, const pl_mixed_mat *a, const pl_mixed_dat *diagonal)
{
  if (a->side[0] != a->side[1])
    return pl_fail(a->node.pl, PL_ERR_STATE, "%s: mixed matrix \"%s\" has no diagonal", what, a->node.name);
  PL_TRY(check_vector(what, a, diagonal, 0));
  return pl_mixed_mat_check(a);
}

/* Gets or sets it. In a nested matrix the blocks on the diagonal have the diagonals of the parts. */
static pl_err move_diagonal(const char *what, pl_mixed_mat *a, pl_mixed_dat *diagonal, bool set)
{
  pl_err (*const move)(pl_mat *, pl_dat *) = set ? pl_mat_set_diagonal : pl_mat_get_diagonal;
  PL_TRY(PL_GIVEN(pl_context_of(a), what, a, diagonal));
  PL_TRY(pl_agree_on_error(a->node.pl, check_diagonal(what, a, diagonal)));
  for (int i = 0; a->form == PL_MIXED_NESTED && i < a->side[0]->n; i++)
    PL_TRY(move(block_of(a, i, i), diagonal->dat[i]));
  if (a->form == PL_MIXED_NESTED) return PL_SUCCESS;
  PL_TRY(make_vectors(a));
  if (set) PL_TRY(pl_mixed_dat_gather(diagonal, a->whole_vector[0]));
  PL_TRY(move(a->whole, a->whole_vector[0]));
  return set ? PL_SUCCESS : pl_mixed_dat_scatter(a->whole_vector[0], diagonal);
}

pl_err pl_mixed_mat_get_diagonal(pl_mixed_mat *a, pl_mixed_dat *diagonal)
{
  return move_diagonal("pl_mixed_mat_get_diagonal", a, diagonal, false);
}

pl_err pl_mixed_mat_set_diagonal(pl_mixed_mat *a, pl_mixed_dat *diagonal)
{
  return move_diagonal("pl_mixed_mat_set_diagonal", a, diagonal, true);
}

/* ---- zeros ---- */

pl_err pl_mixed_mat_zero(pl_mixed_mat *a)
{
  PL_TRY_GIVEN(a);
  PL_TRY(pl_agree_on_error(a->node.pl, pl_mixed_mat_check(a)));
  if (a->form == PL_MIXED_WHOLE) return pl_mat_zero(a->whole);
  for (int b = 0; b < a->side[0]->n * a->side[1]->n; b++) PL_TRY(pl_mat_zero(a->block[b]));
  return PL_SUCCESS;
}

static pl_err check_rows(const pl_mixed_mat *a, int part, const pl_set *rows, double diagonal)
{
  pl_context *pl = a->node.pl;
  if (part < 0 || part >= a->side[0]->n)
    return pl_fail(pl, PL_ERR_RANGE,
                   "pl_mixed_mat_zero_rows: there is no row part %d; mixed matrix \"%s\" has %d", part,
                   a->node.name, a->side[0]->n);
  if ((rows->parent ? rows->parent : rows) != a->side[0]->set[part])
    return pl_fail(pl, PL_ERR_ARG,
                   "pl_mixed_mat_zero_rows: \"%s\" is not the set \"%s\" of row part %d, nor a subset of it",
                   rows->node.name, a->side[0]->set[part]->node.name, part);
  if (diagonal != 0 && a->side[0] != a->side[1])
    return pl_fail(pl, PL_ERR_STATE, "pl_mixed_mat_zero_rows: mixed matrix \"%s\" has no diagonal",
                   a->node.name);
  return pl_mixed_mat_check(a);
}

/* The rows of one matrix for the elements of a part: *n global indices in the whole set (pl_free_array). */
static pl_err list_rows(pl_mixed_set *set, int part, const pl_set *rows, int64_t *n, int **list)
{
  pl_context *pl = set->node.pl;
  const int64_t dim = set->dim[part], elements = pl_set_size(rows);
  int64_t *number = pl_malloc_array(pl, (size_t)pl_set_size(set->set[part]) * sizeof *number);
  const int *position = rows->parent ? pl_subset_indices(rows) : NULL;
  *n = elements * dim;
  *list = pl_malloc_array(pl, (size_t)*n * sizeof **list);
  pl_err err = number && *list && (position || !rows->parent)
                 ? PL_SUCCESS
                 : pl_fail_memory(pl, (size_t)*n * sizeof *number);
  err = pl_agree(pl, err);
  if (!err) err = pl_mixed_set_numbers(set, part, number);
  for (int64_t k = 0; k < *n && !err; k++) {
    const int64_t row = number[position ? position[k / dim] : k / dim] + k % dim;
    (*list)[k] = row > INT32_MAX ? -1 : (int)row; /* a subset takes 32 bits; it refuses -1 */
  }
  pl_free_array(pl, number);
  return err;
}

static pl_err zero_whole_rows(pl_mixed_mat *a, int part, const pl_set *rows, double diagonal)
{
  int64_t n;
  int *list = NULL;
  pl_set *subset = NULL;
  PL_TRY(pl_notify_distribute(a->node.pl));
  pl_err err = list_rows(a->side[0], part, rows, &n, &list);
  if (!err) err = pl_decl_subset(a->side[0]->whole, n, list, "rows", &subset);
  if (!err) err = pl_mat_zero_rows(a->whole, subset, diagonal);
  pl_set_free(&subset);
  pl_free_array(a->node.pl, list);
  return err;
}

pl_err pl_mixed_mat_zero_rows(pl_mixed_mat *a, int part, pl_set *rows, double diagonal)
{
  PL_TRY(PL_GIVEN(pl_context_of(a), "pl_mixed_mat_zero_rows", a, rows));
  PL_TRY(pl_agree_on_error(a->node.pl, check_rows(a, part, rows, diagonal)));
  if (a->form == PL_MIXED_WHOLE) return zero_whole_rows(a, part, rows, diagonal);
  for (int j = 0; j < a->side[1]->n; j++)
    PL_TRY(
      pl_mat_zero_rows(block_of(a, part, j), rows, a->side[0] == a->side[1] && j == part ? diagonal : 0));
  return PL_SUCCESS;
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Products of matrices and dats: a loop over the rows. Its kernel gets the values of the matrix as a whole
 * and the row of x that the pattern couples with its row; the place of the row in the pattern is that of its
 * first value. On devices later products go through slices.
 */
#include "mat_product.h"
#include "product_order.h"
#include "mat_kernel.h"
#include "mat_slices.h"
#include "core/comm/comm.h"

enum { LINE = 64, AHEAD = 4096 /* bytes */, MOST_OTHERS = 3 + PL_MAT_SUM_ARGS /* arguments */ };

static bool has_narrow_columns(const pl_mat *a)
{
  const pl_narrow_columns *narrow = a->sparsity->narrow;
  return !a->on_devices && narrow && narrow->column;
}

/* ---- the kernel ---- */

static int block_size(const pl_mat *a)
{
  return a->sparsity->block[0] * a->sparsity->block[1];
}

/* Where the kernel finds the row's values and columns. */
typedef enum form {
  BY_INDEX, /* a: all values, x: its row */
  NARROW,   /* the same, but columns of 16 bits */
  ORDERED   /* both: the row */
} form;

/* Values and columns some rows after block k: the prefetchers of a core end at rows and pages. A cache line
 * of narrow columns is enough for a row, or for four rows of less than a line of values. */
static void print_prefetch(pl_string *text, const pl_mat *a, form form, bool at_end)
{
  const int block = block_size(a), ahead = AHEAD / (int)pl_type_size(a->type);
  pl_string_add(text, "  PL_PREFETCH(a->value + first + k * %d + %d);\n", block, ahead);
  if (form == NARROW && at_end)
    pl_string_add(text, "  if (k || row[0] %% 4 == 0) PL_PREFETCH(column + k + %d);\n", ahead / block);
  if (form != NARROW) pl_string_add(text, "  PL_PREFETCH(x->index + k + %d);\n", ahead / block);
}

static bool has_far_columns(const pl_mat *a)
{
  return pl_ranks(a->node.pl) > 1;
}

/* Value v * n + j of x in block `k` of the row. With values side by side, which the compiler knows, the row
 * of the lowest column is an address from which others are counted. */
static void describe_x(char *from, size_t size, const pl_mat *a, const char *k, form form)
{
  const int n = a->sparsity->block[1];
  char number[32], column[96];
  if (form != NARROW) {
    snprintf(from, size, "pl_at(x, %s, v * %d + j)", k, n);
    return;
  }
  snprintf(number, sizeof number, "column[%s]", k);
  pl_narrow_print(column, sizeof column, number, has_far_columns(a));
  snprintf(from, size,
           "(all->layout == 1 ? from[(size_t)(%s) * all->dim + v * %d + j] : pl_value_of(all, lowest + %s, "
           "v * %d + j))",
           column, n, column, n);
}

/* Adds block `k` of the row. */
static void print_block(pl_string *text, const pl_mat *a, int vectors, const char *k, form form)
{
  const int m = a->sparsity->block[0], n = a->sparsity->block[1];
  const bool ordered = form == ORDERED;
  char sum[32], from[320];
  snprintf(sum, sizeof sum, "sum[v * %d + i]", m);
  describe_x(from, sizeof from, a, k, form);
  pl_string_add(text,
                "    for (int i = 0; i < %d; i++)\n"
                "      for (int j = 0; j < %d; j++) {\n"
                "        const %s value = %s(%s) * %d + i * %d + j%s;\n"
                "        for (int v = 0; v < %d; v++) ",
                m, n, pl_type_name(a->type), ordered ? "pl_at(a, " : "a->value[first + (size_t)(", k, m * n,
                n, ordered ? ", 0)" : ")]", vectors);
  pl_mat_print_add(text, a, false, sum, "value", from);
  pl_string_add(text, "      }\n");
}

static void print_params(pl_string *text, const char *name, const pl_mat *a)
{
  const char *type = pl_type_name(a->type);
  pl_string_add(text, "void %s(%s *y, const pl_row_%s *all, const pl_row_%s *a, const pl_row_%s *x", name,
                type, type, type, type);
}

/* `all` begins where the pattern does. */
static void print_first(pl_string *text, const pl_mat *a)
{
  pl_string_add(text, "  const size_t first = (size_t)(x->index - all->index) * %d;\n", block_size(a));
}

/* The row's columns of 16 bits, and where they are counted from. */
static void print_column(pl_string *text, const pl_mat *a)
{
  pl_string_add(text,
                "  const uint16_t *const column = columns->value + (x->index - all->index);\n"
                "  const int lowest = bases->value[1 + (size_t)row[0] / %d];\n"
                "  const %s *const from = all->value + (size_t)lowest * all->dim;\n",
                PL_SLICE_ROWS, pl_type_name(a->type));
  if (has_far_columns(a)) pl_string_add(text, "  const int far = bases->value[0] - lowest;\n");
}

/* Values of a block's row are summed in the order of columns, a cache line of values at a time. */
static void print_by_rows(pl_string *text, const char *name, const pl_mat *a, int vectors, int sums)
{
  const char *type = pl_type_name(a->type);
  const int m = a->sparsity->block[0], fit = LINE / (int)pl_type_size(a->type) / block_size(a),
            line = fit ? fit : 1;
  const form form = has_narrow_columns(a) ? NARROW : BY_INDEX;
  print_params(text, name, a);
  if (form == NARROW)
    pl_string_add(text, ", const int64_t *row, const pl_row_int32_t *bases, const pl_row_uint16_t *columns");
  pl_mat_print_params_end(text, a, sums);
  print_first(text, a);
  if (form == NARROW) print_column(text, a);
  pl_string_add(text, "  %s sum[%d] = {0};\n  int k = 0;\n  for (; k + %d <= x->count; k += %d) {\n", type,
                m * vectors, line, line);
  print_prefetch(text, a, form, false);
  pl_string_add(text, "  PL_UNROLL(%d) for (int b = 0; b < %d; b++) {\n", line, line);
  print_block(text, a, vectors, "k + b", form);
  pl_string_add(text, "  }\n  }\n");
  print_prefetch(text, a, form, true);
  pl_string_add(text, "  for (; k < x->count; k++) {\n");
  print_block(text, a, vectors, "k", form);
  pl_string_add(text, "  }\n  for (int i = 0; i < %d; i++) y[i] = sum[i];\n", m * vectors);
  pl_mat_print_end(text, a, sums);
}

/* Values and columns come in the order of sums (product_order.h). */
static void print_ordered(pl_string *text, const char *name, const pl_mat *a, int vectors, int sums)
{
  const char *type = pl_type_name(a->type);
  const int n = a->sparsity->block[0] * vectors;
  pl_string_add(text, "void %s(%s *y, const pl_row_%s *a, const pl_row_%s *x", name, type, type, type);
  pl_mat_print_params_end(text, a, sums);
  pl_string_add(text, "  %s sum[%d] = {0};\n  for (int k = 0; k < x->count; k++) {\n", type, n);
  print_block(text, a, vectors, "k", ORDERED);
  pl_string_add(text, "  }\n  for (int i = 0; i < %d; i++) y[i] = sum[i];\n", n);
  pl_mat_print_end(text, a, sums);
}

/* The row of x gives the number of columns. */
static void print_row_sums(pl_string *text, const char *name, const pl_mat *a, int vectors, int variant)
{
  (void)vectors, (void)variant;
  const int m = a->sparsity->block[0], n = a->sparsity->block[1];
  print_params(text, name, a);
  pl_mat_print_params_end(text, a, PL_MAT_NO_SUM);
  print_first(text, a);
  pl_string_add(text,
                "  for (int i = 0; i < %d; i++) y[i] = 0;\n"
                "  for (int k = 0; k < x->count; k++)\n"
                "    for (int i = 0; i < %d; i++)\n"
                "      for (int j = 0; j < %d; j++)\n"
                "        y[i] += fabs(a->value[first + (size_t)(k * %d + i * %d + j)]);\n}\n",
                m, m, n, m * n, n);
}

/* ---- the product ---- */

int pl_mat_vectors(const pl_mat *a, const pl_dat *dat, int side)
{
  const int dim = a->sparsity->block[side];
  return dat->dim > dim ? dat->dim / dim : 1;
}

static pl_err check_vector(const char *what, const pl_mat *a, const pl_dat *dat, int side, int vectors)
{
  const pl_set *set = side ? a->sparsity->columns : a->sparsity->rows;
  const int dim = vectors * a->sparsity->block[side];
  if (dat->set == set && dat->dim == dim && dat->type == a->type) return PL_SUCCESS;
  return pl_fail(a->node.pl, PL_ERR_TYPE, "%s: dat \"%s\" must hold %d of %s on \"%s\" for matrix \"%s\"",
                 what, dat->node.name, dim, pl_type_name(a->type), set->node.name, a->node.name);
}

pl_err pl_mat_check_product(const char *what, const pl_mat *a, const pl_dat *x, const pl_dat *y,
                            bool transposed)
{
  const int vectors = pl_mat_vectors(a, x, !transposed);
  PL_TRY(check_vector(what, a, x, !transposed, vectors));
  PL_TRY(check_vector(what, a, y, transposed, vectors));
  if (x != y) return PL_SUCCESS;
  return pl_fail(a->node.pl, PL_ERR_ARG, "%s: dat \"%s\" is both x and y", what, x->node.name);
}

/* The loop over the rows, whose first arguments are y, x as a whole, the values, and the row of x. */
static pl_err run_rows(pl_mat *a, pl_dat *x, pl_dat *y, const pl_kernel *kernel, const pl_arg *others, int n)
{
  pl_sparsity *s = a->sparsity;
  pl_set *rows;
  PL_TRY(pl_interior_rows(s, &rows));
  pl_arg args[4 + MOST_OTHERS] = {pl_arg_direct(y, PL_WRITE), pl_arg_dat(x, PL_WHOLE, s->coupled, PL_READ),
                                  pl_arg_dat(a->values, PL_WHOLE, PL_DIRECT, PL_READ),
                                  pl_arg_dat(x, PL_ALL, s->coupled, PL_READ)};
  for (int i = 0; i < n; i++) args[4 + i] = others[i];
  return pl_par_loop_args(kernel, rows, 4 + n, args);
}

/* On hosts with columns of 16 bits, where these hold them; made on first use. */
static pl_err multiply_rows(pl_mat *a, pl_dat *x, pl_dat *y, const pl_product_sums *sums, int vectors)
{
  const pl_mat_sums kind = pl_mat_sums_of(sums);
  pl_sparsity *s = a->sparsity;
  const pl_kernel *kernel;
  pl_arg others[MOST_OTHERS];
  char name[48];
  int n = 0;
  if (!a->on_devices && !s->narrow)
    PL_TRY(pl_narrow_columns_new(&s->pattern, s->columns, s->node.name, &s->narrow));
  const bool narrow = has_narrow_columns(a);
  snprintf(name, sizeof name, "pl_mat_multiply%s%s", pl_mat_sums_name(kind), narrow ? "_narrow" : "");
  PL_TRY(pl_agree_on_error(a->node.pl, pl_mat_kernel(a, name, vectors, print_by_rows, kind, &kernel)));
  if (narrow) {
    others[n++] = pl_arg_idx(PL_WHOLE, PL_DIRECT);
    others[n++] = pl_arg_dat(s->narrow->base, PL_WHOLE, PL_DIRECT, PL_READ);
    others[n++] = pl_arg_dat(s->narrow->column, PL_WHOLE, PL_DIRECT, PL_READ);
  }
  n += pl_mat_sum_args(x, sums, others + n);
  return run_rows(a, x, y, kernel, others, n);
}

/* The same in the order of global column indices. */
static pl_err run_ordered(pl_mat *a, pl_dat *x, pl_dat *y, const pl_product_sums *sums, int vectors)
{
  pl_sparsity *s = a->sparsity;
  const pl_mat_sums kind = pl_mat_sums_of(sums);
  const pl_kernel *kernel;
  char name[48];
  snprintf(name, sizeof name, "pl_mat_multiply_ordered%s", pl_mat_sums_name(kind));
  PL_TRY(pl_agree_on_error(a->node.pl, pl_mat_kernel(a, name, vectors, print_ordered, kind, &kernel)));
  pl_arg args[3 + PL_MAT_SUM_ARGS] = {pl_arg_direct(y, PL_WRITE),
                                      pl_arg_dat(a->values, PL_ALL, s->ordered_values, PL_READ),
                                      pl_arg_dat(x, PL_ALL, s->ordered_columns, PL_READ)};
  return pl_par_loop_args(kernel, s->rows, 3 + pl_mat_sum_args(x, sums, args + 3), args);
}

/* Sums in the order of global indices, in slices, or row by row in storage order. */
static pl_err multiply(pl_mat *a, pl_dat *x, pl_dat *y, const pl_product_sums *sums, int vectors)
{
  bool reorders, done = false;
  PL_TRY(pl_sparsity_reorders(a->sparsity, &reorders));
  if (reorders) return run_ordered(a, x, y, sums, vectors);
  if (vectors == 1) PL_TRY(pl_mat_multiply_slices(a, x, y, sums, &done));
  if (done) return PL_SUCCESS;
  return multiply_rows(a, x, y, sums, vectors);
}

pl_err pl_mat_multiply(pl_mat *a, pl_dat *x, pl_dat *y)
{
  static const char what[] = "pl_mat_multiply";
  PL_TRY(PL_GIVEN(pl_context_of(a), what, a, x, y));
  PL_TRY(pl_agree_on_error(a->node.pl, pl_mat_check_product(what, a, x, y, false)));
  PL_TRY(pl_mat_ready(a));
  return multiply(a, x, y, NULL, pl_mat_vectors(a, x, 1));
}

pl_err pl_mat_multiply_sums(pl_mat *a, pl_dat *x, pl_dat *y, const pl_product_sums *sums)
{
  PL_TRY(pl_mat_ready(a));
  PL_TRY(pl_global_zero(sums->inner));
  if (sums->other) PL_TRY(pl_global_zero(sums->others));
  if (sums->other) PL_TRY(pl_global_zero(sums->square));
  return multiply(a, x, y, sums, 1);
}

pl_err pl_mat_row_sums(pl_mat *a, pl_dat *x, pl_dat *sums)
{
  const pl_kernel *kernel;
  PL_TRY(pl_mat_ready(a));
  PL_TRY(pl_agree_on_error(a->node.pl, pl_mat_kernel(a, "pl_mat_row_sums", 1, print_row_sums, 0, &kernel)));
  return run_rows(a, x, sums, kernel, NULL, 0);
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Products of blocks, their exchange and their sums.
 *
 * Invariant: the elements of the set are the blocks of this rank's rows, in the order of the pattern; its
 * halo has the blocks of other ranks' rows in columns of this rank.
 */
#include "transposed_order.h"
#include "core/comm/comm.h"
#include "core/data/objects.h"
#include "core/exchange/halo.h"
#include "mat_kernel.h"
#include "plan/base/radix_sort.h"
#include "plan/distribution/halo_lists.h"

/* A dat of products for a type and a number of values a block. */
typedef struct held {
  struct held *next;
  pl_dat *dat;
} held;

struct pl_products {
  pl_set *blocks;
  pl_map *row, *of_column; /* the row of a block; the blocks of a column by ascending global row */
  held *held;
};

/* ---- blocks of other ranks ---- */

/* A block, by global indices. */
typedef struct place {
  int64_t row, column;
} place;

static int count_blocks(const pl_sparsity *s)
{
  return s->pattern.offset[s->pattern.nrows];
}

/* block[]: the blocks in columns of the halo, in the order of the ranks that own these columns; count[rank]:
 * their numbers. */
static pl_err list_far(const pl_sparsity *s, int64_t *count, int **block)
{
  pl_context *pl = s->node.pl;
  const pl_pattern *p = &s->pattern;
  const int first = s->columns->end[1], n = count_blocks(s);
  int *owner;
  int64_t *at = NULL;
  PL_TRY(PL_NEW(pl, owner, (size_t)(s->columns->end[3] - first) + 1));
  pl_err err = PL_NEW(pl, at, (size_t)pl_ranks(pl) + 1);
  if (!err) {
    pl_halo_owners(s->columns, owner);
    for (int b = 0; b < n; b++)
      if (p->column[b] >= first) count[owner[p->column[b] - first]]++;
    for (int r = 0; r < pl_ranks(pl); r++) at[r + 1] = at[r] + count[r];
    err = PL_NEW(pl, *block, (size_t)at[pl_ranks(pl)] + 1);
  }
  for (int b = 0; !err && b < n; b++)
    if (p->column[b] >= first) (*block)[at[owner[p->column[b] - first]]++] = b;
  pl_free_all(pl, owner, at);
  return err;
}

/* The row of each block: -1 for blocks of other ranks, whose products are not computed here. */
static pl_err make_rows(const pl_sparsity *s, struct pl_products *made)
{
  const pl_pattern *p = &s->pattern;
  const int total = made->blocks->end[3];
  int *row;
  PL_TRY(PL_NEW_ARRAY(s->node.pl, row, (size_t)total + 1));
  for (int r = 0; r < p->nrows; r++)
    for (int b = p->offset[r]; b < p->offset[r + 1]; b++) row[b] = r;
  for (int b = count_blocks(s); b < total; b++) row[b] = -1;
  PL_TRY(pl_map_enter(made->blocks, s->rows, 1, row, "row", &made->row));
  made->row->node.internal = made->row->locality_checked = made->row->no_exec_halo = true;
  made->row->has_negative = pl_ranks(s->node.pl) > 1; /* the same code on all ranks */
  return PL_SUCCESS;
}

/* Of this rank's blocks. */
static pl_err place_blocks(const pl_sparsity *s, place **places)
{
  const pl_pattern *p = &s->pattern;
  PL_TRY(PL_NEW_ARRAY(s->node.pl, *places, (size_t)count_blocks(s) + 1));
  for (int r = 0; r < p->nrows; r++)
    for (int b = p->offset[r]; b < p->offset[r + 1]; b++)
      (*places)[b] =
        (place){pl_element_global_index(s->rows, r), pl_element_global_index(s->columns, p->column[b])};
  return PL_SUCCESS;
}

/* Becomes the set's halo: as many elements behind those of this rank. */
static pl_err make_halo(const pl_sparsity *s, pl_set *set, const int64_t *count, const int64_t *came,
                        const int *block)
{
  pl_context *pl = s->node.pl;
  const int64_t nsend = pl_count_sum(pl, count), n = pl_count_sum(pl, came);
  pl_halo *halo;
  if (n + set->end[1] > INT32_MAX)
    return pl_fail(pl, PL_ERR_RANGE,
                   "sparsity \"%s\": a rank has the products of %lld blocks; the limit is %d", s->node.name,
                   (long long)n + set->end[1], INT32_MAX);
  pl_err err = pl_halo_of_counts(pl, count, came, &halo);
  for (int64_t i = 0; !err && i < nsend; i++) halo->send[i] = block[i];
  for (int64_t i = 0; !err && i < n; i++) halo->receive[i] = set->end[1] + (int)i;
  if (err) return pl_halo_free(pl, halo), err;
  pl_halo_free(pl, set->halo);
  set->halo = halo;
  set->end[2] = set->end[1];
  set->end[3] = set->end[1] + (int)n;
  return PL_SUCCESS;
}

/* *far (pl_free_array): the places of the halo's blocks; `near`: of this rank's. Collective. */
static pl_err exchange_places(const pl_sparsity *s, pl_set *set, const place *near, place **far)
{
  pl_context *pl = s->node.pl;
  const size_t ranks = (size_t)pl_ranks(pl) + 1;
  int64_t *count = NULL, *came = NULL;
  int *block = NULL;
  place *sent = NULL;
  pl_err err = PL_NEW(pl, count, ranks);
  if (!err) err = PL_NEW(pl, came, ranks);
  if (!err) err = list_far(s, count, &block);
  if (!err) err = PL_NEW_ARRAY(pl, sent, (size_t)pl_count_sum(pl, count) + 1);
  err = pl_agree(pl, err);
  for (int64_t i = 0; !err && i < pl_count_sum(pl, count); i++) sent[i] = near[block[i]];
  if (!err) err = pl_comm_all_to_all(pl, sizeof *sent, sent, count, (void **)far, came);
  if (!err) err = pl_agree(pl, make_halo(s, set, count, came, block));
  pl_free_all(pl, count, came, block);
  pl_free_array(pl, sent);
  return err;
}

/* ---- the order of sums ---- */

/* The global row of a block: this rank's blocks come first, then those of the halo. */
static int64_t row_of(const pl_set *blocks, const place *near, const place *far, int b)
{
  return b < blocks->end[1] ? near[b].row : far[b - blocks->end[1]].row;
}

/* order[]: the blocks by ascending global row. */
static pl_err sort_blocks(const pl_set *blocks, const place *near, const place *far, int *order)
{
  pl_context *pl = blocks->node.pl;
  const int n = blocks->end[3];
  pl_keyed *item = pl_malloc(pl, 2 * ((size_t)n + 1) * sizeof *item), *sorted;
  if (!item) return pl_fail_memory(pl, 2 * ((size_t)n + 1) * sizeof *item);
  for (int b = 0; b < n; b++) item[b] = (pl_keyed){(uint64_t)row_of(blocks, near, far, b), b};
  pl_err err = pl_sort_keyed(pl, n, item, item + n, &sorted);
  for (int i = 0; !err && i < n; i++) order[i] = sorted[i].value;
  pl_free(pl, item);
  return err;
}

static pl_err find_columns(pl_sparsity *s, const pl_set *blocks, const place *far, int *column)
{
  const int own = blocks->end[1];
  PL_TRY(pl_sparsity_make_ids(s));
  for (int b = 0; b < blocks->end[3]; b++)
    column[b] = b < own ? s->pattern.column[b] : pl_sparsity_column(s, far[b - own].column);
  return PL_SUCCESS;
}

/* The map from owned columns; blocks in columns of the halo are summed elsewhere. */
static pl_err enter_map(pl_sparsity *s, struct pl_products *made, const int *column, const int *order)
{
  pl_context *pl = s->node.pl;
  const int owned = s->columns->end[1], total = s->columns->end[3], n = made->blocks->end[3];
  int *offset, *index;
  PL_TRY(PL_NEW(pl, offset, (size_t)total + 2));
  pl_err err = PL_NEW_ARRAY(pl, index, (size_t)n + 1);
  for (int b = 0; !err && b < n; b++)
    if (column[b] < owned) offset[column[b] + 2]++;
  for (int c = 1; !err && c <= total; c++) offset[c + 1] += offset[c];
  for (int i = 0; !err && i < n; i++)
    if (column[order[i]] < owned) index[offset[column[order[i]] + 1]++] = order[i];
  if (!err) err = pl_map_new(s->columns, made->blocks, offset, index, "products", &made->of_column);
  if (err) {
    pl_free(pl, offset);
    pl_free_array(pl, index);
    return err;
  }
  made->of_column->node.internal = made->of_column->internal = made->of_column->locality_checked = true;
  return PL_SUCCESS;
}

static pl_err make_order(pl_sparsity *s, struct pl_products *made, const place *near, const place *far)
{
  pl_context *pl = s->node.pl;
  const size_t n = (size_t)made->blocks->end[3] + 1;
  int *column = NULL, *order = NULL;
  pl_err err = PL_NEW(pl, column, n);
  if (!err) err = PL_NEW(pl, order, n);
  if (!err) err = find_columns(s, made->blocks, far, column);
  if (!err) err = sort_blocks(made->blocks, near, far, order);
  if (!err) err = enter_map(s, made, column, order);
  pl_free_all(pl, column, order);
  return err;
}

/* ---- creation ---- */

static pl_err make_maps(pl_sparsity *s, struct pl_products *made)
{
  pl_context *pl = s->node.pl;
  place *near = NULL, *far = NULL;
  pl_err err = pl_agree(pl, place_blocks(s, &near));
  if (!err && pl_ranks(pl) > 1) err = exchange_places(s, made->blocks, near, &far);
  if (!err) err = make_order(s, made, near, far);
  if (!err) err = make_rows(s, made);
  pl_free_arrays(pl, near, far);
  return pl_agree(pl, err);
}

static pl_err make_products(pl_sparsity *s)
{
  pl_context *pl = s->node.pl;
  if (s->products) return PL_SUCCESS;
  s->products = pl_calloc(pl, 1, sizeof *s->products);
  pl_err err = pl_agree(pl, s->products ? PL_SUCCESS : pl_fail_memory(pl, sizeof *s->products));
  if (!err) err = pl_internal_set_new(pl, count_blocks(s), "products", &s->products->blocks);
  if (!err) err = make_maps(s, s->products);
  if (err) pl_products_free(s);
  return err;
}

void pl_products_free(pl_sparsity *s)
{
  pl_context *pl = s->node.pl;
  struct pl_products *made = s->products;
  if (!made) return;
  while (made->held) {
    held *h = made->held;
    made->held = h->next;
    pl_dat_destroy(&h->dat->node);
    pl_free(pl, h);
  }
  if (made->of_column) pl_map_destroy(&made->of_column->node);
  if (made->row) pl_map_destroy(&made->row->node);
  if (made->blocks) pl_set_destroy(&made->blocks->node);
  pl_free(pl, made);
  s->products = NULL;
}

static pl_err find_dat(struct pl_products *made, pl_type type, int dim, pl_dat **dat)
{
  pl_context *pl = made->blocks->node.pl;
  held *h = made->held;
  while (h && (h->dat->type != type || h->dat->dim != dim)) h = h->next;
  if (h) return *dat = h->dat, PL_SUCCESS;
  PL_TRY(pl_agree(pl, PL_NEW(pl, h, 1)));
  pl_err err = pl_decl_dat(made->blocks, dim, type, NULL, "products", dat);
  if (err) return pl_free(pl, h), err;
  (*dat)->node.internal = true;
  *h = (held){made->held, *dat};
  made->held = h;
  return PL_SUCCESS;
}

/* ---- kernels ---- */

static void print_block_product(pl_string *text, const char *name, const pl_mat *a, int vectors, int adjoint)
{
  const char *type = pl_type_name(a->type);
  const int m = a->sparsity->block[0], n = a->sparsity->block[1];
  char value[64], from[32];
  snprintf(value, sizeof value, "a->value[(size_t)number[0] * %d + (size_t)(i * %d + j)]", m * n, n);
  snprintf(from, sizeof from, "from[v * %d + i]", m);
  pl_string_add(text,
                "void %s(%s *to, const %s *from, const pl_row_%s *a, const int64_t *number)\n{\n"
                "  for (int v = 0; v < %d; v++)\n    for (int j = 0; j < %d; j++) {\n"
                "      %s sum[1] = {0};\n      for (int i = 0; i < %d; i++)\n        ",
                name, type, type, type, vectors, n, type, m);
  pl_mat_print_add(text, a, adjoint, "sum[0]", value, from);
  pl_string_add(text, "      to[v * %d + j] = sum[0];\n    }\n}\n", n);
}

static void print_sums(pl_string *text, const char *name, const pl_mat *a, int vectors, int variant)
{
  (void)variant;
  const char *type = pl_type_name(a->type);
  const int n = a->sparsity->block[1] * vectors;
  pl_string_add(text,
                "void %s(%s *y, const pl_row_%s *part)\n{\n  %s sum[%d] = {0};\n"
                "  for (int k = 0; k < part->count; k++)\n    for (int c = 0; c < %d; c++) {\n",
                name, type, type, type, n, n);
  if (pl_type_is_complex(a->type))
    pl_string_add(text,
                  "      sum[c].re += pl_at(part, k, c).re;\n      sum[c].im += pl_at(part, k, c).im;\n");
  else
    pl_string_add(text, "      sum[c] += pl_at(part, k, c);\n");
  pl_string_add(text, "    }\n  for (int c = 0; c < %d; c++) y[c] = sum[c];\n}\n", n);
}

/* ---- the product ---- */

pl_err pl_mat_multiply_by_columns(pl_mat *a, pl_dat *x, pl_dat *y, int vectors, bool adjoint)
{
  pl_sparsity *s = a->sparsity;
  const pl_kernel *kernel[2];
  pl_dat *product;
  PL_TRY(make_products(s));
  PL_TRY(find_dat(s->products, a->type, s->block[1] * vectors, &product));
  pl_err err = pl_mat_kernel(a, adjoint ? "pl_mat_block_adjoint" : "pl_mat_block_transposed", vectors,
                             print_block_product, adjoint, &kernel[0]);
  if (!err) err = pl_mat_kernel(a, "pl_mat_sum_products", vectors, print_sums, 0, &kernel[1]);
  PL_TRY(pl_agree_on_error(a->node.pl, err));
  PL_TRY(pl_par_loop(kernel[0], s->products->blocks, pl_arg_direct(product, PL_WRITE),
                     pl_arg_dat(x, PL_ALL, s->products->row, PL_READ),
                     pl_arg_dat(a->values, PL_WHOLE, PL_DIRECT, PL_READ), pl_arg_idx(PL_WHOLE, PL_DIRECT)));
  return pl_par_loop(kernel[1], s->columns, pl_arg_direct(y, PL_WRITE),
                     pl_arg_dat(product, PL_ALL, s->products->of_column, PL_READ));
}

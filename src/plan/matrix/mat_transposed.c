/* SPDX-License-Identifier: BSD-2-Clause
 * Transposed products: a loop over the values of the matrix, each of which increments the row of y that is
 * its column. A column may belong to another rank, so increments of halo copies are sent to their owners.
 */
#include "core/comm/comm.h"
#include "core/context/memory.h"
#include "mat_kernel.h"
#include "mat_product.h"
#include "transposed_order.h"

/* ---- the rows and columns of values ---- */

static pl_err make_map(pl_sparsity *s, pl_set *to, bool columns, pl_map **map)
{
  const pl_pattern *p = &s->pattern;
  const int each = s->block[0] * s->block[1];
  int *index;
  if (*map) return PL_SUCCESS;
  PL_TRY(PL_NEW_ARRAY(s->node.pl, index, (size_t)p->offset[p->nrows] * (size_t)each + 1));
  for (int r = 0, at = 0; r < p->nrows; r++)
    for (int k = p->offset[r]; k < p->offset[r + 1]; k++)
      for (int v = 0; v < each; v++) index[at++] = columns ? p->column[k] : r;
  PL_TRY(pl_map_enter(s->slots, to, 1, index, columns ? "column" : "row", map));
  (*map)->node.internal = (*map)->locality_checked = (*map)->no_exec_halo = true;
  return PL_SUCCESS;
}

/* ---- the kernel ---- */

/* The place of a value in its block follows from its number. */
static void print(pl_string *text, const char *name, const pl_mat *a, int vectors, int adjoint)
{
  const char *type = pl_type_name(a->type);
  const int *block = a->sparsity->block;
  char to[48], from[48];
  snprintf(to, sizeof to, "to[v * %d + place %% %d]", block[1], block[1]);
  snprintf(from, sizeof from, "from[v * %d + place / %d]", block[0], block[1]);
  pl_string_add(text,
                "void %s(%s *to, const %s *a, const %s *from, const int64_t *number)\n{\n"
                "  const int place = (int)(number[0] %% %d);\n"
                "  for (int v = 0; v < %d; v++)\n    ",
                name, type, type, type, block[0] * block[1], vectors);
  pl_mat_print_add(text, a, adjoint, to, "a[0]", from);
  pl_string_add(text, "}\n");
}

/* ---- the product ---- */

/* By increments of y. */
static pl_err multiply_by_values(const char *what, pl_mat *a, pl_dat *x, pl_dat *y, int vectors, bool adjoint)
{
  pl_sparsity *s = a->sparsity;
  const pl_kernel *kernel;
  pl_err err = make_map(s, s->rows, false, &s->row_of_value);
  if (!err) err = make_map(s, s->columns, true, &s->column_of_value);
  if (!err) err = pl_mat_kernel(a, what, vectors, print, adjoint, &kernel);
  PL_TRY(pl_agree_on_error(a->node.pl, err));
  PL_TRY(pl_dat_zero(y));
  return pl_par_loop(kernel, s->slots, pl_arg_dat(y, PL_ALL, s->column_of_value, PL_INC),
                     pl_arg_direct(a->values, PL_READ), pl_arg_dat(x, PL_ALL, s->row_of_value, PL_READ),
                     pl_arg_idx(PL_ID, PL_DIRECT));
}

static pl_err multiply(const char *what, pl_mat *a, pl_dat *x, pl_dat *y, bool adjoint)
{
  PL_TRY(PL_GIVEN(pl_context_of(a), what, a, x, y));
  PL_TRY(pl_agree_on_error(a->node.pl, pl_mat_check_product(what, a, x, y, true)));
  PL_TRY(pl_mat_ready(a));
  const int vectors = pl_mat_vectors(a, x, 0);
  return pl_opt_flag(a->node.pl, PL_OPT_REPRODUCIBLE) ? pl_mat_multiply_by_columns(a, x, y, vectors, adjoint)
                                                      : multiply_by_values(what, a, x, y, vectors, adjoint);
}

pl_err pl_mat_multiply_transposed(pl_mat *a, pl_dat *x, pl_dat *y)
{
  return multiply("pl_mat_multiply_transposed", a, x, y, false);
}

pl_err pl_mat_multiply_adjoint(pl_mat *a, pl_dat *x, pl_dat *y)
{
  return multiply("pl_mat_multiply_adjoint", a, x, y, true);
}

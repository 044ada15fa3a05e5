/* SPDX-License-Identifier: BSD-2-Clause
 * The diagonal as a map from rows to their diagonal values, and loops through it; rows as subsets of the
 * values.
 */
#include "mat_diagonal.h"
#include "core/base/scalar_type.h"
#include "core/comm/comm.h"
#include "core/context/memory.h"
#include "core/context/observer.h"
#include "core/mesh/subset.h"
#include "mat_kernel.h"

/* ---- the map ---- */

/* The halo's rows have no values here. */
static pl_err make_diagonal(pl_sparsity *s)
{
  pl_context *pl = s->node.pl;
  const int n = s->block[0], total = s->rows->end[3];
  int *index;
  if (s->diagonal) return PL_SUCCESS;
  PL_TRY(PL_NEW_ARRAY(pl, index, (size_t)total * (size_t)n + 1));
  for (int r = 0; r < total; r++) {
    const int slot = r < s->pattern.nrows ? pl_pattern_find(&s->pattern, r, r) : -1;
    for (int a = 0; a < n; a++)
      index[(size_t)r * (size_t)n + (size_t)a] = slot < 0 ? -1 : (slot * n + a) * n + a;
  }
  PL_TRY(pl_map_enter(s->rows, s->slots, n, index, "diagonal", &s->diagonal));
  s->diagonal->node.internal = s->diagonal->locality_checked = s->diagonal->injective = true;
  if (pl_ranks(pl) > 1) s->diagonal->has_negative = true; /* the same code on all ranks */
  return PL_SUCCESS;
}

/* ---- loops ---- */

static void print_get(pl_string *text, const char *name, const pl_mat *a, int vectors)
{
  (void)vectors;
  const char *type = pl_type_name(a->type);
  const int n = a->sparsity->block[0];
  pl_string_add(text,
                "void %s(const %s value[%d][1], %s *diagonal)\n{\n"
                "  for (int i = 0; i < %d; i++) diagonal[i] = value[i][0];\n}\n",
                name, type, n, type, n);
}

static void print_set(pl_string *text, const char *name, const pl_mat *a, int vectors)
{
  (void)vectors;
  const char *type = pl_type_name(a->type);
  const int n = a->sparsity->block[0];
  pl_string_add(text,
                "void %s(%s value[%d][1], const %s *diagonal)\n{\n"
                "  for (int i = 0; i < %d; i++) value[i][0] = diagonal[i];\n}\n",
                name, type, n, type, n);
}

static pl_err run_loop(pl_mat *a, pl_set *rows, pl_dat *diagonal, bool set)
{
  pl_sparsity *s = a->sparsity;
  const pl_kernel *kernel;
  pl_err err = make_diagonal(s);
  if (!err)
    err = set ? pl_mat_kernel(a, "pl_mat_set_diagonal", 1, print_set, &kernel)
              : pl_mat_kernel(a, "pl_mat_get_diagonal", 1, print_get, &kernel);
  PL_TRY(pl_agree_on_error(s->node.pl, err));
  return pl_par_loop(kernel, rows, pl_arg_dat(a->values, PL_ALL, s->diagonal, set ? PL_WRITE : PL_READ),
                     pl_arg_direct(diagonal, set ? PL_READ : PL_WRITE));
}

pl_err pl_mat_diagonal_get(pl_mat *a, pl_dat *diagonal)
{
  return run_loop(a, a->sparsity->rows, diagonal, false);
}

pl_err pl_mat_diagonal_set(pl_mat *a, pl_set *rows, pl_dat *diagonal)
{
  PL_TRY(run_loop(a, rows, diagonal, true));
  a->state = PL_MAT_INSERTING;
  return PL_SUCCESS;
}

/* ---- rows ---- */

/* The values of a subset of the rows. */
static pl_err list_values(const pl_sparsity *s, const pl_set *rows, pl_set **values)
{
  pl_context *pl = s->node.pl;
  const int size = s->block[0] * s->block[1], *offset = s->pattern.offset;
  int n = 0, at = 0, *list;
  for (int i = 0; i < rows->end[1]; i++) {
    const int r = pl_element_at(rows, i);
    n += size * (offset[r + 1] - offset[r]);
  }
  PL_TRY(PL_NEW(pl, list, (size_t)n + 1));
  for (int i = 0; i < rows->end[1]; i++) {
    const int r = pl_element_at(rows, i);
    for (int k = offset[r] * size; k < offset[r + 1] * size; k++) list[at++] = k;
  }
  return pl_subset_new(s->slots, (int[]){n, n, n, n}, list, "rows", values);
}

static pl_err zero_values(pl_mat *a, const pl_set *rows)
{
  pl_sparsity *s = a->sparsity;
  pl_set *values = NULL;
  if (rows == s->rows) return pl_dat_zero(a->values);
  PL_TRY(pl_agree(s->node.pl, list_values(s, rows, &values)));
  pl_err err = pl_dat_zero_subset(a->values, values);
  if (!err) err = pl_before_access(&a->values->node, true); /* runs it, if it was recorded */
  pl_set_free(&values);
  return err;
}

pl_err pl_mat_rows_zero(pl_mat *a, pl_set *rows, double number)
{
  pl_sparsity *s = a->sparsity;
  pl_dat *diagonal;
  PL_TRY(zero_values(a, rows));
  a->state = PL_MAT_INSERTING;
  if (number == 0) return PL_SUCCESS;
  PL_TRY(pl_decl_dat(s->rows, s->block[0], a->type, NULL, "diagonal", &diagonal));
  pl_err err = pl_dat_fill(diagonal, number);
  if (!err) err = pl_mat_diagonal_set(a, rows, diagonal);
  pl_dat_free(&diagonal);
  return err;
}

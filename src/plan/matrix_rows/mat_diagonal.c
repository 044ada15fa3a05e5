/* SPDX-License-Identifier: BSD-2-Clause
 * The diagonal as a map from rows to their diagonal values, and loops through it; rows as subsets of the
 * values.
 */
#include "mat_diagonal.h"
#include "core/comm/comm.h"
#include "core/context/memory.h"
#include "core/context/observer.h"
#include "core/mesh/subset.h"
#include "plan/matrix/mat_kernel.h"

/* ---- the map ---- */

/* A map to the values of each diagonal block, or to those on the diagonal only. The halo's rows have no
 * values here. */
static pl_err make_diagonal(pl_sparsity *s, bool blocks, pl_map **map)
{
  pl_context *pl = s->node.pl;
  const int n = s->block[0], each = blocks ? n * n : n, step = blocks ? 1 : n + 1, total = s->rows->end[3];
  int *index;
  if (*map) return PL_SUCCESS;
  PL_TRY(PL_NEW_ARRAY(pl, index, (size_t)total * (size_t)each + 1));
  for (int r = 0; r < total; r++) {
    const int slot = r < s->pattern.nrows ? pl_pattern_find(&s->pattern, r, r) : -1;
    for (int v = 0; v < each; v++)
      index[(size_t)r * (size_t)each + (size_t)v] = slot < 0 ? -1 : slot * n * n + v * step;
  }
  PL_TRY(pl_map_enter(s->rows, s->slots, each, index, "diagonal", map));
  (*map)->node.internal = (*map)->locality_checked = (*map)->injective = true;
  if (pl_ranks(pl) > 1) (*map)->has_negative = true; /* the same code on all ranks */
  return PL_SUCCESS;
}

/* ---- loops ---- */

typedef enum copied { GET, SET, GET_BLOCKS } copied;

static void print_copy(pl_string *text, const char *name, const pl_mat *a, int vectors, int kind)
{
  (void)vectors;
  const char *type = pl_type_name(a->type);
  const int m = a->sparsity->block[0], values = kind == GET_BLOCKS ? m * m : m;
  pl_string_add(text, "void %s(%s%s value[%d][1], %s%s *copy)\n{\n", name, kind == SET ? "" : "const ", type,
                values, kind == SET ? "const " : "", type);
  pl_string_add(text, "  for (int i = 0; i < %d; i++) %s;\n}\n", values,
                kind == SET ? "value[i][0] = copy[i]" : "copy[i] = value[i][0]");
}

static pl_err run_loop(pl_mat *a, pl_set *rows, pl_map *map, pl_dat *copy, const char *name, copied kind)
{
  const pl_kernel *kernel;
  const bool set = kind == SET;
  PL_TRY(pl_agree_on_error(a->node.pl, pl_mat_kernel(a, name, 1, print_copy, kind, &kernel)));
  return pl_par_loop(kernel, rows, pl_arg_dat(a->values, PL_ALL, map, set ? PL_WRITE : PL_READ),
                     pl_arg_direct(copy, set ? PL_READ : PL_WRITE));
}

pl_err pl_mat_diagonal_get(pl_mat *a, pl_dat *diagonal)
{
  pl_sparsity *s = a->sparsity;
  PL_TRY(pl_agree_on_error(s->node.pl, make_diagonal(s, false, &s->diagonal)));
  return run_loop(a, s->rows, s->diagonal, diagonal, "pl_mat_get_diagonal", GET);
}

pl_err pl_mat_diagonal_set(pl_mat *a, pl_set *rows, pl_dat *diagonal)
{
  pl_sparsity *s = a->sparsity;
  PL_TRY(pl_agree_on_error(s->node.pl, make_diagonal(s, false, &s->diagonal)));
  PL_TRY(run_loop(a, rows, s->diagonal, diagonal, "pl_mat_set_diagonal", SET));
  a->state = PL_MAT_INSERTING;
  return PL_SUCCESS;
}

pl_err pl_mat_diagonal_blocks(pl_mat *a, pl_dat *blocks)
{
  pl_sparsity *s = a->sparsity;
  PL_TRY(pl_mat_ready(a));
  PL_TRY(pl_agree_on_error(s->node.pl, make_diagonal(s, true, &s->diagonal_blocks)));
  return run_loop(a, s->rows, s->diagonal_blocks, blocks, "pl_mat_get_blocks", GET_BLOCKS);
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

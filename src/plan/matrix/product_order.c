/* SPDX-License-Identifier: BSD-2-Clause
 * The order of rows in products, and with option reproducible that of columns; made on first use.
 */
#include "product_order.h"
#include "core/comm/comm.h"
#include "core/context/memory.h"
#include "core/mesh/subset.h"
#include "plan/sparsity/global_order.h"

/* ---- rows ---- */

/* Columns ascend, and those of the halo follow the owned ones. */
static bool is_interior(const pl_sparsity *s, int r)
{
  const int *offset = s->pattern.offset;
  return offset[r] == offset[r + 1] || s->pattern.column[offset[r + 1] - 1] < s->columns->end[1];
}

/* The usual storage order has them first. */
static bool interior_is_first(const pl_sparsity *s, int *interior)
{
  int r = 0;
  while (r < s->pattern.nrows && is_interior(s, r)) r++;
  *interior = r;
  while (r < s->pattern.nrows && !is_interior(s, r)) r++;
  return r == s->pattern.nrows;
}

static int list_rows(const pl_sparsity *s, int *row)
{
  int n = 0, interior = 0;
  for (int wanted = 1; wanted >= 0; wanted--) {
    for (int r = 0; r < s->pattern.nrows; r++)
      if (is_interior(s, r) == wanted) row[n++] = r;
    if (wanted) interior = n;
  }
  return interior;
}

/* Without a list where all ranks have the rows in this order: they run the same code. */
static pl_err make_subset(pl_sparsity *s)
{
  pl_context *pl = s->node.pl;
  const int n = s->pattern.nrows;
  int interior, *row = NULL;
  const bool lists = !pl_comm_all(pl, interior_is_first(s, &interior));
  PL_TRY(pl_agree(pl, lists ? PL_NEW(pl, row, (size_t)n + 1) : PL_SUCCESS));
  if (row) interior = list_rows(s, row);
  PL_TRY(pl_subset_new(s->rows, (int[]){interior, n, n, n}, row, s->rows->node.name, &s->interior_first));
  s->interior_first->core_of = s->coupled;
  return PL_SUCCESS;
}

pl_err pl_interior_rows(pl_sparsity *s, pl_set **rows)
{
  const bool ranks = pl_ranks(s->node.pl) > 1;
  if (ranks && !s->interior_first) PL_TRY(make_subset(s));
  *rows = ranks ? s->interior_first : s->rows;
  return PL_SUCCESS;
}

/* ---- columns ---- */

/* A ragged map from the rows; target v of slot[k] is `to` of it, where `each` targets belong to a slot. */
static pl_err make_map(pl_sparsity *s, pl_set *to, int each, const int *slot, bool columns, pl_map **map)
{
  pl_context *pl = s->node.pl;
  const pl_pattern *p = &s->pattern;
  const int total = s->rows->end[3], n = p->offset[p->nrows];
  int *offset, *index;
  PL_TRY(PL_NEW(pl, offset, (size_t)total + 1));
  pl_err err = PL_NEW_ARRAY(pl, index, (size_t)n * (size_t)each + 1);
  for (int r = 0; !err && r <= total; r++) offset[r] = p->offset[r] * each;
  for (int k = 0; !err && k < n; k++)
    for (int v = 0; v < each; v++) index[k * each + v] = columns ? p->column[slot[k]] : slot[k] * each + v;
  if (!err) err = pl_map_new(s->rows, to, offset, index, "ordered", map);
  if (err) {
    pl_free(pl, offset);
    pl_free_array(pl, index);
    return err;
  }
  (*map)->node.internal = (*map)->internal = (*map)->locality_checked = true;
  return PL_SUCCESS;
}

static pl_err make_maps(pl_sparsity *s)
{
  int *slot;
  PL_TRY(PL_NEW_ARRAY(s->node.pl, slot, (size_t)s->pattern.offset[s->pattern.nrows] + 1));
  pl_err err = pl_pattern_order(&s->pattern, s->columns, slot);
  if (!err && !s->ordered_columns) err = make_map(s, s->columns, 1, slot, true, &s->ordered_columns);
  if (!err) err = make_map(s, s->slots, s->block[0] * s->block[1], slot, false, &s->ordered_values);
  pl_free_array(s->node.pl, slot);
  return err;
}

pl_err pl_sparsity_reorders(pl_sparsity *s, bool *reorders)
{
  pl_context *pl = s->node.pl;
  *reorders = false;
  if (!pl_opt_flag(pl, PL_OPT_REPRODUCIBLE) || s->ascending) return PL_SUCCESS;
  if (!s->ordered_values) s->ascending = pl_comm_all(pl, pl_pattern_ascends(&s->pattern, s->columns));
  if (!s->ascending && !s->ordered_values) PL_TRY(pl_agree(pl, make_maps(s)));
  *reorders = !s->ascending;
  return PL_SUCCESS;
}

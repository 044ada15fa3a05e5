/* SPDX-License-Identifier: BSD-2-Clause
 * Interior rows first: a subset of all rows, made on first use.
 */
#include "interior_rows.h"
#include "core/comm/comm.h"
#include "core/context/memory.h"
#include "core/mesh/subset.h"

/* Columns ascend, and those of the halo follow the owned ones. */
static bool is_interior(const pl_sparsity *s, int r)
{
  const int *offset = s->pattern.offset;
  return offset[r] == offset[r + 1] || s->pattern.column[offset[r + 1] - 1] < s->columns->end[1];
}

static pl_err make_subset(pl_sparsity *s)
{
  pl_context *pl = s->node.pl;
  const int nrows = s->pattern.nrows;
  int n = 0, *row, interior = 0;
  PL_TRY(PL_NEW(pl, row, (size_t)nrows + 1));
  for (int wanted = 1; wanted >= 0; wanted--) {
    for (int r = 0; r < nrows; r++)
      if (is_interior(s, r) == wanted) row[n++] = r;
    if (wanted) interior = n;
  }
  PL_TRY(pl_subset_new(s->rows, (int[]){interior, n, n, n}, row, s->rows->node.name, &s->interior_first));
  s->interior_first->node.internal = true;
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

/* SPDX-License-Identifier: BSD-2-Clause
 * Orders by global indices: sorts of elements, and of the columns of each row.
 */
#include "global_order.h"
#include "core/context/memory.h"
#include "core/mesh/user_order.h"
#include "plan/base/radix_sort.h"

/* ---- elements ---- */

static pl_err sort_elements(const pl_set *set, int n, pl_keyed *item, pl_keyed *scratch, int *element)
{
  pl_keyed *sorted;
  for (int e = 0; e < n; e++) item[e] = (pl_keyed){(uint64_t)pl_element_global_index(set, e), e};
  PL_TRY(pl_sort_keyed(set->node.pl, n, item, scratch, &sorted));
  for (int i = 0; i < n; i++) element[i] = sorted[i].value;
  return PL_SUCCESS;
}

pl_err pl_global_order(const pl_set *set, int n, int **element)
{
  pl_context *pl = set->node.pl;
  pl_keyed *item = NULL, *scratch = NULL;
  pl_err err = PL_NEW(pl, *element, (size_t)n + 1);
  if (!err) err = PL_NEW(pl, item, (size_t)n + 1);
  if (!err) err = PL_NEW(pl, scratch, (size_t)n + 1);
  if (!err) err = sort_elements(set, n, item, scratch, *element);
  pl_free_all(pl, item, scratch);
  if (!err) return PL_SUCCESS;
  pl_free(pl, *element);
  *element = NULL;
  return err;
}

/* ---- rows ---- */

bool pl_pattern_ascends(const pl_pattern *p, const pl_set *columns)
{
  for (int r = 0; r < p->nrows; r++)
    for (int k = p->offset[r] + 1; k < p->offset[r + 1]; k++)
      if (pl_element_global_index(columns, p->column[k]) < pl_element_global_index(columns, p->column[k - 1]))
        return false;
  return true;
}

/* by_column[]: slots by the place of their columns, place[], in the global order. Then by row, which keeps
 * that order. */
static pl_err sort_slots(pl_context *pl, const pl_pattern *p, const int *place, int *key, int *by_column,
                         int *slot)
{
  const int n = p->offset[p->nrows];
  for (int k = 0; k < n; k++) key[k] = place[p->column[k]];
  PL_TRY(pl_sort_counting(pl, n, NULL, p->ncolumns, key, by_column));
  for (int r = 0; r < p->nrows; r++)
    for (int k = p->offset[r]; k < p->offset[r + 1]; k++) key[k] = r;
  return pl_sort_counting(pl, n, by_column, p->nrows, key, slot);
}

pl_err pl_pattern_order(const pl_pattern *p, const pl_set *columns, int *slot)
{
  pl_context *pl = columns->node.pl;
  const size_t n = (size_t)p->offset[p->nrows] + 1;
  int *order = NULL, *place = NULL, *key = NULL, *by_column = NULL;
  pl_err err = pl_global_order(columns, p->ncolumns, &order);
  if (!err) err = PL_NEW(pl, place, (size_t)p->ncolumns + 1);
  if (!err) err = PL_NEW_ARRAY(pl, key, n);
  if (!err) err = PL_NEW_ARRAY(pl, by_column, n);
  for (int i = 0; !err && i < p->ncolumns; i++) place[order[i]] = i;
  if (!err) err = sort_slots(pl, p, place, key, by_column, slot);
  pl_free_all(pl, order, place);
  pl_free_arrays(pl, key, by_column);
  return err;
}

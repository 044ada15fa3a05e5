/* SPDX-License-Identifier: BSD-2-Clause
 * The nonzero pattern of a sparse matrix in storage order: compressed rows built from pairs of maps.
 *
 * Invariant (pl_pattern_is_valid): row r is column[offset[r] .. offset[r + 1]), ascending without repeats.
 * The rows are the owned elements of their set; columns include the halo, which follows the owned elements.
 */
#pragma once

#include <stdbool.h>
#include "core/mesh/map.h"

typedef struct pl_pattern {
  int nrows, ncolumns;
  int *offset, *column;
} pl_pattern;

/* Element e of a pair's set couples each of its rows, or without a row map itself, with each of its columns.
 * Negative entries couple nothing. With `diagonal` every row holds its own column. Local. */
pl_err pl_pattern_build(const pl_set *rows, const pl_set *columns, int npairs, const pl_map_pair *pairs,
                        bool diagonal, pl_pattern *pattern);
void pl_pattern_free(pl_context *pl, pl_pattern *pattern);

/* The end of the columns of row r that this rank owns, in a pattern from a set to itself. */
static inline int pl_pattern_own_end(const pl_pattern *pattern, int r)
{
  int end = pattern->offset[r + 1];
  while (end > pattern->offset[r] && pattern->column[end - 1] >= pattern->nrows) end--;
  return end;
}

enum { PL_SHORT_ROW = 8 }; /* columns compared one by one */

/* The slot of an entry; -1: none. */
static inline int pl_pattern_find(const pl_pattern *pattern, int row, int wanted)
{
  int begin = pattern->offset[row], end = pattern->offset[row + 1];
  while (end - begin > PL_SHORT_ROW) {
    int middle = begin + (end - begin) / 2;
    if (pattern->column[middle] <= wanted)
      begin = middle;
    else
      end = middle;
  }
  for (int k = begin; k < end; k++)
    if (pattern->column[k] == wanted) return k;
  return -1;
}

/* Whether the invariant holds; else the reason. */
bool pl_pattern_is_valid(const pl_pattern *pattern, char *why, size_t size);

/* SPDX-License-Identifier: BSD-2-Clause
 * The rows of a rank in colours: rows of one colour are not coupled, so a sweep over the colours is a
 * sequential sweep over the rows that runs in parallel.
 *
 * Invariant: `rows` is a set of the library without a halo, whose elements are the rows of the matrix in the
 * order of their colours, so that a colour is a range of them. `own` leads to the row. `coupled` leads to the
 * elements of the columns that this rank owns but the row's own one, in the order of columns. Two elements of
 * a subset are not coupled in either direction.
 */
#pragma once

#include "plan/matrix/sparsity.h"

typedef struct pl_row_colours {
  pl_set *rows;
  pl_map *own;     /* to the row set */
  pl_map *coupled; /* ragged, from `rows` to `rows` */
  pl_dat *place;   /* of each row its first value and the number of columns before its own one */
  int *position;   /* the element of each row */
  int n;
  pl_set **colour; /* subsets of `rows` */
} pl_row_colours;

/* Of a square sparsity that is built. The caller frees it. Collective. */
pl_err pl_row_colours_new(const pl_sparsity *sparsity, pl_row_colours *colours);
void pl_row_colours_free(pl_context *pl, pl_row_colours *colours);

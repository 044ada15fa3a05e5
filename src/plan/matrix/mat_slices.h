/* SPDX-License-Identifier: BSD-2-Clause
 * Rows in slices, the form in which devices multiply: 32 rows lie side by side, so that neighbouring
 * work items load neighbouring values. The values are a copy of those of the matrix.
 *
 * Invariant: behind begin[0], two numbers a slice: slice s has the groups begin[2 s + 1] to begin[2 s + 3] -
 * 1; value v of block k of row r is ((begin + k) * values of a block + v) * 32 + r % 32, and its column is
 * that of group begin + k, counted from begin[2 s + 2]; columns of 16 bits are those of narrow_columns.h,
 * with begin[0]. A row that ends before its slice has columns of ones there.
 */
#pragma once

#include "mat.h"
#include "mat_product.h"

/* Multiplies in slices, with sums (NULL: none): once the second product in a row has the same values. *done:
 * it did; else nothing has happened. Collective. */
pl_err pl_mat_multiply_slices(pl_mat *a, pl_dat *x, pl_dat *y, const pl_product_sums *sums, bool *done);

/* The arrays of the slices of a matrix, for code that a backend runs on its device; `begin` NULL: there are
 * none. Recorded loops may fill `values`. Collective. */
typedef struct pl_slice_arrays {
  pl_dat *begin, *column, *values;
  bool narrow; /* columns of 16 bits */
} pl_slice_arrays;
pl_err pl_mat_slice_arrays(pl_mat *a, pl_slice_arrays *arrays);

void pl_slices_free(pl_sparsity *sparsity);
size_t pl_slices_bytes(const pl_sparsity *sparsity);

/* SPDX-License-Identifier: BSD-2-Clause
 * Rows in slices, the form in which devices multiply: PL_SLICE rows lie side by side, so that neighbouring
 * work items load neighbouring values. The values are a copy of those of the matrix.
 *
 * Invariant: slice s has the groups begin[2 s] to begin[2 s + 2] - 1; value v of block k of row r is
 * ((begin + k) * values of a block + v) * PL_SLICE + r % PL_SLICE, and its column is that of group begin + k,
 * counted from begin[2 s + 1]. A row that ends before its slice has columns of ones there.
 */
#pragma once

#include "mat.h"

/* Multiplies in slices: once the second product in a row has the same values. *done: it did; else nothing has
 * happened. Collective. */
pl_err pl_mat_multiply_slices(pl_mat *a, pl_dat *x, pl_dat *y, bool *done);

void pl_slices_free(pl_sparsity *sparsity);

/* SPDX-License-Identifier: BSD-2-Clause
 * What products of matrices and dats share.
 */
#pragma once

#include "mat.h"

/* Vectors that the dat holds on the row set (side 0) or column set (1). */
int pl_mat_vectors(const pl_mat *a, const pl_dat *dat, int side);

/* y = A x and *inner = x . y, for a matrix on one set. Collective. */
pl_err pl_mat_multiply_inner(pl_mat *a, pl_dat *x, pl_dat *y, pl_global *inner);

/* The sums of the sizes of the values of each row of a real matrix, to a dat as for a product. `x` is another
 * dat as for a product, whose values are not used. Collective. */
pl_err pl_mat_row_sums(pl_mat *a, pl_dat *x, pl_dat *sums);

/* Whether y = A x, or with `transposed` y = A^T x, is possible; `what` is the function's name. Local. */
pl_err pl_mat_check_product(const char *what, const pl_mat *a, const pl_dat *x, const pl_dat *y,
                            bool transposed);

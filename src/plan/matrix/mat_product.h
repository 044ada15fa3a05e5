/* SPDX-License-Identifier: BSD-2-Clause
 * Shared by all products of matrices and dats.
 */
#pragma once

#include "mat.h"

/* Vectors that the dat holds on the row set (side 0) or column set (1). */
int pl_mat_vectors(const pl_mat *a, const pl_dat *dat, int side);

/* Sums that a product y = A x computes for a matrix on one set: x . y and, unless `other` is NULL, other . x
 * and x . x. */
typedef struct pl_product_sums {
  pl_global *inner;
  pl_dat *other;
  pl_global *others, *square;
} pl_product_sums;

/* y = A x with sums. Collective. */
pl_err pl_mat_multiply_sums(pl_mat *a, pl_dat *x, pl_dat *y, const pl_product_sums *sums);

/* The sums of the sizes of the values of each row of a real matrix, to a dat as for a product. `x` is another
 * dat as for a product, whose values are not used. Collective. */
pl_err pl_mat_row_sums(pl_mat *a, pl_dat *x, pl_dat *sums);

/* Whether y = A x, or with `transposed` y = A^T x, is possible; `what` is the function's name. Local. */
pl_err pl_mat_check_product(const char *what, const pl_mat *a, const pl_dat *x, const pl_dat *y,
                            bool transposed);

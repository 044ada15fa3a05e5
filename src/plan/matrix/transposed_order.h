/* SPDX-License-Identifier: BSD-2-Clause
 * Transposed products whose sums follow the order of global row indices: each nonzero block gives one
 * product, which the rank of its column gets, and a column sums those of all its blocks.
 */
#pragma once

#include "mat.h"

/* y = A^T x of that many vectors, or with `adjoint` y = A^H x. Collective. */
pl_err pl_mat_multiply_by_columns(pl_mat *a, pl_dat *x, pl_dat *y, int vectors, bool adjoint);

void pl_products_free(pl_sparsity *sparsity);

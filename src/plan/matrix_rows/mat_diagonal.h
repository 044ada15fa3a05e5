/* SPDX-License-Identifier: BSD-2-Clause
 * Rows and the diagonal of matrices on devices: loops and zeros there, without transfers of the values. The
 * arguments were checked (mat_entries.c).
 */
#pragma once

#include "plan/matrix/mat.h"

/* The diagonal to a dat of the row set, and from it in the rows of a set or subset. Collective. */
pl_err pl_mat_diagonal_get(pl_mat *a, pl_dat *diagonal);
pl_err pl_mat_diagonal_set(pl_mat *a, pl_set *rows, pl_dat *diagonal);

/* The diagonal blocks, each row by row, to a dat of the row set. Collective. */
pl_err pl_mat_diagonal_blocks(pl_mat *a, pl_dat *blocks);

/* Zeroes rows; their diagonal values become `number`. Collective. */
pl_err pl_mat_rows_zero(pl_mat *a, pl_set *rows, double number);

/* SPDX-License-Identifier: BSD-2-Clause
 * Incomplete factors of the rows of a rank, with the pattern of the matrix.
 *
 * Invariant: a row has `width` places of dim x dim values: its columns in the order of the coloured rows, so
 * those of lower colours, its own one and those of higher colours, then unused ones. `count` holds the places
 * before its own one and all used ones, `column` their rows, `source` their first values in the matrix.
 * `others` leads to the rows of the places but its own one.
 */
#pragma once

#include "row_colours.h"

typedef struct pl_factors {
  int width;
  pl_map *others; /* ragged, from the rows to themselves */
  pl_dat *value, *column, *source, *count;
  pl_global *least; /* the least pivot */
} pl_factors;

/* The places of a square sparsity that is built. The caller frees them. Collective. */
pl_err pl_factors_new(const pl_sparsity *sparsity, pl_type type, const pl_row_colours *colours,
                      pl_factors *factors);
void pl_factors_free(pl_factors *factors);

/* SPDX-License-Identifier: BSD-2-Clause
 * The positions of an element's local tensor in the values of a matrix.
 */
#pragma once

#include "pattern.h"

/* The positions of the values of each element's local tensor, a matrix of arity x arity blocks of block[0] x
 * block[1] values, row by row: slot * block[0] * block[1] + the place in the block; -1 for a row of another
 * rank and for a negative entry of a map. `first_only`: of each block the first one. pl_free_array. Errors:
 * PL_ERR_RANGE for an entry outside of the pattern. Local. */
pl_err pl_positions_build(pl_context *pl, const pl_pattern *pattern, const int block[2], bool first_only,
                          const pl_map_pair *pair, int **positions);

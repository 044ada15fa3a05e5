/* SPDX-License-Identifier: BSD-2-Clause
 * Cell lists: the rows of a neighbour list from points sorted into bins.
 */
#pragma once

#include "point_bins.h"

/* Rows of the points near each particle, from their bins: offset (n + 1) and entry, from the pool; the rows
 * of `lanes` (4, 8 or 16) particles are interleaved (core/particles/pair_map.h) and padded with the record
 * `padding`. */
pl_err pl_cell_list_rows(const pl_bins *bins, int lanes, int padding, int64_t **offset, int **entry);

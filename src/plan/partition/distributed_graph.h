/* SPDX-License-Identifier: BSD-2-Clause
 * Partitions of graphs that stay distributed over the ranks.
 */
#pragma once

#include "partitioners.h"

/* PT-Scotch's partition, one part for each rank. Rank r gets the vertices of range r of [0, all) with their
 * edges, whatever elements it has. Errors: PL_ERR_BACKEND without PT-Scotch, PL_ERR_RANGE for more than
 * 2^31 - 1 elements or too many edges. */
pl_err pl_partition_scotch(pl_context *pl, const pl_shared_rows *rows, int *part);

/* SPDX-License-Identifier: BSD-2-Clause
 * Partitioners: functions over the ranks of a context. Each rank passes its own elements and gets their
 * parts, 0 to nparts - 1, for any nparts. Memory is O(elements of this rank + nparts) unless stated
 * otherwise. All are collective; an error of one rank is the error of all. Weights may be NULL (all 1); they
 * are finite and not negative.
 */
#pragma once

#include <stdint.h>
#include "core/context/context.h"

/* This rank's points: n of `dim` (1 to 3) coordinates each. */
typedef struct pl_points {
  int n, dim;
  const double *x, *weight;
} pl_points;

/* Checks points and number of parts for the geometric methods. */
pl_err pl_points_check(pl_context *pl, const pl_points *points, int nparts);

/* Pieces of about equal weight of the Hilbert curve through all points. Coinciding points share a part. */
pl_err pl_partition_curve(pl_context *pl, const pl_points *points, int nparts, int *part);

/* By a hash of each element's global index and a seed: balanced without locality, and independent of the
 * number of ranks. */
pl_err pl_partition_random(pl_context *pl, int n, const int64_t *global, uint64_t seed, int nparts,
                           int *part);

/* A distributed graph: this rank's elements by global index (all ranks together: [0, all)), and its rows of
 * `arity` global indices, negative for none; elements that share a row are neighbours. */
typedef struct pl_shared_rows {
  int64_t all, nrows;
  int n, arity;
  const int64_t *id, *row;
  const double *weight; /* of the elements; NULL: all 1 */
} pl_shared_rows;

/* Checks rows for a partitioner of graphs of a module: PL_ERR_BACKEND without it, PL_ERR_RANGE for more than
 * 2^31 - 1 elements or an invalid weight. Local. */
pl_err pl_rows_check(pl_context *pl, pl_module_kind module, const pl_shared_rows *rows, int nparts);

/* The weights of elements (n) as integers of which all fit in an int together; *weighted: whether any rank
 * has weights. Collective. */
pl_err pl_rows_weights(pl_context *pl, const pl_shared_rows *rows, int *weight, bool *weighted);

/* METIS's k-way partition. The rows are gathered on rank 0, which needs memory for them and their graph.
 * Errors: PL_ERR_BACKEND without METIS, PL_ERR_RANGE for more than 2^31 - 1 elements. */
pl_err pl_partition_kway(pl_context *pl, const pl_shared_rows *rows, int nparts, int *part);

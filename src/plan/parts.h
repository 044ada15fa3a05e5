/* SPDX-License-Identifier: BSD-2-Clause
 * Partitions: which rank shall have which element. Pure functions over the ranks of a context: each rank
 * hands in its own elements and gets their parts, 0 to nparts - 1. nparts may be any number, below or above
 * that of ranks. Memory is O(elements of this rank + nparts) except where it says otherwise; coordinates are
 * gathered nowhere. All are collective, and an error on one rank is the error of all. Weights may be NULL
 * (all 1); they are finite and not negative. On one rank everything works without messages.
 */
#ifndef PLAIT_PLAN_PARTS_H
#define PLAIT_PLAN_PARTS_H

#include <stdbool.h>
#include <stdint.h>
#include "plait.h"

/* This rank's points: n of `dim` (1 to 3) coordinates each. */
typedef struct pl_points {
  int n, dim;
  const double *x, *weight;
} pl_points;

/* Whether points and number of parts are fit for the two methods below. */
pl_err pl_points_check(pl_context *pl, const pl_points *points, int nparts);

/* Recursive coordinate bisection (Berger and Bokhari 1987): boxes are cut across their longest axis into two
 * of weights as their numbers of parts, until each is one part. Points that share a coordinate are told apart
 * by rank and place, so weights are met to a thousandth of a part as far as single points allow. */
pl_err pl_partition_bisection(pl_context *pl, const pl_points *points, int nparts, int *part);

/* Pieces of about equal weight of Hilbert's curve through all points. Points on one place are not parted. */
pl_err pl_partition_curve(pl_context *pl, const pl_points *points, int nparts, int *part);

/* By a hash of each element's global index and a seed: the worst that is balanced, the same on any number of
 * ranks. */
pl_err pl_partition_random(pl_context *pl, int n, const int64_t *global, uint64_t seed, int nparts,
                           int *part);

/* A graph over all ranks: this rank's n vertices follow those of the rank before it; neighbours of v are the
 * global numbers neighbour[offset[v] .. offset[v + 1]), symmetric, unique, none v itself. */
typedef struct pl_shared_graph {
  int n;
  const int64_t *offset, *neighbour;
  const int *weight; /* of vertices */
} pl_shared_graph;

/* METIS's k-way partition. Gathers the whole graph on rank 0, and needs memory for it there. Errors:
 * PL_ERR_BACKEND without METIS, PL_ERR_RANGE for a graph too large for one rank. */
pl_err pl_partition_kway(pl_context *pl, const pl_shared_graph *graph, int nparts, int *part);

/* How good a partition is: greatest weight of a part over the mean, and edges whose ends lie in two parts. */
typedef struct pl_partition_quality {
  double imbalance;
  int64_t cut, edges;
} pl_partition_quality;

/* Judges a partition. `graph` may be NULL where only weights count (cut is 0 then). */
pl_err pl_partition_judge(pl_context *pl, int n, const double *weight, const pl_shared_graph *graph,
                          int nparts, const int *part, pl_partition_quality *quality);

#endif

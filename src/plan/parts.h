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

/* The same, and where space was cut: cut[p - 1] lies between parts p - 1 and p, and what has a coordinate
 * below `at` along its axis is on the lower side. pl_cut_part tells which part a place is in, by the same
 * halving of numbers; parts[] is that but for points on a cut or next to it. `cut` has room for nparts - 1.
 */
typedef struct pl_cut {
  int axis;
  double at;
} pl_cut;
pl_err pl_partition_cuts(pl_context *pl, const pl_points *points, int nparts, int *part, pl_cut *cut);

static inline int pl_cut_part(const pl_cut *cut, int nparts, const double *x)
{
  int first = 0, count = nparts;
  while (count > 1) {
    int left = count / 2;
    const pl_cut *c = &cut[first + left - 1];
    bool below = x[c->axis] < c->at;
    first += below ? 0 : left;
    count = below ? left : count - left;
  }
  return first;
}

/* Pieces of about equal weight of Hilbert's curve through all points. Points on one place are not parted. */
pl_err pl_partition_curve(pl_context *pl, const pl_points *points, int nparts, int *part);

/* By a hash of each element's global index and a seed: the worst that is balanced, the same on any number of
 * ranks. */
pl_err pl_partition_random(pl_context *pl, int n, const int64_t *global, uint64_t seed, int nparts,
                           int *part);

/* Elements of all ranks and what makes them neighbours: this rank's own, with their global indices (all of
 * [0, all) between the ranks), and its rows of `arity` global indices, negative for none: elements that share
 * a row are neighbours. */
typedef struct pl_shared_rows {
  int64_t all, nrows;
  int n, arity;
  const int64_t *id, *row;
  const double *weight; /* of the elements; NULL: all alike */
} pl_shared_rows;

/* METIS's k-way partition. METIS works on one rank: the rows are gathered on rank 0, which needs memory for
 * them and their graph. Errors: PL_ERR_BACKEND without METIS, PL_ERR_RANGE for more than 2^31 - 1 elements.
 */
pl_err pl_partition_kway(pl_context *pl, const pl_shared_rows *rows, int nparts, int *part);

#endif

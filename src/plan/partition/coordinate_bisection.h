/* SPDX-License-Identifier: BSD-2-Clause
 * Recursive coordinate bisection, all boxes of a level at once.
 */
#pragma once

#include <stdbool.h>
#include "partitioners.h"

/* Recursive coordinate bisection (Berger and Bokhari 1987): boxes are cut across their longest axis into two,
 * with weights proportional to their numbers of parts, until each is one part. Points with equal coordinates
 * are ordered by rank and number, so weights are met to a thousandth of a part as far as single points allow.
 */
pl_err pl_partition_bisection(pl_context *pl, const pl_points *points, int nparts, int *part);

/* The same, and the cuts: cut[p - 1] lies between parts p - 1 and p, in the middle of the gap between their
 * points if there is one; points with a coordinate below `at` along its axis are on the lower side.
 * pl_cut_part finds the part of a point by the same halving of numbers; it agrees with part[] but for points
 * on or next to a cut. `cut` has room for nparts - 1. */
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

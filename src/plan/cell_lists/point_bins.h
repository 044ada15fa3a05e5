/* SPDX-License-Identifier: BSD-2-Clause
 * Points sorted by bin. Bins run along axis 0, so the points of consecutive bins are contiguous. Places are
 * in single precision, relative to the lower corner; the reach is larger by the rounding error.
 */
#pragma once

#include "points.h"

enum {
  PL_BINS_A_REACH = 2,
  PL_SPARE = 16 /* points that may be loaded and entries that may be stored behind the last one */
};

typedef struct pl_point {
  float at[PL_PAIR_AXES];
  int id;
} pl_point;

typedef struct pl_bins {
  const pl_positions *points;
  int bins[PL_PAIR_AXES];
  double low[PL_PAIR_AXES], scale[PL_PAIR_AXES];
  float size[PL_PAIR_AXES]; /* of a bin */
  int64_t nbins;
  int *start; /* nbins + 1, into the sorted points */
  int *bin;   /* of each point */
  pl_point *sorted;
  float reach, reach2; /* in single precision */
} pl_bins;

/* Sorts g->points; the arrays are from their pool. Local. */
pl_err pl_bins_make(pl_bins *g);
void pl_bins_free(pl_bins *g);

/* The bin along an axis of a place relative to the lower corner. */
static inline int pl_bin_along(const pl_bins *g, int a, double x)
{
  const double b = x * g->scale[a], last = g->bins[a] - 1;
  return (int)(b < 0 ? 0 : b < last ? b : last);
}

/* A coordinate of point i relative to the lower corner. */
static inline float pl_place_in(const pl_bins *g, int a, int i)
{
  return (float)(g->points->axis[a][i] - g->low[a]);
}

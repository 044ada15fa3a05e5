/* SPDX-License-Identifier: BSD-2-Clause
 * Points sorted by bin. Bins run along axis 0, so the points of consecutive bins are contiguous. Empty bins
 * separate rows and planes, so that those within reach of a bin are at the same distances everywhere. Places
 * are in single precision, relative to the lower corner; the reach is larger by the rounding error.
 */
#pragma once

#include "points.h"

enum {
  PL_BINS_A_REACH = 2,
  PL_BIN_PARTS = 4, /* of a bin, along each axis */
  PL_SPARE = 16     /* points that may be loaded and entries that may be stored behind the last one */
};

typedef struct pl_bins {
  const pl_positions *points;
  int bins[PL_PAIR_AXES];
  double low[PL_PAIR_AXES], scale[PL_PAIR_AXES];
  float size[PL_PAIR_AXES];     /* of a bin */
  int64_t stride[PL_PAIR_AXES]; /* from a bin to the next one along each axis */
  int64_t first, nbins;         /* the first bin that may have points; all, with empty ones */
  int *start;                   /* nbins + 1, into the sorted points */
  int *bin;                     /* of each point */
  unsigned char *part;          /* the part of its bin: digits of base PL_BIN_PARTS for the axes */
  float *at[PL_PAIR_AXES];      /* sorted; at[0]: the memory of id, too */
  int *id;
  float reach, reach2; /* in single precision */
} pl_bins;

/* Sorts g->points; the arrays are from their pool. Local. */
pl_err pl_bins_make(pl_bins *g);
void pl_bins_free(pl_bins *g);

/* The least and the greatest of n coordinates; infinite for none. */
void pl_bounds_along(int threads, int n, const double *x, double *low, double *high);

/* A coordinate of point i relative to the lower corner. */
static inline float pl_place_in(const pl_bins *g, int a, int i)
{
  return (float)(g->points->axis[a][i] - g->low[a]);
}

/* SPDX-License-Identifier: BSD-2-Clause
 * The points near a particle: those of the bins around its own, a few contiguous runs of sorted points, are
 * tested by vectors without branches.
 */
#pragma once

#include "point_bins.h"

enum {
  PL_BINS_AROUND = 2 * PL_BINS_A_REACH + 1, /* along each axis, with that in the middle */
  PL_BIN_CLASSES = PL_BIN_PARTS * PL_BIN_PARTS * PL_BIN_PARTS
};

/* The rows of bins with points near those in one part of a bin, relative to that bin. */
typedef struct pl_near_rows {
  int count;
  struct {
    int first, end;
  } row[PL_BINS_AROUND * PL_BINS_AROUND];
} pl_near_rows;

typedef struct pl_near pl_near;

/* Stores the ids of the points near particle i, but not its own, in sorted order, and returns how many; `out`
 * has near->room entries. */
typedef size_t (*pl_near_fn)(const pl_near *near, int i, int *restrict out);

struct pl_near {
  const pl_bins *bins;
  pl_near_fn find;
  size_t room; /* PL_SPARE more than the points that any particle has in the bins around it */
  pl_near_rows rows[PL_BIN_CLASSES];
  uint64_t packed[256]; /* for each set of eight points, as bits, their numbers, as bytes */
};

/* With the widest vectors of this processor, of at most so many points (1, 8, 16). */
enum { PL_NEAR_LANES = 16 };
void pl_near_open(pl_near *near, const pl_bins *g, int lanes);

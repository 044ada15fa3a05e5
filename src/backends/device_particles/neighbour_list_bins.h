/* SPDX-License-Identifier: BSD-2-Clause
 * The bins of a list.
 */
#pragma once

#include "core/particles/pair_map.h"

struct pl_nearby;

/* The domain, the box that holds all records, and its bins. */
typedef struct pl_list_bins {
  int bins[4], all;   /* all: bins of particles and bins of ghosts */
  int here;           /* particles, with copies of other ranks' */
  double reach, over; /* over: how far from the domain ghosts are */
  double box[PL_PAIR_NUMBERS];
} pl_list_bins;

/* For the particles of the map, `here` of them with copies of other ranks'; near: these copies, or NULL. */
pl_list_bins pl_list_bins_choose(pl_map *map, const struct pl_nearby *near, int here);
/* For the rounding of positions in the box to single precision. */
double pl_list_single_margin(const pl_pairs *pairs, const pl_list_bins *b);

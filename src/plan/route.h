/* SPDX-License-Identifier: BSD-2-Clause
 * Routes: how rows of a set go to other ranks, and where those that come belong. Rows travel in pieces, so
 * that besides what is here and what will be here nobody holds more than a few megabytes.
 */
#ifndef PLAIT_PLAN_ROUTE_H
#define PLAIT_PLAN_ROUTE_H

#include "scratch.h"

/* Rows order[0 .. n) go, rank by rank: count[r] of them to rank r; NULL: rows 0 .. n - 1. Of those that come,
 * rank by rank, number i becomes row place[i]; NULL: row i. */
typedef struct pl_route {
  int64_t n, ncome;
  int64_t *count, *came_count;
  int *order, *place;
} pl_route;

/* The counts of what comes, from those of what goes. Collective. */
pl_err pl_route_tell(pl_context *pl, pl_route *route);

/* Rows of `stride` bytes; result[] has room for ncome of them. Collective. */
pl_err pl_route_carry(pl_context *pl, const pl_route *route, size_t stride, const void *rows, void *result);

/* Rows of a ragged map: row i holds far[offset[i] .. offset[i + 1]). *came_offset (pl_free) and *came
 * (pl_free_array) are those that will be here. Errors: PL_ERR_RANGE for more entries than an int counts.
 * Collective. */
pl_err pl_route_carry_ragged(pl_context *pl, const pl_route *route, const int *offset, const int64_t *far,
                             int **came_offset, int64_t **came);

#endif

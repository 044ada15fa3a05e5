/* SPDX-License-Identifier: BSD-2-Clause
 * Putting the elements of sets into another order in storage. Users do not notice: every dat, map and subset
 * follows, and the sets' views and global indices (core/objects.h) lead back to the order that they know.
 */
#ifndef PLAIT_PLAN_REORDER_H
#define PLAIT_PLAN_REORDER_H

#include "core/loop.h"

/* A new order of a set: element order[i] becomes element i. A permutation that keeps each part of the set
 * (core, owned, exec, nonexec) to itself. */
typedef struct pl_order {
  pl_set *set; /* not a subset */
  const int *order;
} pl_order;

/* Applies `n` orders of different sets at once. Dats are brought home first where only a device has them;
 * plans on the sets are dropped, and loops are prepared anew when they run next. A call that fails changes
 * nothing that users could see. Errors: PL_ERR_STATE if a host view of a dat on one of the sets is open,
 * PL_ERR_MEMORY. Local. */
pl_err pl_reorder(pl_context *pl, int n, const pl_order *orders);

/* Whether an order is such a permutation; on false `why` (may be NULL) says what is wrong. */
bool pl_order_is_valid(const pl_order *order, char *why, size_t size);

/* Whether the view and the global indices of a set, or the members of a subset, are as core/objects.h says.
 */
bool pl_set_is_valid(const pl_set *set, char *why, size_t size);

#endif

/* SPDX-License-Identifier: BSD-2-Clause
 * Permuting the storage of sets. Every dat, map and subset is permuted too, and the user order and global
 * indices of the sets (core/mesh/set.h) are updated, so that users see no difference.
 */
#pragma once

#include <stdbool.h>
#include "plait.h"

/* A new order of a set: element order[i] becomes element i. A permutation within each range of the set (core,
 * owned, exec, nonexec). */
typedef struct pl_order {
  pl_set *set; /* not a subset */
  const int *order;
} pl_order;

/* Applies `n` orders of different sets at once, on the host. Plans on the sets are dropped, and loops are
 * prepared again before they run. After an error users see no change. Errors: PL_ERR_STATE if a host view of
 * a dat on one of the sets is open, PL_ERR_MEMORY. Local. */
pl_err pl_reorder(pl_context *pl, int n, const pl_order *orders);

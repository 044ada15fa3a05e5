/* SPDX-License-Identifier: BSD-2-Clause
 * Order propagation: from the order of one set to orders of all sets that maps connect to it.
 */
#pragma once

#include "plan/base/arena.h"

/* New orders of connected sets. Invariant: order[i] is an order of set[i] (permute_storage.h), inverse[i] its
 * inverse; set[0] is the base. */
typedef struct pl_set_orders {
  pl_arena arena; /* of all arrays */
  int n;
  pl_set **set;
  int **order, **inverse;
} pl_set_orders;

/* Derives the orders of all sets that maps connect to the base from its order, an array of the arena:
 * elements with a map to a set that has an order are sorted by their greatest, then least target; targets of
 * a set that has one are sorted by first touch. */
pl_err pl_orders_propagate(pl_set *base, int *order, pl_set_orders *orders);
pl_err pl_orders_apply(pl_set_orders *orders);

/* How scattered the targets of neighbouring elements are, from samples: the share of targets in a
 * neighbourhood of their own, from about 0 (local) to 1 (random); with `orders` (may be NULL), after they are
 * applied. 0 for sets so small that it does not matter. */
double pl_map_scatter(const pl_map *map, const pl_set_orders *orders);

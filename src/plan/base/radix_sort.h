/* SPDX-License-Identifier: BSD-2-Clause
 * Sorting on the host, for renumbering and partitioning. The keyed sorts are stable; the result does not
 * depend on the number of threads.
 */
#pragma once

#include <stdint.h>
#include "plait.h"

typedef struct pl_keyed {
  uint64_t key;
  int value;
} pl_keyed;

/* Radix sort of n items by key; *sorted is `items` or `scratch` (n items each). */
pl_err pl_sort_keyed(pl_context *pl, int n, pl_keyed *items, pl_keyed *scratch, pl_keyed **sorted);

/* Counting sort: to[] gets from[0..n) (NULL: 0, 1, ...) by ascending key[from[i]], keys in [0, nkeys). */
pl_err pl_sort_counting(pl_context *pl, int n, const int *from, int nkeys, const int *key, int *to);

void pl_sort_ints(int n, int *list);

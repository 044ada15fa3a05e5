/* SPDX-License-Identifier: BSD-2-Clause
 * Sorting and prefix sums on the host. The keyed sorts are stable; the result does not
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

/* Replaces n counts by the sums of those before them; returns the sum of all. */
int pl_sum_counts(int n, int *count);

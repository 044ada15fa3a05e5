/* SPDX-License-Identifier: BSD-2-Clause
 * Median: of n values, which are sorted by it; of an even number the mean of the two in the middle, of none
 * 0.
 */
#ifndef APPS_COMMON_MEDIAN_H
#define APPS_COMMON_MEDIAN_H

#include <stdint.h>
#include <stdlib.h>

static inline int median_order(const void *left, const void *right)
{
  const double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

static inline double median(double *value, int64_t n)
{
  qsort(value, (size_t)n, sizeof *value, median_order);
  return n ? 0.5 * (value[(n - 1) / 2] + value[n / 2]) : 0.0;
}

#endif

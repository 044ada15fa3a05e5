/* SPDX-License-Identifier: BSD-2-Clause
 * Access to an array of float or double.
 */
#pragma once

#include "plait.h"

/* Value k of an array of PL_FLOAT or PL_DOUBLE. */
static inline double pl_real_at(pl_type type, const void *values, size_t k)
{
  return type == PL_DOUBLE ? ((const double *)values)[k] : (double)((const float *)values)[k];
}

static inline void pl_real_store(pl_type type, void *values, size_t k, double value)
{
  if (type == PL_DOUBLE)
    ((double *)values)[k] = value;
  else
    ((float *)values)[k] = (float)value;
}

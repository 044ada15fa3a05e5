/* SPDX-License-Identifier: BSD-2-Clause
 * Partition: a program's option that says which rank gets which elements.
 */
#ifndef APPS_COMMON_PARTITION_H
#define APPS_COMMON_PARTITION_H

#include <string.h>

#include "plait.h"

/* For OPTION_CHOICE. */
#define PARTITION_METHODS "block|random|bisection|curve|kway|scotch"

/* Moves the set's elements by the method of that name; does nothing on one rank. */
static inline pl_err partition_by_name(pl_set *set, const char *name, const pl_partition_options *options)
{
  static const struct {
    const char *name;
    pl_partition_method method;
  } methods[] = {{"block", PL_PARTITION_BLOCK},         {"random", PL_PARTITION_RANDOM},
                 {"bisection", PL_PARTITION_BISECTION}, {"curve", PL_PARTITION_CURVE},
                 {"kway", PL_PARTITION_KWAY},           {"scotch", PL_PARTITION_SCOTCH}};
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
    if (strcmp(name, methods[i].name) == 0) return pl_partition(set, methods[i].method, options);
  return PL_SUCCESS;
}

#endif

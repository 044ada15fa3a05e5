/* SPDX-License-Identifier: BSD-2-Clause
 * Partitions by coordinates: of the elements themselves, or the mean of their targets'.
 */
#pragma once

#include "plait.h"

/* New ranks of a set's owned elements by the methods BISECTION and CURVE; the second function checks the
 * options before anything changes (local). */
pl_err pl_partition_by_coordinates(pl_set *set, pl_partition_method method,
                                   const pl_partition_options *options, int *rank);
pl_err pl_partition_check_coordinates(pl_set *set, const pl_partition_options *options);

/* PL_ERR_ARG or PL_ERR_TYPE for a dat that cannot be the coordinates of a call. Local. */
pl_err pl_coordinates_check(pl_context *pl, const pl_dat *coords);

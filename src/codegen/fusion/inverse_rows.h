/* SPDX-License-Identifier: BSD-2-Clause
 * The inverse of the one map through which a loop increments a dat, in rows of equal length: with it the loop
 * can be inlined into the loop that reads the dat (fuse_gather.c).
 */
#pragma once

#include <stdbool.h>
#include "fusion_cache.h"

enum { PL_SIDE_BITS = 4 }; /* of an entry, in the dat of sides */

/* False if the loop does anything but increment the dat through one map. */
bool pl_increment_map_find(const pl_loop *loop, const pl_dat *dat, pl_increment_map *a);

/* The rows of a loop; degree 0 if no element is incremented, -1 if one is incremented too often. `only_full`:
 * no rows are made unless few of them are shorter; then `full` is false. */
pl_err pl_inverse_rows_build(pl_context *pl, const pl_loop *loop, const pl_increment_map *a, bool only_full,
                             pl_inverse_rows **result);

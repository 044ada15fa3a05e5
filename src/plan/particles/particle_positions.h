/* SPDX-License-Identifier: BSD-2-Clause
 * Positions of the particles of a pair map: coordinates axis by axis, wrapped into the box.
 */
#pragma once

#include <stdbool.h>
#include "neighbour_list.h"

/* Wrapped coordinates of the first n particles in storage, whose positions are x; *moved: some differ from x.
 * Needs pl, pool, dim and threads. Errors: PL_ERR_RANGE for an invalid position. */
pl_err pl_positions_get(const pl_map *map, pl_positions *p, const void *x, int n, bool *moved);
/* Stores the wrapped coordinates in the positions x of `dat`. */
void pl_positions_wrap(pl_dat *dat, void *x, const pl_positions *p);
void pl_positions_free(pl_positions *p);

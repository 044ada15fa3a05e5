/* SPDX-License-Identifier: BSD-2-Clause
 * Adding and removing particles, on any number of ranks and in any storage order: the others keep their user
 * order, and new ones follow.
 */
#pragma once

#include <stdbool.h>
#include "plait.h"

/* Before elements are added or removed: runs recorded loops, checks the set (pl_set_check_variable),
 * distributes it, and brings particles to the ranks of their cells. Collective. */
pl_err pl_elements_prepare(pl_set *set, const char *caller);

/* Adds n elements on this rank, the last ones in user order, with global indices behind all others. `cells`:
 * entries of the map to the cells, in user order, if there is one. Dats without values are zero. Collective.
 */
pl_err pl_elements_add(pl_set *set, int64_t n, const int *cells, int nvalues, const pl_values *values);

/* Keeps the elements whose `flag` (one integer) is not zero, in their order. Collective. */
pl_err pl_elements_keep(pl_set *set, pl_dat *flag);

/* On one rank: keeps the particles whose `flag` is not zero, and their entries of the map to their cells.
 * `order` (int32 on the set) is overwritten. */
pl_err pl_particles_keep(pl_set *set, pl_dat *flag, pl_dat *order);

/* On several ranks: particles migrate to the ranks of their cells, and the halo becomes empty; `drop`: those
 * without a cell are removed. *migrated: some particle changed its rank. Collective. */
pl_err pl_particles_to_cell_owners(pl_map *where, bool drop, bool *migrated);

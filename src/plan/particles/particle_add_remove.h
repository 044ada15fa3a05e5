/* SPDX-License-Identifier: BSD-2-Clause
 * Adding and removing particles, on any number of ranks and in any storage order: the others keep their user
 * order, and new ones follow.
 */
#ifndef PLAIT_PLAN_PARTICLES_PARTICLE_ADD_REMOVE_H
#define PLAIT_PLAN_PARTICLES_PARTICLE_ADD_REMOVE_H

#include <stdbool.h>
#include "plait.h"

/* On one rank: keeps the particles whose `flag` is not zero, and their entries of the map to their cells.
 * `order` (int32 on the set) is overwritten. */
pl_err pl_particles_keep(pl_set *set, pl_dat *flag, pl_dat *order);

/* On several ranks: particles migrate to the ranks of their cells, and the halo becomes empty; `drop`: those
 * without a cell are removed. *migrated: some particle changed its rank. Collective. */
pl_err pl_particles_to_cell_owners(pl_map *where, bool drop, bool *migrated);

#endif

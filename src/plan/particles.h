/* SPDX-License-Identifier: BSD-2-Clause
 * Particles that come and go, on any number of ranks, whatever order they are stored in: those that stay keep
 * their order in host views, new ones come last.
 */
#ifndef PLAIT_PLAN_PARTICLES_H
#define PLAIT_PLAN_PARTICLES_H

#include "core/objects.h"

/* On one rank: keeps the particles whose `flag` is not zero, with their entries in the map to their cells.
 * `order` (int32, of the same set) is scratch. */
pl_err pl_particles_keep(pl_set *set, pl_dat *flag, pl_dat *order);

/* On several ranks: particles go to the ranks of their cells, after which no copies of others' are left;
 * `drop`: those without a cell go for ever. *travelled: some particle changed its rank. Collective. */
pl_err pl_particles_home(pl_map *where, bool drop, bool *travelled);

#endif

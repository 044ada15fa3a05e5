/* SPDX-License-Identifier: BSD-2-Clause
 * Migration of particles: elements of a set that change ranks while the program runs. They keep their global
 * indices and the values of all dats; the halo is dropped, and built again by pl_ghosts_make. Such a set has
 * no subsets, and no maps but pair maps and one map to cells.
 */
#pragma once

#include "core/exchange/halo.h"
#include "plan/base/arena.h"

/* Owned elements that leave this rank. */
typedef struct pl_migrants {
  int64_t *count;         /* sent to each rank */
  const int *index;       /* their storage indices, by rank */
  int nremoved, *removed; /* storage indices of removed elements */
} pl_migrants;

enum { PL_REMOVED = -1 };

/* The migrants among n elements, if element i goes to rank to[i] or is removed (PL_REMOVED). Local. */
void pl_migrants_find(pl_arena *arena, int n, const int *to, pl_migrants *migrants);

/* Declares that elements of a set migrate: fused loops and their maps are dropped, and chains build none for
 * it from now on. The queue must be empty. */
void pl_migration_enable(pl_set *set);

/* Migrates owned elements of a distributed set. Others keep their storage indices, but the last ones fill the
 * holes. `map` (or NULL), from the set, migrates too: the targets of a migrant must belong to its new rank.
 * Indices are sent through MPI, values like halos, between devices. Collective. */
pl_err pl_particles_migrate(pl_set *set, const pl_migrants *migrants, pl_map *map);

/* The map of arity 1 from a set's particles to their cells; NULL if there is none. */
pl_map *pl_migration_cell_map(const pl_set *set);

/* Reserves storage for n elements on this rank; if it grows on any rank, loops are prepared again on all.
 * Collective. */
pl_err pl_migration_reserve(pl_set *set, int64_t n);

/* Reserves global indices and user order for n elements of a set that has them, and keeps their values.
 * Local. */
pl_err pl_migration_reserve_indices(pl_set *set, int n);

/* Sets the new sizes, owned and with halo, and takes over the halo; global indices and user order are set
 * already. Local. */
void pl_migration_commit(pl_set *set, pl_halo **halo, int owned, int total);

/* Composes the maps that begin with `inner` (or NULL) again, from the rows of this rank's cells. Collective.
 */
pl_err pl_migration_compose(const pl_map *inner);

/* Updates the global size of a set after elements were removed. Collective. */
pl_err pl_migration_recount(pl_set *set);

/* Builds the halo of a migrated set: count[r] elements are copied to rank r; send[]: their storage indices,
 * rank by rank. The host has its lists after pl_ghosts_complete, until which send[] must stay. Collective. */
pl_err pl_ghosts_make(pl_set *set, const int64_t *count, const int *send);

/* Completes the host's lists of a halo, unless they are complete. Local. */
void pl_ghosts_complete(pl_set *set);

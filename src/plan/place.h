/* SPDX-License-Identifier: BSD-2-Clause
 * Sets on several ranks. A set is in one of two states:
 *  - loose: each rank holds rows of owned elements in the order of their global indices (`global`, or `first`
 * + row), maps hold global indices (`far`), there are no halos. So it is declared, and so it migrates;
 *  - placed: elements are stored as core, owned boundary, exec halo, nonexec halo; maps hold places in
 * storage; the lists of what is exchanged stand (core/halo.h). So loops run on it. Maps tie sets together:
 * all sets that maps connect change state together.
 */
#ifndef PLAIT_PLAN_PLACE_H
#define PLAIT_PLAN_PLACE_H

#include "core/directory.h"
#include "core/halo.h"
#include "scratch.h"

/* Places every set that is loose, with the sets that maps connect to it. A no-op where all are placed, and on
 * one rank. Collective. */
pl_err pl_place(pl_context *pl);

/* Gives maps that reach at most half of their ends' halos lists of their own (map->halo). Collective. */
pl_err pl_halo_partial(pl_context *pl);

/* Makes a placed set and all that maps connect to it loose. Errors: PL_ERR_STATE if a host view is open.
 * Collective. */
pl_err pl_loosen(pl_set *set);

/* Takes each loose set of a group to new owners: rank[s][i] is the rank that element i of set s goes to, in
 * the order of rows. Sets, dats, subsets and maps go with them. Collective. */
typedef struct pl_move {
  pl_set *set;
  const int *rank;
} pl_move;
pl_err pl_migrate(pl_context *pl, int n, const pl_move *moves);

/* For an error in the middle of moving the sets that are marked: they are empty from then on, and ranks part
 * (pl_comm_leave). Returns `err`. Local, on all ranks. */
pl_err pl_wreck(pl_context *pl, pl_err err);

/* The global index of row i of a loose set. */
static inline int64_t pl_loose_id(const pl_set *set, int i)
{
  return set->global ? set->global[i] : set->first + i;
}

/* And the row of a global index; -1: this rank does not own it. */
static inline int64_t pl_loose_row(const pl_set *set, int64_t id)
{
  int64_t n = set->part[1], row = set->global ? pl_find_ascending(set->global, n, id) : id - set->first;
  return row < n ? row : -1;
}

#endif

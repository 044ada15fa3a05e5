/* SPDX-License-Identifier: BSD-2-Clause
 * Sets on several ranks. A set is in one of two states:
 *  - undistributed: each rank holds rows of owned elements, ascending by global index (`global`, or `first` +
 *    row), maps hold global indices (`global_index`), there are no halos. Sets are declared and migrate so;
 *  - distributed: elements are stored as core, owned boundary, exec halo, nonexec halo; maps hold storage
 *    indices; the halo lists exist (core/exchange/halo.h). Loops need this state.
 * All sets that maps connect change state together.
 */
#pragma once

#include "core/mesh/owner_directory.h"
#include "core/mesh/set.h"

/* Distributes every undistributed set and the sets that maps connect to it. Does nothing if there is none, or
 * on one rank. Collective. */
pl_err pl_distribute(pl_context *pl);

/* After an error while the marked sets were being distributed or migrated: they become empty, and the ranks
 * stop communicating (pl_comm_leave). Returns `err`. Local, on all ranks. */
pl_err pl_distribution_abandon(pl_context *pl, pl_err err);

/* The global index of row i of an undistributed set. */
static inline int64_t pl_undistributed_id(const pl_set *set, int i)
{
  return set->global ? set->global[i] : set->first + i;
}

/* The row of a global index; -1: another rank owns it. */
static inline int64_t pl_undistributed_row(const pl_set *set, int64_t id)
{
  int64_t n = set->end[1], row = set->global ? pl_find_ascending(set->global, n, id) : id - set->first;
  return row < n ? row : -1;
}

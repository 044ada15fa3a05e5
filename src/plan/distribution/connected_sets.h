/* SPDX-License-Identifier: BSD-2-Clause
 * Sets that maps connect are distributed and undistributed together: marking them, and the steps that both
 * directions share. All functions are local.
 */
#pragma once

#include <stdbool.h>
#include "plan/base/object_lists.h"

void pl_marks_clear(pl_context *pl);
/* Marks all sets that maps connect to a marked one; `stored`: only maps with storage indices. */
void pl_marks_spread(pl_context *pl, bool stored);

/* PL_ERR_STATE if a host view of a dat on a marked set is open. */
pl_err pl_marked_check_views(pl_context *pl);

/* Frees everything derived from the storage order of a set or map: plans, device copies, arrays for users. */
void pl_set_drop_derived(pl_set *set);
void pl_map_drop_derived(pl_map *map);

/* Moves the values of a dat to the host and frees its device copy. */
pl_err pl_dat_move_to_host(pl_dat *dat);

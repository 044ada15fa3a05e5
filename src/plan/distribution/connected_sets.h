/* SPDX-License-Identifier: BSD-2-Clause
 * Sets that maps connect are distributed and undistributed together: marking them, and the steps that both
 * directions share. All functions are local.
 */
#pragma once

#include <stdbool.h>
#include "core/data/objects.h"

void pl_marks_clear(pl_context *pl);
/* Marks all sets that maps connect to a marked one; `stored`: only maps with storage indices. */
void pl_marks_spread(pl_context *pl, bool stored);

/* PL_ERR_STATE if a host view of a dat on a marked set is open. */
pl_err pl_marked_check_views(pl_context *pl);

/* Frees everything derived from the storage order of a set or subset: plans, device copies, arrays for users.
 */
void pl_set_drop_derived(pl_set *set);

/* Replace the arrays of a set or map, which own them then, and drop everything derived from the old ones. A
 * map has `index` or `global_index`; its present `offset` may be given again. */
void pl_set_replace(pl_set *set, int64_t *global, int *user_order, struct pl_halo *halo, const int end[4]);
void pl_map_replace(pl_map *map, int *offset, int *index, int64_t *global_index);

/* Moves the values of a dat to the host and frees its device copy. */
pl_err pl_dat_move_to_host(pl_dat *dat);

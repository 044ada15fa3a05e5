/* SPDX-License-Identifier: BSD-2-Clause
 * Elements that come, go and change places in sets that maps of any kind lead from or to. All values pass
 * through the host, and rows are stored in user order afterwards; on several ranks the connected sets are
 * distributed again.
 */
#pragma once

#include "plait.h"
#include <stdbool.h>

/* Before an edit: runs recorded loops and checks the set. Collective. */
pl_err pl_edit_begin(pl_set *set, const char *caller);

/* Keeps the elements whose `flag` (one integer) is not zero, in their order. PL_ERR_STATE, and no change, if
 * a map leads to another one. Collective. */
pl_err pl_edit_keep(pl_set *set, pl_dat *flag, const char *caller);

/* Adds n zero elements on this rank, the last ones in user order; their rows of maps are -1. Collective. */
pl_err pl_edit_add(pl_set *set, int64_t n, const char *caller);

/* Moves the element at position order[i] to position i, with its rows of maps; maps to it follow. Collective.
 */
pl_err pl_edit_reorder(pl_set *set, pl_dat *order, const char *caller);

/* SPDX-License-Identifier: BSD-2-Clause
 * Resizing of sets with all their dats.
 */
#pragma once

#include "plait.h"

/* A map from or to the set other than pair maps, `but` (may be NULL) and its compositions; or NULL. Local. */
const pl_map *pl_set_other_map(const pl_set *set, const pl_map *but);

/* PL_ERR_STATE for subsets, sets declared with a halo, sets with subsets, and open views; the second one also
 * if there is a pl_set_other_map. Local. */
pl_err pl_set_check_free(const pl_set *set, const char *caller);
pl_err pl_set_check_variable(const pl_set *set, const pl_map *but, const char *caller);

/* PL_ERR_RANGE unless a set may have n elements. */
pl_err pl_set_check_size(const pl_set *set, int64_t n, const char *caller);

/* Storage for `room` elements, at least as many as now. Loops are prepared again. */
pl_err pl_set_grow(pl_set *set, int room);

/* Allocates storage for n elements, and more if it grows. */
pl_err pl_set_make_room(pl_set *set, int64_t n);

/* pl_order_apply for all dats of a set but one (or NULL). */
pl_err pl_set_apply(pl_set *set, pl_dat *order, int n, const pl_dat *but);

/* pl_align for all dats of a set. Collective. */
pl_err pl_set_align(pl_set *set, pl_dat *order);

/* Changes the size of a set on one rank without a user order. */
pl_err pl_set_resize_storage(pl_set *set, int n);

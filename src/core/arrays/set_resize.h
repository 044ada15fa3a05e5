/* SPDX-License-Identifier: BSD-2-Clause
 * Resizing of sets with all their dats.
 */
#ifndef PLAIT_CORE_ARRAYS_SET_RESIZE_H
#define PLAIT_CORE_ARRAYS_SET_RESIZE_H

#include "plait.h"

/* Allocates storage for n elements, and more if it grows. */
pl_err pl_set_make_room(pl_set *set, int64_t n);

/* Zeroes elements begin to end - 1 in the valid copies. */
pl_err pl_dat_zero_elements(pl_dat *dat, int begin, int end);

/* pl_order_apply for all dats of a set but one (or NULL). */
pl_err pl_set_apply(pl_set *set, pl_dat *order, int n, const pl_dat *but);

/* pl_set_resize without checks. */
pl_err pl_set_resize_storage(pl_set *set, int n);

#endif

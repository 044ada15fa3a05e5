/* SPDX-License-Identifier: BSD-2-Clause
 * Orders: permutations of a set's elements, stored as int dats; created by sort and select, applied by
 * gather.
 */
#pragma once

#include "plait.h"

/* Allocates second storage in a dat's layout, on the device if there is one, in *copy, which is no object and
 * NULL at first: dat->spare. */
pl_err pl_dat_new_like(const pl_dat *dat, pl_dat **copy);

/* Permutes dats: element i becomes the former element order[i] for i < n; the rest is undefined. The order
 * may be among the dats. Nothing is checked. */
pl_err pl_order_apply(pl_dat *order, int n, int ndats, pl_dat *const *dats);

/* Fails unless pl_select accepts the flag. */
pl_err pl_flag_check(pl_dat *flag, const char *what);

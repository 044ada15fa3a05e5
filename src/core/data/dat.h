/* SPDX-License-Identifier: BSD-2-Clause
 * Dats: values on the elements of a set.
 */
#pragma once

#include "core/storage/dat_object.h"

void pl_dat_destroy(pl_node *dat);

/* PL_ERR_TYPE unless the dats have the same set and dim. */
pl_err pl_dat_check_like(const char *what, const pl_dat *a, const pl_dat *b);
/* PL_ERR_ARG unless `subset` is the dat's set or a subset of it. */
pl_err pl_dat_check_subset(const char *what, const pl_dat *dat, const pl_set *subset);

/* An internal dat of one value an element. Local. */
pl_err pl_dat_new(pl_set *set, pl_type type, const char *name, pl_dat **dat);

/* Zeroes a dat at once, without a new version. */
pl_err pl_dat_zero_now(pl_dat *dat);

/* pl_dat_zero at once that stores nothing: memory is zeroed when a copy is needed, if no loop stores its sums
 * before (pl_dat_is_zero). For dats that are on devices on all ranks. Collective. */
pl_err pl_dat_zero_later(pl_dat *dat);

/* PL_ERR_STATE if any host view, a writable one, or one that forbids the access is open; `what` begins the
 * sentence. */
pl_err pl_dat_check_no_views(const pl_dat *dat, const char *what);
pl_err pl_dat_check_no_writer(const pl_dat *dat, const char *what);
bool pl_dat_view_blocks(const pl_dat *dat, bool writes);

/* SPDX-License-Identifier: BSD-2-Clause
 * Subsets that the library makes.
 */
#pragma once

#include "set.h"

/* Creates a subset of indices in storage order, which it takes over (pl_malloc), also if it fails. Local. */
pl_err pl_subset_new(pl_set *base, const int end[4], int *indices, const char *name, pl_set **subset);

/* SPDX-License-Identifier: BSD-2-Clause
 * Row numbers of elements.
 */
#pragma once

#include "plait.h"

/* The row of each owned element in user order (pl_free_array): its place among the global indices of all
 * elements, without gaps where elements were removed. Collective. */
pl_err pl_row_numbers(const pl_set *set, int64_t **rows);

/* How many rows there are over all ranks. Local. */
int64_t pl_row_count(const pl_set *set);

/* SPDX-License-Identifier: BSD-2-Clause
 * Elements and columns in the order of global indices, which no numbering and no distribution changes.
 */
#pragma once

#include "pattern.h"

/* The first n elements of a set in storage by ascending global index (pl_free it). Local. */
pl_err pl_global_order(const pl_set *set, int n, int **element);

/* Whether the columns of all rows have ascending global indices. */
bool pl_pattern_ascends(const pl_pattern *pattern, const pl_set *columns);

/* slot[]: the slots of each row, its columns by ascending global index. Local. */
pl_err pl_pattern_order(const pl_pattern *pattern, const pl_set *columns, int *slot);

/* SPDX-License-Identifier: BSD-2-Clause
 * Migration: undistributed sets get new owners, with their dats, subsets and maps.
 */
#pragma once

#include "distribute.h"

/* Row i of the set goes to rank[i] (pl_malloc_array). */
typedef struct pl_set_migration {
  pl_set *set;
  int *rank;
} pl_set_migration;

/* Migrates n undistributed sets; frees the ranks, those of each set before its rows move. Collective. */
pl_err pl_migrate(pl_context *pl, int n, pl_set_migration *moves);

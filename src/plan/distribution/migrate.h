/* SPDX-License-Identifier: BSD-2-Clause
 * Migration: undistributed sets get new owners, with their dats, subsets and maps.
 */
#pragma once

#include "distribute.h"

/* Row i of the set goes to rank[i]. */
typedef struct pl_set_migration {
  pl_set *set;
  const int *rank;
} pl_set_migration;

/* Migrates n undistributed sets. Collective. */
pl_err pl_migrate(pl_context *pl, int n, const pl_set_migration *moves);

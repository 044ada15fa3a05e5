/* SPDX-License-Identifier: BSD-2-Clause
 * Plan requests: checking them, their canonical form, and building them from loops.
 */
#pragma once

#include "plan/blocks/plan.h"

/* The indirect writes of a loop as conflicts: args of one dat form one group; identical groups are merged so
 * that loops over different dats share plans. `reach` has room for loop->nargs. Returns the number of them.
 */
int pl_plan_conflicts(const pl_loop *loop, pl_reach *reach);

/* PL_ERR_RANGE, PL_ERR_ARG or PL_ERR_STATE, with a message, for an invalid request. */
pl_err pl_request_check(pl_context *pl, const pl_plan_request *request);

/* Bring conflicts on elements of `from`, or staging lists, to canonical form in place; return how many are
 * left. Canonical: groups are numbered 0, 1, ... in order of the list, each with all its reaches on one
 * target set, none contained in another. */
int pl_canonical_conflicts(pl_set *from, int n, pl_reach *reach);
int pl_canonical_stages(int n, pl_reach *reach);

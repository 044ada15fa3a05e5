/* SPDX-License-Identifier: BSD-2-Clause
 * Verifiers: whether a plan or thread partition satisfies its invariants for the request as it was made.
 */
#pragma once

#include <stdbool.h>
#include "thread_partition.h"

/* Whether the invariants of plan.h and thread_partition.h hold; if not, `why` (may be NULL) names the
 * violated one, or is PL_PLAN_UNCHECKED. Local, O(size). */
#define PL_PLAN_UNCHECKED "cannot be checked: out of memory"
bool pl_plan_is_valid(const pl_plan_request *request, const pl_plan *plan, char *why, size_t size);
bool pl_thread_partition_is_valid(const pl_plan_request *request, const pl_thread_partition *partition,
                                  char *why, size_t size);

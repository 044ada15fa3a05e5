/* SPDX-License-Identifier: BSD-2-Clause
 * Staging lists: for each block the sorted distinct targets of a map entry (or of the whole map), and for
 * each map entry its index in that list.
 */
#pragma once

#include "plan.h"

/* The staging list of a map entry or PL_ALL; NULL if it was not requested. */
const pl_staging *pl_plan_staging(const pl_plan *plan, const pl_map *map, int index);

pl_err pl_stage(pl_context *pl, const pl_plan_request *request, pl_plan *plan);
void pl_stage_free(pl_context *pl, pl_plan *plan);

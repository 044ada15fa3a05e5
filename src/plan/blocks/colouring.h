/* SPDX-License-Identifier: BSD-2-Clause
 * Colouring of blocks, and of the elements inside each block.
 */
#pragma once

#include "plan.h"

/* Fill in a plan whose range and block size are set. After an error the caller frees the plan. */
pl_err pl_colour_blocks(pl_context *pl, const pl_plan_request *request, pl_plan *plan);
pl_err pl_colour_elements(pl_context *pl, const pl_plan_request *request, pl_plan *plan);

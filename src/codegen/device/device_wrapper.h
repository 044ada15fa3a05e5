/* SPDX-License-Identifier: BSD-2-Clause
 * Device wrappers: one element a work item. The parts of conflict strategies are in gather_by_target.h and
 * block_staging.h, those of reductions in device_reduction.h.
 */
#pragma once

#include "codegen/text/template.h"

void pl_print_atomics(const pl_body *b);         /* functions, as far as the loop needs them */
void pl_print_device_elements(const pl_body *b); /* pl_run, and the kernels behind it */

/* SPDX-License-Identifier: BSD-2-Clause
 * Reads a program's kernels: names, parameters, and use of barriers.
 */
#pragma once

#include "program_source.h"
#include "plait.h"

/* Reads program->task from the source. Errors: PL_ERR_KERNEL with the line. */
pl_err pl_tasks_read(pl_program *program, const pl_target *target);

/* SPDX-License-Identifier: BSD-2-Clause
 * Reads a program's kernels: names, parameters, and use of barriers.
 */
#ifndef PLAIT_CODEGEN_PROGRAM_PROGRAM_PARSE_H
#define PLAIT_CODEGEN_PROGRAM_PROGRAM_PARSE_H

#include "program_source.h"
#include "plait.h"

/* Reads program->task from the source. Errors: PL_ERR_KERNEL with the line. */
pl_err pl_tasks_read(pl_program *program, const pl_target *target);

#endif

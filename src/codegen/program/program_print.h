/* SPDX-License-Identifier: BSD-2-Clause
 * Prints a device program for a target.
 */
#pragma once

#include "program_source.h"
#include "core/context/string_builder.h"

/* On the host the text ends with an entry point for each kernel, pl_task_NAME:
 *   void pl_task_NAME(const pl_group *group, int begin, int end)
 * runs groups begin..end-1; of a kernel with barriers, work item begin of group end. */
pl_err pl_program_print(const pl_program *program, const pl_target *target, pl_string *text);

/* SPDX-License-Identifier: BSD-2-Clause
 * The prelude of a device program: its common words in the target's language, vector types with operators,
 * and float mathematics.
 */
#pragma once

#include "program_source.h"
#include "core/context/string_builder.h"

/* Vector types and functions are printed only if the program mentions their names. */
void pl_prelude_print(const pl_program *program, const pl_target *target, pl_string *text);

/* SPDX-License-Identifier: BSD-2-Clause
 * Names of C that a target's language lacks or reserves.
 */
#pragma once

/* Which texts need the lines of a name: those that contain it, define a function of that name, or call it. */
typedef enum pl_name_use { PL_NAME_CONTAINED, PL_NAME_DEFINED, PL_NAME_CALLED } pl_name_use;

/* Lines printed before such a text. */
typedef struct pl_target_name {
  const char *name;
  const char *lines;
  const char *real; /* math.h functions: instead, if the text has floats of pl_real; or NULL */
  pl_name_use use;
} pl_target_name;

/* Ended by a row without a name. */
extern const pl_target_name pl_names_host[], pl_names_cuda[], pl_names_opencl[];

/* The same for kernels in C++. */
extern const pl_target_name pl_cpp_names_cuda[];

/* The same for device programs. */
extern const pl_target_name pl_program_names_host[], pl_program_names_cuda[], pl_program_names_opencl[];

/* Lines needed before those of math.h functions, and before their variants for pl_real. */
typedef struct pl_math_words {
  const char *lines, *real;
} pl_math_words;

extern const pl_math_words pl_math_cuda, pl_math_opencl;

/* The lines of one name; "" if it has none. */
const char *pl_name_lines(const pl_target_name *names, const char *name);

/* SPDX-License-Identifier: BSD-2-Clause
 * Names that C gives to a kernel and a target's language does not, or takes for itself.
 */
#ifndef PLAIT_CODEGEN_NAMES_H
#define PLAIT_CODEGEN_NAMES_H

#include <stdbool.h>

/* Lines that stand before a text in which the name occurs. */
typedef struct pl_target_name {
  const char *name;
  const char *lines;
  const char
    *real;      /* of a function of math.h, instead: where floats are to be worked with as such; or NULL */
  bool defined; /* only if the text has a function of that name */
} pl_target_name;

/* Ended by a row without a name. */
extern const pl_target_name pl_names_host[], pl_names_cuda[], pl_names_opencl[];

/* What the lines of functions of math.h need before them, and what the others need more. */
typedef struct pl_math_words {
  const char *lines, *real;
} pl_math_words;

extern const pl_math_words pl_math_cuda, pl_math_opencl;

/* The lines of one name; "" if it has none. */
const char *pl_name_lines(const pl_target_name *names, const char *name);

#endif

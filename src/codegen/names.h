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
  bool defined; /* only if the text has a function of that name */
} pl_target_name;

/* Ended by a row without a name. */
extern const pl_target_name pl_names_host[], pl_names_cuda[], pl_names_opencl[];

/* The lines of one name; "" if it has none. */
const char *pl_name_lines(const pl_target_name *names, const char *name);

#endif

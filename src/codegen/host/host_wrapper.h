/* SPDX-License-Identifier: BSD-2-Clause
 * Host wrappers: a function for a range of elements in the program's form, one for a list of elements, and
 * the entry point that chooses.
 */
#pragma once

#include "codegen/text/template.h"

void pl_print_host_elements(const pl_body *b); /* both functions */
void pl_print_host_entry(const pl_body *b);

/* A function with the parameters of the loop; its statements are a template. */
void pl_print_host_function(const pl_body *b, const char *comment, const char *name, const char *list,
                            const char *statements, const pl_word *words);

/* Of lane loops: the number of lanes, 0 in scalar form; their macros. */
int pl_group_lanes(const pl_emitter *e);
void pl_print_lane_macros(const pl_body *b);

/* SPDX-License-Identifier: BSD-2-Clause
 * Host wrappers: a function for a range of elements in the program's form, one for a list of elements, and
 * the entry point that chooses.
 */
#pragma once

#include "codegen/element/body.h"

void pl_print_host_elements(const pl_body *b); /* both functions */
void pl_print_host_entry(const pl_emitter *e);

/* The first lines of a function, up to its statements; b stands outside its braces. */
void pl_open_host_function(const pl_body *b, const char *comment, const char *name, const char *list);

/* Of lane loops: the number of lanes, 0 in scalar form; their macros; an array PREFIX_NAME of `dim` values
 * for each lane, which starts from a value; results of lanes, declared and added to the running ones. */
int pl_group_lanes(const pl_emitter *e);
void pl_print_lane_macros(const pl_body *b);
void pl_declare_lanes(const pl_body *b, const pl_operand *op, const char *prefix, int dim, const char *value);
void pl_print_lane_results(const pl_body *b);
void pl_print_lane_fold(const pl_body *b);

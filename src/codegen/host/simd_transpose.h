/* SPDX-License-Identifier: BSD-2-Clause
 * The transposed form: whole records in, transposed in registers into lane buffers, the kernel in a lane
 * loop, transposed back, whole records out in element order. So nothing inside a lane group needs colours,
 * and results equal the scalar form's.
 */
#pragma once

#include "codegen/text/template.h"

bool pl_transposes(const pl_emitter *e);           /* the form is transposed */
bool pl_streams(const pl_emitter *e);              /* ... and writes past the caches */
int pl_transpose_lanes(const pl_emitter *e);       /* elements in a group */
void pl_print_transpose_prelude(const pl_body *b); /* vector types and moves used by the text */
pl_word pl_transpose_word(const pl_body *b, const char *name);
/* The macros of the moves of values of `size` bytes alone; a type of vectors of lanes for them. */
void pl_print_moves(pl_string *text, size_t size, int lanes);
void pl_print_lane_type(pl_string *text, pl_type type, int lanes);

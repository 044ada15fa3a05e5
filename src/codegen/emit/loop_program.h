/* SPDX-License-Identifier: BSD-2-Clause
 * A loop with its bound signature becomes the text of a program for a dialect.
 *
 * The parameters of its entry point are pl_loop_text.slot: each distinct dat and map is one, so that every
 * pointer of the text can be `restrict`. The backend hands them over in this order:
 *
 * Host:   void pl_run(int begin, int end, const int *list, void *const *args)
 *         runs elements begin..end-1, or list[begin..end-1] if list is not NULL.
 * Device: pl_run(begin, end, [of the conflict strategy,] [the list of a subset,] parameters...)
 *         one element a work item; gather: one target, and begin to end are targets. Of the strategy:
 *   colour   first, blocks, colours, element_colour
 *   stage    the same; for each list from, to, local; for each staged copy its place in local memory
 *   combine  first and blocks if coloured; from, to, row, entry
 *   gather   offset unless rows have a fixed degree; rows of entries, or of words and their stride
 *   store    an array for each dat's contributions
 * pl_sum(begin, end, offset, entry, contributions..., dats...) adds those up, one target a work item.
 * pl_finish(nblocks, from_zero, results...), one block, ends reductions: each result of the blocks is
 * followed by its global, and by the elements that hold both if it has a payload. Where the last block of
 * pl_run does that, pl_run has a counter (NULL: not now), from_zero and the globals before its parameters.
 */
#pragma once

#include <stdbool.h>
#include "codegen/loop/emitter.h"

/* Prints the program. */
pl_err pl_emit_loop(const pl_loop *loop, const pl_signature *signature, const pl_emit_options *options,
                    pl_loop_text *program);
/* Whether a parameter is the stride of argument i's dat. */
bool pl_loop_text_strides(const pl_loop_text *program, int i);
void pl_loop_text_free(pl_loop_text *program);

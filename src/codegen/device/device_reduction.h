/* SPDX-License-Identifier: BSD-2-Clause
 * Reductions on devices: the results of a block, from those of its work items, and the end, which combines
 * the results of all blocks with the globals: in the last block of pl_run itself, or in a kernel of one
 * block.
 */
#pragma once

#include "codegen/text/template.h"

pl_word pl_reduction_word(const pl_body *b, const char *name);

bool pl_any_reduction(const pl_emitter *e);
void pl_print_finish(const pl_body *b); /* the kernel pl_finish */

/* Whether a sum may start from zero in place of its global's value: bit i of pl_finish's parameter says so of
 * argument i. */
bool pl_may_start_from_zero(const pl_arg *arg, int i);

/* SPDX-License-Identifier: BSD-2-Clause
 * Reductions on devices: the results of a block, from those of its work items, and the end, which combines
 * the results of all blocks with the globals.
 */
#pragma once

#include "codegen/element/body.h"

bool pl_any_reduction(const pl_emitter *e);

void pl_declare_shared(const pl_body *b); /* arrays of the block's work items */
void pl_print_block_results(const pl_body *b);

/* The end, by the last block of pl_run itself, if the options ask for it. */
void pl_print_end(const pl_body *b);
/* The end as a kernel of one block, pl_finish. */
void pl_print_finish(const pl_body *b);

/* Whether a sum may start from zero in place of its global's value: bit i of pl_finish's parameter says so of
 * argument i. */
bool pl_may_start_from_zero(const pl_arg *arg, int i);

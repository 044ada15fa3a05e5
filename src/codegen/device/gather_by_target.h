/* SPDX-License-Identifier: BSD-2-Clause
 * Increments that are added up target by target: the contributions of elements, the sums of a target, and
 * the kernels over targets (gather, store).
 */
#pragma once

#include "codegen/text/template.h"

pl_word pl_target_word(const pl_body *b, const char *name);

bool pl_first_of_dat(const pl_emitter *e, const pl_operand *op); /* the first that increments its dat */

bool pl_operand_increments(const pl_operand *op);

/* Of an entry: the name that the element's statements have for word i; and the targets of all slots. */
const char *pl_word_name(const pl_emitter *e, const pl_reach *word, int i, char *buffer);
void pl_print_slot_targets(const pl_body *b, bool muted);

void pl_print_gather_by_target(const pl_body *b); /* the whole kernel of gather */
void pl_print_sum(const pl_body *b);              /* the second kernel of store */

/* SPDX-License-Identifier: BSD-2-Clause
 * Blocks with local memory: copies of the targets of a block (stage), and contributions of its elements
 * that are added up before they leave it (combine).
 */
#pragma once

#include "codegen/element/body.h"

bool pl_first_of_copy(const pl_emitter *e, const pl_operand *op); /* no operand before has the same copy */
void pl_print_locals(const pl_body *b);    /* places of the element's targets in the block's lists */
void pl_print_stage_in(const pl_body *b);  /* copies of the block's targets ... */
void pl_print_stage_out(const pl_body *b); /* ... and back */
void pl_declare_contributions(const pl_body *b);
void pl_print_combined(const pl_body *b); /* contributions of the block, added up and out */

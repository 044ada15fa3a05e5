/* SPDX-License-Identifier: BSD-2-Clause
 * The targets of an element, and the places of an operand's values.
 */
#pragma once

#include "codegen/text/template.h"

/* ---- targets ---- */

bool pl_body_needs_targets(const pl_emitter *e, const pl_operand *op); /* names target0_1 of its map */
pl_word pl_index_word(const pl_body *b, const char *name);

/* The target of entry k: "target0_1", or "pl_e" for a direct argument; of a pair, its side. */
pl_text pl_body_target(const pl_body *b, const pl_operand *op, int k);
/* The global index of the element, or of its target: the value of an index argument. */
pl_text pl_global_index(const pl_body *b, const pl_operand *op);
pl_text pl_other_index(const pl_operand *op); /* of side 1 of a pair */

/* ---- values ---- */

/* The record at `target` of the operand's dat, and of a block's copy of it; the record behind target k for
 * this element, in one of them or in a lane buffer; the private copy of target k. */
pl_place pl_dat_place(const pl_operand *op, const char *target);
pl_place pl_copy_place(const pl_operand *op, const char *target);
pl_place pl_element_place(const pl_body *b, const pl_operand *op, int k);
pl_place pl_private_place(const pl_operand *op, int k);

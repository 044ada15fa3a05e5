/* SPDX-License-Identifier: BSD-2-Clause
 * Increments that are added up target by target: the contributions of elements, the sums of a target, and
 * the kernels over targets (gather, store).
 */
#pragma once

#include <stdbool.h>
#include "codegen/element/body.h"

bool pl_first_of_dat(const pl_emitter *e, const pl_operand *op); /* the first that increments its dat */

/* Sums of a target's records: declared, and added to the dats by + or, `atomic`, by atomics. */
void pl_declare_sums(const pl_body *b);
void pl_add_sums(const pl_body *b, bool atomic);

/* Stores the element's contributions, in local memory (combine) or the device's (store). */
void pl_print_contributions(const pl_body *b);

void pl_print_gather_by_target(const pl_body *b); /* the whole kernel of gather */
void pl_print_sum(const pl_body *b);              /* the second kernel of store */

/* SPDX-License-Identifier: BSD-2-Clause
 * Rows: the values of a dat that a kernel gets through a ragged map.
 */
#ifndef PLAIT_CODEGEN_ELEMENT_RAGGED_ROW_H
#define PLAIT_CODEGEN_ELEMENT_RAGGED_ROW_H

#include "body.h"

void pl_print_row_types(const pl_emitter *e);
void pl_body_row(const pl_body *b, const pl_operand *op); /* declares the pl_row of an operand */

#endif

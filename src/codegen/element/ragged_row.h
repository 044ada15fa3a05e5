/* SPDX-License-Identifier: BSD-2-Clause
 * Rows: the values of a dat that a kernel gets through a ragged map.
 */
#pragma once

#include "codegen/text/body.h"

void pl_print_row_types(const pl_emitter *e);
void pl_body_row(const pl_body *b, const pl_operand *op); /* declares the pl_row of an operand */

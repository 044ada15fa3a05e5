/* SPDX-License-Identifier: BSD-2-Clause
 * Blocks with local memory: copies of the targets of a block (stage), and contributions of its elements
 * that are added up before they leave it (combine).
 */
#pragma once

#include "codegen/text/template.h"

pl_word pl_staging_word(const pl_body *b, const char *name);

bool pl_first_of_copy(const pl_emitter *e, const pl_operand *op); /* no operand before has the same copy */

/* SPDX-License-Identifier: BSD-2-Clause
 * The words of every template: of the operand, of the loop's text and of its dialect.
 */
#pragma once

#include "template.h"

pl_word pl_word_of_operand(const pl_body *b, const char *name);
pl_word pl_word_of_loop(const pl_body *b, const char *name);

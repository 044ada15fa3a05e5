/* SPDX-License-Identifier: BSD-2-Clause
 * One of the two parts of a loop whose kernel is called in both: for the targets of a block and then for its
 * elements, or for the pairs of a particle and then for the particle. Inputs are those of both parts.
 */
#pragma once

#include "codegen/text/template.h"

/* The template with the operands of the first or second part; the others are off. */
void pl_print_part(const pl_body *b, const char *template, bool second);

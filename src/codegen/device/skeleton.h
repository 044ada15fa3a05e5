/* SPDX-License-Identifier: BSD-2-Clause
 * Skeletons: statements that are the same for every loop but for a few words. A template file
 * (codegen/templates) is C; the body of each of its functions is a skeleton, and identifiers with a $ are
 * replaced:
 *
 *   block_$stem      words: those of the operand and the dialect (skeleton.c), and of the caller
 *   $word STATEMENT  the line is left out where the word has the value NULL
 *   $combine(A, B);  A and B combined in A, by the operand's access
 *   $tree();         the skeleton $tree of the same file
 *   $payloads($f);   the skeleton $f for each payload of the operand
 */
#pragma once

#include "codegen/element/body.h"

/* Names and values of the caller's words, in turn; the last name is NULL. */
typedef const char *const pl_words[];

/* Prints skeleton `name` of a template file; `op` and `words` may be NULL. */
void pl_print_skeleton(const pl_body *b, const pl_operand *op, const char *file, const char *name,
                       const char *const *words);

/* SPDX-License-Identifier: BSD-2-Clause
 * Refuses the constructs of C99 that some target's language lacks, so that a kernel is refused by the same
 * sentence on every target. docs/kernel-language.md lists them.
 */
#pragma once

#include "piece.h"

/* Errors: PL_ERR_KERNEL, with the line and what to write instead. */
pl_err pl_portable_c_check(const pl_assembly *program, const pl_piece *piece, const pl_unit *unit);

/* Refuses a #define of a word of C types, since the signature is read before macros, the code is compiled
 * after; and definitions of names that generated code uses. */
pl_err pl_names_check(const pl_assembly *program, const pl_piece *piece);

/* The parenthesis at i holds the type of a compound literal, which its brace follows. */
bool pl_opens_compound_literal(const pl_piece *piece, int i);

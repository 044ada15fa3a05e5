/* SPDX-License-Identifier: BSD-2-Clause
 * Refuses the constructs of C99 that some target's language lacks, so that a kernel is refused by the same
 * sentence on every target. docs/kernel-language.md lists them.
 */
#pragma once

#include "codegen/pieces/piece.h"

/* Errors: PL_ERR_KERNEL, with the line and the remedy. */
pl_err pl_portable_c_check(const pl_assembly *program, const pl_piece *piece, const pl_unit *unit);

/* Refuses a #define of a word of C types, since the signature is read before macros, the code is compiled
 * after; and definitions of names that generated code uses. */
pl_err pl_names_check(const pl_assembly *program, const pl_piece *piece);

/* SPDX-License-Identifier: BSD-2-Clause
 * The definitions before a generated text, from the columns of its dialect. Invariant: fixed device code
 * (codegen/templates) is written in the words of device programs.
 */
#pragma once

#include "core/context/string_builder.h"
#include "dialect.h"

/* Types and constants that the target's language lacks. */
void pl_print_prelude(pl_string *text, const pl_dialect *dialect, bool uses_double);

/* The words of device programs. */
void pl_print_words(pl_string *text, const pl_dialect *dialect);

/* The same and those that only fixed device code has: warps, shuffles, atomics of 32 bits, fences. */
void pl_print_device_words(pl_string *text, const pl_dialect *dialect);

/* Warps of a block of fixed device code: 8, each working on its own; 1 without warps, a block of 32 work
 * items. */
int pl_block_warps(const pl_dialect *dialect);

/* The functions of <complex.h> in both precisions, behind the dialect's lines for complex numbers. */
void pl_print_complex_functions(pl_string *text, const char *qualifier);

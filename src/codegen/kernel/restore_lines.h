/* SPDX-License-Identifier: BSD-2-Clause
 * Restores the line ends of a PL_KERNEL or PL_FUNCTION, which the preprocessor has removed, from its file, so
 * that compiler messages name the right line.
 *
 * Invariant: the result has exactly the tokens of the macro's text, whatever the file contains now.
 */
#pragma once

#include "core/context/string_builder.h"

typedef struct pl_macro_text {
  const char *macro; /* "PL_KERNEL" or "PL_FUNCTION" */
  const char *name, *params, *body;
  const char *file; /* may be NULL */
  int line;
} pl_macro_text;

/* Appends "(params) {body}" to `text` and sets the line on which it starts: with the file's lines if they are
 * found, else on the macro's line. Errors: PL_ERR_MEMORY only. */
pl_err pl_restore_lines(pl_context *pl, const pl_macro_text *call, pl_string *text, int *line);

/* The same on one line, without reading the file. */
void pl_lines_flattened(const pl_macro_text *call, pl_string *text, int *line);

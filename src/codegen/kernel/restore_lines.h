/* SPDX-License-Identifier: BSD-2-Clause
 * Gives a PL_KERNEL or PL_FUNCTION its lines back. The macro's text has lost its line ends; the file it
 * stands in still has them, so that a compiler's messages can name the right line.
 *
 * Invariant: the result has exactly the tokens of the macro's text, whatever the file holds now.
 */
#ifndef PLAIT_CODEGEN_RELAYOUT_H
#define PLAIT_CODEGEN_RELAYOUT_H

#include "../core/text.h"

typedef struct pl_macro_text {
  const char *macro; /* "PL_KERNEL" or "PL_FUNCTION" */
  const char *name, *params, *body;
  const char *file; /* may be NULL */
  int line;
} pl_macro_text;

/* Appends "(params) {body}" to `text` and says on which line it starts: with the file's lines if they can be
 * found there, else on one line, the macro's. Errors: PL_ERR_MEMORY only. */
pl_err pl_relayout(pl_context *pl, const pl_macro_text *call, pl_text *text, int *line);

/* On one line, without looking at the file. */
void pl_layout_flat(const pl_macro_text *call, pl_text *text, int *line);

#endif

/* SPDX-License-Identifier: BSD-2-Clause
 * Adds the nodes for a range of tokens to a syntax tree. No text is an error; errors: PL_ERR_MEMORY only.
 */
#pragma once

#include "syntax.h"

/* Statements, or an expression alone, in the tokens first to end - 1: children of a node BLOCK. What they
 * declare stays in scope. */
pl_err pl_syntax_read_statements(pl_syntax *tree, int first, int end, int *block);

/* The parameters between two parentheses, and the body up to end - 1 if end > 0, where they are in scope. */
pl_err pl_syntax_read_function(pl_syntax *tree, int open, int close, int body, int end, int *parameters,
                               int *block);

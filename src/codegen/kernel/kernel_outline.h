/* SPDX-License-Identifier: BSD-2-Clause
 * The outline of a kernel text: which tokens at file scope are function definitions, prototypes, variables or
 * anything else. It reads shapes, not meanings, and leaves what it does not know to the compiler.
 *
 * Invariant: units are in order and do not overlap; only directives lie between them; the brackets in each
 * one match.
 */
#ifndef PLAIT_CODEGEN_OUTLINE_H
#define PLAIT_CODEGEN_OUTLINE_H

#include "lex.h"

/* Where a text comes from, for messages: kernel "res_calc" in res_calc.h, starting at line 12. */
typedef struct pl_origin {
  const char *what, *name, *file; /* what: "kernel" or "function" */
  int line;
} pl_origin;

pl_origin pl_kernel_origin(const pl_kernel *kernel);
pl_origin pl_function_origin(const pl_function *function);

/* Opens a sentence: pl_fail(pl, code, PL_AT "...", PL_AT_ARGS(&origin, line), ...). */
#define PL_AT "%s \"%s\" (%s:%d): "
#define PL_AT_ARGS(origin, line) (origin)->what, (origin)->name, (origin)->file, (line)

typedef enum pl_unit_kind {
  PL_UNIT_FUNCTION,  /* a definition */
  PL_UNIT_PROTOTYPE, /* a declaration that looks like one of a function */
  PL_UNIT_VARIABLE,  /* of variables, extern ones too */
  PL_UNIT_OTHER      /* types, extern "C" braces, empty declarations */
} pl_unit_kind;

/* A unit; numbers are token indices, -1 where there is no such token. */
typedef struct pl_unit {
  pl_unit_kind kind;
  int first, last; /* last: its } or ; */
  int name;        /* what is declared (first variable) */
  int open, close; /* the parentheses of the parameters */
  int body;        /* { of a function body */
  bool ends;       /* a function all of whose calls are known to end */
} pl_unit;

typedef struct pl_outline {
  pl_context *pl;
  pl_tokens tokens; /* pruned */
  pl_unit *unit;
  int count;
} pl_outline;

/* Reads a text whose first line is origin->line. Errors: PL_ERR_KERNEL where a comment, string or bracket is
 * not closed. */
pl_err pl_outline_read(pl_context *pl, const pl_origin *origin, const char *text, size_t length,
                       pl_outline *outline);
void pl_outline_free(pl_outline *outline);

/* The definition of function `name`, or NULL. */
const pl_unit *pl_outline_find(const pl_outline *outline, const char *name, size_t length);

#endif

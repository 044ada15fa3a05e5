/* SPDX-License-Identifier: BSD-2-Clause
 * The outline of a kernel text: function definitions, prototypes, variables and other units at file scope.
 * Units of unknown kind are left to the compiler.
 *
 * Invariant: units are in order and do not overlap; only directives lie between them; the brackets in each
 * one match.
 */
#pragma once

#include <stdbool.h>
#include "codegen/syntax/syntax.h"

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
  PL_UNIT_PROTOTYPE, /* a function declaration */
  PL_UNIT_VARIABLE,  /* of variables, extern ones too */
  PL_UNIT_OTHER      /* types, extern "C" braces, empty declarations */
} pl_unit_kind;

/* A unit; numbers are token indices, -1 where there is no such token. */
typedef struct pl_unit {
  pl_unit_kind kind;
  int first, last; /* last: its } or ; */
  int name;        /* of the function or the first variable */
  int open, close; /* the parentheses of the parameters */
  int body;        /* { of a function body */
  bool ends;       /* a function without recursion */
  bool used;       /* the kernel needs it */
  int parameters;  /* node FUNCTION */
  int code;        /* node BLOCK: a body, or the declarations of a variable or type; 0: none */
  int behind;      /* the first node that belongs to no part of the unit */
} pl_unit;

typedef struct pl_kernel_outline {
  pl_context *pl;
  pl_syntax syntax; /* of functions, variables and types */
  pl_tokens tokens; /* its tokens, pruned */
  pl_unit *unit;
  int count;
} pl_kernel_outline;

/* Reads a text whose first line is origin->line. Errors: PL_ERR_KERNEL where a comment, string or bracket is
 * not closed. */
pl_err pl_kernel_outline_read(pl_context *pl, const pl_origin *origin, const char *text, size_t length,
                              pl_kernel_outline *outline);
void pl_kernel_outline_free(pl_kernel_outline *outline);

/* The definition of function `name`, or NULL. */
const pl_unit *pl_kernel_outline_find(const pl_kernel_outline *outline, const char *name, size_t length);

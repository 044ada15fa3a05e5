/* SPDX-License-Identifier: BSD-2-Clause
 * The position in a text, and its lines. The functions of this module print the statements of one element or
 * pair. They serve every dialect and form; only the places of values differ (pl_body.lanes, buffered).
 */
#pragma once

#include <stdbool.h>
#include "codegen/loop/operand.h"
#include "core/loop/loop.h"

typedef struct pl_body {
  const pl_emitter *e;
  pl_string *text;
  int depth;     /* indentation */
  bool lanes;    /* inside a lane loop over pl_l */
  bool buffered; /* records live in lane buffers (simd_transpose.c) */
} pl_body;

pl_body pl_deeper(const pl_body *b);

/* One line of text: indentation, then the formatted string, then a newline. */
void pl_line(const pl_body *b, const char *format, ...) PL_PRINTF(2, 3);

/* A statement for every value of the operand at two places: one by one, or in a printed loop over pl_c. */
typedef void (*pl_value_printer)(const pl_body *b, const pl_operand *op, const char *into, const char *from);
void pl_each_value(const pl_body *b, const pl_operand *op, pl_place into, pl_place from,
                   pl_value_printer print);
void pl_print_assign(const pl_body *b, const pl_operand *op, const char *into, const char *from); /* = */
void pl_print_add(const pl_body *b, const pl_operand *op, const char *into, const char *from);    /* += */

/* Up to this many values are printed one by one. */
enum { PL_UNROLL = 32 };

/* A word of a template: an identifier that stands for a text or a number, or, alone on its line, for
 * statements. */
typedef struct pl_word {
  const char *name;
  int number;
  const char *text;
  void (*print)(const pl_body *b);
} pl_word;

/* Prints a template (codegen/templates) behind its head comment, with its words replaced. Lines between #if
 * WORD and #else or #endif are printed if the word's number is not 0. The last word has no name. */
void pl_print_template(const pl_body *b, const char *text, const pl_word *words);

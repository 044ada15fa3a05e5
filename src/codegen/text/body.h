/* SPDX-License-Identifier: BSD-2-Clause
 * The position in a text, and its lines. The functions of this module print the statements of one element or
 * pair. They serve every dialect and form; only the places of values differ (pl_body.lanes, buffered).
 */
#pragma once

#include <stdbool.h>
#include "codegen/loop/operand.h"
#include "core/loop/loop.h"

struct pl_word;
struct pl_body;
typedef struct pl_word (*pl_word_source)(const struct pl_body *b, const char *name);

enum { PL_KNOWN = 256 };

typedef struct pl_body {
  const pl_emitter *e;
  pl_string *text;
  int depth;     /* indentation */
  bool lanes;    /* inside a lane loop over pl_l */
  bool buffered; /* records live in lane buffers (host/simd_transpose.c) */
  bool vectors;  /* around the call of the kernel's copy for several elements */
  /* of templates (template.h): */
  const pl_word_source *sources; /* of words, ended by NULL */
  unsigned char *known;          /* PL_KNOWN bytes: by hash of a word, the source that had it */
  const struct pl_word *words;   /* of this text alone, or NULL */
  const char *template;          /* that is being printed */
  const pl_operand *op, *of;     /* that statements are for, or NULL; that those around them are for */
  const char *c;                 /* the value that a statement is for, or NULL */
  int index[26];                 /* of loops over numbers, by their letters: "$for_l_lanes" */
} pl_body;

pl_body pl_deeper(const pl_body *b);
pl_body pl_body_of(const pl_body *b, const pl_operand *op); /* for this operand */

void pl_indent(const pl_body *b);
int pl_index(const pl_body *b, char letter);

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
bool pl_values_in_loop(const pl_body *b, const pl_operand *op);

/* SPDX-License-Identifier: BSD-2-Clause
 * Templates: statements that are the same for every loop but for a few words. A template file
 * (codegen/templates) is C; the body of each of its functions is a template:
 *
 *   block_$stem               a word stands for a text or a number
 *   $dat(pl_target, pl_c)     a text made from up to two arguments: value pl_c of a record
 *   sum_$name[$c] = 0;        a line with $c is printed for each value of the operand
 *   $tree();                  the template $tree, or statements that a function prints
 *   $combine(A, B);           a statement over two values
 *   $each_results LINE        the line for each operand of a class: those whose word `results` is true
 *   $for_l_lanes LINE         the line for each number from 0 to lanes - 1, which is the word $l in it
 *   $list_l_lanes(TEXT)       the text for each of these, with commas between them
 *   $if_word LINE             the line if the word is true: a number but 0, a text but NULL; $if_not_word
 *   #if $word, #if !$word     the same for the lines up to #else or #endif
 *
 * docs/internals/codegen/templates.md says where words and templates are looked up.
 */
#pragma once

#include "body.h"

/* A word has one of these meanings. */
typedef struct pl_word {
  const char *name;
  int number; /* of an operand's word: not 0 if the operand is of the class */
  const char *text;
  pl_text (*built)(const pl_body *b);
  pl_text (*make)(const pl_body *b, const char *const *argument); /* "": not given */
  void (*print)(const pl_body *b);
  pl_value_printer value;
} pl_word;

/* The word of a table that a row without a name ends; that row: there is none. */
pl_word pl_word_find(const pl_word *words, const char *name);

/* The templates of all files by name (cmake/PlaitTexts.cmake): their lines, without braces. */
typedef struct pl_template {
  const char *name, *lines;
} pl_template;

extern const pl_template pl_templates[];
extern const size_t pl_template_count;

/* Prints a template. `words` come before those of b->sources, which look a word up in a table that they make
 * for the operand b->op, if there is one; NULL: those that b has. The last has no name. */
void pl_print_template(const pl_body *b, const char *name, const pl_word *words);

/* SPDX-License-Identifier: BSD-2-Clause
 * Prints templates. Invariant: a word or template that nobody defines ends the text with an internal error.
 */
#include "template.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- words ---- */

enum { WORD = 32 };

/* The name behind a $: letters, and single _ between them. Gives its end. */
static const char *read_name(const char *at, char *name)
{
  size_t n = 0;
  for (; isalpha((unsigned char)*at) || (*at == '_' && isalpha((unsigned char)at[1])); at++)
    if (n < WORD - 1) name[n++] = *at;
  name[n] = '\0';
  return at;
}

pl_word pl_word_find(const pl_word *words, const char *name)
{
  while (words->name && (*words->name != *name || strcmp(words->name, name) != 0)) words++;
  return *words;
}

/* Those of the text come first, then those of the sources. The result has no name if there is none. */
static pl_word find_word(const pl_body *b, const char *name)
{
  pl_word word = b->words ? pl_word_find(b->words, name) : (pl_word){.name = NULL};
  for (int i = 0; !word.name && b->sources[i]; i++) word = b->sources[i](b, name);
  return word;
}

static void fail(const pl_body *b, const char *what, const char *name)
{
  if (b->text->failed) return;
  b->text->failed = pl_fail(b->e->loop->pl, PL_ERR_INTERNAL,
                            "the template %s has the %s $%s, which nobody defines", b->template, what, name);
}

/* The word must be there. */
static pl_word get_word(const pl_body *b, const char *name)
{
  const pl_word word = find_word(b, name);
  if (!word.name) fail(b, "word", name);
  return word;
}

/* ---- lines ---- */

static void add_text(const pl_body *b, pl_string *t, const char *at, const char *end);

/* Up to the comma or parenthesis behind an argument. */
static const char *end_of_argument(const char *at)
{
  for (int depth = 0; *at != '\n' && (depth || (*at != ',' && *at != ')')); at++)
    depth += *at == '(' ? 1 : *at == ')' ? -1 : 0;
  return at;
}

/* An argument with its words replaced. `at` moves from the "(" or ", " before it to its end. */
static pl_string read_argument(const pl_body *b, const char **at)
{
  const char *begin = *at + (**at == ',' ? 2 : 1);
  pl_string text;
  pl_string_init(&text, b->e->loop->pl);
  *at = end_of_argument(begin);
  add_text(b, &text, begin, *at);
  if (text.failed) b->text->failed = text.failed;
  return text;
}

/* A made text with its arguments, if there are any, at `at`; gives their end. */
static const char *add_made(const pl_body *b, pl_string *t, const pl_word *word, const char *at)
{
  pl_string part[2] = {{.pl = t->pl}, {.pl = t->pl}};
  const char *argument[2];
  for (int i = 0; i < 2; i++) {
    if (*at == (i ? ',' : '(')) part[i] = read_argument(b, &at);
    argument[i] = pl_string_chars(&part[i]);
  }
  const pl_text made = word->make(b, argument);
  pl_string_add_bytes(t, made.s, strlen(made.s));
  for (int i = 0; i < 2; i++) pl_string_free(&part[i]);
  return at + (*at == ')');
}

/* A text without memory is empty, whatever its length. */
static bool ends_in_space(const pl_string *t)
{
  return !t->failed && t->length && t->data[t->length - 1] == ' ';
}

/* Text with its words replaced; a space behind a word is not doubled. */
static void add_text(const pl_body *b, pl_string *t, const char *at, const char *end)
{
  char name[WORD];
  while (at < end) {
    const char *dollar = memchr(at, '$', (size_t)(end - at));
    pl_string_add_bytes(t, at, (size_t)((dollar ? dollar : end) - at));
    if (!dollar) return;
    at = read_name(dollar + 1, name);
    const pl_word word = get_word(b, name);
    const size_t before = t->length;
    if (word.make)
      at = add_made(b, t, &word, at);
    else if (word.text)
      pl_string_add_bytes(t, word.text, strlen(word.text));
    else
      pl_string_add(t, "%d", word.number);
    if (*at == ' ' && (t->length == before || ends_in_space(t))) at++;
  }
}

static void print_body(const pl_body *b, const char *name);

static void print_statement(const pl_body *b, const pl_word *word, const char *at)
{
  pl_string into = read_argument(b, &at), from = read_argument(b, &at);
  word->value(b, b->op, pl_string_chars(&into), pl_string_chars(&from));
  pl_string_free(&into);
  pl_string_free(&from);
}

/* $NAME(ARGUMENTS); with the arguments at `at`. */
static void print_call(const pl_body *b, const pl_word *word, const char *name, const char *at)
{
  if (word->value)
    print_statement(b, word, at);
  else if (word->print)
    word->print(b);
  else
    print_body(b, name);
}

static void print_once(const pl_body *b, const char *at, const char *end)
{
  char name[WORD];
  const char *behind = *at == '$' ? read_name(at + 1, name) : at;
  if (behind > at && *behind == '(') {
    const pl_word word = find_word(b, name);
    if (!word.make) {
      print_call(b, &word, name, behind);
      return;
    }
  }
  if (*at != '#') pl_indent(b);
  add_text(b, b->text, at, end);
  pl_string_add_bytes(b->text, "\n", 1);
}

static bool names_value(const char *at, const char *end)
{
  while ((at = memchr(at, '$', (size_t)(end - at))) &&
         !(at[1] == 'c' && !isalpha((unsigned char)at[2]) && at[2] != '_'))
    at++;
  return at != NULL;
}

static bool is_true(const pl_body *b, const char *name)
{
  const pl_word word = get_word(b, name);
  return word.text || word.number;
}

/* For each value of the operand, if the line names it. */
static void print_values(const pl_body *b, const char *at, const char *end)
{
  pl_body in = *b;
  if (b->c || !names_value(at, end)) {
    print_once(b, at, end);
  } else if (pl_values_in_loop(b, b->op)) {
    in.depth++;
    in.c = "pl_c";
    pl_line(b, "for (int pl_c = 0; pl_c < %d; pl_c++) {", b->op->dim);
    print_once(&in, at, end);
    pl_line(b, "}");
  } else {
    for (int i = 0; i < b->op->dim; i++) {
      const pl_text number = pl_text_of("%d", i);
      in.c = number.s;
      print_once(&in, at, end);
    }
  }
}

/* "$if_NAME ", "$if_not_NAME " and "$each_NAME " may stand before the rest of a line. */
static void print_line(const pl_body *b, const char *at, const char *end)
{
  char name[WORD];
  const bool each = !strncmp(at, "$each_", 6), not = !strncmp(at, "$if_not_", 8);
  if (!each && strncmp(at, "$if_", 4) != 0) {
    print_values(b, at, end);
    return;
  }
  at = read_name(at + (each ? 6 : not ? 8 : 4), name) + 1;
  if (!each && is_true(b, name) != not ) print_line(b, at, end);
  for (const pl_operand *op = b->e->op; each && op < b->e->end; op++) {
    const pl_body of_op = pl_body_of(b, op);
    if (is_true(&of_op, name)) print_line(&of_op, at, end);
  }
}

/* ---- conditions ---- */

/* Whether lines are printed: how many conditions stand around one, and the first that does not hold, or 0. */
typedef struct conditions {
  int depth, hidden;
} conditions;

/* False: the line is no condition. */
static bool read_condition(const pl_body *b, conditions *all, const char *line)
{
  if (!strncmp(line, "#if ", 4)) {
    char name[WORD];
    const bool not = line[4] == '!';
    read_name(line + 5 + not, name);
    all->depth++;
    if (!all->hidden && is_true(b, name) == not ) all->hidden = all->depth;
  } else if (!strncmp(line, "#else", 5)) {
    all->hidden = !all->hidden ? all->depth : all->hidden == all->depth ? 0 : all->hidden;
  } else if (!strncmp(line, "#endif", 6)) {
    if (all->hidden == all->depth) all->hidden = 0;
    all->depth--;
  } else {
    return false;
  }
  return true;
}

static int compare(const void *name, const void *template)
{
  return strcmp(name, ((const pl_template *)template)->name);
}

static void print_body(const pl_body *b, const char *name)
{
  const pl_template *template = bsearch(name, pl_templates, pl_template_count, sizeof *template, compare);
  conditions all = {0, 0};
  pl_body in = *b;
  if (!template) {
    fail(b, "statement", name);
    return;
  }
  in.template = template->name;
  for (const char *line = template->lines, *end; *line && !b->text->failed; line = end + 1) {
    end = strchr(line, '\n');
    if (read_condition(&in, &all, line) || all.hidden) continue;
    const size_t indent = strspn(line, " ");
    in.depth = b->depth + (int)indent / 2 - 1;
    print_line(&in, line + indent, end);
  }
}

void pl_print_template(const pl_body *b, const char *name, const pl_word *words)
{
  pl_body body = *b;
  body.template = name;
  if (words) body.words = words;
  print_body(&body, name);
}

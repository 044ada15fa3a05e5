/* SPDX-License-Identifier: BSD-2-Clause
 * Prints templates. Invariant: a word or template that nobody defines ends the text with an internal error.
 */
#include "template.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- words ---- */

enum { WORD = 32 };

static bool is_letter(char c)
{
  return islower((unsigned char)c);
}

/* The name behind a $: small letters, and single _ between them. Gives its end. */
static const char *read_name(const char *at, char *name)
{
  size_t n = 0;
  for (; is_letter(*at) || (*at == '_' && is_letter(at[1])); at++)
    if (n < WORD - 1) name[n++] = *at;
  name[n] = '\0';
  return at;
}

pl_word pl_word_find(const pl_word *words, const char *name)
{
  while (words->name && (*words->name != *name || strcmp(words->name, name) != 0)) words++;
  return *words;
}

/* Sources make a table for each question, so the one that had the word before is asked first. */
static pl_word ask_sources(const pl_body *b, const char *name)
{
  unsigned hash = 0;
  for (const char *c = name; *c; c++) hash = 31 * hash + (unsigned char)*c;
  unsigned char *known = &b->known[hash % PL_KNOWN];
  pl_word word = b->sources[*known](b, name);
  for (unsigned char i = 0; !word.name && b->sources[i]; i++) {
    word = b->sources[i](b, name);
    *known = i;
  }
  return word;
}

/* Numbers of loops, those of the text, those of the sources. The result has no name if there is none. */
static pl_word find_word(const pl_body *b, const char *name)
{
  if (*name && !name[1] && *name != 'c') return (pl_word){.name = name, .number = pl_index(b, *name)};
  const pl_word word = b->words ? pl_word_find(b->words, name) : (pl_word){.name = NULL};
  return word.name ? word : ask_sources(b, name);
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

/* Up to the parenthesis behind an argument, or to another character before it. */
static const char *end_of_argument(const char *at, char stop)
{
  for (int depth = 0; *at != '\n' && (depth || (*at != stop && *at != ')')); at++)
    depth += *at == '(' ? 1 : *at == ')' ? -1 : 0;
  return at;
}

/* An argument with its words replaced. `at` moves from the "(" or ", " before it to its end. */
static pl_string read_argument(const pl_body *b, const char **at)
{
  const char *begin = *at + (**at == ',' ? 2 : 1);
  pl_string text;
  pl_string_init(&text, b->e->loop->pl);
  *at = end_of_argument(begin, ',');
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

/* A text in parentheses for each number: `name` is "l_lanes". If there is none, the comma before goes too. */
static const char *add_list(const pl_body *b, pl_string *t, const char *name, const char *at)
{
  const char *end = end_of_argument(at + 1, ')');
  const int count = get_word(b, name + 2).number;
  pl_body in = *b;
  if (!count && t->length > 2 && t->data[t->length - 2] == ',') t->length -= 2;
  for (int i = 0; i < count; i++) {
    in.index[*name - 'a'] = i;
    if (i) pl_string_add_bytes(t, ", ", 2);
    add_text(&in, t, at + 1, end);
  }
  return end + 1;
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
    if (!strncmp(name, "list_", 5)) {
      at = add_list(b, t, name + 5, at);
      continue;
    }
    const pl_word word = get_word(b, name);
    const size_t before = t->length;
    if (word.make)
      at = add_made(b, t, &word, at);
    else if (word.built)
      pl_string_add(t, "%s", word.built(b).s);
    else if (word.text)
      pl_string_add_bytes(t, word.text, strlen(word.text));
    else
      pl_string_add(t, "%d", word.number);
    if (*at == ' ' && (t->length == before || ends_in_space(t))) at++;
  }
}

static int compare(const void *name, const void *template)
{
  return strcmp(name, ((const pl_template *)template)->name);
}

static const pl_template *find_template(const char *name)
{
  return bsearch(name, pl_templates, pl_template_count, sizeof *pl_templates, compare);
}

static void print_body(const pl_body *b, const pl_template *template);

static void print_statement(const pl_body *b, const pl_word *word, const char *at)
{
  pl_string into = read_argument(b, &at), from = read_argument(b, &at);
  word->value(b, b->op, pl_string_chars(&into), pl_string_chars(&from));
  pl_string_free(&into);
  pl_string_free(&from);
}

/* "$NAME(ARGUMENTS);", with the arguments at `at`; false: the line is no call. */
static bool print_call(const pl_body *b, const char *name, const char *at)
{
  const pl_template *template = find_template(name);
  if (template) {
    print_body(b, template);
    return true;
  }
  const pl_word word = find_word(b, name);
  if (word.value)
    print_statement(b, &word, at);
  else if (word.print)
    word.print(b);
  else if (!word.name)
    fail(b, "statement", name);
  return word.value || word.print || !word.name;
}

static void print_once(const pl_body *b, const char *at, const char *end)
{
  char name[WORD];
  const char *behind = *at == '$' ? read_name(at + 1, name) : at;
  if (behind > at && *behind == '(' && print_call(b, name, behind)) return;
  if (*at != '#') pl_indent(b);
  add_text(b, b->text, at, end);
  pl_string_add_bytes(b->text, "\n", 1);
}

static bool names_value(const char *at, const char *end)
{
  while ((at = memchr(at, '$', (size_t)(end - at))) && !(at[1] == 'c' && !is_letter(at[2]) && at[2] != '_'))
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

static void print_line(const pl_body *b, const char *at, const char *end);

/* For each operand of a class. */
static void print_each(const pl_body *b, const char *name, const char *at, const char *end)
{
  for (const pl_operand *op = b->e->op; op < b->e->end; op++) {
    const pl_body of_op = pl_body_of(b, op);
    if (is_true(&of_op, name)) print_line(&of_op, at, end);
  }
}

/* For each number: `name` is "l_lanes". */
static void print_for(const pl_body *b, const char *name, const char *at, const char *end)
{
  const int count = get_word(b, name + 2).number;
  pl_body in = *b;
  for (int i = 0; i < count; i++) {
    in.index[*name - 'a'] = i;
    print_line(&in, at, end);
  }
}

/* "$if_NAME ", "$if_not_NAME ", "$each_NAME " and "$for_l_NAME " may stand before the rest of a line. */
static void print_line(const pl_body *b, const char *at, const char *end)
{
  char name[WORD] = "";
  const char *rest = *at == '$' ? read_name(at + 1, name) + 1 : at;
  if (!strncmp(name, "each_", 5))
    print_each(b, name + 5, rest, end);
  else if (!strncmp(name, "for_", 4))
    print_for(b, name + 4, rest, end);
  else if (strncmp(name, "if_", 3) != 0)
    print_values(b, at, end);
  else if (strncmp(name, "if_not_", 7) ? is_true(b, name + 3) : !is_true(b, name + 7))
    print_line(b, rest, end);
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

static void print_body(const pl_body *b, const pl_template *template)
{
  conditions all = {0, 0};
  pl_body in = *b;
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
  const pl_template *template = find_template(name);
  pl_body body = *b;
  body.template = name;
  if (words) body.words = words;
  if (template)
    print_body(&body, template);
  else
    fail(&body, "statement", name);
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Prints templates. Invariant: a word that nobody defines makes the text fail.
 */
#include "template.h"
#include <ctype.h>
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
  while (words->name && strcmp(words->name, name) != 0) words++;
  return *words;
}

/* Those of the text come first, then those of the library. */
static pl_word find_word(const pl_body *b, const char *name)
{
  pl_word word = b->words ? pl_word_find(b->words, name) : (pl_word){.name = NULL};
  for (int i = 0; !word.name && b->library->words[i]; i++) word = b->library->words[i](b, name);
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
  b->text->failed |= text.failed;
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
  pl_string_add(t, "%s", word->make(b, argument).s);
  for (int i = 0; i < 2; i++) pl_string_free(&part[i]);
  return at + (*at == ')');
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
    const pl_word word = find_word(b, name);
    const size_t before = t->length;
    if (!word.name) t->failed = true;
    if (word.make)
      at = add_made(b, t, &word, at);
    else if (word.text)
      pl_string_add(t, "%s", word.text);
    else
      pl_string_add(t, "%d", word.number);
    if (*at == ' ' && (t->length == before || pl_string_chars(t)[t->length - 1] == ' ')) at++;
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

static void print_call(const pl_body *b, const char *name, const char *at);

/* $CLASS($NAME); */
static void print_each(const pl_body *b, const char *class, const char *at)
{
  char name[WORD];
  read_name(at + 2, name);
  for (const pl_operand *op = b->e->op; op < b->e->end; op++) {
    const pl_body of_op = pl_body_of(b, op);
    if (find_word(&of_op, class).number) print_call(&of_op, name, "()");
  }
}

/* $NAME(ARGUMENTS); with the arguments at `at`. */
static void print_call(const pl_body *b, const char *name, const char *at)
{
  const pl_word word = find_word(b, name);
  if (word.value)
    print_statement(b, &word, at);
  else if (word.print)
    word.print(b);
  else if (at[1] == '$')
    print_each(b, name, at);
  else
    print_body(b, name);
}

static void print_once(const pl_body *b, const char *at, const char *end)
{
  char name[WORD];
  const char *behind = *at == '$' ? read_name(at + 1, name) : at;
  if (behind > at && *behind == '(' && !find_word(b, name).make) {
    print_call(b, name, behind);
    return;
  }
  pl_string_add(b->text, "%*s", *at == '#' ? 0 : 2 * b->depth, "");
  add_text(b, b->text, at, end);
  pl_string_add(b->text, "\n");
}

static bool names_value(const char *at, const char *end)
{
  while ((at = memchr(at, '$', (size_t)(end - at))) &&
         !(at[1] == 'c' && !isalpha((unsigned char)at[2]) && at[2] != '_'))
    at++;
  return at != NULL;
}

static void print_line(const pl_body *b, const char *line, const char *end)
{
  const char *at = line + strspn(line, " ");
  pl_body in = *b;
  in.depth += (int)(at - line) / 2 - 1;
  if (b->c || !names_value(at, end)) {
    print_once(&in, at, end);
  } else if (pl_values_in_loop(b, b->op)) {
    pl_body inner = pl_deeper(&in);
    inner.c = "pl_c";
    pl_line(&in, "for (int pl_c = 0; pl_c < %d; pl_c++) {", b->op->dim);
    print_once(&inner, at, end);
    pl_line(&in, "}");
  } else {
    for (int i = 0; i < b->op->dim; i++) {
      const pl_text number = pl_text_of("%d", i);
      in.c = number.s;
      print_once(&in, at, end);
    }
  }
}

/* ---- conditions ---- */

/* Whether lines are printed: how many conditions stand around one, and the first that does not hold, or 0. */
typedef struct conditions {
  int depth, hidden;
} conditions;

/* The word behind "#if ", with or without a "!". */
static bool holds(const pl_body *b, const char *at)
{
  char name[WORD];
  const bool not = *at == '!';
  read_name(at + not +1, name);
  const pl_word word = find_word(b, name);
  if (!word.name) b->text->failed = true;
  return (word.text || word.number) != not ;
}

/* False: the line is no condition. */
static bool read_condition(const pl_body *b, conditions *all, const char *line)
{
  if (!strncmp(line, "#if ", 4)) {
    all->depth++;
    if (!all->hidden && !holds(b, line + 4)) all->hidden = all->depth;
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

/* The lines of "void $name(void)", in the present file or another one. */
static const char *find_body(pl_body *b, const char *name)
{
  char head[WORD + 20];
  snprintf(head, sizeof head, "void $%s(void)\n{\n", name);
  const char *body = b->file ? strstr(b->file, head) : NULL;
  for (const char *const *file = b->library->files; !body && *file; file++) {
    body = strstr(*file, head);
    b->file = *file;
  }
  return body ? body + strlen(head) : NULL;
}

static void print_body(const pl_body *b, const char *name)
{
  conditions all = {0, 0};
  pl_body in = *b;
  const char *line = find_body(&in, name), *end;
  if (!line) b->text->failed = true;
  for (; line && *line != '}'; line = end + 1) {
    end = strchr(line, '\n');
    if (!read_condition(&in, &all, line) && !all.hidden) print_line(&in, line, end);
  }
}

void pl_print_template(const pl_body *b, const char *name, const pl_word *words)
{
  pl_body body = *b;
  if (words) body.words = words;
  print_body(&body, name);
}

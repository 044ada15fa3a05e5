/* SPDX-License-Identifier: BSD-2-Clause
 * Lines of text, values one by one, and templates.
 */
#include "body.h"
#include <ctype.h>
#include <stdarg.h>
#include <string.h>

enum { MOST_LANE_DIM = 64 };

pl_body pl_deeper(const pl_body *b)
{
  pl_body inner = *b;
  inner.depth++;
  return inner;
}

void pl_line(const pl_body *b, const char *format, ...)
{
  char line[1024];
  va_list list;
  va_start(list, format);
  int length = vsnprintf(line, sizeof line, format, list);
  va_end(list);
  if (length < 0 || (size_t)length >= sizeof line) b->text->failed = true;
  pl_string_add(b->text, "%*s%s\n", 2 * b->depth, "", line);
}

void pl_print_assign(const pl_body *b, const pl_operand *op, const char *into, const char *from)
{
  (void)op;
  pl_line(b, "%s = %s;", into, from);
}

void pl_print_add(const pl_body *b, const pl_operand *op, const char *into, const char *from)
{
  (void)op;
  pl_line(b, "%s += %s;", into, from);
}

void pl_each_value(const pl_body *b, const pl_operand *op, pl_place into, pl_place from,
                   pl_value_printer print)
{
  if (op->dim > (b->buffered ? MOST_LANE_DIM : PL_UNROLL)) {
    pl_body inner = pl_deeper(b);
    pl_line(b, "for (int pl_c = 0; pl_c < %d; pl_c++) {", op->dim);
    print(&inner, op, pl_value_at(into, "pl_c").s, pl_value_at(from, "pl_c").s);
    pl_line(b, "}");
    return;
  }
  for (int i = 0; i < op->dim; i++) print(b, op, pl_value_number(into, i).s, pl_value_number(from, i).s);
}

/* ---- templates ---- */

static const pl_word *find_word(const pl_word *words, const char *at, size_t length)
{
  for (; words->name; words++)
    if (strlen(words->name) == length && !strncmp(words->name, at, length)) return words;
  return NULL;
}

/* An identifier or number, or one character. */
static size_t token_length(const char *at)
{
  size_t n = 0;
  while (isalnum((unsigned char)at[n]) || at[n] == '_') n++;
  return n ? n : 1;
}

static void print_words(pl_string *text, const char *line, const char *end, const pl_word *words)
{
  for (size_t n; line < end; line += n) {
    n = token_length(line);
    const pl_word *word = find_word(words, line, n);
    if (!word)
      pl_string_add_bytes(text, line, n);
    else if (word->text)
      pl_string_add(text, "%s", word->text);
    else
      pl_string_add(text, "%d", word->number);
  }
}

static void print_template_line(const pl_body *b, const char *line, const char *end, const pl_word *words)
{
  size_t indent = strspn(line, " ");
  const pl_word *step = find_word(words, line + indent, (size_t)(end - line) - indent);
  pl_body in = *b;
  in.depth += (int)indent / 2;
  if (step && step->print) {
    step->print(&in);
    return;
  }
  pl_string_add(b->text, "%*s", *line == '#' ? 0 : 2 * in.depth, "");
  print_words(b->text, line + indent, end, words);
  pl_string_add(b->text, "\n");
}

void pl_print_template(const pl_body *b, const char *text, const pl_word *words)
{
  int depth = 0, hidden = 0; /* conditions around a line; the first of them that does not hold, or 0 */
  const char *end;
  for (const char *line = strstr(text, "*/\n") + 3; *line; line = end + 1) {
    end = strchr(line, '\n');
    if (!strncmp(line, "#if ", 4)) {
      const pl_word *word = find_word(words, line + 4, (size_t)(end - line) - 4);
      depth++;
      if (!hidden && !(word && word->number)) hidden = depth;
    } else if (!strncmp(line, "#else", 5)) {
      hidden = !hidden ? depth : hidden == depth ? 0 : hidden;
    } else if (!strncmp(line, "#endif", 6)) {
      if (hidden == depth) hidden = 0;
      depth--;
    } else if (!hidden) {
      print_template_line(b, line, end, words);
    }
  }
}

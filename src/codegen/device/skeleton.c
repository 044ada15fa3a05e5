/* SPDX-License-Identifier: BSD-2-Clause
 * Skeletons of device code. Invariant: a word that nobody defines makes the text fail.
 */
#include "skeleton.h"
#include "codegen/element/load_store.h"
#include <ctype.h>
#include <string.h>

typedef struct skeleton {
  const pl_operand *op;
  const char *file;
  const char *const *words;
} skeleton;

/* ---- words ---- */

enum { WORD = 24, NUMBER = 16 };

/* The name behind a $: letters, and single _ between them. Gives its end. */
static const char *read_name(const char *at, char *name)
{
  size_t n = 0;
  for (; (isalpha((unsigned char)*at) || (*at == '_' && isalpha((unsigned char)at[1]))) && n < WORD - 1; at++)
    name[n++] = *at;
  name[n] = '\0';
  return at;
}

static const char *find_pair(const char *const *pair, const char *name)
{
  while (*pair && strcmp(*pair, name)) pair += 2;
  return *pair ? pair[1] : "$";
}

static const char *dialect_word(const pl_dialect *d, const char *name)
{
  const char *const words[] = {"local",   d->local,   "shared",     d->local_pointer, "global", d->global,
                               "barrier", d->barrier, "fence",      d->fence,         "draw",   d->draw,
                               "blocks",  d->blocks,  "local_size", d->local_size,    NULL};
  return find_pair(words, name);
}

static const char *operand_word(const pl_emitter *e, const pl_operand *op, const char *name, char *number)
{
  const char *type = pl_operand_type(op), *neutral = pl_operand_neutral(op),
             *better = op->arg->access == PL_MIN ? "<" : ">", *of = op->of >= 0 ? e->op[op->of].stem : "";
  const char *const words[] = {"stem",  op->stem, "running", op->running, "type", type, "neutral",
                               neutral, "better", better,    "of",        of,     NULL};
  const struct {
    const char *name;
    int value;
  } numbers[] = {{"dim", op->dim}, {"stride", op->stride}, {"staged", op->staged}, {"arg", op->i}};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    if (!strcmp(numbers[i].name, name)) {
      snprintf(number, NUMBER, "%d", numbers[i].value);
      return number;
    }
  return find_pair(words, name);
}

/* "$" if nobody defines the word. */
static const char *find_word(const pl_body *b, const skeleton *s, const char *name, char *number)
{
  const char *value = s->words ? find_pair(s->words, name) : "$";
  if (value && *value == '$' && s->op) value = operand_word(b->e, s->op, name, number);
  return value && *value == '$' ? dialect_word(b->e->dialect, name) : value;
}

/* ---- lines ---- */

/* Text with its words replaced; a space behind a word is not doubled. */
static void add_text(const pl_body *b, const skeleton *s, pl_string *t, const char *at, const char *end)
{
  char name[WORD], number[NUMBER];
  while (at < end) {
    const char *word = memchr(at, '$', (size_t)(end - at));
    pl_string_add_bytes(t, at, (size_t)((word ? word : end) - at));
    if (!word) return;
    at = read_name(word + 1, name);
    const char *value = find_word(b, s, name, number);
    size_t n = value ? strlen(value) : 0;
    if (!value || *value == '$') t->failed = true;
    pl_string_add_bytes(t, value, n);
    if (*at == ' ' && (!n || value[n - 1] == ' ')) at++;
  }
}

static void print_body(const pl_body *b, const skeleton *s, const char *name);

/* $combine(A, B); */
static void print_combine(const pl_body *b, const skeleton *s, const char *at, const char *end)
{
  const char *comma = strstr(at, ", ");
  pl_string into, from;
  pl_string_init(&into, b->e->loop->pl);
  pl_string_init(&from, b->e->loop->pl);
  add_text(b, s, &into, at, comma);
  add_text(b, s, &from, comma + 2, end - 2);
  b->text->failed |= into.failed || from.failed;
  pl_print_combine(b, s->op, pl_string_chars(&into), pl_string_chars(&from));
  pl_string_free(&into);
  pl_string_free(&from);
}

/* $NAME(ARGUMENTS); with the arguments at `at`. */
static void print_call(const pl_body *b, const skeleton *s, const char *name, const char *at, const char *end)
{
  char payload[WORD];
  if (!strcmp(name, "combine")) {
    print_combine(b, s, at, end);
    return;
  }
  if (strcmp(name, "payloads") != 0) {
    print_body(b, s, name);
    return;
  }
  read_name(at + 1, payload);
  for (const pl_operand *op = b->e->op; op < b->e->end; op++) {
    const skeleton of_payload = {op, s->file, s->words};
    if (!op->arg->off && op->of == s->op->i) print_body(b, &of_payload, payload);
  }
}

static void print_line(const pl_body *b, const skeleton *s, const char *line, const char *end)
{
  char name[WORD], number[NUMBER];
  pl_body in = *b;
  const char *at = line + strspn(line, " "), *behind = *at == '$' ? read_name(at + 1, name) : at;
  in.depth += (int)(at - line) / 2 - 1;
  if (behind > at && *behind == '(') {
    print_call(&in, s, name, behind + 1, end);
  } else if (behind == at || find_word(b, s, name, number)) {
    pl_string_add(b->text, "%*s", 2 * in.depth, "");
    add_text(b, s, b->text, at, end);
    pl_string_add(b->text, "\n");
  }
}

/* The lines of "void $name(void)". */
static void print_body(const pl_body *b, const skeleton *s, const char *name)
{
  char head[WORD + 20];
  snprintf(head, sizeof head, "void $%s(void)\n{\n", name);
  const char *line = strstr(s->file, head), *end;
  if (!line) b->text->failed = true;
  for (line = line ? line + strlen(head) : "}"; *line != '}'; line = end + 1) {
    end = strchr(line, '\n');
    print_line(b, s, line, end);
  }
}

void pl_print_skeleton(const pl_body *b, const pl_operand *op, const char *file, const char *name,
                       const char *const *words)
{
  const skeleton s = {op, file, words};
  print_body(b, &s, name);
}

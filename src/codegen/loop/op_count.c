/* SPDX-License-Identifier: BSD-2-Clause
 * Walks the statements of a kernel's function, and of the functions that it calls.
 */
#include "count.h"
#include "made.h"
#include "outline.h"
#include "source.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_DEPTH = 24 }; /* of calls in calls */

typedef struct counter {
  const pl_outline *outline;
  pl_ops ops;
  int depth;
} counter;

static const pl_token *token_at(const counter *c, int i)
{
  return &c->outline->tokens.item[i];
}

static bool is_at(const counter *c, int i, const char *word)
{
  return i >= 0 && token_at(c, i)->kind != PL_TOKEN_STRING && pl_token_is(token_at(c, i), word);
}

static bool is_word(const pl_token *token, const char *const *words)
{
  for (; *words; words++)
    if (pl_token_is(token, *words)) return true;
  return false;
}

static int match(const counter *c, int open, int last)
{
  int close = pl_tokens_match(&c->outline->tokens, open);
  return close < 0 ? last : close;
}

/* ---- what is an operation ---- */

static bool is_integer_type(const pl_token *token)
{
  static const char *const words[] = {"int",     "long",     "short",    "char",     "unsigned", "signed",
                                      "size_t",  "bool",     "int8_t",   "int16_t",  "int32_t",  "int64_t",
                                      "uint8_t", "uint16_t", "uint32_t", "uint64_t", NULL};
  return is_word(token, words);
}

/* A word of a type, or one that an expression begins after. */
static bool is_no_value(const pl_token *token)
{
  static const char *const words[] = {"double", "float",  "void",     "pl_real",   "pl_mixed",
                                      "const",  "struct", "volatile", "pl_cfloat", "pl_cdouble",
                                      "return", "case",   "else",     "restrict",  NULL};
  return is_word(token, words) || is_integer_type(token);
}

/* The parenthesis closed at i holds a type: (const double *). */
static bool closes_cast(const counter *c, int i)
{
  for (i--; i > 0 && !is_at(c, i, "("); i--)
    if (!is_at(c, i, "*") && !is_no_value(token_at(c, i))) return false;
  return true;
}

/* The operator at i stands between two values. Words of the library's own are pointers. */
static bool is_between(const counter *c, int i)
{
  const pl_token *before = token_at(c, i - 1);
  if (is_at(c, i + 1, ")")) return false; /* a type of pointers */
  if (before->kind == PL_TOKEN_NUMBER || is_at(c, i - 1, "]")) return true;
  if (is_at(c, i - 1, ")")) return !closes_cast(c, i - 1);
  return before->kind == PL_TOKEN_NAME && !is_no_value(before) && strncmp(before->text, "pl_", 3) != 0;
}

static void take_operator(counter *c, int i, double times)
{
  static const char *const sums[] = {"+=", "-=", NULL}, *const binary_sums[] = {"+", "-", NULL};
  const pl_token *token = token_at(c, i);
  bool between = is_between(c, i);
  if (is_word(token, sums) || (between && is_word(token, binary_sums))) c->ops.add += times;
  if (pl_token_is(token, "*=") || (between && pl_token_is(token, "*"))) c->ops.multiply += times;
  if (pl_token_is(token, "/=") || (between && pl_token_is(token, "/"))) c->ops.divide += times;
}

/* ---- statements ---- */

static void walk_function(counter *c, const pl_unit *unit, double times);

static void take_call(counter *c, int i, double times)
{
  static const char *const none[] = {"sizeof", "pl_at", "PL_UNROLL", "if", "while", "for", "switch", NULL};
  const pl_token *name = token_at(c, i);
  const pl_unit *unit = pl_outline_find(c->outline, name->text, name->length);
  if (unit)
    walk_function(c, unit, times);
  else if (!is_word(name, none) && !is_no_value(name))
    c->ops.call += times;
}

static void walk_expression(counter *c, int first, int end, double times)
{
  for (int i = first; i < end; i++) {
    const pl_token *token = token_at(c, i);
    if (is_at(c, i, "["))
      i = match(c, i, end);
    else if (token->kind == PL_TOKEN_NAME && is_at(c, i + 1, "("))
      take_call(c, i, times);
    else if (token->kind == PL_TOKEN_PUNCT && i > first)
      take_operator(c, i, times);
  }
}

/* The number that a literal or a macro stands for; -1: none. */
static long number_at(const counter *c, int i)
{
  const pl_token *token = token_at(c, i);
  if (token->kind == PL_TOKEN_NUMBER) return strtol(token->text, NULL, 0);
  for (int d = 0; token->kind == PL_TOKEN_NAME && d < c->outline->tokens.count; d++) {
    pl_lexer rest;
    const pl_token *line = token_at(c, d);
    if (line->kind != PL_TOKEN_DIRECTIVE) continue;
    const pl_token word = pl_directive_open(line, &rest), name = pl_lex_next(&rest),
                   value = pl_lex_next(&rest);
    if (pl_token_is(&word, "define") && pl_token_same(&name, token) && value.kind == PL_TOKEN_NUMBER)
      return strtol(value.text, NULL, 0);
  }
  return -1;
}

/* for (int k = FROM; k < TO; k++): how often; 1 if the head does not say so in numbers. */
static double turns_of(const counter *c, int open, int close)
{
  int i = open + 1;
  while (i < close && !is_at(c, i, "=")) i++;
  long from = number_at(c, i + 1), to = i + 5 < close ? number_at(c, i + 5) : -1;
  bool plain =
    is_at(c, i + 2, ";") && (is_at(c, i + 4, "<") || is_at(c, i + 4, "<=")) && is_at(c, i + 6, ";");
  bool steps = is_at(c, i + 7, "++") || is_at(c, i + 8, "++");
  if (!plain || !steps || from < 0 || to < from) return 1;
  return (double)(to - from + is_at(c, i + 4, "<="));
}

static int end_of(const counter *c, int i, int last)
{
  while (i < last && !is_at(c, i, ";"))
    i = (is_at(c, i, "(") || is_at(c, i, "[") || is_at(c, i, "{")) ? match(c, i, last) + 1 : i + 1;
  return i;
}

static bool declares_integer(const counter *c, int i)
{
  while (is_at(c, i, "const") || is_at(c, i, "volatile")) i++;
  return is_integer_type(token_at(c, i));
}

/* The statement at i; gives where the next one begins. */
static int walk_statement(counter *c, int i, int last, double times)
{
  bool loops = is_at(c, i, "while"), chooses = is_at(c, i, "if") || is_at(c, i, "switch");
  if (is_at(c, i, "{")) {
    int close = match(c, i, last);
    for (i++; i < close;) i = walk_statement(c, i, close, times);
    return close + 1;
  }
  if (is_at(c, i, "else") || is_at(c, i, "do")) return walk_statement(c, i + 1, last, times);
  if (is_at(c, i, "PL_UNROLL") || is_at(c, i, "_Pragma")) return match(c, i + 1, last) + 1;
  if (is_at(c, i, "for")) {
    int close = match(c, i + 1, last);
    return walk_statement(c, close + 1, last, times * turns_of(c, i + 1, close));
  }
  if (loops || chooses) {
    int close = match(c, i + 1, last);
    walk_expression(c, i + 2, close, times);
    return walk_statement(c, close + 1, last, times);
  }
  int end = end_of(c, i, last);
  if (!declares_integer(c, i)) walk_expression(c, i, end, times);
  return end + 1;
}

static void walk_function(counter *c, const pl_unit *unit, double times)
{
  if (c->depth == MOST_DEPTH) return;
  c->depth++;
  walk_statement(c, unit->body, unit->last, times);
  c->depth--;
}

/* ---- a loop's kernel ---- */

static pl_err count_text(pl_loop *loop, const pl_source *source)
{
  pl_outline outline;
  const pl_origin origin = pl_kernel_origin(loop->kernel);
  const char *name = loop->kernel->name;
  PL_TRY(pl_outline_read(loop->pl, &origin, pl_text_string(&source->text), source->text.length, &outline));
  counter c = {.outline = &outline};
  const pl_unit *unit = pl_outline_find(&outline, name, strlen(name));
  if (unit) walk_function(&c, unit, 1);
  loop->ops = c.ops;
  pl_outline_free(&outline);
  return PL_SUCCESS;
}

pl_err pl_count(pl_context *pl, pl_loop *loop)
{
  static const pl_source_style style = {.kernel_qualifier = "static",
                                        .function_qualifier = "static",
                                        .data_qualifier = "",
                                        .const_space = "",
                                        .host = true};
  pl_signature signature;
  pl_source source;
  if (loop->counted) return PL_SUCCESS;
  PL_TRY(pl_loop_signature(loop, &signature));
  pl_err err = pl_source_build(pl, loop->kernel, &signature, &style, &source);
  if (!err) {
    err = count_text(loop, &source);
    pl_source_free(&source);
  }
  pl_signature_free(&signature);
  loop->counted = !err;
  return err;
}

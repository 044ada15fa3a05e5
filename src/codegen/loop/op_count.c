/* SPDX-License-Identifier: BSD-2-Clause
 * Walks the statements of a kernel's function and of the functions it calls.
 */
#include "op_count.h"
#include "codegen/kernel/kernel_outline.h"
#include "codegen/source/kernel_source.h"
#include "codegen/kernel/signature_check.h"
#include "core/loop/loop.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_DEPTH = 24 }; /* of calls in calls */

typedef struct counter {
  const pl_kernel_outline *outline;
  pl_ops ops;
  int depth;
} counter;

static const pl_token *token_at(const counter *c, int i)
{
  return &c->outline->tokens.item[i];
}

static bool is_at(const counter *c, int i, const char *words)
{
  return pl_tokens_in(&c->outline->tokens, i, words);
}

static int find_close(const counter *c, int open, int last)
{
  int close = pl_tokens_match(&c->outline->tokens, open);
  return close < 0 ? last : close;
}

/* ---- what is an operation ---- */

static bool is_integer_type(const pl_token *token)
{
  return pl_token_in(token, "int long short char unsigned signed size_t bool int8_t int16_t int32_t int64_t "
                            "uint8_t uint16_t uint32_t uint64_t");
}

/* A word of a type, or a keyword before an expression. */
static bool is_no_value(const pl_token *token)
{
  return is_integer_type(token) ||
         pl_token_in(token, "double float void pl_real pl_mixed const struct volatile "
                            "pl_cfloat pl_cdouble return case else restrict");
}

/* The parenthesis closed at i contains a type: (const double *). */
static bool closes_cast(const counter *c, int i)
{
  for (i--; i > 0 && !is_at(c, i, "("); i--)
    if (!is_at(c, i, "*") && !is_no_value(token_at(c, i))) return false;
  return true;
}

/* The operator at i is binary. Names that begin with pl_ are pointers. */
static bool is_between(const counter *c, int i)
{
  const pl_token *before = token_at(c, i - 1);
  if (is_at(c, i + 1, ")")) return false; /* a pointer type */
  if (before->kind == PL_TOKEN_NUMBER || is_at(c, i - 1, "]")) return true;
  if (is_at(c, i - 1, ")")) return !closes_cast(c, i - 1);
  return before->kind == PL_TOKEN_NAME && !is_no_value(before) && strncmp(before->text, "pl_", 3) != 0;
}

static void count_operator(counter *c, int i, double times)
{
  bool between = is_between(c, i);
  if (is_at(c, i, between ? "+= -= + -" : "+= -=")) c->ops.add += times;
  if (is_at(c, i, between ? "*= *" : "*=")) c->ops.multiply += times;
  if (is_at(c, i, between ? "/= /" : "/=")) c->ops.divide += times;
}

/* ---- statements ---- */

static void walk_function(counter *c, const pl_unit *unit, double times);

static void count_call(counter *c, int i, double times)
{
  const pl_token *name = token_at(c, i);
  const pl_unit *unit = pl_kernel_outline_find(c->outline, name->text, name->length);
  if (unit)
    walk_function(c, unit, times);
  else if (!pl_token_in(name, "sizeof pl_at PL_UNROLL if while for switch") && !is_no_value(name))
    c->ops.call += times;
}

static void walk_expression(counter *c, int first, int end, double times)
{
  for (int i = first; i < end; i++) {
    const pl_token *token = token_at(c, i);
    if (is_at(c, i, "["))
      i = find_close(c, i, end);
    else if (token->kind == PL_TOKEN_NAME && is_at(c, i + 1, "("))
      count_call(c, i, times);
    else if (token->kind == PL_TOKEN_PUNCT && i > first)
      count_operator(c, i, times);
  }
}

/* The value of a literal, or of a macro that is one; -1: none. */
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

/* Iterations of for (int k = FROM; k < TO; k++); 1 if the bounds are no numbers. */
static double count_iterations(const counter *c, int open, int close)
{
  int i = open + 1;
  while (i < close && !is_at(c, i, "=")) i++;
  long from = number_at(c, i + 1), to = i + 5 < close ? number_at(c, i + 5) : -1;
  bool plain = is_at(c, i + 2, ";") && is_at(c, i + 4, "< <=") && is_at(c, i + 6, ";");
  bool steps = is_at(c, i + 7, "++") || is_at(c, i + 8, "++");
  if (!plain || !steps || from < 0 || to < from) return 1;
  return (double)(to - from + is_at(c, i + 4, "<="));
}

static int end_of(const counter *c, int i, int last)
{
  while (i < last && !is_at(c, i, ";")) i = is_at(c, i, "( [ {") ? find_close(c, i, last) + 1 : i + 1;
  return i;
}

static bool declares_integer(const counter *c, int i)
{
  while (is_at(c, i, "const volatile")) i++;
  return is_integer_type(token_at(c, i));
}

/* Counts the statement at i; returns the index of the next one. */
static int walk_statement(counter *c, int i, int last, double times)
{
  if (is_at(c, i, "{")) {
    int close = find_close(c, i, last);
    for (i++; i < close;) i = walk_statement(c, i, close, times);
    return close + 1;
  }
  if (is_at(c, i, "else do")) return walk_statement(c, i + 1, last, times);
  if (is_at(c, i, "PL_UNROLL _Pragma")) return find_close(c, i + 1, last) + 1;
  if (is_at(c, i, "for")) {
    int close = find_close(c, i + 1, last);
    return walk_statement(c, close + 1, last, times * count_iterations(c, i + 1, close));
  }
  if (is_at(c, i, "while if switch")) {
    int close = find_close(c, i + 1, last);
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
  pl_kernel_outline outline;
  const pl_origin origin = pl_kernel_origin(loop->kernel);
  const char *name = loop->kernel->name;
  PL_TRY(
    pl_kernel_outline_read(loop->pl, &origin, pl_string_chars(&source->text), source->text.length, &outline));
  counter c = {.outline = &outline};
  const pl_unit *unit = pl_kernel_outline_find(&outline, name, strlen(name));
  if (unit) walk_function(&c, unit, 1);
  loop->ops = c.ops;
  pl_kernel_outline_free(&outline);
  return PL_SUCCESS;
}

pl_err pl_count_operations(pl_context *pl, pl_loop *loop)
{
  static const pl_source_options style = {.kernel_qualifier = "static",
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

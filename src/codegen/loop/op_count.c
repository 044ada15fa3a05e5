/* SPDX-License-Identifier: BSD-2-Clause
 * Walks the syntax tree of a kernel's function and of the functions it calls.
 */
#include "op_count.h"
#include "codegen/kernel/kernel_outline.h"
#include "codegen/pieces/piece.h"
#include "codegen/source/kernel_source.h"
#include "codegen/kernel/signature_check.h"
#include "core/loop/loop.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_DEPTH = 24 }; /* of calls in calls */

typedef struct counter {
  const pl_kernel_outline *outline;
  const pl_syntax *tree;
  pl_ops ops;
  int depth;
} counter;

static const pl_syntax_node *node_at(const counter *c, int node)
{
  return &c->tree->node[node];
}

static const pl_token *token_at(const counter *c, int i)
{
  return &c->outline->tokens.item[i];
}

static void walk(counter *c, int node, double times);

static void walk_children(counter *c, int node, double times)
{
  for (int k = node_at(c, node)->child; k; k = node_at(c, k)->next) walk(c, k, times);
}

/* ---- expressions ---- */

/* Names that begin with pl_ are pointers. */
static bool is_pointer(const counter *c, int node)
{
  return node_at(c, node)->kind == PL_SYNTAX_NAME &&
         !strncmp(token_at(c, node_at(c, node)->at)->text, "pl_", 3);
}

static void count_operator(counter *c, int node, double times)
{
  const pl_token *token = token_at(c, node_at(c, node)->at);
  if (is_pointer(c, node_at(c, node)->child)) return;
  if (pl_token_in(token, "+ - += -=")) c->ops.add += times;
  if (pl_token_in(token, "* *=")) c->ops.multiply += times;
  if (pl_token_in(token, "/ /=")) c->ops.divide += times;
}

static void walk_function(counter *c, const pl_unit *unit, double times)
{
  if (c->depth == MOST_DEPTH) return;
  c->depth++;
  walk(c, unit->code, times);
  c->depth--;
}

static const pl_token *called(const counter *c, int node)
{
  return token_at(c, node_at(c, node)->at - 1);
}

static void count_call(counter *c, int node, double times)
{
  const pl_token *name = called(c, node);
  const pl_unit *unit = pl_kernel_outline_find(c->outline, name->text, name->length);
  if (unit)
    walk_function(c, unit, times);
  else if (!pl_token_in(name, "pl_at PL_UNROLL _Pragma") && !pl_is_type_word(name))
    c->ops.call += times;
}

/* ---- statements ---- */

/* The value of a literal, or of a macro that is one; -1: none. */
static long number_at(const counter *c, int node)
{
  const pl_token *token = token_at(c, node_at(c, node)->first);
  if (node_at(c, node)->kind == PL_SYNTAX_LITERAL) return strtol(token->text, NULL, 0);
  for (int d = 0; node_at(c, node)->kind == PL_SYNTAX_NAME && d < c->outline->tokens.count; d++) {
    pl_lexer rest;
    pl_token name = {.length = 0}, value;
    if (!pl_define_open(token_at(c, d), &rest, &name) || !pl_token_same(&name, token)) continue;
    value = pl_lex_next(&rest);
    if (value.kind == PL_TOKEN_NUMBER) return strtol(value.text, NULL, 0);
  }
  return -1;
}

/* Iterations of for (int k = FROM; k < TO; k++); 1 if the bounds are no numbers. */
static double count_iterations(const counter *c, int loop)
{
  int start = node_at(c, loop)->child, test = node_at(c, start)->next, step = node_at(c, test)->next;
  if (node_at(c, start)->kind == PL_SYNTAX_DECLARATION)
    start = node_at(c, node_at(c, start)->child)->tail; /* INIT */
  long from = number_at(c, node_at(c, start)->tail), to = number_at(c, node_at(c, test)->tail);
  bool plain =
    pl_syntax_is(c->tree, start, PL_SYNTAX_INIT, "=") || pl_syntax_is(c->tree, start, PL_SYNTAX_ASSIGN, "=");
  bool steps = pl_syntax_is(c->tree, step, PL_SYNTAX_POSTFIX, "++") ||
               pl_syntax_is(c->tree, step, PL_SYNTAX_UNARY, "++");
  bool up = pl_syntax_is(c->tree, test, PL_SYNTAX_BINARY, "< <=");
  if (!plain || !up || !steps || from < 0 || to < from) return 1;
  return (double)(to - from + pl_syntax_is(c->tree, test, PL_SYNTAX_BINARY, "<="));
}

static bool declares_integer(const counter *c, int node)
{
  return pl_syntax_specifies(c->tree, node,
                             "int long short char unsigned signed size_t bool int8_t int16_t int32_t int64_t "
                             "uint8_t uint16_t uint32_t uint64_t");
}

/* Counts the operations of a node that runs `times` times. */
static void walk(counter *c, int node, double times)
{
  switch (node_at(c, node)->kind) {
  case PL_SYNTAX_INDEX:
    walk(c, node_at(c, node)->child, times);
    return;
  case PL_SYNTAX_ARRAY:
    return;
  case PL_SYNTAX_FOR:
    walk(c, node_at(c, node)->tail, times * count_iterations(c, node));
    return;
  case PL_SYNTAX_DECLARATION:
    if (!declares_integer(c, node)) walk_children(c, node, times);
    return;
  case PL_SYNTAX_UNARY:
    if (pl_syntax_is(c->tree, node, PL_SYNTAX_UNARY, "sizeof")) return;
    break;
  case PL_SYNTAX_BINARY:
  case PL_SYNTAX_ASSIGN:
    count_operator(c, node, times);
    break;
  case PL_SYNTAX_CALL:
    if (pl_token_in(called(c, node), "PL_PREFETCH")) return;
    count_call(c, node, times);
    break;
  default:
    break;
  }
  walk_children(c, node, times);
}

/* ---- a loop's kernel ---- */

static pl_err count_text(pl_loop *loop, const pl_source *source)
{
  pl_kernel_outline outline;
  const pl_origin origin = pl_kernel_origin(loop->kernel);
  const char *name = loop->kernel->name;
  PL_TRY(
    pl_kernel_outline_read(loop->pl, &origin, pl_string_chars(&source->text), source->text.length, &outline));
  counter c = {.outline = &outline, .tree = &outline.syntax};
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

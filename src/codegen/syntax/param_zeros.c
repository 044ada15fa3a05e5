/* SPDX-License-Identifier: BSD-2-Clause
 * Follows the values of a parameter that statements set to zero, to the end of the kernel.
 */
#include "param_zeros.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_VALUES = 64 };

typedef struct body {
  const pl_syntax *tree;
  const char *name; /* of the parameter */
  int declarator;
} body;

static const pl_syntax_node *node_of(const body *b, int node)
{
  return &b->tree->node[node];
}

static bool is_parameter(const body *b, int node)
{
  return node_of(b, node)->declarator == b->declarator &&
         pl_syntax_is(b->tree, node, PL_SYNTAX_NAME, b->name);
}

static bool is_variable(const body *b, int node, int declarator)
{
  return node_of(b, node)->kind == PL_SYNTAX_NAME && node_of(b, node)->declarator == declarator;
}

/* The next node of `block` behind i, in any order; 0: none. */
static int next_node(const body *b, int block, int i)
{
  const pl_syntax_node *outer = node_of(b, block);
  for (i++; i < b->tree->count; i++)
    if (node_of(b, i)->first >= outer->first && node_of(b, i)->last <= outer->last) return i;
  return 0;
}

#define EACH_NODE(i, b, block) for (int i = next_node(b, block, 0); i; i = next_node(b, block, i))

static bool is_statement(const body *b, int node)
{
  const pl_syntax_kind outer = node_of(b, node_of(b, node)->parent)->kind;
  return outer == PL_SYNTAX_BLOCK || outer == PL_SYNTAX_FOR || outer == PL_SYNTAX_CONTROL;
}

/* A name or call that is a whole statement may be a macro. */
static bool may_jump(const body *b, int node)
{
  switch (node_of(b, node)->kind) {
  case PL_SYNTAX_OTHER:
  case PL_SYNTAX_DIRECTIVE:
  case PL_SYNTAX_LABEL:
    return true;
  case PL_SYNTAX_CONTROL:
    return !pl_syntax_is(b->tree, node, PL_SYNTAX_CONTROL, "if while do");
  case PL_SYNTAX_NAME:
  case PL_SYNTAX_CALL:
    return is_statement(b, node);
  default:
    return false;
  }
}

/* x[...] or *x, whose address is not taken; 0: another use. */
static int value_of(const body *b, int name)
{
  const int value = node_of(b, name)->parent;
  const bool plain = (node_of(b, value)->kind == PL_SYNTAX_INDEX && node_of(b, value)->child == name) ||
                     pl_syntax_is(b->tree, value, PL_SYNTAX_UNARY, "*");
  const int outer = node_of(b, pl_syntax_outside(b->tree, value))->parent;
  return plain && !pl_syntax_is(b->tree, outer, PL_SYNTAX_UNARY, "&") ? value : 0;
}

/* No jumps, and only values of the parameter are used. */
static bool can_be_followed(const body *b, int block)
{
  EACH_NODE(i, b, block)
  if (may_jump(b, i) || (is_parameter(b, i) && !value_of(b, i))) return false;
  return true;
}

static int count_uses(const body *b, int statement)
{
  int n = 0;
  EACH_NODE(i, b, statement) n += is_parameter(b, i);
  return n;
}

/* 0, 0.0, 0.f, ... */
static bool is_zero(const body *b, int node)
{
  const pl_token *token = &b->tree->tokens.item[node_of(b, node)->first];
  if (node_of(b, node)->kind != PL_SYNTAX_LITERAL || token->kind != PL_TOKEN_NUMBER) return false;
  return strspn(token->text, "0.fFlLuU") >= token->length && memchr(token->text, '0', token->length);
}

/* A number from 0 to MOST_VALUES; else -1. */
static int number_of(const body *b, int node)
{
  const pl_token *token = &b->tree->tokens.item[node_of(b, node)->first];
  if (node_of(b, node)->kind != PL_SYNTAX_LITERAL || token->kind != PL_TOKEN_NUMBER || token->length > 2 ||
      strspn(token->text, "0123456789") < token->length || (token->length > 1 && *token->text == '0'))
    return -1;
  const int n = atoi(token->text);
  return n <= MOST_VALUES ? n : -1;
}

/* The value that the statement x[...] = 0 or *x = 0 sets, or 0. */
static int cleared_by(const body *b, int statement)
{
  if (!pl_syntax_is(b->tree, statement, PL_SYNTAX_ASSIGN, "=") || count_uses(b, statement) != 1) return 0;
  const int value = node_of(b, statement)->child;
  const int name = node_of(b, value)->child;
  return is_parameter(b, name) && value_of(b, name) == value &&
             is_zero(b, pl_syntax_child(b->tree, statement, 1))
           ? value
           : 0;
}

static uint64_t cleared_by_assignment(const body *b, int statement)
{
  const int value = cleared_by(b, statement);
  if (!value) return 0;
  if (node_of(b, value)->kind == PL_SYNTAX_UNARY) return 1;
  const int n = number_of(b, pl_syntax_child(b->tree, value, 1));
  return n < 0 || n == MOST_VALUES ? 0 : UINT64_C(1) << n;
}

/* The DECLARATOR k of for (int k = 0; k < n; k++), with *n; else 0. */
static int counter_of(const body *b, int loop, int *n)
{
  const pl_syntax *tree = b->tree;
  const int declaration = node_of(b, loop)->child, k = node_of(b, declaration)->child,
            condition = node_of(b, declaration)->next, step = node_of(b, condition)->next;
  if (node_of(b, declaration)->kind != PL_SYNTAX_DECLARATION || !k || node_of(b, k)->next) return 0;
  const int init = node_of(b, k)->child;
  if (node_of(b, init)->kind != PL_SYNTAX_INIT || number_of(b, node_of(b, init)->child) != 0) return 0;
  *n = number_of(b, pl_syntax_child(tree, condition, 1));
  const bool counts =
    pl_syntax_is(tree, condition, PL_SYNTAX_BINARY, "<") && *n > 0 &&
    is_variable(b, node_of(b, condition)->child, k) &&
    (node_of(b, step)->kind == PL_SYNTAX_POSTFIX || node_of(b, step)->kind == PL_SYNTAX_UNARY) &&
    pl_syntax_has(tree, step, "++") && is_variable(b, node_of(b, step)->child, k);
  return counts ? k : 0;
}

/* In the statement the counter is only read, and the parameter is only x[counter]. */
static bool follows_counter(const body *b, int statement, int counter)
{
  EACH_NODE(i, b, statement)
  {
    const int outer = node_of(b, i)->parent;
    const pl_syntax_node *around = node_of(b, outer);
    if (is_variable(b, i, counter) &&
        ((around->kind == PL_SYNTAX_ASSIGN && around->child == i) || around->kind == PL_SYNTAX_POSTFIX ||
         around->kind == PL_SYNTAX_PARENTHESES || pl_syntax_is(b->tree, outer, PL_SYNTAX_UNARY, "++ -- &")))
      return false;
    if (is_parameter(b, i) &&
        (around->kind != PL_SYNTAX_INDEX || !is_variable(b, pl_syntax_child(b->tree, outer, 1), counter)))
      return false;
  }
  return true;
}

static uint64_t cleared_by_loop(const body *b, int loop)
{
  int n = 0, last = 0;
  if (node_of(b, loop)->kind != PL_SYNTAX_FOR) return 0;
  const int counter = counter_of(b, loop, &n), statement = pl_syntax_child(b->tree, loop, 3);
  if (!counter || !follows_counter(b, statement, counter)) return 0;
  if (count_uses(b, statement) != count_uses(b, loop)) return 0;
  const bool block = node_of(b, statement)->kind == PL_SYNTAX_BLOCK;
  for (int s = block ? node_of(b, statement)->child : statement; s; s = block ? node_of(b, s)->next : 0)
    if (count_uses(b, s)) last = s;
  if (!cleared_by(b, last)) return 0;
  return n == MOST_VALUES ? UINT64_MAX : (UINT64_C(1) << n) - 1;
}

/* Goes over the statements in order and keeps the set of values that are zero behind each. */
int pl_param_clears(const pl_syntax *tree, int block, const char *name, int declarator)
{
  const body b = {tree, name, declarator};
  uint64_t zero = 0;
  int n = 0;
  if (!can_be_followed(&b, block)) return 0;
  while (node_of(&b, node_of(&b, block)->child)->kind == PL_SYNTAX_BLOCK &&
         !node_of(&b, node_of(&b, block)->child)->next)
    block = node_of(&b, block)->child;
  for (int s = node_of(&b, block)->child; s; s = node_of(&b, s)->next) {
    const uint64_t cleared = cleared_by_assignment(&b, s) | cleared_by_loop(&b, s);
    if (cleared || count_uses(&b, s)) zero = cleared ? zero | cleared : 0;
  }
  while (n < MOST_VALUES && zero >> n & 1) n++;
  return n;
}

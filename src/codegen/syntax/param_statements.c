/* SPDX-License-Identifier: BSD-2-Clause
 * Where the statements of a kernel use a parameter.
 */
#include "param_statements.h"
#include <stdlib.h>
#include <string.h>

const pl_syntax_node *pl_tracked_node(const pl_tracked *x, int node)
{
  return &x->tree->node[node];
}

bool pl_tracked_is(const pl_tracked *x, int node)
{
  return pl_tracked_node(x, node)->declarator == x->declarator &&
         pl_syntax_is(x->tree, node, PL_SYNTAX_NAME, x->name);
}

bool pl_tracked_is_variable(const pl_tracked *x, int node, int declarator)
{
  return pl_tracked_node(x, node)->kind == PL_SYNTAX_NAME &&
         pl_tracked_node(x, node)->declarator == declarator;
}

/* The next node of `block` behind i, in any order; 0: none. */
static int next_node(const pl_tracked *x, int block, int i)
{
  const pl_syntax_node *outer = pl_tracked_node(x, block);
  for (i++; i < x->tree->count; i++)
    if (pl_tracked_node(x, i)->first >= outer->first && pl_tracked_node(x, i)->last <= outer->last) return i;
  return 0;
}

#define EACH_NODE(i, x, block) for (int i = next_node(x, block, 0); i; i = next_node(x, block, i))

static bool is_statement(const pl_tracked *x, int node)
{
  const pl_syntax_kind outer = pl_tracked_node(x, pl_tracked_node(x, node)->parent)->kind;
  return outer == PL_SYNTAX_BLOCK || outer == PL_SYNTAX_FOR || outer == PL_SYNTAX_CONTROL;
}

/* A name or call that is a whole statement may be a macro. */
static bool may_jump(const pl_tracked *x, int node)
{
  switch (pl_tracked_node(x, node)->kind) {
  case PL_SYNTAX_OTHER:
  case PL_SYNTAX_DIRECTIVE:
  case PL_SYNTAX_LABEL:
    return true;
  case PL_SYNTAX_CONTROL:
    return !pl_syntax_is(x->tree, node, PL_SYNTAX_CONTROL, "if while do");
  case PL_SYNTAX_NAME:
  case PL_SYNTAX_CALL:
    return is_statement(x, node);
  default:
    return false;
  }
}

/* x[...] or *x, whose address is not taken; 0: another use. */
int pl_tracked_value(const pl_tracked *x, int name)
{
  const int value = pl_tracked_node(x, name)->parent;
  const bool plain =
    (pl_tracked_node(x, value)->kind == PL_SYNTAX_INDEX && pl_tracked_node(x, value)->child == name) ||
    pl_syntax_is(x->tree, value, PL_SYNTAX_UNARY, "*");
  const int outer = pl_tracked_node(x, pl_syntax_outside(x->tree, value))->parent;
  return plain && !pl_syntax_is(x->tree, outer, PL_SYNTAX_UNARY, "&") ? value : 0;
}

/* No jumps, and only values of the parameter are used. */
bool pl_tracked_is_plain(const pl_tracked *x, int block)
{
  EACH_NODE (i, x, block)
    if (may_jump(x, i) || (pl_tracked_is(x, i) && !pl_tracked_value(x, i))) return false;
  return true;
}

int pl_tracked_count(const pl_tracked *x, int statement)
{
  int n = 0;
  EACH_NODE (i, x, statement) n += pl_tracked_is(x, i);
  return n;
}

/* A number from 0 to PL_TRACKED_VALUES; else -1. */
int pl_tracked_number(const pl_tracked *x, int node)
{
  const pl_token *token = &x->tree->tokens.item[pl_tracked_node(x, node)->first];
  if (pl_tracked_node(x, node)->kind != PL_SYNTAX_LITERAL || token->kind != PL_TOKEN_NUMBER ||
      token->length > 2 || strspn(token->text, "0123456789") < token->length ||
      (token->length > 1 && *token->text == '0'))
    return -1;
  const int n = atoi(token->text);
  return n <= PL_TRACKED_VALUES ? n : -1;
}

/* The DECLARATOR k of for (int k = 0; k < n; k++), with *n; else 0. */
int pl_tracked_counter(const pl_tracked *x, int loop, int *n)
{
  const pl_syntax *tree = x->tree;
  const int declaration = pl_tracked_node(x, loop)->child, k = pl_tracked_node(x, declaration)->child,
            condition = pl_tracked_node(x, declaration)->next, step = pl_tracked_node(x, condition)->next;
  if (pl_tracked_node(x, declaration)->kind != PL_SYNTAX_DECLARATION || !k || pl_tracked_node(x, k)->next)
    return 0;
  const int init = pl_tracked_node(x, k)->child;
  if (pl_tracked_node(x, init)->kind != PL_SYNTAX_INIT ||
      pl_tracked_number(x, pl_tracked_node(x, init)->child) != 0)
    return 0;
  *n = pl_tracked_number(x, pl_syntax_child(tree, condition, 1));
  const bool counts = pl_syntax_is(tree, condition, PL_SYNTAX_BINARY, "<") && *n > 0 &&
                      pl_tracked_is_variable(x, pl_tracked_node(x, condition)->child, k) &&
                      (pl_tracked_node(x, step)->kind == PL_SYNTAX_POSTFIX ||
                       pl_tracked_node(x, step)->kind == PL_SYNTAX_UNARY) &&
                      pl_syntax_has(tree, step, "++") &&
                      pl_tracked_is_variable(x, pl_tracked_node(x, step)->child, k);
  return counts ? k : 0;
}

/* In the statement the counter is only read, and the parameter is only x[counter]. */
bool pl_tracked_by(const pl_tracked *x, int statement, int counter)
{
  EACH_NODE (i, x, statement) {
    const int outer = pl_tracked_node(x, i)->parent;
    const pl_syntax_node *around = pl_tracked_node(x, outer);
    if (pl_tracked_is_variable(x, i, counter) &&
        ((around->kind == PL_SYNTAX_ASSIGN && around->child == i) || around->kind == PL_SYNTAX_POSTFIX ||
         around->kind == PL_SYNTAX_PARENTHESES || pl_syntax_is(x->tree, outer, PL_SYNTAX_UNARY, "++ -- &")))
      return false;
    if (pl_tracked_is(x, i) && (around->kind != PL_SYNTAX_INDEX ||
                                !pl_tracked_is_variable(x, pl_syntax_child(x->tree, outer, 1), counter)))
      return false;
  }
  return true;
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Classifies each occurrence of a parameter by the nodes around it.
 */
#include "param_usage.h"
#include <limits.h>
#include <stdlib.h>

static const pl_syntax_node *parent_of(const pl_syntax *tree, int node)
{
  return &tree->node[tree->node[node].parent];
}

static void note_reach(const pl_syntax *tree, int index, int *reach)
{
  const pl_syntax_node *node = &tree->node[pl_syntax_child(tree, index, 1)];
  const pl_token *token = &tree->tokens.item[node->first];
  long value =
    token->kind == PL_TOKEN_NUMBER && node->first == node->last ? strtol(token->text, NULL, 0) : -1;
  if (value >= *reach && value < INT_MAX) *reach = (int)value + 1;
}

/* The whole value that the name belongs to: x[2][i].re for x. *deep: how many pointers were followed. */
static int find_value(const pl_syntax *tree, int node, int *deep, pl_param_usage *uses)
{
  for (*deep = 0;; node = tree->node[node].parent) {
    node = pl_syntax_outside(tree, node);
    const int outer = tree->node[node].parent;
    const bool first = tree->node[outer].child == node;
    const pl_syntax_kind kind = tree->node[outer].kind;
    if (kind == PL_SYNTAX_INDEX && first) {
      if (*deep < 2) note_reach(tree, outer, &uses->reach[*deep]);
      ++*deep;
    } else if (pl_syntax_is(tree, outer, PL_SYNTAX_UNARY, "*") ||
               pl_syntax_is(tree, outer, PL_SYNTAX_MEMBER, "->")) {
      ++*deep;
    } else if (!(kind == PL_SYNTAX_MEMBER && *deep) && /* or *x++ */
               !(kind == PL_SYNTAX_POSTFIX && !*deep &&
                 pl_syntax_is(tree, tree->node[outer].parent, PL_SYNTAX_UNARY, "*"))) {
      return node;
    }
  }
}

/* The second x[0] in x[0] = x[0] + y and x[0] = y + x[0]; 0 otherwise. */
static int own_term(const pl_syntax *tree, int value)
{
  int node = pl_syntax_inside(tree, tree->node[value].next), terms = 0;
  for (; pl_syntax_is(tree, node, PL_SYNTAX_BINARY, "+ -"); terms++) {
    const int right = pl_syntax_child(tree, node, 1);
    if (pl_syntax_is(tree, node, PL_SYNTAX_BINARY, "+") && pl_syntax_same(tree, right, value)) return right;
    node = pl_syntax_inside(tree, tree->node[node].child);
  }
  return terms && pl_syntax_same(tree, node, value) ? node : 0;
}

/* The value is compared, a whole branch of ?:, or an argument of fmin or fmax. */
static bool is_compared(const pl_syntax *tree, int value)
{
  const int outer = tree->node[value].parent, first = tree->node[outer].child;
  if (pl_syntax_is(tree, outer, PL_SYNTAX_BINARY, "< > <= >= == !=")) return true;
  if (tree->node[outer].kind == PL_SYNTAX_CONDITIONAL) return value != first;
  return tree->node[outer].kind == PL_SYNTAX_CALL &&
         pl_syntax_is(tree, first, PL_SYNTAX_NAME, "fmin fmax fminf fmaxf");
}

/* Whether the value is written; *own: a term of a sum that belongs to this. */
static bool note_write(const pl_syntax *tree, int value, pl_param_usage *uses, int *own)
{
  const int outer = tree->node[value].parent;
  const bool assigned = tree->node[outer].kind == PL_SYNTAX_ASSIGN && tree->node[outer].child == value;
  if (pl_syntax_is(tree, outer, PL_SYNTAX_ASSIGN, "=") && assigned) {
    *own = own_term(tree, value);
    *(*own ? &uses->adds : &uses->sets) = true;
  } else if (assigned) {
    *(pl_syntax_is(tree, outer, PL_SYNTAX_ASSIGN, "+= -= |= ^=") ? &uses->adds : &uses->scales) = true;
  } else if (tree->node[outer].kind == PL_SYNTAX_POSTFIX ||
             pl_syntax_is(tree, outer, PL_SYNTAX_UNARY, "++ --")) {
    uses->adds = true;
  } else {
    return false;
  }
  return uses->writes = true;
}

pl_param_usage pl_param_usage_find(const pl_syntax *tree, int block, const char *name, int declarator,
                                   int depth)
{
  pl_param_usage uses = {0};
  int own = 0, deep;
  for (int i = block; i < tree->count && tree->node[i].first <= tree->node[block].last; i++) {
    const pl_syntax_node *node = &tree->node[i];
    if (node->kind == PL_SYNTAX_DIRECTIVE) return (pl_param_usage){0};
    if (node->declarator != declarator || !pl_syntax_is(tree, i, PL_SYNTAX_NAME, name)) continue;
    if (parent_of(tree, i)->kind == PL_SYNTAX_OTHER) return (pl_param_usage){0};
    const int value = find_value(tree, i, &deep, &uses);
    if (deep >= depth && note_write(tree, value, &uses, &own)) continue;
    if (deep >= depth && is_compared(tree, value))
      uses.weighs = true;
    else if (pl_syntax_inside(tree, value) != own)
      uses.others = true;
  }
  return uses;
}

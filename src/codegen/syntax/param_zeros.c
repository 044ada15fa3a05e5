/* SPDX-License-Identifier: BSD-2-Clause
 * Follows the values of a parameter that statements set to zero, to the end of the kernel.
 */
#include "param_zeros.h"
#include "param_statements.h"
#include <string.h>

/* 0, 0.0, 0.f, ... */
static bool is_zero(const pl_tracked *x, int node)
{
  const pl_token *token = &x->tree->tokens.item[pl_tracked_node(x, node)->first];
  if (pl_tracked_node(x, node)->kind != PL_SYNTAX_LITERAL || token->kind != PL_TOKEN_NUMBER) return false;
  return strspn(token->text, "0.fFlLuU") >= token->length && memchr(token->text, '0', token->length);
}

/* The value that the statement x[...] = 0 or *x = 0 sets, or 0. */
static int cleared_by(const pl_tracked *x, int statement)
{
  if (!pl_syntax_is(x->tree, statement, PL_SYNTAX_ASSIGN, "=") || pl_tracked_count(x, statement) != 1)
    return 0;
  const int value = pl_tracked_node(x, statement)->child;
  const int name = pl_tracked_node(x, value)->child;
  return pl_tracked_is(x, name) && pl_tracked_value(x, name) == value &&
             is_zero(x, pl_syntax_child(x->tree, statement, 1))
           ? value
           : 0;
}

static uint64_t cleared_by_assignment(const pl_tracked *x, int statement)
{
  const int value = cleared_by(x, statement);
  if (!value) return 0;
  if (pl_tracked_node(x, value)->kind == PL_SYNTAX_UNARY) return 1;
  const int n = pl_tracked_number(x, pl_syntax_child(x->tree, value, 1));
  return n < 0 || n == PL_TRACKED_VALUES ? 0 : UINT64_C(1) << n;
}

static uint64_t cleared_by_loop(const pl_tracked *x, int loop)
{
  int n = 0, last = 0;
  if (pl_tracked_node(x, loop)->kind != PL_SYNTAX_FOR) return 0;
  const int counter = pl_tracked_counter(x, loop, &n), statement = pl_syntax_child(x->tree, loop, 3);
  if (!counter || !pl_tracked_by(x, statement, counter)) return 0;
  if (pl_tracked_count(x, statement) != pl_tracked_count(x, loop)) return 0;
  const bool block = pl_tracked_node(x, statement)->kind == PL_SYNTAX_BLOCK;
  for (int s = block ? pl_tracked_node(x, statement)->child : statement; s;
       s = block ? pl_tracked_node(x, s)->next : 0)
    if (pl_tracked_count(x, s)) last = s;
  if (!cleared_by(x, last)) return 0;
  return n == PL_TRACKED_VALUES ? UINT64_MAX : (UINT64_C(1) << n) - 1;
}

/* Goes over the statements in order and keeps the set of values that are zero behind each. */
int pl_param_clears(const pl_syntax *tree, int block, const char *name, int declarator)
{
  const pl_tracked parameter = {tree, name, declarator}, *x = &parameter;
  uint64_t zero = 0;
  int n = 0;
  if (!pl_tracked_is_plain(x, block)) return 0;
  while (pl_tracked_node(x, pl_tracked_node(x, block)->child)->kind == PL_SYNTAX_BLOCK &&
         !pl_tracked_node(x, pl_tracked_node(x, block)->child)->next)
    block = pl_tracked_node(x, block)->child;
  for (int s = pl_tracked_node(x, block)->child; s; s = pl_tracked_node(x, s)->next) {
    const uint64_t cleared = cleared_by_assignment(x, s) | cleared_by_loop(x, s);
    if (cleared || pl_tracked_count(x, s)) zero = cleared ? zero | cleared : 0;
  }
  while (n < PL_TRACKED_VALUES && zero >> n & 1) n++;
  return n;
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Finds divisors and the uses of parameters in the tree.
 */
#include "write_checks.h"

/* Remembers to write a parenthesis behind token `last`; false if too many are open. */
static bool open_parenthesis(pl_writer *w, int last)
{
  if (w->nopen == PL_MOST_OPEN) return false;
  w->open[w->nopen++] = last;
  return true;
}

/* In brackets, or where C wants a constant. */
static bool is_kept(const pl_syntax *tree, int node)
{
  for (int outer; (outer = tree->node[node].parent); node = outer) {
    pl_syntax_kind kind = tree->node[outer].kind;
    if (kind == PL_SYNTAX_ARRAY || (kind == PL_SYNTAX_INDEX && tree->node[outer].child != node) ||
        pl_syntax_is(tree, outer, PL_SYNTAX_CONTROL, "case") ||
        (kind == PL_SYNTAX_DECLARATION && pl_syntax_specifies(tree, outer, "static")))
      return true;
  }
  return false;
}

static bool is_number(const pl_syntax *tree, int node)
{
  while (tree->node[node].kind == PL_SYNTAX_UNARY || tree->node[node].kind == PL_SYNTAX_CAST ||
         tree->node[node].kind == PL_SYNTAX_PARENTHESES) {
    if (pl_syntax_is(tree, node, PL_SYNTAX_UNARY, "sizeof")) return true;
    node = tree->node[node].tail;
  }
  return tree->node[node].kind == PL_SYNTAX_LITERAL;
}

/* x / y, x /= y. */
static void write_divisor(pl_writer *w, const pl_syntax *tree, int node)
{
  const pl_syntax_node *divisor = &tree->node[tree->node[node].tail];
  if (is_number(tree, tree->node[node].tail) || is_kept(tree, node) || !open_parenthesis(w, divisor->last))
    return;
  pl_writer_copy(w, pl_token_end(pl_piece_token(w->piece, tree->node[node].at)));
  pl_string_add(w->out, " PL_DIVISOR(");
}

/* The number of the parameter that the node names, or -1. */
static int find_parameter(const pl_writer *w, const pl_unit *unit, int node)
{
  const pl_syntax_node *name = &w->piece->outline.syntax.node[node];
  bool own =
    name->kind == PL_SYNTAX_NAME && name->declarator > unit->parameters && name->declarator < unit->code;
  return own ? pl_signature_find(w->program->signature, pl_piece_token(w->piece, name->at)) : -1;
}

/* x[i], unless an address is taken. */
static void write_index(pl_writer *w, const pl_unit *unit, const pl_syntax *tree, int node)
{
  int level = 0, array = tree->node[node].child, whole = node;
  for (; tree->node[array].kind == PL_SYNTAX_INDEX; level++) array = tree->node[array].child;
  while (tree->node[tree->node[whole].parent].kind == PL_SYNTAX_INDEX &&
         tree->node[tree->node[whole].parent].child == whole)
    whole = tree->node[whole].parent;
  int p = find_parameter(w, unit, array);
  if (p < 0 || level >= pl_param_brackets(&w->program->signature->param[p]) ||
      pl_syntax_is(tree, tree->node[whole].parent, PL_SYNTAX_UNARY, "&") ||
      !open_parenthesis(w, tree->node[node].last - 1))
    return;
  pl_writer_copy(w, pl_token_end(pl_piece_token(w->piece, tree->node[node].at)));
  pl_string_add(w->out, "PL_INDEX(%d, %d, ", p, level);
}

/* *x and x->re. */
static void write_pointer(pl_writer *w, const pl_unit *unit, const pl_syntax *tree, int node)
{
  int p = find_parameter(w, unit, node), outer = tree->node[node].parent, at = tree->node[node].at;
  if (p < 0 ||
      !(pl_syntax_is(tree, outer, PL_SYNTAX_UNARY, "*") || pl_syntax_is(tree, outer, PL_SYNTAX_MEMBER, "->")))
    return;
  pl_writer_copy(w, pl_piece_token(w->piece, at)->text);
  pl_string_add(w->out, "PL_GIVEN(%d, ", p);
  pl_writer_copy(w, pl_token_end(pl_piece_token(w->piece, at)));
  pl_string_add(w->out, ")");
}

void pl_write_checks(pl_writer *w, const pl_unit *unit, int i)
{
  const pl_syntax *tree = &w->piece->outline.syntax;
  int node = pl_syntax_at(tree, i);
  bool own = pl_token_is(pl_piece_token(w->piece, unit->name), w->program->kernel->name);
  if (own && tree->node[node].kind == PL_SYNTAX_INDEX) write_index(w, unit, tree, node);
  if (own) write_pointer(w, unit, tree, node);
  if (pl_syntax_is(tree, node, PL_SYNTAX_BINARY, "/ %") ||
      pl_syntax_is(tree, node, PL_SYNTAX_ASSIGN, "/= %="))
    write_divisor(w, tree, node);
  for (; w->nopen && w->open[w->nopen - 1] == i; w->nopen--) {
    pl_writer_copy(w, pl_token_end(pl_piece_token(w->piece, i)));
    pl_string_add(w->out, ")");
  }
}

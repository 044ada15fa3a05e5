/* SPDX-License-Identifier: BSD-2-Clause
 * The tree.
 */
#include "syntax.h"
#include "core/context/error.h"
#include "core/context/memory.h"
#include <string.h>

pl_err pl_syntax_open(pl_context *pl, const char *text, size_t length, int line, pl_syntax *tree)
{
  *tree = (pl_syntax){.pl = pl, .tokens = {.pl = pl}};
  PL_TRY(pl_tokens_read(pl, text, length, line, &tree->tokens));
  const size_t count = (size_t)tree->tokens.count;
  tree->node_at = pl_calloc(pl, count, sizeof *tree->node_at);
  tree->node = pl_calloc(pl, 1, sizeof *tree->node);
  if (tree->node_at && tree->node) {
    tree->node[tree->count++] = (pl_syntax_node){.kind = PL_SYNTAX_OTHER, .at = -1};
    tree->capacity = 1;
    return PL_SUCCESS;
  }
  pl_syntax_free(tree);
  return pl_fail_memory(pl, count * sizeof *tree->node_at);
}

void pl_syntax_free(pl_syntax *tree)
{
  if (!tree->pl) return;
  pl_tokens_free(&tree->tokens);
  pl_free_all(tree->pl, tree->node, tree->node_at);
  *tree = (pl_syntax){.pl = tree->pl, .tokens = {.pl = tree->pl}};
}

int pl_syntax_child(const pl_syntax *tree, int node, int n)
{
  int child = tree->node[node].child;
  while (n-- > 0 && child) child = tree->node[child].next;
  return child;
}

int pl_syntax_outside(const pl_syntax *tree, int node)
{
  while (tree->node[tree->node[node].parent].kind == PL_SYNTAX_PARENTHESES) node = tree->node[node].parent;
  return node;
}

int pl_syntax_inside(const pl_syntax *tree, int node)
{
  while (tree->node[node].kind == PL_SYNTAX_PARENTHESES) node = tree->node[node].child;
  return node;
}

bool pl_syntax_is(const pl_syntax *tree, int node, pl_syntax_kind kind, const char *words)
{
  return tree->node[node].kind == kind && pl_tokens_in(&tree->tokens, tree->node[node].at, words);
}

bool pl_syntax_same(const pl_syntax *tree, int a, int b)
{
  const pl_syntax_node *x = &tree->node[a], *y = &tree->node[b];
  if (x->last - x->first != y->last - y->first) return false;
  for (int i = 0; i <= x->last - x->first; i++)
    if (!pl_token_same(&tree->tokens.item[x->first + i], &tree->tokens.item[y->first + i])) return false;
  return true;
}

static bool has_word(const pl_syntax *tree, int first, int last, const char *words)
{
  while (first <= last && !pl_tokens_in(&tree->tokens, first, words)) first++;
  return first <= last;
}

bool pl_syntax_has(const pl_syntax *tree, int node, const char *words)
{
  return has_word(tree, tree->node[node].first, tree->node[node].last, words);
}

bool pl_syntax_specifies(const pl_syntax *tree, int declaration, const char *words)
{
  const pl_syntax_node *node = &tree->node[declaration];
  int end = node->child ? tree->node[node->child].first : node->last + 1;
  return has_word(tree, node->first, end - 1, words);
}

int pl_syntax_at(const pl_syntax *tree, int token)
{
  return tree->node_at[token];
}

/* ---- words ---- */

const char *pl_type_word(int i)
{
  static const char *const words[] = {
#define X(code, ctype, bytes) #ctype,
    PL_TYPE_LIST(X)
#undef X
      "char",
    "short",
    "int",
    "long",
    "signed",
    "unsigned",
    "void",
    "_Bool",
    "bool",
    "_Complex",
    "const",
    "struct",
    "union",
    "enum",
    "pl_real",
    "pl_mixed",
    NULL};
  return words[i];
}

bool pl_is_type_word(const pl_token *token)
{
  static const char row[] = "pl_row_";
  bool found = token->length >= sizeof row - 1 && !strncmp(token->text, row, sizeof row - 1);
  for (int i = 0; pl_type_word(i) && !found; i++) found = pl_token_is(token, pl_type_word(i));
  return found;
}

bool pl_is_qualifier(const pl_token *token)
{
  return pl_token_in(token, "const volatile restrict __restrict __restrict__ register static");
}

/* The nearest token on one side, over qualifiers, if it is one of `words`; else -1. */
static int beside(const pl_tokens *tokens, int i, int step, const char *words)
{
  do i += step;
  while (i >= 0 && pl_tokens_in(tokens, i, "const volatile"));
  return i >= 0 && pl_tokens_in(tokens, i, words) ? i : -1;
}

/* `complex` behind the type is a declared name unless something to declare or to cast follows. */
static bool closes_type(const pl_tokens *tokens, int i)
{
  const pl_token *next = &tokens->item[i + 1];
  if (pl_token_is(next, ")")) return next[1].kind != PL_TOKEN_END && !pl_token_in(&next[1], "{ ; ,");
  return next->kind == PL_TOKEN_NAME || pl_token_is(next, "*");
}

int pl_complex_part(const pl_tokens *tokens, int i)
{
  static const char parts[] = "float double";
  if (i < 0 || !pl_tokens_in(tokens, i, "_Complex complex")) return -1;
  const int before = beside(tokens, i, -1, parts), behind = beside(tokens, i, 1, parts);
  if (before >= 0 && (pl_tokens_in(tokens, i, "_Complex") || closes_type(tokens, i))) return before;
  return behind;
}

int pl_complex_word(const pl_tokens *tokens, int i)
{
  static const char words[] = "_Complex complex";
  if (!pl_tokens_in(tokens, i, "float double")) return -1;
  const int before = beside(tokens, i, -1, words), behind = beside(tokens, i, 1, words);
  if (pl_complex_part(tokens, behind) == i) return behind;
  return pl_complex_part(tokens, before) == i ? before : -1;
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Finds out from its text whether SIMD lanes can run an algorithm.
 */
#include "scan_vectorise.h"
#include "codegen/syntax/syntax_read.h"
#include <string.h>

/* A tree of the text of a statement or expression, and its statement, or 0 unless there is exactly one. */
static pl_err read_text(pl_context *pl, const char *text, size_t length, pl_syntax *tree, int *statement)
{
  int block = 0;
  PL_TRY(pl_syntax_open(pl, text, length, 1, tree));
  pl_err err = pl_syntax_read_statements(tree, 0, tree->tokens.count - 1, &block);
  if (err) pl_syntax_free(tree);
  *statement = err || tree->node[block].child != tree->node[block].tail ? 0 : tree->node[block].child;
  return err;
}

/* No node around `node` and within it is of one of two kinds. */
static bool lacks(const pl_syntax *tree, int node, pl_syntax_kind kind, pl_syntax_kind other)
{
  for (int i = 1; i < tree->count; i++)
    if ((tree->node[i].kind == kind || tree->node[i].kind == other) &&
        tree->node[i].first >= tree->node[node].first && tree->node[i].last <= tree->node[node].last)
      return false;
  return true;
}

static pl_slice text_of(const pl_syntax *tree, int node)
{
  const pl_token *first = &tree->tokens.item[tree->node[node].first],
                 *last = &tree->tokens.item[tree->node[node].last];
  return (pl_slice){first->text, (size_t)(last->text + last->length - first->text)};
}

/* ---- operators ---- */

/* The operator, or the expression that PL_COMMUTATIVE declares in its place. `light`: without calls. */
static pl_err read_operator(pl_scan_program *program)
{
  const char *text = program->algorithm->op, *end = text + strlen(text);
  const size_t size = pl_type_size(program->item);
  pl_syntax tree;
  int node;
  pl_lexer lexer;
  pl_lex_open(&lexer, text, strlen(text), 1);
  pl_token word = pl_lex_next(&lexer), open = pl_lex_next(&lexer);
  program->commutes = pl_token_is(&word, "PL_COMMUTATIVE") && pl_token_is(&open, "(") && end[-1] == ')';
  if (program->commutes) text = open.text + 1, end--;
  program->op = (pl_slice){text, (size_t)(end - text)};
  PL_TRY(read_text(program->pl, text, program->op.length, &tree, &node));
  program->light = node && (size == 4 || size == 8) && lacks(&tree, node, PL_SYNTAX_CALL, PL_SYNTAX_OTHER);
  pl_syntax_free(&tree);
  return PL_SUCCESS;
}

/* ---- outputs ---- */

/* The parameter that y[i] = value stores to; -1: it is no such store, or not of items' type. */
static int stored_param(const pl_scan_program *program, const pl_syntax *tree, int store)
{
  const int index = tree->node[store].child, array = tree->node[index].child;
  if (!pl_syntax_is(tree, store, PL_SYNTAX_ASSIGN, "=") || tree->node[index].kind != PL_SYNTAX_INDEX ||
      tree->node[array].kind != PL_SYNTAX_NAME ||
      !pl_syntax_is(tree, tree->node[array].next, PL_SYNTAX_NAME, "i"))
    return -1;
  for (int p = 0; p < program->signature.count; p++) {
    const pl_param *param = &program->signature.param[p];
    if (pl_syntax_is(tree, array, PL_SYNTAX_NAME, param->name))
      return program->arg[p].kind == PL_ARG_DAT && !param->is_const && param->type == program->item ? p : -1;
  }
  return -1;
}

/* The statement only stores a value, which changes nothing else, to an array that no other one stores to. */
static bool add_store(pl_scan_program *program, const pl_syntax *tree, int store)
{
  const int param = stored_param(program, tree, store), value = tree->node[store].tail;
  if (param < 0 || program->nstores == PL_MOST_STORES ||
      !lacks(tree, value, PL_SYNTAX_ASSIGN, PL_SYNTAX_POSTFIX))
    return false;
  for (int i = value; i < tree->count; i++)
    if (pl_syntax_is(tree, i, PL_SYNTAX_UNARY, "++ --")) return false;
  for (int k = 0; k < program->nstores; k++)
    if (program->store[k].param == param) return false;
  program->store[program->nstores++] = (pl_scan_store){param, text_of(tree, value)};
  return true;
}

/* The name is that of an array that is stored to, and not where this is done. */
static bool reads_stored(const pl_scan_program *program, const pl_syntax *tree, int name)
{
  const int index = tree->node[name].parent, store = tree->node[index].parent;
  if (tree->node[store].kind == PL_SYNTAX_ASSIGN && tree->node[store].child == index) return false;
  for (int k = 0; k < program->nstores; k++)
    if (pl_syntax_is(tree, name, PL_SYNTAX_NAME, program->signature.param[program->store[k].param].name))
      return true;
  return false;
}

/* All stores, or none. */
static pl_err find_stores(pl_scan_program *program)
{
  int block;
  pl_syntax tree;
  const char *text = program->algorithm->output;
  PL_TRY(read_text(program->pl, text, strlen(text), &tree, &block));
  bool stores = tree.node[block].kind == PL_SYNTAX_BLOCK;
  for (int k = tree.node[block].child; k && stores; k = tree.node[k].next)
    stores = add_store(program, &tree, k);
  for (int k = 1; k < tree.count; k++) stores &= !reads_stored(program, &tree, k);
  if (!stores) program->nstores = 0;
  pl_syntax_free(&tree);
  return PL_SUCCESS;
}

pl_err pl_scan_vectorises(pl_scan_program *program)
{
  PL_TRY(read_operator(program));
  program->commutes &= program->light && !program->algorithm->flag;
  return program->light && program->algorithm->output ? find_stores(program) : PL_SUCCESS;
}

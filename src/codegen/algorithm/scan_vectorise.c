/* SPDX-License-Identifier: BSD-2-Clause
 * Finds in the text of an algorithm what SIMD lanes can do.
 */
#include "scan_vectorise.h"
#include "core/base/scalar_type.h"
#include <string.h>

/* ---- operators ---- */

/* Without calls. */
static bool is_light(const pl_slice *op)
{
  pl_lexer lexer;
  pl_lex_open(&lexer, op->text, op->length, 1);
  for (pl_token last = {0}, next; (next = pl_lex_next(&lexer)).kind > PL_TOKEN_ERROR; last = next)
    if (last.kind == PL_TOKEN_NAME && pl_token_is(&next, "(")) return false;
  return true;
}

/* The operator, or what is declared PL_COMMUTATIVE in its place. */
static void read_operator(pl_scan_program *program)
{
  const char *text = program->algorithm->op, *end = text + strlen(text);
  pl_lexer lexer;
  pl_lex_open(&lexer, text, strlen(text), 1);
  pl_token word = pl_lex_next(&lexer), open = pl_lex_next(&lexer);
  program->commutes = pl_token_is(&word, "PL_COMMUTATIVE") && pl_token_is(&open, "(") && end[-1] == ')';
  if (program->commutes) text = open.text + 1, end--;
  program->op = (pl_slice){text, (size_t)(end - text)};
}

/* ---- outputs ---- */

/* The parameter that NAME [ i ] = stores to; -1: it is no such store, or not of items' type. */
static int stored_param(const pl_scan_program *program, pl_lexer *lexer, const pl_token *name)
{
  static const char *const words[] = {"[", "i", "]", "="};
  for (int k = 0; k < 4; k++) {
    const pl_token token = pl_lex_next(lexer);
    if (!pl_token_is(&token, words[k])) return -1;
  }
  for (int p = 0; p < program->signature.count; p++) {
    const pl_param *param = &program->signature.param[p];
    if (pl_token_is(name, param->name))
      return program->arg[p].kind == PL_ARG_DAT && !param->is_const && param->type == program->item ? p : -1;
  }
  return -1;
}

/* The expression up to its semicolon; without a length if there is more to it than a value. */
static pl_slice value_of(pl_lexer *lexer)
{
  pl_slice value = {0};
  pl_token token = pl_lex_next(lexer);
  value.text = token.text;
  for (; !pl_token_is(&token, ";"); token = pl_lex_next(lexer)) {
    if (token.kind <= PL_TOKEN_ERROR || token.kind >= PL_TOKEN_DIRECTIVE ||
        pl_token_in(&token, "{ } = += -= *= /= %= &= |= ^= ++ -- <<= >>="))
      return (pl_slice){0};
    value.length = (size_t)(token.text + token.length - value.text);
  }
  return value;
}

/* Whether a value reads an array that is stored to. */
static bool reads_stored(const pl_scan_program *program, const pl_slice *value)
{
  pl_lexer lexer;
  pl_lex_open(&lexer, value->text, value->length, 1);
  for (pl_token token; (token = pl_lex_next(&lexer)).kind > PL_TOKEN_ERROR;)
    for (int k = 0; k < program->nstores; k++)
      if (pl_token_is(&token, program->signature.param[program->store[k].param].name)) return true;
  return false;
}

/* All stores, or none. */
static void find_stores(pl_scan_program *program)
{
  pl_lexer lexer;
  int n = 0;
  const char *text = program->algorithm->output;
  pl_lex_open(&lexer, text, strlen(text), 1);
  pl_token token = pl_lex_next(&lexer);
  if (!pl_token_is(&token, "{")) return;
  while (token = pl_lex_next(&lexer), !pl_token_is(&token, "}")) {
    int param = n < PL_MOST_STORES ? stored_param(program, &lexer, &token) : -1;
    const pl_slice value = param < 0 ? (pl_slice){0} : value_of(&lexer);
    if (!value.length) return;
    program->store[n++] = (pl_scan_store){param, value};
  }
  token = pl_lex_next(&lexer);
  if (token.kind != PL_TOKEN_END) return;
  program->nstores = n;
  for (int k = 0; k < n; k++) {
    bool again = false;
    for (int j = 0; j < k; j++) again |= program->store[j].param == program->store[k].param;
    if (again || reads_stored(program, &program->store[k].value)) program->nstores = 0;
  }
}

void pl_scan_vectorises(pl_scan_program *program)
{
  size_t size = pl_type_size(program->item);
  read_operator(program);
  program->light = (size == 4 || size == 8) && is_light(&program->op);
  program->commutes &= program->light && !program->algorithm->flag;
  if (program->light && program->algorithm->output) find_stores(program);
}

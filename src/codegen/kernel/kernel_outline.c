/* SPDX-License-Identifier: BSD-2-Clause
 * Finds the units of a text in one pass over its tokens.
 */
#include "kernel_outline.h"
#include "codegen/syntax/syntax_read.h"
#include "core/context/error.h"
#include "core/context/memory.h"
#include <string.h>

pl_origin pl_kernel_origin(const pl_kernel *kernel)
{
  return (pl_origin){"kernel", kernel->name, kernel->file ? kernel->file : "its source",
                     kernel->line > 0 ? kernel->line : 1};
}

pl_origin pl_function_origin(const pl_function *function)
{
  return (pl_origin){"function", function->name, function->file ? function->file : "its source",
                     function->line > 0 ? function->line : 1};
}

static const pl_token *token_at(const pl_kernel_outline *outline, int i)
{
  return &outline->tokens.item[i];
}

static bool is_at(const pl_kernel_outline *outline, int i, const char *words)
{
  return pl_tokens_in(&outline->tokens, i, words);
}

/* Names before a parenthesis that do not declare a function. */
static bool is_attribute(const pl_token *token)
{
  return pl_token_in(token,
                     "__attribute__ __attribute __declspec _Alignas alignas __asm__ asm _Static_assert "
                     "static_assert __launch_bounds__ typeof __typeof__ decltype noexcept");
}

/* Properties of a unit, found so far. */
typedef struct progress {
  bool assigned, is_typedef, is_type, braced, declared;
} progress;

/* Notes a token outside brackets that neither opens a bracket nor ends the unit. */
static void note_token(const pl_kernel_outline *outline, pl_unit *unit, progress *seen, int i)
{
  const pl_token *token = token_at(outline, i);
  if (is_at(outline, i, "=")) seen->assigned = true;
  if (is_at(outline, i, "= ,")) seen->declared = true;
  if (token->kind != PL_TOKEN_NAME) return;
  if (pl_token_in(token, "typedef using")) seen->is_typedef = true;
  if (pl_token_in(token, "struct union enum")) seen->is_type = true;
  if (!seen->declared && unit->open < 0) unit->name = i;
}

/* A parenthesis at i, closed at `close`. */
static void note_parentheses(const pl_kernel_outline *outline, pl_unit *unit, const progress *seen, int i,
                             int close)
{
  const pl_token *before = i > unit->first ? token_at(outline, i - 1) : NULL;
  if (seen->assigned || !before || before->kind != PL_TOKEN_NAME || is_attribute(before)) return;
  unit->name = i - 1;
  unit->open = i;
  unit->close = close;
}

static pl_unit_kind kind_of(const pl_unit *unit, const progress *seen)
{
  if (seen->is_typedef || unit->name < 0 || unit->first == unit->last) return PL_UNIT_OTHER;
  if (seen->assigned) return PL_UNIT_VARIABLE;
  if (seen->is_type && (seen->braced || unit->last - unit->first <= 2)) return PL_UNIT_OTHER;
  return unit->open >= 0 ? PL_UNIT_PROTOTYPE : PL_UNIT_VARIABLE;
}

/* The brace of extern "C" { or of a namespace: its contents are at file scope. */
static bool opens_scope(const pl_kernel_outline *outline, int first, int brace)
{
  if (brace > 0 && token_at(outline, brace - 1)->kind == PL_TOKEN_STRING) return true;
  return is_at(outline, first, "namespace") ||
         (is_at(outline, first, "inline") && is_at(outline, first + 1, "namespace"));
}

/* Reads the unit that starts at unit->first; returns the index of the token that cannot be read, or -1. */
static int read_unit(const pl_kernel_outline *outline, pl_unit *unit)
{
  progress seen = {0};
  for (int i = unit->first;; i++) {
    const pl_token *token = token_at(outline, i);
    if (token->kind == PL_TOKEN_END) return -1;
    unit->last = i;
    if (token->kind == PL_TOKEN_DIRECTIVE) continue;
    if (is_at(outline, i, "; }")) break;
    bool brace = is_at(outline, i, "{");
    if (brace && opens_scope(outline, unit->first, i)) return -1;
    if (!brace && !is_at(outline, i, "( [")) {
      note_token(outline, unit, &seen, i);
      continue;
    }
    int close = pl_tokens_match(&outline->tokens, i);
    if (close < 0) return i;
    unit->last = close;
    if (brace && unit->open >= 0 && !seen.assigned) {
      unit->kind = PL_UNIT_FUNCTION;
      unit->body = i;
      return -1;
    }
    if (is_at(outline, i, "(")) note_parentheses(outline, unit, &seen, i, close);
    if (is_at(outline, i, "[")) seen.declared = true;
    seen.braced = seen.braced || brace;
    i = close;
  }
  unit->kind = kind_of(unit, &seen);
  return -1;
}

/* A block at file scope belongs to a function whose parameters are declared before it, as before C89. */
static pl_err check_block(const pl_kernel_outline *outline, const pl_origin *origin, int brace)
{
  int k = outline->count - 1;
  while (k >= 0 && outline->unit[k].kind == PL_UNIT_VARIABLE) k--;
  if (!is_at(outline, brace, "{") || k < 0 || outline->unit[k].kind != PL_UNIT_PROTOTYPE) return PL_SUCCESS;
  const pl_token *name = token_at(outline, outline->unit[k].name);
  return pl_fail(outline->pl, PL_ERR_KERNEL,
                 PL_AT "\"%.*s\" declares its parameters after the parentheses, which not every target "
                       "accepts: write their types inside",
                 PL_AT_ARGS(origin, name->line), (int)name->length, name->text);
}

static pl_err read_syntax(pl_kernel_outline *outline, pl_unit *unit)
{
  pl_syntax *tree = &outline->syntax;
  pl_err err = PL_SUCCESS;
  if (unit->kind == PL_UNIT_FUNCTION)
    err = pl_syntax_read_function(tree, unit->open, unit->close, unit->body, unit->last + 1,
                                  &unit->parameters, &unit->code);
  else if (unit->kind != PL_UNIT_PROTOTYPE)
    err = pl_syntax_read_statements(tree, unit->first, unit->last + 1, &unit->code);
  unit->behind = tree->count;
  return err;
}

static pl_err read_units(pl_kernel_outline *outline, const pl_origin *origin)
{
  const pl_token *token;
  int capacity = 0;
  for (int i = 0; (token = token_at(outline, i))->kind != PL_TOKEN_END; i++) {
    if (token->kind == PL_TOKEN_DIRECTIVE) continue;
    PL_TRY(check_block(outline, origin, i));
    pl_unit unit = {PL_UNIT_OTHER, i, i, -1, -1, -1, -1, false, false, 0, 0, 0};
    int bad = read_unit(outline, &unit);
    if (bad >= 0)
      return pl_fail(outline->pl, PL_ERR_KERNEL, PL_AT "a %.1s here is not closed",
                     PL_AT_ARGS(origin, token_at(outline, bad)->line), token_at(outline, bad)->text);
    PL_TRY(read_syntax(outline, &unit));
    PL_TRY(PL_GROW(outline->pl, outline->unit, capacity, outline->count + 1));
    outline->unit[outline->count++] = unit;
    i = unit.last;
  }
  return PL_SUCCESS;
}

static pl_err read_text(pl_kernel_outline *outline, const pl_origin *origin, const char *text, size_t length)
{
  pl_tokens *tokens = &outline->syntax.tokens;
  PL_TRY(pl_syntax_open(outline->pl, text, length, origin->line, &outline->syntax));
  const pl_token *last = &tokens->item[tokens->count - 1];
  if (last->kind == PL_TOKEN_ERROR)
    return pl_fail(outline->pl, PL_ERR_KERNEL, PL_AT "%s", PL_AT_ARGS(origin, last->line),
                   pl_token_problem(last));
  pl_tokens_prune(tokens, NULL, NULL);
  outline->tokens = *tokens;
  return read_units(outline, origin);
}

pl_err pl_kernel_outline_read(pl_context *pl, const pl_origin *origin, const char *text, size_t length,
                              pl_kernel_outline *outline)
{
  *outline = (pl_kernel_outline){.pl = pl};
  pl_err err = read_text(outline, origin, text, length);
  if (err) pl_kernel_outline_free(outline);
  return err;
}

void pl_kernel_outline_free(pl_kernel_outline *outline)
{
  if (!outline->pl) return;
  pl_syntax_free(&outline->syntax);
  pl_free(outline->pl, outline->unit);
  *outline = (pl_kernel_outline){.pl = outline->pl};
}

const pl_unit *pl_kernel_outline_find(const pl_kernel_outline *outline, const char *name, size_t length)
{
  for (int i = 0; i < outline->count; i++) {
    const pl_unit *unit = &outline->unit[i];
    if (unit->kind != PL_UNIT_FUNCTION) continue;
    const pl_token *token = token_at(outline, unit->name);
    if (token->length == length && memcmp(token->text, name, length) == 0) return unit;
  }
  return NULL;
}

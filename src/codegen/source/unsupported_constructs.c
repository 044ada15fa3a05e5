/* SPDX-License-Identifier: BSD-2-Clause
 * Refuses constructs that some target cannot run: kept data, calls of the host's functions, recursion, reads
 * behind a const.
 */
#include "unsupported_constructs.h"
#include "portable_c.h"
#include "core/data/objects.h"
#include <limits.h>
#include <stdlib.h>

/* ---- tokens ---- */

static bool is_forbidden(const pl_token *name)
{
  return pl_token_in(name, "printf fprintf malloc calloc realloc free exit abort");
}

/* Data that is const itself: `static const double x[2] =`, not `static const double *x =`. */
static bool is_const_data(const pl_piece *piece, int i)
{
  const pl_token *token = piece->outline.tokens.item;
  bool is_const = pl_token_is(&token[i - 1], "const");
  for (; !pl_token_is(&token[i], "=") && !pl_token_is(&token[i], ";") && !pl_token_is(&token[i], "}"); i++)
    is_const = (is_const || pl_token_is(&token[i], "const")) && !pl_token_is(&token[i], "*");
  return is_const;
}

static pl_err check_token(const pl_assembly *program, const pl_piece *piece, int i)
{
  const pl_token *token = &piece->outline.tokens.item[i];
  const pl_origin *origin = &piece->origin;
  if (pl_piece_names(piece, i) && pl_token_is(token, "static") && !is_const_data(piece, i))
    return pl_fail(program->pl, PL_ERR_KERNEL,
                   PL_AT "static data cannot be kept in a kernel: use a const or a global",
                   PL_AT_ARGS(origin, token->line));
  if (!pl_piece_calls(piece, i)) return PL_SUCCESS;
  if (is_forbidden(token) && !pl_assembly_defines(program, token))
    return pl_fail(program->pl, PL_ERR_KERNEL, PL_AT "%.*s cannot be called in a kernel",
                   PL_AT_ARGS(origin, token->line), (int)token->length, token->text);
  return PL_SUCCESS;
}

/* A macro, or text that cannot be read, may declare the name. */
static bool may_declare(const pl_piece *piece, const pl_unit *unit, const pl_token *name)
{
  const pl_syntax *tree = &piece->outline.syntax;
  for (int i = unit->code; i < unit->behind; i++) {
    const pl_syntax_kind outer = tree->node[tree->node[i].parent].kind;
    if (tree->node[i].kind == PL_SYNTAX_NAME && (outer == PL_SYNTAX_CALL || outer == PL_SYNTAX_OTHER) &&
        pl_token_same(pl_piece_token(piece, tree->node[i].at), name))
      return true;
  }
  return false;
}

/* gam[5] of a const that has 3 values. */
static pl_err check_reach(const pl_assembly *program, const pl_piece *piece, const pl_unit *unit, int i)
{
  const pl_syntax *tree = &piece->outline.syntax;
  const pl_syntax_node *name = pl_piece_node(piece, i), *index = &tree->node[name->next];
  const pl_token *token = pl_piece_token(piece, i);
  if (name->kind != PL_SYNTAX_NAME || name->declarator > unit->parameters ||
      tree->node[name->parent].kind != PL_SYNTAX_INDEX || index->kind != PL_SYNTAX_LITERAL)
    return PL_SUCCESS;
  const pl_const *constant = pl_const_find(program->pl, token->text, token->length);
  long value = strtol(pl_piece_token(piece, index->at)->text, NULL, 0);
  if (!constant || value < constant->dim || !pl_unit_uses_const(piece, unit, constant->node.name) ||
      may_declare(piece, unit, token))
    return PL_SUCCESS;
  return pl_fail(program->pl, PL_ERR_KERNEL,
                 PL_AT "the kernel uses value %ld of const \"%s\", but it has %d, from 0 to %d",
                 PL_AT_ARGS(&piece->origin, token->line), value, constant->node.name, constant->dim,
                 constant->dim - 1);
}

/* ---- variables, pieces ---- */

/* An extern variable may be const: the linker decides. `static const int n;` has its value in a second
 * declaration, if anywhere. */
static pl_err check_variable(const pl_assembly *program, const pl_piece *piece, const pl_unit *unit)
{
  const pl_syntax *tree = &piece->outline.syntax;
  const pl_token *name = pl_piece_token(piece, unit->name);
  const bool is_extern = pl_syntax_has(tree, unit->code, "extern");
  const bool is_const = pl_syntax_has(tree, unit->code, "const constexpr");
  if (is_extern || pl_const_find(program->pl, name->text, name->length)) return PL_SUCCESS;
  if (!is_const)
    return pl_fail(program->pl, PL_ERR_KERNEL,
                   PL_AT "the variable \"%.*s\" outside functions is not const: use a global",
                   PL_AT_ARGS(&piece->origin, name->line), (int)name->length, name->text);
  if (!pl_syntax_has(tree, unit->code, "="))
    return pl_fail(program->pl, PL_ERR_KERNEL,
                   PL_AT "the const variable \"%.*s\" outside functions has no value",
                   PL_AT_ARGS(&piece->origin, name->line), (int)name->length, name->text);
  return PL_SUCCESS;
}

static pl_err check_piece(const pl_assembly *program, const pl_piece *piece)
{
  for (int k = 0; k < piece->outline.count; k++) {
    const pl_unit *unit = &piece->outline.unit[k];
    PL_TRY(pl_portable_c_check(program, piece, unit));
    if (unit->kind == PL_UNIT_VARIABLE) PL_TRY(check_variable(program, piece, unit));
    if (unit->kind != PL_UNIT_FUNCTION) continue;
    for (int i = unit->body; i < unit->last; i++) {
      PL_TRY(check_token(program, piece, i));
      PL_TRY(check_reach(program, piece, unit, i));
    }
  }
  return PL_SUCCESS;
}

/* ---- recursion ---- */

/* A function, and the token where it calls one that may be recursive (-1: nowhere). */
typedef struct open_call {
  const pl_piece *piece;
  pl_unit *unit;
  int at;
} open_call;

static const pl_token *called_at(const open_call *f)
{
  return &f->piece->outline.tokens.item[f->at];
}

/* The program's function of this name if it may be recursive; else its unit is NULL. */
static open_call find_open(const pl_assembly *program, const pl_token *name)
{
  for (int i = 0; i < program->count; i++) {
    const pl_kernel_outline *outline = &program->piece[i].outline;
    const pl_unit *unit = pl_kernel_outline_find(outline, name->text, name->length);
    if (unit && !unit->ends) return (open_call){&program->piece[i], &outline->unit[unit - outline->unit], -1};
  }
  return (open_call){NULL, NULL, -1};
}

static void find_call(const pl_assembly *program, open_call *f)
{
  for (int i = f->unit->body; i < f->unit->last && f->at < 0; i++)
    if (pl_piece_calls(f->piece, i) && find_open(program, &f->piece->outline.tokens.item[i]).unit) f->at = i;
}

/* Marks functions whose callees are all marked; returns how many are left, and one of these. */
static int mark_ends(const pl_assembly *program, open_call *some)
{
  int left = 0;
  for (int i = 0; i < program->count; i++)
    for (int k = 0; k < program->piece[i].outline.count; k++) {
      open_call f = {&program->piece[i], &program->piece[i].outline.unit[k], -1};
      if (f.unit->kind != PL_UNIT_FUNCTION || f.unit->ends) continue;
      find_call(program, &f);
      f.unit->ends = f.at < 0;
      if (f.unit->ends) continue;
      *some = f;
      left++;
    }
  return left;
}

/* The functions left call each other in a cycle, or lead to one: as many steps as there are functions end in
 * it. */
static pl_err check_calls(const pl_assembly *program)
{
  open_call f;
  int left = INT_MAX;
  for (int before = 0; left != before && left;) before = left, left = mark_ends(program, &f);
  if (!left) return PL_SUCCESS;
  for (; left > 0; left--) {
    f = find_open(program, called_at(&f));
    find_call(program, &f);
  }
  const pl_token *name = &f.piece->outline.tokens.item[f.unit->name], *call = called_at(&f);
  return pl_fail(program->pl, PL_ERR_KERNEL,
                 PL_AT "\"%.*s\" calls itself%s, and not every target can do that: use a loop",
                 PL_AT_ARGS(&f.piece->origin, call->line), (int)name->length, name->text,
                 pl_token_same(name, call) ? "" : " through others");
}

pl_err pl_refuse_unsupported(const pl_assembly *program)
{
  for (int i = 0; i < program->count && !pl_kernel_is_own(program->kernel); i++)
    PL_TRY(pl_names_check(program, &program->piece[i]));
  for (int i = 0; i < program->count && !program->fewer_rules; i++)
    PL_TRY(check_piece(program, &program->piece[i]));
  return program->fewer_rules ? PL_SUCCESS : check_calls(program);
}

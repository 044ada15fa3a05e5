/* SPDX-License-Identifier: BSD-2-Clause
 * Directives, functions and variables of a piece: qualifiers, consts, literals.
 */
#include "rewrite.h"
#include "tables.h"
#include "vector_source.h"
#include "write_checks.h"
#include "write_cplusplus.h"
#include "core/data/objects.h"
#include <string.h>

/* ---- tokens ---- */

/* 1LL, 1ull: without the second l where long has 64 bits and long long has more. */
static void write_one_long(pl_writer *w, const pl_token *token)
{
  for (const char *at = token->text; at + 1 < pl_token_end(token); at++) {
    if ((*at | 32) != 'l' || (at[1] | 32) != 'l') continue;
    pl_writer_copy(w, at);
    w->at++;
    return;
  }
}

static void write_number(pl_writer *w, const pl_token *token)
{
  if (w->program->style->one_long && token->kind == PL_TOKEN_NUMBER) write_one_long(w, token);
  if (!w->piece->uses_real || w->program->real != PL_FLOAT || !pl_token_is_real(token)) return;
  pl_writer_copy(w, pl_token_end(token));
  pl_string_add(w->out, "f");
}

/* Calls in a macro's replacement pass the consts, as calls in functions do. */
static void write_define(pl_writer *w, pl_lexer rest)
{
  pl_token before = {PL_TOKEN_END, 0, "", 0}, token;
  for (token = pl_lex_next(&rest); token.kind != PL_TOKEN_END; token = pl_lex_next(&rest)) {
    write_number(w, &token);
    bool call = before.kind == PL_TOKEN_NAME && pl_token_is(&token, "(");
    before =
      token.kind == PL_TOKEN_NAME && pl_assembly_defines(w->program, &token) ? token : (pl_token){.text = ""};
    if (!call || !w->program->has_consts) continue;
    pl_writer_copy(w, pl_token_end(&token));
    token = pl_lex_next(&rest);
    pl_string_add(w->out, pl_token_is(&token, ")") ? "pl_k" : "pl_k, ");
    write_number(w, &token);
    if (token.kind == PL_TOKEN_NAME && pl_assembly_defines(w->program, &token)) before = token;
  }
}

/* C becomes C++. */
static bool translates(const pl_writer *w)
{
  return w->program->style->cplusplus && !w->program->style->as_written;
}

/* The text is C, whatever the language of the target: a condition on __cplusplus asks for another name. */
static void write_condition(pl_writer *w, pl_lexer rest)
{
  for (pl_token token = pl_lex_next(&rest); token.kind != PL_TOKEN_END; token = pl_lex_next(&rest)) {
    if (!pl_token_is(&token, "__cplusplus")) continue;
    pl_writer_copy(w, token.text);
    pl_string_add(w->out, "pl");
  }
}

static void write_directive(pl_writer *w, const pl_token *directive)
{
  pl_lexer rest;
  pl_token macro, word = pl_directive_open(directive, &rest);
  bool left_out = !w->program->style->host || !pl_included_file(w->program, directive).length;
  if (pl_token_is(&word, "include") && left_out)
    pl_writer_omit(w, directive->text, pl_token_end(directive));
  else if (translates(w) && pl_token_in(&word, "if ifdef ifndef elif"))
    write_condition(w, rest);
  else if (pl_define_open(directive, &rest, &macro))
    write_define(w, rest);
}

/* The parameter or argument for the consts, behind the parenthesis at i of a function of the program. */
static void write_consts_argument(pl_writer *w, const pl_unit *unit, int i)
{
  bool declares = i == unit->open;
  if (!w->program->has_consts || i == 0 || !pl_piece_names(w->piece, i - 1)) return;
  if (!pl_assembly_defines(w->program, pl_piece_token(w->piece, i - 1))) return;
  pl_writer_copy(w, pl_token_end(pl_piece_token(w->piece, i)));
  if (declares) pl_writer_add(w, w->program->style->const_space);
  pl_string_add(w->out, declares ? "const struct pl_consts *pl_k" : "pl_k");
  if (declares && pl_piece_in(w->piece, i + 1, "void") && pl_piece_in(w->piece, i + 2, ")")) {
    const pl_token *nothing = pl_piece_token(w->piece, i + 1);
    pl_writer_omit(w, nothing->text, pl_token_end(nothing));
  } else if (!pl_piece_in(w->piece, i + 1, ")")) {
    pl_string_add(w->out, ", ");
  }
}

/* The second long of unsigned long long. */
static void write_long(pl_writer *w, int i)
{
  const pl_token *token = pl_piece_token(w->piece, i);
  for (int k = i - 1; k >= 0 && pl_piece_token(w->piece, k)->kind == PL_TOKEN_NAME; k--)
    if (pl_piece_in(w->piece, k, "long")) pl_writer_omit(w, token->text, pl_token_end(token));
}

/* The word `complex` of <complex.h>. */
static void write_complex(pl_writer *w, int i)
{
  const pl_token *token = pl_piece_token(w->piece, i);
  if (w->program->style->cplusplus || !pl_token_is(token, "complex") ||
      pl_complex_part(&w->piece->outline.tokens, i) < 0)
    return;
  pl_writer_omit(w, token->text, pl_token_end(token));
  pl_string_add(w->out, "_Complex");
}

static void write_word(pl_writer *w, int i)
{
  if (!w->program->style->host) write_complex(w, i);
  if (translates(w)) pl_write_cplusplus(w, i);
  if (w->program->style->one_long && pl_piece_in(w->piece, i, "long")) write_long(w, i);
}

static void write_token(pl_writer *w, const pl_unit *unit, int i)
{
  const pl_token *token = pl_piece_token(w->piece, i);
  if (w->vectors) pl_write_vector_before(w, i);
  if (token->kind == PL_TOKEN_NUMBER)
    write_number(w, token);
  else if (token->kind == PL_TOKEN_DIRECTIVE)
    write_directive(w, token);
  else if (pl_piece_in(w->piece, i, "("))
    write_consts_argument(w, unit, i);
  write_word(w, i);
  if (w->vectors) pl_write_vector_behind(w, i);
}

/* ---- units ---- */

/* The words before a function's name that the target's qualifier replaces. */
static bool is_linkage(const pl_token *token)
{
  return token->kind == PL_TOKEN_STRING || pl_token_in(token, "static inline extern __inline __inline__");
}

static void write_qualifier(pl_writer *w, const pl_unit *unit)
{
  const pl_source_options *style = w->program->style;
  const pl_token *name = pl_piece_token(w->piece, unit->name), *first = pl_piece_token(w->piece, unit->first);
  if (pl_token_is(first, "template")) return;
  pl_writer_copy(w, first->text);
  pl_writer_add(w, pl_token_is(name, w->program->kernel->name) ? style->kernel_qualifier
                                                               : style->function_qualifier);
  for (int i = unit->first; i < unit->name; i++) {
    const pl_token *token = pl_piece_token(w->piece, i);
    if (is_linkage(token)) pl_writer_omit(w, token->text, pl_token_end(token));
    write_word(w, i);
  }
}

/* Where data at file scope has an address space of its own, no pointer of C's points there. */
static bool has_spaces(const pl_writer *w)
{
  return !w->program->style->host && !w->program->style->cplusplus;
}

/* A copy of a table that the function takes the address of. */
static bool write_copy(pl_writer *w, const pl_unit *unit, const pl_unit *table, bool any)
{
  int extents = 0, i = table->name + 1;
  for (; pl_piece_in(w->piece, i, "["); extents++) i = pl_tokens_match(&w->piece->outline.tokens, i) + 1;
  if (table->kind != PL_UNIT_VARIABLE || !extents || !pl_piece_in(w->piece, i, "=") ||
      pl_const_find(w->program->pl, pl_piece_token(w->piece, table->name)->text,
                    pl_piece_token(w->piece, table->name)->length) ||
      !pl_takes_address(w->piece, unit, pl_piece_token(w->piece, table->name), extents))
    return false;
  if (!any) pl_writer_copy(w, pl_token_end(pl_piece_token(w->piece, unit->body)));
  for (i = table->first; i <= table->last; i++) {
    const pl_token *token = pl_piece_token(w->piece, i);
    if (!is_linkage(token) || token->kind == PL_TOKEN_STRING)
      pl_string_add(w->out, " %.*s", (int)token->length, token->text);
  }
  return true;
}

/* `const double gam = pl_k->gam;` for a scalar, a pointer for an array. */
static void write_const(pl_writer *w, const pl_unit *unit, const pl_const *constant)
{
  const pl_token word = {
    .kind = PL_TOKEN_NAME, .text = constant->node.name, .length = strlen(constant->node.name)};
  const char *type = pl_type_name(constant->type), *name = constant->node.name;
  if (constant->dim == 1) {
    pl_string_add(w->out, " const %s %s = pl_k->%s;", type, name, name);
  } else if (has_spaces(w) && pl_takes_address(w->piece, unit, &word, 1)) {
    pl_string_add(w->out, " const %s %s[%d] = {", type, name, constant->dim);
    for (int i = 0; i < constant->dim; i++) pl_string_add(w->out, "%spl_k->%s[%d]", i ? ", " : "", name, i);
    pl_string_add(w->out, "};");
  } else {
    pl_string_add(w->out, " ");
    pl_writer_add(w, w->program->style->const_space);
    pl_string_add(w->out, "const %s *const %s = pl_k->%s;", type, name, name);
  }
}

/* Declares the used consts and copies of tables behind the brace of a body, and opens a block whose
 * declarations may hide them. */
static bool write_consts(pl_writer *w, const pl_unit *unit)
{
  bool any = false;
  for (const pl_node *node = w->program->pl->consts; node; node = node->next) {
    if (!pl_unit_uses_const(w->piece, unit, node->name)) continue;
    if (!any) pl_writer_copy(w, pl_token_end(pl_piece_token(w->piece, unit->body)));
    write_const(w, unit, (const pl_const *)node);
    any = true;
  }
  for (int i = 0; has_spaces(w) && i < w->piece->outline.count; i++)
    any |= write_copy(w, unit, &w->piece->outline.unit[i], any);
  if (any) pl_string_add(w->out, " {");
  return any;
}

/* The bracket at i holds a parameter, or the star that stands for one. An outermost extent means nothing. */
static bool has_parameter(const pl_writer *w, const pl_unit *unit, int i)
{
  if (pl_piece_token(w->piece, i - 1)->kind != PL_TOKEN_NAME && !pl_piece_in(w->piece, i - 1, ","))
    return false;
  if (pl_piece_in(w->piece, i + 1, "*") && pl_piece_in(w->piece, i + 2, "]")) return true;
  for (int k = i + 1; !pl_piece_in(w->piece, k, "]"); k++)
    for (int p = unit->open + 1; p < i && pl_piece_token(w->piece, k)->kind == PL_TOKEN_NAME; p++)
      if (pl_token_same(pl_piece_token(w->piece, p), pl_piece_token(w->piece, k))) return true;
  return false;
}

/* A function's name and parameters, up to the token `end`. Leaves out the qualifiers in brackets,
 * `double x[static 3]`, which only C has. */
static void write_head(pl_writer *w, const pl_unit *unit, int end)
{
  int brackets = 0;
  for (int i = unit->name; i < end; i++) {
    const pl_token *token = pl_piece_token(w->piece, i);
    brackets += pl_piece_in(w->piece, i, "[") - pl_piece_in(w->piece, i, "]");
    if (pl_piece_in(w->piece, i, "[") && has_parameter(w, unit, i))
      pl_writer_omit(w, pl_token_end(token),
                     pl_piece_token(w->piece, pl_tokens_match(&w->piece->outline.tokens, i))->text);
    else if (brackets && pl_piece_in(w->piece, i, "static const restrict volatile"))
      pl_writer_omit(w, token->text, pl_token_end(token));
    else
      write_token(w, unit, i);
  }
}

static void write_function(pl_writer *w, const pl_unit *unit)
{
  pl_write_tables(w, unit);
  write_qualifier(w, unit);
  write_head(w, unit, unit->body);
  bool braced = write_consts(w, unit);
  for (int i = unit->body + 1; i < unit->last; i++) {
    const pl_token *token = pl_piece_token(w->piece, i);
    const pl_table *table = pl_table_at(w, unit, i);
    if (table && !w->program->style->cplusplus) {
      pl_write_table(w, table);
      i = table->last;
      continue;
    }
    if (*w->program->style->data_qualifier && pl_piece_in(w->piece, i, "static") && !table)
      pl_writer_omit(w, token->text, pl_token_end(token)); /* of constant data */
    pl_write_table_name(w, unit, i);
    write_token(w, unit, i);
    if (w->program->style->faults) pl_write_checks(w, unit, i);
  }
  pl_writer_copy(w, pl_token_end(pl_piece_token(w->piece, unit->last)));
  if (braced) pl_string_add(w->out, " }");
}

static void write_tokens(pl_writer *w, const pl_unit *unit, int first)
{
  for (int i = first; i <= unit->last; i++) write_token(w, unit, i);
}

/* Leaves out a variable that declares a const for the user's own compiler. */
static void write_variable(pl_writer *w, const pl_unit *unit)
{
  const pl_token *name = pl_piece_token(w->piece, unit->name), *first = pl_piece_token(w->piece, unit->first);
  const char *qualifier = w->program->style->data_qualifier;
  if (pl_const_find(w->program->pl, name->text, name->length)) {
    pl_writer_omit(w, first->text, pl_token_end(pl_piece_token(w->piece, unit->last)));
    return;
  }
  pl_writer_copy(w, first->text);
  pl_writer_add(w, qualifier);
  for (int i = unit->first; *qualifier && i < unit->name; i++) {
    const pl_token *token = pl_piece_token(w->piece, i);
    if (pl_token_is(token, "static")) pl_writer_omit(w, token->text, pl_token_end(token));
    write_word(w, i);
  }
  write_tokens(w, unit, unit->name);
}

static void write_unit(pl_writer *w, const pl_unit *unit)
{
  bool ours = unit->name >= 0 && pl_assembly_defines(w->program, pl_piece_token(w->piece, unit->name));
  switch (unit->kind) {
  case PL_UNIT_FUNCTION:
    write_function(w, unit);
    break;
  case PL_UNIT_VARIABLE:
    write_variable(w, unit);
    break;
  case PL_UNIT_PROTOTYPE:
    if (ours)
      write_qualifier(w, unit);
    else if (unit->first < unit->name && !w->program->style->host) /* nothing is linked there */
      pl_writer_omit(w, pl_piece_token(w->piece, unit->first)->text,
                     pl_token_end(pl_piece_token(w->piece, unit->last)));
    write_head(w, unit, unit->last + 1);
    break;
  case PL_UNIT_OTHER:
    write_tokens(w, unit, unit->first);
    break;
  }
}

void pl_rewrite(const pl_assembly *program, const pl_piece *piece, pl_string *out)
{
  const pl_kernel_outline *outline = &piece->outline;
  pl_writer w = {.program = program, .piece = piece, .out = out, .at = pl_string_chars(&piece->text)};
  int next = 0; /* unit */
  for (int i = 0; i < outline->tokens.count; i++) {
    if (next < outline->count && outline->unit[next].first == i) {
      i = outline->unit[next].last;
      write_unit(&w, &outline->unit[next++]);
    } else if (pl_piece_token(piece, i)->kind == PL_TOKEN_DIRECTIVE) {
      write_directive(&w, pl_piece_token(piece, i));
    }
  }
  pl_writer_copy(&w, pl_string_chars(&piece->text) + piece->text.length);
}

void pl_rewrite_vectors(const pl_assembly *program, const pl_vector_source *source, pl_string *out)
{
  const pl_piece *piece = source->piece;
  const char *name = program->kernel->name;
  const pl_unit *unit = pl_kernel_outline_find(&piece->outline, name, strlen(name));
  const pl_token *first = pl_piece_token(piece, unit->first);
  pl_writer w = {
    .program = program, .piece = piece, .out = out, .at = pl_string_chars(&piece->text), .vectors = source};
  pl_writer_omit(&w, w.at, first->text);
  write_function(&w, unit);
}

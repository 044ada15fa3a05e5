/* SPDX-License-Identifier: BSD-2-Clause
 * Names, macros and included files of pieces.
 */
#include "piece.h"
#include "core/context/error.h"
#include "core/context/memory.h"
#include <string.h>

pl_piece *pl_piece_insert(pl_assembly *program, uint64_t order)
{
  size_t bytes = ((size_t)program->count + 1) * sizeof *program->piece;
  pl_piece *piece = pl_resize(program->pl, program->piece, bytes);
  if (!piece) {
    pl_fail_memory(program->pl, bytes);
    return NULL;
  }
  program->piece = piece;
  int at = program->count++;
  for (; at > 0 && piece[at - 1].order > order; at--) piece[at] = piece[at - 1];
  piece[at] = (pl_piece){.order = order};
  pl_string_init(&piece[at].text, program->pl);
  pl_string_init(&piece[at].path, program->pl);
  return &piece[at];
}

void pl_piece_free(pl_piece *piece)
{
  pl_kernel_outline_free(&piece->outline);
  pl_string_free(&piece->text);
  pl_string_free(&piece->path);
}

bool pl_piece_names(const pl_piece *piece, int i)
{
  if (pl_piece_token(piece, i)->kind != PL_TOKEN_NAME) return false;
  return !pl_piece_in(piece, i - 1, ". ->");
}

bool pl_piece_calls(const pl_piece *piece, int i)
{
  return pl_piece_names(piece, i) && pl_piece_in(piece, i + 1, "(");
}

bool pl_define_open(const pl_token *directive, pl_lexer *rest, pl_token *macro)
{
  if (directive->kind != PL_TOKEN_DIRECTIVE) return false;
  pl_token word = pl_directive_open(directive, rest);
  if (!pl_token_is(&word, "define")) return false;
  *macro = pl_lex_next(rest);
  return true;
}

/* A #define whose replacement contains the name. */
static bool define_mentions(const pl_token *directive, const char *name)
{
  pl_lexer rest;
  pl_token token;
  if (!pl_define_open(directive, &rest, &token)) return false;
  while (token.kind != PL_TOKEN_END) {
    token = pl_lex_next(&rest);
    if (token.kind == PL_TOKEN_NAME && pl_token_is(&token, name)) return true;
  }
  return false;
}

static bool contains(const pl_piece *piece, const char *name, bool (*counts)(const pl_piece *piece, int i))
{
  const size_t length = strlen(name);
  if (!strstr(pl_string_chars(&piece->text), name)) return false; /* as in most pieces */
  for (int i = 0; i < piece->outline.tokens.count; i++) {
    const pl_token *token = pl_piece_token(piece, i);
    if (token->kind == PL_TOKEN_DIRECTIVE
          ? define_mentions(token, name)
          : token->length == length && pl_token_is(token, name) && counts(piece, i))
      return true;
  }
  return false;
}

bool pl_piece_calls_name(const pl_piece *piece, const char *name)
{
  return contains(piece, name, pl_piece_calls);
}

bool pl_piece_mentions(const pl_piece *piece, const char *name)
{
  return contains(piece, name, pl_piece_names);
}

static bool is_macro(const pl_piece *piece, const char *name)
{
  pl_lexer rest;
  pl_token macro;
  for (int i = 0; i < piece->outline.tokens.count; i++)
    if (pl_define_open(pl_piece_token(piece, i), &rest, &macro) && pl_token_is(&macro, name)) return true;
  return false;
}

static bool through_define(const pl_piece *piece, const char *name)
{
  for (int i = 0; i < piece->outline.tokens.count; i++)
    if (define_mentions(pl_piece_token(piece, i), name)) return true;
  return false;
}

bool pl_unit_uses_const(const pl_piece *piece, const pl_unit *unit, const char *name)
{
  bool named = false;
  for (int i = unit->open; i < unit->close; i++)
    if (pl_piece_in(piece, i, name)) return false; /* a parameter */
  for (int i = unit->body; i < unit->last && !named; i++)
    named = pl_piece_names(piece, i) && pl_piece_in(piece, i, name);
  return (named || through_define(piece, name)) && !is_macro(piece, name);
}

bool pl_takes_address(const pl_piece *piece, const pl_unit *unit, const pl_token *name, int extents)
{
  const pl_syntax *tree = &piece->outline.syntax;
  for (int i = unit->code; i < unit->behind; i++) {
    if (tree->node[i].kind != PL_SYNTAX_NAME || !pl_token_same(pl_piece_token(piece, tree->node[i].at), name))
      continue;
    int node = i, found = 0, outer;
    for (; outer = tree->node[node].parent, tree->node[outer].kind == PL_SYNTAX_INDEX; found++) {
      if (tree->node[outer].child != node) break;
      node = outer;
    }
    outer = tree->node[pl_syntax_outside(tree, node)].parent;
    bool measured = pl_syntax_is(tree, outer, PL_SYNTAX_UNARY, "sizeof");
    if (pl_syntax_is(tree, outer, PL_SYNTAX_UNARY, "&") || (found < extents && !measured)) return true;
  }
  return false;
}

bool pl_assembly_defines(const pl_assembly *program, const pl_token *name)
{
  for (int i = 0; i < program->count; i++)
    if (pl_kernel_outline_find(&program->piece[i].outline, name->text, name->length)) return true;
  return false;
}

/* Headers whose contents the prelude provides on devices. */
static bool is_replaced(const pl_token *name, bool host)
{
  return pl_token_in(name, host ? "plait.h"
                                : "plait.h math.h tgmath.h complex.h stdint.h stddef.h stdbool.h stdalign.h "
                                  "float.h limits.h stdlib.h string.h cmath cstdint cstddef cstdlib");
}

/* The name in the text up to `end`. */
static pl_token file_in(const pl_assembly *program, const char *text, const char *end)
{
  pl_token file = {.text = text};
  while (file.text < end && strchr(" \t", *file.text)) file.text++;
  file.length = (size_t)(end - file.text);
  const char *close =
    file.length > 1 ? memchr(file.text + 1, *file.text == '<' ? '>' : '"', file.length - 1) : NULL;
  if (!close) return file;
  const pl_token name = {.text = file.text + 1, .length = (size_t)(close - file.text - 1)};
  file.length = is_replaced(&name, program->style->host) ? 0 : name.length + 2;
  return file;
}

pl_token pl_included_file(const pl_assembly *program, const pl_token *directive)
{
  pl_lexer rest;
  pl_token word = {.length = 0};
  if (directive->kind == PL_TOKEN_DIRECTIVE) word = pl_directive_open(directive, &rest);
  if (!pl_token_in(&word, "include import include_next")) return (pl_token){.length = 0};
  return file_in(program, word.text + word.length, directive->text + directive->length);
}

pl_token pl_header_file(const pl_assembly *program, const char *header)
{
  return file_in(program, header, header + strlen(header));
}

const pl_piece *pl_piece_of_file(const pl_assembly *program, const pl_token *file)
{
  const size_t length = file->length < 2 ? 0 : file->length - 2;
  for (int p = 0; p < program->count; p++) {
    const pl_string *path = &program->piece[p].path;
    if (length && path->length > length && path->data[path->length - length - 1] == '/' &&
        !memcmp(path->data + path->length - length, file->text + 1, length))
      return &program->piece[p];
  }
  return NULL;
}

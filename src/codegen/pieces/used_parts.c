/* SPDX-License-Identifier: BSD-2-Clause
 * Follows the names from the kernel's function to the units that declare them.
 */
#include "used_parts.h"
#include "core/context/error.h"
#include "core/context/memory.h"
#include <stdlib.h>
#include <string.h>

/* A name that a unit declares. */
typedef struct entry {
  const pl_token *name;
  pl_unit *unit;
  const pl_piece *piece;
} entry;

typedef struct search {
  pl_assembly *program;
  entry *entry;       /* sorted by name when all are there */
  const entry **open; /* units that are used and not yet followed */
  int count, capacity, nopen;
} search;

static int compare_tokens(const pl_token *a, const pl_token *b)
{
  const int order = strncmp(a->text, b->text, a->length < b->length ? a->length : b->length);
  return order ? order : (a->length > b->length) - (a->length < b->length);
}

static int compare_entries(const void *a, const void *b)
{
  return compare_tokens(((const entry *)a)->name, ((const entry *)b)->name);
}

/* ---- names that units declare ---- */

static pl_err add_entry(search *s, const pl_piece *piece, pl_unit *unit, int token)
{
  PL_TRY(PL_GROW(s->program->pl, s->entry, s->capacity, s->count + 1));
  s->entry[s->count++] = (entry){pl_piece_token(piece, token), unit, piece};
  return PL_SUCCESS;
}

/* The constants of an enum in its braces. */
static pl_err add_constants(search *s, const pl_piece *piece, pl_unit *unit, int brace)
{
  const int close = pl_tokens_match(&piece->outline.tokens, brace);
  for (int i = brace + 1; i < close; i++)
    if (pl_piece_in(piece, i - 1, "{ ,")) PL_TRY(add_entry(s, piece, unit, i));
  return PL_SUCCESS;
}

/* struct x {, union x;, enum { a, b }: a tag is declared where a brace or the unit's end follows. */
static pl_err add_tags(search *s, const pl_piece *piece, pl_unit *unit)
{
  for (int i = unit->first; i < unit->last; i++) {
    if (!pl_piece_in(piece, i, "struct union enum")) continue;
    const bool named = pl_piece_token(piece, i + 1)->kind == PL_TOKEN_NAME;
    const int behind = i + 1 + named;
    if (named && pl_piece_in(piece, behind, "{ ;")) PL_TRY(add_entry(s, piece, unit, i + 1));
    if (pl_piece_in(piece, i, "enum") && pl_piece_in(piece, behind, "{"))
      PL_TRY(add_constants(s, piece, unit, behind));
  }
  return PL_SUCCESS;
}

/* The names that declarations at file scope declare; all names of a text that cannot be read. */
static pl_err add_declared(search *s, const pl_piece *piece, pl_unit *unit)
{
  const pl_syntax_node *node = piece->outline.syntax.node;
  for (int i = unit->code; unit->code && i < unit->behind; i++) {
    const bool unread = node[i].kind == PL_SYNTAX_NAME && node[node[i].parent].kind == PL_SYNTAX_OTHER;
    const bool declares = node[i].kind == PL_SYNTAX_DECLARATOR && node[i].at >= 0 &&
                          node[node[node[i].parent].parent].kind != PL_SYNTAX_FUNCTION;
    if (unread || declares) PL_TRY(add_entry(s, piece, unit, node[i].at));
  }
  return PL_SUCCESS;
}

static pl_err add_unit(search *s, const pl_piece *piece, pl_unit *unit)
{
  const int before = s->count;
  const bool scope = unit->first == unit->last || pl_piece_in(piece, unit->last, "{"); /* extern "C" { } */
  if (scope) {
    unit->used = true;
    return PL_SUCCESS;
  }
  if (unit->kind == PL_UNIT_FUNCTION || unit->kind == PL_UNIT_PROTOTYPE) {
    PL_TRY(add_entry(s, piece, unit, unit->name));
  } else {
    PL_TRY(add_declared(s, piece, unit));
    PL_TRY(add_tags(s, piece, unit));
  }
  unit->used = s->count == before; /* _Static_assert */
  return PL_SUCCESS;
}

/* ---- uses ---- */

static void use_name(search *s, const pl_token *name)
{
  const entry key = {.name = name};
  const entry *found =
    s->count ? bsearch(&key, s->entry, (size_t)s->count, sizeof key, compare_entries) : NULL;
  if (!found) return;
  while (found > s->entry && !compare_entries(found - 1, &key)) found--;
  for (; found < s->entry + s->count && !compare_entries(found, &key); found++) {
    if (found->unit->used) continue;
    found->unit->used = true;
    s->open[s->nopen++] = found;
  }
}

static void use_directive(search *s, const pl_token *directive)
{
  pl_lexer rest;
  pl_token word = pl_directive_open(directive, &rest);
  for (; word.kind != PL_TOKEN_END; word = pl_lex_next(&rest))
    if (word.kind == PL_TOKEN_NAME) use_name(s, &word);
}

static void follow(search *s, const pl_piece *piece, const pl_unit *unit)
{
  for (int i = unit->first; i <= unit->last; i++)
    if (pl_piece_token(piece, i)->kind == PL_TOKEN_NAME) use_name(s, pl_piece_token(piece, i));
}

static bool is_foreign(const pl_piece *piece)
{
  return piece->order >= PL_ORDER_INCLUDED;
}

/* From the kernel, from preprocessor lines and from units without a name. */
static void follow_all(search *s)
{
  const pl_assembly *program = s->program;
  const char *kernel = program->kernel->name;
  const pl_token root = {.kind = PL_TOKEN_NAME, .text = kernel, .length = strlen(kernel)};
  use_name(s, &root);
  for (int p = 0; p < program->count; p++) {
    const pl_piece *piece = &program->piece[p];
    for (int i = 0; is_foreign(piece) && i < piece->outline.tokens.count; i++)
      if (pl_piece_token(piece, i)->kind == PL_TOKEN_DIRECTIVE) use_directive(s, pl_piece_token(piece, i));
    for (int k = 0; is_foreign(piece) && k < piece->outline.count; k++)
      if (piece->outline.unit[k].used) follow(s, piece, &piece->outline.unit[k]);
  }
  while (s->nopen) {
    const entry *next = s->open[--s->nopen];
    follow(s, next->piece, next->unit);
  }
}

static pl_err mark_used(search *s)
{
  pl_assembly *program = s->program;
  for (int p = 0; p < program->count; p++)
    for (int k = 0; is_foreign(&program->piece[p]) && k < program->piece[p].outline.count; k++)
      PL_TRY(add_unit(s, &program->piece[p], &program->piece[p].outline.unit[k]));
  if (!s->count) return PL_SUCCESS;
  const size_t bytes = (size_t)s->count * sizeof(entry *);
  s->open = pl_malloc(program->pl, bytes);
  if (!s->open) return pl_fail_memory(program->pl, bytes);
  qsort(s->entry, (size_t)s->count, sizeof *s->entry, compare_entries);
  follow_all(s);
  return PL_SUCCESS;
}

/* ---- texts without the others ---- */

/* Keeps line ends and preprocessor lines. */
static void blank(const pl_piece *piece, const pl_unit *unit, pl_string *text)
{
  const char *at = pl_piece_token(piece, unit->first)->text;
  for (int i = unit->first; i <= unit->last; i++) {
    const pl_token *token = pl_piece_token(piece, i);
    const bool directive = token->kind == PL_TOKEN_DIRECTIVE;
    const char *end = directive ? token->text : token->text + token->length;
    for (; at < end; at++)
      if (*at == '\n') pl_string_add(text, "\n");
    if (directive) pl_string_add_bytes(text, at, token->length);
    at += directive ? token->length : 0;
  }
}

static pl_err drop_unused(pl_assembly *program, pl_piece *piece)
{
  pl_string text;
  pl_kernel_outline outline;
  const char *at = pl_string_chars(&piece->text), *end = at + piece->text.length;
  pl_string_init(&text, program->pl);
  for (int k = 0; k < piece->outline.count; k++) {
    const pl_unit *unit = &piece->outline.unit[k];
    if (unit->used) continue;
    const char *first = pl_piece_token(piece, unit->first)->text;
    const pl_token *last = pl_piece_token(piece, unit->last);
    pl_string_add_bytes(&text, at, (size_t)(first - at));
    blank(piece, unit, &text);
    at = last->text + last->length;
  }
  pl_string_add_bytes(&text, at, (size_t)(end - at));
  pl_err err = pl_string_check(&text);
  if (!err)
    err = pl_kernel_outline_read(program->pl, &piece->origin, pl_string_chars(&text), text.length, &outline);
  if (err) return pl_string_free(&text), err;
  pl_kernel_outline_free(&piece->outline);
  pl_string_free(&piece->text);
  piece->outline = outline;
  piece->text = text;
  return PL_SUCCESS;
}

static bool has_unused(const pl_piece *piece)
{
  bool any = false;
  for (int k = 0; is_foreign(piece) && k < piece->outline.count; k++) any |= !piece->outline.unit[k].used;
  return any;
}

pl_err pl_keep_used(pl_assembly *program)
{
  search s = {.program = program};
  pl_err err = mark_used(&s);
  pl_free_all(program->pl, s.open, s.entry);
  for (int p = 0; !err && p < program->count; p++)
    if (has_unused(&program->piece[p])) err = drop_unused(program, &program->piece[p]);
  return err;
}

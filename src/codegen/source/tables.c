/* SPDX-License-Identifier: BSD-2-Clause
 * Reads tables and their numbers in the syntax tree, and writes them where they are kept.
 */
#include "tables.h"
#include "codegen/kernel/signature.h"
#include "core/context/error.h"
#include "core/context/memory.h"
#include <stdlib.h>
#include <string.h>

/* Smallest size of constant memory that a device may have. */
enum { MOST_CONSTANT = 64 * 1024, RESERVE = 4 * 1024 };

/* ---- reading ---- */

bool pl_is_number_list(const pl_piece *piece, int i, int last)
{
  for (; i <= last; i++)
    if (pl_piece_token(piece, i)->kind != PL_TOKEN_NUMBER && !pl_piece_in(piece, i, "{ } , - +"))
      return false;
  return true;
}

/* Of a table of plain numbers. */
static pl_type type_of(const pl_piece *piece, int first, int name)
{
  pl_type type = PL_TYPE_COUNT;
  for (int i = first; i < name; i++) {
    if (pl_piece_in(piece, i, "static const")) continue;
    if (type != PL_TYPE_COUNT) return PL_TYPE_COUNT;
    if (pl_piece_in(piece, i, "double")) type = PL_DOUBLE;
    if (pl_piece_in(piece, i, "float")) type = PL_FLOAT;
    if (pl_piece_in(piece, i, "int int32_t")) type = PL_INT32;
    if (type == PL_TYPE_COUNT) return type;
  }
  return type;
}

static void read_extents(pl_table *t)
{
  const pl_syntax *tree = &t->piece->outline.syntax;
  t->values = 1;
  for (int k = tree->node[t->declarator].child; tree->node[k].kind == PL_SYNTAX_ARRAY;
       k = tree->node[k].next) {
    const pl_syntax_node *extent = &tree->node[tree->node[k].child];
    const bool literal = tree->node[k].child && extent->kind == PL_SYNTAX_LITERAL;
    const long n = literal ? strtol(pl_piece_token(t->piece, extent->at)->text, NULL, 0) : 0;
    if (t->rank < PL_TABLE_EXTENTS) t->extent[t->rank++] = (int)n;
    if (n < 1 || n > 1 << 24 || t->values * (size_t)n > 1 << 28) t->values = 0;
    t->values *= (size_t)n;
  }
}

/* One array with a list of numbers, and no other variable. */
static bool read_table(const pl_piece *piece, const pl_unit *unit, int declaration, pl_table *t)
{
  const pl_syntax *tree = &piece->outline.syntax;
  const pl_syntax_node *node = &tree->node[declaration], *name = &tree->node[node->child];
  const pl_syntax_node *init = &tree->node[name->tail], *list = &tree->node[init->child];
  if (node->kind != PL_SYNTAX_DECLARATION || node->child != node->tail || name->at < 0 ||
      !pl_syntax_specifies(tree, declaration, "static") || !pl_syntax_specifies(tree, declaration, "const") ||
      tree->node[name->child].kind != PL_SYNTAX_ARRAY || init->kind != PL_SYNTAX_INIT ||
      list->kind != PL_SYNTAX_LIST || !pl_is_number_list(piece, list->first, list->last))
    return false;
  *t = (pl_table){.piece = piece,
                  .unit = unit,
                  .declarator = node->child,
                  .first = node->first,
                  .list = list->first,
                  .name = name->at,
                  .last = node->last};
  t->type = type_of(piece, t->first, t->name);
  read_extents(t);
  return true;
}

static bool is_table(const pl_table *t, const pl_unit *unit, const pl_piece *piece)
{
  return t->piece == piece && t->unit == unit;
}

/* ---- numbers ---- */

static void put(const pl_table *t, size_t at, double sign, const pl_token *number)
{
  if (t->type == PL_DOUBLE) ((double *)t->own.value)[at] = sign * strtod(number->text, NULL);
  if (t->type == PL_FLOAT) ((float *)t->own.value)[at] = (float)sign * strtof(number->text, NULL);
  if (t->type == PL_INT32)
    ((int32_t *)t->own.value)[at] = (int32_t)(sign * (double)strtol(number->text, NULL, 0));
}

/* The list at token i, of arrays with the extents from `level` on; braces align to arrays. The token behind.
 */
static int fill(const pl_table *t, int i, int level, size_t at)
{
  size_t sub = 1;
  double sign = 1;
  for (int e = level + 1; e < t->rank; e++) sub *= (size_t)t->extent[e];
  for (i++; !pl_piece_in(t->piece, i, "}");) {
    if (pl_piece_in(t->piece, i, "{")) {
      at = (at + sub - 1) / sub * sub;
      i = level + 1 < t->rank ? fill(t, i, level + 1, at) : pl_tokens_match(&t->piece->outline.tokens, i) + 1;
      at += sub;
    } else {
      if (pl_piece_in(t->piece, i, "-")) sign = -sign;
      if (pl_piece_token(t->piece, i)->kind == PL_TOKEN_NUMBER) {
        if (at < t->values) put(t, at++, sign, pl_piece_token(t->piece, i));
        sign = 1;
      }
      i++;
    }
  }
  return i + 1;
}

static pl_err make_const(pl_context *pl, pl_table *t, int number)
{
  const pl_token *name = pl_piece_token(t->piece, t->name);
  const size_t size = name->length + 24, bytes = t->values * pl_type_size(t->type);
  t->own = (pl_const){.dim = (int)t->values, .type = t->type, .value = pl_calloc(pl, bytes, 1)};
  t->own.node.name = pl_malloc(pl, size);
  if (!t->own.value || !t->own.node.name) return pl_fail_memory(pl, bytes + size);
  snprintf(t->own.node.name, size, "pl_table_%d_%.*s", number, (int)name->length, name->text);
  fill(t, t->list, 0, 0);
  return PL_SUCCESS;
}

/* ---- the program's tables ---- */

static int count_tables(const pl_assembly *program, pl_table *tables)
{
  int n = 0;
  pl_table t;
  for (int p = 0; p < program->count; p++) {
    const pl_piece *piece = &program->piece[p];
    for (int k = 0; k < piece->outline.count; k++) {
      const pl_unit *unit = &piece->outline.unit[k];
      if (unit->kind != PL_UNIT_FUNCTION) continue;
      for (int i = unit->code; i < unit->behind; i++) {
        if (!read_table(piece, unit, i, &t)) continue;
        if (tables) tables[n] = t;
        n++;
      }
    }
  }
  return n;
}

/* An estimate of the bytes of a text's constant data: all its numbers as doubles. */
static size_t count_bytes(const pl_assembly *program)
{
  size_t bytes = 0;
  for (int i = 0; i < program->table_count; i++) bytes += program->table[i].values * sizeof(double);
  for (int p = 0; p < program->count; p++) {
    const pl_kernel_outline *outline = &program->piece[p].outline;
    for (int k = 0; k < outline->count; k++)
      for (int i = outline->unit[k].first;
           outline->unit[k].kind == PL_UNIT_VARIABLE && i < outline->unit[k].last; i++)
        bytes += outline->tokens.item[i].kind == PL_TOKEN_NUMBER ? sizeof(double) : 0;
  }
  return bytes;
}

/* Those whose address is taken stay in the function; where tables go to the consts, others of unknown size
 * do. */
static bool is_moved(const pl_assembly *program, const pl_table *t)
{
  const bool measured = t->values && t->type != PL_TYPE_COUNT;
  return !pl_takes_address(t->piece, t->unit, pl_piece_token(t->piece, t->name), t->rank) &&
         (measured || !program->far_tables);
}

pl_err pl_tables_find(pl_assembly *program)
{
  const pl_source_options *style = program->style;
  int kept = 0;
  if (style->host || !*style->data_qualifier || program->fewer_rules) return PL_SUCCESS;
  program->table_count = count_tables(program, NULL);
  if (!program->table_count) return PL_SUCCESS;
  PL_TRY(PL_NEW(program->pl, program->table, (size_t)program->table_count));
  count_tables(program, program->table);
  if (style->cplusplus) return PL_SUCCESS;
  program->far_tables = count_bytes(program) > MOST_CONSTANT - RESERVE;
  for (int i = 0; i < program->table_count; i++)
    if (is_moved(program, &program->table[i])) program->table[kept++] = program->table[i];
  program->table_count = kept;
  for (int i = 0; program->far_tables && i < kept; i++)
    PL_TRY(make_const(program->pl, &program->table[i], i));
  return PL_SUCCESS;
}

void pl_tables_free(pl_context *pl, pl_table *table, int count)
{
  for (int i = 0; i < count; i++) {
    pl_free_all(pl, table[i].own.value, table[i].own.node.name);
  }
  pl_free(pl, table);
}

const pl_table *pl_table_at(const pl_writer *w, const pl_unit *unit, int i)
{
  for (int k = 0; k < w->program->table_count; k++) {
    const pl_table *t = &w->program->table[k];
    if (t->first == i && is_table(t, unit, w->piece)) return t;
  }
  return NULL;
}

/* ---- writing ---- */

/* `static const double x[2][3]` as `<qualifier> const double pl_table_7_x[2][3]`. */
void pl_write_tables(pl_writer *w, const pl_unit *unit)
{
  const pl_source_options *style = w->program->style;
  if (style->cplusplus || w->program->far_tables) return;
  for (int k = 0; k < w->program->table_count; k++) {
    const pl_table *t = &w->program->table[k];
    if (!is_table(t, unit, w->piece)) continue;
    pl_writer_copy(w, pl_piece_token(w->piece, unit->first)->text);
    pl_writer_add(w, style->data_qualifier);
    for (int i = t->first; i <= t->last; i++) {
      const pl_token *token = pl_piece_token(w->piece, i);
      if (i == t->name) pl_string_add(w->out, "pl_table_%d_", k);
      if (!pl_token_is(token, "static")) pl_string_add(w->out, "%.*s ", (int)token->length, token->text);
    }
  }
}

void pl_write_table(pl_writer *w, const pl_table *t)
{
  const char *type = pl_type_name(t->type), *space = w->program->style->const_space;
  const pl_token *first = pl_piece_token(w->piece, t->first), *name = pl_piece_token(w->piece, t->name);
  pl_writer_omit(w, first->text, pl_token_end(pl_piece_token(w->piece, t->last)));
  if (!w->program->far_tables) return;
  pl_string_add(w->out, "%sconst %s (*const %.*s)", space, type, (int)name->length, name->text);
  for (int e = 1; e < t->rank; e++) pl_string_add(w->out, "[%d]", t->extent[e]);
  pl_string_add(w->out, " = (%sconst %s (*)", space, type);
  for (int e = 1; e < t->rank; e++) pl_string_add(w->out, "[%d]", t->extent[e]);
  pl_string_add(w->out, ")pl_k->%s;", t->own.node.name);
}

void pl_write_table_name(pl_writer *w, const pl_unit *unit, int i)
{
  const pl_syntax_node *node = pl_piece_node(w->piece, i);
  if (node->kind != PL_SYNTAX_NAME || !node->declarator || w->program->style->cplusplus ||
      w->program->far_tables)
    return;
  for (int k = 0; k < w->program->table_count; k++) {
    const pl_table *t = &w->program->table[k];
    if (t->declarator != node->declarator || !is_table(t, unit, w->piece)) continue;
    pl_writer_copy(w, pl_piece_token(w->piece, i)->text);
    pl_string_add(w->out, "pl_table_%d_", k);
    return;
  }
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Enums, compound literals, loop variables, characters and complex types as C++ says them.
 */
#include "write_cplusplus.h"

/* The name of the enum at i: C++ does not convert integers to it, so its variables have the integer's type.
 */
static void add_enum_name(pl_writer *w, int i)
{
  const pl_token *tag = pl_piece_token(w->piece, i + 1);
  if (tag->kind == PL_TOKEN_NAME)
    pl_string_add(w->out, "pl_enum_%.*s", (int)tag->length, tag->text);
  else
    pl_string_add(w->out, "pl_enum_%d", i);
}

static void add_enum_type(pl_writer *w, int i)
{
  pl_string_add(w->out, "__underlying_type(enum ");
  add_enum_name(w, i);
  pl_string_add(w->out, ")");
}

static void add_end(pl_writer *w, int at, int word)
{
  if (w->nends == PL_MOST_ENDS) return;
  w->end[w->nends].at = at;
  w->end[w->nends++].word = word;
}

/* Where a definition declares variables or a type too, these follow in a declaration of their own. */
static void write_enum(pl_writer *w, int i)
{
  const pl_token *word = pl_piece_token(w->piece, i), *tag = word + 1;
  const char *end = pl_token_end(tag->kind == PL_TOKEN_NAME ? tag : word);
  int brace = i + 1 + (tag->kind == PL_TOKEN_NAME);
  if (!pl_piece_in(w->piece, brace, "{")) {
    pl_writer_copy(w, word->text);
    add_enum_type(w, i);
    pl_writer_omit(w, word->text, end);
    return;
  }
  pl_writer_copy(w, pl_token_end(word));
  pl_string_add(w->out, " ");
  add_enum_name(w, i);
  pl_writer_omit(w, pl_token_end(word), end);
  int close = pl_tokens_match(&w->piece->outline.tokens, brace);
  if (close > 0 && !pl_piece_in(w->piece, close + 1, ";")) add_end(w, close, i);
}

/* Behind the brace that ends something. */
static void write_end(pl_writer *w, int i)
{
  int word = w->end[--w->nends].word;
  pl_writer_copy(w, pl_token_end(pl_piece_token(w->piece, i)));
  if (word < 0) {
    pl_string_add(w->out, " }");
    return;
  }
  bool type = word > 0 && pl_piece_in(w->piece, word - 1, "typedef");
  if (type) pl_string_add(w->out, " pl_type_%d", word);
  pl_string_add(w->out, type ? "; typedef " : "; ");
  add_enum_type(w, word);
}

/* double _Complex is pl_complex_double, a class. */
static void write_complex(pl_writer *w, int i)
{
  const pl_tokens *tokens = &w->piece->outline.tokens;
  const pl_token *token = &tokens->item[i];
  if (token->text < w->at) return;
  if (pl_complex_part(tokens, i) >= 0) pl_writer_omit(w, token->text, pl_token_end(token));
  if (pl_complex_word(tokens, i) < 0) return;
  pl_writer_copy(w, token->text);
  pl_string_add(w->out, "pl_complex_");
  pl_writer_copy(w, pl_token_end(token));
}

/* (vec){1, 2} is vec{1, 2} in C++, which takes one word there. */
static void write_compound_literal(pl_writer *w, const pl_syntax_node *literal)
{
  const pl_token *open = pl_piece_token(w->piece, literal->at),
                 *close = pl_piece_token(w->piece, w->piece->outline.syntax.node[literal->child].last + 1);
  pl_writer_copy(w, open->text);
  pl_string_add(w->out, "pl_type_of<");
  w->at = pl_token_end(open);
  for (int i = literal->at + 1; pl_piece_token(w->piece, i) < close; i++) write_complex(w, i);
  pl_writer_copy(w, close->text);
  pl_string_add(w->out, ">");
  w->at = pl_token_end(close);
}

/* The block itself declares a name of the declaration again. */
static bool declares_again(const pl_writer *w, int block, int declaration)
{
  const pl_syntax_node *node = w->piece->outline.syntax.node;
  for (int i = block; node[i].first <= node[block].last && i < w->piece->outline.syntax.count; i++) {
    if (node[i].kind != PL_SYNTAX_DECLARATOR || node[node[i].parent].parent != block) continue;
    for (int k = node[declaration].child; k; k = node[k].next)
      if (pl_token_same(pl_piece_token(w->piece, node[k].at), pl_piece_token(w->piece, node[i].at)))
        return true;
  }
  return false;
}

/* for (int i...) { int i; }: C++ wants a second brace between the two. */
static void write_for(pl_writer *w, const pl_syntax_node *loop)
{
  const pl_syntax_node *node = w->piece->outline.syntax.node;
  if (node[loop->child].kind != PL_SYNTAX_DECLARATION || node[loop->tail].kind != PL_SYNTAX_BLOCK ||
      !declares_again(w, loop->tail, loop->child))
    return;
  add_end(w, node[loop->tail].last, -1);
  w->second_brace = node[loop->tail].first;
}

/* sizeof 'a' is that of an int in C. */
static void write_char(pl_writer *w, int i)
{
  const pl_syntax *tree = &w->piece->outline.syntax;
  int whole = pl_syntax_outside(tree, pl_syntax_at(tree, i));
  if (!pl_syntax_is(tree, tree->node[whole].parent, PL_SYNTAX_UNARY, "sizeof")) return;
  pl_writer_copy(w, pl_piece_token(w->piece, i)->text);
  pl_string_add(w->out, "(+");
  pl_writer_copy(w, pl_token_end(pl_piece_token(w->piece, i)));
  pl_string_add(w->out, ")");
}

void pl_write_cplusplus(pl_writer *w, int i)
{
  const pl_syntax_node *node = pl_piece_node(w->piece, i);
  write_complex(w, i);
  if (pl_piece_in(w->piece, i, "enum"))
    write_enum(w, i);
  else if (node->kind == PL_SYNTAX_FOR)
    write_for(w, node);
  else if (node->kind == PL_SYNTAX_LITERAL && pl_piece_token(w->piece, i)->kind == PL_TOKEN_CHAR)
    write_char(w, i);
  else if (node->kind == PL_SYNTAX_COMPOUND)
    write_compound_literal(w, node);
  if (w->second_brace == i && i > 0) {
    pl_writer_copy(w, pl_token_end(pl_piece_token(w->piece, i)));
    pl_string_add(w->out, " {");
  }
  while (w->nends && w->end[w->nends - 1].at == i) write_end(w, i);
}

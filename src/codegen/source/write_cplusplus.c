/* SPDX-License-Identifier: BSD-2-Clause
 * Enums, compound literals, loop variables and characters as C++ says them.
 */
#include "write_cplusplus.h"
#include "portable_c.h"

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

/* (vec){1, 2} is vec{1, 2} in C++, which takes one word there. */
static void write_compound_literal(pl_writer *w, int i)
{
  const pl_token *open = pl_piece_token(w->piece, i),
                 *close = pl_piece_token(w->piece, pl_tokens_match(&w->piece->outline.tokens, i));
  pl_writer_copy(w, open->text);
  pl_string_add(w->out, "pl_type_of<");
  w->at = pl_token_end(open);
  pl_writer_copy(w, close->text);
  pl_string_add(w->out, ">");
  w->at = pl_token_end(close);
}

/* The block at `open` itself declares the name again. */
static bool declares_again(const pl_piece *piece, int open, const pl_token *name)
{
  int close = pl_tokens_match(&piece->outline.tokens, open);
  for (int i = open + 1; i < close; i++) {
    if (pl_piece_in(piece, i, "{")) i = pl_tokens_match(&piece->outline.tokens, i);
    if (!pl_token_same(pl_piece_token(piece, i), name)) continue;
    bool word = pl_piece_token(piece, i - 1)->kind == PL_TOKEN_NAME && !pl_piece_in(piece, i - 1, "return");
    if (word || pl_piece_in(piece, i - 1, "*")) return true;
  }
  return false;
}

/* for (int i...) { int i; }: C++ wants a second brace between the two. */
static void write_for(pl_writer *w, int i)
{
  int close = pl_tokens_match(&w->piece->outline.tokens, i + 1), hidden = -1;
  if (close < 0 || !pl_piece_in(w->piece, close + 1, "{")) return;
  for (int k = i + 2; k < close && !pl_piece_in(w->piece, k, ";"); k++)
    if (pl_piece_in(w->piece, k + 1, "=") && declares_again(w->piece, close + 1, pl_piece_token(w->piece, k)))
      hidden = k;
  if (hidden >= 0) add_end(w, pl_tokens_match(&w->piece->outline.tokens, close + 1), -1);
  if (hidden >= 0) w->second_brace = close + 1;
}

/* sizeof 'a' is that of an int in C. */
static void write_char(pl_writer *w, int i)
{
  int before = i - 1;
  while (before > 0 && pl_piece_in(w->piece, before, "(")) before--;
  if (!pl_piece_in(w->piece, before, "sizeof")) return;
  pl_writer_copy(w, pl_piece_token(w->piece, i)->text);
  pl_string_add(w->out, "(+");
  pl_writer_copy(w, pl_token_end(pl_piece_token(w->piece, i)));
  pl_string_add(w->out, ")");
}

void pl_write_cplusplus(pl_writer *w, int i)
{
  if (pl_piece_in(w->piece, i, "enum"))
    write_enum(w, i);
  else if (pl_piece_in(w->piece, i, "for"))
    write_for(w, i);
  else if (pl_piece_token(w->piece, i)->kind == PL_TOKEN_CHAR)
    write_char(w, i);
  else if (pl_opens_compound_literal(w->piece, i))
    write_compound_literal(w, i);
  if (w->second_brace == i && i > 0) {
    pl_writer_copy(w, pl_token_end(pl_piece_token(w->piece, i)));
    pl_string_add(w->out, " {");
  }
  while (w->nends && w->end[w->nends - 1].at == i) write_end(w, i);
}

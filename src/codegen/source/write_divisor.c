/* SPDX-License-Identifier: BSD-2-Clause
 * Finds the operand behind / % /= and %=.
 */
#include "write_divisor.h"

/* The parentheses contain a type. */
static bool is_cast(const pl_piece *piece, int i, int close)
{
  static const char types[] =
    "int long unsigned signed short char float double const pl_real pl_mixed int8_t "
    "int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t size_t bool";
  for (int k = i + 1; k < close; k++)
    if (!pl_piece_in(piece, k, types)) return false;
  return close > i + 1;
}

/* The last token of the divisor that begins at i; -1 for a number, or if it cannot be read. */
static int end_of_divisor(const pl_piece *piece, int i)
{
  const pl_tokens *tokens = &piece->outline.tokens;
  for (; i > 0 && i < tokens->count; i++) {
    int close = pl_piece_in(piece, i, "(") ? pl_tokens_match(tokens, i) : -1;
    if (close > 0 && is_cast(piece, i, close))
      i = close;
    else if (!pl_piece_in(piece, i, "+ - ! ~ * & ++ --"))
      break;
  }
  if (pl_piece_in(piece, i, "("))
    i = pl_tokens_match(tokens, i);
  else if (pl_piece_token(piece, i)->kind != PL_TOKEN_NAME || pl_piece_in(piece, i, "sizeof"))
    return -1;
  while (i > 0 && i + 1 < tokens->count) {
    if (pl_piece_in(piece, i + 1, "( ["))
      i = pl_tokens_match(tokens, i + 1);
    else if (pl_piece_in(piece, i + 1, ". ->"))
      i += 2;
    else if (pl_piece_in(piece, i + 1, "++ --"))
      i++;
    else
      break;
  }
  return i;
}

/* The last token of y in x /= y. */
static int end_of_assignment(const pl_piece *piece, int i)
{
  static const char ends[] = "; , ) }";
  const pl_tokens *tokens = &piece->outline.tokens;
  if (pl_piece_token(piece, i)->kind == PL_TOKEN_NUMBER && pl_piece_in(piece, i + 1, ends)) return -1;
  for (; i > 0 && i + 1 < tokens->count && !pl_piece_in(piece, i + 1, ends); i++)
    if (pl_piece_in(piece, i + 1, "( [")) i = pl_tokens_match(tokens, i + 1) - 1;
  return i;
}

void pl_write_divisor(pl_writer *w, int i)
{
  w->brackets += pl_piece_in(w->piece, i, "[") - pl_piece_in(w->piece, i, "]");
  if (pl_piece_in(w->piece, i, "case")) w->constant = true;
  if (pl_piece_in(w->piece, i, ":")) w->constant = false;
  while (w->ndivisors && w->divisor[w->ndivisors - 1] == i) {
    pl_writer_copy(w, pl_token_end(pl_piece_token(w->piece, i)));
    pl_string_add(w->out, ")");
    w->ndivisors--;
  }
  int end = pl_piece_in(w->piece, i, "/ %")     ? end_of_divisor(w->piece, i + 1)
            : pl_piece_in(w->piece, i, "/= %=") ? end_of_assignment(w->piece, i + 1)
                                                : -1;
  if (end <= i || w->brackets || w->constant || w->ndivisors == PL_MOST_DIVISORS) return;
  pl_writer_copy(w, pl_token_end(pl_piece_token(w->piece, i)));
  pl_string_add(w->out, " PL_DIVISOR(");
  w->divisor[w->ndivisors++] = end;
}

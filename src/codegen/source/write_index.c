/* SPDX-License-Identifier: BSD-2-Clause
 * Finds uses of parameters: x[i], *x and x->member.
 */
#include "write_index.h"
#include "codegen/kernel/param_usage.h"
#include "codegen/kernel/signature.h"

static int find_parameter(const pl_writer *w, int i)
{
  return i >= 0 && pl_piece_names(w->piece, i)
           ? pl_signature_find(w->program->signature, pl_piece_token(w->piece, i))
           : -1;
}

/* Brackets behind a parameter's name. */
static void write_bracket(pl_writer *w, int i)
{
  int level, p = find_parameter(w, pl_subscripted_name(&w->piece->outline.tokens, i, &level));
  if (p < 0 || level >= pl_param_brackets(&w->program->signature->param[p])) return;
  bool opens = pl_piece_in(w->piece, i, "[");
  pl_writer_copy(w, pl_piece_token(w->piece, i)->text + opens);
  if (opens) pl_string_add(w->out, "PL_INDEX(%d, %d, ", p, level);
  if (!opens) pl_string_add(w->out, ")");
}

/* *x and x->re: a star before a pointer is no product. */
static void write_pointer(pl_writer *w, int i)
{
  int p = find_parameter(w, i);
  bool member = pl_piece_in(w->piece, i + 1, "->"), other = pl_piece_in(w->piece, i + 1, "[ ++ --");
  if (p < 0 || (!member && (other || !pl_piece_in(w->piece, i - 1, "*")))) return;
  pl_writer_copy(w, pl_piece_token(w->piece, i)->text);
  pl_string_add(w->out, "PL_GIVEN(%d, ", p);
  pl_writer_copy(w, pl_token_end(pl_piece_token(w->piece, i)));
  pl_string_add(w->out, ")");
}

void pl_write_index(pl_writer *w, int i)
{
  pl_piece_in(w->piece, i, "[ ]") ? write_bracket(w, i) : write_pointer(w, i);
}

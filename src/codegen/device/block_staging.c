/* SPDX-License-Identifier: BSD-2-Clause
 * Blocks with local memory: copies of the targets of a block (stage), and contributions of its elements that
 * are added up before they leave it (combine). Names in the text: pl_n0 the targets of list 0 in this block,
 * pl_f0 where they begin, l0_1 the place of the element's target 1 in it; z3_0 the block's copy of dat 3 by
 * list 0.
 */
#include "wrap.h"
#include <string.h>

/* ---- stage ---- */

/* The first operand with this one's copy. */
static bool first_of_copy(const pl_walk_state *w, int i)
{
  if (w->op[i].staged < 0) return false;
  for (int j = 0; j < i; j++)
    if (w->op[j].staged == w->op[i].staged && w->op[j].dat == w->op[i].dat) return false;
  return true;
}

/* An operand that writes to the copy that operand i is the first of, or NULL. */
static const pl_operand *writer_of_copy(const pl_walk_state *w, int i)
{
  for (int j = i; j < w->loop->nargs; j++)
    if (w->op[j].staged == w->op[i].staged && w->op[j].dat == w->op[i].dat && pl_op_scatters(&w->op[j]))
      return &w->op[j];
  return NULL;
}

static const char *local_type(const pl_walk_state *w)
{
  return w->style->wide_locals ? "int" : "int16_t";
}

void pl_stage_parameters(const pl_walk_state *w)
{
  pl_text *t = &w->program->text;
  const char *global = w->dialect->global, *word = w->dialect->restrict_word;
  for (int l = 0; l < w->nlists; l++)
    pl_text_add(t, ",\n    %sconst int *%s pl_from%d, %sconst int *%s pl_to%d, %sconst %s *%s pl_local%d",
                global, word, l, global, word, l, global, local_type(w), word, l);
  for (int i = 0; i < w->loop->nargs; i++)
    if (first_of_copy(w, i)) pl_text_add(t, ",\n    const int pl_z%d_%d", w->op[i].dat, w->op[i].staged);
}

/* One pass over the targets of the block's copy: statement printed by `print` for each value. */
static void each_staged(const pl_body *b, const pl_operand *op, bool out)
{
  pl_body in = pl_deeper(b), inner = pl_deeper(&in);
  char place[PL_PLACE], copy[PL_PLACE];
  pl_operand whole = *op;
  whole.first = 0;
  whole.dim = op->stride;
  snprintf(copy, sizeof copy, "z%d_%d[pl_c * pl_n%d + pl_i]", op->dat, op->staged, op->staged);
  pl_print_place(&whole, "pl_c", "pl_target", place);
  pl_line(b, "for (int pl_i = pl_t; pl_i < pl_n%d; pl_i += %s) {", op->staged, b->w->dialect->local_size);
  if (out || op->gathers || op->arg->access == PL_WRITE)
    pl_line(&in, "const int pl_target = pl_to%d[pl_f%d + pl_i];", op->staged, op->staged);
  pl_line(&in, "for (int pl_c = 0; pl_c < %d; pl_c++) {", op->stride);
  if (out)
    pl_print_combine(&inner, op, place, copy);
  else if (op->arg->access == PL_INC || op->arg->access == PL_MIN || op->arg->access == PL_MAX)
    pl_line(&inner, "%s = %s;", copy, pl_op_neutral(op));
  else
    pl_line(&inner, "%s = %s;", copy, place);
  pl_line(&in, "}");
  pl_line(b, "}");
}

void pl_print_stage_in(const pl_body *b)
{
  const pl_walk_state *w = b->w;
  const pl_dialect *d = w->dialect;
  for (int l = 0; l < w->nlists; l++)
    pl_line(b, "const int pl_f%d = pl_from%d[pl_b], pl_n%d = pl_from%d[pl_b + 1] - pl_f%d;", l, l, l, l, l);
  for (int i = 0; i < w->loop->nargs; i++) {
    const pl_operand *op = &w->op[i];
    if (!first_of_copy(w, i)) continue;
    pl_line(b, "%s%s *z%d_%d = (%s%s *)((%schar *)pl_shared + pl_z%d_%d);", d->local_pointer, pl_op_type(op),
            op->dat, op->staged, d->local_pointer, pl_op_type(op), d->local_pointer, op->dat, op->staged);
    each_staged(b, op, false);
  }
  pl_line(b, "%s", d->barrier);
}

/* Idle work items take the first place, or none. */
void pl_print_locals(const pl_body *b)
{
  const pl_walk_state *w = b->w;
  for (int l = 0; l < w->nlists; l++) {
    const pl_reach *list = &w->list[l];
    int first = list->index == PL_ALL ? 0 : list->index, width = list->index == PL_ALL ? list->map->arity : 1;
    for (int k = 0; k < width; k++)
      if (w->style->whole)
        pl_line(b, "const int l%d_%d = pl_local%d[%d * pl_p + %d];", l, first + k, l, width, k);
      else
        pl_line(b, "const int l%d_%d = pl_active ? pl_local%d[%d * pl_p + %d] : %d;", l, first + k, l, width,
                k, list->map->has_negative ? -1 : 0);
  }
}

/* Whether another copy of the dat has gone out before: two lists may hold one target. */
static bool went_out(const pl_walk_state *w, int i)
{
  for (int j = 0; j < i; j++)
    if (w->op[j].dat == w->op[i].dat && first_of_copy(w, j) && writer_of_copy(w, j)) return true;
  return false;
}

void pl_print_stage_out(const pl_body *b)
{
  const pl_walk_state *w = b->w;
  for (int i = 0; i < w->loop->nargs; i++) {
    const pl_operand *op = first_of_copy(w, i) ? writer_of_copy(w, i) : NULL;
    if (!op) continue;
    if (went_out(w, i)) pl_line(b, "%s", w->dialect->barrier);
    each_staged(b, op, true);
  }
}

/* ---- combine ---- */

void pl_combine_parameters(const pl_walk_state *w)
{
  const char *global = w->dialect->global, *word = w->dialect->restrict_word;
  pl_text_add(&w->program->text,
              ",\n    %sconst int *%s pl_from, %sconst int *%s pl_to, %sconst uint16_t *%s pl_row, %sconst "
              "uint16_t *%s pl_entry",
              global, word, global, word, global, word, global, word);
}

/* Eight-byte values first, so that all stand where they may. */
void pl_declare_contributions(const pl_body *b)
{
  const pl_walk_state *w = b->w;
  size_t at = 0;
  for (size_t size = 8; size; size /= 2)
    for (int i = 0; i < w->loop->nargs; i++) {
      const pl_operand *op = &w->op[i];
      if (!pl_first_of_dat(w, i) || pl_type_size(op->type) != size) continue;
      pl_line(b, "%s%s *c%d = (%s%s *)((%schar *)pl_shared + %zu);", w->dialect->local_pointer,
              pl_op_type(op), op->dat, w->dialect->local_pointer, pl_op_type(op), w->dialect->local_pointer,
              at);
      at += (size_t)(w->slots.n * op->stride) * size * (size_t)w->style->block_size;
    }
}

static void add_contributions(const pl_body *b)
{
  const pl_walk_state *w = b->w;
  for (int i = 0; i < w->loop->nargs; i++) {
    const pl_operand *op = &w->op[i];
    if (!pl_first_of_dat(w, i)) continue;
    pl_line(b,
            "for (int pl_c = 0; pl_c < %d; pl_c++) h%d[pl_c] += c%d[(%d * (pl_n / PL_BLOCK_SIZE) + pl_c) * "
            "PL_BLOCK_SIZE + pl_n %% PL_BLOCK_SIZE];",
            op->stride, op->dat, op->dat, op->stride);
  }
}

/* Targets that other blocks reach too are marked by a negative number. */
static void print_out(const pl_body *b)
{
  pl_body in = pl_deeper(b);
  if (b->w->style->coloured) {
    pl_add_sums(b, false);
    return;
  }
  pl_line(b, "if (pl_m < 0) {");
  pl_add_sums(&in, true);
  pl_line(b, "} else {");
  pl_add_sums(&in, false);
  pl_line(b, "}");
}

void pl_print_combined(const pl_body *b)
{
  const pl_walk_state *w = b->w;
  pl_body in = pl_deeper(b), inner = pl_deeper(&in);
  pl_line(b, "%s", w->dialect->barrier);
  pl_line(b, "for (int pl_i = pl_from[pl_b] + pl_t; pl_i < pl_from[pl_b + 1]; pl_i += %s) {",
          w->dialect->local_size);
  pl_line(&in, "const int pl_m = pl_to[pl_i], pl_target = pl_m < 0 ? ~pl_m : pl_m;");
  pl_declare_sums(&in);
  pl_line(&in, "for (int pl_j = pl_row[pl_i + pl_b]; pl_j < pl_row[pl_i + pl_b + 1]; pl_j++) {");
  pl_line(&inner, "const int pl_n = pl_entry[pl_b * (%d * PL_BLOCK_SIZE) + pl_j];", w->slots.n);
  add_contributions(&inner);
  pl_line(&in, "}");
  print_out(&in);
  pl_line(b, "}");
}

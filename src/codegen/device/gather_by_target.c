/* SPDX-License-Identifier: BSD-2-Clause
 * Increments that are added up target by target: what elements contribute, the sums of a target, and the
 * kernels of loops that are turned round (gather, store). Names in the text: pl_target; h3 the sum for the
 * target's record of dat 3; c3 contributions to dat 3; pl_s the slot by which an element reaches the target.
 */
#include "wrap.h"
#include "core/memory.h"
#include <string.h>

/* ---- slots ---- */

static int slot_of(const pl_slots *all, const pl_operand *op, int k)
{
  int s = 0, index = op->all ? k : op->arg->index;
  while (all->reach[s].map != op->arg->map || all->reach[s].index != index) s++;
  return s;
}

static bool increments(const pl_operand *op)
{
  return pl_op_scatters(op) && pl_arg_collides(op->arg);
}

bool pl_first_of_dat(const pl_walk_state *w, int i)
{
  for (int j = 0; j < i; j++)
    if (increments(&w->op[j]) && w->op[j].dat == w->op[i].dat) return false;
  return increments(&w->op[i]);
}

/* ---- sums of a target ---- */

void pl_declare_sums(const pl_body *b)
{
  const pl_walk_state *w = b->w;
  for (int i = 0; i < w->loop->nargs; i++) {
    const pl_operand *op = &w->op[i];
    if (!pl_first_of_dat(w, i)) continue;
    pl_line(b, "%s h%d[%d];", pl_op_type(op), op->dat, op->stride);
    pl_line(b, "for (int pl_c = 0; pl_c < %d; pl_c++) h%d[pl_c] = %s;", op->stride, op->dat,
            pl_op_neutral(op));
  }
}

/* The sum of a record joins the dat, n values at once. */
static void add_vectors(const pl_body *b, const pl_operand *op, int n, const char *vector)
{
  char c[16], place[PL_PLACE];
  pl_body in = pl_deeper(b);
  for (int first = 0; first < op->stride; first += n) {
    snprintf(c, sizeof c, "%d", first);
    pl_print_place(op, c, "pl_target", place);
    pl_line(b, "{");
    pl_line(&in, "%s%s *pl_to = (%s%s *)&%s;", b->w->dialect->global, vector, b->w->dialect->global, vector,
            place);
    pl_line(&in, "%s pl_v = *pl_to;", vector);
    for (int v = 0; v < n; v++) pl_line(&in, "pl_v.%c += h%d[%d];", "xyzw"[v], op -> dat, first + v);
    pl_line(&in, "*pl_to = pl_v;");
    pl_line(b, "}");
  }
}

void pl_add_sums(const pl_body *b, bool atomic)
{
  const pl_walk_state *w = b->w;
  char place[PL_PLACE], vector[PL_PLACE];
  for (int i = 0; i < w->loop->nargs; i++) {
    if (!pl_first_of_dat(w, i)) continue;
    pl_operand whole = w->op[i];
    whole.first = 0;
    whole.dim = whole.stride;
    int n = atomic ? 1 : pl_vector_of(w, &whole, vector);
    pl_print_place(&whole, "pl_c", "pl_target", place);
    if (n > 1)
      add_vectors(b, &whole, n, vector);
    else if (atomic)
      pl_line(b, "for (int pl_c = 0; pl_c < %d; pl_c++) pl_%s_%s(&%s, h%d[pl_c]);", whole.stride,
              pl_atomic_name(&whole), pl_op_type(&whole), place, whole.dat);
    else
      pl_line(b, "for (int pl_c = 0; pl_c < %d; pl_c++) %s += h%d[pl_c];", whole.stride, place, whole.dat);
  }
}

/* ---- contributions ---- */

/* What the element adds to value c of a slot's record in a dat: the sum of its private values there. */
static void print_contribution(const pl_walk_state *w, const pl_slots *all, const pl_operand *first, int slot,
                               int c, pl_text *text)
{
  char mine[PL_PLACE], number[16];
  bool any = false;
  for (int i = 0; i < w->loop->nargs; i++) {
    const pl_operand *op = &w->op[i];
    if (!increments(op) || op->dat != first->dat || c < op->first || c >= op->first + op->dim) continue;
    snprintf(number, sizeof number, "%d", c - op->first);
    for (int k = 0; k < op->targets; k++) {
      if (slot_of(all, op, k) != slot) continue;
      pl_text_add(text, "%s%s", any ? " + " : "", pl_private_place(op, k, number, mine));
      any = true;
    }
  }
  if (!any) pl_text_add(text, "%s", pl_op_neutral(first));
}

/* Value c of a slot's record: in local memory one value of all elements after the other, so that work items
 * that stand side by side do not collide; in the device's memory record by record. */
static void print_record_value(const pl_body *b, const pl_slots *all, const pl_operand *op, int slot, int c)
{
  pl_text *t = b->text;
  if (b->w->style->conflict == PL_COMBINE)
    pl_text_add(t, "%*sc%d[%d * PL_BLOCK_SIZE + pl_t] = ", 2 * b->depth, "", op->dat, slot * op->stride + c);
  else
    pl_text_add(t, "%*sc%d[%d * (int64_t)pl_e + %d] = ", 2 * b->depth, "", op->dat, all->n * op->stride,
                slot * op->stride + c);
  print_contribution(b->w, all, op, slot, c, t);
  pl_text_add(t, ";\n");
}

void pl_print_contributions(const pl_body *b)
{
  const pl_walk_state *w = b->w;
  for (int i = 0; i < w->loop->nargs; i++) {
    if (!pl_first_of_dat(w, i)) continue;
    for (int s = 0; s < w->slots.n; s++)
      for (int c = 0; c < w->op[i].stride; c++) print_record_value(b, &w->slots, &w->op[i], s, c);
  }
}

/* ---- gather ---- */

enum { MOST_WORDS = 16, MOST_CALLS = 8 };

static void print_share(const pl_body *b, const pl_operand *op, int k, const char *c)
{
  char mine[PL_PLACE];
  pl_private_place(op, k, c, mine);
  if (op->first)
    pl_line(b, "h%d[%d + %s] += %s;", op->dat, op->first, c, mine);
  else
    pl_line(b, "h%d[%s] += %s;", op->dat, c, mine);
}

/* The element's increment of this target joins the running sums. */
static void print_shares(const pl_body *b, bool slots)
{
  const pl_walk_state *w = b->w;
  pl_body in = pl_deeper(b);
  for (int i = 0; i < w->loop->nargs; i++) {
    const pl_operand *op = &w->op[i];
    for (int k = 0; increments(op) && k < op->targets; k++) {
      if (slots) pl_line(b, "if (pl_s == %d) {", slot_of(&w->slots, op, k));
      pl_each_value(slots ? &in : b, op, k, print_share);
      if (slots) pl_line(b, "}");
    }
  }
}

static void print_element_of_entry(const pl_body *b)
{
  int n = b->w->slots.n;
  if (n > 1)
    pl_line(b, "const int pl_e = pl_entry[pl_j] / %d, pl_s = pl_entry[pl_j] %% %d;", n, n);
  else
    pl_line(b, "const int pl_e = pl_entry[pl_j];");
  pl_body_targets(b);
}

static int map_number(const pl_walk_state *w, const pl_map *map)
{
  int i = 0;
  while (w->op[i].arg->map != map || pl_op_off(&w->op[i])) i++;
  return w->op[i].map;
}

/* The targets of all slots, one of which is the row's own: word `first` onwards hold the others in order. */
static void print_slot_targets(const pl_body *b, int first, bool muted)
{
  const pl_slots *all = &b->w->slots;
  const char *own = muted ? "pl_o" : "pl_s";
  if (muted && all->n > 1) pl_line(b, "const int pl_o = pl_s < %d ? pl_s : pl_s - %d;", all->n, all->n);
  for (int s = 0; s < all->n; s++) {
    int map = map_number(b->w, all->reach[s].map), index = all->reach[s].index;
    if (all->n == 1)
      pl_line(b, "const int t%d_%d = pl_target;", map, index);
    else if (s == 0)
      pl_line(b, "const int t%d_%d = %s == 0 ? pl_target : pl_w%d;", map, index, own, first);
    else if (s == all->n - 1)
      pl_line(b, "const int t%d_%d = %s == %d ? pl_target : pl_w%d;", map, index, own, s, first + s - 1);
    else
      pl_line(b, "const int t%d_%d = %s == %d ? pl_target : %s < %d ? pl_w%d : pl_w%d;", map, index, own, s,
              own, s, first + s - 1, first + s);
  }
}

/* Whether all slots are read, so that one of their targets is known. */
static bool knows_own(const pl_walk_state *w, int nwords, const pl_reach *word)
{
  for (int s = 0; s < w->slots.n; s++) {
    bool read = false;
    for (int i = 0; i < w->loop->nargs; i++) {
      const pl_operand *op = &w->op[i];
      read |= !pl_op_off(op) && op->arg->map == w->slots.reach[s].map && !pl_op_scatters(op) &&
              (op->all || op->arg->index == w->slots.reach[s].index);
    }
    if (!read) return false;
  }
  for (int i = 0; i < nwords; i++)
    if (word[i].group == PL_OTHER) return true;
  return w->slots.n == 1;
}

/* Short rows are loaded as a whole before the kernel is first called. */
static bool is_short(const pl_walk_state *w, int nwords)
{
  return w->style->degree && w->style->degree <= MOST_CALLS && w->style->degree * nwords <= MOST_WORDS;
}

static void print_row_words(const pl_body *b, int nwords)
{
  int n = b->w->style->degree * nwords;
  pl_body in = pl_deeper(b);
  pl_line(b, "int pl_words[%d];", n);
  pl_text_add(b->text, "#pragma unroll\n");
  pl_line(b, "for (int pl_i = 0; pl_i < %d; pl_i++)", n);
  pl_line(&in, "pl_words[pl_i] = pl_row[(int64_t)pl_i * pl_rows + pl_target];");
}

/* An entry that holds what is needed of the element: its targets, and the slot in the first word. */
static void print_words(const pl_body *b, int nwords, const pl_reach *word)
{
  const pl_walk_state *w = b->w;
  int degree = w->style->degree, base = pl_word_base(w->slots.n, degree), others = -1;
  for (int i = 0; i < nwords; i++) {
    if (is_short(w, nwords))
      pl_line(b, "const int pl_r%d = pl_words[%d * pl_j + %d];", i, nwords, i);
    else if (degree)
      pl_line(b, "const int pl_r%d = pl_row[((int64_t)pl_j * %d + %d) * pl_rows + pl_target];", i, nwords, i);
    else
      pl_line(b, "const int pl_r%d = pl_row[(int64_t)%d * pl_rows + pl_j];", i, i);
  }
  if (base > 1) pl_line(b, "const int pl_w0 = pl_r0 / %d, pl_s = pl_r0 %% %d;", base, base);
  if (base == 1) pl_line(b, "const int pl_w0 = pl_r0;");
  for (int i = 1; i < nwords; i++) pl_line(b, "const int pl_w%d = pl_r%d;", i, i);
  for (int i = 0; i < nwords; i++) {
    if (word[i].group == PL_OTHER && others < 0) others = i;
    if (word[i].group == PL_OTHER) continue;
    if (!word[i].map)
      pl_line(b, "const int pl_e = pl_w%d;", i);
    else
      pl_line(b, "const int t%d_%d = pl_w%d;", map_number(w, word[i].map), word[i].index, i);
  }
  if (knows_own(w, nwords, word)) print_slot_targets(b, others, degree > 0);
}

static void print_row(const pl_body *b, int nwords, const pl_reach *word)
{
  const pl_walk_state *w = b->w;
  pl_body in = pl_deeper(b);
  int degree = w->style->degree;
  bool whole = is_short(w, nwords);
  if (whole) print_row_words(b, nwords);
  /* the loads of several elements are on their way at once */
  pl_text_add(b->text, "#pragma unroll %d\n", whole ? degree : 4);
  if (degree)
    pl_line(b, "for (int pl_j = 0; pl_j < %d; pl_j++) {", degree);
  else
    pl_line(b, "for (int pl_j = pl_offset[pl_target]; pl_j < pl_offset[pl_target + 1]; pl_j++) {");
  if (w->style->words)
    print_words(&in, nwords, word);
  else
    print_element_of_entry(&in);
  pl_body_gather(&in);
  pl_body_call(&in);
  print_shares(&in, w->slots.n > 1 || degree);
  pl_line(b, "}");
}

static void print_rows_parameters(const pl_walk_state *w)
{
  pl_text *t = &w->program->text;
  const pl_dialect *d = w->dialect;
  if (!w->style->degree) pl_text_add(t, ",\n    %sconst int *%s pl_offset", d->global, d->restrict_word);
  if (w->style->words)
    pl_text_add(t, ",\n    %sconst int *%s pl_row, const int pl_rows", d->global, d->restrict_word);
  else
    pl_text_add(t, ",\n    %sconst int *%s pl_entry", d->global, d->restrict_word);
}

static const char no_entries[] = "pl_offset[pl_target] == pl_offset[pl_target + 1]";

/* Work items without a target, or with one that nothing reaches, are done. */
static void print_leave(const pl_body *b, const char *empty)
{
  pl_line(b, "if (%s%s) return;", b->w->style->whole ? "" : "pl_target >= pl_end || ", empty);
}

static void print_gather(const pl_body *b, int nwords, const pl_reach *word)
{
  const pl_walk_state *w = b->w;
  const pl_dialect *d = w->dialect;
  pl_body in = pl_deeper(b);
  pl_text_add(b->text,
              "/* One target a work item: the kernel is called for each element that reaches it. Entries of "
              "its row hold\n"
              " * %s and the slot of %d. */\n",
              w->style->words ? "what is read of the element" : "the element", w->slots.n);
  pl_text_add(b->text, "%svoid pl_run(const int pl_begin, const int pl_end", d->entry_qualifier);
  print_rows_parameters(w);
  pl_print_parameters(w, false);
  pl_line(b, "{");
  pl_line(&in, "const int pl_target = pl_begin + %s * %s + %s;", d->block_id, d->local_size, d->local_id);
  print_leave(&in, w->style->degree ? "pl_row[pl_target] < 0" : no_entries);
  pl_print_copies(&in);
  pl_declare_sums(&in);
  print_row(&in, nwords, word);
  pl_add_sums(&in, false);
  pl_line(b, "}\n");
}

pl_err pl_print_turned(const pl_body *b)
{
  pl_context *pl = b->w->loop->pl;
  size_t bytes = ((size_t)pl_most_slots(b->w->loop) + 1) * sizeof(pl_reach);
  pl_reach *word = pl_malloc(pl, bytes);
  if (!word) return pl_fail_memory(pl, bytes);
  print_gather(b, pl_gather_words(b->w->loop, b->w->slots.n, b->w->slots.reach, word), word);
  pl_free(pl, word);
  return PL_SUCCESS;
}

/* ---- store ---- */

void pl_store_parameters(const pl_walk_state *w)
{
  for (int i = 0; i < w->loop->nargs; i++)
    if (pl_first_of_dat(w, i))
      pl_text_add(&w->program->text, ",\n    %s%s *%s c%d", w->dialect->global, pl_op_type(&w->op[i]),
                  w->dialect->restrict_word, w->op[i].dat);
}

static void print_sum_parameters(const pl_walk_state *w)
{
  pl_text *t = &w->program->text;
  const pl_dialect *d = w->dialect;
  pl_text_add(t, ",\n    %sconst int *%s pl_offset, %sconst int *%s pl_entry", d->global, d->restrict_word,
              d->global, d->restrict_word);
  for (int i = 0; i < w->loop->nargs; i++)
    if (pl_first_of_dat(w, i))
      pl_text_add(t, ",\n    %sconst %s *%s c%d", d->global, pl_op_type(&w->op[i]), d->restrict_word,
                  w->op[i].dat);
  for (int i = 0; i < w->loop->nargs; i++) {
    const pl_operand *op = &w->op[i];
    if (!pl_first_of_dat(w, i)) continue;
    pl_text_add(t, ",\n    %s%s *%s d%d", d->global, pl_op_type(op), d->restrict_word, op->dat);
    if (op->layout == PL_SOA) pl_text_add(t, ",\n    const int s%d", op->dat);
  }
  pl_text_add(t, ")\n");
}

void pl_print_sum(const pl_body *b)
{
  const pl_walk_state *w = b->w;
  const pl_dialect *d = w->dialect;
  pl_body in = pl_deeper(b), inner = pl_deeper(&in);
  pl_text_add(b->text, "/* One target a work item: what its elements have contributed. */\n");
  pl_text_add(b->text, "%svoid pl_sum(const int pl_begin, const int pl_end", d->entry_qualifier);
  print_sum_parameters(w);
  pl_line(b, "{");
  pl_line(&in, "const int pl_target = pl_begin + %s * %s + %s;", d->block_id, d->local_size, d->local_id);
  print_leave(&in, no_entries);
  pl_declare_sums(&in);
  pl_text_add(b->text, "#pragma unroll 4\n");
  pl_line(&in, "for (int pl_j = pl_offset[pl_target]; pl_j < pl_offset[pl_target + 1]; pl_j++) {");
  for (int i = 0; i < w->loop->nargs; i++) {
    const pl_operand *op = &w->op[i];
    if (pl_first_of_dat(w, i))
      pl_line(&inner,
              "for (int pl_c = 0; pl_c < %d; pl_c++) h%d[pl_c] += c%d[%d * (int64_t)pl_entry[pl_j] + pl_c];",
              op->stride, op->dat, op->dat, op->stride);
  }
  pl_line(&in, "}");
  pl_add_sums(&in, false);
  pl_line(b, "}\n");
}

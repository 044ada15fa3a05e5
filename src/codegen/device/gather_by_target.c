/* SPDX-License-Identifier: BSD-2-Clause
 * Increments that are added up target by target. In the text pl_s is the slot by which an element reaches
 * pl_target.
 */
#include "gather_by_target.h"
#include "codegen/element/element_body.h"
#include "codegen/element/kernel_parameters.h"
#include "gather_by_row.h"

/* ---- slots ---- */

static int slot_of(const pl_increments *all, const pl_operand *op, int k)
{
  return pl_reach_find(all->n, all->reach, op->arg->map, op->index + k);
}

bool pl_operand_increments(const pl_operand *op)
{
  return pl_operand_scatters(op) && pl_arg_collides(op->arg);
}

bool pl_first_of_dat(const pl_emitter *e, const pl_operand *op)
{
  for (const pl_operand *before = e->op; before < op; before++)
    if (pl_operand_increments(before) && before->dat == op->dat) return false;
  return pl_operand_increments(op);
}

/* ---- sums of a target ---- */

/* The sum of a target's record, from the argument's first value on. */
static pl_place sum_of(const pl_operand *op)
{
  pl_place sum = pl_place_of(PL_ARRAY, "sum_%s", op->stem);
  sum.first = op->home.first;
  return sum;
}

/* In vectors where the record allows that. */
static void add_sum(const pl_body *b)
{
  const pl_operand *op = b->op;
  const pl_place record = pl_whole_record(pl_dat_place(op, "pl_target")), sum = pl_whole_record(sum_of(op));
  if (!pl_move_vectors(b, op, op->stride, record, sum, PL_MOVE_ADD)) pl_print_template(b, "add_values", NULL);
}

/* ---- contributions ---- */

/* The element's increment of value c of a slot's record in a dat: the sum of its private values there. */
static void print_contribution(const pl_emitter *e, const pl_increments *all, const pl_operand *first,
                               int slot, int c, pl_string *text)
{
  bool any = false;
  for (const pl_operand *op = e->op; op < e->end; op++) {
    if (!pl_operand_increments(op) || op->dat != first->dat || c < op->home.first ||
        c >= op->home.first + op->dim)
      continue;
    for (int k = 0; k < op->targets; k++) {
      if (slot_of(all, op, k) != slot) continue;
      pl_string_add(text, "%s%s", any ? " + " : "",
                    pl_value_number(pl_private_place(op, k), c - op->home.first).s);
      any = true;
    }
  }
  if (!any) pl_string_add(text, "%s", pl_operand_neutral(first));
}

/* Value c of a slot's record: in local memory one value of all elements after the other, so that neighbouring
 * work items use different banks; in the device's memory record by record. */
static void print_record_value(const pl_body *b, const pl_increments *all, const pl_operand *op, int slot,
                               int c)
{
  pl_string *t = b->text;
  int at = slot * op->stride + c;
  pl_string_add(t, "%*sinc_%s[", 2 * b->depth, "", op->stem);
  if (b->e->options->conflict == PL_COMBINE)
    pl_string_add(t, "%d * PL_BLOCK_SIZE + pl_t] = ", at);
  else
    pl_string_add(t, "%d * (int64_t)pl_e + %d] = ", all->n * op->stride, at);
  print_contribution(b->e, all, op, slot, c, t);
  pl_string_add(t, ";\n");
}

static void print_contributions(const pl_body *b)
{
  const pl_increments *all = &b->e->increments;
  for (const pl_operand *op = b->e->op; op < b->e->end; op++)
    for (int at = 0; pl_first_of_dat(b->e, op) && at < all->n * op->stride; at++)
      print_record_value(b, all, op, at / op->stride, at % op->stride);
}

/* ---- gather ---- */

/* Adds the element's increment of this target to the running sums. */
static void print_increments(const pl_body *b)
{
  const bool slots = b->e->increments.n > 1 || b->e->options->degree;
  pl_body in = slots ? pl_deeper(b) : *b;
  for (const pl_operand *op = b->e->op; op < b->e->end; op++)
    for (int k = 0; pl_operand_increments(op) && k < op->targets; k++) {
      if (slots) pl_line(b, "if (pl_s == %d) {", slot_of(&b->e->increments, op, k));
      pl_each_value(&in, op, sum_of(op), pl_private_place(op, k), pl_print_add);
      if (slots) pl_line(b, "}");
    }
}

static int map_number(const pl_emitter *e, const pl_map *map)
{
  const pl_operand *op = e->op;
  while (op->arg->map != map || op->arg->off) op++;
  return op->map;
}

/* The targets of all slots, one of which is the row's own: the last words hold the others in order. */
void pl_print_slot_targets(const pl_body *b, bool muted)
{
  const pl_increments *all = &b->e->increments;
  const int first = all->nwords - all->n + 1;
  const char *own = muted ? "pl_o" : "pl_s";
  char other[64], known[64] = "";
  if (muted && all->n > 1) pl_line(b, "const int pl_o = pl_s < %d ? pl_s : pl_s - %d;", all->n, all->n);
  for (int s = 0; s < all->n; s++) {
    int map = map_number(b->e, all->reach[s].map), before = first + s - 1;
    snprintf(other, sizeof other, "pl_w%d", s ? before : first);
    if (s && s < all->n - 1)
      snprintf(other, sizeof other, "%s < %d ? pl_w%d : pl_w%d", own, s, before, before + 1);
    if (all->n > 1) snprintf(known, sizeof known, "%s == %d ? ", own, s);
    pl_line(b, "const int target%d_%d = %spl_target%s%s;", map, all->reach[s].index, known,
            all->n > 1 ? " : " : "", all->n > 1 ? other : "");
  }
}

const char *pl_word_name(const pl_emitter *e, const pl_reach *word, int i, char *buffer)
{
  if (word->group == PL_OTHER)
    snprintf(buffer, PL_PLACE, "pl_w%d", i);
  else if (word->map)
    snprintf(buffer, PL_PLACE, "target%d_%d", map_number(e, word->map), word->index);
  else
    snprintf(buffer, PL_PLACE, "pl_e");
  return buffer;
}

/* An entry that holds the targets of the element, and the slot in the first word. */
static void print_entry(const pl_body *b)
{
  const pl_emitter *e = b->e;
  const pl_reach *word = e->increments.word;
  int degree = e->options->degree, base = pl_entry_word_base(e->increments.n, degree);
  int nwords = e->increments.nwords;
  char name[PL_PLACE];
  bool unread = word[0].group == PL_UNREAD;
  for (int i = unread && base == 1; i < nwords; i++) {
    const char *to = i || base == 1 ? pl_word_name(e, &word[i], i, name) : "pl_first";
    if (degree)
      pl_line(b, "const int %s = pl_words[%d * pl_j + %d];", to, nwords, i);
    else
      pl_line(b, "const int %s = pl_row[(int64_t)%d * pl_rows + pl_j];", to, i);
  }
  pl_word_name(e, &word[0], 0, name);
  if (base > 1 && unread)
    pl_line(b, "const int pl_s = pl_first %% %d;", base);
  else if (base > 1)
    pl_line(b, "const int %s = pl_first / %d, pl_s = pl_first %% %d;", name, base, base);
  if (e->increments.own) pl_print_slot_targets(b, degree > 0);
}

/* ---- kernels over targets ---- */

/* Work items without a target, or with one that no element reaches, are done at once. Loads of several
 * elements are issued before the first is used; rows of a degree are loaded as a whole. */
static void print_targets(const pl_body *b, const char *comment, const char *name, const pl_param_list *list)
{
  const pl_emitter *e = b->e;
  const int degree = e->options->degree;
  const pl_text idle =
    pl_text_of("%s%s", e->options->full_blocks ? "" : "pl_target >= pl_end || ",
               degree ? "pl_row[pl_target] < 0" : "pl_offset[pl_target] == pl_offset[pl_target + 1]");
  const pl_word words[] = {{"gathers", .number = e->options->conflict == PL_GATHER},
                           {"idle", .text = idle.s},
                           {"row_words", .number = degree * e->increments.nwords},
                           {"at_once", .number = degree ? degree : 4},
                           {"degree", .number = degree},
                           {.name = NULL}};
  pl_print_kernel(b, comment, name, list, "kernel_over_targets", words);
  pl_string_add(b->text, "\n");
}

void pl_print_gather_by_target(const pl_body *b)
{
  if (b->e->options->record_bits) {
    pl_print_gather_by_row(b);
    return;
  }
  const pl_text comment = pl_text_of(
    "One target a work item: the kernel is called for each element that reaches it. Entries of its row "
    "hold\n * the targets that the element reads and the slot of %d",
    b->e->increments.n);
  print_targets(b, comment.s, "pl_run", &b->e->program->run);
}

void pl_print_sum(const pl_body *b)
{
  print_targets(b, "One target a work item: the contributions of its elements", "pl_sum",
                &b->e->program->sum);
}

pl_word pl_target_word(const pl_body *b, const char *name)
{
  const pl_word words[] = {{"sums", .number = b->op && pl_first_of_dat(b->e, b->op)},
                           {"add_sum", .print = add_sum},
                           {"contribute", .print = print_contributions},
                           {"entry", .print = print_entry},
                           {"increments", .print = print_increments},
                           {.name = NULL}};
  return pl_word_find(words, name);
}

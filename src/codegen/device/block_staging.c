/* SPDX-License-Identifier: BSD-2-Clause
 * Blocks with local memory: copies of the targets of a block (stage), and contributions of its elements that
 * are added up before they leave it (combine).
 */
#include "block_staging.h"
#include "gather_by_target.h"
#include "codegen/element/element_body.h"

/* ---- stage ---- */

static bool same_copy(const pl_operand *a, const pl_operand *b)
{
  return a->staged == b->staged && a->dat == b->dat;
}

bool pl_first_of_copy(const pl_emitter *e, const pl_operand *op)
{
  const pl_operand *before = e->op;
  while (before < op && !same_copy(before, op)) before++;
  return op->staged >= 0 && before == op;
}

/* An operand that writes to the copy that `op` is the first of, or NULL. */
static const pl_operand *writer_of_copy(const pl_emitter *e, const pl_operand *op)
{
  const pl_operand *writer = op;
  while (writer < e->end && !(same_copy(writer, op) && pl_operand_scatters(writer))) writer++;
  return writer < e->end ? writer : NULL;
}

/* Whether another copy of the dat was stored before: two lists may hold one target. */
static bool was_stored(const pl_emitter *e, const pl_operand *op)
{
  for (const pl_operand *before = e->op; before < op; before++)
    if (before->dat == op->dat && pl_first_of_copy(e, before) && writer_of_copy(e, before)) return true;
  return false;
}

static void print_stage_out(const pl_body *b)
{
  const pl_emitter *e = b->e;
  for (const pl_operand *op = e->op; op < e->end; op++) {
    const pl_body written = pl_body_of(b, pl_first_of_copy(e, op) ? writer_of_copy(e, op) : NULL);
    if (!written.op) continue;
    if (was_stored(e, op)) pl_line(b, "%s", e->dialect->barrier);
    pl_print_template(&written, "copy_out", NULL);
  }
}

/* ---- combine ---- */

/* Eight-byte values first, so that all are aligned. */
static void declare_contributions(const pl_body *b)
{
  const pl_emitter *e = b->e;
  size_t at = 0;
  for (size_t size = 8; size; size /= 2)
    for (const pl_operand *op = e->op; op < e->end; op++) {
      if (!pl_first_of_dat(e, op) || pl_type_size(op->type) != size) continue;
      const pl_body of_op = pl_body_of(b, op);
      const pl_word words[] = {{"start", .number = (int)at}, {.name = NULL}};
      pl_print_template(&of_op, "contribution", words);
      at += (size_t)(e->increments.n * op->stride) * size * (size_t)e->options->block_size;
    }
}

/* ---- words ---- */

static pl_text copy_value(const pl_body *b, const char *const *argument)
{
  return pl_value_at(pl_whole_record(pl_copy_place(b->op, argument[0])), argument[1]);
}

/* Of the list with number $n. */
static pl_word word_of_list(const pl_reach *list, int k, const char *name)
{
  const bool all = list->index == PL_ALL;
  const pl_word words[] = {{"entries_of_list", .number = all ? list->map->arity : 1},
                           {"local_entry", .number = (all ? 0 : list->index) + k},
                           {"idle_local", .number = list->map->has_negative ? -1 : 0},
                           {.name = NULL}};
  return pl_word_find(words, name);
}

pl_word pl_staging_word(const pl_body *b, const char *name)
{
  const pl_operand *op = b->op;
  const pl_access access = op ? op->arg->access : PL_READ;
  const pl_word words[] = {
    {"copied", .number = op && pl_first_of_copy(b->e, op)},
    {"sums_up", .number = op && (access == PL_INC || access == PL_MIN || access == PL_MAX)},
    {"copy", .make = copy_value},
    {"lists", .number = b->e->nlists},
    {"stage_out", .print = print_stage_out},
    {"contributions", .print = declare_contributions},
    {.name = NULL}};
  const pl_word word = pl_word_find(words, name);
  return word.name || !b->e->nlists ? word
                                    : word_of_list(&b->e->list[pl_index(b, 'n')], pl_index(b, 'k'), name);
}

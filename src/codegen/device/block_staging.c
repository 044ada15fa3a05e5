/* SPDX-License-Identifier: BSD-2-Clause
 * Blocks with local memory: copies of the targets of a block (stage), and contributions of its elements that
 * are added up before they leave it (combine).
 */
#include "block_staging.h"
#include "gather_by_target.h"
#include "skeleton.h"
#include "codegen/element/element_body.h"

extern const char pl_template_staging_device[]; /* codegen/templates/device/staging.device.inc */

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

static void print_copy(const pl_body *b, const pl_operand *op, const char *name)
{
  const pl_text place = pl_value_at(pl_whole_record(pl_dat_place(op, "pl_target")), "pl_c"),
                copy = pl_value_at(pl_whole_record(pl_copy_place(op, "pl_i")), "pl_c");
  bool sums = op->arg->access == PL_INC || op->arg->access == PL_MIN || op->arg->access == PL_MAX;
  pl_words words = {"place", place.s,
                    "copy",  copy.s,
                    "value", sums ? pl_operand_neutral(op) : place.s,
                    "loads", op->loads || op->arg->access == PL_WRITE ? "" : NULL,
                    NULL};
  pl_print_skeleton(b, op, pl_template_staging_device, name, words);
}

void pl_print_stage_in(const pl_body *b)
{
  const pl_emitter *e = b->e;
  for (int l = 0; l < e->nlists; l++) {
    const pl_text number = pl_text_of("%d", l);
    pl_words words = {"list", number.s, NULL};
    pl_print_skeleton(b, NULL, pl_template_staging_device, "bounds", words);
  }
  for (const pl_operand *op = e->op; op < e->end; op++)
    if (pl_first_of_copy(e, op)) print_copy(b, op, "copy_in");
  pl_line(b, "%s", e->dialect->barrier);
}

/* Idle work items take the first place, or none. */
void pl_print_locals(const pl_body *b)
{
  for (int l = 0; l < b->e->nlists; l++) {
    const pl_reach *list = &b->e->list[l];
    int first = list->index == PL_ALL ? 0 : list->index, width = list->index == PL_ALL ? list->map->arity : 1;
    for (int k = 0; k < width; k++)
      if (b->e->options->full_blocks)
        pl_line(b, "const int local%d_%d = pl_local%d[%d * pl_p + %d];", l, first + k, l, width, k);
      else
        pl_line(b, "const int local%d_%d = pl_active ? pl_local%d[%d * pl_p + %d] : %d;", l, first + k, l,
                width, k, list->map->has_negative ? -1 : 0);
  }
}

/* Whether another copy of the dat was stored before: two lists may hold one target. */
static bool was_stored(const pl_emitter *e, const pl_operand *op)
{
  for (const pl_operand *before = e->op; before < op; before++)
    if (before->dat == op->dat && pl_first_of_copy(e, before) && writer_of_copy(e, before)) return true;
  return false;
}

void pl_print_stage_out(const pl_body *b)
{
  const pl_emitter *e = b->e;
  for (const pl_operand *op = e->op; op < e->end; op++) {
    const pl_operand *writer = pl_first_of_copy(e, op) ? writer_of_copy(e, op) : NULL;
    if (!writer) continue;
    if (was_stored(e, op)) pl_line(b, "%s", e->dialect->barrier);
    print_copy(b, writer, "copy_out");
  }
}

/* ---- combine ---- */

/* Eight-byte values first, so that all are aligned. */
void pl_declare_contributions(const pl_body *b)
{
  const pl_emitter *e = b->e;
  size_t at = 0;
  for (size_t size = 8; size; size /= 2)
    for (const pl_operand *op = e->op; op < e->end; op++) {
      if (!pl_first_of_dat(e, op) || pl_type_size(op->type) != size) continue;
      const pl_text start = pl_text_of("%zu", at);
      pl_words words = {"start", start.s, NULL};
      pl_print_skeleton(b, op, pl_template_staging_device, "contributions", words);
      at += (size_t)(e->increments.n * op->stride) * size * (size_t)e->options->block_size;
    }
}

static void add_contributions(const pl_body *b)
{
  for (const pl_operand *op = b->e->op; op < b->e->end; op++)
    if (pl_first_of_dat(b->e, op))
      pl_print_skeleton(b, op, pl_template_staging_device, "add_contribution", NULL);
}

/* Targets that other blocks reach too are marked by a negative number. */
static void store_sums(const pl_body *b)
{
  pl_body in = pl_deeper(b);
  if (b->e->options->coloured) {
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
  pl_body in = pl_deeper(b), inner = pl_deeper(&in);
  pl_line(b, "%s", b->e->dialect->barrier);
  pl_line(b, "for (int pl_i = pl_from[pl_b] + pl_t; pl_i < pl_from[pl_b + 1]; pl_i += %s) {",
          b->e->dialect->local_size);
  pl_line(&in, "const int pl_m = pl_to[pl_i], pl_target = pl_m < 0 ? ~pl_m : pl_m;");
  pl_declare_sums(&in);
  pl_line(&in, "for (int pl_j = pl_row[pl_i + pl_b]; pl_j < pl_row[pl_i + pl_b + 1]; pl_j++) {");
  pl_line(&inner, "const int pl_n = pl_entry[pl_b * (%d * PL_BLOCK_SIZE) + pl_j];", b->e->increments.n);
  add_contributions(&inner);
  pl_line(&in, "}");
  store_sums(&in);
  pl_line(b, "}");
}

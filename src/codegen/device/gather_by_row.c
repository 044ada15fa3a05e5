/* SPDX-License-Identifier: BSD-2-Clause
 * The gather of a matrix. In the text pl_s is the tensor's row that goes to the matrix's row pl_target, and
 * pl_f0, pl_f1 ... are a record's words of fields.
 */
#include "gather_by_row.h"
#include "gather_by_target.h"
#include "codegen/element/element_body.h"
#include "codegen/element/kernel_parameters.h"
#include "plan/execution/row_records.h"

/* The one operand that increments. */
static const pl_operand *tensor_of(const pl_emitter *e)
{
  const pl_operand *op = e->op;
  while (!pl_operand_increments(op)) op++;
  return op;
}

static pl_record_shape shape_of(const pl_emitter *e)
{
  return pl_record_shape_of(tensor_of(e)->arg->map, e->increments.nwords, e->options->record_bits);
}

/* ---- records ---- */

static const char *record_word(const pl_emitter *e, int i, char *name)
{
  const int nwords = e->increments.nwords;
  if (i < nwords) return pl_word_name(e, &e->increments.word[i], i, name);
  snprintf(name, PL_PLACE, "pl_f%d", i - nwords);
  return name;
}

static bool is_read(const pl_emitter *e, int i)
{
  return i >= e->increments.nwords || e->increments.word[i].group != PL_UNREAD;
}

static void print_record(const pl_body *b)
{
  const pl_emitter *e = b->e;
  const pl_record_shape shape = shape_of(e);
  const int unit = shape.unit, each = PL_SLICE * shape.nwords;
  char name[PL_PLACE];
  for (int i = 0; i < shape.nwords; i += unit) {
    const pl_text place =
      pl_text_of("pl_row[(int64_t)pl_j * %d + %d + %d * pl_lane]", each, PL_SLICE * i, unit);
    if (unit > 1)
      pl_line(b, "const int%d pl_v%d = *(%sconst int%d *)&%s;", unit, i, e->dialect->global, unit, place.s);
    else if (is_read(e, i))
      pl_line(b, "const int %s = %s;", record_word(e, i, name), place.s);
    for (int k = 0; k < unit && unit > 1; k++)
      if (is_read(e, i + k))
        pl_line(b, "const int %s = pl_v%d.%c;", record_word(e, i + k, name), i, "xyzw"[k]);
  }
}

static pl_text field(const pl_record_shape *shape, int j)
{
  const int each = 32 / shape->bits;
  return pl_text_of("(int)((uint32_t)pl_f%d >> %d & %u)", j / each, j % each * shape->bits,
                    (1U << shape->bits) - 1);
}

static pl_text is_record(const pl_emitter *e)
{
  const pl_record_shape shape = shape_of(e);
  pl_text all = pl_text_of("pl_f0");
  for (int i = 1; i < shape.nfields; i++) all = pl_text_of("%s & pl_f%d", all.s, i);
  return pl_text_of(shape.nfields > 1 ? "(%s) != -1" : "%s != -1", all.s);
}

/* The slot, and the targets of all slots if the kernel reads them. */
static void print_targets(const pl_body *b)
{
  const pl_record_shape shape = shape_of(b->e);
  if (shape.sections == 1)
    pl_line(b, "const int pl_s = %s;", field(&shape, shape.columns).s);
  else
    pl_line(b, "const int pl_s = %d;", pl_word_find(b->words, "section").number);
  if (b->e->increments.own) pl_print_slot_targets(b, false);
}

/* ---- increments ---- */

/* A value of the tensor's row pl_s: chosen at run time among all rows, or that of the section. */
static void print_value(const pl_body *b, int section, int height, int line, int at)
{
  const pl_emitter *e = b->e;
  const pl_operand *op = tensor_of(e);
  const int last = section < 0 ? e->increments.n - 1 : section;
  for (int s = section < 0 ? 0 : section; s <= last; s++) {
    if (s < last) pl_string_add(b->text, "pl_s == %d ? ", s);
    pl_string_add(b->text, "%s%s", pl_value_number(pl_private_place(op, s * height * line + at), 0).s,
                  s < last ? " : " : ";\n");
  }
}

/* Adds block column j of the tensor's row. */
static void print_column(const pl_body *b, const pl_record_shape *shape, int section, int j)
{
  const pl_map *map = tensor_of(b->e)->arg->map;
  const int height = map->tensor_rows.block[0], width = map->tensor_rows.block[1], line = map->tensor[1];
  const bool guard = b->e->options->gaps;
  pl_line(b, "const int pl_o%d = %s;", j, field(shape, j).s);
  if (guard) pl_line(b, "if (pl_o%d != %u) {", j, (1U << shape->bits) - 1);
  for (int at = 0; at < height * width; at++) {
    const pl_text place = height * width > 1 ? pl_text_of("pl_own + %d * pl_o%d + %d", height * width, j, at)
                                             : pl_text_of("pl_own + pl_o%d", j);
    pl_string_add(b->text, "%*spl_values[%s] += ", 2 * (b->depth + guard), "", place.s);
    print_value(b, section, height, line, at / width * line + j * width + at % width);
  }
  if (guard) pl_line(b, "}");
}

static void print_increments(const pl_body *b)
{
  const pl_record_shape shape = shape_of(b->e);
  const int section = shape.sections > 1 ? pl_word_find(b->words, "section").number : -1;
  for (int j = 0; j < shape.columns; j++) print_column(b, &shape, section, j);
}

/* ---- the kernel ---- */

/* The unchanged kernel is called once for each row of a large tensor: the compiler drops unused results. */
static void print_sections(const pl_body *b)
{
  const int sections = shape_of(b->e).sections;
  const pl_text filled = is_record(b->e);
  for (int s = 0; s < sections; s++) {
    const pl_word words[] = {{"sections", .number = sections},
                             {"section", .number = s},
                             {"at_once", .number = sections > 1 ? 1 : 2},
                             {"is_record", .text = filled.s},
                             {.name = NULL}};
    pl_print_template(b, "row_section", words);
  }
}

void pl_print_gather_by_row(const pl_body *b)
{
  const pl_operand *op = tensor_of(b->e);
  const int *block = op->arg->map->tensor_rows.block;
  const bool stores = b->e->options->stores;
  const pl_body of_op = pl_body_of(b, op);
  const pl_word words[] = {{"block", .number = block[0] * block[1]},
                           {"start_value", .text = stores ? "0" : pl_operand_neutral(op)},
                           {"adds", .text = stores ? "=" : "+="},
                           {.name = NULL}};
  pl_print_kernel(
    &of_op,
    "One row of the matrix a work item: the kernel is called for each element that has a part of "
    "it",
    "pl_run", &b->e->program->run, "kernel_over_rows", words);
  pl_string_add(b->text, "\n");
}

pl_word pl_row_gather_word(const pl_body *b, const char *name)
{
  (void)b;
  static const pl_word words[] = {{"all_sections", .print = print_sections},
                                  {"row_record", .print = print_record},
                                  {"row_targets", .print = print_targets},
                                  {"row_increments", .print = print_increments},
                                  {.name = NULL}};
  return pl_word_find(words, name);
}

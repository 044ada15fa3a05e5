/* SPDX-License-Identifier: BSD-2-Clause
 * Types and values of rows. pl_at() in the kernel's text is the value in the layout that the dat has; where
 * the kernel is inlined the layout is a constant that the compiler folds.
 */
#include "ragged_row.h"
#include "core/base/scalar_type.h"

static const char place_text[] =
  "#define pl_value_of(row, t, c) ((row)->value[pl_row_place((t), (c) + (row)->first, (row)->dim, "
  "(row)->layout, (row)->pack, (row)->size)])\n"
  "#define pl_at(row, k, c) pl_value_of(row, (row)->index[k], c)\n";

static const char place_body[] =
  " int64_t pl_row_place(int t, int c, int dim, int layout, int pack, int size)\n{\n"
  "  return PL_AT((int64_t)t, (int64_t)c, dim, layout, pack, size);\n}\n";

extern const char pl_template_checked_row_host[]; /* codegen/templates/host/checked_row.host.inc */

static void print_type(const pl_emitter *e, pl_type type)
{
  const char *name = pl_type_name(type), *space = e->dialect->global;
  pl_string_add(
    &e->program->text,
    "typedef struct pl_row_%s {\n  int count, first, dim, layout, pack, size;\n  %sconst int *index;\n"
    "  %sconst %s *value;\n} pl_row_%s;\n",
    name, space, space, name, name);
  if (type == PL_INT32) pl_string_add(&e->program->text, "typedef pl_row_int32_t pl_row_int;\n");
}

void pl_print_row_types(const pl_emitter *e)
{
  pl_string *t = &e->program->text;
  const pl_source *source = &e->program->source;
  if (!source->rows) return;
  pl_print_layout_macro(t);
  pl_string_add(t, "%s%s%s", place_text, e->dialect->function_qualifier, place_body);
  if (e->options->checks) pl_string_add(t, "%s", pl_template_checked_row_host);
  for (int type = 0; type < PL_TYPE_COUNT; type++)
    if (source->rows >> type & 1) print_type(e, (pl_type)type);
  if (source->real_rows)
    pl_string_add(t, "typedef pl_row_%s pl_row_real;\n", pl_type_name(e->signature->real));
}

/* count, first, dim, layout, pack, size, index, value */
void pl_body_row(const pl_body *b, const pl_operand *op)
{
  const pl_dat *dat = op->arg->object;
  const char *type = pl_type_name(dat->type), *space = b->e->dialect->global;
  pl_layout layout = op->home.layout;
  pl_text count = pl_text_of("offset%d[pl_e + 1] - offset%d[pl_e]", op->map, op->map),
          index = pl_text_of("map%d + offset%d[pl_e]", op->map, op->map);
  if (op->arg->index == PL_WHOLE) {
    count = pl_text_of("%d", b->e->options->checks ? -1 : 0);
    index = op->map < 0 ? pl_text_of("0") : pl_text_of("map%d", op->map);
  }
  if (pl_type_is_complex(dat->type) && layout.pack > 1) layout.pack /= 2; /* of pairs */
  pl_line(b, "const pl_row_%s %s[1] = {{%s, %d, %d, %d, %d, %s, %s,", type, op->name, count.s,
          op->arg->component > 0 ? op->arg->component : 0, dat->dim, layout.tile, layout.pack, op->home.size,
          index.s);
  pl_line(b, "  (%sconst %s *)%s}};", space, type, op->home.array);
}

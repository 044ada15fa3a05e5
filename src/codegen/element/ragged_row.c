/* SPDX-License-Identifier: BSD-2-Clause
 * Types and values of rows. pl_at() in the kernel's text is the value in the layout that the dat has; where
 * the kernel is inlined the layout is a constant that the compiler folds.
 */
#include "ragged_row.h"

static const char place_text[] =
  "#define pl_at(row, k, c) ((row)->value[pl_row_place((row)->index[k], (c) + (row)->first, (row)->dim, "
  "(row)->layout, (row)->pack, (row)->size)])\n";

/* Layouts as in pl_dat: 0 keeps packs of `pack` components apart, 1 records together, else tiles. */
static const char place_body[] =
  " int64_t pl_row_place(int t, int c, int dim, int layout, int pack, int size)\n{\n"
  "  if (layout == 1) return (int64_t)t * dim + c;\n"
  "  const int64_t tile = layout ? layout : size;\n"
  "  return (t / tile * tile * (dim / pack) + c / pack * tile + t % tile) * pack + c % pack;\n}\n";

/* Of a checked loop on hosts, where records lie together: the same, with bounds. */
static const char checked_place[] =
  "#undef pl_at\n"
  "#define pl_at(row, k, c) ((row)->value[pl_row_look((row)->index, (row)->count, (k), (row)->first, (c), "
  "(row)->dim, __FILE__, __LINE__)])\n"
  "static inline int64_t pl_row_look(const int *index, int count, int k, int first, int c, int dim,\n"
  "                                  const char *file, int line)\n{\n"
  "  if (count >= 0 && (k < 0 || k >= count))\n"
  "    pl_active_checker->fault(pl_active_checker, 1, -1, k, count, file, line);\n"
  "  if (c < 0 || c + first >= dim) pl_active_checker->fault(pl_active_checker, 2, -1, c, dim, file, line);\n"
  "  return (int64_t)index[k] * dim + first + c;\n}\n";

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
  pl_string_add(t, "%s%s%s", place_text, e->dialect->function_qualifier, place_body);
  if (e->options->checks) pl_string_add(t, "%s", checked_place);
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
  char size[PL_NAME + 8] = "0", count[64], index[64] = "0";
  if (op->layout == PL_SOA) snprintf(size, sizeof size, "stride_%s", op->stem);
  if (op->arg->index == PL_WHOLE) {
    snprintf(count, sizeof count, "%d", b->e->options->checks ? -1 : 0);
    if (op->map >= 0) snprintf(index, sizeof index, "map%d", op->map);
  } else {
    snprintf(count, sizeof count, "offset%d[pl_e + 1] - offset%d[pl_e]", op->map, op->map);
    snprintf(index, sizeof index, "map%d + offset%d[pl_e]", op->map, op->map);
  }
  pl_line(b, "const pl_row_%s %s[1] = {{%s, %d, %d, %d, %d, %s, %s,", type, op->name, count,
          op->arg->component > 0 ? op->arg->component : 0, dat->dim, op->layout, op->pack, size, index);
  pl_line(b, "  (%sconst %s *)dat_%s}};", space, type, op->stem);
}

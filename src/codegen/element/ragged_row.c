/* SPDX-License-Identifier: BSD-2-Clause
 * Rows: what a kernel gets of a dat through a ragged map. pl_at() in the kernel's text stands for the value
 * in whatever layout the dat has; the layout is a constant where the kernel is inlined, so that nothing of it
 * is left in the code.
 */
#include "body.h"
#include "core/memory.h"

static const char place_text[] =
  "#define pl_at(row, k, c) ((row)->value[pl_row_place((row)->index[k], (c) + (row)->first, (row)->dim, "
  "(row)->layout, (row)->pack, (row)->size)])\n";

/* Layouts as in pl_dat: 0 keeps words of `pack` components apart, 1 records together, else tiles. */
static const char place_body[] =
  " int64_t pl_row_place(int t, int c, int dim, int layout, int pack, int size)\n{\n"
  "  if (layout == 1) return (int64_t)t * dim + c;\n"
  "  const int64_t tile = layout ? layout : size;\n"
  "  return (t / tile * tile * (dim / pack) + c / pack * tile + t % tile) * pack + c % pack;\n}\n";

/* While a loop is checked: the same on hosts, where records lie together, but no further than the row goes.
 */
static const char watched_place[] =
  "#undef pl_at\n"
  "#define pl_at(row, k, c) ((row)->value[pl_row_look((row)->index, (row)->count, (k), (row)->first, (c), "
  "(row)->dim, __FILE__, __LINE__)])\n"
  "static inline int64_t pl_row_look(const int *index, int count, int k, int first, int c, int dim,\n"
  "                                  const char *file, int line)\n{\n"
  "  if (count >= 0 && (k < 0 || k >= count))\n"
  "    return pl_watching->fault(pl_watching, 1, k, count, file, line), 0;\n"
  "  if (c < 0 || c + first >= dim) return pl_watching->fault(pl_watching, 2, c, dim, file, line), 0;\n"
  "  return (int64_t)index[k] * dim + first + c;\n}\n";

static void print_type(const pl_walk_state *w, pl_type type)
{
  const char *name = pl_type_name(type), *space = w->dialect->global;
  pl_text_add(
    &w->program->text,
    "typedef struct pl_row_%s {\n  int count, first, dim, layout, pack, size;\n  %sconst int *index;\n"
    "  %sconst %s *value;\n} pl_row_%s;\n",
    name, space, space, name, name);
  if (type == PL_INT32) pl_text_add(&w->program->text, "typedef pl_row_int32_t pl_row_int;\n");
}

void pl_print_row_types(const pl_walk_state *w)
{
  pl_text *t = &w->program->text;
  const pl_source *source = &w->program->source;
  if (!source->rows) return;
  pl_text_add(t, "%s%s%s", place_text, w->dialect->function_qualifier, place_body);
  if (w->style->checks) pl_text_add(t, "%s", watched_place);
  for (int type = 0; type < PL_TYPE_COUNT; type++)
    if (source->rows >> type & 1) print_type(w, (pl_type)type);
  if (source->real_rows) pl_text_add(t, "typedef pl_row_%s pl_row_real;\n", pl_type_name(w->signature->real));
}

void pl_body_row(const pl_body *b, const pl_operand *op)
{
  const pl_dat *dat = op->arg->object;
  const char *type = pl_type_name(dat->type), *space = b->w->dialect->global;
  char size[24] = "0", map[24] = "0";
  if (op->layout == PL_SOA) snprintf(size, sizeof size, "s%d", op->dat);
  if (op->map >= 0) snprintf(map, sizeof map, "m%d", op->map);
  if (op->arg->index == PL_WHOLE) {
    pl_line(b, "const pl_row_%s %s[1] = {{%d, %d, %d, %d, %d, %s, %s,", type, op->x,
            b->w->style->checks ? -1 : 0, op->arg->component > 0 ? op->arg->component : 0, dat->dim,
            op->layout, op->pack, size, map);
    pl_line(b, "  (%sconst %s *)d%d}};", space, type, op->dat);
    return;
  }
  pl_line(b, "const pl_row_%s %s[1] = {{o%d[pl_e + 1] - o%d[pl_e], %d, %d, %d, %d, %s, m%d + o%d[pl_e],",
          type, op->x, op->map, op->map, op->arg->component > 0 ? op->arg->component : 0, dat->dim,
          op->layout, op->pack, size, op->map, op->map);
  pl_line(b, "  (%sconst %s *)d%d}};", space, type, op->dat);
}

/* SPDX-License-Identifier: BSD-2-Clause
 * The texts of targets, and where values are.
 */
#include "targets.h"

/* ---- targets ---- */

/* Sums for each target know it, and copies of a block have places of their own. */
bool pl_body_needs_targets(const pl_emitter *e, const pl_operand *op)
{
  return op->map >= 0 && !op->row && !op->arg->off && op->staged < 0 && !pl_operand_contributes(e, op);
}

/* Whether one of the operands before `end` names target k of the map; -1: any target. */
static bool names_target(const pl_emitter *e, int end, int map, int k)
{
  for (int j = 0; j < end; j++) {
    const pl_operand *op = &e->op[j];
    if (pl_body_needs_targets(e, op) && op->map == map &&
        (k < 0 || (k >= op->index && k < op->index + op->targets)))
      return true;
  }
  return false;
}

bool pl_target_printed(const pl_emitter *e, int i, int k)
{
  return names_target(e, i, e->op[i].map, k);
}

/* Whether the loop uses all targets of a map. */
static bool uses_row(const pl_emitter *e, const pl_operand *op)
{
  int k = 0;
  while (k < op->arg->map->arity && names_target(e, e->loop->nargs, op->map, k)) k++;
  return k == op->arg->map->arity;
}

/* Index k of the element's row: "map0[2 * pl_e + 1]". */
static pl_text map_place(const pl_operand *op, int k)
{
  const pl_map *map = op->arg->map;
  bool wide = (int64_t)map->from->end[3] * map->arity > INT32_MAX;
  return pl_text_of("map%d[%d * %spl_e + %d]", op->map, map->arity, wide ? "(int64_t)" : "", k);
}

/* A row in vectors of `length` indices; `type` stands before each target that is assigned. */
static void print_row(const pl_body *b, const pl_operand *op, int length, const char *type)
{
  for (int first = 0; first < op->arg->map->arity; first += length) {
    const pl_text place = map_place(op, first);
    if (length == 1)
      pl_line(b, "%starget%d_%d = %s;", type, op->map, first, place.s);
    else
      pl_line(b, "const int%d row%d_%d = *(%sconst int%d *)&%s;", length, op->map, first,
              b->e->dialect->global, length, place.s);
    for (int k = 0; k < length && length > 1; k++)
      pl_line(b, "%starget%d_%d = row%d_%d.%c;", type, op->map, first + k, op->map, first, "xyzw"[k]);
  }
}

/* On devices rows of 2 indices, or of a multiple of 4, are loaded in vectors where the loop uses them all. */
static bool print_whole_row(const pl_body *b, int i)
{
  const pl_operand *op = &b->e->op[i];
  int arity = op->arg->map->arity;
  if (b->e->dialect->host || (arity != 2 && arity % 4) || !uses_row(b->e, op)) return false;
  if (!pl_target_printed(b->e, i, -1)) print_row(b, op, arity % 4 ? 2 : 4, "const int ");
  return true;
}

void pl_body_masked_row(const pl_body *b, const pl_operand *op)
{
  int arity = op->arg->map->arity;
  if (!pl_body_needs_targets(b->e, op) || pl_target_printed(b->e, op->i, -1)) return;
  for (int k = 0; k < arity; k++) pl_line(b, "int target%d_%d = 0;", op->map, k);
  pl_body in = pl_open_mask(b, op);
  print_row(&in, op, arity % 4 == 0 ? 4 : arity % 2 == 0 ? 2 : 1, "");
  pl_line(b, "}");
}

pl_body pl_open_mask(const pl_body *b, const pl_operand *op)
{
  pl_line(b, "if (has_%s) {", op->mask->stem);
  return pl_deeper(b);
}

/* Masks come first: all that depends on them waits for them. */
static void print_masks(const pl_body *b)
{
  const pl_operand *op = b->e->op;
  for (int i = 0; i < b->e->loop->nargs; i++) {
    bool first = op[i].mask && !op[i].arg->off;
    for (int j = 0; j < i && first; j++) first = op[j].mask != op[i].mask || op[j].arg->off;
    const char *mask = first ? op[i].mask->stem : "";
    if (first) pl_line(b, "const bool has_%s = dat_%s[pl_e] != 0;", mask, mask);
  }
}

void pl_body_targets(const pl_body *b)
{
  print_masks(b);
  for (const pl_operand *op = b->e->op; op < b->e->end; op++) {
    if (!pl_body_needs_targets(b->e, op) || op->mask || print_whole_row(b, op->i)) continue;
    for (int k = op->index; k < op->index + op->targets; k++)
      if (!pl_target_printed(b->e, op->i, k))
        pl_line(b, "const int target%d_%d = %s;", op->map, k, map_place(op, k).s);
  }
}

/* The side of a pair. */
static const char *side_of(const pl_operand *op)
{
  return op->arg->index == 1 ? "pl_o" : "pl_e";
}

pl_text pl_body_target(const pl_body *b, const pl_operand *op, int k)
{
  if (pl_loop_traits_of(b->e->loop)->pairs) return pl_text_of("%s", side_of(op));
  if (!op->arg->map) return pl_text_of("pl_e");
  if (op->staged >= 0) return pl_text_of("local%d_%d", op->staged, op->index + k);
  return pl_text_of("target%d_%d%s", op->map, op->index + k, b->buffered ? "[pl_l]" : "");
}

static pl_text index_of(const pl_operand *op, const char *target)
{
  if (op->ids < 0) return pl_text_of("%s", target);
  if (!op->guard) return pl_text_of("ids%d[%s]", op->ids, target);
  return pl_text_of("%s < 0 ? %s : ids%d[%s]", target, target, op->ids, target);
}

pl_text pl_global_index(const pl_body *b, const pl_operand *op)
{
  return index_of(op, pl_body_target(b, op, 0).s);
}

pl_text pl_other_index(const pl_operand *op)
{
  return index_of(op, "pl_o");
}

/* ---- values ---- */

pl_place pl_dat_place(const pl_operand *op, const char *target)
{
  return pl_record_at(op->home, target);
}

pl_place pl_copy_place(const pl_operand *op, const char *target)
{
  pl_place copy = op->home;
  copy.layout = (pl_layout){PL_SOA, 1};
  copy.wide = false;
  copy.local = true;
  snprintf(copy.array, sizeof copy.array, "block%d_%s", op->staged, op->stem);
  snprintf(copy.size, sizeof copy.size, "pl_n%d", op->staged);
  return pl_record_at(copy, target);
}

/* In lanes, side 0 of a pair was loaded before. */
static bool is_own(const pl_body *b, const pl_operand *op)
{
  return b->lanes && pl_loop_traits_of(b->e->loop)->pairs && op->arg->index != 1;
}

pl_place pl_element_place(const pl_body *b, const pl_operand *op, int k)
{
  if (is_own(b, op)) return pl_place_of(PL_LANES, "own_%s", op->name);
  if (b->buffered && pl_operand_buffered(op))
    return pl_place_of(PL_LANES, "%s", pl_name_of_target("lanes", op, k).s);
  const pl_text target = op->home.local && !op->arg->map ? pl_text_of("pl_i") : pl_body_target(b, op, k);
  return op->staged >= 0 ? pl_copy_place(op, target.s) : pl_dat_place(op, target.s);
}

pl_place pl_private_place(const pl_operand *op, int k)
{
  return op->all ? pl_place_of(PL_ARRAY, "%s[%d]", op->name, k) : pl_place_of(PL_ARRAY, "%s", op->name);
}

pl_text pl_name_of_target(const char *prefix, const pl_operand *op, int k)
{
  return op->all ? pl_text_of("%s%d_%s", prefix, k, op->name) : pl_text_of("%s_%s", prefix, op->name);
}

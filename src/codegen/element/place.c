/* SPDX-License-Identifier: BSD-2-Clause
 * The texts of targets and of places.
 */
#include "place.h"
#include <stdlib.h>

enum { SMALL = 96 };

/* ---- targets ---- */

/* Sums for each target know it, and copies of a block have places of their own. */
bool pl_body_needs_targets(const pl_emitter *e, const pl_operand *op)
{
  return op->map >= 0 && !op->row && !op->arg->off && op->staged < 0 && !pl_operand_contributes(e, op);
}

static int target_index(const pl_operand *op, int k)
{
  return op->all ? k : op->arg->index;
}

/* Whether one of the operands before `end` names target k of the map; -1: any target. */
static bool names_target(const pl_emitter *e, int end, int map, int k)
{
  for (int j = 0; j < end; j++) {
    const pl_operand *op = &e->op[j];
    if (pl_body_needs_targets(e, op) && op->map == map && (op->all || k < 0 || op->arg->index == k))
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
static const char *map_place(const pl_operand *op, int k, char *buffer)
{
  const pl_map *map = op->arg->map;
  bool wide = (int64_t)map->from->end[3] * map->arity > INT32_MAX;
  snprintf(buffer, SMALL, "map%d[%d * %spl_e + %d]", op->map, map->arity, wide ? "(int64_t)" : "", k);
  return buffer;
}

/* A row in vectors of `length` indices; `type` stands before each target that is assigned. */
static void print_row(const pl_body *b, const pl_operand *op, int length, const char *type)
{
  char place[SMALL];
  for (int first = 0; first < op->arg->map->arity; first += length) {
    map_place(op, first, place);
    if (length == 1)
      pl_line(b, "%starget%d_%d = %s;", type, op->map, first, place);
    else
      pl_line(b, "const int%d row%d_%d = *(%sconst int%d *)&%s;", length, op->map, first,
              b->e->dialect->global, length, place);
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
  char place[SMALL];
  print_masks(b);
  for (const pl_operand *op = b->e->op; op < b->e->end; op++) {
    if (!pl_body_needs_targets(b->e, op) || op->mask || print_whole_row(b, op->i)) continue;
    int first = target_index(op, 0);
    for (int k = first; k < first + op->targets; k++)
      if (!pl_target_printed(b->e, op->i, k))
        pl_line(b, "const int target%d_%d = %s;", op->map, k, map_place(op, k, place));
  }
}

const char *pl_body_target(const pl_body *b, const pl_operand *op, int k, char *buffer)
{
  if (!op->arg->map) return "pl_e";
  if (op->staged >= 0)
    snprintf(buffer, SMALL, "local%d_%d", op->staged, target_index(op, k));
  else
    snprintf(buffer, SMALL, "target%d_%d%s", op->map, target_index(op, k), b->buffered ? "[pl_l]" : "");
  return buffer;
}

const char *pl_global_index(const pl_body *b, const pl_operand *op, char *buffer)
{
  char name[SMALL];
  const char *target = pl_body_target(b, op, 0, name);
  if (op->ids < 0)
    snprintf(buffer, PL_PLACE, "%s", target);
  else if (op->guard)
    snprintf(buffer, PL_PLACE, "%s < 0 ? %s : ids%d[%s]", target, target, op->ids, target);
  else
    snprintf(buffer, PL_PLACE, "ids%d[%s]", op->ids, target);
  return buffer;
}

/* ---- values ---- */

pl_operand pl_whole_record(const pl_operand *op)
{
  pl_operand record = *op;
  record.first = 0;
  record.dim = op->stride;
  return record;
}

const char *pl_component(const pl_operand *op, const char *c, char *buffer)
{
  if (*c >= '0' && *c <= '9')
    snprintf(buffer, SMALL, "%d", op->first + atoi(c));
  else if (op->first)
    snprintf(buffer, SMALL, "(%d + %.40s)", op->first, c);
  else
    snprintf(buffer, SMALL, "%.40s", c);
  return buffer;
}

/* log2 of a power of two. */
static int shift_of(int tile)
{
  int shift = 0;
  while (1 << shift < tile) shift++;
  return shift;
}

/* Values in packs of op->pack, the packs apart. */
static const char *packed_place(const pl_operand *op, const char *c, const char *target, char *buffer)
{
  char pack[SMALL], rest[SMALL];
  const char *wide = op->wide ? "(int64_t)" : "";
  int n = op->pack;
  if (*c >= '0' && *c <= '9') {
    snprintf(pack, sizeof pack, "%d", atoi(c) / n);
    snprintf(rest, sizeof rest, "%d", atoi(c) % n);
  } else {
    snprintf(pack, sizeof pack, "%.60s / %d", c, n);
    snprintf(rest, sizeof rest, "%.60s %% %d", c, n);
  }
  if (op->layout == PL_SOA)
    snprintf(buffer, PL_PLACE, "dat_%s[(%s%s * stride_%s + %s) * %d + %s]", op->stem, wide, pack, op->stem,
             target, n, rest);
  else
    snprintf(buffer, PL_PLACE, "dat_%s[%s(%s >> %d) * %d + %s * %d + (%s & %d) * %d + %s]", op->stem, wide,
             target, shift_of(op->layout), op->stride * op->layout, pack, op->layout * n, target,
             op->layout - 1, n, rest);
  return buffer;
}

const char *pl_dat_place(const pl_operand *op, const char *c, const char *target, char *buffer)
{
  char at[SMALL];
  const char *wide = op->wide ? "(int64_t)" : "";
  pl_component(op, c, at);
  if (op->layout != PL_AOS && op->pack > 1) return packed_place(op, at, target, buffer);
  if (op->stride == 1)
    snprintf(buffer, PL_PLACE, "dat_%s[%s]", op->stem, target);
  else if (op->layout == PL_SOA)
    snprintf(buffer, PL_PLACE, "dat_%s[%s%s * stride_%s + %s]", op->stem, wide, at, op->stem, target);
  else if (op->layout == PL_AOS)
    snprintf(buffer, PL_PLACE, "dat_%s[%d * %s%s + %s]", op->stem, op->stride, wide, target, at);
  else
    snprintf(buffer, PL_PLACE, "dat_%s[%s(%s >> %d) * %d + %s * %d + (%s & %d)]", op->stem, wide, target,
             shift_of(op->layout), op->stride * op->layout, at, op->layout, target, op->layout - 1);
  return buffer;
}

const char *pl_element_place(const pl_body *b, const pl_operand *op, int k, const char *c, char *buffer)
{
  char target[SMALL], at[SMALL];
  pl_body_target(b, op, k, target);
  if (op->local)
    snprintf(buffer, PL_PLACE, "block_%s[%d * %s + %s]", op->stem, op->stride, op->arg->map ? target : "pl_i",
             pl_component(op, c, at));
  else if (op->staged >= 0)
    snprintf(buffer, PL_PLACE, "block%d_%s[%s * pl_n%d + %s]", op->staged, op->stem, pl_component(op, c, at),
             op->staged, target);
  else if (b->buffered && pl_operand_buffered(op))
    snprintf(buffer, PL_PLACE, "%s[%s][pl_l]", pl_name_of_target("lanes", op, k, at), c);
  else
    pl_dat_place(op, c, op->arg->map ? target : "pl_e", buffer);
  return buffer;
}

const char *pl_private_place(const pl_operand *op, int k, const char *c, char *buffer)
{
  if (op->all)
    snprintf(buffer, PL_PLACE, "%s[%d][%s]", op->name, k, c);
  else
    snprintf(buffer, PL_PLACE, "%s[%s]", op->name, c);
  return buffer;
}

const char *pl_name_of_target(const char *prefix, const pl_operand *op, int k, char *buffer)
{
  if (op->all)
    snprintf(buffer, SMALL, "%s%d_%s", prefix, k, op->name);
  else
    snprintf(buffer, SMALL, "%s_%s", prefix, op->name);
  return buffer;
}

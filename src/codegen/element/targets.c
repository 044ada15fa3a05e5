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

/* Whether the loop uses all targets of a map. */
static bool uses_row(const pl_emitter *e, const pl_operand *op)
{
  int k = 0;
  while (k < op->arg->map->arity && names_target(e, e->loop->nargs, op->map, k)) k++;
  return k == op->arg->map->arity;
}

/* Devices load rows of 2 indices, or of a multiple of 4, in vectors, if the loop uses all indices or the row
 * has a mask. */
static int row_length(const pl_emitter *e, const pl_operand *op)
{
  const int arity = op->arg->map->arity, length = arity % 4 == 0 ? 4 : arity % 2 == 0 ? 2 : 1;
  if (op->mask) return length;
  if (op->arg->map->block_values > 1) return 1;
  return !e->dialect->host && (arity == 2 || length == 4) && uses_row(e, op) ? length : 1;
}

static bool is_mask(const pl_emitter *e, const pl_operand *op)
{
  for (const pl_operand *other = e->op; other < e->end; other++)
    if (other->mask == op && !other->arg->off) return true;
  return false;
}

/* The element as a factor of a place in the map. */
static const char *row_element(const pl_operand *op)
{
  const pl_map *map = op->arg->map;
  return (int64_t)map->from->end[3] * map->arity > INT32_MAX ? "(int64_t)pl_e" : "pl_e";
}

/* Target $k of an element: the map's entry, or so many behind the target of that entry, which has a name. In
 * lanes, names stand for arrays: `lane` is "[2]". */
static pl_text target_of(const pl_body *b, const char *element, const char *lane)
{
  const pl_operand *op = b->op;
  const pl_map *map = op->arg->map;
  const int k = op->index + pl_index(b, 'k');
  int behind;
  const int entry = pl_map_entry(map, k, &behind);
  if (!behind) return pl_text_of("map%d[%d * %s + %d]", op->map, pl_map_row(map), element, entry);
  const int width = map->tensor_rows.block[1], first = k - behind / width * map->tensor[1] - behind % width;
  const pl_text target = pl_text_of("target%d_%d%s", op->map, first, lane);
  if (!op->guard) return pl_text_of("%s + %d", target.s, behind);
  return pl_text_of("%s < 0 ? -1 : %s + %d", target.s, target.s, behind);
}

static pl_text target_entry(const pl_body *b)
{
  return target_of(b, row_element(b->op), "");
}

/* In lane $l of a group. */
static pl_text lane_entry(const pl_body *b)
{
  const int l = pl_index(b, 'l');
  return target_of(b, pl_text_of("(pl_g + %d)", l).s, pl_text_of("[%d]", l).s);
}

static bool is_narrow_row(const pl_emitter *e, const pl_operand *op)
{
  return row_length(e, op) > 1 && !op->mask && pl_operand_is_narrow(e, op);
}

/* Of the rows of maps. */
static pl_word word_of_row(const pl_body *b, const char *name)
{
  const pl_emitter *e = b->e;
  const pl_operand *op = b->op;
  const pl_map *map = op->arg->map;
  const int arity = map->arity, length = row_length(e, op), first = length * pl_index(b, 'r'),
            k = pl_index(b, 'k');
  const bool named = pl_body_needs_targets(e, op);
  const pl_word words[] = {
    {"arity", .number = arity},
    {"row_element", .text = row_element(op)},
    {"target_entry", .built = target_entry},
    {"lane_entry", .built = lane_entry},
    {"targeted", .number = named && !op->mask},
    {"lane_targeted", .number = named && !pl_operand_tensor(op)},
    {"new_target", .number = !names_target(e, op->i, op->map, op->index + k)},
    {"new_row", .number = named && !names_target(e, op->i, op->map, -1)},
    {"in_vectors", .number = length > 1},
    {"narrow", .number = is_narrow_row(e, op)},
    {"new_wide_row", .number = named && is_narrow_row(e, op) && !names_target(e, op->i, op->map, -1)},
    {"narrow_block", .number = PL_NARROW_BLOCK},
    {"row_length", .number = length},
    {"row_vectors", .number = arity / length},
    {"first_index", .number = first},
    {"next_index", .number = first + k},
    {"part", .text = &"x\0y\0z\0w"[2 * (k % 4)]},
    {"declares", .text = op->mask ? "" : "const int"},
    {.name = NULL}};
  return pl_word_find(words, name);
}

pl_word pl_index_word(const pl_body *b, const char *name)
{
  const pl_operand *op = b->op;
  if (!op) return (pl_word){.name = NULL};
  const pl_word words[] = {{"masks", .number = is_mask(b->e, op)},
                           {"masked", .number = op->mask != NULL},
                           {"unmasked", .number = !op->mask},
                           {"mask_stem", .text = op->mask ? op->mask->stem : NULL},
                           {"targeted", .number = 0},
                           {"lane_targeted", .number = 0},
                           {.name = NULL}};
  const pl_word word = op->arg->map ? word_of_row(b, name) : (pl_word){.name = NULL};
  return word.name ? word : pl_word_find(words, name);
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

/* The lane buffer of a target, which is numbered where there are several: "lanes_q1", "lanes1_x". */
static pl_place lane_buffer(const pl_operand *op, int k)
{
  return op->all ? pl_place_of(PL_LANES, "lanes%d_%s", k, op->name)
                 : pl_place_of(PL_LANES, "lanes_%s", op->name);
}

pl_place pl_element_place(const pl_body *b, const pl_operand *op, int k)
{
  if (is_own(b, op)) return pl_place_of(PL_LANES, "own_%s", op->name);
  if (b->buffered && pl_operand_buffered(op)) return lane_buffer(op, k);
  const pl_text target = op->home.local && !op->arg->map ? pl_text_of("pl_i") : pl_body_target(b, op, k);
  return op->staged >= 0 ? pl_copy_place(op, target.s) : pl_dat_place(op, target.s);
}

pl_place pl_private_place(const pl_operand *op, int k)
{
  return op->all ? pl_place_of(PL_ARRAY, "%s[%d]", op->name, k) : pl_place_of(PL_ARRAY, "%s", op->name);
}

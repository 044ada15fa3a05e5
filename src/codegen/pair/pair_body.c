/* SPDX-License-Identifier: BSD-2-Clause
 * The statements of one pair.
 */
#include "pair_body.h"
#include "codegen/element/check_hooks.h"
#include "codegen/loop/pair_info.h"
#include "core/particles/pair_map.h"
#include <string.h>

/* ---- properties ---- */

bool pl_pair_halved(const pl_emitter *e, const pl_operand *op)
{
  return !pl_pair_once(e->loop) && pl_operand_reduces(op) && op->arg->access == PL_INC;
}

void pl_pair_parameters(pl_emitter *e)
{
  const pl_map *map = e->loop->set->pairs;
  bool listed = !map->pair_map || !map->pairs->all_pairs, host = e->dialect->host;
  if (listed) pl_parameter_add(&e->program->run, PL_SLOT_PAIR_ROW, -1);
  if (listed) pl_parameter_add(&e->program->run, PL_SLOT_PAIR_ENTRY, -1);
  if (!map->pair_map) return;
  pl_parameter_add(&e->program->run, PL_SLOT_PAIR_RECORD, -1);
  pl_parameter_add(&e->program->run, PL_SLOT_PAIR_CUTOFF, -1);
  if (listed) pl_parameter_add(&e->program->run, PL_SLOT_PAIR_OWNER, -1);
  if (listed && !host) pl_parameter_add(&e->program->run, PL_SLOT_PAIR_STALE, -1);
  if (!listed || (host && e->form == PL_FORM_LANES) || pl_ranks(e->loop->pl) > 1)
    pl_parameter_add(&e->program->run, PL_SLOT_PAIR_COUNT, -1);
}

const char *pl_pair_condition(const pl_emitter *e)
{
  if (e->loop->set->pairs->pairs->all_pairs) return "pl_r2 < pl_cutoff[0] && pl_p != pl_e";
  return pl_pair_once(e->loop) ? "pl_r2 < pl_cutoff[0] && pl_o > pl_e" : "pl_r2 < pl_cutoff[0]";
}

/* ---- geometry ---- */

void pl_pair_own_place(const pl_body *b)
{
  const pl_map *map = b->e->loop->set->pairs;
  const char *own = b->e->dialect->host ? "pl_e" : "pl_s";
  for (int a = 0; a < map->pairs->dim; a++)
    pl_line(b, "const %s pl_x%d = pl_record[%d * (int64_t)%s + %d];", pl_pair_type(b->e), a,
            map->pairs->width, own, a);
}

int pl_pair_piece(const pl_emitter *e)
{
  const pl_pairs *pairs = e->loop->set->pairs->pairs;
  if (e->dialect->host || !pairs->position || pairs->width == 1) return 0;
  int longest = 16 / (int)pl_type_size(pairs->position->type);
  return longest < pairs->width ? longest : pairs->width;
}

/* Value a of the entry's record: in its lane, in a piece, in memory. */
static const char *record_place(const pl_body *b, int a, char *buffer)
{
  const pl_pairs *pairs = b->e->loop->set->pairs->pairs;
  int piece = pl_pair_piece(b->e);
  if (b->lanes && !pairs->all_pairs)
    snprintf(buffer, PL_PLACE, "pl_q%d[pl_l]", a);
  else if (piece)
    snprintf(buffer, PL_PLACE, "pl_v[%d].%c", a / piece, "xyzw"[a % piece]);
  else
    snprintf(buffer, PL_PLACE, "pl_record[%d * (int64_t)pl_p + %d]", pairs->width, a);
  return buffer;
}

void pl_pair_geometry(const pl_body *b)
{
  const char *type = pl_pair_type(b->e);
  char sum[80] = "pl_d0 * pl_d0", place[PL_PLACE];
  for (int a = 0; a < b->e->loop->set->pairs->pairs->dim; a++) {
    pl_line(b, b->lanes ? "const %s pl_d%d = pl_x%d[pl_l] - %s;" : "const %s pl_d%d = pl_x%d - %s;", type, a,
            a, record_place(b, a, place));
    if (a) snprintf(sum + strlen(sum), sizeof sum - strlen(sum), " + pl_d%d * pl_d%d", a, a);
  }
  pl_line(b, "const %s pl_r2 = %s;", type, sum);
}

/* ---- shares and results ---- */

void pl_pair_declare_sums(const pl_body *b)
{
  for (const pl_operand *op = b->e->op; op < b->e->end; op++) {
    if (!pl_pair_gathers(op)) continue;
    pl_line(b, "%s sum_%s[%d];", pl_operand_type(op), op->name, op->dim);
    pl_line(b, "for (int pl_c = 0; pl_c < %d; pl_c++) sum_%s[pl_c] = 0;", op->dim, op->name);
  }
}

static pl_place part_of(const pl_operand *op)
{
  return pl_place_of(PL_ARRAY, "part_%s", op->name);
}

static void print_own_share(const pl_body *b, const pl_operand *op)
{
  if (b->lanes)
    pl_each_value(b, op, part_of(op), pl_private_place(op, 0), pl_print_assign);
  else
    pl_each_value(b, op, pl_place_of(PL_ARRAY, "sum_%s", op->name), pl_private_place(op, 0), pl_print_add);
}

/* Pairs may be of two ranks' particles. */
static bool two_ranks(const pl_loop *loop)
{
  return pl_ranks(loop->pl) > 1 && loop->set->pairs->pair_map;
}

static void print_result(const pl_body *b, const pl_operand *op)
{
  if (b->lanes && op->arg->access == PL_INC)
    pl_each_value(b, op, part_of(op), pl_private_place(op, 0), pl_print_assign);
  else
    pl_each_value(b, op, pl_result_place(b, op), pl_private_place(op, 0), pl_print_combine);
}

/* ---- lanes: the part of a pair is zero where the entry is no pair, so that every lane adds one ---- */

static bool has_part(const pl_operand *op)
{
  return pl_pair_gathers(op) || (pl_operand_reduces(op) && op->arg->access == PL_INC);
}

void pl_pair_declare_parts(const pl_body *b)
{
  for (const pl_operand *op = b->e->op; op < b->e->end; op++)
    if (has_part(op)) pl_line(b, "%s part_%s[%d] = {0};", pl_operand_type(op), op->name, op->dim);
}

void pl_pair_add_parts(const pl_body *b)
{
  for (const pl_operand *op = b->e->op; op < b->e->end; op++)
    if (has_part(op))
      pl_each_value(b, op, pl_place_of(PL_LANES, "lanes_%s", op->name), part_of(op), pl_print_add);
}

static void print_half(const pl_body *b, const pl_operand *op, const char *into, const char *from)
{
  (void)op, (void)from;
  pl_line(b, "if (pl_o >= pl_count[1]) %s *= 0.5f;", into);
}

/* A pair of two ranks is seen by both: each adds half to sums of reals, whatever its backend does; those of
 * integers, which cannot be halved, are the lower rank's. On one rank these count from one side, unless
 * each pair is seen once. */
static void print_results(const pl_body *b, const pl_operand *op)
{
  static const char mine[] = "(pl_o < pl_count[1] || pl_o >= pl_count[2])";
  bool once = pl_pair_once(b->e->loop), shared = two_ranks(b->e->loop);
  bool sums = op->arg->access == PL_INC, whole = pl_type_is_integer(op->type);
  bool one_side = pl_pair_halved(b->e, op) && whole, lower = once && shared && sums && whole;
  pl_body in = *b;
  if (one_side) pl_line(b, "if (pl_o > pl_e%s%s) {", shared ? " && " : "", shared ? mine : "");
  if (lower) pl_line(b, "if %s {", mine);
  in.depth += one_side || lower;
  if (once && shared && sums && !whole)
    pl_each_value(b, op, pl_private_place(op, 0), pl_private_place(op, 0), print_half);
  print_result(&in, op);
  if (one_side || lower) pl_line(b, "}");
}

/* Side 1's increments, where each pair is seen once; those of another rank's particle are added there. */
static void print_other_side(const pl_body *b, const pl_operand *op)
{
  const bool shared = two_ranks(b->e->loop);
  const char *sign = op->arg->access == PL_INC_ANTI ? "-" : "";
  pl_body in = *b;
  in.depth += shared;
  if (shared) pl_line(b, "if (pl_o < pl_count[1]) {");
  pl_each_value(&in, op, pl_dat_place(op, "pl_o"), pl_read_as(pl_private_place(op, 0), sign, ""),
                b->e->dialect->host ? pl_print_add : pl_print_atomic_combine);
  if (shared) pl_line(b, "}");
}

void pl_pair_call(const pl_body *b)
{
  const pl_emitter *e = b->e;
  bool once = pl_pair_once(e->loop);
  if (e->options->checks) pl_checker_at(b);
  pl_body_load(b);
  pl_body_call(b);
  if (e->options->checks) pl_checker_pair(b);
  for (const pl_operand *op = e->op; op < e->end; op++) {
    if (pl_pair_gathers(op)) print_own_share(b, op);
    if (pl_operand_scatters(op) && once && op->arg->index != 0) print_other_side(b, op);
    if (pl_operand_reduces(op)) print_results(b, op);
  }
}

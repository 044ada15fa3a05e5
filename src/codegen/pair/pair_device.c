/* SPDX-License-Identifier: BSD-2-Clause
 * Loops over pairs on devices. A pair map: a block holds a slice of particles, a team of work items each; the
 * members of a team take every PL_PAIR_TEAM-th entry of its particle's row, which lie so that a block reads
 * them side by side, and add their sums in local memory. A ragged map: one element a work item,
 * increments by atomics where pairs collide.
 */
#include "pair_device.h"
#include "codegen/device/device_reduction.h"
#include "codegen/element/kernel_parameters.h"
#include "codegen/element/element_body.h"
#include "codegen/loop/pair_info.h"
#include "pair_body.h"
#include "core/particles/pair_map.h"

extern const char pl_template_pair_rows_device[];

/* ---- sums of a particle ---- */

/* One array in local memory for each type of value that teams add up. */
static void declare_team(const pl_body *b)
{
  const pl_emitter *e = b->e;
  for (const pl_operand *op = e->op; op < e->end; op++) {
    bool first = pl_pair_gathers(op);
    for (int j = 0; j < op->i && first; j++) first = !pl_pair_gathers(&e->op[j]) || e->op[j].type != op->type;
    if (first)
      pl_line(b, "%s%s pl_team_%s[PL_BLOCK_SIZE];", e->dialect->local, pl_operand_type(op),
              pl_operand_type(op));
  }
}

/* By lanes that see each other's values. */
static void store_lanes(const pl_body *b, const pl_operand *op)
{
  pl_body in = pl_deeper(b);
  const char *other = b->e->dialect->other_lane;
  pl_line(b, "for (int pl_c = 0; pl_c < %d; pl_c++) {", op->dim);
  for (int d = 1; d < PL_PAIR_TEAM; d *= 2)
    pl_line(&in, "sum_%s[pl_c] += %ssum_%s[pl_c], %d);", op->name, other, op->name, d);
  pl_line(&in, "if (pl_active && pl_member == 0) %s %s sum_%s[pl_c];",
          pl_value_at(pl_dat_place(op, "pl_e"), "pl_c").s, pl_pair_adds(b->e, op), op->name);
  pl_line(b, "}");
}

/* Through local memory. */
static void store_team(const pl_body *b, const pl_operand *op)
{
  pl_body in = pl_deeper(b), inner = pl_deeper(&in);
  const char *type = pl_operand_type(op);
  pl_line(b, "for (int pl_c = 0; pl_c < %d; pl_c++) {", op->dim);
  pl_line(&in, "pl_team_%s[pl_t] = sum_%s[pl_c];", type, op->name);
  pl_line(&in, "%s", b->e->dialect->barrier);
  pl_line(&in, "if (pl_active && pl_member == 0) {");
  pl_line(&inner, "%s pl_sum = pl_team_%s[pl_t];", type, type);
  for (int m = 1; m < PL_PAIR_TEAM; m++) pl_line(&inner, "pl_sum += pl_team_%s[pl_t + %d];", type, m);
  pl_line(&inner, "%s %s pl_sum;", pl_value_at(pl_dat_place(op, "pl_e"), "pl_c").s, pl_pair_adds(b->e, op));
  pl_line(&in, "}");
  pl_line(&in, "%s", b->e->dialect->barrier);
  pl_line(b, "}");
}

static void store_own(const pl_body *b, const pl_operand *op)
{
  const pl_text place = pl_value_at(pl_dat_place(op, "pl_e"), "pl_c");
  pl_line(b, "for (int pl_c = 0; pl_c < %d; pl_c++)", op->dim);
  if (pl_pair_scatters(b->e->loop))
    pl_line(b, "  pl_%s_%s(&%s, sum_%s[pl_c]);", pl_atomic_name(op), pl_operand_type(op), place.s, op->name);
  else
    pl_line(b, "  %s += sum_%s[pl_c];", place.s, op->name);
}

static void store_shares(const pl_body *b)
{
  void (*team)(const pl_body *, const pl_operand *) = b->e->dialect->other_lane ? store_lanes : store_team;
  bool near = b->e->loop->set->pairs->pair_map;
  for (const pl_operand *op = b->e->op; op < b->e->end; op++)
    if (pl_pair_gathers(op)) (near ? team : store_own)(b, op);
}

/* ---- rows ---- */

static void print_rows(const pl_body *b)
{
  const pl_emitter *e = b->e;
  const pl_map *map = e->loop->set->pairs;
  char piece_type[32] = "", global_piece[64] = "";
  int piece = pl_pair_piece(e);
  if (piece) snprintf(piece_type, sizeof piece_type, "%s%d", pl_pair_type(e), piece);
  snprintf(global_piece, sizeof global_piece, "%sconst %s", e->dialect->global, piece_type);
  const pl_word words[] = {{"RAGGED", .number = !map->pair_map},
                           {"ALL_PAIRS", .number = map->pairs->all_pairs},
                           {"TEAM", .number = PL_PAIR_TEAM},
                           {"SLICE", .number = PL_PAIR_SLICE},
                           {"BATCH", .number = PL_PAIR_BATCH},
                           {"PIECES", .number = piece ? map->pairs->width / piece : 0},
                           {"PIECE", .text = piece_type},
                           {"GLOBAL_PIECE", .text = global_piece},
                           {"CONDITION", .text = pl_pair_condition(e)},
                           {"OWN_PLACE", .print = pl_pair_own_place},
                           {"GEOMETRY", .print = pl_pair_geometry},
                           {"CALL", .print = pl_pair_call},
                           {"STORE", .print = store_shares},
                           {.name = NULL}};
  pl_print_template(b, pl_template_pair_rows_device, words);
}

/* ---- the entry ---- */

static void halve(const pl_body *b)
{
  for (const pl_operand *op = b->e->op; op < b->e->end; op++) {
    if (pl_pair_halved(b->e, op) && !pl_type_is_integer(op->type))
      pl_line(b, "for (int pl_c = 0; pl_c < %d; pl_c++) %s[pl_c] *= %s;", op->dim, op->running,
              op->type == PL_FLOAT ? "0.5f" : "0.5");
  }
}

void pl_print_pair_device(const pl_body *b)
{
  const pl_dialect *d = b->e->dialect;
  pl_body in = pl_deeper(b);
  bool near = b->e->loop->set->pairs->pair_map;
  pl_open_kernel(b, near ? "A slice of particles a block, a team of work items each" : "One row a work item",
                 "pl_run", &b->e->program->run, false);
  pl_declare_shared(&in);
  if (near && !d->other_lane) declare_team(&in);
  pl_line(&in, "const int pl_t = %s, pl_b = %s;", d->local_id, d->block_id);
  pl_print_copies(&in);
  pl_results_reset(&in);
  pl_pair_declare_sums(&in);
  print_rows(&in);
  halve(&in);
  pl_print_block_results(&in);
  pl_line(b, "}\n");
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Loops over pairs in lanes: a lane is a particle, so each keeps its own sums, and entry k of all its
 * particles' rows is taken at once (rows are interleaved, core/particles/pair_map.h). Records of entries are
 * loaded whole and transposed in registers: gathers by the compiler take longer. Entries beyond the cutoff
 * are masked. In the text pl_particle[l] is the particle of lane l (behind the last one that one, at a
 * distant place), pl_x0[l] its place on axis 0, pl_q0[l] that of the record of its entry.
 */
#include "pair_simd.h"
#include "codegen/host/host_wrapper.h"
#include "codegen/host/simd_transpose.h"
#include "codegen/element/element_body.h"
#include "codegen/loop/pair_info.h"
#include "pair_body.h"
#include "pair_host.h"
#include "core/particles/pair_map.h"

/* Entries that are prefetched: a page of them. By itself the processor stops at its end. */
enum { AHEAD = 1024 };

static const pl_pairs *pairs_of(const pl_body *b)
{
  return b->e->loop->set->pairs->pairs;
}

static int lanes_of(const pl_body *b)
{
  return pairs_of(b)->lanes;
}

/* ---- records ---- */

/* Records first .. first + lanes - 1 of a macro. */
static void print_move(const pl_body *b, int first, int lanes)
{
  const pl_pairs *pairs = pairs_of(b);
  int size = (int)pl_type_size(pairs->position->type);
  pl_string_add(b->text, " \\\n    PL_IN_%d_%dX%d(%s", size, pairs->width, lanes, pl_pair_type(b->e));
  for (int l = first; l < first + lanes; l++)
    pl_string_add(b->text, ", pl_record + %d * (ptrdiff_t)pl_of[%d]", pairs->width, l);
  for (int a = 0; a < pairs->dim; a++) pl_string_add(b->text, ", pl_to##%d + %d", a, first);
  pl_string_add(b->text, "%s);", pairs->width > pairs->dim ? ", &pl_rest" : "");
}

/* PL_RECORDS(of, to): the records whose numbers are in `of` to lane buffers to0, to1, ..., in moves of so
 * many. */
static void print_moves(const pl_body *b, int lanes)
{
  const char *type = pl_pair_type(b->e);
  int size = (int)pl_type_size(pairs_of(b)->position->type);
  pl_string_add(b->text, "typedef %s pl_lanes_%s __attribute__((vector_size(%d), may_alias));\n", type, type,
                size * lanes);
  pl_string_add(b->text, "PL_VECTORS_%dX%d(%s)\n", size, lanes, type);
  pl_string_add(b->text, "#define PL_RECORDS(pl_of, pl_to) {");
  if (pairs_of(b)->width > pairs_of(b)->dim) pl_string_add(b->text, " pl_lanes_%s pl_rest;", type);
  for (int l = 0; l < lanes_of(b); l += lanes) print_move(b, l, lanes);
  pl_string_add(b->text, " }\n");
}

void pl_print_pair_prelude(const pl_body *b)
{
  const pl_pairs *pairs = pairs_of(b);
  size_t size = pl_type_size(pairs->position->type);
  if (pairs->width == 1) {
    pl_string_add(b->text, "#define PL_RECORDS(pl_of, pl_to) \\\n");
    pl_string_add(b->text,
                  "  for (int pl_i = 0; pl_i < %d; pl_i++) pl_to##0[pl_i] = pl_record[pl_of[pl_i]];\n\n",
                  pairs->lanes);
    return;
  }
  pl_print_moves(b->text, size, 8);
  if (size == 8) pl_string_add(b->text, "#ifdef __AVX512F__\n");
  print_moves(b, 8);
  if (size == 8) {
    pl_string_add(b->text, "#else\n");
    print_moves(b, 4);
    pl_string_add(b->text, "#endif\n");
  }
  pl_string_add(b->text, "\n");
}

static void declare_places(const pl_body *b, const char *name)
{
  for (int a = 0; a < pairs_of(b)->dim; a++)
    pl_line(b, "%s %s%d[%d] __attribute__((aligned(64)));", pl_pair_type(b->e), name, a, lanes_of(b));
}

/* ---- the particles of a group ---- */

static void print_own_places(const pl_body *b)
{
  const char *far = pairs_of(b)->position->type == PL_DOUBLE ? "-1e150" : "-1e18f";
  int lanes = lanes_of(b);
  pl_line(b, "const int pl_live = pl_count[1] - pl_n < %d ? pl_count[1] - pl_n : %d;", lanes, lanes);
  pl_line(b, "int pl_particle[%d];", lanes);
  pl_line(
    b,
    "for (int pl_l = 0; pl_l < %d; pl_l++) pl_particle[pl_l] = pl_n + (pl_l < pl_live ? pl_l : pl_live - 1);",
    lanes);
  declare_places(b, "pl_x");
  pl_line(b, "PL_RECORDS(pl_particle, pl_x)");
  pl_line(b, "for (int pl_l = pl_live; pl_l < %d; pl_l++) pl_x0[pl_l] = %s;", lanes, far);
}

static void print_own_values(const pl_body *b)
{
  char place[PL_PLACE];
  for (const pl_operand *op = b->e->op; op < b->e->end; op++) {
    if (!pl_pair_keeps_own(b->e, op)) continue;
    int dim = op->arg->kind == PL_ARG_DISTANCE ? op->stride : op->dim;
    pl_dat_place(op, "pl_c", "pl_particle[pl_l]", place);
    pl_declare_lanes(b, op, "own", dim, lanes_of(b), place);
  }
}

static void declare_shares(const pl_body *b)
{
  for (const pl_operand *op = b->e->op; op < b->e->end; op++)
    if (pl_pair_gathers(op)) pl_declare_lanes(b, op, "lanes", op->dim, lanes_of(b), "0");
}

static void store_shares(const pl_body *b)
{
  char place[PL_PLACE];
  for (const pl_operand *op = b->e->op; op < b->e->end; op++) {
    if (!pl_pair_gathers(op)) continue;
    pl_dat_place(op, "pl_c", "pl_particle[pl_l]", place);
    pl_line(b, "for (int pl_l = 0; pl_l < pl_live; pl_l++)");
    pl_line(b, "  for (int pl_c = 0; pl_c < %d; pl_c++) %s %s lanes_%s[pl_c][pl_l];", op->dim, place,
            pl_pair_adds(b->e, op), op->name);
  }
}

/* ---- rows ---- */

/* Entry pl_j of the list, or record pl_j, for all lanes. */
static void print_entries(const pl_body *b)
{
  pl_body lane = pl_deeper(b);
  bool listed = !pairs_of(b)->all_pairs;
  lane.lanes = true;
  if (listed) {
    pl_line(b, "const int *const pl_row = pl_entry + pl_j;");
    pl_line(b, "__builtin_prefetch(pl_row + %d);", AHEAD);
    declare_places(b, "pl_q");
    pl_line(b, "PL_RECORDS(pl_row, pl_q)");
  }
  pl_line(b, "PL_LANES");
  pl_line(b, "for (int pl_l = 0; pl_l < PL_COUNT(%d); pl_l++) {", lanes_of(b));
  pl_line(&lane, "const int pl_e = pl_particle[pl_l];");
  pl_line(&lane, "(void)pl_e;");
  pl_print_pair_entry(&lane, listed ? "pl_row[pl_l]" : "pl_j");
  pl_line(b, "}");
}

/* Groups whose first particle is among begin to end - 1. */
void pl_print_pair_lanes(const pl_body *b)
{
  pl_body in = pl_deeper(b), inner = pl_deeper(&in);
  int lanes = lanes_of(b);
  pl_print_lane_results(b, lanes);
  pl_line(b, "for (int pl_n = (pl_begin + %d) / %d * %d; pl_n < pl_end; pl_n += %d) {", lanes - 1, lanes,
          lanes, lanes);
  print_own_places(&in);
  print_own_values(&in);
  declare_shares(&in);
  if (pairs_of(b)->all_pairs) {
    pl_line(&in, "for (int pl_j = 0; pl_j < pl_count[0]; pl_j++) {");
  } else {
    pl_line(
      &in,
      "const int64_t pl_first = pl_offset[pl_n], pl_last = pl_first + %d * (pl_offset[pl_n + 1] - pl_first);",
      lanes);
    pl_line(&in, "for (int64_t pl_j = pl_first; pl_j < pl_last; pl_j += %d) {", lanes);
  }
  print_entries(&inner);
  pl_line(&in, "}");
  store_shares(&in);
  pl_line(b, "}");
  pl_print_lane_fold(b, lanes);
}

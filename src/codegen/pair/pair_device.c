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
  char place[PL_PLACE];
  const char *other = b->e->dialect->other_lane;
  pl_line(b, "for (int pl_c = 0; pl_c < %d; pl_c++) {", op->dim);
  for (int d = 1; d < PL_PAIR_TEAM; d *= 2)
    pl_line(&in, "sum_%s[pl_c] += %ssum_%s[pl_c], %d);", op->name, other, op->name, d);
  pl_line(&in, "if (pl_active && pl_member == 0) %s %s sum_%s[pl_c];",
          pl_dat_place(op, "pl_c", "pl_e", place), pl_pair_adds(b->e, op), op->name);
  pl_line(b, "}");
}

/* Through local memory. */
static void store_team(const pl_body *b, const pl_operand *op)
{
  pl_body in = pl_deeper(b), inner = pl_deeper(&in);
  char place[PL_PLACE];
  const char *type = pl_operand_type(op);
  pl_line(b, "for (int pl_c = 0; pl_c < %d; pl_c++) {", op->dim);
  pl_line(&in, "pl_team_%s[pl_t] = sum_%s[pl_c];", type, op->name);
  pl_line(&in, "%s", b->e->dialect->barrier);
  pl_line(&in, "if (pl_active && pl_member == 0) {");
  pl_line(&inner, "%s pl_sum = pl_team_%s[pl_t];", type, type);
  for (int m = 1; m < PL_PAIR_TEAM; m++) pl_line(&inner, "pl_sum += pl_team_%s[pl_t + %d];", type, m);
  pl_line(&inner, "%s %s pl_sum;", pl_dat_place(op, "pl_c", "pl_e", place), pl_pair_adds(b->e, op));
  pl_line(&in, "}");
  pl_line(&in, "%s", b->e->dialect->barrier);
  pl_line(b, "}");
}

static void store_own(const pl_body *b, const pl_operand *op)
{
  char place[PL_PLACE];
  pl_dat_place(op, "pl_c", "pl_e", place);
  pl_line(b, "for (int pl_c = 0; pl_c < %d; pl_c++)", op->dim);
  if (pl_pair_scatters(b->e->loop))
    pl_line(b, "  pl_%s_%s(&%s, sum_%s[pl_c]);", pl_atomic_name(op), pl_operand_type(op), place, op->name);
  else
    pl_line(b, "  %s += sum_%s[pl_c];", place, op->name);
}

static void store_shares(const pl_body *b, bool near)
{
  void (*team)(const pl_body *, const pl_operand *) = b->e->dialect->other_lane ? store_lanes : store_team;
  for (const pl_operand *op = b->e->op; op < b->e->end; op++)
    if (pl_pair_gathers(op)) (near ? team : store_own)(b, op);
}

/* ---- rows ---- */

/* One entry whose record was loaded. */
static void print_pair(const pl_body *b, const char *condition)
{
  pl_body in = pl_deeper(b);
  pl_line(b, "(void)pl_o;");
  pl_pair_geometry(b);
  pl_line(b, "if (%s) {", condition);
  pl_pair_call(&in);
  pl_line(b, "}");
}

static void print_everyone(const pl_body *b)
{
  pl_body in = pl_deeper(b);
  pl_string_add(b->text, "#pragma unroll 4\n"); /* several loads are in flight at once */
  pl_line(b, "for (int pl_p = pl_member; pl_p < pl_count[0] && pl_active; pl_p += %d) {", PL_PAIR_TEAM);
  pl_line(&in, "const int pl_o = pl_p;");
  print_pair(&in, "pl_r2 < pl_cutoff[0] && pl_p != pl_e");
  pl_line(b, "}");
}

static void print_fetch(const pl_body *b)
{
  pl_body in = pl_deeper(b);
  pl_line(b, "if (pl_j < pl_till) {");
  for (int k = 0; k < PL_PAIR_BATCH; k++)
    pl_line(&in, "pl_next%d = pl_entry[pl_j + %d * PL_BLOCK_SIZE];", k, k);
  pl_line(b, "}");
}

/* Several entries of the row at a time, while the next ones are loaded. Rows are multiples of a batch long.
 */
static void print_batches(const pl_body *b)
{
  pl_body in = pl_deeper(b), inner = pl_deeper(&in);
  pl_line(b, "int64_t pl_j = pl_offset[2 * pl_b] + pl_t;");
  pl_line(b, "const int64_t pl_till = pl_active ? pl_offset[2 * pl_b + 1] : 0;");
  for (int k = 0; k < PL_PAIR_BATCH; k++) pl_line(b, "int pl_next%d = 0;", k);
  print_fetch(b);
  pl_line(b, "while (pl_j < pl_till) {");
  for (int k = 0; k < PL_PAIR_BATCH; k++) pl_line(&in, "const int pl_p%d = pl_next%d;", k, k);
  pl_pair_load_batch(&in);
  pl_line(&in, "pl_j += %d * PL_BLOCK_SIZE;", PL_PAIR_BATCH);
  print_fetch(&in);
  for (int k = 0; k < PL_PAIR_BATCH; k++) {
    pl_line(&in, "{");
    pl_line(&inner, "const int pl_p = pl_p%d, pl_o = pl_owner[pl_p];", k);
    pl_line(&inner, "(void)pl_p;");
    pl_pair_use_of_batch(&inner, k);
    print_pair(&inner, "pl_r2 < pl_cutoff[0]");
    pl_line(&in, "}");
  }
  pl_line(b, "}");
}

static void print_near_rows(const pl_body *b)
{
  const pl_pairs *pairs = b->e->loop->set->pairs->pairs;
  pl_line(b, "const int pl_member = pl_t %% %d, pl_i = pl_b * %d + pl_t / %d;", PL_PAIR_TEAM, PL_PAIR_SLICE,
          PL_PAIR_TEAM);
  if (pairs->all_pairs) {
    pl_line(b, "const int pl_active = pl_i < pl_end, pl_s = pl_active ? pl_i : 0, pl_e = pl_s;");
  } else {
    pl_line(b, "const int pl_active = pl_i < pl_end && pl_stale[0] == 0, pl_s = pl_i < pl_end ? pl_i : 0;");
    pl_line(b, "const int pl_e = pl_owner[pl_s];");
  }
  pl_pair_own_place(b);
  if (pairs->all_pairs)
    print_everyone(b);
  else
    print_batches(b);
}

static void print_listed_rows(const pl_body *b)
{
  pl_body in = pl_deeper(b), inner = pl_deeper(&in);
  pl_line(b, "const int pl_e = pl_begin + pl_b * PL_BLOCK_SIZE + pl_t;");
  pl_line(b, "if (pl_e < pl_end) {");
  pl_line(&in, "for (int pl_j = pl_offset[pl_e]; pl_j < pl_offset[pl_e + 1]; pl_j++) {");
  pl_line(&inner, "const int pl_o = pl_entry[pl_j];");
  pl_pair_call(&inner);
  pl_line(&in, "}");
  store_shares(&in, false);
  pl_line(b, "}");
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
  (near ? print_near_rows : print_listed_rows)(&in);
  if (near) store_shares(&in, true);
  halve(&in);
  pl_print_block_results(&in);
  pl_line(b, "}\n");
}

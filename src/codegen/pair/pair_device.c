/* SPDX-License-Identifier: BSD-2-Clause
 * Loops over pairs on devices. A pair map: a block holds a slice of particles, a team of work items each; the
 * members of a team take every PL_PAIR_TEAM-th entry of its particle's row, which lie so that a block reads
 * them side by side, and add up what they gathered in local memory. A ragged map: one element a work item,
 * increments by atomics where pairs collide.
 */
#include "core/memory.h"
#include "pair.h"
#include "wrap.h"

/* ---- what a particle gathers ---- */

static bool any_scatter(const pl_walk_state *w)
{
  return pl_pair_scatters(w->loop);
}

static void declare_shares(const pl_body *b)
{
  const pl_walk_state *w = b->w;
  for (int i = 0; i < w->loop->nargs; i++) {
    const pl_operand *op = &w->op[i];
    if (!pl_pair_gathers(op)) continue;
    pl_line(b, "%s a%d[%d];", pl_op_type(op), i, op->dim);
    pl_line(b, "for (int pl_c = 0; pl_c < %d; pl_c++) a%d[pl_c] = 0;", op->dim, i);
  }
}

/* One array in local memory for each type of value that teams add up. */
static void declare_team(const pl_body *b)
{
  const pl_walk_state *w = b->w;
  for (int i = 0; i < w->loop->nargs; i++) {
    const pl_operand *op = &w->op[i];
    bool first = pl_pair_gathers(op);
    for (int j = 0; j < i && first; j++) first = !pl_pair_gathers(&w->op[j]) || w->op[j].type != op->type;
    if (first)
      pl_line(b, "%s%s pl_team_%s[PL_BLOCK_SIZE];", w->dialect->local, pl_op_type(op), pl_op_type(op));
  }
}

/* A sum is stored where it starts from zero, and added to what is there elsewhere. */
static const char *how_stored(const pl_body *b, const pl_operand *op)
{
  return op->arg->zeroed && pl_pair_stores(b->w->loop) ? "=" : "+=";
}

/* By lanes that see each other's values. */
static void store_lanes(const pl_body *b, const pl_operand *op)
{
  pl_body in = pl_deeper(b);
  char place[PL_PLACE];
  const char *other = b->w->dialect->other_lane;
  pl_line(b, "for (int pl_c = 0; pl_c < %d; pl_c++) {", op->dim);
  for (int d = 1; d < PL_PAIR_TEAM; d *= 2)
    pl_line(&in, "a%d[pl_c] += %sa%d[pl_c], %d);", op->i, other, op->i, d);
  pl_line(&in, "if (pl_active && pl_member == 0) %s %s a%d[pl_c];", pl_print_place(op, "pl_c", "pl_e", place),
          how_stored(b, op), op->i);
  pl_line(b, "}");
}

/* Through local memory. */
static void store_team(const pl_body *b, const pl_operand *op)
{
  pl_body in = pl_deeper(b), inner = pl_deeper(&in);
  char place[PL_PLACE];
  const char *type = pl_op_type(op);
  pl_line(b, "for (int pl_c = 0; pl_c < %d; pl_c++) {", op->dim);
  pl_line(&in, "pl_team_%s[pl_t] = a%d[pl_c];", type, op->i);
  pl_line(&in, "%s", b->w->dialect->barrier);
  pl_line(&in, "if (pl_active && pl_member == 0) {");
  pl_line(&inner, "%s pl_sum = pl_team_%s[pl_t];", type, type);
  for (int m = 1; m < PL_PAIR_TEAM; m++) pl_line(&inner, "pl_sum += pl_team_%s[pl_t + %d];", type, m);
  pl_line(&inner, "%s %s pl_sum;", pl_print_place(op, "pl_c", "pl_e", place), how_stored(b, op));
  pl_line(&in, "}");
  pl_line(&in, "%s", b->w->dialect->barrier);
  pl_line(b, "}");
}

static void store_own(const pl_body *b, const pl_operand *op)
{
  char place[PL_PLACE];
  pl_print_place(op, "pl_c", "pl_e", place);
  pl_line(b, "for (int pl_c = 0; pl_c < %d; pl_c++)", op->dim);
  if (any_scatter(b->w))
    pl_line(b, "  pl_%s_%s(&%s, a%d[pl_c]);", pl_atomic_name(op), pl_op_type(op), place, op->i);
  else
    pl_line(b, "  %s += a%d[pl_c];", place, op->i);
}

static void store_shares(const pl_body *b, bool near)
{
  const pl_walk_state *w = b->w;
  void (*team)(const pl_body *, const pl_operand *) = w->dialect->other_lane ? store_lanes : store_team;
  for (int i = 0; i < w->loop->nargs; i++)
    if (pl_pair_gathers(&w->op[i])) (near ? team : store_own)(b, &w->op[i]);
}

/* ---- rows ---- */

/* One entry that is at hand. */
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
  pl_text_add(b->text, "#pragma unroll 4\n"); /* the loads of several entries are on their way at once */
  pl_line(b, "for (int pl_p = pl_member; pl_p < pl_count[0] && pl_active; pl_p += %d) {", PL_PAIR_TEAM);
  pl_line(&in, "const int pl_o = pl_p;");
  print_pair(&in, "pl_r2 < pl_cutoff[0] && pl_p != pl_e");
  pl_line(b, "}");
}

static void print_fetch(const pl_body *b)
{
  pl_body in = pl_deeper(b);
  pl_line(b, "if (pl_j < pl_till) {");
  for (int k = 0; k < PL_PAIR_BATCH; k++) pl_line(&in, "pl_q%d = E[pl_j + %d * PL_BLOCK_SIZE];", k, k);
  pl_line(b, "}");
}

/* Several entries of the row at a time, the next ones on their way meanwhile: rows are as long as whole
 * batches. */
static void print_batches(const pl_body *b)
{
  pl_body in = pl_deeper(b), inner = pl_deeper(&in);
  pl_line(b, "int64_t pl_j = O[2 * pl_b] + pl_t;");
  pl_line(b, "const int64_t pl_till = pl_active ? O[2 * pl_b + 1] : 0;");
  for (int k = 0; k < PL_PAIR_BATCH; k++) pl_line(b, "int pl_q%d = 0;", k);
  print_fetch(b);
  pl_line(b, "while (pl_j < pl_till) {");
  for (int k = 0; k < PL_PAIR_BATCH; k++) pl_line(&in, "const int pl_p%d = pl_q%d;", k, k);
  pl_pair_load_batch(&in);
  pl_line(&in, "pl_j += %d * PL_BLOCK_SIZE;", PL_PAIR_BATCH);
  print_fetch(&in);
  for (int k = 0; k < PL_PAIR_BATCH; k++) {
    pl_line(&in, "{");
    pl_line(&inner, "const int pl_p = pl_p%d, pl_o = W[pl_p];", k);
    pl_line(&inner, "(void)pl_p;");
    pl_pair_take_of_batch(&inner, k);
    print_pair(&inner, "pl_r2 < pl_cutoff[0]");
    pl_line(&in, "}");
  }
  pl_line(b, "}");
}

static void print_near_rows(const pl_body *b)
{
  const pl_pairs *pairs = b->w->loop->set->pairs->pairs;
  pl_line(b, "const int pl_member = pl_t %% %d, pl_i = pl_b * %d + pl_t / %d;", PL_PAIR_TEAM, PL_PAIR_SLICE,
          PL_PAIR_TEAM);
  if (pairs->everyone) {
    pl_line(b, "const int pl_active = pl_i < pl_end, pl_s = pl_active ? pl_i : 0, pl_e = pl_s;");
  } else {
    pl_line(b, "const int pl_active = pl_i < pl_end && pl_stale[0] == 0, pl_s = pl_i < pl_end ? pl_i : 0;");
    pl_line(b, "const int pl_e = W[pl_s];");
  }
  pl_pair_own_place(b);
  if (pairs->everyone)
    print_everyone(b);
  else
    print_batches(b);
}

static void print_listed_rows(const pl_body *b)
{
  pl_body in = pl_deeper(b), inner = pl_deeper(&in);
  pl_line(b, "const int pl_e = pl_begin + pl_b * PL_BLOCK_SIZE + pl_t;");
  pl_line(b, "if (pl_e < pl_end) {");
  pl_line(&in, "for (int pl_j = O[pl_e]; pl_j < O[pl_e + 1]; pl_j++) {");
  pl_line(&inner, "const int pl_o = E[pl_j];");
  pl_pair_call(&inner);
  pl_line(&in, "}");
  store_shares(&in, false);
  pl_line(b, "}");
}

/* ---- the entry ---- */

static void halve(const pl_body *b)
{
  const pl_walk_state *w = b->w;
  for (int i = 0; i < w->loop->nargs; i++) {
    const pl_operand *op = &w->op[i];
    if (pl_pair_halved(w, op) && !pl_type_is_integer(op->type))
      pl_line(b, "for (int pl_c = 0; pl_c < %d; pl_c++) g%d[pl_c] *= %s;", op->dim, i,
              op->type == PL_FLOAT ? "0.5f" : "0.5");
  }
}

void pl_print_pair_device(const pl_body *b)
{
  const pl_walk_state *w = b->w;
  const pl_dialect *d = w->dialect;
  pl_body in = pl_deeper(b);
  bool near = w->loop->set->pairs->pair_map;
  pl_text_add(b->text, "/* %s. */\n",
              near ? "A slice of particles a block, a team of work items each" : "One row a work item");
  pl_text_add(b->text, "%svoid pl_run(const int pl_begin, const int pl_end", d->entry_qualifier);
  pl_print_parameters(w, false);
  pl_line(b, "{");
  pl_declare_shared(&in, "PL_BLOCK_SIZE", false);
  if (near && !d->other_lane) declare_team(&in);
  pl_line(&in, "const int pl_t = %s, pl_b = %s;", d->local_id, d->block_id);
  pl_print_copies(&in);
  pl_declare_running(&in);
  declare_shares(&in);
  (near ? print_near_rows : print_listed_rows)(&in);
  if (near) store_shares(&in, true);
  halve(&in);
  pl_print_block_results(&in);
  pl_line(b, "}\n");
}

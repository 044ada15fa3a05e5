/* SPDX-License-Identifier: BSD-2-Clause
 * Loops over pairs on the host: particle by particle, one entry after the other; or in lanes (pair_lanes.c).
 */
#include "pair.h"
#include "wrap.h"

/* ---- what a row gathers ---- */

static void declare_shares(const pl_body *b)
{
  const pl_walk_state *w = b->w;
  for (int i = 0; i < w->loop->nargs; i++)
    if (pl_pair_gathers(&w->op[i])) pl_line(b, "%s a%d[%d] = {0};", pl_op_type(&w->op[i]), i, w->op[i].dim);
}

static void store_shares(const pl_body *b)
{
  const pl_walk_state *w = b->w;
  char place[PL_PLACE];
  for (int i = 0; i < w->loop->nargs; i++) {
    const pl_operand *op = &w->op[i];
    if (!pl_pair_gathers(op)) continue;
    pl_print_place(op, "pl_c", "pl_e", place);
    pl_line(b, "for (int pl_c = 0; pl_c < %d; pl_c++) %s %s a%d[pl_c];", op->dim, place, pl_pair_adds(w, op),
            i);
  }
}

/* ---- results: from the neutral element, as a full list counts twice what it sums ---- */

static void declare_results(const pl_body *b)
{
  const pl_walk_state *w = b->w;
  for (int i = 0; i < w->loop->nargs; i++) {
    const pl_operand *op = &w->op[i];
    if (!pl_op_reduces(op)) continue;
    pl_line(b, "%s g%d[%d];", pl_op_type(op), i, op->dim);
    pl_line(b, "for (int pl_c = 0; pl_c < %d; pl_c++) g%d[pl_c] = %s;", op->dim, i, pl_op_neutral(op));
  }
}

static void store_results(const pl_body *b)
{
  const pl_walk_state *w = b->w;
  char into[32], from[48];
  pl_body in = pl_deeper(b);
  for (int i = 0; i < w->loop->nargs; i++) {
    const pl_operand *op = &w->op[i];
    if (!pl_op_reduces(op)) continue;
    const char *half = pl_type_is_integer(op->type) ? "" : op->type == PL_FLOAT ? "0.5f * " : "0.5 * ";
    snprintf(into, sizeof into, "r%d[pl_c]", i);
    snprintf(from, sizeof from, "%sg%d[pl_c]", pl_pair_halved(w, op) ? half : "", i);
    pl_line(b, "for (int pl_c = 0; pl_c < %d; pl_c++) {", op->dim);
    pl_print_combine(&in, op, into, from);
    pl_line(b, "}");
  }
}

/* ---- rows ---- */

/* Where a row of the list lies: the running index, and how an entry is read. Rows of pair maps are
 * interleaved. */
typedef struct row {
  const char *type, *first, *step, *end, *entry;
} row;

static row row_of(const pl_map *map)
{
  if (!map->pair_map) return (row){"int", "O[pl_e]", "1", "O[pl_e + 1]", "E[pl_j]"};
  if (map->pairs->everyone) return (row){"int", "0", "1", "pl_count[0]", "pl_j"};
  if (map->pairs->lanes == 8)
    return (row){"int64_t", "O[pl_e & ~7] + (pl_e & 7)", "8",
                 "O[pl_e & ~7] + 8 * (O[(pl_e & ~7) + 1] - O[pl_e & ~7])", "E[pl_j]"};
  return (row){"int64_t", "O[pl_e & ~15] + (pl_e & 15)", "16",
               "O[pl_e & ~15] + 16 * (O[(pl_e & ~15) + 1] - O[pl_e & ~15])", "E[pl_j]"};
}

/* The condition under which an entry is a pair of this loop; NULL: always. */
static const char *condition(const pl_walk_state *w)
{
  const pl_map *map = w->loop->set->pairs;
  if (!map->pair_map) return NULL;
  if (map->pairs->everyone) return "pl_r2 < pl_cutoff[0] && pl_p != pl_e";
  return pl_pair_once(w->loop) ? "pl_r2 < pl_cutoff[0] && pl_o > pl_e" : "pl_r2 < pl_cutoff[0]";
}

void pl_print_pair_entry(const pl_body *b, const char *record)
{
  const pl_map *map = b->w->loop->set->pairs;
  const char *where = condition(b->w);
  pl_body in = where ? pl_deeper(b) : *b;
  if (map->pair_map) {
    pl_line(b, "const int pl_p = %s;", record);
    pl_line(b, "const int pl_o = %s;", map->pairs->everyone ? "pl_p" : "W[pl_p]");
    pl_line(b, "(void)pl_o;");
    pl_pair_geometry(b);
    if (b->lanes) pl_pair_declare_waiting(b);
    pl_line(b, "if (%s) {", where);
  } else {
    pl_line(b, "const int pl_o = %s;", record);
    pl_line(b, "(void)pl_o;");
  }
  pl_pair_call(&in);
  if (where) pl_line(b, "}");
  if (b->lanes) pl_pair_add_waiting(b);
}

static void print_row(const pl_body *b)
{
  row r = row_of(b->w->loop->set->pairs);
  pl_body in = pl_deeper(b);
  pl_pair_own_place(b);
  declare_shares(b);
  pl_line(b, "const %s pl_last = %s;", r.type, r.end);
  pl_line(b, "for (%s pl_j = %s; pl_j < pl_last; pl_j += %s) {", r.type, r.first, r.step);
  pl_print_pair_entry(&in, r.entry);
  pl_line(b, "}");
  store_shares(b);
}

void pl_print_pair_host(const pl_body *b)
{
  const pl_walk_state *w = b->w;
  pl_body in = pl_deeper(b), inner = pl_deeper(&in);
  if (w->form == PL_FORM_LANES) pl_print_pair_prelude(b);
  pl_text_add(b->text, "/* The rows of particles begin to end - 1. */\n");
  pl_text_add(b->text, "static __attribute__((noinline)) void pl_range(const int pl_begin, const int pl_end");
  pl_print_parameters(w, false);
  pl_line(b, "{");
  pl_print_copies(&in);
  declare_results(&in);
  if (w->form == PL_FORM_LANES) {
    pl_print_pair_lanes(&in);
  } else {
    pl_line(&in, "for (int pl_e = pl_begin; pl_e < pl_end; pl_e++) {");
    print_row(&inner);
    pl_line(&in, "}");
  }
  store_results(&in);
  pl_line(b, "}\n");
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Loops over pairs on the host: particle by particle; its row one entry after the other, or in lanes. A lane
 * loop reads the records of its entries itself (compilers make gathers of that) and adds to arrays with an
 * element a lane, which are summed when the row ends. Entries beyond the cutoff are masked.
 */
#include "pair.h"
#include "wrap.h"

/* ---- what a row gathers ---- */

static void declare_shares(const pl_body *b, int lanes)
{
  const pl_walk_state *w = b->w;
  for (int i = 0; i < w->loop->nargs; i++) {
    const pl_operand *op = &w->op[i];
    if (!pl_pair_gathers(op)) continue;
    if (lanes) {
      pl_line(b, "%s a%d_l[%d][%d];", pl_op_type(op), i, op->dim, lanes);
      pl_line(b, "for (int pl_c = 0; pl_c < %d; pl_c++)", op->dim);
      pl_line(b, "  for (int pl_l = 0; pl_l < %d; pl_l++) a%d_l[pl_c][pl_l] = 0;", lanes, i);
    } else {
      pl_line(b, "%s a%d[%d] = {0};", pl_op_type(op), i, op->dim);
    }
  }
}

static void store_shares(const pl_body *b, int lanes)
{
  const pl_walk_state *w = b->w;
  char place[PL_PLACE];
  pl_body in = pl_deeper(b);
  for (int i = 0; i < w->loop->nargs; i++) {
    const pl_operand *op = &w->op[i];
    if (!pl_pair_gathers(op)) continue;
    const char *add = op->arg->zeroed && pl_pair_stores(w->loop) ? "=" : "+=";
    pl_print_place(op, "pl_c", "pl_e", place);
    pl_line(b, "for (int pl_c = 0; pl_c < %d; pl_c++) {", op->dim);
    if (lanes) {
      pl_line(&in, "%s pl_sum = 0;", pl_op_type(op));
      pl_line(&in, "for (int pl_l = 0; pl_l < %d; pl_l++) pl_sum += a%d_l[pl_c][pl_l];", lanes, i);
      pl_line(&in, "%s %s pl_sum;", place, add);
    } else {
      pl_line(&in, "%s %s a%d[pl_c];", place, add, i);
    }
    pl_line(b, "}");
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

/* Where a row of the list lies, and how an entry of it is read. */
typedef struct row {
  const char *type, *first, *end; /* of the running index */
  const char *entry;              /* the record at pl_j */
} row;

static row row_of(const pl_map *map)
{
  if (map->pair_map && map->pairs->everyone) return (row){"int", "0", "pl_count[0]", "pl_j"};
  return (row){map->pair_map ? "int64_t" : "int", "O[pl_e]", "O[pl_e + 1]", "E[pl_j]"};
}

/* The condition under which an entry is a pair of this loop; NULL: always. */
static const char *condition(const pl_walk_state *w)
{
  const pl_map *map = w->loop->set->pairs;
  if (!map->pair_map) return NULL;
  if (map->pairs->everyone) return "pl_r2 < pl_cutoff[0] && pl_p != pl_e";
  return pl_pair_once(w->loop) ? "pl_r2 < pl_cutoff[0] && pl_o > pl_e" : "pl_r2 < pl_cutoff[0]";
}

static void print_entry(const pl_body *b, const char *record)
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

static void print_scalar_row(const pl_body *b)
{
  row r = row_of(b->w->loop->set->pairs);
  pl_body in = pl_deeper(b);
  declare_shares(b, 0);
  pl_line(b, "for (%s pl_j = %s; pl_j < %s; pl_j++) {", r.type, r.first, r.end);
  print_entry(&in, r.entry);
  pl_line(b, "}");
  store_shares(b, 0);
}

static void print_lane_row(const pl_body *b, int lanes)
{
  const pl_map *map = b->w->loop->set->pairs;
  row r = row_of(map);
  pl_body in = pl_deeper(b), lane = pl_deeper(&in);
  lane.lanes = true;
  declare_shares(b, lanes);
  pl_line(b, "for (%s pl_j = %s; pl_j < %s; pl_j += %d) {", r.type, r.first, r.end, lanes);
  if (!map->pairs->everyone) pl_line(&in, "const int *const pl_row = E + pl_j;");
  pl_line(&in, "PL_LANES");
  pl_line(&in, "for (int pl_l = 0; pl_l < PL_COUNT(%d); pl_l++) {", lanes);
  print_entry(&lane, map->pairs->everyone ? "pl_j + pl_l" : "pl_row[pl_l]");
  pl_line(&in, "}");
  pl_line(b, "}");
  store_shares(b, lanes);
}

void pl_print_pair_host(const pl_body *b)
{
  const pl_walk_state *w = b->w;
  pl_body in = pl_deeper(b), inner = pl_deeper(&in);
  int lanes = w->form == PL_FORM_LANES ? w->loop->set->pairs->pairs->lanes : 0;
  pl_text_add(b->text, "/* The rows of particles begin to end - 1. */\n");
  pl_text_add(b->text, "static __attribute__((noinline)) void pl_range(const int pl_begin, const int pl_end");
  pl_print_parameters(w, false);
  pl_line(b, "{");
  pl_print_copies(&in);
  declare_results(&in);
  if (lanes) pl_print_lane_results(&in, lanes);
  pl_line(&in, "for (int pl_n = pl_begin; pl_n < pl_end; pl_n++) {");
  pl_line(&inner, "const int pl_e = pl_n;");
  pl_pair_own_place(&inner);
  if (lanes)
    print_lane_row(&inner, lanes);
  else
    print_scalar_row(&inner);
  pl_line(&in, "}");
  if (lanes) pl_print_lane_fold(&in, lanes);
  store_results(&in);
  pl_line(b, "}\n");
}

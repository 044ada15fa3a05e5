/* SPDX-License-Identifier: BSD-2-Clause
 * Loops over pairs on the host: particle by particle, one entry after the other; or in lanes (pair_simd.c).
 */
#include "pair_host.h"
#include "codegen/element/element_body.h"
#include "codegen/host/host_wrapper.h"
#include "codegen/loop/pair_info.h"
#include "pair_body.h"
#include "pair_simd.h"
#include "core/particles/pair_map.h"

/* ---- sums of a row ---- */

static void store_shares(const pl_body *b)
{
  char place[PL_PLACE];
  for (const pl_operand *op = b->e->op; op < b->e->end; op++) {
    if (!pl_pair_gathers(op)) continue;
    pl_dat_place(op, "pl_c", "pl_e", place);
    pl_line(b, "for (int pl_c = 0; pl_c < %d; pl_c++) %s %s sum_%s[pl_c];", op->dim, place,
            pl_pair_adds(b->e, op), op->name);
  }
}

/* ---- results: of the range alone, as a full list counts each pair twice ---- */

static void store_results(const pl_body *b)
{
  char into[PL_PLACE], from[PL_PLACE];
  pl_body in = pl_deeper(b);
  for (const pl_operand *op = b->e->op; op < b->e->end; op++) {
    if (!pl_operand_reduces(op)) continue;
    const char *half = pl_type_is_integer(op->type) ? "" : op->type == PL_FLOAT ? "0.5f * " : "0.5 * ";
    snprintf(into, sizeof into, "result_%s[pl_c]", op->stem);
    snprintf(from, sizeof from, "%s%s[pl_c]", pl_pair_halved(b->e, op) ? half : "", op->running);
    pl_line(b, "for (int pl_c = 0; pl_c < %d; pl_c++) {", op->dim);
    pl_print_combine(&in, op, into, from);
    pl_line(b, "}");
  }
}

/* ---- rows ---- */

/* The condition under which an entry is a pair of this loop; NULL: always. */
static const char *condition(const pl_emitter *e)
{
  const pl_map *map = e->loop->set->pairs;
  if (!map->pair_map) return NULL;
  if (map->pairs->all_pairs) return "pl_r2 < pl_cutoff[0] && pl_p != pl_e";
  return pl_pair_once(e->loop) ? "pl_r2 < pl_cutoff[0] && pl_o > pl_e" : "pl_r2 < pl_cutoff[0]";
}

void pl_print_pair_entry(const pl_body *b, const char *record)
{
  const pl_map *map = b->e->loop->set->pairs;
  const char *where = condition(b->e);
  pl_body in = where ? pl_deeper(b) : *b;
  if (map->pair_map) {
    pl_line(b, "const int pl_p = %s;", record);
    pl_line(b, "const int pl_o = %s;", map->pairs->all_pairs ? "pl_p" : "pl_owner[pl_p]");
    pl_line(b, "(void)pl_o;");
    pl_pair_geometry(b);
    if (b->lanes) pl_pair_declare_parts(b);
    pl_line(b, "if (%s) {", where);
  } else {
    pl_line(b, "const int pl_o = %s;", record);
    pl_line(b, "(void)pl_o;");
  }
  pl_pair_call(&in);
  if (where) pl_line(b, "}");
  if (b->lanes) pl_pair_add_parts(b);
}

/* Rows of pair maps are interleaved by `lanes`. */
static void print_row_bounds(const pl_body *b, const pl_map *map)
{
  int lanes = map->pairs->lanes;
  if (!map->pair_map) {
    pl_line(b, "const int pl_first = pl_offset[pl_e], pl_last = pl_offset[pl_e + 1];");
  } else if (map->pairs->all_pairs) {
    pl_line(b, "const int pl_first = 0, pl_last = pl_count[0];");
  } else {
    pl_line(b, "const int64_t pl_row = pl_offset[pl_e & ~%d], pl_end_row = pl_offset[(pl_e & ~%d) + 1];",
            lanes - 1, lanes - 1);
    pl_line(b,
            "const int64_t pl_first = pl_row + (pl_e & %d), pl_last = pl_row + %d * (pl_end_row - pl_row);",
            lanes - 1, lanes);
  }
}

static void print_row(const pl_body *b)
{
  const pl_map *map = b->e->loop->set->pairs;
  bool interleaved = map->pair_map && !map->pairs->all_pairs;
  pl_body in = pl_deeper(b);
  pl_pair_own_place(b);
  pl_pair_declare_sums(b);
  print_row_bounds(b, map);
  pl_line(b, "for (%s pl_j = pl_first; pl_j < pl_last; pl_j += %d) {", interleaved ? "int64_t" : "int",
          interleaved ? map->pairs->lanes : 1);
  pl_print_pair_entry(&in, map->pair_map && map->pairs->all_pairs ? "pl_j" : "pl_entry[pl_j]");
  pl_line(b, "}");
  store_shares(b);
}

void pl_print_pair_host(const pl_body *b)
{
  pl_body in = pl_deeper(b), inner = pl_deeper(&in);
  if (b->e->form == PL_FORM_LANES) pl_print_pair_prelude(b);
  pl_open_host_function(b, "The rows of particles begin to end - 1.", "pl_range", "");
  pl_results_reset(&in);
  if (b->e->form == PL_FORM_LANES) {
    pl_print_pair_lanes(&in);
  } else {
    pl_line(&in, "for (int pl_e = pl_begin; pl_e < pl_end; pl_e++) {");
    print_row(&inner);
    pl_line(&in, "}");
  }
  store_results(&in);
  pl_line(b, "}\n");
}

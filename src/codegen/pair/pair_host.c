/* SPDX-License-Identifier: BSD-2-Clause
 * Loops over pairs on the host. In lanes the records of entries are loaded whole and transposed in registers:
 * gathers by the compiler take longer.
 */
#include "pair_host.h"
#include "codegen/element/element_body.h"
#include "codegen/host/host_wrapper.h"
#include "codegen/host/simd_transpose.h"
#include "codegen/loop/pair_info.h"
#include "pair_body.h"
#include "core/particles/pair_map.h"

extern const char pl_template_pair_rows_host[], pl_template_pair_lanes_host[];

static const pl_pairs *pairs_of(const pl_body *b)
{
  return b->e->loop->set->pairs->pairs;
}

/* ---- records in lanes ---- */

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

/* PL_RECORDS(of, to): the records whose numbers are in `of` in lane buffers to0, to1, ... */
static void open_records(const pl_body *b)
{
  const pl_pairs *pairs = pairs_of(b);
  pl_string_add(b->text, "#define PL_RECORDS(pl_of, pl_to) \\\n ");
  for (int a = 0; a < pairs->dim; a++)
    pl_string_add(b->text, " %s pl_to##%d[%d] __attribute__((aligned(64)));", pl_pair_type(b->e), a,
                  pairs->lanes);
}

/* ... in moves of so many lanes. */
static void print_moves(const pl_body *b, int lanes)
{
  const pl_pairs *pairs = pairs_of(b);
  pl_print_lane_type(b->text, pairs->position->type, lanes);
  open_records(b);
  pl_string_add(b->text, " {");
  if (pairs->width > pairs->dim) pl_string_add(b->text, " pl_lanes_%s pl_rest;", pl_pair_type(b->e));
  for (int l = 0; l < pairs->lanes; l += lanes) print_move(b, l, lanes);
  pl_string_add(b->text, " }\n");
}

static void print_records(const pl_body *b)
{
  const pl_pairs *pairs = pairs_of(b);
  size_t size = pl_type_size(pairs->position->type);
  if (pairs->width == 1) {
    open_records(b);
    pl_string_add(b->text,
                  " for (int pl_i = 0; pl_i < %d; pl_i++) pl_to##0[pl_i] = pl_record[pl_of[pl_i]];\n\n",
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

/* ---- values and sums of particles ---- */

/* In lanes: values of side 0 are loaded once. */
static bool keeps_own(const pl_emitter *e, const pl_operand *op)
{
  const pl_arg *arg = op->arg;
  if (arg->off || pl_pair_from_records(e->loop, arg)) return false;
  return pl_arg_is_derived(arg) || (pl_arg_is_record(arg) && arg->access == PL_READ && arg->index == 0);
}

static void load_own_values(const pl_body *b)
{
  for (const pl_operand *op = b->e->op; op < b->e->end; op++)
    if (keeps_own(b->e, op))
      pl_declare_lanes(b, op, "own", op->arg->kind == PL_ARG_DISTANCE ? op->stride : op->dim,
                       pl_value_at(pl_dat_place(op, "pl_particle[pl_l]"), "pl_c").s);
}

static void declare_sums(const pl_body *b)
{
  if (!b->lanes) pl_pair_declare_sums(b);
  for (const pl_operand *op = b->e->op; b->lanes && op < b->e->end; op++)
    if (pl_pair_gathers(op)) pl_declare_lanes(b, op, "lanes", op->dim, "0");
}

static void store_sums(const pl_body *b)
{
  const char *particle = b->lanes ? "pl_particle[pl_l]" : "pl_e";
  pl_body in = b->lanes ? pl_deeper(b) : *b;
  for (const pl_operand *op = b->e->op; op < b->e->end; op++) {
    if (!pl_pair_gathers(op)) continue;
    if (b->lanes) pl_line(b, "for (int pl_l = 0; pl_l < pl_live; pl_l++)");
    pl_line(&in, "for (int pl_c = 0; pl_c < %d; pl_c++) %s %s %s_%s[pl_c]%s;", op->dim,
            pl_value_at(pl_dat_place(op, particle), "pl_c").s, pl_pair_adds(b->e, op),
            b->lanes ? "lanes" : "sum", op->name, b->lanes ? "[pl_l]" : "");
  }
}

/* ---- results: of the range alone, as a full list counts each pair twice ---- */

static void store_results(const pl_body *b)
{
  pl_body in = pl_deeper(b);
  for (const pl_operand *op = b->e->op; op < b->e->end; op++) {
    if (!pl_operand_reduces(op)) continue;
    const char *half = pl_type_is_integer(op->type) ? "" : op->type == PL_FLOAT ? "0.5f * " : "0.5 * ";
    pl_line(b, "for (int pl_c = 0; pl_c < %d; pl_c++) {", op->dim);
    pl_print_combine(&in, op, pl_text_of("result_%s[pl_c]", op->stem).s,
                     pl_text_of("%s%s[pl_c]", pl_pair_halved(b->e, op) ? half : "", op->running).s);
    pl_line(b, "}");
  }
}

/* ---- rows ---- */

static void print_rows(const pl_body *b)
{
  const pl_map *map = b->e->loop->set->pairs;
  const pl_pairs *pairs = map->pairs;
  const char *far = map->pair_map && pairs->position->type == PL_DOUBLE ? "-1e150" : "-1e18f";
  const pl_word words[] = {{"RAGGED", .number = !map->pair_map},
                           {"ALL_PAIRS", .number = pairs->all_pairs},
                           {"LANES", .number = pairs->lanes},
                           {"MASK", .number = pairs->lanes - 1},
                           {"FAR", .text = far},
                           {"CONDITION", .text = pl_pair_condition(b->e)},
                           {"SUMS", .print = declare_sums},
                           {"OWN_PLACE", .print = pl_pair_own_place},
                           {"OWN_VALUES", .print = load_own_values},
                           {"GEOMETRY", .print = pl_pair_geometry},
                           {"PARTS", .print = pl_pair_declare_parts},
                           {"CALL", .print = pl_pair_call},
                           {"ADD_PARTS", .print = pl_pair_add_parts},
                           {"STORE", .print = store_sums},
                           {.name = NULL}};
  pl_print_template(b, b->lanes ? pl_template_pair_lanes_host : pl_template_pair_rows_host, words);
}

void pl_print_pair_host(const pl_body *b)
{
  bool lanes = b->e->form == PL_FORM_LANES;
  pl_body in = pl_deeper(b), rows = in;
  rows.lanes = lanes;
  if (lanes) print_records(b);
  pl_open_host_function(b, "The rows of particles begin to end - 1.", "pl_range", "");
  pl_results_reset(&in);
  if (lanes) pl_print_lane_results(&in);
  print_rows(&rows);
  if (lanes) pl_print_lane_fold(&in);
  store_results(&in);
  pl_line(b, "}\n");
}

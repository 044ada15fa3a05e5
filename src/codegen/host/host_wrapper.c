/* SPDX-License-Identifier: BSD-2-Clause
 * Host wrappers of loops over elements.
 */
#include "host_wrapper.h"
#include "codegen/element/block_precompute.h"
#include "codegen/element/element_body.h"
#include "codegen/element/kernel_parameters.h"
#include "codegen/loop/pair_info.h"
#include "simd_transpose.h"

extern const char pl_template_elements_host[], pl_template_lane_loop_host[];

enum { LANES_DOUBLE = 8, LANES_FLOAT = 16 };

void pl_print_lane_macros(const pl_body *b)
{
  pl_string_add(b->text, "%s\n", pl_template_lane_loop_host);
}

int pl_group_lanes(const pl_emitter *e)
{
  if (e->form == PL_FORM_SCALAR) return 0;
  if (pl_loop_traits_of(e->loop)->pairs) return pl_pair_lanes(e->loop);
  if (pl_transposes(e)) return pl_transpose_lanes(e);
  return pl_uses_double(e) ? LANES_DOUBLE : LANES_FLOAT;
}

void pl_declare_lanes(const pl_body *b, const pl_operand *op, const char *prefix, int dim, const char *value)
{
  pl_line(b, "%s %s_%s[%d][%d];", pl_operand_type(op), prefix, op->name, dim, b->e->lanes);
  pl_line(b, "for (int pl_c = 0; pl_c < %d; pl_c++)", dim);
  pl_line(b, "  for (int pl_l = 0; pl_l < %d; pl_l++) %s_%s[pl_c][pl_l] = %s;", b->e->lanes, prefix, op->name,
          value);
}

void pl_print_lane_results(const pl_body *b)
{
  for (const pl_operand *op = b->e->op; op < b->e->end; op++)
    if (pl_operand_reduces(op)) pl_declare_lanes(b, op, "lanes", op->dim, pl_operand_neutral(op));
}

/* Lane by lane. */
void pl_print_lane_fold(const pl_body *b)
{
  pl_body inner = pl_deeper(b), innermost = pl_deeper(&inner), lane = *b;
  lane.lanes = true;
  for (const pl_operand *op = b->e->op; op < b->e->end; op++) {
    if (!pl_operand_reduces(op)) continue;
    pl_line(b, "for (int pl_c = 0; pl_c < %d; pl_c++)", op->dim);
    pl_line(&inner, "for (int pl_l = 0; pl_l < %d; pl_l++) {", b->e->lanes);
    pl_print_combine(&innermost, op, pl_value_at(pl_result_place(b, op), "pl_c").s,
                     pl_value_at(pl_result_place(&lane, op), "pl_c").s);
    pl_line(&inner, "}");
  }
}

/* The element in a lane. */
static void print_lane(const pl_body *b)
{
  pl_body lane = *b;
  lane.lanes = true;
  lane.buffered = pl_transposes(b->e);
  if (!lane.buffered) pl_body_targets(&lane);
  pl_body_load(&lane);
  pl_body_call(&lane);
  pl_body_store(&lane);
  pl_body_reduce(&lane);
}

/* ---- functions ---- */

void pl_open_host_function(const pl_body *b, const char *comment, const char *name, const char *list)
{
  pl_body in = pl_deeper(b);
  pl_string_add(b->text,
                "/* %s */\nstatic __attribute__((noinline)) void %s(const int pl_begin, const int pl_end%s",
                comment, name, list);
  pl_print_parameters(b->e);
  pl_line(b, "{");
  pl_print_copies(&in);
}

/* Of a range, or of a list. */
static void print_function(const pl_body *b, bool list)
{
  const pl_emitter *e = b->e;
  const pl_blocks *blocks = e->loop->blocks;
  int lanes = list ? 0 : e->lanes;
  const pl_word words[] = {{"BLOCKS", .number = blocks != NULL},
                           {"SIZE", .number = blocks ? blocks->size : 0},
                           {"GROUPS", .number = lanes > 0},
                           {"LANES", .number = lanes},
                           {"TRANSPOSED", .number = pl_transposes(e)},
                           {"STREAMS", .number = pl_streams(e) && !list},
                           {"AT", .text = list ? "pl_list[pl_n]" : "pl_n"},
                           {"RESULTS", .print = pl_results_declare},
                           {"BLOCK_VALUES", .print = pl_declare_block_values},
                           {"PRODUCER", .print = pl_print_producer},
                           {"CONSUMER", .print = pl_print_consumer},
                           {"LANE_RESULTS", .print = pl_print_lane_results},
                           {"TARGETS", .print = pl_transpose_targets},
                           {"RECORDS_IN", .print = pl_transpose_in},
                           {"LANE", .print = print_lane},
                           {"PIECES_OUT", .print = pl_transpose_out},
                           {"STORES", .print = pl_transpose_store},
                           {"LANE_FOLD", .print = pl_print_lane_fold},
                           {"ELEMENT", .print = pl_body_element},
                           {"STORE_RESULTS", .print = pl_results_store},
                           {.name = NULL}};
  pl_body in = pl_deeper(b);
  if (list)
    pl_open_host_function(b, "Elements list[begin] to list[end - 1].", "pl_some",
                          ", const int *restrict pl_list");
  else
    pl_open_host_function(b, "Elements begin to end - 1.", "pl_range", "");
  pl_print_template(&in, pl_template_elements_host, words);
  pl_line(b, "}\n");
}

void pl_print_host_elements(const pl_body *b)
{
  if (pl_transposes(b->e)) pl_print_transpose_prelude(b);
  print_function(b, false);
  print_function(b, true);
}

void pl_print_host_entry(const pl_emitter *e)
{
  pl_string *t = &e->program->text;
  const char *setup = pl_kernel_extras(e->loop->kernel)->setup, *linkage = e->cpp ? "extern \"C\" " : "";
  pl_string_add(t, "%svoid pl_run(int pl_begin, int pl_end, const int *pl_list, void *const *pl_args)\n{\n",
                linkage);
  pl_string_add(t, "  (void)pl_args;\n");
  if (pl_loop_traits_of(e->loop)->pairs) {
    pl_string_add(t, "  (void)pl_list;\n");
  } else {
    pl_string_add(t, "  if (pl_list)\n    pl_some(pl_begin, pl_end, pl_list");
    pl_print_host_arguments(e);
    pl_string_add(t, "  else\n");
  }
  pl_string_add(t, "    pl_range(pl_begin, pl_end");
  pl_print_host_arguments(e);
  pl_string_add(t, "}\n");
  if (setup)
    pl_string_add(t,
                  "\n/* Run once, when this program is loaded. */\n%svoid pl_setup(void)\n{\n"
                  "  static int pl_done;\n  if (pl_done++) return;\n%s\n}\n",
                  linkage, setup);
}

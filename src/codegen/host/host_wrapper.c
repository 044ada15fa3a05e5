/* SPDX-License-Identifier: BSD-2-Clause
 * Host wrappers of loops over elements.
 */
#include "host_wrapper.h"
#include "codegen/element/kernel_parameters.h"
#include "codegen/loop/pair_info.h"
#include "simd_transpose.h"

extern const char pl_template_lane_loop_host[];

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

static void print_lane(const pl_body *b)
{
  pl_body lane = *b;
  lane.lanes = true;
  lane.buffered = pl_transposes(b->e);
  pl_print_template(&lane, "element_in_lane", NULL);
}

static void print_vector_call(const pl_body *b)
{
  pl_body vectors = *b;
  vectors.vectors = true;
  pl_print_template(&vectors, "call", NULL);
}

/* ---- functions ---- */

void pl_print_host_function(const pl_body *b, const char *comment, const char *name, const char *list,
                            const char *statements, const pl_word *words)
{
  const pl_body in = pl_deeper(b);
  pl_string_add(b->text,
                "/* %s */\nstatic __attribute__((noinline)) void %s(const int pl_begin, const int pl_end%s",
                comment, name, list);
  pl_print_parameters(b->e);
  pl_line(b, "{");
  pl_print_template(&in, statements, words);
  pl_line(b, "}\n");
}

static pl_text slot_type(const pl_body *b)
{
  return pl_text_of("%s", pl_parameter_type(b->e, &b->e->program->run.slot[pl_index(b, 's')]));
}

static pl_text slot_name(const pl_body *b)
{
  return pl_parameter_name(b->e, &b->e->program->run.slot[pl_index(b, 's')]);
}

/* Of a range, or of a list. */
static void print_function(const pl_body *b, bool list)
{
  const pl_emitter *e = b->e;
  const pl_blocks *blocks = e->loop->blocks;
  const pl_word words[] = {{"precomputes", .number = blocks != NULL},
                           {"block_size", .number = blocks ? blocks->size : 0},
                           {"groups", .number = !list && e->lanes > 0},
                           {"transposed", .number = pl_transposes(e)},
                           {"streams", .number = pl_streams(e) && !list},
                           {"lane", .print = print_lane},
                           {"vectors", .number = e->form == PL_FORM_VECTOR},
                           {"vector_call", .print = print_vector_call},
                           {"at", .text = list ? "pl_list[pl_n]" : "pl_n"},
                           {"slots", .number = e->program->run.n},
                           {"slot_name", .built = slot_name},
                           {.name = NULL}};
  const bool as_ranges = list && e->options->quick && !blocks;
  pl_print_host_function(b, list ? "Elements list[begin] to list[end - 1]." : "Elements begin to end - 1.",
                         list ? "pl_some" : "pl_range", list ? ", const int *restrict pl_list" : "",
                         as_ranges ? "loop_over_list" : "loop_over_elements", words);
}

void pl_print_host_elements(const pl_body *b)
{
  if (pl_transposes(b->e)) pl_print_transpose_prelude(b);
  print_function(b, false);
  print_function(b, true);
}

void pl_print_host_entry(const pl_body *b)
{
  const pl_emitter *e = b->e;
  const pl_word words[] = {{"linkage", .text = e->cpp ? "extern \"C\"" : ""},
                           {"setup", .text = pl_kernel_extras(e->loop->kernel)->setup},
                           {"over_pairs", .number = pl_loop_traits_of(e->loop)->pairs},
                           {"slots", .number = e->program->run.n},
                           {"slot_type", .built = slot_type},
                           {.name = NULL}};
  pl_print_template(b, "host_entry", words);
}

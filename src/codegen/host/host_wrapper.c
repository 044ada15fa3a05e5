/* SPDX-License-Identifier: BSD-2-Clause
 * Host wrappers of loops over elements.
 */
#include "host_wrapper.h"
#include "codegen/element/block_precompute.h"
#include "codegen/element/element_body.h"
#include "codegen/element/kernel_parameters.h"
#include "simd_transpose.h"

enum { LANES_DOUBLE = 8, LANES_FLOAT = 16 };

/* The lane loop must reach the vectoriser as a loop and be gone after it. gcc unrolls it before, unless told
 * "unroll 1". clang does so too, unless it cannot see the number of lanes until then: __builtin_constant_p of
 * an expression that is no constant is decided after vectorisation. A loop with a pragma against unrolling
 * stays, and with it the lane buffers in memory. */
static const char lane_macros[] =
  "#ifdef __clang__\n#define PL_LANES _Pragma(\"clang loop vectorize(assume_safety)\")\n"
  "#define PL_COUNT(n) (__builtin_constant_p(pl_n) ? pl_end : (n))\n"
  "#else\n#define PL_LANES _Pragma(\"GCC ivdep\") _Pragma(\"GCC unroll 1\")\n#define PL_COUNT(n) "
  "(n)\n#endif\n\n";

void pl_print_lane_macros(const pl_body *b)
{
  pl_string_add(b->text, "%s", lane_macros);
}

void pl_declare_lanes(const pl_body *b, const pl_operand *op, const char *prefix, int dim, int lanes,
                      const char *value)
{
  pl_line(b, "%s %s_%s[%d][%d];", pl_operand_type(op), prefix, op->name, dim, lanes);
  pl_line(b, "for (int pl_c = 0; pl_c < %d; pl_c++)", dim);
  pl_line(b, "  for (int pl_l = 0; pl_l < %d; pl_l++) %s_%s[pl_c][pl_l] = %s;", lanes, prefix, op->name,
          value);
}

void pl_print_lane_results(const pl_body *b, int lanes)
{
  for (const pl_operand *op = b->e->op; op < b->e->end; op++)
    if (pl_operand_reduces(op)) pl_declare_lanes(b, op, "lanes", op->dim, lanes, pl_operand_neutral(op));
}

/* Lane by lane. */
void pl_print_lane_fold(const pl_body *b, int lanes)
{
  pl_body inner = pl_deeper(b), innermost = pl_deeper(&inner), lane = *b;
  char into[PL_PLACE], from[PL_PLACE];
  lane.lanes = true;
  for (const pl_operand *op = b->e->op; op < b->e->end; op++) {
    if (!pl_operand_reduces(op)) continue;
    pl_line(b, "for (int pl_c = 0; pl_c < %d; pl_c++)", op->dim);
    pl_line(&inner, "for (int pl_l = 0; pl_l < %d; pl_l++) {", lanes);
    pl_print_combine(&innermost, op, pl_result_place(b, op, "pl_c", into),
                     pl_result_place(&lane, op, "pl_c", from));
    pl_line(&inner, "}");
  }
}

/* Groups of elements, one in each lane of a loop that the compiler turns into vector instructions. */
static void print_lanes(const pl_body *b)
{
  int lanes = pl_uses_double(b->e) ? LANES_DOUBLE : LANES_FLOAT;
  pl_body group = pl_deeper(b), lane = pl_deeper(&group);
  lane.lanes = true;
  pl_print_lane_results(b, lanes);
  pl_line(b, "for (; pl_n + %d <= pl_end; pl_n += %d) {", lanes, lanes);
  pl_line(&group, "PL_LANES");
  pl_line(&group, "for (int pl_l = 0; pl_l < PL_COUNT(%d); pl_l++) {", lanes);
  pl_line(&lane, "const int pl_e = pl_n + pl_l;");
  pl_body_element(&lane);
  pl_line(&group, "}");
  pl_line(b, "}");
  pl_print_lane_fold(b, lanes);
}

static void print_transpose(const pl_body *b)
{
  int lanes = pl_transpose_lanes(b->e);
  pl_print_lane_results(b, lanes);
  pl_print_transpose(b);
  pl_print_lane_fold(b, lanes);
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

/* One element after the other: `header` is that of the loop, `element` of its index. */
static void print_each(const pl_body *b, const char *header, const char *element,
                       void (*print)(const pl_body *))
{
  pl_body in = pl_deeper(b);
  pl_line(b, "for (%s) {", header);
  pl_line(&in, "const int pl_e = %s;", element);
  print(&in);
  pl_line(b, "}");
}

static void print_range(const pl_body *b)
{
  pl_body in = pl_deeper(b);
  pl_open_host_function(b, "Elements begin to end - 1.", "pl_range", "");
  pl_results_declare(&in);
  pl_line(&in, "int pl_n = pl_begin;");
  if (b->e->form == PL_FORM_LANES) print_lanes(&in);
  if (pl_transposes(b->e)) print_transpose(&in);
  print_each(&in, "; pl_n < pl_end; pl_n++", "pl_n", pl_body_element);
  pl_results_store(&in);
  if (pl_streams(b->e)) pl_line(&in, "PL_STREAM_END;");
  pl_line(b, "}\n");
}

static const char list_parameter[] = ", const int *restrict pl_list";

static void print_list(const pl_body *b)
{
  pl_body in = pl_deeper(b);
  pl_open_host_function(b, "Elements list[begin] to list[end - 1].", "pl_some", list_parameter);
  pl_results_declare(&in);
  print_each(&in, "int pl_i = pl_begin; pl_i < pl_end; pl_i++", "pl_list[pl_i]", pl_body_element);
  pl_results_store(&in);
  pl_line(b, "}\n");
}

static void print_blocks(const pl_body *b, const char *name, const char *list, const char *element)
{
  int size = b->e->loop->blocks->size;
  pl_body in = pl_deeper(b), block = pl_deeper(&in), inner = pl_deeper(&block);
  pl_open_host_function(b, "Block by block: the values at its targets, then its elements.", name, list);
  pl_results_declare(&in);
  pl_declare_block_values(&in);
  pl_line(&in, "for (int pl_b = pl_begin / %d; pl_b * %d < pl_end; pl_b++) {", size, size);
  pl_line(&block, "for (int pl_i = 0; pl_i < pl_blocks[pl_b + 1] - pl_blocks[pl_b]; pl_i++) {");
  pl_print_producer(&inner);
  pl_line(&block, "}");
  pl_line(&block, "const int pl_from = pl_b * %d > pl_begin ? pl_b * %d : pl_begin;", size, size);
  pl_line(&block, "const int pl_to = (pl_b + 1) * %d < pl_end ? (pl_b + 1) * %d : pl_end;", size, size);
  print_each(&block, "int pl_p = pl_from; pl_p < pl_to; pl_p++", element, pl_print_consumer);
  pl_line(&in, "}");
  pl_results_store(&in);
  pl_line(b, "}\n");
}

void pl_print_host_blocks(const pl_body *b)
{
  print_blocks(b, "pl_range", "", "pl_p");
  print_blocks(b, "pl_some", list_parameter, "pl_list[pl_p]");
}

void pl_print_host_elements(const pl_body *b)
{
  if (pl_transposes(b->e)) pl_print_transpose_prelude(b);
  print_range(b);
  print_list(b);
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

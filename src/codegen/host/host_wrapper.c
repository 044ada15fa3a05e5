/* SPDX-License-Identifier: BSD-2-Clause
 * Host wrappers: a range of elements in the program's form, a list of elements one by one, and the entry that
 * chooses.
 */
#include "blocks.h"
#include "pair.h"
#include "transpose.h"
#include "wrap.h"

enum { LANES_DOUBLE = 8, LANES_FLOAT = 16 };

/* The lane loop must reach the vectoriser whole and be gone after it. gcc would dissolve it before ("unroll
 * 1" keeps it from that); so would clang, unless it cannot see the number of lanes until then:
 * __builtin_constant_p of what is no constant is decided late. A loop that clang is told not to unroll stays,
 * and with it the lane buffers in memory. */
static const char lane_words[] =
  "#ifdef __clang__\n#define PL_LANES _Pragma(\"clang loop vectorize(assume_safety)\")\n"
  "#define PL_COUNT(n) (__builtin_constant_p(pl_n) ? pl_end : (n))\n"
  "#else\n#define PL_LANES _Pragma(\"GCC ivdep\") _Pragma(\"GCC unroll 1\")\n#define PL_COUNT(n) "
  "(n)\n#endif\n\n";

static int lane_count(const pl_walk_state *w)
{
  return pl_uses_double(w) ? LANES_DOUBLE : LANES_FLOAT;
}

void pl_print_lane_results(const pl_body *b, int lanes)
{
  const pl_walk_state *w = b->w;
  for (int i = 0; i < w->loop->nargs; i++) {
    const pl_operand *op = &w->op[i];
    if (!pl_op_reduces(op)) continue;
    pl_line(b, "%s g%d_l[%d][%d];", pl_op_type(op), i, op->dim, lanes);
    pl_line(b, "for (int pl_c = 0; pl_c < %d; pl_c++)", op->dim);
    pl_line(b, "  for (int pl_l = 0; pl_l < %d; pl_l++) g%d_l[pl_c][pl_l] = %s;", lanes, i,
            pl_op_neutral(op));
  }
}

/* Lane results are added to the running ones, lane by lane. */
void pl_print_lane_fold(const pl_body *b, int lanes)
{
  const pl_walk_state *w = b->w;
  char into[40], from[40];
  for (int i = 0; i < w->loop->nargs; i++) {
    const pl_operand *op = &w->op[i];
    if (!pl_op_reduces(op)) continue;
    snprintf(into, sizeof into, "g%d[pl_c]", i);
    snprintf(from, sizeof from, "g%d_l[pl_c][pl_l]", i);
    pl_line(b, "for (int pl_c = 0; pl_c < %d; pl_c++)", op->dim);
    pl_body inner = pl_deeper(b);
    pl_line(&inner, "for (int pl_l = 0; pl_l < %d; pl_l++) {", lanes);
    pl_body innermost = pl_deeper(&inner);
    pl_print_combine(&innermost, op, into, from);
    pl_line(&inner, "}");
  }
}

/* Groups of elements, one in each lane of a loop that the compiler turns into vector instructions. */
static void print_lanes(const pl_body *b)
{
  int lanes = lane_count(b->w);
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
  int lanes = pl_transpose_lanes(b->w);
  pl_print_lane_results(b, lanes);
  pl_print_transpose(b);
  pl_print_lane_fold(b, lanes);
}

static void print_range(const pl_body *b)
{
  const pl_walk_state *w = b->w;
  pl_body in = pl_deeper(b), inner = pl_deeper(&in);
  pl_text_add(b->text, "/* Elements begin to end - 1. */\n");
  pl_text_add(b->text, "static __attribute__((noinline)) void pl_range(const int pl_begin, const int pl_end");
  pl_print_parameters(w, false);
  pl_line(b, "{");
  pl_print_copies(&in);
  pl_results_declare(&in);
  pl_line(&in, "int pl_n = pl_begin;");
  if (w->form == PL_FORM_LANES) print_lanes(&in);
  if (pl_transposes(w)) print_transpose(&in);
  pl_line(&in, "for (; pl_n < pl_end; pl_n++) {");
  pl_line(&inner, "const int pl_e = pl_n;");
  pl_body_element(&inner);
  pl_line(&in, "}");
  pl_results_store(&in);
  if (pl_streams(w)) pl_line(&in, "PL_STREAM_END;");
  pl_line(b, "}\n");
}

static void print_list(const pl_body *b)
{
  const pl_walk_state *w = b->w;
  pl_body in = pl_deeper(b), inner = pl_deeper(&in);
  pl_text_add(b->text, "/* Elements list[begin] to list[end - 1]. */\n");
  pl_text_add(b->text, "static __attribute__((noinline)) void pl_some(const int pl_begin, const int pl_end, "
                       "const int *restrict pl_list");
  pl_print_parameters(w, false);
  pl_line(b, "{");
  pl_print_copies(&in);
  pl_results_declare(&in);
  pl_line(&in, "for (int pl_i = pl_begin; pl_i < pl_end; pl_i++) {");
  pl_line(&inner, "const int pl_e = pl_list[pl_i];");
  pl_body_element(&inner);
  pl_line(&in, "}");
  pl_results_store(&in);
  pl_line(b, "}\n");
}

static const char *pair_slot_type(const pl_walk_state *w, const pl_slot *slot)
{
  if (slot->kind == PL_SLOT_PAIR_RECORD || slot->kind == PL_SLOT_PAIR_CUTOFF) return pl_pair_type(w);
  return slot->kind == PL_SLOT_PAIR_ROW && w->loop->set->pairs->pair_map ? "int64_t" : "int";
}

static void print_slot_arguments(const pl_walk_state *w)
{
  for (int s = 0; s < w->program->nslots; s++) {
    const pl_slot *slot = &w->program->slot[s];
    const char *type = slot->kind == PL_SLOT_MAP       ? "int"
                       : slot->kind == PL_SLOT_OFFSET  ? "int"
                       : slot->kind == PL_SLOT_POINTER ? "void"
                       : slot->kind == PL_SLOT_WHERE   ? "int64_t"
                       : slot->kind == PL_SLOT_NUMBERS ? "int64_t"
                       : slot->kind == PL_SLOT_CONSTS  ? "struct pl_consts"
                       : slot->kind == PL_SLOT_WATCH   ? "pl_watch"
                       : slot->arg < 0                 ? pair_slot_type(w, slot)
                                                       : pl_op_type(&w->op[slot->arg]);
    pl_text_add(&w->program->text, ", (%s *)pl_slot[%d]", type, s);
  }
  pl_text_add(&w->program->text, ");\n");
}

static void print_host_entry(const pl_walk_state *w)
{
  pl_text *t = &w->program->text;
  const char *setup = pl_kernel_extras(w->loop->kernel)->setup;
  pl_text_add(t, "%svoid pl_run(int pl_begin, int pl_end, const int *pl_list, void *const *pl_slot)\n{\n",
              w->cpp ? "extern \"C\" " : "");
  pl_text_add(t, "  (void)pl_slot;\n");
  if (w->loop->set->pairs) {
    pl_text_add(t, "  (void)pl_list;\n    pl_range(pl_begin, pl_end");
  } else {
    pl_text_add(t, "  if (pl_list)\n    pl_some(pl_begin, pl_end, pl_list");
    print_slot_arguments(w);
    pl_text_add(t, "  else\n    pl_range(pl_begin, pl_end");
  }
  print_slot_arguments(w);
  pl_text_add(t, "}\n");
  if (setup)
    pl_text_add(t,
                "\n/* Run once, when this program is loaded. */\n%svoid pl_setup(void)\n{\n"
                "  static int pl_done;\n  if (pl_done++) return;\n%s\n}\n",
                w->cpp ? "extern \"C\" " : "", setup);
}

void pl_print_host(const pl_walk_state *w)
{
  pl_body b = {.w = w, .text = &w->program->text};
  if (w->form != PL_FORM_SCALAR) pl_text_add(b.text, "%s", lane_words);
  if (pl_transposes(w)) pl_print_transpose_prelude(&b);
  if (w->loop->set->pairs) {
    pl_print_pair_host(&b);
  } else if (w->loop->blocks) {
    pl_print_blocks_host(&b);
  } else {
    print_range(&b);
    print_list(&b);
  }
  print_host_entry(w);
}

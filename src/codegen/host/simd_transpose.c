/* SPDX-License-Identifier: BSD-2-Clause
 * The transposed form. Names in the text: t0_1[l] is target 1 of map 0 in lane l; b3_1[c][l] the lane buffer
 * of argument 3's target 1; s3_1_0_* its values 0 onwards, transposed back; r3_1_2 lane 2's record.
 *
 * A record moves in pieces of 16 bytes (then 8, of 4-byte values), the rest value by value. Generic vectors
 * and
 * __builtin_shufflevector serve gcc (from 12) and clang alike.
 */
#include "transpose.h"
#include "wrap.h"
#include <string.h>

enum { TARGET = 48 };

/* ---- moves, as macros of the text ----
 *
 * IN: the records r0, r1, ... of n lanes become the lane buffers b0, b1, ... of p values. OUT: the way back,
 * into vectors s_0, s_1, ... that each hold the pieces of one lane or more, as the table below says. Two
 * records enter as halves of a longer vector, so that one half is loaded in place (gcc has to be told). IN of
 * 1 or 3 values loads one value more and drops it (core/memory.h leaves room behind the last record).
 */
static const char moves_8x4[] =
  "#define PL_VECTORS_8X4(T) \\\n"
  "  typedef T pl_p2_##T __attribute__((vector_size(16), aligned(8), may_alias)); \\\n"
  "  typedef T pl_p4_##T __attribute__((vector_size(32), aligned(8), may_alias));\n"
  "#if defined(__AVX__) && !defined(__clang__)\n"
  "typedef double pl_d2 __attribute__((vector_size(16), aligned(8), may_alias));\n"
  "#define PL_PAIRS(T, r, s) ((pl_p4_##T)__builtin_ia32_vinsertf128_pd256(__builtin_ia32_pd256_pd(*(const "
  "pl_d2 *)(r)), *(const pl_d2 *)(s), 1))\n"
  "#else\n"
  "#define PL_PAIRS(T, r, s) __builtin_shufflevector(*(const pl_p2_##T *)(r), *(const pl_p2_##T *)(s), 0, 1, "
  "2, 3)\n"
  "#endif\n"
  "#define PL_IN_8_2X4(T, r0, r1, r2, r3, b0, b1) do { \\\n"
  "  const pl_lanes_##T p = PL_PAIRS(T, r0, r2), q = PL_PAIRS(T, r1, r3); \\\n"
  "  *(pl_lanes_##T *)(b0) = __builtin_shufflevector(p, q, 0, 4, 2, 6); \\\n"
  "  *(pl_lanes_##T *)(b1) = __builtin_shufflevector(p, q, 1, 5, 3, 7); } while (0)\n"
  "#define PL_IN_8_4X4(T, r0, r1, r2, r3, b0, b1, b2, b3) do { \\\n"
  "  const pl_p4_##T p = *(const pl_p4_##T *)(r0), q = *(const pl_p4_##T *)(r1), r = *(const pl_p4_##T "
  "*)(r2), \\\n"
  "    s = *(const pl_p4_##T *)(r3); \\\n"
  "  const pl_p4_##T t = __builtin_shufflevector(p, q, 0, 4, 2, 6), u = __builtin_shufflevector(r, s, 0, 4, "
  "2, 6), \\\n"
  "    v = __builtin_shufflevector(p, q, 1, 5, 3, 7), w = __builtin_shufflevector(r, s, 1, 5, 3, 7); \\\n"
  "  *(pl_lanes_##T *)(b0) = __builtin_shufflevector(t, u, 0, 1, 4, 5); \\\n"
  "  *(pl_lanes_##T *)(b1) = __builtin_shufflevector(v, w, 0, 1, 4, 5); \\\n"
  "  *(pl_lanes_##T *)(b2) = __builtin_shufflevector(t, u, 2, 3, 6, 7); \\\n"
  "  *(pl_lanes_##T *)(b3) = __builtin_shufflevector(v, w, 2, 3, 6, 7); } while (0)\n"
  "#define PL_OUT_8_2X4(T, s, b0, b1) \\\n"
  "  const pl_lanes_##T s##_0 = __builtin_shufflevector(*(pl_lanes_##T *)(b0), *(pl_lanes_##T *)(b1), 0, 4, "
  "2, 6); \\\n"
  "  const pl_lanes_##T s##_1 = __builtin_shufflevector(*(pl_lanes_##T *)(b0), *(pl_lanes_##T *)(b1), 1, 5, "
  "3, 7)\n"
  "#define PL_OUT_8_4X4(T, s, b0, b1, b2, b3) \\\n"
  "  PL_OUT_8_2X4(T, s##_l, b0, b1); PL_OUT_8_2X4(T, s##_h, b2, b3); \\\n"
  "  const pl_lanes_##T s##_0 = __builtin_shufflevector(s##_l_0, s##_h_0, 0, 1, 4, 5), \\\n"
  "    s##_1 = __builtin_shufflevector(s##_l_1, s##_h_1, 0, 1, 4, 5), \\\n"
  "    s##_2 = __builtin_shufflevector(s##_l_0, s##_h_0, 2, 3, 6, 7), \\\n"
  "    s##_3 = __builtin_shufflevector(s##_l_1, s##_h_1, 2, 3, 6, 7)\n";

/* p and q hold 16-byte pieces of the records r0, r2, r4, r6 and r1, r3, r5, r7, or 32-byte pieces of half of
 * them. */
static const char moves_8x8[] =
  "#define PL_VECTORS_8X8(T) PL_VECTORS_8X4(T)\n"
  "#define PL_JOIN_8(v, w) __builtin_shufflevector(v, w, 0, 1, 2, 3, 4, 5, 6, 7)\n"
  "#define PL_EVEN_8(v, w) __builtin_shufflevector(v, w, 0, 8, 2, 10, 4, 12, 6, 14)\n"
  "#define PL_ODD_8(v, w) __builtin_shufflevector(v, w, 1, 9, 3, 11, 5, 13, 7, 15)\n"
  "#define PL_LOW_8(v, w) __builtin_shufflevector(v, w, 0, 1, 4, 5, 8, 9, 12, 13)\n"
  "#define PL_HIGH_8(v, w) __builtin_shufflevector(v, w, 2, 3, 6, 7, 10, 11, 14, 15)\n"
  "#define PL_FIRST_8(v, w) __builtin_shufflevector(v, w, 0, 1, 8, 9, 4, 5, 12, 13)\n"
  "#define PL_LAST_8(v, w) __builtin_shufflevector(v, w, 2, 3, 10, 11, 6, 7, 14, 15)\n"
  "#define PL_FOURS(T, r, s) PL_JOIN_8(*(const pl_p4_##T *)(r), *(const pl_p4_##T *)(s))\n"
  "#define PL_IN_8_2X8(T, r0, r1, r2, r3, r4, r5, r6, r7, b0, b1) do { \\\n"
  "  const pl_lanes_##T p = PL_JOIN_8(PL_PAIRS(T, r0, r2), PL_PAIRS(T, r4, r6)); \\\n"
  "  const pl_lanes_##T q = PL_JOIN_8(PL_PAIRS(T, r1, r3), PL_PAIRS(T, r5, r7)); \\\n"
  "  *(pl_lanes_##T *)(b0) = PL_EVEN_8(p, q); *(pl_lanes_##T *)(b1) = PL_ODD_8(p, q); } while (0)\n"
  "#define PL_IN_8_4X8(T, r0, r1, r2, r3, r4, r5, r6, r7, b0, b1, b2, b3) do { \\\n"
  "  const pl_lanes_##T p = PL_FOURS(T, r0, r2), q = PL_FOURS(T, r1, r3), r = PL_FOURS(T, r4, r6), s = "
  "PL_FOURS(T, r5, r7); \\\n"
  "  const pl_lanes_##T t = PL_EVEN_8(p, q), u = PL_EVEN_8(r, s), v = PL_ODD_8(p, q), w = PL_ODD_8(r, s); "
  "\\\n"
  "  *(pl_lanes_##T *)(b0) = PL_LOW_8(t, u); *(pl_lanes_##T *)(b1) = PL_LOW_8(v, w); \\\n"
  "  *(pl_lanes_##T *)(b2) = PL_HIGH_8(t, u); *(pl_lanes_##T *)(b3) = PL_HIGH_8(v, w); } while (0)\n"
  "#define PL_OUT_8_2X8(T, s, b0, b1) \\\n"
  "  const pl_lanes_##T s##_0 = PL_EVEN_8(*(pl_lanes_##T *)(b0), *(pl_lanes_##T *)(b1)), \\\n"
  "    s##_1 = PL_ODD_8(*(pl_lanes_##T *)(b0), *(pl_lanes_##T *)(b1))\n"
  "#define PL_OUT_8_4X8(T, s, b0, b1, b2, b3) \\\n"
  "  PL_OUT_8_2X8(T, s##_l, b0, b1); PL_OUT_8_2X8(T, s##_h, b2, b3); \\\n"
  "  const pl_lanes_##T s##_0 = PL_FIRST_8(s##_l_0, s##_h_0), s##_1 = PL_FIRST_8(s##_l_1, s##_h_1), \\\n"
  "    s##_2 = PL_LAST_8(s##_l_0, s##_h_0), s##_3 = PL_LAST_8(s##_l_1, s##_h_1)\n";

static const char moves_4x4[] =
  "#define PL_VECTORS_4X4(T) \\\n"
  "  typedef T pl_p2_##T __attribute__((vector_size(8), aligned(4), may_alias)); \\\n"
  "  typedef T pl_p4_##T __attribute__((vector_size(16), aligned(4), may_alias));\n"
  "#define PL_IN_4_4X4(T, r0, r1, r2, r3, b0, b1, b2, b3) do { \\\n"
  "  const pl_p4_##T p = *(const pl_p4_##T *)(r0), q = *(const pl_p4_##T *)(r1), r = *(const pl_p4_##T "
  "*)(r2), \\\n"
  "    s = *(const pl_p4_##T *)(r3); \\\n"
  "  const pl_p4_##T t = __builtin_shufflevector(p, q, 0, 4, 1, 5), u = __builtin_shufflevector(r, s, 0, 4, "
  "1, 5), \\\n"
  "    v = __builtin_shufflevector(p, q, 2, 6, 3, 7), w = __builtin_shufflevector(r, s, 2, 6, 3, 7); \\\n"
  "  *(pl_lanes_##T *)(b0) = __builtin_shufflevector(t, u, 0, 1, 4, 5); \\\n"
  "  *(pl_lanes_##T *)(b1) = __builtin_shufflevector(t, u, 2, 3, 6, 7); \\\n"
  "  *(pl_lanes_##T *)(b2) = __builtin_shufflevector(v, w, 0, 1, 4, 5); \\\n"
  "  *(pl_lanes_##T *)(b3) = __builtin_shufflevector(v, w, 2, 3, 6, 7); } while (0)\n"
  "#define PL_IN_4_3X4(T, r0, r1, r2, r3, b0, b1, b2) do { \\\n"
  "  pl_lanes_##T dropped; PL_IN_4_4X4(T, r0, r1, r2, r3, b0, b1, b2, &dropped); } while (0)\n"
  "#define PL_IN_4_2X4(T, r0, r1, r2, r3, b0, b1) do { \\\n"
  "  const pl_p4_##T p = __builtin_shufflevector(*(const pl_p2_##T *)(r0), *(const pl_p2_##T *)(r1), 0, 1, "
  "2, 3); \\\n"
  "  const pl_p4_##T q = __builtin_shufflevector(*(const pl_p2_##T *)(r2), *(const pl_p2_##T *)(r3), 0, 1, "
  "2, 3); \\\n"
  "  *(pl_lanes_##T *)(b0) = __builtin_shufflevector(p, q, 0, 2, 4, 6); \\\n"
  "  *(pl_lanes_##T *)(b1) = __builtin_shufflevector(p, q, 1, 3, 5, 7); } while (0)\n"
  "#define PL_OUT_4_2X4(T, s, b0, b1) \\\n"
  "  const pl_lanes_##T s##_0 = __builtin_shufflevector(*(pl_lanes_##T *)(b0), *(pl_lanes_##T *)(b1), 0, 4, "
  "1, 5); \\\n"
  "  const pl_lanes_##T s##_1 = __builtin_shufflevector(*(pl_lanes_##T *)(b0), *(pl_lanes_##T *)(b1), 2, 6, "
  "3, 7)\n"
  "#define PL_OUT_4_4X4(T, s, b0, b1, b2, b3) \\\n"
  "  PL_OUT_4_2X4(T, s##_l, b0, b1); PL_OUT_4_2X4(T, s##_h, b2, b3); \\\n"
  "  const pl_lanes_##T s##_0 = __builtin_shufflevector(s##_l_0, s##_h_0, 0, 1, 4, 5), \\\n"
  "    s##_1 = __builtin_shufflevector(s##_l_0, s##_h_0, 2, 3, 6, 7), \\\n"
  "    s##_2 = __builtin_shufflevector(s##_l_1, s##_h_1, 0, 1, 4, 5), \\\n"
  "    s##_3 = __builtin_shufflevector(s##_l_1, s##_h_1, 2, 3, 6, 7)\n";

static const char moves_4x8[] =
  "#define PL_VECTORS_4X8(T) \\\n"
  "  typedef T pl_p2_##T __attribute__((vector_size(8), aligned(4), may_alias)); \\\n"
  "  typedef T pl_p4_##T __attribute__((vector_size(16), aligned(4), may_alias));\n"
  "#if defined(__AVX__) && !defined(__clang__)\n"
  "typedef float pl_s4 __attribute__((vector_size(16), aligned(4), may_alias));\n"
  "#define PL_JOIN_4(T, r, s) "
  "((pl_lanes_##T)__builtin_ia32_vinsertf128_ps256(__builtin_ia32_ps256_ps(*(const "
  "pl_s4 *)(r)), *(const pl_s4 *)(s), 1))\n"
  "#else\n"
  "#define PL_JOIN_4(T, r, s) __builtin_shufflevector(*(const pl_p4_##T *)(r), *(const pl_p4_##T *)(s), 0, "
  "1, 2, 3, 4, 5, 6, 7)\n"
  "#endif\n"
  "#define PL_JOIN_2(T, r, s) __builtin_shufflevector(*(const pl_p2_##T *)(r), *(const pl_p2_##T *)(s), 0, "
  "1, 2, 3)\n"
  "#define PL_LOW(v, w) __builtin_shufflevector(v, w, 0, 8, 1, 9, 4, 12, 5, 13)\n"
  "#define PL_HIGH(v, w) __builtin_shufflevector(v, w, 2, 10, 3, 11, 6, 14, 7, 15)\n"
  "#define PL_EVEN(v, w) __builtin_shufflevector(v, w, 0, 1, 8, 9, 4, 5, 12, 13)\n"
  "#define PL_ODD(v, w) __builtin_shufflevector(v, w, 2, 3, 10, 11, 6, 7, 14, 15)\n"
  "#define PL_IN_4_4X8(T, r0, r1, r2, r3, r4, r5, r6, r7, b0, b1, b2, b3) do { \\\n"
  "  const pl_lanes_##T p = PL_JOIN_4(T, r0, r4), q = PL_JOIN_4(T, r1, r5), r = PL_JOIN_4(T, r2, r6), s = "
  "PL_JOIN_4(T, r3, r7); \\\n"
  "  const pl_lanes_##T t = PL_LOW(p, q), u = PL_LOW(r, s), v = PL_HIGH(p, q), w = PL_HIGH(r, s); \\\n"
  "  *(pl_lanes_##T *)(b0) = PL_EVEN(t, u); *(pl_lanes_##T *)(b1) = PL_ODD(t, u); \\\n"
  "  *(pl_lanes_##T *)(b2) = PL_EVEN(v, w); *(pl_lanes_##T *)(b3) = PL_ODD(v, w); } while (0)\n"
  "#define PL_IN_4_3X8(T, r0, r1, r2, r3, r4, r5, r6, r7, b0, b1, b2) do { \\\n"
  "  pl_lanes_##T dropped; PL_IN_4_4X8(T, r0, r1, r2, r3, r4, r5, r6, r7, b0, b1, b2, &dropped); } while "
  "(0)\n"
  "#define PL_OUT_4_4X8(T, s, b0, b1, b2, b3) \\\n"
  "  const pl_lanes_##T s##_t = PL_LOW(*(pl_lanes_##T *)(b0), *(pl_lanes_##T *)(b1)), s##_u = "
  "PL_LOW(*(pl_lanes_##T "
  "*)(b2), *(pl_lanes_##T *)(b3)), \\\n"
  "    s##_v = PL_HIGH(*(pl_lanes_##T *)(b0), *(pl_lanes_##T *)(b1)), s##_w = PL_HIGH(*(pl_lanes_##T *)(b2), "
  "*(pl_lanes_##T *)(b3)), \\\n"
  "    s##_0 = PL_EVEN(s##_t, s##_u), s##_1 = PL_ODD(s##_t, s##_u), s##_2 = PL_EVEN(s##_v, s##_w), s##_3 = "
  "PL_ODD(s##_v, s##_w)\n"
  "#define PL_IN_4_2X8(T, r0, r1, r2, r3, r4, r5, r6, r7, b0, b1) do { \\\n"
  "  const pl_lanes_##T p = __builtin_shufflevector(PL_JOIN_2(T, r0, r1), PL_JOIN_2(T, r2, r3), 0, 1, 2, 3, "
  "4, "
  "5, 6, 7); \\\n"
  "  const pl_lanes_##T q = __builtin_shufflevector(PL_JOIN_2(T, r4, r5), PL_JOIN_2(T, r6, r7), 0, 1, 2, 3, "
  "4, "
  "5, 6, 7); \\\n"
  "  *(pl_lanes_##T *)(b0) = __builtin_shufflevector(p, q, 0, 2, 4, 6, 8, 10, 12, 14); \\\n"
  "  *(pl_lanes_##T *)(b1) = __builtin_shufflevector(p, q, 1, 3, 5, 7, 9, 11, 13, 15); } while (0)\n"
  "#define PL_OUT_4_2X8(T, s, b0, b1) \\\n"
  "  const pl_lanes_##T s##_0 = __builtin_shufflevector(*(pl_lanes_##T *)(b0), *(pl_lanes_##T *)(b1), 0, 8, "
  "1, 9, 2, "
  "10, 3, 11); \\\n"
  "  const pl_lanes_##T s##_1 = __builtin_shufflevector(*(pl_lanes_##T *)(b0), *(pl_lanes_##T *)(b1), 4, 12, "
  "5, 13, "
  "6, 14, 7, 15)\n";

/* ---- what moves how ---- */

/* A way of moving: values of `size` bytes of `lanes` elements, `values` at once. IN may take one value less
 * than it loads. OUT leaves the piece of lane l in vector l % n at place l / n, or, if blocked, the other way
 * round. */
typedef struct move {
  int size, lanes, values, n;
  bool blocked;
} move;

static const move all_moves[] = {{8, 4, 4, 4, false}, {8, 4, 2, 2, false}, {8, 8, 4, 4, false},
                                 {8, 8, 2, 2, false}, {4, 4, 4, 4, false}, {4, 4, 2, 2, true},
                                 {4, 8, 4, 4, false}, {4, 8, 2, 4, true}};

/* Stores past the caches, of aligned vectors; gcc has one for each width, for others they are plain. */
static const char stream_words[] =
  "#ifdef __clang__\n"
  "#define PL_STREAM_32(T, p, v) __builtin_nontemporal_store(v, (pl_whole_##T *)(p))\n"
  "#define PL_STREAM_16(T, p, v) __builtin_nontemporal_store(v, (pl_half_##T *)(p))\n"
  "#elif defined(__AVX__)\n"
  "#define PL_STREAM_32(T, p, v) __builtin_ia32_movntps256((float *)(p), (pl_f8)(v))\n"
  "#else\n"
  "#define PL_STREAM_32(T, p, v) (*(pl_whole_##T *)(p) = (v))\n"
  "#endif\n"
  "#if !defined(__clang__) && defined(__SSE__)\n"
  "#define PL_STREAM_16(T, p, v) __builtin_ia32_movntps((float *)(p), (pl_f4)(v))\n"
  "#elif !defined(__clang__)\n"
  "#define PL_STREAM_16(T, p, v) (*(pl_half_##T *)(p) = (v))\n"
  "#endif\n"
  "#ifdef __SSE__\n#define PL_STREAM_END __builtin_ia32_sfence()\n#else\n#define PL_STREAM_END "
  "(void)0\n#endif\n"
  "typedef float pl_f4 __attribute__((vector_size(16))), pl_f8 __attribute__((vector_size(32)));\n";

bool pl_transposes(const pl_walk_state *w)
{
  return w->form >= PL_FORM_TRANSPOSE;
}

bool pl_streams(const pl_walk_state *w)
{
  return w->form == PL_FORM_STREAM || w->form == PL_FORM_WIDE_STREAM;
}

int pl_transpose_lanes(const pl_walk_state *w)
{
  if (w->form == PL_FORM_WIDE || w->form == PL_FORM_WIDE_STREAM) return 8;
  for (int i = 0; i < w->loop->nargs; i++)
    if (w->op[i].arg->kind == PL_ARG_DAT && !pl_op_off(&w->op[i]) && pl_type_size(w->op[i].type) == 8)
      return 4;
  return 8;
}

/* The way to move at most `values` of an operand's values at once, or NULL: one by one. */
static const move *find_move(const pl_operand *op, int values, int lanes)
{
  for (size_t i = 0; i < sizeof all_moves / sizeof *all_moves; i++) {
    const move *m = &all_moves[i];
    if (m->size == (int)pl_type_size(op->type) && m->lanes == lanes && m->values <= values) return m;
  }
  return NULL;
}

/* Values in the piece that starts at value c on the way in: one may be loaded in vain. 8-byte values enter in
 * pairs, which saves shuffles, but where records stand one behind the other fewer loads save more. */
static int piece_in(const pl_operand *op, int c, int lanes)
{
  int left = op->dim - c, size = (int)pl_type_size(op->type);
  if (!find_move(op, 2, lanes)) return 1;
  if (size == 8 && (op->arg->map || left < 4)) return left >= 2 ? 2 : 1;
  return left >= 4 ? 4 : left;
}

/* And on the way out. */
static int piece_out(const pl_operand *op, int c, int lanes)
{
  const move *m = find_move(op, op->dim - c, lanes);
  return m ? m->values : 1;
}

static bool moves_out(const pl_operand *op)
{
  return pl_op_buffered(op) && pl_op_scatters(op);
}

/* Whole pieces can be added or stored; MIN and MAX go value by value. */
static bool out_by_piece(const pl_operand *op, int c, int lanes)
{
  return op->arg->access != PL_MIN && op->arg->access != PL_MAX && piece_out(op, c, lanes) > 1;
}

static bool first_of_type(const pl_walk_state *w, int i)
{
  for (int j = 0; j < i; j++)
    if (w->op[j].type == w->op[i].type && pl_op_buffered(&w->op[j])) return false;
  return pl_op_buffered(&w->op[i]);
}

static bool uses_size(const pl_walk_state *w, size_t size)
{
  for (int i = 0; i < w->loop->nargs; i++)
    if (pl_op_buffered(&w->op[i]) && pl_type_size(w->op[i].type) == size) return true;
  return false;
}

static void print_type(const pl_walk_state *w, pl_text *text, const pl_operand *op, int lanes)
{
  const char *type = pl_op_type(op);
  bool guard = false;
  int size = (int)pl_type_size(op->type);
  pl_text_add(text, "typedef %s pl_lanes_%s __attribute__((vector_size(%d), may_alias));\n", type, type,
              size * lanes);
  if (pl_streams(w))
    pl_text_add(text,
                "typedef %s pl_half_%s __attribute__((vector_size(16), may_alias));\n"
                "typedef %s pl_whole_%s __attribute__((vector_size(32), may_alias));\n",
                type, type, type, type);
  if (find_move(op, 2, lanes)) pl_text_add(text, "PL_VECTORS_%dX%d(%s)\n", size, lanes, type);
  for (int i = 0; i < w->loop->nargs; i++)
    guard |= w->op[i].type == op->type && w->op[i].guard && pl_op_buffered(&w->op[i]);
  if (guard)
    pl_text_add(text, "static const %s pl_zero_%s[4]; /* instead of a target that is missing */\n", type,
                type);
}

void pl_print_moves(pl_text *text, size_t size, int lanes)
{
  if (size == 8) pl_text_add(text, "%s%s", moves_8x4, lanes == 8 ? moves_8x8 : "");
  if (size == 4) pl_text_add(text, "%s", lanes == 4 ? moves_4x4 : moves_4x8);
}

void pl_print_transpose_prelude(const pl_body *b)
{
  const pl_walk_state *w = b->w;
  int lanes = pl_transpose_lanes(w);
  if (pl_streams(w)) pl_text_add(b->text, "%s", stream_words);
  for (size_t size = 8; size >= 4; size -= 4)
    if (uses_size(w, size)) pl_print_moves(b->text, size, lanes);
  for (int i = 0; i < w->loop->nargs; i++)
    if (first_of_type(w, i)) print_type(w, b->text, &w->op[i], lanes);
  pl_text_add(b->text, "\n");
}

/* ---- printing ---- */

/* The target of entry k in lane l: "t1_0[2]", or "(pl_g + 2)". */
static const char *lane_target(const pl_operand *op, int k, int l, char *buffer)
{
  if (op->arg->map)
    snprintf(buffer, TARGET, "t%d_%d[%d]", op->map, op->all ? k : op->arg->index, l);
  else
    snprintf(buffer, TARGET, "(pl_g + %d)", l);
  return buffer;
}

/* Where value c behind target k in lane l goes: "d3[4 * t1_0[2] + 0]". */
static const char *place_to(const pl_operand *op, int k, int c, int l, char *buffer)
{
  char target[TARGET], value[16];
  snprintf(value, sizeof value, "%d", c);
  return pl_print_place(op, value, lane_target(op, k, l, target), buffer);
}

/* Where it comes from; a target that is missing is read as zeros. */
static const char *place_from(const pl_operand *op, int k, int c, int l, char *buffer)
{
  char target[TARGET], there[PL_PLACE];
  place_to(op, k, c, l, there);
  if (!op->guard)
    memcpy(buffer, there, PL_PLACE);
  else
    snprintf(buffer, PL_PLACE, "*(%s < 0 ? pl_zero_%s : &%.250s)", lane_target(op, k, l, target),
             pl_op_type(op), there);
  return buffer;
}

static void print_targets(const pl_body *b, int lanes)
{
  const pl_walk_state *w = b->w;
  for (int i = 0; i < w->loop->nargs; i++) {
    const pl_operand *op = &w->op[i];
    if (op->map < 0 || pl_op_off(op)) continue;
    int first = op->all ? 0 : op->arg->index, arity = op->arg->map->arity;
    for (int k = first; k < first + op->targets; k++) {
      if (pl_target_printed(w, i, k)) continue;
      pl_text_add(b->text, "%*sconst ptrdiff_t t%d_%d[%d] = {", 2 * b->depth, "", op->map, k, lanes);
      for (int l = 0; l < lanes; l++)
        pl_text_add(b->text, "%sm%d[%d * (pl_g + %d) + %d]", l ? ", " : "", op->map, arity, l, k);
      pl_text_add(b->text, "};\n");
    }
  }
}

/* p values of every lane into p lane buffers, each written whole: a vector that is stored in parts and loaded
 * whole waits for the parts to reach the cache. */
static void print_in(const pl_body *b, const pl_operand *op, int k, int c, int p, int lanes)
{
  char place[PL_PLACE];
  int size = (int)pl_type_size(op->type);
  if (p > 1) {
    pl_text_add(b->text, "%*sPL_IN_%d_%dX%d(%s", 2 * b->depth, "", size, p, lanes, pl_op_type(op));
    for (int l = 0; l < lanes; l++) pl_text_add(b->text, ", &%s", place_from(op, k, c, l, place));
    for (int v = c; v < c + p; v++) pl_text_add(b->text, ", b%d_%d[%d]", op->i, k, v);
    pl_text_add(b->text, ");\n");
    return;
  }
  pl_text_add(b->text, "%*s*(pl_lanes_%s *)b%d_%d[%d] = (pl_lanes_%s){", 2 * b->depth, "", pl_op_type(op),
              op->i, k, c, pl_op_type(op));
  for (int l = 0; l < lanes; l++) pl_text_add(b->text, "%s%s", l ? ", " : "", place_from(op, k, c, l, place));
  pl_text_add(b->text, "};\n");
}

static void print_all_in(const pl_body *b, int lanes)
{
  const pl_walk_state *w = b->w;
  for (int i = 0; i < w->loop->nargs; i++) {
    const pl_operand *op = &w->op[i];
    for (int k = 0; pl_op_buffered(op) && k < op->targets; k++) {
      pl_line(b, "%s b%d_%d[%d][%d] __attribute__((aligned(%d)));", pl_op_type(op), i, k, op->dim, lanes,
              lanes == 8 && pl_type_size(op->type) == 8 ? 64 : 32);
      for (int c = 0, p; op->gathers && c < op->dim; c += p) {
        p = piece_in(op, c, lanes);
        print_in(b, op, k, c, p, lanes);
      }
    }
  }
}

/* Pieces transposed back, before any lane is stored. */
static void print_all_out(const pl_body *b, int lanes)
{
  const pl_walk_state *w = b->w;
  for (int i = 0; i < w->loop->nargs; i++) {
    const pl_operand *op = &w->op[i];
    for (int k = 0; moves_out(op) && k < op->targets; k++)
      for (int c = 0, p; c < op->dim; c += p) {
        p = piece_out(op, c, lanes);
        if (!out_by_piece(op, c, lanes)) continue;
        pl_text_add(b->text, "%*sPL_OUT_%d_%dX%d(%s, s%d_%d_%d", 2 * b->depth, "",
                    (int)pl_type_size(op->type), p, lanes, pl_op_type(op), i, k, c);
        for (int v = c; v < c + p; v++) pl_text_add(b->text, ", b%d_%d[%d]", i, k, v);
        pl_text_add(b->text, ");\n");
      }
  }
}

/* The piece of lane l among the vectors that print_all_out left: "__builtin_shufflevector(...)". */
static void print_piece(pl_text *text, const pl_operand *op, int k, int c, int p, int l, int lanes)
{
  const move *m = find_move(op, p, lanes);
  int vector = m->blocked ? l / m->n : l % m->n, at = p * (m->blocked ? l % m->n : l / m->n);
  pl_text_add(text, "__builtin_shufflevector(s%d_%d_%d_%d, s%d_%d_%d_%d", op->i, k, c, vector, op->i, k, c,
              vector);
  for (int v = 0; v < p; v++) pl_text_add(text, ", %d", at + v);
  pl_text_add(text, ")");
}

/* Lane l's record is named r1_0_2 where it goes out in several pieces, so that its place is computed once. */
static bool names_record(const pl_operand *op, int lanes)
{
  return piece_out(op, 0, lanes) < op->dim;
}

static const char *record_place(const pl_operand *op, int k, int c, int l, int lanes, char *buffer)
{
  if (!names_record(op, lanes)) return place_to(op, k, c, l, buffer);
  snprintf(buffer, PL_PLACE, "r%d_%d_%d[%d]", op->i, k, l, c);
  return buffer;
}

static void print_piece_store(const pl_body *b, const pl_operand *op, int k, int c, int p, int l, int lanes)
{
  char place[PL_PLACE];
  int bytes = p * (int)pl_type_size(op->type);
  bool stream = pl_streams(b->w) && pl_arg_streams(op->arg);
  record_place(op, k, c, l, lanes, place);
  if (stream)
    pl_text_add(b->text, "%*sPL_STREAM_%d(%s, &%s, ", 2 * b->depth, "", bytes, pl_op_type(op), place);
  else
    pl_text_add(b->text, "%*s*(pl_p%d_%s *)&%s %s ", 2 * b->depth, "", p, pl_op_type(op), place,
                op->arg->access == PL_INC ? "+=" : "=");
  print_piece(b->text, op, k, c, p, l, lanes);
  pl_text_add(b->text, "%s;\n", stream ? ")" : "");
}

/* What lane l holds for target k goes to its dat. */
static void print_store(const pl_body *b, const pl_operand *op, int k, int l, int lanes)
{
  char place[PL_PLACE], value[PL_PLACE];
  if (names_record(op, lanes))
    pl_line(b, "%s *const r%d_%d_%d = &%s;", pl_op_type(op), op->i, k, l, place_to(op, k, 0, l, place));
  for (int c = 0, p; c < op->dim; c += p) {
    p = piece_out(op, c, lanes);
    if (out_by_piece(op, c, lanes)) {
      print_piece_store(b, op, k, c, p, l, lanes);
      continue;
    }
    for (int v = c; v < c + p; v++) {
      snprintf(value, sizeof value, "b%d_%d[%d][%d]", op->i, k, v, l);
      pl_print_combine(b, op, record_place(op, k, v, l, lanes, place), value);
    }
  }
}

static void print_guarded_store(const pl_body *b, const pl_operand *op, int k, int l, int lanes)
{
  char target[TARGET];
  pl_body inner = pl_deeper(b);
  pl_line(b, "if (%s >= 0) {", lane_target(op, k, l, target));
  print_store(&inner, op, k, l, lanes);
  pl_line(b, "}");
}

/* Records go out lane by lane, so two lanes may share a target. */
static void print_stores(const pl_body *b, int lanes)
{
  const pl_walk_state *w = b->w;
  for (int l = 0; l < lanes; l++)
    for (int i = 0; i < w->loop->nargs; i++) {
      const pl_operand *op = &w->op[i];
      for (int k = 0; moves_out(op) && k < op->targets; k++)
        (op->guard ? print_guarded_store : print_store)(b, op, k, l, lanes);
    }
}

void pl_print_transpose(const pl_body *b)
{
  int lanes = pl_transpose_lanes(b->w);
  pl_body group = *b, lane = *b;
  group.depth += 1;
  lane.depth += 2;
  lane.lanes = lane.buffered = true;
  pl_line(b, "for (; pl_n + %d <= pl_end; pl_n += %d) {", lanes, lanes);
  pl_line(&group, "const ptrdiff_t pl_g = pl_n; /* places are computed in the width of pointers */");
  print_targets(&group, lanes);
  print_all_in(&group, lanes);
  pl_line(&group, "PL_LANES");
  pl_line(&group, "for (int pl_l = 0; pl_l < PL_COUNT(%d); pl_l++) {", lanes);
  pl_line(&lane, "const int pl_e = pl_n + pl_l;");
  pl_line(&lane, "(void)pl_e;");
  pl_body_gather(&lane);
  pl_body_call(&lane);
  pl_body_scatter(&lane);
  pl_body_reduce(&lane);
  pl_line(&group, "}");
  print_all_out(&group, lanes);
  print_stores(&group, lanes);
  pl_line(b, "}");
}

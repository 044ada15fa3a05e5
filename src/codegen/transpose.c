/* SPDX-License-Identifier: BSD-2-Clause
 * The transposed form. Names in the text: t0_1[l] is target 1 of map 0 in lane l; b3_1[c][l] the lane buffer
 * of argument 3's target 1; s3_1_0_* its values 0 onwards, transposed back.
 *
 * A record moves in pieces of 16 bytes (then 8, of 4-byte values), the rest value by value. Generic vectors
 * and
 * __builtin_shufflevector serve gcc (from 12) and clang alike.
 */
#include "transpose.h"

/* ---- moves, as macros of the text ----
 *
 * IN: the records r0, r1, ... of n lanes become the lane buffers b0, b1, ... of p values. OUT: the way back,
 * into vectors s_0, s_1, ... that each hold two lanes' pieces (2X4: lanes i and i + 2; 4X8: i and i + 4) or,
 * for 2X8, four pairs. Two records enter as halves of a longer vector, so that one half is loaded in place.
 */
static const char moves_8[] =
  "#define PL_VECTORS_8(T) \\\n"
  "  typedef T pl_v2_##T __attribute__((vector_size(16), aligned(8), may_alias)); \\\n"
  "  typedef T pl_v4_##T __attribute__((vector_size(32), may_alias));\n"
  "#define PL_IN_2X4(T, r0, r1, r2, r3, b0, b1) do { \\\n"
  "  const pl_v4_##T p = __builtin_shufflevector(*(const pl_v2_##T *)(r0), *(const pl_v2_##T *)(r2), 0, 1, "
  "2, 3); \\\n"
  "  const pl_v4_##T q = __builtin_shufflevector(*(const pl_v2_##T *)(r1), *(const pl_v2_##T *)(r3), 0, 1, "
  "2, 3); \\\n"
  "  *(pl_v4_##T *)(b0) = __builtin_shufflevector(p, q, 0, 4, 2, 6); \\\n"
  "  *(pl_v4_##T *)(b1) = __builtin_shufflevector(p, q, 1, 5, 3, 7); } while (0)\n"
  "#define PL_OUT_2X4(T, s, b0, b1) \\\n"
  "  const pl_v4_##T s##_0 = __builtin_shufflevector(*(pl_v4_##T *)(b0), *(pl_v4_##T *)(b1), 0, 4, 2, 6); "
  "\\\n"
  "  const pl_v4_##T s##_1 = __builtin_shufflevector(*(pl_v4_##T *)(b0), *(pl_v4_##T *)(b1), 1, 5, 3, 7)\n";

static const char moves_4[] =
  "#define PL_VECTORS_4(T) \\\n"
  "  typedef T pl_v2_##T __attribute__((vector_size(8), aligned(4), may_alias)); \\\n"
  "  typedef T pl_v4_##T __attribute__((vector_size(16), aligned(4), may_alias)); \\\n"
  "  typedef T pl_v8_##T __attribute__((vector_size(32), may_alias));\n"
  "#define PL_JOIN_4(T, r, s) __builtin_shufflevector(*(const pl_v4_##T *)(r), *(const pl_v4_##T *)(s), 0, "
  "1, 2, 3, 4, 5, 6, 7)\n"
  "#define PL_JOIN_2(T, r, s) __builtin_shufflevector(*(const pl_v2_##T *)(r), *(const pl_v2_##T *)(s), 0, "
  "1, 2, 3)\n"
  "#define PL_LOW(v, w) __builtin_shufflevector(v, w, 0, 8, 1, 9, 4, 12, 5, 13)\n"
  "#define PL_HIGH(v, w) __builtin_shufflevector(v, w, 2, 10, 3, 11, 6, 14, 7, 15)\n"
  "#define PL_EVEN(v, w) __builtin_shufflevector(v, w, 0, 1, 8, 9, 4, 5, 12, 13)\n"
  "#define PL_ODD(v, w) __builtin_shufflevector(v, w, 2, 3, 10, 11, 6, 7, 14, 15)\n"
  "#define PL_IN_4X8(T, r0, r1, r2, r3, r4, r5, r6, r7, b0, b1, b2, b3) do { \\\n"
  "  const pl_v8_##T p = PL_JOIN_4(T, r0, r4), q = PL_JOIN_4(T, r1, r5), r = PL_JOIN_4(T, r2, r6), s = "
  "PL_JOIN_4(T, r3, r7); \\\n"
  "  const pl_v8_##T t = PL_LOW(p, q), u = PL_LOW(r, s), v = PL_HIGH(p, q), w = PL_HIGH(r, s); \\\n"
  "  *(pl_v8_##T *)(b0) = PL_EVEN(t, u); *(pl_v8_##T *)(b1) = PL_ODD(t, u); \\\n"
  "  *(pl_v8_##T *)(b2) = PL_EVEN(v, w); *(pl_v8_##T *)(b3) = PL_ODD(v, w); } while (0)\n"
  "#define PL_OUT_4X8(T, s, b0, b1, b2, b3) \\\n"
  "  const pl_v8_##T s##_t = PL_LOW(*(pl_v8_##T *)(b0), *(pl_v8_##T *)(b1)), s##_u = PL_LOW(*(pl_v8_##T "
  "*)(b2), *(pl_v8_##T *)(b3)), \\\n"
  "    s##_v = PL_HIGH(*(pl_v8_##T *)(b0), *(pl_v8_##T *)(b1)), s##_w = PL_HIGH(*(pl_v8_##T *)(b2), "
  "*(pl_v8_##T *)(b3)), \\\n"
  "    s##_0 = PL_EVEN(s##_t, s##_u), s##_1 = PL_ODD(s##_t, s##_u), s##_2 = PL_EVEN(s##_v, s##_w), s##_3 = "
  "PL_ODD(s##_v, s##_w)\n"
  "#define PL_IN_2X8(T, r0, r1, r2, r3, r4, r5, r6, r7, b0, b1) do { \\\n"
  "  const pl_v8_##T p = __builtin_shufflevector(PL_JOIN_2(T, r0, r1), PL_JOIN_2(T, r2, r3), 0, 1, 2, 3, 4, "
  "5, 6, 7); \\\n"
  "  const pl_v8_##T q = __builtin_shufflevector(PL_JOIN_2(T, r4, r5), PL_JOIN_2(T, r6, r7), 0, 1, 2, 3, 4, "
  "5, 6, 7); \\\n"
  "  *(pl_v8_##T *)(b0) = __builtin_shufflevector(p, q, 0, 2, 4, 6, 8, 10, 12, 14); \\\n"
  "  *(pl_v8_##T *)(b1) = __builtin_shufflevector(p, q, 1, 3, 5, 7, 9, 11, 13, 15); } while (0)\n"
  "#define PL_OUT_2X8(T, s, b0, b1) \\\n"
  "  const pl_v8_##T s##_0 = __builtin_shufflevector(*(pl_v8_##T *)(b0), *(pl_v8_##T *)(b1), 0, 8, 1, 9, 2, "
  "10, 3, 11); \\\n"
  "  const pl_v8_##T s##_1 = __builtin_shufflevector(*(pl_v8_##T *)(b0), *(pl_v8_##T *)(b1), 4, 12, 5, 13, "
  "6, 14, 7, 15)\n";

/* ---- what moves how ---- */

int pl_transpose_lanes(const pl_walk_state *w)
{
  for (int i = 0; i < w->loop->nargs; i++)
    if (w->op[i].arg->kind == PL_ARG_DAT && !pl_op_off(&w->op[i]) && pl_type_size(w->op[i].type) == 8)
      return 4;
  return 8;
}

/* Lane count of a type's own vectors: 32 bytes hold a value of each lane. */
static bool fills_vector(const pl_operand *op, int lanes)
{
  return pl_type_size(op->type) * (size_t)lanes == 32;
}

/* Values in the piece that starts at value c. */
static int piece(const pl_operand *op, int c, int lanes)
{
  int left = op->dim - c;
  if (!fills_vector(op, lanes)) return 1;
  if (lanes == 4) return left >= 2 ? 2 : 1;
  return left >= 4 ? 4 : left >= 2 ? 2 : 1;
}

static bool moves_out(const pl_operand *op)
{
  return pl_op_buffered(op) && pl_op_scatters(op);
}

/* Whole pieces can be added or stored; MIN and MAX go value by value. */
static bool out_by_piece(const pl_operand *op, int c, int lanes)
{
  return op->arg->access != PL_MIN && op->arg->access != PL_MAX && piece(op, c, lanes) > 1;
}

void pl_print_transpose_prelude(const pl_body *b)
{
  const pl_walk_state *w = b->w;
  int lanes = pl_transpose_lanes(w);
  pl_text_add(b->text, "%s", lanes == 4 ? moves_8 : moves_4);
  for (int i = 0; i < w->loop->nargs; i++) {
    bool first = pl_op_buffered(&w->op[i]) && fills_vector(&w->op[i], lanes);
    for (int j = 0; j < i && first; j++) first = !pl_op_buffered(&w->op[j]) || w->op[j].type != w->op[i].type;
    if (first) pl_text_add(b->text, "PL_VECTORS_%d(%s)\n", lanes == 4 ? 8 : 4, pl_op_type(&w->op[i]));
  }
  pl_text_add(b->text, "\n");
}

/* ---- printing ---- */

/* The place of value c behind target k in lane l: "d3[4 * t1_0[2] + 0]". */
static const char *lane_place(const pl_operand *op, int k, int c, int l, char *buffer)
{
  char target[48], value[16];
  if (op->arg->map)
    snprintf(target, sizeof target, "t%d_%d[%d]", op->map, op->all ? k : op->arg->index, l);
  else
    snprintf(target, sizeof target, "(pl_n + %d)", l);
  snprintf(value, sizeof value, "%d", c);
  return pl_print_place(op, value, target, buffer);
}

static void print_targets(const pl_body *b, int lanes)
{
  const pl_walk_state *w = b->w;
  for (int i = 0; i < w->loop->nargs; i++) {
    const pl_operand *op = &w->op[i];
    if (op->map < 0 || pl_op_off(op)) continue;
    int first = op->all ? 0 : op->arg->index, arity = op->arg->map->arity;
    const char *wide = (int64_t)op->arg->map->from->part[3] * arity > INT32_MAX ? "(int64_t)" : "";
    for (int k = first; k < first + op->targets; k++) {
      if (pl_target_printed(w, i, k)) continue;
      pl_text_add(b->text, "%*sconst int t%d_%d[%d] = {", 2 * b->depth, "", op->map, k, lanes);
      for (int l = 0; l < lanes; l++)
        pl_text_add(b->text, "%sm%d[%d * %s(pl_n + %d) + %d]", l ? ", " : "", op->map, arity, wide, l, k);
      pl_text_add(b->text, "};\n");
    }
  }
}

/* p values of every lane into p lane buffers. */
static void print_in(const pl_body *b, const pl_operand *op, int k, int c, int p, int lanes)
{
  char place[PL_PLACE];
  if (p > 1) {
    pl_text_add(b->text, "%*sPL_IN_%dX%d(%s", 2 * b->depth, "", p, lanes, pl_op_type(op));
    for (int l = 0; l < lanes; l++) pl_text_add(b->text, ", &%s", lane_place(op, k, c, l, place));
    for (int v = c; v < c + p; v++) pl_text_add(b->text, ", b%d_%d[%d]", op->i, k, v);
    pl_text_add(b->text, ");\n");
  } else if (fills_vector(op, lanes)) {
    pl_text_add(b->text, "%*s*(pl_v%d_%s *)b%d_%d[%d] = (pl_v%d_%s){", 2 * b->depth, "", lanes,
                pl_op_type(op), op->i, k, c, lanes, pl_op_type(op));
    for (int l = 0; l < lanes; l++)
      pl_text_add(b->text, "%s%s", l ? ", " : "", lane_place(op, k, c, l, place));
    pl_text_add(b->text, "};\n");
  } else {
    for (int l = 0; l < lanes; l++)
      pl_line(b, "b%d_%d[%d][%d] = %s;", op->i, k, c, l, lane_place(op, k, c, l, place));
  }
}

static void print_all_in(const pl_body *b, int lanes)
{
  const pl_walk_state *w = b->w;
  for (int i = 0; i < w->loop->nargs; i++) {
    const pl_operand *op = &w->op[i];
    for (int k = 0; pl_op_buffered(op) && k < op->targets; k++) {
      pl_line(b, "%s b%d_%d[%d][%d] __attribute__((aligned(32)));", pl_op_type(op), i, k, op->dim, lanes);
      for (int c = 0, p; op->gathers && c < op->dim; c += p) {
        p = piece(op, c, lanes);
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
        p = piece(op, c, lanes);
        if (!out_by_piece(op, c, lanes)) continue;
        pl_text_add(b->text, "%*sPL_OUT_%dX%d(%s, s%d_%d_%d", 2 * b->depth, "", p, lanes, pl_op_type(op), i,
                    k, c);
        for (int v = c; v < c + p; v++) pl_text_add(b->text, ", b%d_%d[%d]", i, k, v);
        pl_text_add(b->text, ");\n");
      }
  }
}

/* The piece of lane l among the vectors that print_all_out left. */
static void print_piece_store(const pl_body *b, const pl_operand *op, int k, int c, int p, int l, int lanes)
{
  char place[PL_PLACE];
  int per = p == 2 && lanes == 8 ? 4 : lanes / 2; /* lanes l, l + per (2X4, 4X8), or 4 pairs a vector (2X8) */
  int vector = p == 2 && lanes == 8 ? l / per : l % per, at = p * (p == 2 && lanes == 8 ? l % per : l / per);
  pl_text_add(b->text, "%*s*(pl_v%d_%s *)&%s %s __builtin_shufflevector(s%d_%d_%d_%d, s%d_%d_%d_%d",
              2 * b->depth, "", p, pl_op_type(op), lane_place(op, k, c, l, place),
              op->arg->access == PL_INC ? "+=" : "=", op->i, k, c, vector, op->i, k, c, vector);
  for (int v = 0; v < p; v++) pl_text_add(b->text, ", %d", at + v);
  pl_text_add(b->text, ");\n");
}

/* Records go out lane by lane, so two lanes may share a target. */
static void print_stores(const pl_body *b, int lanes)
{
  const pl_walk_state *w = b->w;
  char place[PL_PLACE], value[PL_PLACE];
  for (int l = 0; l < lanes; l++)
    for (int i = 0; i < w->loop->nargs; i++) {
      const pl_operand *op = &w->op[i];
      for (int k = 0; moves_out(op) && k < op->targets; k++)
        for (int c = 0, p; c < op->dim; c += p) {
          p = piece(op, c, lanes);
          if (out_by_piece(op, c, lanes)) {
            print_piece_store(b, op, k, c, p, l, lanes);
            continue;
          }
          for (int v = c; v < c + p; v++) {
            snprintf(value, sizeof value, "b%d_%d[%d][%d]", i, k, v, l);
            pl_print_combine(b, op, lane_place(op, k, v, l, place), value);
          }
        }
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

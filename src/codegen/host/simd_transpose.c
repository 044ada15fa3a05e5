/* SPDX-License-Identifier: BSD-2-Clause
 * The transposed form. A record moves in pieces of 16 bytes (then 8, of 4-byte values), the rest value by
 * value. Generic vectors and __builtin_shufflevector serve gcc (from 12) and clang alike.
 */
#include "simd_transpose.h"
#include "simd_form.h"
#include "codegen/element/element_body.h"

/* ---- moves ---- */

/* Macros of the text (codegen/templates). PL_IN: the records of n lanes become lane buffers. PL_OUT: the way
 * back, into vectors that each hold the pieces of one lane or more. */
extern const char pl_template_simd_8x4_host[], pl_template_simd_8x8_host[], pl_template_simd_4x4_host[],
  pl_template_simd_4x8_host[], pl_template_simd_stream_host[];

/* A way of moving: values of `size` bytes of `lanes` elements, `values` at once. IN may drop one
 * value of those that it loads (core/context/memory.h leaves space behind the last record). OUT leaves the
 * piece of lane l in vector l % n at place l / n, or, if blocked, the other way round. */
typedef struct move {
  int size, lanes, values, n;
  bool blocked;
} move;

static const move all_moves[] = {{8, 4, 4, 4, false}, {8, 4, 2, 2, false}, {8, 8, 4, 4, false},
                                 {8, 8, 2, 2, false}, {4, 4, 4, 4, false}, {4, 4, 2, 2, true},
                                 {4, 8, 4, 4, false}, {4, 8, 2, 4, true}};

bool pl_transposes(const pl_emitter *e)
{
  return e->form >= PL_FORM_TRANSPOSE;
}

bool pl_streams(const pl_emitter *e)
{
  return e->form == PL_FORM_STREAM || e->form == PL_FORM_WIDE_STREAM;
}

int pl_transpose_lanes(const pl_emitter *e)
{
  if (e->form == PL_FORM_WIDE || e->form == PL_FORM_WIDE_STREAM) return 8;
  for (const pl_operand *op = e->op; op < e->end; op++)
    if (pl_arg_is_record(op->arg) && !op->arg->off && pl_type_size(op->type) == 8) return 4;
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

static bool is_wrapped(const pl_operand *op)
{
  return pl_arg_is_record(op->arg) && ((const pl_dat *)op->arg->object)->storage.wrapped;
}

/* Values in the piece that starts at value c on the way in: one may be loaded in vain. 8-byte values enter in
 * pairs, which saves shuffles, but where records stand one behind the other fewer loads save more. */
static int piece_in(const pl_operand *op, int c, int lanes)
{
  int left = op->dim - c, size = (int)pl_type_size(op->type);
  if (left == 3 && is_wrapped(op))
    return find_move(op, 2, lanes) ? 2 : 1; /* nothing may be behind the last */
  if (!find_move(op, 2, lanes)) return 1;
  if (size == 8 && (op->arg->map || left < 4)) return left >= 2 ? 2 : 1;
  return left >= 4 ? 4 : left;
}

/* And on the way out. MIN and MAX go value by value. */
static int piece_out(const pl_operand *op, int c, int lanes)
{
  bool whole = op->arg->access != PL_MIN && op->arg->access != PL_MAX;
  const move *m = whole ? find_move(op, op->dim - c, lanes) : NULL;
  return m ? m->values : 1;
}

static bool moves_out(const pl_operand *op)
{
  return pl_operand_buffered(op) && pl_operand_scatters(op);
}

static bool first_of_type(const pl_emitter *e, const pl_operand *op)
{
  for (const pl_operand *before = e->op; before < op; before++)
    if (before->type == op->type && pl_operand_buffered(before)) return false;
  return pl_operand_buffered(op);
}

static bool uses_size(const pl_emitter *e, size_t size)
{
  for (const pl_operand *op = e->op; op < e->end; op++)
    if (pl_operand_buffered(op) && pl_type_size(op->type) == size) return true;
  return false;
}

void pl_print_lane_type(pl_string *text, pl_type type, int lanes)
{
  const char *name = pl_type_name(type);
  int size = (int)pl_type_size(type);
  pl_string_add(text, "typedef %s pl_lanes_%s __attribute__((vector_size(%d), may_alias));\n", name, name,
                size * lanes);
  if (size >= 4) pl_string_add(text, "PL_VECTORS_%dX%d(%s)\n", size, lanes, name);
}

static void print_type(const pl_emitter *e, pl_string *text, const pl_operand *op, int lanes)
{
  const char *type = pl_operand_type(op);
  bool guard = false;
  pl_print_lane_type(text, op->type, lanes);
  if (pl_streams(e)) pl_string_add(text, "PL_STREAM_TYPES(%s)\n", type);
  for (int i = 0; i < e->loop->nargs; i++)
    guard |= e->op[i].type == op->type && e->op[i].guard && pl_operand_buffered(&e->op[i]);
  if (guard)
    pl_string_add(text, "static const %s pl_zero_%s[4]; /* instead of a target that is missing */\n", type,
                  type);
}

void pl_print_moves(pl_string *text, size_t size, int lanes)
{
  if (size == 8)
    pl_string_add(text, "%s%s", pl_template_simd_8x4_host, lanes == 8 ? pl_template_simd_8x8_host : "");
  if (size == 4)
    pl_string_add(text, "%s", lanes == 4 ? pl_template_simd_4x4_host : pl_template_simd_4x8_host);
}

void pl_print_transpose_prelude(const pl_body *b)
{
  const pl_emitter *e = b->e;
  int lanes = e->lanes;
  if (pl_streams(e)) pl_string_add(b->text, "%s", pl_template_simd_stream_host);
  for (size_t size = 8; size >= 4; size -= 4)
    if (uses_size(e, size)) pl_print_moves(b->text, size, lanes);
  for (const pl_operand *op = e->op; op < e->end; op++)
    if (first_of_type(e, op)) print_type(e, b->text, op, lanes);
  pl_string_add(b->text, "\n");
}

/* ---- printing ---- */

/* The target of entry k in lane l: "target1_0[2]", or "(pl_g + 2)". */
static pl_text lane_target(const pl_operand *op, int k, int l)
{
  return op->arg->map ? pl_text_of("target%d_%d[%d]", op->map, op->index + k, l)
                      : pl_text_of("(pl_g + %d)", l);
}

/* The record behind target k in lane l: "dat_q[4 * target1_0[2] + 0]". */
static pl_place lane_record(const pl_operand *op, int k, int l)
{
  return pl_dat_place(op, lane_target(op, k, l).s);
}

/* The same where it is read: a target that is missing is read as zeros. */
static pl_place lane_source(const pl_operand *op, int k, int l)
{
  const pl_text or_zero =
    pl_text_of("*(%s < 0 ? pl_zero_%s : &", lane_target(op, k, l).s, pl_operand_type(op));
  return op->guard ? pl_read_as(lane_record(op, k, l), or_zero.s, ")") : lane_record(op, k, l);
}

void pl_transpose_targets(const pl_body *b)
{
  int lanes = b->e->lanes;
  for (const pl_operand *op = b->e->op; op < b->e->end; op++) {
    if (op->map < 0 || op->arg->off) continue;
    const int arity = op->arg->map->arity;
    for (int k = op->index; k < op->index + op->targets; k++) {
      if (pl_target_printed(b->e, op->i, k)) continue;
      pl_string_add(b->text, "%*sconst ptrdiff_t target%d_%d[%d] = {", 2 * b->depth, "", op->map, k, lanes);
      for (int l = 0; l < lanes; l++)
        pl_string_add(b->text, "%smap%d[%d * (pl_g + %d) + %d]", l ? ", " : "", op->map, arity, l, k);
      pl_string_add(b->text, "};\n");
    }
  }
}

/* The last arguments of a move: values c to c + p - 1 of a lane buffer. */
static void print_buffers(const pl_body *b, const pl_operand *op, int k, int c, int p)
{
  const pl_text buffer = pl_name_of_target("lanes", op, k);
  for (int v = c; v < c + p; v++) pl_string_add(b->text, ", %s[%d]", buffer.s, v);
  pl_string_add(b->text, ");\n");
}

/* p values of every lane into p lane buffers, each written whole: a vector that is stored in parts and loaded
 * whole waits for the parts to reach the cache. */
static void print_in(const pl_body *b, const pl_operand *op, int k, int c, int p, int lanes)
{
  const char *type = pl_operand_type(op);
  if (p > 1)
    pl_string_add(b->text, "%*sPL_IN_%d_%dX%d(%s", 2 * b->depth, "", (int)pl_type_size(op->type), p, lanes,
                  type);
  else
    pl_string_add(b->text, "%*s*(pl_lanes_%s *)%s[%d] = (pl_lanes_%s){", 2 * b->depth, "", type,
                  pl_name_of_target("lanes", op, k).s, c, type);
  for (int l = 0; l < lanes; l++) {
    const pl_text from = pl_value_number(lane_source(op, k, l), c);
    pl_string_add(b->text, "%s%s", p > 1 ? ", &" : l ? ", " : "", from.s);
  }
  if (p > 1)
    print_buffers(b, op, k, c, p);
  else
    pl_string_add(b->text, "};\n");
}

void pl_transpose_in(const pl_body *b)
{
  int lanes = b->e->lanes;
  for (const pl_operand *op = b->e->op; op < b->e->end; op++)
    for (int k = 0; pl_operand_buffered(op) && k < op->targets; k++) {
      pl_line(b, "%s %s[%d][%d] __attribute__((aligned(%d)));", pl_operand_type(op),
              pl_name_of_target("lanes", op, k).s, op->dim, lanes,
              lanes == 8 && pl_type_size(op->type) == 8 ? 64 : 32);
      for (int c = 0, p; op->loads && c < op->dim; c += p) {
        p = piece_in(op, c, lanes);
        print_in(b, op, k, c, p, lanes);
      }
    }
}

void pl_transpose_out(const pl_body *b)
{
  int lanes = b->e->lanes;
  for (const pl_operand *op = b->e->op; op < b->e->end; op++)
    for (int k = 0; moves_out(op) && k < op->targets; k++)
      for (int c = 0, p; c < op->dim; c += p) {
        p = piece_out(op, c, lanes);
        if (p == 1) continue;
        pl_string_add(b->text, "%*sPL_OUT_%d_%dX%d(%s, %s_%d", 2 * b->depth, "", (int)pl_type_size(op->type),
                      p, lanes, pl_operand_type(op), pl_name_of_target("out", op, k).s, c);
        print_buffers(b, op, k, c, p);
      }
}

/* The piece of lane l among the vectors that pl_transpose_out left goes to record[c]. */
static void print_piece(const pl_body *b, const pl_operand *op, int k, int c, int p, int l, int lanes)
{
  const move *m = find_move(op, p, lanes);
  int vector = m->blocked ? l / m->n : l % m->n, at = p * (m->blocked ? l % m->n : l / m->n);
  const pl_text out = pl_name_of_target("out", op, k);
  bool stream = pl_streams(b->e) && pl_arg_streams(op->arg);
  const char *type = pl_operand_type(op), *add = op->arg->access == PL_INC ? "+=" : "=";
  if (stream)
    pl_string_add(b->text, "%*sPL_STREAM_%d(%s, &pl_to[%d], ", 2 * b->depth, "", p * m->size, type, c);
  else
    pl_string_add(b->text, "%*s*(pl_p%d_%s *)&pl_to[%d] %s ", 2 * b->depth, "", p, type, c, add);
  pl_string_add(b->text, "__builtin_shufflevector(%s_%d_%d, %s_%d_%d", out.s, c, vector, out.s, c, vector);
  for (int v = 0; v < p; v++) pl_string_add(b->text, ", %d", at + v);
  pl_string_add(b->text, stream ? "));\n" : ");\n");
}

/* What lane l holds for target k goes to its dat. */
static void print_store(const pl_body *b, const pl_operand *op, int k, int l, int lanes)
{
  const pl_place record = pl_place_of(PL_ARRAY, "pl_to"),
                 lane = pl_record_at(pl_place_of(PL_LANES, "%s", pl_name_of_target("lanes", op, k).s),
                                     pl_text_of("%d", l).s);
  pl_body in = pl_deeper(b);
  if (op->guard)
    pl_line(b, "if (%s >= 0) {", lane_target(op, k, l).s);
  else
    pl_line(b, "{");
  pl_line(&in, "%s *const pl_to = &%s;", pl_operand_type(op), pl_value_number(lane_record(op, k, l), 0).s);
  for (int c = 0, p; c < op->dim; c += p) {
    p = piece_out(op, c, lanes);
    if (p > 1)
      print_piece(&in, op, k, c, p, l, lanes);
    else
      pl_print_combine(&in, op, pl_value_number(record, c).s, pl_value_number(lane, c).s);
  }
  pl_line(b, "}");
}

void pl_transpose_store(const pl_body *b)
{
  int lanes = b->e->lanes;
  for (int l = 0; l < lanes; l++)
    for (const pl_operand *op = b->e->op; op < b->e->end; op++)
      for (int k = 0; moves_out(op) && k < op->targets; k++) print_store(b, op, k, l, lanes);
}

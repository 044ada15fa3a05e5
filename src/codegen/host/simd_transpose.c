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
  pl_template_simd_4x8_host[], pl_template_simd_4x16_host[], pl_template_simd_stream_host[];

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
  if (e->form == PL_FORM_WIDE || e->form == PL_FORM_WIDE_STREAM || e->form == PL_FORM_VECTOR) return 8;
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
 * pairs, which saves shuffles, but where records stand one behind the other, and with 8 lanes, fewer loads
 * save more. */
static int piece_in(const pl_operand *op, int c, int lanes)
{
  int left = op->dim - c, size = (int)pl_type_size(op->type);
  if (left == 3 && is_wrapped(op))
    return find_move(op, 2, lanes) ? 2 : 1; /* nothing may be behind the last */
  if (!find_move(op, 2, lanes)) return 1;
  if (size == 8 && ((op->arg->map && lanes < 8) || left < 4)) return left >= 2 ? 2 : 1;
  return left >= 4 ? 4 : left;
}

/* And on the way out. MIN and MAX go value by value. */
static int piece_out(const pl_operand *op, int c, int lanes)
{
  bool whole = op->arg->access != PL_MIN && op->arg->access != PL_MAX;
  const move *m = whole ? find_move(op, op->dim - c, lanes) : NULL;
  return m ? m->values : 1;
}

/* Of the piece that starts at value $v; 0: it is inside a piece. */
static int piece_at(int (*piece)(const pl_operand *, int, int), const pl_body *b)
{
  int c = 0;
  while (c < pl_index(b, 'v')) c += piece(b->op, c, b->e->lanes);
  return c > pl_index(b, 'v') || c >= b->op->dim ? 0 : piece(b->op, c, b->e->lanes);
}

static bool moves_out(const pl_operand *op)
{
  return pl_operand_buffered(op) && pl_operand_scatters(op) && !pl_operand_tensor(op);
}

/* The operand whose values leave in place of this one's, and are subtracted: the kernel adds the same terms
 * to them with the other sign. NULL: none. One transposition serves both. */
static const pl_operand *negated(const pl_body *b)
{
  const pl_operand *op = b->op, *other = &b->e->op[op->param->negated];
  return op->param->negates == op->dim && moves_out(op) && moves_out(other) && !op->all && !other->all &&
             op->arg->access == PL_INC && other->arg->access == PL_INC && op->type == other->type &&
             op->dim == other->dim
           ? other
           : NULL;
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
    pl_string_add(text, "%s%s", lanes == 4 ? pl_template_simd_4x4_host : pl_template_simd_4x8_host,
                  lanes == 16 ? pl_template_simd_4x16_host : "");
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

/* ---- words ---- */

/* The target of entry $k in lane $l: "target1_0[2]", or "(pl_g + 2)". */
static pl_text lane_target(const pl_body *b)
{
  const pl_operand *op = b->op;
  const int k = pl_index(b, 'k'), l = pl_index(b, 'l');
  return op->arg->map ? pl_text_of("target%d_%d[%d]", op->map, op->index + k, l)
                      : pl_text_of("(pl_g + %d)", l);
}

/* Value 0 of the record behind target $k in lane $l. */
static pl_text lane_record(const pl_body *b)
{
  return pl_value_number(pl_dat_place(b->op, lane_target(b).s), 0);
}

/* Value $v of it where it is read: a target that is missing is read as zeros. */
static pl_text lane_source(const pl_body *b)
{
  const pl_text target = lane_target(b),
                value = pl_value_number(pl_dat_place(b->op, target.s), pl_index(b, 'v'));
  if (!b->op->guard) return value;
  return pl_text_of("*(%s < 0 ? pl_zero_%s : &%s)", target.s, pl_operand_type(b->op), value.s);
}

static bool has_map(const pl_emitter *e)
{
  for (const pl_operand *op = e->op; op < e->end; op++)
    if (op->arg->map) return true;
  return false;
}

/* Whether later records are prefetched: a line or more a group, in loops without maps. Loops with maps
 * compute more for each record and gain nothing. */
static bool is_fetched_early(const pl_body *b)
{
  const pl_operand *op = b->op;
  return pl_streams(b->e) && !has_map(b->e) && pl_operand_buffered(op) && op->loads &&
         op->dim * (int)pl_type_size(op->type) * b->e->lanes >= 64;
}

/* In names, if the operand has several targets. */
static pl_text number(const pl_body *b)
{
  return b->op->all ? pl_text_of("%d", pl_index(b, 'k')) : pl_text_of("%s", "");
}

pl_word pl_transpose_word(const pl_body *b, const char *name)
{
  const pl_operand *op = b->op;
  if (!op || !pl_transposes(b->e)) return (pl_word){.name = NULL};
  const int size = (int)pl_type_size(op->type), l = pl_index(b, 'l'), in = piece_at(piece_in, b),
            out = piece_at(piece_out, b);
  const move *m = find_move(op, out, b->e->lanes);
  const int vector = !m           ? 0
                     : m->blocked ? l / m->n
                                  : l % m->n,
            piece = !m           ? 0
                    : m->blocked ? l % m->n
                                 : l / m->n;
  const pl_word words[] = {{"moved", .number = pl_operand_buffered(op) && !pl_operand_tensor(op)},
                           {"stored_records", .number = moves_out(op)},
                           {"past_caches", .number = pl_streams(b->e) && pl_arg_streams(op->arg)},
                           {"fetched_early", .number = is_fetched_early(b)},
                           {"group_bytes", .number = op->dim * size * b->e->lanes},
                           {"value_size", .number = size},
                           {"alignment", .number = b->e->lanes == 8 && size == 8 ? 64 : 32},
                           {"vector_operands", .number = op->vector},
                           {"tensors", .number = pl_operand_tensor(op)},
                           {"piece_in", .number = in},
                           {"many_in", .number = in > 1},
                           {"piece_out", .number = out},
                           {"many_out", .number = out > 1},
                           {"bytes_out", .number = out * size},
                           {"member", .number = pl_index(b, 'v') + pl_index(b, 'p')},
                           {"vector", .number = vector},
                           {"number", .built = number},
                           {"negated", .number = negated(b) != NULL},
                           {"leaving", .text = negated(b) ? negated(b)->name : op->name},
                           {"in_vector", .number = out * piece + pl_index(b, 'p')},
                           {"sets", .text = negated(b)                  ? "-="
                                            : op->arg->access == PL_INC ? "+="
                                                                        : "="},
                           {"lane_target", .built = lane_target},
                           {"lane_record", .built = lane_record},
                           {"lane_source", .built = lane_source},
                           {.name = NULL}};
  return pl_word_find(words, name);
}

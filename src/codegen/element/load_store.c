/* SPDX-License-Identifier: BSD-2-Clause
 * Loads and stores of private copies.
 */
#include "load_store.h"
#include "codegen/loop/pair_info.h"
#include "ragged_row.h"

enum { MOST_VECTOR_BYTES = 16 };

/* ---- vectors of devices ---- */

/* Values of records that lie together move in pieces of up to 16 bytes; 1: value by value. */
static int vector_length(const pl_emitter *e, const pl_operand *op, int dim, const pl_place *record)
{
  int n = MOST_VECTOR_BYTES / (int)pl_type_size(op->type);
  if (e->dialect->host || pl_loop_traits_of(e->loop)->pairs || record->local || op->guard || op->arg->fixed ||
      dim != op->stride || dim > PL_UNROLL || op->type < PL_INT32 || op->type > PL_DOUBLE)
    return 1;
  if (op->home.layout.tile != PL_AOS) return op->home.layout.pack <= n ? op->home.layout.pack : 1;
  while (n > 1 && dim % n) n /= 2;
  return n <= 4 ? n : 1;
}

/* Records of 32 bytes, of elements that neighbouring work items have at the same time: two of these move both
 * records, so that each access is to whole sectors of memory. Not where registers are scarce. */
static bool moves_sectors(const pl_emitter *e, const pl_operand *op, int dim, int n)
{
  const pl_emit_options *o = e->options;
  return e->dialect->sectors && n > 1 && dim == 2 * n &&
         n * (int)pl_type_size(op->type) == MOST_VECTOR_BYTES && op->home.layout.tile == PL_AOS &&
         o->full_blocks && o->block_size % 32 == 0 && !op->arg->map && !op->mask && !pl_collides(e->loop) &&
         !e->loop->set->indices && pl_loop_traits_of(e->loop)->plain &&
         pl_private_bytes(e->loop) <= PL_LIGHT_BYTES;
}

static void move_sectors(const pl_body *b, const pl_operand *op, const char *type, int n, pl_place record,
                         pl_place mine, pl_move move)
{
  const pl_body in = pl_deeper(b);
  const pl_text at = pl_value_number(record, 0);
  pl_line(b, "{");
  pl_line(&in, "%s pl_v[2];", type);
  if (move == PL_MOVE_IN) pl_line(&in, "pl_load_sectors((const %s *)&%s, pl_v);", type, at.s);
  for (int i = 0; i < 2 * n; i++) {
    const pl_text value = pl_value_number(mine, i), part = pl_text_of("pl_v[%d].%c", i / n, "xyzw"[i % n]);
    if (move == PL_MOVE_IN)
      pl_print_assign(&in, op, value.s, part.s);
    else
      pl_print_assign(&in, op, part.s, value.s);
  }
  if (move == PL_MOVE_OUT) pl_line(&in, "pl_store_sectors((%s *)&%s, pl_v);", type, at.s);
  pl_line(b, "}");
}

bool pl_move_vectors(const pl_body *b, const pl_operand *op, int dim, pl_place record, pl_place mine,
                     pl_move move)
{
  static const char *const names[] = {[PL_INT32] = "int",    [PL_UINT32] = "uint", [PL_INT64] = "long",
                                      [PL_UINT64] = "ulong", [PL_FLOAT] = "float", [PL_DOUBLE] = "double"};
  const int n = vector_length(b->e, op, dim, &record);
  const pl_text type = pl_text_of("%s%d", n > 1 ? names[op->type] : "", n);
  if (move != PL_MOVE_ADD && moves_sectors(b->e, op, dim, n)) {
    move_sectors(b, op, type.s, n, record, mine, move);
    return true;
  }
  const char *space = b->e->dialect->global, *constant = move == PL_MOVE_IN ? "const " : "";
  pl_body in = pl_deeper(b);
  for (int first = 0; n > 1 && first < dim; first += n) {
    const pl_text at = pl_value_number(record, first),
                  vector = pl_text_of("*(%s%s%s *)&%s", constant, space, type.s, at.s);
    pl_line(b, "{");
    pl_line(&in, move == PL_MOVE_OUT ? "%s%s pl_v;" : "%s%s pl_v = %s;", constant, type.s, vector.s);
    for (int i = 0; i < n; i++) {
      const pl_text value = pl_value_number(mine, first + i), part = pl_text_of("pl_v.%c", "xyzw"[i]);
      if (move == PL_MOVE_IN)
        pl_print_assign(&in, op, value.s, part.s);
      else
        (move == PL_MOVE_OUT ? pl_print_assign : pl_print_add)(&in, op, part.s, value.s);
    }
    if (move != PL_MOVE_IN) pl_line(&in, "%s = pl_v;", vector.s);
    pl_line(b, "}");
  }
  return n > 1;
}

/* ---- load ---- */

bool pl_starts_from_limit(const pl_body *b, const pl_operand *op)
{
  bool extreme = op->arg->access == PL_MIN || op->arg->access == PL_MAX;
  return b->e->dialect->host && extreme && op->of < 0 && (op->type == PL_DOUBLE || op->type == PL_FLOAT);
}

/* Where the private values of target k start from: a missing target is read as 0. */
static pl_place start_of(const pl_body *b, const pl_operand *op, int k)
{
  const int fixed = op->arg->fixed;
  const bool guard = op->guard && (fixed || !b->buffered); /* a lane buffer is always there */
  if (!op->loads && fixed) return pl_place_of(PL_NUMBER, "0");
  if (!op->loads && pl_starts_from_limit(b, op)) return pl_place_of(PL_NUMBER, "limit_%s", op->name);
  if (!op->loads) return pl_place_of(PL_NUMBER, "%s", pl_operand_neutral(op));
  if (op->summed) return pl_place_of(PL_ARRAY, "sum_%s", op->summed->name);
  const pl_text or_zero = pl_text_of("%s%s%s", guard ? pl_body_target(b, op, k).s : "",
                                     guard ? " < 0 ? 0 : " : "", fixed ? "(double)" : "");
  return pl_read_as(pl_element_place(b, op, k), or_zero.s, fixed ? pl_text_of(" * 0x1p-%d", fixed).s : "");
}

bool pl_has_private(const pl_operand *op)
{
  return !op->arg->off && !op->row && (pl_arg_dat_of(op->arg) || op->home.local || pl_operand_reduces(op)) &&
         op->dim > 0;
}

/* The private values of target $k. */
static void load_target(const pl_body *b)
{
  const pl_operand *op = b->op;
  const int k = pl_index(b, 'k');
  const pl_place mine = pl_private_place(op, k), start = start_of(b, op, k);
  if (!op->loads || !pl_move_vectors(b, op, op->dim, start, mine, PL_MOVE_IN))
    pl_each_value(b, op, mine, start, pl_print_assign);
}

static const char *template_of(const pl_operand *op)
{
  if (op->arg->kind == PL_ARG_RANDOM && !op->arg->off) return "load_random";
  if (op->arg->kind == PL_ARG_INDEX && !op->arg->off) return "load_index";
  if (!pl_has_private(op)) return NULL;
  return op->pointer ? "load_pointers" : pl_arg_is_derived(op->arg) ? "load_derived" : "load_values";
}

static void load_operand(const pl_body *b)
{
  const char *template = template_of(b->op);
  if (b->op->row && !b->op->arg->off) pl_body_row(b, b->op);
  if (template) pl_print_template(b, template, NULL);
}

/* ---- combine ---- */

/* The present value is loaded before it is compared: a load under a condition keeps gcc from using vectors.
 */
static void print_extreme(const pl_body *b, const pl_operand *op, const char *into, const char *value)
{
  const char *better = op->arg->access == PL_MIN ? "<" : ">";
  if (b->e->dialect->host)
    pl_line(b, "{ const %s pl_was = %s; %s = %s %s pl_was ? %s : pl_was; }", pl_operand_type(op), into, into,
            value, better, value);
  else
    pl_line(b, "%s = %s %s %s ? %s : %s;", into, value, better, into, value, into);
}

void pl_print_combine(const pl_body *b, const pl_operand *op, const char *into, const char *value)
{
  if (op->arg->access == PL_MIN || op->arg->access == PL_MAX)
    print_extreme(b, op, into, value);
  else if (op->arg->fixed && b->e->options->checks)
    pl_line(b, "%s = pl_fixed_sum(%s, %s);", into, into, value);
  else
    pl_line(b, "%s %s %s;", into, op->arg->access == PL_INC ? "+=" : "=", value);
}

/* The private values of target k as the dat or global holds them: reals in fixed point become integers. */
pl_place pl_stored_place(const pl_body *b, const pl_operand *op, int k)
{
  const pl_place mine = pl_private_place(op, k);
  const int fixed = op->arg->fixed;
  if (!fixed) return mine;
  if (b->e->options->checks) return pl_read_as(mine, "", pl_text_of(" * 0x1p%d", fixed).s);
  return pl_read_as(mine, "(int64_t)(", pl_text_of(" * 0x1p%d)", fixed).s);
}

/* ---- store ---- */

static void print_atomic_combine(const pl_body *b, const pl_operand *op, const char *into, const char *value)
{
  pl_line(b, "pl_%s_%s(&%s, %s);", pl_atomic_name(op), pl_operand_type(op), into, value);
}

static pl_value_printer store_printer(const pl_body *b, const pl_operand *op)
{
  if (op->arg->fixed && b->e->options->checks) return pl_print_combine;
  if (b->buffered && pl_operand_buffered(op)) return pl_print_assign;
  return b->e->options->conflict == PL_ATOMIC && pl_operand_atomic(op) ? print_atomic_combine
                                                                       : pl_print_combine;
}

static void store_values(const pl_body *b)
{
  const pl_operand *op = b->op;
  const int k = pl_index(b, 'k');
  const bool whole = op->arg->access == PL_WRITE || op->arg->access == PL_RW;
  const pl_place record = pl_element_place(b, op, k), mine = pl_stored_place(b, op, k);
  if (!whole || !pl_move_vectors(b, op, op->dim, record, mine, PL_MOVE_OUT))
    pl_each_value(b, op, record, mine, store_printer(b, op));
}

/* ---- words ---- */

static pl_text target(const pl_body *b)
{
  return pl_body_target(b, b->op, pl_index(b, 'k'));
}

/* The private copy of target $k. */
static pl_text private(const pl_body *b)
{
  return pl_text_of("%s", pl_private_place(b->op, pl_index(b, 'k')).array);
}

static pl_text place(const pl_body *b)
{
  return pl_value_number(pl_element_place(b, b->op, pl_index(b, 'k')), pl_index(b, 'v'));
}

static pl_text other(const pl_body *b)
{
  return pl_value_number(pl_dat_place(b->op, "pl_o"), pl_index(b, 'v'));
}

static pl_text global_index(const pl_body *b)
{
  return pl_global_index(b, b->op);
}

static pl_text other_index(const pl_body *b)
{
  return pl_other_index(b->op);
}

pl_word pl_load_word(const pl_body *b, const char *name)
{
  const pl_operand *op = b->op;
  if (!op) return (pl_word){.name = NULL};
  const pl_word words[] = {
    {"place", .built = place},
    {"other", .built = other},
    {"target", .built = target},
    {"global_index", .built = global_index},
    {"other_index", .built = other_index},
    {"private", .built = private},
    {"random_words", .number = PL_RANDOM_WORDS},
    {"constant", .text = op->arg->access == PL_READ ? "const" : ""},
    {"of_both", .number = op->arg->index == PL_BOTH},
    {"distance", .number = op->arg->kind == PL_ARG_DISTANCE},
    {"known", .number = pl_arg_is_derived(op->arg) && pl_pair_from_records(b->e->loop, op->arg)},
    {"axis", .number = op->home.first + pl_index(b, 'v')},
    {"tested", .number = op->guard && !b->buffered},
    {"scatters", .number = pl_operand_scatters(op) && !pl_operand_contributes(b->e, op)},
    {"load_operand", .print = load_operand},
    {"load_target", .print = load_target},
    {"store_values", .print = store_values},
    {.name = NULL}};
  return pl_word_find(words, name);
}

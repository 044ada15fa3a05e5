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

bool pl_move_vectors(const pl_body *b, const pl_operand *op, int dim, pl_place record, pl_place mine,
                     pl_move move)
{
  static const char *const names[] = {[PL_INT32] = "int",    [PL_UINT32] = "uint", [PL_INT64] = "long",
                                      [PL_UINT64] = "ulong", [PL_FLOAT] = "float", [PL_DOUBLE] = "double"};
  const int n = vector_length(b->e, op, dim, &record);
  const pl_text type = pl_text_of("%s%d", n > 1 ? names[op->type] : "", n);
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
  const pl_text or_zero = pl_text_of("%s%s%s", guard ? pl_body_target(b, op, k).s : "",
                                     guard ? " < 0 ? 0 : " : "", fixed ? "(double)" : "");
  return pl_read_as(pl_element_place(b, op, k), or_zero.s, fixed ? pl_text_of(" * 0x1p-%d", fixed).s : "");
}

/* Pointers straight into the dat. */
static void print_pointers(const pl_body *b, const pl_operand *op)
{
  const char *type = pl_operand_type(op), *constant = op->arg->access == PL_READ ? "const " : "";
  if (!op->all) {
    pl_line(b, "%s%s *const %s = &%s;", constant, type, op->name,
            pl_value_number(pl_element_place(b, op, 0), 0).s);
    return;
  }
  pl_line(b, "%s%s *%s[%d];", constant, type, op->name, op->targets);
  for (int k = 0; k < op->targets; k++)
    pl_line(b, "%s[%d] = &%s;", op->name, k, pl_value_number(pl_element_place(b, op, k), 0).s);
}

bool pl_has_private(const pl_operand *op)
{
  return !op->arg->off && !op->row && (pl_arg_dat_of(op->arg) || op->home.local || pl_operand_reduces(op)) &&
         op->dim > 0;
}

static void declare_copy(const pl_body *b, const pl_operand *op)
{
  const pl_body of_op = pl_body_of(b, op);
  if (b->e->options->checks)
    pl_print_template(&of_op, "declare_guarded", NULL);
  else
    pl_line(b, "%s %s%s[%d];", pl_operand_copy_type(op), op->name,
            op->all ? pl_text_of("[%d]", op->targets).s : "", op->dim);
}

/* The difference of the sides of a pair, or the square of its length; that of the positions is known. */
static void print_derived(const pl_body *b, const pl_operand *op)
{
  const bool distance = op->arg->kind == PL_ARG_DISTANCE, known = pl_pair_from_records(b->e->loop, op->arg);
  const pl_place own = pl_element_place(b, op, 0), other = pl_dat_place(op, "pl_o");
  declare_copy(b, op);
  if (distance) pl_line(b, "%s[0] = %s;", op->name, known ? "pl_r2" : "0");
  for (int c = 0; c < (distance ? op->stride : op->dim); c++) {
    const pl_text x = pl_value_number(own, c), y = pl_value_number(other, c);
    if (known && !distance)
      pl_line(b, "%s[%d] = pl_d%d;", op->name, c, op->home.first + c);
    else if (!distance)
      pl_line(b, "%s[%d] = %s - %s;", op->name, c, x.s, y.s);
    else if (!known)
      pl_line(b, "%s[0] += (%s - %s) * (%s - %s);", op->name, x.s, y.s, x.s, y.s);
  }
}

static void load_values(const pl_body *b, const pl_operand *op)
{
  declare_copy(b, op);
  pl_body in = op->mask ? pl_open_mask(b, op) : *b;
  for (int k = 0; k < op->targets; k++) {
    const pl_place mine = pl_private_place(op, k), start = start_of(b, op, k);
    if (!op->loads || !pl_move_vectors(&in, op, op->dim, start, mine, PL_MOVE_IN))
      pl_each_value(&in, op, mine, start, pl_print_assign);
  }
  if (op->mask) pl_line(b, "}");
}

/* The words of the seed and the call are in memory, those of the index or of a pair are between them. */
static void print_random(const pl_body *b, const pl_operand *op)
{
  const char *stem = op->stem;
  pl_text low = pl_text_of("(uint32_t)number_%s", stem),
          high = pl_text_of("(uint32_t)((uint64_t)number_%s >> 32)", stem);
  pl_line(b, "const int64_t number_%s = %s;", stem, pl_global_index(b, op).s);
  if (op->arg->index == PL_BOTH) {
    pl_line(b, "const int64_t other_%s = %s;", stem, pl_other_index(op).s);
    low = pl_text_of("(uint32_t)(number_%s < other_%s ? number_%s : other_%s)", stem, stem, stem, stem);
    high = pl_text_of("(uint32_t)(number_%s < other_%s ? other_%s : number_%s)", stem, stem, stem, stem);
  }
  pl_line(b, "const uint32_t %s[%d] = {value_%s[0], value_%s[1], %s, %s, value_%s[4]};", op->name,
          PL_RANDOM_WORDS, stem, stem, low.s, high.s, stem);
}

static void load(const pl_body *b, const pl_operand *op)
{
  if (op->arg->kind == PL_ARG_RANDOM && !op->arg->off) {
    print_random(b, op);
    return;
  }
  if (op->arg->kind == PL_ARG_INDEX && !op->arg->off)
    pl_line(b, "const int64_t %s[1] = {%s};", op->name, pl_global_index(b, op).s);
  else if (op->row && !op->arg->off)
    pl_body_row(b, op);
  else if (op->pointer && pl_has_private(op))
    print_pointers(b, op);
  else if (pl_has_private(op))
    (pl_arg_is_derived(op->arg) ? print_derived : load_values)(b, op);
}

/* Rows with a mask come last: by then all other loads have been issued. */
void pl_body_load(const pl_body *b)
{
  const pl_emitter *e = b->e;
  for (const pl_operand *op = e->op; op < e->end; op++)
    if (!op->mask) load(b, op);
  for (const pl_operand *op = e->op; op < e->end; op++) {
    if (!op->mask) continue;
    pl_body_masked_row(b, op);
    load(b, op);
  }
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

void pl_print_atomic_combine(const pl_body *b, const pl_operand *op, const char *into, const char *value)
{
  pl_line(b, "pl_%s_%s(&%s, %s);", pl_atomic_name(op), pl_operand_type(op), into, value);
}

static pl_value_printer store_printer(const pl_body *b, const pl_operand *op)
{
  if (op->arg->fixed && b->e->options->checks) return pl_print_combine;
  if (b->buffered && pl_operand_buffered(op)) return pl_print_assign;
  return b->e->options->conflict == PL_ATOMIC && pl_operand_atomic(op) ? pl_print_atomic_combine
                                                                       : pl_print_combine;
}

static void store(const pl_body *b, const pl_operand *op, int k)
{
  const bool whole = op->arg->access == PL_WRITE || op->arg->access == PL_RW,
             guard = op->guard && !b->buffered;
  const pl_place record = pl_element_place(b, op, k), mine = pl_stored_place(b, op, k);
  pl_body in = guard ? pl_deeper(b) : *b;
  if (whole && pl_move_vectors(b, op, op->dim, record, mine, PL_MOVE_OUT)) return;
  if (guard) pl_line(b, "if (%s >= 0) {", pl_body_target(b, op, k).s);
  pl_each_value(&in, op, record, mine, store_printer(b, op));
  if (guard) pl_line(b, "}");
}

void pl_body_store(const pl_body *b)
{
  for (const pl_operand *op = b->e->op; op < b->e->end; op++) {
    if (!pl_operand_scatters(op) || pl_operand_contributes(b->e, op)) continue;
    for (int k = 0; k < op->targets; k++) store(b, op, k);
  }
}

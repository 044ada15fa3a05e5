/* SPDX-License-Identifier: BSD-2-Clause
 * Loads and stores of private copies.
 */
#include "load_store.h"
#include "check_hooks.h"
#include "codegen/loop/pair_info.h"
#include "ragged_row.h"
#include <stdlib.h>

enum { MOST_VECTOR_BYTES = 16 };

/* ---- vectors of devices ---- */

/* The device's vector of `n` values of a type, or NULL: double2, float4... */
static const char *vector_name(const pl_operand *op, int n, char *buffer)
{
  static const char *const names[] = {[PL_INT32] = "int",    [PL_UINT32] = "uint", [PL_INT64] = "long",
                                      [PL_UINT64] = "ulong", [PL_FLOAT] = "float", [PL_DOUBLE] = "double"};
  if (op->type > PL_DOUBLE || !names[op->type]) return NULL;
  snprintf(buffer, PL_PLACE, "%s%d", names[op->type], n);
  return buffer;
}

/* Values that a device loads or stores at once: records that lie together, in pieces of up to 16 bytes. */
static int vector_length(const pl_emitter *e, const pl_operand *op)
{
  int size = (int)pl_type_size(op->type), n = MOST_VECTOR_BYTES / size;
  if (e->dialect->host || op->local || op->staged >= 0 || op->guard || op->arg->fixed ||
      op->dim != op->stride || op->dim > PL_UNROLL)
    return 1;
  if (op->layout != PL_AOS) return op->pack <= n ? op->pack : 1;
  while (n > 1 && op->stride % n) n /= 2;
  return n <= 4 ? n : 1;
}

int pl_vector_of(const pl_emitter *e, const pl_operand *op, char *name)
{
  int n = vector_length(e, op);
  return n > 1 && vector_name(op, n, name) ? n : 1;
}

/* q[0] = pl_v.x; q[1] = pl_v.y; ... or back. */
static void print_vectors(const pl_body *b, const pl_operand *op, int k, int n, bool load)
{
  char c[16], place[PL_PLACE], mine[PL_PLACE], vector[PL_PLACE];
  const char *space = b->e->dialect->global;
  pl_body in = pl_deeper(b);
  vector_name(op, n, vector);
  for (int first = 0; first < op->dim; first += n) {
    snprintf(c, sizeof c, "%d", first);
    pl_element_place(b, op, k, c, place);
    pl_line(b, "{");
    if (load)
      pl_line(&in, "const %s pl_v = *(const %s%s *)&%s;", vector, space, vector, place);
    else
      pl_line(&in, "%s pl_v;", vector);
    for (int i = 0; i < n; i++) {
      snprintf(c, sizeof c, "%d", first + i);
      pl_private_place(op, k, c, mine);
      if (load)
        pl_line(&in, "%s = pl_v.%c;", mine, "xyzw"[i]);
      else
        pl_line(&in, "pl_v.%c = %s;", "xyzw"[i], mine);
    }
    if (!load) pl_line(&in, "*(%s%s *)&%s = pl_v;", space, vector, place);
    pl_line(b, "}");
  }
}

/* ---- load ---- */

bool pl_starts_from_limit(const pl_body *b, const pl_operand *op)
{
  bool extreme = op->arg->access == PL_MIN || op->arg->access == PL_MAX;
  return b->e->dialect->host && extreme && !op->payload && (op->type == PL_DOUBLE || op->type == PL_FLOAT);
}

static void print_load(const pl_body *b, const pl_operand *op, int k, const char *c)
{
  char place[PL_PLACE], mine[PL_PLACE], target[PL_PLACE];
  bool guard = op->guard && (op->arg->fixed || !b->buffered); /* a lane buffer is always there */
  pl_private_place(op, k, c, mine);
  pl_element_place(b, op, k, c, place);
  const char *missing = guard ? pl_body_target(b, op, k, target) : "", *or_zero = guard ? " < 0 ? 0 : " : "";
  if (!op->loads && pl_starts_from_limit(b, op) && !op->arg->fixed)
    pl_line(b, "%s = limit_%s;", mine, op->name);
  else if (!op->loads)
    pl_line(b, "%s = %s;", mine, op->arg->fixed ? "0" : pl_operand_neutral(op));
  else if (op->arg->fixed)
    pl_line(b, "%s = %s%s(double)%s * 0x1p-%d;", mine, missing, or_zero, place, op->arg->fixed);
  else
    pl_line(b, "%s = %s%s%s;", mine, missing, or_zero, place);
}

/* Pointers straight into the dat. */
static void print_pointers(const pl_body *b, const pl_operand *op)
{
  char place[PL_PLACE];
  const char *type = pl_operand_type(op), *constant = op->arg->access == PL_READ ? "const " : "";
  if (!op->all) {
    pl_line(b, "%s%s *const %s = &%s;", constant, type, op->name, pl_element_place(b, op, 0, "0", place));
    return;
  }
  pl_line(b, "%s%s *%s[%d];", constant, type, op->name, op->targets);
  for (int k = 0; k < op->targets; k++)
    pl_line(b, "%s[%d] = &%s;", op->name, k, pl_element_place(b, op, k, "0", place));
}

bool pl_has_private(const pl_operand *op)
{
  return !op->arg->off && !op->row && (pl_arg_dat_of(op->arg) || op->local || pl_operand_reduces(op)) &&
         op->dim > 0;
}

static void declare_copy(const pl_body *b, const pl_operand *op)
{
  char targets[16] = "";
  if (op->all) snprintf(targets, sizeof targets, "[%d]", op->targets);
  if (b->e->options->checks)
    pl_checker_declare(b, op);
  else
    pl_line(b, "%s %s%s[%d];", pl_operand_copy_type(op), op->name, targets, op->dim);
}

static void load_values(const pl_body *b, const pl_operand *op)
{
  char vector[PL_PLACE];
  int n = op->loads ? pl_vector_of(b->e, op, vector) : 1;
  declare_copy(b, op);
  pl_body in = op->mask ? pl_open_mask(b, op) : *b;
  for (int k = 0; k < op->targets; k++)
    if (n > 1)
      print_vectors(&in, op, k, n, true);
    else
      pl_each_value(&in, op, k, print_load);
  if (op->mask) pl_line(b, "}");
}

static void load(const pl_body *b, const pl_operand *op)
{
  char index[PL_PLACE];
  if (op->arg->kind == PL_ARG_INDEX && !op->arg->off)
    pl_line(b, "const int64_t %s[1] = {%s};", op->name, pl_global_index(b, op, index));
  else if (op->row && !op->arg->off)
    pl_body_row(b, op);
  else if (op->pointer && pl_has_private(op))
    print_pointers(b, op);
  else if (pl_has_private(op))
    load_values(b, op);
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

/* ---- load of a pair ---- */

/* Value c of a side's record; in lanes that of side 0 was loaded before. */
static const char *place_on(const pl_body *b, const pl_operand *op, int side, const char *c, char *buffer)
{
  if (side || !b->lanes) return pl_dat_place(op, c, side ? "pl_o" : "pl_e", buffer);
  snprintf(buffer, PL_PLACE, "own_%s[%s][pl_l]", op->name, c);
  return buffer;
}

static void print_pair_value(const pl_body *b, const pl_operand *op, int k, const char *c)
{
  char place[PL_PLACE], other[PL_PLACE];
  bool records = pl_pair_from_records(b->e->loop, op->arg);
  (void)k;
  if (op->arg->kind == PL_ARG_DIFFERENCE && records)
    pl_line(b, "%s[%s] = pl_d%d;", op->name, c, op->first + (c[0] == 'p' ? 0 : atoi(c)));
  else if (op->arg->kind == PL_ARG_DIFFERENCE)
    pl_line(b, "%s[%s] = %s - %s;", op->name, c, place_on(b, op, 0, c, place), place_on(b, op, 1, c, other));
  else if (pl_arg_is_record(op->arg) && op->arg->access == PL_READ)
    pl_line(b, "%s[%s] = %s;", op->name, c, place_on(b, op, op->arg->index == 1, c, place));
  else
    pl_line(b, "%s[%s] = %s;", op->name, c, pl_operand_neutral(op));
}

/* The square of the length of a difference that is not that of the positions. */
static void print_length(const pl_body *b, const pl_operand *op)
{
  char c[16], mine[PL_PLACE], other[PL_PLACE];
  if (pl_pair_from_records(b->e->loop, op->arg)) {
    pl_line(b, "%s[0] = pl_r2;", op->name);
    return;
  }
  pl_line(b, "%s[0] = 0;", op->name);
  for (int i = 0; i < op->stride; i++) {
    snprintf(c, sizeof c, "%d", i);
    place_on(b, op, 0, c, mine);
    place_on(b, op, 1, c, other);
    pl_line(b, "%s[0] += (%s - %s) * (%s - %s);", op->name, mine, other, mine, other);
  }
}

bool pl_pair_copied(const pl_operand *op)
{
  const pl_arg *arg = op->arg;
  if (arg->off || arg->kind == PL_ARG_CONST || arg->kind == PL_ARG_INDEX || op->dim == 0) return false;
  return arg->kind != PL_ARG_GLOBAL || pl_operand_reduces(op);
}

static void declare_pair_value(const pl_body *b, const pl_operand *op)
{
  const pl_arg *arg = op->arg;
  char ids[24] = "";
  if (arg->kind == PL_ARG_INDEX && !arg->off) {
    if (op->ids >= 0) snprintf(ids, sizeof ids, "ids%d[", op->ids);
    pl_line(b, "const int64_t %s[1] = {%s%s%s};", op->name, ids, arg->index == 1 ? "pl_o" : "pl_e",
            *ids ? "]" : "");
    return;
  }
  if (!pl_pair_copied(op)) return;
  declare_copy(b, op);
  if (arg->kind == PL_ARG_DISTANCE)
    print_length(b, op);
  else
    pl_each_value(b, op, 0, print_pair_value);
}

void pl_pair_load(const pl_body *b)
{
  for (int i = 0; i < b->e->loop->nargs; i++) declare_pair_value(b, &b->e->op[i]);
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
  else
    pl_line(b, "%s %s %s;", into, op->arg->access == PL_INC ? "+=" : "=", value);
}

/* The private value as the dat or global holds it: reals in fixed point become integers. */
static const char *stored_value(const pl_operand *op, int k, const char *c, char *buffer)
{
  char mine[PL_PLACE];
  pl_private_place(op, k, c, mine);
  if (op->arg->fixed)
    snprintf(buffer, PL_PLACE, "(int64_t)(%.200s * 0x1p%d)", mine, op->arg->fixed);
  else
    snprintf(buffer, PL_PLACE, "%.200s", mine);
  return buffer;
}

static bool is_checked_sum(const pl_body *b, const pl_operand *op)
{
  return op->arg->fixed && b->e->options->checks;
}

void pl_combine_private(const pl_body *b, const pl_operand *op, int k, const char *c, const char *into)
{
  char mine[PL_PLACE];
  if (is_checked_sum(b, op))
    pl_line(b, "%s = pl_fixed_sum(%s, %s * 0x1p%d);", into, into, pl_private_place(op, k, c, mine),
            op->arg->fixed);
  else
    pl_print_combine(b, op, into, stored_value(op, k, c, mine));
}

/* ---- store ---- */

bool pl_operand_atomic(const pl_operand *op)
{
  return pl_operand_scatters(op) && pl_arg_collides(op->arg) && op->arg->access != PL_WRITE &&
         op->arg->access != PL_RW;
}

const char *pl_atomic_name(const pl_operand *op)
{
  return op->arg->access == PL_MIN ? "min" : op->arg->access == PL_MAX ? "max" : "inc";
}

static void print_store(const pl_body *b, const pl_operand *op, int k, const char *c)
{
  char place[PL_PLACE], mine[PL_PLACE];
  pl_element_place(b, op, k, c, place);
  if (b->buffered && pl_operand_buffered(op) && !is_checked_sum(b, op))
    pl_line(b, "%s = %s;", place, stored_value(op, k, c, mine));
  else if (b->e->options->conflict == PL_ATOMIC && pl_operand_atomic(op) && !is_checked_sum(b, op))
    pl_line(b, "pl_%s_%s(&%s, %s);", pl_atomic_name(op), pl_operand_type(op), place,
            stored_value(op, k, c, mine));
  else
    pl_combine_private(b, op, k, c, place);
}

static void store(const pl_body *b, const pl_operand *op, int k)
{
  char target[PL_PLACE];
  int n = op->arg->access == PL_WRITE || op->arg->access == PL_RW ? pl_vector_of(b->e, op, target) : 1;
  bool guard = op->guard && !b->buffered;
  pl_body in = guard ? pl_deeper(b) : *b;
  if (n > 1) {
    print_vectors(b, op, k, n, false);
    return;
  }
  if (guard) pl_line(b, "if (%s >= 0) {", pl_body_target(b, op, k, target));
  pl_each_value(&in, op, k, print_store);
  if (guard) pl_line(b, "}");
}

void pl_body_store(const pl_body *b)
{
  for (const pl_operand *op = b->e->op; op < b->e->end; op++) {
    if (!pl_operand_scatters(op) || pl_operand_contributes(b->e, op)) continue;
    for (int k = 0; k < op->targets; k++) store(b, op, k);
  }
}

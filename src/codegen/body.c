/* SPDX-License-Identifier: BSD-2-Clause
 * What happens for one element, printed.
 */
#include "watch.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Up to this many values are printed one by one; longer records become a loop over c. */
enum { UNROLL = 32, MOST_LANE_DIM = 64, SMALL = 96 };

void pl_line(const pl_body *b, const char *format, ...)
{
  char line[1024];
  va_list list;
  va_start(list, format);
  int length = vsnprintf(line, sizeof line, format, list);
  va_end(list);
  if (length < 0 || (size_t)length >= sizeof line) b->text->failed = true;
  pl_text_add(b->text, "%*s%s\n", 2 * b->depth, "", line);
}

/* ---- places ---- */

/* The target of entry k: "t0_1", in lane buffers "t0_1[pl_l]", or "pl_e" for a direct argument. */
const char *pl_body_target(const pl_body *b, const pl_operand *op, int k, char *buffer)
{
  if (!op->arg->map) return "pl_e";
  if (op->staged >= 0) {
    snprintf(buffer, SMALL, "l%d_%d", op->staged, op->all ? k : op->arg->index);
    return buffer;
  }
  snprintf(buffer, SMALL, b->buffered ? "t%d_%d[pl_l]" : "t%d_%d", op->map, op->all ? k : op->arg->index);
  return buffer;
}

/* log2 of a power of two. */
static int shift_of(int tile)
{
  int shift = 0;
  while (1 << shift < tile) shift++;
  return shift;
}

/* Values in words of op->pack, the words apart. */
static const char *packed_place(const pl_operand *op, const char *c, const char *target, char *buffer)
{
  char word[96], rest[96];
  const char *wide = op->wide ? "(int64_t)" : "";
  int value = op->first + atoi(c), pack = op->pack;
  bool known = *c >= '0' && *c <= '9';
  snprintf(word, sizeof word, known ? "%d" : "(%d + %s) / %d", known ? value / pack : op->first, c, pack);
  snprintf(rest, sizeof rest, known ? "%d" : "(%d + %s) %% %d", known ? value % pack : op->first, c, pack);
  if (op->layout == PL_SOA)
    snprintf(buffer, PL_PLACE, "d%d[(%s%s * s%d + %s) * %d + %s]", op->dat, wide, word, op->dat, target, pack,
             rest);
  else
    snprintf(buffer, PL_PLACE, "d%d[%s(%s >> %d) * %d + %s * %d + (%s & %d) * %d + %s]", op->dat, wide,
             target, shift_of(op->layout), op->stride * op->layout, word, op->layout * pack, target,
             op->layout - 1, pack, rest);
  return buffer;
}

const char *pl_print_place(const pl_operand *op, const char *c, const char *target, char *buffer)
{
  char offset[32] = "";
  const char *wide = op->wide ? "(int64_t)" : "";
  if (op->first) snprintf(offset, sizeof offset, "%d + ", op->first);
  if (op->layout != PL_AOS && op->pack > 1) return packed_place(op, c, target, buffer);
  if (op->stride == 1)
    snprintf(buffer, PL_PLACE, "d%d[%s]", op->dat, target);
  else if (op->layout == PL_SOA)
    snprintf(buffer, PL_PLACE, "d%d[%s(%s%s) * s%d + %s]", op->dat, wide, offset, c, op->dat, target);
  else if (op->layout == PL_AOS)
    snprintf(buffer, PL_PLACE, "d%d[%d * %s%s + %s%s]", op->dat, op->stride, wide, target, offset, c);
  else
    snprintf(buffer, PL_PLACE, "d%d[%s(%s >> %d) * %d + (%s%s) * %d + (%s & %d)]", op->dat, wide, target,
             shift_of(op->layout), op->stride * op->layout, offset, c, op->layout, target, op->layout - 1);
  return buffer;
}

/* Value c behind target k for this element: in its dat, or in the lane buffer. */
static const char *element_place(const pl_body *b, const pl_operand *op, int k, const char *c, char *buffer)
{
  char target[SMALL];
  if (op->local) {
    const char *at = op->arg->map ? pl_body_target(b, op, k, target) : "pl_i";
    snprintf(buffer, PL_PLACE, "pl_z[%d * %s + %d + %s]", op->stride, at, op->first, c);
    return buffer;
  }
  if (op->staged >= 0) {
    char offset[32] = "";
    if (op->first) snprintf(offset, sizeof offset, "%d + ", op->first);
    snprintf(buffer, PL_PLACE, "z%d_%d[(%s%s) * pl_n%d + %s]", op->dat, op->staged, offset, c, op->staged,
             pl_body_target(b, op, k, target));
    return buffer;
  }
  if (!b->buffered || !pl_op_buffered(op))
    return pl_print_place(op, c, pl_body_target(b, op, k, target), buffer);
  snprintf(buffer, PL_PLACE, "b%d_%d[%s][pl_l]", op->i, k, c);
  return buffer;
}

/* Value c of target k of the private copy: "x3_res[1][c]" or "x3_res[c]". */
const char *pl_private_place(const pl_operand *op, int k, const char *c, char *buffer)
{
  if (op->all)
    snprintf(buffer, PL_PLACE, "%s[%d][%s]", op->x, k, c);
  else
    snprintf(buffer, PL_PLACE, "%s[%s]", op->x, c);
  return buffer;
}

/* Value c of running result i: "g3[c]", in a lane loop "g3_l[c][pl_l]". */
static const char *result_place(const pl_body *b, int i, const char *c, char *buffer)
{
  snprintf(buffer, PL_PLACE, b->lanes ? "g%d_l[%s][pl_l]" : "g%d[%s]", i, c);
  return buffer;
}

void pl_each_value(const pl_body *b, const pl_operand *op, int k, pl_value_printer print)
{
  char c[16];
  if (op->dim > (b->buffered ? MOST_LANE_DIM : UNROLL)) {
    pl_body inner = *b;
    inner.depth++;
    pl_line(b, "for (int pl_c = 0; pl_c < %d; pl_c++) {", op->dim);
    print(&inner, op, k, "pl_c");
    pl_line(b, "}");
    return;
  }
  for (int i = 0; i < op->dim; i++) {
    snprintf(c, sizeof c, "%d", i);
    print(b, op, k, c);
  }
}

/* ---- targets ---- */

/* Sums for each target know it, and copies of a block have places of their own. */
bool pl_body_needs_targets(const pl_walk_state *w, const pl_operand *op)
{
  return op->map >= 0 && !op->row && !pl_op_off(op) && op->staged < 0 && !pl_op_contributes(w, op);
}

bool pl_target_printed(const pl_walk_state *w, int i, int k)
{
  for (int j = 0; j < i; j++) {
    const pl_operand *op = &w->op[j];
    if (pl_body_needs_targets(w, op) && op->map == w->op[i].map && (op->all || op->arg->index == k))
      return true;
  }
  return false;
}

/* How many targets of operand i's map the loop uses from the first on, without a gap. */
static int leading_targets(const pl_walk_state *w, int i)
{
  int arity = w->op[i].arg->map->arity, n = 0;
  bool used = true;
  for (int k = 0; k < arity && used; k += used) {
    used = false;
    for (int j = 0; j < w->loop->nargs; j++) {
      const pl_operand *op = &w->op[j];
      used |= pl_body_needs_targets(w, op) && op->map == w->op[i].map && (op->all || op->arg->index == k);
    }
    n += used;
  }
  return n;
}

/* On devices rows of 2 indices, or of a multiple of 4, are loaded in words where the loop uses them all. */
static bool prints_row(const pl_body *b, int i)
{
  static const char *const member[] = {"x", "y", "z", "w"};
  const pl_walk_state *w = b->w;
  const pl_operand *op = &w->op[i];
  int arity = op->arg->map->arity, length = arity % 4 ? 2 : 4;
  if (w->dialect->host || arity % 2 || (arity % 4 && arity != 2) || leading_targets(w, i) != arity)
    return false;
  for (int j = 0; j < i; j++)
    if (pl_body_needs_targets(w, &w->op[j]) && w->op[j].map == op->map) return true;
  for (int first = 0; first < arity; first += length) {
    char name[32], offset[32] = "";
    snprintf(name, sizeof name, first ? "t%dv%d" : "t%d", op->map, first);
    if (first) snprintf(offset, sizeof offset, " + %d", first);
    pl_line(b, "const int%d %s = *(%sconst int%d *)&m%d[%d * %spl_e%s];", length, name, w->dialect->global,
            length, op->map, arity,
            (int64_t)op->arg->map->from->part[3] * arity > INT32_MAX ? "(int64_t)" : "", offset);
    for (int k = 0; k < length; k++)
      pl_line(b, "const int t%d_%d = %s.%s;", op->map, first + k, name, member[k]);
  }
  return true;
}

/* Whether rows are looked at, before all that would have to wait for it. */
static void print_marks(const pl_body *b)
{
  const pl_operand *op = b->w->op;
  for (int i = 0; i < b->w->loop->nargs; i++) {
    bool first = op[i].where && !pl_op_off(&op[i]);
    for (int j = 0; j < i && first; j++) first = op[j].where != op[i].where || pl_op_off(&op[j]);
    if (first) pl_line(b, "const bool f%d = d%d[pl_e] != 0;", op[i].where->dat, op[i].where->dat);
  }
}

/* Opens what is done only where the operand's row is looked at. */
static void open_where(const pl_body *b, const pl_operand *op, pl_body *in)
{
  pl_line(b, "if (f%d) {", op->where->dat);
  *in = *b;
  in->depth++;
}

/* All targets of a row that is looked at in few elements: pieces of 2 or 4 indices where it has as many. */
static void print_rare_row(const pl_body *b, const pl_operand *op)
{
  static const char *const member[] = {"x", "y", "z", "w"};
  pl_body in;
  int arity = op->arg->map->arity, length = arity % 4 == 0 ? 4 : arity % 2 == 0 ? 2 : 1;
  const char *wide = (int64_t)op->arg->map->from->part[3] * arity > INT32_MAX ? "(int64_t)" : "";
  for (int k = 0; k < arity; k++) pl_line(b, "int t%d_%d = 0;", op->map, k);
  open_where(b, op, &in);
  for (int first = 0; first < arity; first += length) {
    if (length == 1) {
      pl_line(&in, "t%d_%d = m%d[%d * %spl_e + %d];", op->map, first, op->map, arity, wide, first);
      continue;
    }
    pl_line(&in, "const int%d t%dv%d = *(%sconst int%d *)&m%d[%d * %spl_e + %d];", length, op->map, first,
            b->w->dialect->global, length, op->map, arity, wide, first);
    for (int k = 0; k < length; k++)
      pl_line(&in, "t%d_%d = t%dv%d.%s;", op->map, first + k, op->map, first, member[k]);
  }
  pl_line(b, "}");
}

/* Whether an operand before it has the same map. */
static bool printed_before(const pl_walk_state *w, int i)
{
  for (int j = 0; j < i; j++)
    if (pl_body_needs_targets(w, &w->op[j]) && w->op[j].map == w->op[i].map) return true;
  return false;
}

void pl_body_targets(const pl_body *b)
{
  print_marks(b);
  for (int i = 0; i < b->w->loop->nargs; i++) {
    const pl_operand *op = &b->w->op[i];
    if (!pl_body_needs_targets(b->w, op) || op->where || prints_row(b, i)) continue;
    int first = op->all ? 0 : op->arg->index, arity = op->arg->map->arity;
    const char *wide = (int64_t)op->arg->map->from->part[3] * arity > INT32_MAX ? "(int64_t)" : "";
    for (int k = first; k < first + op->targets; k++)
      if (!pl_target_printed(b->w, i, k))
        pl_line(b, "const int t%d_%d = m%d[%d * %spl_e + %d];", op->map, k, op->map, arity, wide, k);
  }
}

/* ---- gather ---- */

bool pl_op_starts_far(const pl_body *b, const pl_operand *op)
{
  bool extreme = op->arg->access == PL_MIN || op->arg->access == PL_MAX;
  return b->w->dialect->host && extreme && !op->payload && (op->type == PL_DOUBLE || op->type == PL_FLOAT);
}

/* What the private copy of an operand that is not gathered starts from. */
static const char *start_value(const pl_body *b, const pl_operand *op, char *buffer)
{
  if (!pl_op_starts_far(b, op)) return pl_op_neutral(op);
  snprintf(buffer, SMALL, "start%d", op->i);
  return buffer;
}

static void print_gather(const pl_body *b, const pl_operand *op, int k, const char *c)
{
  char place[PL_PLACE], mine[PL_PLACE], target[SMALL];
  pl_private_place(op, k, c, mine);
  if (!op->gathers)
    pl_line(b, "%s = %s;", mine, op->arg->fixed ? "0" : start_value(b, op, target));
  else if (op->arg->fixed)
    pl_line(b, "%s = %s%s(double)%s * 0x1p-%d;", mine, op->guard ? pl_body_target(b, op, k, target) : "",
            op->guard ? " < 0 ? 0 : " : "", element_place(b, op, k, c, place), op->arg->fixed);
  else if (op->guard && !b->buffered)
    pl_line(b, "%s = %s < 0 ? 0 : %s;", mine, pl_body_target(b, op, k, target),
            element_place(b, op, k, c, place));
  else
    pl_line(b, "%s = %s;", mine, element_place(b, op, k, c, place));
}

/* Pointers straight into the dat. */
static void print_pointers(const pl_body *b, const pl_operand *op)
{
  char place[PL_PLACE];
  const char *type = pl_op_type(op), *constant = op->arg->access == PL_READ ? "const " : "";
  if (!op->all) {
    pl_line(b, "%s%s *const %s = &%s;", constant, type, op->x, element_place(b, op, 0, "0", place));
    return;
  }
  pl_line(b, "%s%s *%s[%d];", constant, type, op->x, op->targets);
  for (int k = 0; k < op->targets; k++) {
    pl_line(b, "%s[%d] = &%s;", op->x, k, element_place(b, op, k, "0", place));
  }
}

/* The device's vector of `n` values of a type, or NULL: double2, float4... */
static const char *vector_name(const pl_operand *op, int n, char *buffer)
{
  static const char *const names[] = {[PL_INT32] = "int",    [PL_UINT32] = "uint", [PL_INT64] = "long",
                                      [PL_UINT64] = "ulong", [PL_FLOAT] = "float", [PL_DOUBLE] = "double"};
  if (op->type > PL_DOUBLE || !names[op->type]) return NULL;
  snprintf(buffer, SMALL, "%s%d", names[op->type], n);
  return buffer;
}

/* Values that a device loads or stores at once: records that lie together, in pieces of up to 16 bytes. */
static int vector_length(const pl_walk_state *w, const pl_operand *op)
{
  if (w->dialect->host || op->local || op->staged >= 0 || op->guard || op->arg->fixed ||
      op->dim != op->stride || op->dim > UNROLL)
    return 1;
  if (op->layout != PL_AOS) return op->pack * (int)pl_type_size(op->type) <= 16 ? op->pack : 1;
  int n = 16 / (int)pl_type_size(op->type);
  while (n > 1 && op->stride % n) n /= 2;
  return n <= 4 ? n : 1;
}

/* x[0] = v.x; x[1] = v.y; ... or back. */
static void print_vectors(const pl_body *b, const pl_operand *op, int k, int n, bool load)
{
  static const char member[] = "xyzw";
  char c[16], place[PL_PLACE], mine[PL_PLACE], vector[SMALL];
  pl_body in = *b;
  in.depth++;
  vector_name(op, n, vector);
  for (int first = 0; first < op->dim; first += n) {
    snprintf(c, sizeof c, "%d", first);
    element_place(b, op, k, c, place);
    pl_line(b, "{");
    if (load)
      pl_line(&in, "const %s pl_v = *(const %s%s *)&%s;", vector, b->w->dialect->global, vector, place);
    else
      pl_line(&in, "%s pl_v;", vector);
    for (int i = 0; i < n; i++) {
      snprintf(c, sizeof c, "%d", first + i);
      pl_private_place(op, k, c, mine);
      if (load)
        pl_line(&in, "%s = pl_v.%c;", mine, member[i]);
      else
        pl_line(&in, "pl_v.%c = %s;", member[i], mine);
    }
    if (!load) pl_line(&in, "*(%s%s *)&%s = pl_v;", b->w->dialect->global, vector, place);
    pl_line(b, "}");
  }
}

int pl_vector_of(const pl_walk_state *w, const pl_operand *op, char *name)
{
  int n = vector_length(w, op);
  return n > 1 && vector_name(op, n, name) ? n : 1;
}

static bool has_private(const pl_operand *op)
{
  return !pl_op_off(op) && !op->row && (pl_arg_dat_of(op->arg) || op->local || pl_op_reduces(op)) &&
         op->dim > 0;
}

static void declare_private(const pl_body *b, const pl_operand *op)
{
  if (op->all)
    pl_line(b, "%s %s[%d][%d];", pl_op_seen(op), op->x, op->targets, op->dim);
  else
    pl_line(b, "%s %s[%d];", pl_op_seen(op), op->x, op->dim);
}

/* The global index of the element, or of its target: what an index argument shows. */
static const char *number_name(const pl_body *b, const pl_operand *op, char *buffer)
{
  char name[SMALL];
  const char *target = pl_body_target(b, op, 0, name);
  if (op->numbers < 0)
    snprintf(buffer, PL_PLACE, "%s", target);
  else if (op->guard)
    snprintf(buffer, PL_PLACE, "%s < 0 ? %s : n%d[%s]", target, target, op->numbers, target);
  else
    snprintf(buffer, PL_PLACE, "n%d[%s]", op->numbers, target);
  return buffer;
}

static void gather(const pl_body *b, const pl_operand *op)
{
  char target[PL_PLACE];
  if (op->arg->kind == PL_ARG_INDEX && !pl_op_off(op)) {
    pl_line(b, "const int64_t %s[1] = {%s};", op->x, number_name(b, op, target));
  } else if (op->row && !pl_op_off(op)) {
    pl_body_row(b, op);
  } else if (op->pointer && has_private(op)) {
    print_pointers(b, op);
  } else if (has_private(op)) {
    declare_private(b, op);
    int n = op->gathers ? pl_vector_of(b->w, op, target) : 1;
    pl_body in = *b;
    if (op->where) open_where(b, op, &in);
    for (int k = 0; k < op->targets; k++)
      if (n > 1)
        print_vectors(&in, op, k, n, true);
      else
        pl_each_value(&in, op, k, print_gather);
    if (op->where) pl_line(b, "}");
  }
}

/* Rows that few elements look at come last: all else is on its way by then. */
void pl_body_gather(const pl_body *b)
{
  const pl_walk_state *w = b->w;
  for (int i = 0; i < w->loop->nargs; i++)
    if (!w->op[i].where) gather(b, &w->op[i]);
  for (int i = 0; i < w->loop->nargs; i++) {
    if (!w->op[i].where) continue;
    if (pl_body_needs_targets(w, &w->op[i]) && !printed_before(w, i)) print_rare_row(b, &w->op[i]);
    gather(b, &w->op[i]);
  }
}

/* ---- call ---- */

/* T *x[n] wants an array of pointers: one into each target's private values. */
static void declare_pointer_array(const pl_body *b, const pl_operand *op)
{
  const char *constant = op->param->is_const ? "const " : "", *type = pl_type_name(pl_arg_seen_type(op->arg));
  pl_line(b, "%s%s *%s_p[%d];", constant, type, op->x, op->targets);
  for (int k = 0; k < op->targets; k++)
    pl_line(b, "%s_p[%d] = (%s%s *)%s[%d];", op->x, k, constant, type, op->x, k);
}

static bool wants_pointer_array(const pl_operand *op)
{
  return has_private(op) && op->all && op->param->shape == PL_SHAPE_POINTERS;
}

/* The cast to the parameter's type: T *, T *const *, T (*)[b]... */
static void print_cast(pl_text *text, const pl_operand *op)
{
  const char *constant = op->param->is_const ? "const " : "", *type = pl_type_name(pl_arg_seen_type(op->arg));
  if (op->param->shape == PL_SHAPE_POINTERS) {
    pl_text_add(text, "(%s%s **)", constant, type);
  } else if (op->param->shape == PL_SHAPE_PACKED) {
    pl_text_add(text, "(%s%s (*)", constant, type);
    for (int e = 1; e < op->param->rank; e++)
      pl_text_add(text, "[%d]", op->param->extent[e] >= 0 ? op->param->extent[e] : pl_arg_dim(op->arg));
    pl_text_add(text, ")");
  } else {
    pl_text_add(text, "(%s%s *)", constant, type);
  }
}

static void print_argument(const pl_walk_state *w, pl_text *text, const pl_operand *op)
{
  if (op->arg->kind == PL_ARG_POINTER) {
    pl_text_add(text, w->cpp ? "pl_any{p%d}" : "p%d", op->i);
    return;
  }
  if (pl_op_off(op) || (op->dim == 0 && op->arg->kind == PL_ARG_DAT && !op->row)) {
    pl_text_add(text, "0");
    return;
  }
  if (op->arg->kind != PL_ARG_INDEX && !op->row) print_cast(text, op);
  if ((op->arg->kind == PL_ARG_GLOBAL && !pl_op_reduces(op)) || op->arg->kind == PL_ARG_CONST)
    pl_text_add(text, "v%d", op->i);
  else
    pl_text_add(text, "%s%s", op->x, wants_pointer_array(op) ? "_p" : "");
}

void pl_body_call(const pl_body *b)
{
  const pl_walk_state *w = b->w;
  for (int i = 0; i < w->loop->nargs; i++)
    if (wants_pointer_array(&w->op[i]) && !w->op[i].pointer) declare_pointer_array(b, &w->op[i]);
  pl_text_add(b->text, "%*s%s(%s", 2 * b->depth, "", w->loop->kernel->name, w->consts ? "&pl_k, " : "");
  for (int i = 0; i < w->loop->nargs; i++) {
    if (i) pl_text_add(b->text, ", ");
    if (w->op[i].pointer && w->op[i].all) {
      print_cast(b->text, &w->op[i]);
      pl_text_add(b->text, "%s", w->op[i].x);
    } else {
      print_argument(w, b->text, &w->op[i]);
    }
  }
  pl_text_add(b->text, ");\n");
}

/* ---- scatter ---- */

bool pl_op_atomic(const pl_operand *op)
{
  return pl_op_scatters(op) && pl_arg_collides(op->arg) && op->arg->access != PL_WRITE &&
         op->arg->access != PL_RW;
}

const char *pl_atomic_name(const pl_operand *op)
{
  return op->arg->access == PL_MIN ? "min" : op->arg->access == PL_MAX ? "max" : "inc";
}

/* The value that is there is loaded before it is compared: a load that hangs on a condition keeps gcc from
 * using vectors. */
static void print_extreme(const pl_body *b, const pl_operand *op, const char *into, const char *value)
{
  const char *better = op->arg->access == PL_MIN ? "<" : ">";
  if (b->w->dialect->host)
    pl_line(b, "{ const %s pl_was = %s; %s = %s %s pl_was ? %s : pl_was; }", pl_op_type(op), into, into,
            value, better, value);
  else
    pl_line(b, "%s = %s %s %s ? %s : %s;", into, value, better, into, value, into);
}

void pl_print_combine(const pl_body *b, const pl_operand *op, const char *into, const char *value)
{
  switch (op->arg->access) {
  case PL_INC:
    pl_line(b, "%s += %s;", into, value);
    break;
  case PL_MIN:
  case PL_MAX:
    print_extreme(b, op, into, value);
    break;
  default:
    pl_line(b, "%s = %s;", into, value);
    break;
  }
}

/* The value that an element's private copy adds to what is kept: reals in fixed point become whole. */
static const char *stored_value(const pl_operand *op, int k, const char *c, char *buffer)
{
  char mine[PL_PLACE];
  if (!op->arg->fixed) return pl_private_place(op, k, c, buffer);
  snprintf(buffer, PL_PLACE, "(int64_t)(%.200s * 0x1p%d)", pl_private_place(op, k, c, mine), op->arg->fixed);
  return buffer;
}

static bool is_checked(const pl_body *b, const pl_operand *op)
{
  return op->arg->fixed && b->w->style->checks;
}

static void print_checked(const pl_body *b, const pl_operand *op, int k, const char *c, const char *into)
{
  char mine[PL_PLACE];
  pl_line(b, "%s = pl_fixed_sum(%s, %s * 0x1p%d);", into, into, pl_private_place(op, k, c, mine),
          op->arg->fixed);
}

static void print_scatter(const pl_body *b, const pl_operand *op, int k, const char *c)
{
  char place[PL_PLACE], mine[PL_PLACE];
  element_place(b, op, k, c, place);
  if (is_checked(b, op)) {
    print_checked(b, op, k, c, place);
    return;
  }
  stored_value(op, k, c, mine);
  if (b->buffered && pl_op_buffered(op))
    pl_line(b, "%s = %s;", place, mine);
  else if (b->w->style->conflict == PL_ATOMIC && pl_op_atomic(op))
    pl_line(b, "pl_%s_%s(&%s, %s);", pl_atomic_name(op), pl_op_type(op), place, mine);
  else
    pl_print_combine(b, op, place, mine);
}

static void scatter(const pl_body *b, const pl_operand *op, int k)
{
  char target[SMALL];
  int n = op->arg->access == PL_WRITE || op->arg->access == PL_RW ? pl_vector_of(b->w, op, target) : 1;
  pl_body inner = *b;
  if (n > 1) {
    print_vectors(b, op, k, n, false);
    return;
  }
  bool guard = op->guard && !b->buffered; /* a lane buffer is always there */
  if (guard) {
    pl_line(b, "if (%s >= 0) {", pl_body_target(b, op, k, target));
    inner.depth++;
  }
  pl_each_value(&inner, op, k, print_scatter);
  if (guard) pl_line(b, "}");
}

void pl_body_scatter(const pl_body *b)
{
  for (int i = 0; i < b->w->loop->nargs; i++) {
    const pl_operand *op = &b->w->op[i];
    if (!pl_op_scatters(op) || pl_op_contributes(b->w, op)) continue;
    for (int k = 0; k < op->targets; k++) scatter(b, op, k);
  }
}

/* ---- reductions ---- */

static void print_reduce(const pl_body *b, const pl_operand *op, int k, const char *c)
{
  char place[PL_PLACE], mine[PL_PLACE];
  result_place(b, op->i, c, place);
  if (is_checked(b, op))
    print_checked(b, op, k, c, place);
  else
    pl_print_combine(b, op, place, stored_value(op, k, c, mine));
}

/* An extreme with payload: all change hands together when the value is better, or equal at a lower global
 * index. */
static void reduce_with_payload(const pl_body *b, const pl_operand *op)
{
  char number[PL_PLACE];
  pl_body inner = *b;
  inner.depth++;
  const char *better = op->arg->access == PL_MIN ? "<" : ">";
  number_name(b, op, number);
  pl_line(b, "if (%s[0] %s g%d[0] || (%s[0] == g%d[0] && %s < w%d_e)) {", op->x, better, op->i, op->x, op->i,
          number, op->i);
  pl_line(&inner, "g%d[0] = %s[0];", op->i, op->x);
  pl_line(&inner, "w%d_e = %s;", op->i, number);
  for (int i = 0; i < b->w->loop->nargs; i++) {
    const pl_operand *payload = &b->w->op[i];
    if (pl_op_off(payload) || payload->of != op->i) continue;
    pl_each_value(&inner, payload, 0, print_reduce);
  }
  pl_line(b, "}");
}

void pl_body_reduce(const pl_body *b)
{
  for (int i = 0; i < b->w->loop->nargs; i++) {
    const pl_operand *op = &b->w->op[i];
    if (!pl_op_reduces(op) || op->payload) continue;
    if (op->has_payload)
      reduce_with_payload(b, op);
    else
      pl_each_value(b, op, 0, print_reduce);
  }
}

static void copy_result_in(const pl_body *b, const pl_operand *op, int k, const char *c)
{
  (void)k;
  pl_line(b, "g%d[%s] = r%d[%s];", op->i, c, op->i, c);
}

static void copy_result_out(const pl_body *b, const pl_operand *op, int k, const char *c)
{
  (void)k;
  pl_line(b, "r%d[%s] = g%d[%s];", op->i, c, op->i, c);
}

void pl_results_declare(const pl_body *b)
{
  for (int i = 0; i < b->w->loop->nargs; i++) {
    const pl_operand *op = &b->w->op[i];
    if (!pl_op_reduces(op)) continue;
    pl_line(b, "%s g%d[%d];", pl_op_type(op), i, op->dim);
    pl_each_value(b, op, 0, copy_result_in);
    if (op->has_payload) pl_line(b, "int64_t w%d_e = *w%d;", i, i);
  }
}

void pl_results_store(const pl_body *b)
{
  for (int i = 0; i < b->w->loop->nargs; i++) {
    const pl_operand *op = &b->w->op[i];
    if (!pl_op_reduces(op)) continue;
    pl_each_value(b, op, 0, copy_result_out);
    if (op->has_payload) pl_line(b, "*w%d = w%d_e;", i, i);
  }
}

void pl_body_element(const pl_body *b)
{
  if (b->w->style->checks) pl_watch_at(b);
  pl_body_targets(b);
  pl_body_gather(b);
  pl_body_call(b);
  if (b->w->style->checks) pl_watch_element(b);
  pl_body_scatter(b);
  pl_body_reduce(b);
}

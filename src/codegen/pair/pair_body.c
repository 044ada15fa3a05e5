/* SPDX-License-Identifier: BSD-2-Clause
 * What happens for one pair, printed; for every dialect and form.
 */
#include "pair.h"
#include "watch.h"
#include <string.h>

/* ---- properties ---- */

static bool all_symmetric(const pl_loop *loop)
{
  for (int i = 0; i < loop->nargs; i++)
    if (loop->args[i].kind == PL_ARG_DAT && pl_arg_writes(&loop->args[i]) && loop->args[i].index != PL_BOTH)
      return false;
  return true;
}

bool pl_pair_once(const pl_loop *loop)
{
  const pl_map *map = loop->set->pairs;
  if (!map->pair_map) return true;
  bool host = !loop->pl->backend->dat_alloc;
  return host && !map->pairs->everyone && pl_opt_is(loop->pl, PL_OPT_LIST, "half") && all_symmetric(loop);
}

bool pl_pair_scatters(const pl_loop *loop)
{
  if (!pl_pair_once(loop)) return false;
  for (int i = 0; i < loop->nargs; i++)
    if (loop->args[i].kind == PL_ARG_DAT && pl_arg_writes(&loop->args[i]) && loop->args[i].index != 0)
      return true;
  return false;
}

bool pl_pair_stores(const pl_loop *loop)
{
  return loop->set->pairs && loop->set->pairs->pair_map && !pl_pair_once(loop);
}

const char *pl_pair_adds(const pl_walk_state *w, const pl_operand *op)
{
  return op->arg->zeroed && pl_pair_stores(w->loop) ? "=" : "+=";
}

pl_form pl_pair_form(const pl_loop *loop)
{
  bool scalar = pl_opt_is(loop->pl, PL_OPT_SHAPE, "scalar") || pl_kernel_extras(loop->kernel)->cpp;
  return scalar || pl_pair_once(loop) ? PL_FORM_SCALAR : PL_FORM_LANES;
}

bool pl_pair_from_records(const pl_loop *loop, const pl_arg *arg)
{
  const pl_map *map = loop->set->pairs;
  return (arg->kind == PL_ARG_DIFFERENCE || arg->kind == PL_ARG_DISTANCE) && map->pair_map &&
         arg->object == map->pairs->position;
}

const char *pl_pair_type(const pl_walk_state *w)
{
  return pl_type_name(w->loop->set->pairs->pairs->position->type);
}

bool pl_pair_gathers(const pl_operand *op)
{
  return pl_op_scatters(op) && op->arg->index != 1;
}

bool pl_pair_halved(const pl_walk_state *w, const pl_operand *op)
{
  return !pl_pair_once(w->loop) && pl_op_reduces(op) && op->arg->access == PL_INC;
}

void pl_pair_slots(pl_walk_state *w)
{
  const pl_map *map = w->loop->set->pairs;
  pl_slot *slot = w->program->slot;
  int *n = &w->program->nslots;
  if (!map->pair_map || !map->pairs->everyone) {
    slot[(*n)++] = (pl_slot){PL_SLOT_PAIR_ROW, -1};
    slot[(*n)++] = (pl_slot){PL_SLOT_PAIR_ENTRY, -1};
  }
  if (!map->pair_map) return;
  slot[(*n)++] = (pl_slot){PL_SLOT_PAIR_RECORD, -1};
  slot[(*n)++] = (pl_slot){PL_SLOT_PAIR_CUTOFF, -1};
  if (!map->pairs->everyone) slot[(*n)++] = (pl_slot){PL_SLOT_PAIR_OWNER, -1};
  if (!map->pairs->everyone && !w->dialect->host) slot[(*n)++] = (pl_slot){PL_SLOT_PAIR_STALE, -1};
  if (map->pairs->everyone || (w->dialect->host && w->form == PL_FORM_LANES) || pl_ranks(w->loop->pl) > 1)
    slot[(*n)++] = (pl_slot){PL_SLOT_PAIR_COUNT, -1};
}

/* ---- geometry ---- */

void pl_pair_own_place(const pl_body *b)
{
  const pl_map *map = b->w->loop->set->pairs;
  const char *own = b->w->dialect->host ? "pl_e" : "pl_s";
  for (int a = 0; map->pair_map && a < map->pairs->dim; a++)
    pl_line(b, "const %s pl_x%d = P[%d * (int64_t)%s + %d];", pl_pair_type(b->w), a, map->pairs->width, own,
            a);
}

/* On devices a record moves in pieces of up to 16 bytes; 0: value by value. */
static int piece_length(const pl_body *b, const pl_pairs *pairs)
{
  int piece = 16 / (int)pl_type_size(pairs->position->type);
  if (b->w->dialect->host || pairs->width == 1) return 0;
  return piece > pairs->width ? pairs->width : piece;
}

/* Records pl_p0, pl_p1, ... in pieces pl_w0_0, pl_w0_1, ...: all are on their way before one is used. */
void pl_pair_load_batch(const pl_body *b)
{
  const pl_pairs *pairs = b->w->loop->set->pairs->pairs;
  const char *type = pl_pair_type(b->w);
  int piece = piece_length(b, pairs);
  for (int k = 0; piece && k < PL_PAIR_BATCH; k++)
    for (int v = 0; v * piece < pairs->dim; v++)
      pl_line(b, "const %s%d pl_w%d_%d = *(%sconst %s%d *)&P[%d * (int64_t)pl_p%d + %d];", type, piece, k, v,
              b->w->dialect->global, type, piece, pairs->width, k, v * piece);
}

/* One of them is at hand as pl_v0, pl_v1. */
void pl_pair_take_of_batch(const pl_body *b, int k)
{
  const pl_pairs *pairs = b->w->loop->set->pairs->pairs;
  int piece = piece_length(b, pairs);
  for (int v = 0; piece && v * piece < pairs->dim; v++)
    pl_line(b, "const %s%d pl_v%d = pl_w%d_%d;", pl_pair_type(b->w), piece, v, k, v);
}

static int load_pieces(const pl_body *b, const pl_pairs *pairs, const char *type)
{
  int piece = piece_length(b, pairs);
  if (!piece || !pairs->everyone) return piece; /* loaded with its batch */
  for (int v = 0; v * piece < pairs->dim; v++)
    pl_line(b, "const %s%d pl_v%d = *(%sconst %s%d *)&P[%d * (int64_t)pl_p + %d];", type, piece, v,
            b->w->dialect->global, type, piece, pairs->width, v * piece);
  return piece;
}

void pl_pair_geometry(const pl_body *b)
{
  const pl_pairs *pairs = b->w->loop->set->pairs->pairs;
  const char *type = pl_pair_type(b->w), *lane = b->lanes ? "[pl_l]" : "";
  char sum[80] = "pl_d0 * pl_d0";
  int piece = load_pieces(b, pairs, type);
  for (int a = 0; a < pairs->dim; a++) {
    if (b->lanes && !pairs->everyone)
      pl_line(b, "const %s pl_d%d = pl_x%d[pl_l] - pl_q%d[pl_l];", type, a, a, a);
    else if (piece)
      pl_line(b, "const %s pl_d%d = pl_x%d - pl_v%d.%c;", type, a, a, a / piece, "xyzw"[a % piece]);
    else
      pl_line(b, "const %s pl_d%d = pl_x%d%s - P[%d * (int64_t)pl_p + %d];", type, a, a, lane, pairs->width,
              a);
    if (a) snprintf(sum + strlen(sum), sizeof sum - strlen(sum), " + pl_d%d * pl_d%d", a, a);
  }
  pl_line(b, "const %s pl_r2 = %s;", type, sum);
}

/* ---- private values ---- */

bool pl_pair_keeps_own(const pl_walk_state *w, const pl_operand *op)
{
  const pl_arg *arg = op->arg;
  if (pl_op_off(op) || pl_pair_from_records(w->loop, arg)) return false;
  return arg->kind == PL_ARG_DIFFERENCE || arg->kind == PL_ARG_DISTANCE ||
         (arg->kind == PL_ARG_DAT && arg->access == PL_READ && arg->index == 0);
}

/* Value c of a side's record; in lanes side 0's was loaded before. */
static const char *place_on(const pl_body *b, const pl_operand *op, int side, const char *c, char *buffer)
{
  if (side || !b->lanes) return pl_print_place(op, c, side ? "pl_o" : "pl_e", buffer);
  snprintf(buffer, PL_PLACE, "e%d[%s][pl_l]", op->i, c);
  return buffer;
}

static const char *side_name(const pl_operand *op)
{
  return op->arg->index == 1 ? "pl_o" : "pl_e";
}

static void print_value(const pl_body *b, const pl_operand *op, int k, const char *c)
{
  char place[PL_PLACE], other[PL_PLACE];
  bool records = pl_pair_from_records(b->w->loop, op->arg);
  (void)k;
  if (op->arg->kind == PL_ARG_DIFFERENCE && records)
    pl_line(b, "%s[%s] = pl_d%d;", op->x, c, op->first + (c[0] == 'p' ? 0 : atoi(c)));
  else if (op->arg->kind == PL_ARG_DIFFERENCE)
    pl_line(b, "%s[%s] = %s - %s;", op->x, c, place_on(b, op, 0, c, place), place_on(b, op, 1, c, other));
  else if (op->arg->kind == PL_ARG_DAT && op->arg->access == PL_READ)
    pl_line(b, "%s[%s] = %s;", op->x, c, place_on(b, op, op->arg->index == 1, c, place));
  else
    pl_line(b, "%s[%s] = %s;", op->x, c, pl_op_neutral(op));
}

/* The square of the length of a difference that is not that of the positions. */
static void print_length(const pl_body *b, const pl_operand *op)
{
  char c[16], e[PL_PLACE], o[PL_PLACE];
  if (pl_pair_from_records(b->w->loop, op->arg)) {
    pl_line(b, "%s[0] = pl_r2;", op->x);
    return;
  }
  pl_line(b, "%s[0] = 0;", op->x);
  for (int i = 0; i < op->stride; i++) {
    snprintf(c, sizeof c, "%d", i);
    place_on(b, op, 0, c, e);
    place_on(b, op, 1, c, o);
    pl_line(b, "%s[0] += (%s - %s) * (%s - %s);", op->x, e, o, e, o);
  }
}

static void print_private(const pl_body *b, const pl_operand *op)
{
  const pl_arg *arg = op->arg;
  if (pl_op_off(op) || arg->kind == PL_ARG_CONST || (arg->kind == PL_ARG_GLOBAL && !pl_op_reduces(op)))
    return;
  if (arg->kind == PL_ARG_INDEX) {
    if (op->numbers < 0)
      pl_line(b, "const int64_t %s[1] = {%s};", op->x, side_name(op));
    else
      pl_line(b, "const int64_t %s[1] = {n%d[%s]};", op->x, op->numbers, side_name(op));
    return;
  }
  if (op->dim == 0) return;
  pl_line(b, "%s %s[%d];", pl_op_type(op), op->x, op->dim);
  if (arg->kind == PL_ARG_DISTANCE)
    print_length(b, op);
  else
    pl_each_value(b, op, 0, print_value);
}

/* ---- shares and results ---- */

static void print_own_share(const pl_body *b, const pl_operand *op, int k, const char *c)
{
  (void)k;
  pl_line(b, b->lanes ? "s%d[%s] = %s[%s];" : "a%d[%s] += %s[%s];", op->i, c, op->x, c);
}

/* Pairs may be of two ranks' particles. */
static bool two_ranks(const pl_loop *loop)
{
  return pl_ranks(loop->pl) > 1 && loop->set->pairs->pair_map;
}

/* Side 1's share, where each pair is seen once. */
static void print_other_share(const pl_body *b, const pl_operand *op, int k, const char *c)
{
  char place[PL_PLACE], value[PL_PLACE];
  const char *sign = op->arg->access == PL_INC_ANTI ? "-" : "";
  (void)k;
  pl_print_place(op, c, "pl_o", place);
  snprintf(value, sizeof value, "%s%s[%s]", sign, op->x, c);
  if (b->w->dialect->host)
    pl_line(b, "%s += %s;", place, value);
  else
    pl_line(b, "pl_%s_%s(&%s, %s);", pl_atomic_name(op), pl_op_type(op), place, value);
}

static void print_result(const pl_body *b, const pl_operand *op, int k, const char *c)
{
  char into[64], from[64];
  (void)k;
  snprintf(into, sizeof into, b->lanes ? "g%d_l[%s][pl_l]" : "g%d[%s]", op->i, c);
  snprintf(from, sizeof from, "%s[%s]", op->x, c);
  if (b->lanes && op->arg->access == PL_INC)
    pl_line(b, "s%d[%s] = %s[%s];", op->i, c, op->x, c);
  else
    pl_print_combine(b, op, into, from);
}

/* ---- lanes: what a pair adds waits in s3[c], zero where the entry is no pair, so that every lane adds ----
 */

static bool waits(const pl_operand *op)
{
  return pl_pair_gathers(op) || (pl_op_reduces(op) && op->arg->access == PL_INC);
}

void pl_pair_declare_waiting(const pl_body *b)
{
  for (int i = 0; i < b->w->loop->nargs; i++)
    if (waits(&b->w->op[i])) pl_line(b, "%s s%d[%d] = {0};", pl_op_type(&b->w->op[i]), i, b->w->op[i].dim);
}

static void print_waiting(const pl_body *b, const pl_operand *op, int k, const char *c)
{
  (void)k;
  pl_line(b, "%s%d_l[%s][pl_l] += s%d[%s];", pl_pair_gathers(op) ? "a" : "g", op->i, c, op->i, c);
}

void pl_pair_add_waiting(const pl_body *b)
{
  for (int i = 0; i < b->w->loop->nargs; i++)
    if (waits(&b->w->op[i])) pl_each_value(b, &b->w->op[i], 0, print_waiting);
}

static void print_half(const pl_body *b, const pl_operand *op, int k, const char *c)
{
  (void)k;
  pl_line(b, "if (pl_o >= pl_count[1]) %s[%s] *= 0.5f;", op->x, c);
}

/* A pair of two ranks is seen by both: each adds half to sums of reals, whatever its backend does; those of
 * whole numbers, which cannot be halved, are the lower rank's. On one rank these count from one side, unless
 * each pair is seen once. */
static void print_results(const pl_body *b, const pl_operand *op)
{
  static const char mine[] = "(pl_o < pl_count[1] || pl_o >= pl_count[2])";
  bool once = pl_pair_once(b->w->loop), shared = two_ranks(b->w->loop);
  bool sums = op->arg->access == PL_INC, whole = pl_type_is_integer(op->type);
  bool one_side = pl_pair_halved(b->w, op) && whole, lower = once && shared && sums && whole;
  pl_body in = *b;
  if (one_side) pl_line(b, "if (pl_o > pl_e%s%s) {", shared ? " && " : "", shared ? mine : "");
  if (lower) pl_line(b, "if %s {", mine);
  in.depth += one_side || lower;
  if (once && shared && sums && !whole) pl_each_value(b, op, 0, print_half);
  pl_each_value(&in, op, 0, print_result);
  if (one_side || lower) pl_line(b, "}");
}

/* What side 1 gets, where each pair is seen once; another rank's particle gets it there. */
static void print_other_side(const pl_body *b, const pl_operand *op)
{
  bool shared = two_ranks(b->w->loop);
  pl_body in = *b;
  in.depth += shared;
  if (shared) pl_line(b, "if (pl_o < pl_count[1]) {");
  pl_each_value(&in, op, 0, print_other_share);
  if (shared) pl_line(b, "}");
}

void pl_pair_private(const pl_body *b)
{
  for (int i = 0; i < b->w->loop->nargs; i++) print_private(b, &b->w->op[i]);
}

void pl_pair_call(const pl_body *b)
{
  const pl_walk_state *w = b->w;
  bool once = pl_pair_once(w->loop);
  if (w->style->checks) pl_watch_at(b);
  pl_pair_private(b);
  pl_body_call(b);
  if (w->style->checks) pl_watch_pair(b);
  for (int i = 0; i < w->loop->nargs; i++) {
    const pl_operand *op = &w->op[i];
    if (pl_pair_gathers(op)) pl_each_value(b, op, 0, print_own_share);
    if (pl_op_scatters(op) && once && op->arg->index != 0) print_other_side(b, op);
    if (pl_op_reduces(op)) print_results(b, op);
  }
}

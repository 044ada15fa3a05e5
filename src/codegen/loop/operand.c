/* SPDX-License-Identifier: BSD-2-Clause
 * Operands and slots of a walk.
 */
#include "operand.h"
#include "core/memory.h"
#include "pair.h"
#include <string.h>

bool pl_op_off(const pl_operand *op)
{
  return op->arg->off;
}

bool pl_op_scatters(const pl_operand *op)
{
  return op->arg->kind == PL_ARG_DAT && pl_arg_writes(op->arg) && !op->pointer;
}

bool pl_op_contributes(const pl_walk_state *w, const pl_operand *op)
{
  return w->slots.n && pl_op_scatters(op) && pl_arg_collides(op->arg);
}

bool pl_op_buffered(const pl_operand *op)
{
  return op->arg->kind == PL_ARG_DAT && !op->arg->off && op->dim > 0 && (op->arg->map || op->dim > 1);
}

bool pl_op_reduces(const pl_operand *op)
{
  return pl_arg_reduces(op->arg);
}

const char *pl_op_type(const pl_operand *op)
{
  return pl_type_name(op->type);
}

/* x + -0.0 is x for every x, so a private sum that starts from -0.0 folds away; x + 0.0 is not x for x =
 * -0.0. What is only written starts from 0: a kernel that leaves it unwritten breaks its promise, but the
 * same way every time. */
const char *pl_op_seen(const pl_operand *op)
{
  return op->arg->fixed ? "double" : pl_op_type(op);
}

const char *pl_neutral_text(pl_type type, pl_access access)
{
  static const char *const low[] = {
    "(-128)", "0",         "(-32767 - 1)", "0", "(-2147483647 - 1)", "0", "(-9223372036854775807LL - 1)",
    "0",      "-INFINITY", "-INFINITY"};
  static const char *const high[] = {"127",
                                     "255",
                                     "32767",
                                     "65535",
                                     "2147483647",
                                     "4294967295U",
                                     "9223372036854775807LL",
                                     "18446744073709551615ULL",
                                     "INFINITY",
                                     "INFINITY"};
  if (access == PL_MIN) return high[type];
  if (access == PL_MAX) return low[type];
  return type == PL_DOUBLE ? "-0.0" : type == PL_FLOAT ? "-0.0f" : "0";
}

const char *pl_op_neutral(const pl_operand *op)
{
  return op->arg->access == PL_WRITE ? "0" : pl_neutral_text(op->type, op->arg->access);
}

/* ---- slots ---- */

static void add_slot(pl_loop_text *program, pl_slot_kind kind, int arg)
{
  program->slot[program->nslots++] = (pl_slot){kind, arg};
}

/* A dat's values are in a slot, unless the records of a pair map hold them. */
static bool has_slot(const pl_loop *loop, const pl_arg *arg)
{
  return pl_arg_dat_of(arg) && !(loop->set->pairs && pl_pair_from_records(loop, arg));
}

/* The first argument before i with the same dat (or map), or -1. Switched off ones have none. */
static int same_dat(const pl_loop *loop, int i)
{
  for (int j = 0; j < i; j++)
    if (pl_arg_dat_of(&loop->args[j]) == loop->args[i].object && has_slot(loop, &loop->args[j])) return j;
  return -1;
}

static int same_map(const pl_loop *loop, int i)
{
  for (int j = 0; j < i; j++)
    if (!loop->args[j].off && loop->args[j].map == loop->args[i].map) return j;
  return -1;
}

static void assign_dat(pl_walk_state *w, int i)
{
  int before = same_dat(w->loop, i);
  if (before < 0) add_slot(w->program, PL_SLOT_DAT, i);
  if (before < 0 && w->op[i].layout == PL_SOA) add_slot(w->program, PL_SLOT_STRIDE, i);
  w->op[i].dat = before < 0 ? w->ndats++ : w->op[before].dat;
}

static void assign_map(pl_walk_state *w, int i)
{
  int before = same_map(w->loop, i);
  if (before < 0) add_slot(w->program, PL_SLOT_MAP, i);
  if (before < 0 && w->loop->args[i].map->offset) add_slot(w->program, PL_SLOT_OFFSET, i);
  w->op[i].map = before < 0 ? w->nmaps++ : w->op[before].map;
}

static void assign_numbers(pl_walk_state *w, int i)
{
  const pl_set *set = pl_arg_numbered(w->loop, i);
  if (!set) return;
  for (int j = 0; j < i; j++)
    if (pl_arg_numbered(w->loop, j) == set) {
      w->op[i].numbers = w->op[j].numbers;
      return;
    }
  add_slot(w->program, PL_SLOT_NUMBERS, i);
  w->op[i].numbers = w->nnumbers++;
}

static void assign_slots(pl_walk_state *w, int i)
{
  const pl_operand *op = &w->op[i];
  if (op->arg->off) return;
  assign_numbers(w, i);
  if (has_slot(w->loop, op->arg)) assign_dat(w, i);
  if (op->arg->map && !w->loop->set->pairs) assign_map(w, i);
  if (op->arg->kind == PL_ARG_POINTER) add_slot(w->program, PL_SLOT_POINTER, i);
  if (op->arg->kind == PL_ARG_CONST) add_slot(w->program, PL_SLOT_VALUE, i);
  if (op->arg->kind == PL_ARG_GLOBAL)
    add_slot(w->program, pl_op_reduces(op) ? PL_SLOT_RESULT : PL_SLOT_VALUE, i);
  if (op->has_payload) add_slot(w->program, PL_SLOT_WHERE, i);
}

/* ---- operands ---- */

static void describe_dat(const pl_walk_state *w, pl_operand *op)
{
  const pl_dat *dat = op->arg->object;
  int parts = pl_type_is_complex(dat->type) ? 2 : 1;
  op->stride = dat->dim * parts;
  op->layout = w->dialect->host || op->stride == 1 ? PL_AOS : dat->layout;
  op->pack = op->layout == PL_AOS ? 1 : dat->pack;
  op->first = op->arg->component > 0 ? op->arg->component * parts : 0;
  op->wide = (int64_t)pl_set_room(dat->set) * op->stride > INT32_MAX;
}

/* PL_WRITE promises that every value is written; the scalar host form holds to it even where the kernel does
 * not, so that PLAIT_CHECK can tell. */
static bool starts_from_dat(const pl_walk_state *w, const pl_arg *arg)
{
  if (arg->kind != PL_ARG_DAT || arg->off) return false;
  return arg->access == PL_READ || arg->access == PL_RW ||
         (arg->access == PL_WRITE && w->dialect->host && w->form == PL_FORM_SCALAR);
}

/* Whether the kernel can work on the dat itself: element by element on the host, nothing collides, nothing to
 * skip. */
static bool can_point(const pl_walk_state *w, const pl_operand *op)
{
  if (w->loop->set->pairs || (w->style->checks && pl_arg_writes(op->arg))) return false;
  if (op->row || op->arg->fixed || op->local || !w->dialect->host || w->form != PL_FORM_SCALAR ||
      op->arg->kind != PL_ARG_DAT || op->guard || op->arg->off)
    return false;
  if (op->all) return op->arg->access == PL_READ && op->param->shape == PL_SHAPE_POINTERS;
  if (op->arg->access == PL_READ) return true;
  return !op->arg->map && (op->arg->access == PL_WRITE || op->arg->access == PL_RW);
}

static bool is_early(const pl_blocks *blocks, const pl_arg *arg)
{
  if (arg->map) return arg->map->from == blocks->staged;
  return arg->kind == PL_ARG_DAT && ((const pl_dat *)arg->object)->local;
}

static void describe(pl_walk_state *w, int i)
{
  pl_operand *op = &w->op[i];
  const pl_arg *arg = op->arg = &w->loop->args[i];
  op->i = i;
  op->param = &w->signature->param[i];
  op->dat = op->map = op->numbers = op->of = -1;
  op->targets = 1;
  snprintf(op->x, sizeof op->x, "x%d_%.32s", i, op->param->name);
  if (arg->kind == PL_ARG_POINTER) return;
  pl_type type = pl_arg_type(arg);
  op->type = pl_type_base(type);
  op->dim = pl_arg_dim(arg) * (pl_type_is_complex(type) ? 2 : 1);
  op->row = arg->kind == PL_ARG_DAT && pl_arg_is_row(arg);
  op->all = arg->kind == PL_ARG_DAT && arg->map && arg->index == PL_ALL && !op->row;
  op->targets = op->all ? arg->map->arity : 1;
  op->guard = arg->map && arg->map->has_negative;
  op->local = arg->kind == PL_ARG_DAT && !arg->off && ((const pl_dat *)arg->object)->local;
  op->early = w->loop->blocks && is_early(w->loop->blocks, arg);
  if (pl_arg_dat_of(arg) || op->local) describe_dat(w, op);
  if (op->local) op->layout = PL_AOS, op->pack = 1;
  op->gathers = starts_from_dat(w, arg);
  op->pointer = can_point(w, op);
  op->of = pl_payload_of(w->loop, i);
  op->payload = op->of >= 0;
  op->has_payload = pl_has_payload(w->loop, i);
}

static bool arg_is_read(const pl_operand *op)
{
  return op->arg->kind == PL_ARG_DAT && op->arg->access == PL_READ && !op->arg->fixed;
}

/* On devices, rows of maps that are read in few elements only are loaded there only; where pointers
 * allow it, values even where the kernel looks at them, so that they take no registers elsewhere. */
static void find_where(pl_walk_state *w, pl_operand *op)
{
  const pl_map *map = op->arg->map;
  if (w->dialect->host || op->arg->off || !map || !map->where) return;
  for (int i = 0; i < w->loop->nargs; i++) {
    const pl_arg *arg = &w->loop->args[i];
    if (arg->object == map->where && !arg->map && !arg->off && arg->access == PL_READ) op->where = &w->op[i];
  }
  if (!op->where) return;
  op->guard = false;
  op->pointer = w->dialect->one_space && op->all && op->layout == PL_AOS && arg_is_read(op) &&
                op->param->shape == PL_SHAPE_POINTERS;
}

/* ---- what belongs to a way of resolving conflicts ---- */

static pl_err make_slots(pl_walk_state *w)
{
  size_t bytes = (size_t)pl_most_slots(w->loop) * sizeof *w->slots.reach;
  w->slots.reach = pl_malloc(w->loop->pl, bytes);
  if (!w->slots.reach) return pl_fail_memory(w->loop->pl, bytes);
  w->slots.n = pl_increment_slots(w->loop, w->slots.reach);
  return PL_SUCCESS;
}

static pl_err make_lists(pl_walk_state *w)
{
  size_t bytes = (size_t)w->loop->nargs * sizeof *w->list;
  w->list = pl_malloc(w->loop->pl, bytes);
  if (!w->list) return pl_fail_memory(w->loop->pl, bytes);
  for (int i = 0; i < w->loop->nargs; i++) w->op[i].staged = pl_stage_list(w->loop, i, &w->nlists, w->list);
  return PL_SUCCESS;
}

static pl_err make_conflict(pl_walk_state *w)
{
  pl_conflict conflict = w->style->conflict;
  for (int i = 0; i < w->loop->nargs; i++) w->op[i].staged = -1;
  if (w->dialect->host || !pl_collides(w->loop)) return PL_SUCCESS;
  if (conflict == PL_STAGE) return make_lists(w);
  return conflict == PL_COMBINE || conflict == PL_GATHER || conflict == PL_STORED ? make_slots(w)
                                                                                  : PL_SUCCESS;
}

pl_err pl_operands_make(pl_walk_state *w)
{
  pl_context *pl = w->loop->pl;
  size_t n =
    (size_t)w->loop->nargs; /* at most four slots each: dat, stride, map, offset; and a list of pairs */
  w->op = pl_calloc(pl, n, sizeof *w->op);
  w->program->slot = pl_calloc(pl, 4 * n + 8, sizeof *w->program->slot);
  if (!w->op || !w->program->slot) return pl_fail_memory(pl, n * sizeof *w->op);
  for (int i = 0; i < w->loop->nargs; i++) {
    describe(w, i);
    assign_slots(w, i);
  }
  for (int i = 0; i < w->loop->nargs; i++) find_where(w, &w->op[i]);
  return make_conflict(w);
}

void pl_operands_free(pl_walk_state *w)
{
  pl_free(w->loop->pl, w->op);
  pl_free(w->loop->pl, w->list);
  pl_free(w->loop->pl, w->slots.reach);
}

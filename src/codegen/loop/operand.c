/* SPDX-License-Identifier: BSD-2-Clause
 * Makes the operands of a loop and the parameters of its program.
 */
#include "operand.h"
#include "pair_info.h"
#include "codegen/source/vector_source.h"
#include "core/data/lowered_args.h"
#include "core/loop/arg.h"
#include "core/loop/reduction.h"
#include <string.h>

bool pl_operand_scatters(const pl_operand *op)
{
  return pl_arg_is_record(op->arg) && pl_arg_writes(op->arg) && !op->pointer;
}

bool pl_operand_contributes(const pl_emitter *e, const pl_operand *op)
{
  return e->increments.n && pl_operand_scatters(op) && pl_arg_collides(op->arg);
}

bool pl_operand_atomic(const pl_operand *op)
{
  return pl_operand_scatters(op) && pl_arg_collides(op->arg) && op->arg->access != PL_WRITE &&
         op->arg->access != PL_RW;
}

const char *pl_atomic_name(const pl_operand *op)
{
  return op->arg->access == PL_MIN ? "min" : op->arg->access == PL_MAX ? "max" : "inc";
}

bool pl_operand_tensor(const pl_operand *op)
{
  return op->vector && pl_arg_is_tensor(op->arg);
}

bool pl_operand_buffered(const pl_operand *op)
{
  return pl_arg_is_record(op->arg) && !op->arg->off && op->dim > 0 &&
         (op->arg->map || op->dim > 1 || op->vector);
}

bool pl_operand_reduces(const pl_operand *op)
{
  return pl_arg_reduces(op->arg);
}

bool pl_operand_is_input(const pl_operand *op)
{
  return pl_arg_traits_of(op->arg)->shared && !pl_operand_reduces(op);
}

const char *pl_operand_type(const pl_operand *op)
{
  return pl_type_name(op->type);
}

const char *pl_operand_copy_type(const pl_operand *op)
{
  return op->arg->fixed ? "double" : pl_operand_type(op);
}

/* x + -0.0 is x for every x, so a private sum that starts from -0.0 folds away; x + 0.0 is not x for x =
 * -0.0. */
const char *pl_neutral_text(pl_type type, pl_access access)
{
  static const char *const limits[][2] = {{"(-128)", "127"},
                                          {"0", "255"},
                                          {"(-32767 - 1)", "32767"},
                                          {"0", "65535"},
                                          {"(-2147483647 - 1)", "2147483647"},
                                          {"0", "4294967295U"},
                                          {"(-9223372036854775807LL - 1)", "9223372036854775807LL"},
                                          {"0", "18446744073709551615ULL"},
                                          {"-INFINITY", "INFINITY"},
                                          {"-INFINITY", "INFINITY"}};
  if (access == PL_MIN || access == PL_MAX) return limits[type][access == PL_MIN];
  return type == PL_DOUBLE ? "-0.0" : type == PL_FLOAT ? "-0.0f" : "0";
}

/* A value that is only written starts from 0: a kernel that leaves it unwritten breaks its promise, but the
 * same way every time. */
const char *pl_operand_neutral(const pl_operand *op)
{
  return op->arg->access == PL_WRITE ? "0" : pl_neutral_text(op->type, op->arg->access);
}

/* ---- parameters ---- */

void pl_parameter_add(pl_param_list *list, pl_param_kind kind, int arg)
{
  list->slot[list->n++] = (pl_param_slot){kind, arg};
}

/* A dat is a parameter, unless the records of a pair map hold its values, or registers. */
static bool is_parameter(const pl_loop *loop, const pl_operand *op)
{
  if (op->arg->zeroed == PL_ZEROED_PRIVATE || (op->summed && op->arg->access == PL_READ)) return false;
  return pl_arg_dat_of(op->arg) && !pl_pair_from_records(loop, op->arg);
}

static void assign_dat(pl_emitter *e, pl_operand *op)
{
  for (const pl_operand *before = e->op; before < op && op->dat < 0; before++)
    if (before->dat >= 0 && before->arg->object == op->arg->object) op->dat = before->dat;
  if (op->dat >= 0) return;
  pl_parameter_add(&e->program->run, PL_SLOT_DAT, op->i);
  if (op->home.layout.tile == PL_SOA) pl_parameter_add(&e->program->run, PL_SLOT_STRIDE, op->i);
  op->dat = e->ndats++;
}

/* Few: a narrow map has two parameters more. */
enum { MOST_NARROW = 8 };

bool pl_operand_is_narrow(const pl_emitter *e, const pl_operand *op)
{
  return !e->dialect->host && op->arg->map->narrow > 0 && op->map < MOST_NARROW;
}

static void assign_map(pl_emitter *e, pl_operand *op)
{
  for (const pl_operand *before = e->op; before < op && op->map < 0; before++)
    if (before->map >= 0 && before->arg->map == op->arg->map) op->map = before->map;
  if (op->map >= 0) return;
  op->map = e->nmaps++;
  pl_parameter_add(&e->program->run, PL_SLOT_MAP, op->i);
  if (pl_operand_is_narrow(e, op)) {
    pl_parameter_add(&e->program->run, PL_SLOT_NARROW, op->i);
    pl_parameter_add(&e->program->run, PL_SLOT_BASE, op->i);
  }
  if (op->arg->map->offset) pl_parameter_add(&e->program->run, PL_SLOT_OFFSET, op->i);
}

static void assign_ids(pl_emitter *e, pl_operand *op)
{
  const pl_set *set = pl_arg_numbered(e->loop, op->i);
  for (const pl_operand *before = e->op; before < op && op->ids < 0; before++)
    if (before->ids >= 0 && pl_arg_numbered(e->loop, before->i) == set) op->ids = before->ids;
  if (!set || op->ids >= 0) return;
  pl_parameter_add(&e->program->run, PL_SLOT_GLOBAL_INDEX, op->i);
  op->ids = e->nids++;
}

static void assign_parameters(pl_emitter *e, pl_operand *op)
{
  const pl_arg *arg = op->arg;
  if (arg->off) return;
  assign_ids(e, op);
  if (is_parameter(e->loop, op)) assign_dat(e, op);
  if (arg->map && !pl_loop_traits_of(e->loop)->pairs) assign_map(e, op);
  if (pl_arg_is_foreign(arg)) pl_parameter_add(&e->program->run, PL_SLOT_POINTER, op->i);
  if (pl_operand_is_input(op) || arg->kind == PL_ARG_RANDOM)
    pl_parameter_add(&e->program->run, PL_SLOT_VALUE, op->i);
  if (pl_operand_reduces(op)) pl_parameter_add(&e->program->run, PL_SLOT_RESULT, op->i);
  if (op->has_payload) pl_parameter_add(&e->program->run, PL_SLOT_ARG_ELEMENT, op->i);
}

/* ---- operands ---- */

static void describe_dat(const pl_emitter *e, pl_operand *op)
{
  const pl_dat *dat = op->arg->object;
  int parts = pl_type_is_complex(dat->type) ? 2 : 1;
  op->stride = dat->dim * parts;
  op->home.dim = op->stride;
  op->home.first = op->arg->component > 0 ? op->arg->component * parts : 0;
  op->home.wide = !op->home.local && (int64_t)pl_set_room(dat->set) * op->stride > INT32_MAX;
  op->home.layout = (pl_layout){PL_AOS, 1};
  if (!e->dialect->host && !op->home.local && op->stride > 1) op->home.layout = dat->storage.layout;
}

/* PL_WRITE promises that every value is written. The scalar host form leaves unwritten values as they are, so
 * that PLAIT_CHECK finds them. */
static bool starts_from_dat(const pl_emitter *e, const pl_arg *arg)
{
  if (!pl_arg_is_record(arg) || arg->off) return false;
  return arg->access == PL_READ || arg->access == PL_RW ||
         (arg->access == PL_WRITE && e->dialect->host && e->form == PL_FORM_SCALAR);
}

enum { MOST_COPIED = 4096 }; /* values of PL_READ that a checked kernel gets a copy of */

/* Whether the kernel can work on the dat itself: element by element on the host, without collisions and
 * missing targets. */
static bool can_point(const pl_emitter *e, const pl_operand *op)
{
  if (pl_loop_traits_of(e->loop)->pairs) return false;
  if (e->options->checks && (pl_arg_writes(op->arg) || op->dim * op->targets <= MOST_COPIED)) return false;
  if (op->row || op->arg->fixed || op->home.local || !e->dialect->host || e->form != PL_FORM_SCALAR ||
      !pl_arg_is_record(op->arg) || op->guard || op->arg->off)
    return false;
  if (op->all) return op->arg->access == PL_READ && op->param->shape == PL_SHAPE_POINTERS;
  if (op->arg->access == PL_READ) return true;
  return !op->arg->map && (op->arg->access == PL_WRITE || op->arg->access == PL_RW);
}

/* Values of a particle that its pairs have just summed and stored are still in registers. */
static void find_sums(pl_emitter *e, pl_operand *op)
{
  if (!pl_pair_has_particles(e->loop) || op->i < e->loop->behind || !op->loads || op->arg->component >= 0)
    return;
  for (const pl_operand *sum = e->op; sum < e->op + e->loop->behind; sum++)
    if (pl_pair_gathers(sum) && sum->arg->zeroed && sum->arg->object == op->arg->object) op->summed = sum;
}

static void describe(pl_emitter *e, int i)
{
  pl_operand *op = &e->op[i];
  const pl_arg *arg = op->arg = &e->loop->args[i];
  op->i = i;
  op->param = &e->signature->param[i];
  op->dat = op->map = op->ids = op->of = -1;
  op->targets = 1;
  if (pl_arg_is_foreign(arg)) return;
  pl_type type = pl_arg_type(arg);
  op->type = pl_type_base(type);
  op->dim = pl_arg_dim(arg) * (pl_type_is_complex(type) ? 2 : 1);
  op->row = pl_arg_is_record(arg) && pl_arg_is_row(arg);
  op->all = pl_arg_is_record(arg) && arg->map && arg->index == PL_ALL && !op->row;
  op->index = op->all ? 0 : arg->index;
  op->targets = op->all ? arg->map->arity : 1;
  op->guard = arg->map && arg->map->has_negative;
  op->home.local = pl_arg_is_record(arg) && !arg->off && ((const pl_dat *)arg->object)->block_local;
  if (pl_arg_dat_of(arg) || op->home.local) describe_dat(e, op);
  op->vector = e->form == PL_FORM_VECTOR && pl_arg_is_vector(arg);
  op->loads = starts_from_dat(e, arg);
  op->pointer = can_point(e, op);
  find_sums(e, op);
  op->of = pl_payload_of(e->loop, i);
  op->has_payload = pl_has_payload(e->loop, i);
}

static bool arg_is_read(const pl_operand *op)
{
  return pl_arg_is_record(op->arg) && op->arg->access == PL_READ && !op->arg->fixed;
}

/* On devices, rows of a map with a mask are loaded where the mask is set only; where pointers allow it,
 * values are loaded by the kernel itself, so that they take no registers elsewhere. The entries of a gather
 * hold such a row, with or without targets. */
static void find_mask(pl_emitter *e, pl_operand *op)
{
  const pl_map *map = op->arg->map;
  if (e->dialect->host || op->arg->off || !map || !map->row_mask || e->options->conflict == PL_GATHER) return;
  for (int i = 0; i < e->loop->nargs; i++) {
    const pl_arg *arg = &e->loop->args[i];
    if (arg->object == map->row_mask && !arg->map && !arg->off && arg->access == PL_READ)
      op->mask = &e->op[i];
  }
  if (!op->mask) return;
  op->guard = false;
  op->pointer = e->dialect->one_space && op->all && op->home.layout.tile == PL_AOS && arg_is_read(op) &&
                op->param->shape == PL_SHAPE_POINTERS;
}

/* ---- conflict strategies ---- */

static pl_err make_stage_lists(pl_emitter *e)
{
  PL_TRY(PL_NEW(e->loop->pl, e->list, (size_t)e->loop->nargs));
  for (int i = 0; i < e->loop->nargs; i++) e->op[i].staged = pl_stage_list(e->loop, i, &e->nlists, e->list);
  return PL_SUCCESS;
}

static pl_err make_conflict(pl_emitter *e)
{
  pl_conflict conflict = e->options->conflict;
  for (int i = 0; i < e->loop->nargs; i++) e->op[i].staged = -1;
  if (e->dialect->host || !pl_collides(e->loop)) return PL_SUCCESS;
  if (conflict == PL_STAGE) return make_stage_lists(e);
  if (conflict != PL_COMBINE && conflict != PL_GATHER && conflict != PL_STORED) return PL_SUCCESS;
  return pl_increments_make(e->loop, e->options->record_bits > 0, &e->increments);
}

pl_err pl_operands_make(pl_emitter *e)
{
  pl_context *pl = e->loop->pl;
  size_t n = (size_t)e->loop->nargs; /* each: dat, stride, map, offset at most; and those of pairs */
  PL_TRY(PL_NEW(pl, e->op, n));
  PL_TRY(PL_NEW(pl, e->program->run.slot, 4 * n + 8));
  e->end = e->op + n;
  for (int i = 0; i < e->loop->nargs; i++) {
    describe(e, i);
    assign_parameters(e, &e->op[i]);
  }
  for (pl_operand *op = e->op; op < e->end; op++) find_mask(e, op);
  return make_conflict(e);
}

void pl_operands_free(pl_emitter *e)
{
  pl_free_all(e->loop->pl, e->op, e->list);
  pl_increments_free(e->loop, &e->increments);
}

bool pl_uses_double(const pl_emitter *e)
{
  for (const pl_operand *op = e->op; op < e->end; op++)
    if (op->arg->fixed || (!pl_arg_is_foreign(op->arg) && op->type == PL_DOUBLE)) return true;
  return false;
}

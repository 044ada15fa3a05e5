/* SPDX-License-Identifier: BSD-2-Clause
 * The parameters of a loop's kernels on devices. Invariant: these lists alone say which parameters a kernel
 * has; it is printed from its list, and launches pass values by it.
 */
#include "device_parameters.h"
#include "block_staging.h"
#include "device_reduction.h"
#include "gather_by_target.h"
#include <string.h>

bool pl_blocks_are_planned(const pl_emitter *e)
{
  pl_conflict conflict = e->options->conflict;
  return pl_collides(e->loop) && (conflict == PL_COLOUR || conflict == PL_STAGE || conflict == PL_COMBINE);
}

bool pl_blocks_are_coloured(const pl_emitter *e)
{
  return pl_blocks_are_planned(e) && (e->options->conflict != PL_COMBINE || e->options->coloured);
}

/* Parameters `from` to `to`, which are of no argument. */
static void add(pl_param_list *list, pl_param_kind from, pl_param_kind to)
{
  for (pl_param_kind kind = from; kind <= to; kind++) pl_parameter_add(list, kind, -1);
}

static void add_contributions(const pl_emitter *e, pl_param_list *list)
{
  for (const pl_operand *op = e->op; op < e->end; op++)
    if (pl_first_of_dat(e, op)) pl_parameter_add(list, PL_SLOT_CONTRIBUTION, op->i);
}

/* ---- pl_run ---- */

static void add_stage(const pl_emitter *e, pl_param_list *list)
{
  for (int l = 0; l < e->nlists; l++)
    for (pl_param_kind kind = PL_SLOT_STAGE_FROM; kind <= PL_SLOT_STAGE_LOCAL; kind++)
      pl_parameter_add(list, kind, l);
  for (const pl_operand *op = e->op; op < e->end; op++)
    if (pl_first_of_copy(e, op)) pl_parameter_add(list, PL_SLOT_STAGE_START, op->i);
}

static void add_strategy(const pl_emitter *e, pl_param_list *list)
{
  pl_conflict conflict = e->options->conflict;
  if (pl_blocks_are_coloured(e)) add(list, PL_SLOT_FIRST_BLOCK, PL_SLOT_PLAN_BLOCKS);
  if (!pl_collides(e->loop)) return;
  if (conflict == PL_COLOUR || conflict == PL_STAGE) add(list, PL_SLOT_BLOCK_COLOURS, PL_SLOT_ELEMENT_COLOUR);
  if (conflict == PL_STAGE) add_stage(e, list);
  if (conflict == PL_COMBINE) add(list, PL_SLOT_SUMS_FROM, PL_SLOT_SUMS_ENTRY);
  if (e->options->record_bits) {
    add(list, PL_SLOT_ROW_OFFSET, PL_SLOT_ROW_WORD);
    add(list, PL_SLOT_ROW_CUT, PL_SLOT_ROW_CUT);
  } else if (conflict == PL_GATHER)
    add(list, e->options->degree ? PL_SLOT_ROW_WORD : PL_SLOT_ROW_OFFSET, PL_SLOT_ROW_STRIDE);
  if (conflict == PL_STORED) add_contributions(e, list);
}

static void add_end(const pl_emitter *e, pl_param_list *list)
{
  add(list, PL_SLOT_COUNTER, PL_SLOT_FROM_ZERO);
  for (const pl_operand *op = e->op; op < e->end; op++)
    if (pl_operand_reduces(op)) pl_parameter_add(list, PL_SLOT_GLOBAL, op->i);
}

static void make_run(const pl_emitter *e, pl_param_list *list)
{
  list->shared = e->options->record_bits || (pl_blocks_are_planned(e) && e->options->conflict != PL_COLOUR);
  bool gathers = pl_collides(e->loop) && e->options->conflict == PL_GATHER;
  add(list, PL_SLOT_BEGIN, PL_SLOT_END);
  if (e->options->turns) add(list, PL_SLOT_TURN, PL_SLOT_TURN);
  if (e->options->strides) add(list, PL_SLOT_SINGLE, PL_SLOT_SINGLE);
  add_strategy(e, list);
  if (e->loop->set->indices && !gathers) add(list, PL_SLOT_SUBSET, PL_SLOT_SUBSET);
  if (e->options->ends_reductions) add_end(e, list);
}

/* ---- the kernels behind it ---- */

static void make_sum(const pl_emitter *e, pl_param_list *list)
{
  add(list, PL_SLOT_BEGIN, PL_SLOT_END);
  add(list, PL_SLOT_ROW_OFFSET, PL_SLOT_ROW_WORD);
  add_contributions(e, list);
  for (const pl_operand *op = e->op; op < e->end; op++) {
    if (!pl_first_of_dat(e, op)) continue;
    pl_parameter_add(list, PL_SLOT_DAT, op->i);
    if (op->home.layout.tile == PL_SOA) pl_parameter_add(list, PL_SLOT_STRIDE, op->i);
  }
}

static void make_finish(const pl_emitter *e, pl_param_list *list)
{
  add(list, PL_SLOT_NBLOCKS, PL_SLOT_NBLOCKS);
  add(list, PL_SLOT_FROM_ZERO, PL_SLOT_FROM_ZERO);
  for (const pl_operand *op = e->op; op < e->end; op++) {
    if (!pl_operand_reduces(op)) continue;
    pl_parameter_add(list, PL_SLOT_RESULT, op->i);
    pl_parameter_add(list, PL_SLOT_GLOBAL, op->i);
    if (!op->has_payload) continue;
    pl_parameter_add(list, PL_SLOT_ARG_ELEMENT, op->i);
    pl_parameter_add(list, PL_SLOT_GLOBAL_ELEMENT, op->i);
  }
}

/* Room in each list besides the parameters of operands: of an argument at most five. */
static size_t most_parameters(const pl_emitter *e)
{
  return 16 + 5 * (size_t)e->loop->nargs;
}

pl_err pl_device_parameters_make(pl_emitter *e)
{
  pl_context *pl = e->loop->pl;
  pl_param_list *run = &e->program->run, *sum = &e->program->sum, *finish = &e->program->finish;
  pl_param_list own = *run;
  size_t n = most_parameters(e), bytes = (n + (size_t)own.n) * sizeof *own.slot;
  *run = (pl_param_list){.slot = pl_malloc(pl, bytes)};
  sum->slot = pl_malloc(pl, n * sizeof *own.slot);
  finish->slot = pl_malloc(pl, n * sizeof *own.slot);
  bool made = run->slot && sum->slot && finish->slot;
  if (made) {
    make_run(e, run);
    memcpy(run->slot + run->n, own.slot, (size_t)own.n * sizeof *own.slot);
    run->n += own.n;
    if (pl_collides(e->loop) && e->options->conflict == PL_STORED) make_sum(e, sum);
    if (pl_any_reduction(e) && !e->options->ends_reductions) make_finish(e, finish);
  }
  pl_free(pl, own.slot);
  return made ? PL_SUCCESS : pl_fail_memory(pl, bytes);
}

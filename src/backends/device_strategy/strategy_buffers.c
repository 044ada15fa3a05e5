/* SPDX-License-Identifier: BSD-2-Clause
 * Plans of a strategy and its own values of parameters. Invariant: each value is found by its parameter and
 * range.
 */
#include "strategy_buffers.h"
#include "backends/device/device_data.h"
#include "core/loop/loop.h"
#include "core/loop/reduction.h"
#include "plan/execution/plan_request.h"

pl_run pl_range_run(const pl_loop *loop, int p)
{
  return (pl_run){pl_loop_range_end(loop, p - 1), pl_loop_range_end(loop, p)};
}

/* ---- values of parameters ---- */

const pl_strategy_value *pl_strategy_find(const pl_strategy *s, int range, pl_param_kind kind, int arg)
{
  for (const pl_strategy_value *v = s->value; v < s->value + s->nvalues; v++)
    if (v->slot.kind == kind && v->slot.arg == arg && (v->range == range || v->range < 0)) return v;
  return NULL;
}

pl_err pl_add_buffer(pl_device *device, pl_strategy *s, int p, pl_param_kind kind, int arg, const void *host,
                     size_t size)
{
  pl_strategy_value *value = &s->value[s->nvalues];
  *value = (pl_strategy_value){.slot = {kind, arg}, .range = p};
  PL_TRY(host ? pl_device_copy_in(device, host, size, &value->buffer)
              : device->driver->alloc(device, size, &value->buffer));
  s->nvalues++;
  return PL_SUCCESS;
}

void pl_set_number(pl_strategy *s, int p, pl_param_kind kind, int arg, int number)
{
  const pl_strategy_value *old = pl_strategy_find(s, p, kind, arg);
  s->value[old ? old - s->value : s->nvalues++] =
    (pl_strategy_value){.slot = {kind, arg}, .range = p, .number = number};
}

pl_err pl_add_list(pl_device *device, pl_strategy *s, int p, pl_param_kind kind, const int *list, int n)
{
  return pl_add_buffer(device, s, p, kind, -1, list, (size_t)n * sizeof *list);
}

pl_err pl_add_blocks(pl_device *device, pl_strategy *s, int p)
{
  const pl_plan *plan = s->range[p].plan;
  return pl_add_list(device, s, p, PL_SLOT_PLAN_BLOCKS, plan->block, plan->nblocks);
}

pl_err pl_add_colours(pl_device *device, pl_strategy *s, int p)
{
  const pl_plan *plan = s->range[p].plan;
  PL_TRY(pl_add_blocks(device, s, p));
  PL_TRY(pl_add_list(device, s, p, PL_SLOT_BLOCK_COLOURS, plan->element_colours, plan->nblocks));
  return pl_add_list(device, s, p, PL_SLOT_ELEMENT_COLOUR, plan->element_colour, plan->end - plan->begin);
}

/* ---- plans ---- */

pl_err pl_strategy_plan(pl_device *device, const pl_strategy *s, int p, int nstage, const pl_reach *stage,
                        const pl_plan **plan)
{
  pl_loop *loop = s->loop;
  pl_run run = pl_range_run(loop, p);
  pl_reach *reach = pl_calloc(loop->pl, (size_t)loop->nargs, sizeof *reach);
  if (!reach) return pl_fail_memory(loop->pl, (size_t)loop->nargs * sizeof *reach);
  const pl_plan_request request = {.set = loop->set,
                                   .begin = run.begin,
                                   .end = run.end,
                                   .block_size = s->options.block_size,
                                   .nconflict = pl_plan_conflicts(loop, reach),
                                   .conflict = reach,
                                   .nstage = nstage,
                                   .stage = stage,
                                   .element_colours = s->options.conflict != PL_COMBINE};
  pl_err err = pl_plan_get(device->pl, &request, plan);
  pl_free(loop->pl, reach);
  return err;
}

/* ---- local memory ---- */

size_t pl_reduction_bytes(const pl_loop *loop)
{
  size_t bytes = 0;
  for (int i = 0; i < loop->nargs; i++)
    if (pl_arg_reduces(&loop->args[i]))
      bytes += pl_type_size(pl_type_base(pl_arg_type(&loop->args[i]))) +
               (pl_has_payload(loop, i) ? sizeof(int64_t) : 0);
  return bytes;
}

/* All there is if the user chose the block size. */
size_t pl_shared_limit(const pl_device *device, const pl_strategy *s)
{
  size_t most = pl_opt_count(device->pl, PL_OPT_BLOCK_SIZE) ? device->max_shared : PL_USUAL_SHARED;
  size_t limit = most < device->max_shared ? most : device->max_shared;
  size_t taken = pl_reduction_bytes(s->loop) * (size_t)s->options.block_size;
  return taken < limit ? limit - taken : 0;
}

bool pl_shared_fits(const pl_device *device, const pl_strategy *s, size_t shared, char *why)
{
  if (shared <= pl_shared_limit(device, s)) return true;
  snprintf(why, PL_VARIANT, "%s: a block of %d needs %zu KB of local memory",
           pl_conflict_name(s->options.conflict), s->options.block_size, (shared + 1023) >> 10);
  return false;
}

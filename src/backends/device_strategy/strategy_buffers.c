/* SPDX-License-Identifier: BSD-2-Clause
 * Plans of a strategy and their device buffers. Invariant: buffers of a range are in the order of the
 * kernel's parameters.
 */
#include "strategy_buffers.h"
#include "backends/device/device_data.h"
#include "core/loop/loop.h"
#include "core/loop/reduction.h"
#include "plan/execution/plan_request.h"

pl_run pl_range_run(const pl_loop *loop, int p)
{
  return (pl_run){p ? loop->set->end[p - 1] : 0, loop->set->end[p]};
}

pl_err pl_add_buffer(pl_device *device, pl_strategy_range *range, const void *host, size_t size)
{
  PL_TRY(pl_device_copy_in(device, host, size, &range->buffer[range->nbuffers]));
  range->nbuffers++;
  return PL_SUCCESS;
}

pl_err pl_add_blocks(pl_device *device, pl_strategy_range *range)
{
  return pl_add_buffer(device, range, range->plan->block, (size_t)range->plan->nblocks * sizeof(int));
}

pl_err pl_add_colours(pl_device *device, pl_strategy_range *range)
{
  const pl_plan *plan = range->plan;
  PL_TRY(pl_add_blocks(device, range));
  PL_TRY(pl_add_buffer(device, range, plan->element_colours, (size_t)plan->nblocks * sizeof(int)));
  return pl_add_buffer(device, range, plan->element_colour, (size_t)(plan->end - plan->begin) * sizeof(int));
}

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

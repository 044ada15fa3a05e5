/* SPDX-License-Identifier: BSD-2-Clause
 * Stage: lists of the targets of each block, and the offsets of their copies in local memory, each under the
 * first argument that uses the copy.
 */
#include "strategy_stage.h"
#include "strategy_buffers.h"
#include "core/loop/loop.h"
#include "plan/blocks/staging.h"

enum { MAX_NARROW = INT16_MAX };

typedef struct target_lists {
  int n;
  pl_reach *list;
  int *of; /* by argument: its list, -1 */
} target_lists;

static bool is_first_of_copy(const pl_loop *loop, const target_lists *t, int i)
{
  if (t->of[i] < 0) return false;
  for (int j = 0; j < i; j++)
    if (t->of[j] == t->of[i] && loop->args[j].object == loop->args[i].object) return false;
  return true;
}

static void place_copies(pl_strategy *s, int p, const target_lists *t)
{
  const pl_loop *loop = s->loop;
  pl_strategy_range *range = &s->range[p];
  size_t at = 0;
  for (int i = 0; i < loop->nargs; i++) {
    if (!is_first_of_copy(loop, t, i)) continue;
    const pl_reach *list = &t->list[t->of[i]];
    pl_set_number(s, p, PL_SLOT_STAGE_START, i, (int)at);
    at += (size_t)pl_plan_staging(range->plan, list->map, list->index)->longest *
          pl_dat_stride(loop->args[i].object);
    at = (at + 15) / 16 * 16;
  }
  range->shared = at ? at : 16; /* the kernel declares it */
}

static pl_err plan_ranges(pl_device *device, pl_strategy *s, const target_lists *t, bool *fits, char *why)
{
  for (int p = 0; p < PL_LOOP_RANGES && *fits; p++) {
    pl_strategy_range *range = &s->range[p];
    pl_run run = pl_range_run(s->loop, p);
    if (run.begin == run.end) continue;
    PL_TRY(pl_strategy_plan(device, s, p, t->n, t->list, &range->plan));
    place_copies(s, p, t);
    *fits = pl_shared_fits(device, s, range->shared, why);
    for (int l = 0; l < range->plan->nstaging; l++)
      s->options.wide_locals |= range->plan->staging[l].longest > MAX_NARROW;
  }
  return PL_SUCCESS;
}

/* Positions of an element's targets in the lists, in 16 bits where that suffices. */
static pl_err add_locals(pl_device *device, pl_strategy *s, int p, int l, const pl_staging *list)
{
  pl_context *pl = device->pl;
  size_t n = (size_t)list->width * (size_t)(s->range[p].plan->end - s->range[p].plan->begin);
  if (s->options.wide_locals)
    return pl_add_buffer(device, s, p, PL_SLOT_STAGE_LOCAL, l, list->local, n * sizeof(int));
  int16_t *narrow = pl_malloc_array(pl, n * sizeof *narrow);
  if (!narrow) return pl_fail_memory(pl, n * sizeof *narrow);
  for (size_t i = 0; i < n; i++) narrow[i] = (int16_t)list->local[i];
  pl_err err = pl_add_buffer(device, s, p, PL_SLOT_STAGE_LOCAL, l, narrow, n * sizeof *narrow);
  pl_free_array(pl, narrow);
  return err;
}

static pl_err add_lists(pl_device *device, pl_strategy *s, const target_lists *t, int p)
{
  const pl_plan *plan = s->range[p].plan;
  size_t blocks = (size_t)plan->nblocks;
  PL_TRY(pl_add_colours(device, s, p));
  for (int l = 0; l < t->n; l++) {
    const pl_staging *list = pl_plan_staging(plan, t->list[l].map, t->list[l].index);
    PL_TRY(pl_add_buffer(device, s, p, PL_SLOT_STAGE_FROM, l, list->offset, (blocks + 1) * sizeof(int)));
    PL_TRY(pl_add_buffer(device, s, p, PL_SLOT_STAGE_TO, l, list->target,
                         (size_t)list->offset[blocks] * sizeof(int)));
    PL_TRY(add_locals(device, s, p, l, list));
  }
  return PL_SUCCESS;
}

/* Blocks are halved until their copies fit. */
static pl_err fit_blocks(pl_device *device, pl_strategy *s, const target_lists *t, bool *fits, char *why)
{
  bool asked = pl_opt_count(device->pl, PL_OPT_BLOCK_SIZE) > 0;
  for (;; s->options.block_size /= 2) {
    *fits = true;
    s->options.wide_locals = false;
    PL_TRY(plan_ranges(device, s, t, fits, why));
    if (*fits || asked || s->options.block_size <= PL_LEAST_BLOCK) break;
  }
  for (int p = 0; p < PL_LOOP_RANGES && *fits; p++)
    if (s->range[p].plan) PL_TRY(add_lists(device, s, t, p));
  return PL_SUCCESS;
}

pl_err pl_strategy_plan_stage(pl_device *device, pl_strategy *s, bool *fits, char *why)
{
  pl_loop *loop = s->loop;
  pl_context *pl = loop->pl;
  size_t n = (size_t)loop->nargs;
  target_lists t = {0, pl_calloc(pl, n, sizeof *t.list), pl_calloc(pl, n, sizeof *t.of)};
  pl_err err = t.list && t.of ? PL_SUCCESS : pl_fail_memory(pl, n * sizeof *t.list);
  for (int i = 0; !err && i < loop->nargs; i++) t.of[i] = pl_stage_list(loop, i, &t.n, t.list);
  if (!err) err = fit_blocks(device, s, &t, fits, why);
  pl_free_all(pl, t.list, t.of);
  return err;
}

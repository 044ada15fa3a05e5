/* SPDX-License-Identifier: BSD-2-Clause
 * Combine: increments of each block by target. Invariant: sums of targets that several blocks reach are added
 * by atomics or, if these are not available or not reproducible, blocks run by colour.
 */
#include "strategy_combine.h"
#include "strategy_buffers.h"
#include "strategy_choice.h"
#include "core/base/clock.h"
#include "core/loop/loop.h"
#include "plan/blocks/block_increments.h"

/* Local memory of an element's increments. */
static size_t increment_bytes(const pl_loop *loop, int nslots)
{
  size_t bytes = 0;
  PL_EACH_ACCESS (access, loop)
    if (access->collides) bytes += (size_t)nslots * pl_dat_stride(access->dat);
  return bytes;
}

static pl_err add_sums(pl_device *device, pl_strategy *s, int p, const pl_block_sums *sums)
{
  size_t blocks = (size_t)sums->nblocks, rows = (size_t)sums->offset[sums->nblocks] + blocks;
  size_t entries = blocks * (size_t)sums->block_size * (size_t)sums->nslots;
  PL_TRY(pl_add_list(device, s, p, PL_SLOT_SUMS_FROM, sums->offset, sums->nblocks + 1));
  PL_TRY(pl_add_list(device, s, p, PL_SLOT_SUMS_TO, sums->target, sums->offset[sums->nblocks]));
  PL_TRY(pl_add_buffer(device, s, p, PL_SLOT_SUMS_ROW, -1, sums->row, rows * sizeof(uint16_t)));
  return pl_add_buffer(device, s, p, PL_SLOT_SUMS_ENTRY, -1, sums->entry, entries * sizeof(uint16_t));
}

/* Of targets that other blocks reach too: with colours no block needs to know. */
static void clear_marks(pl_block_sums *sums)
{
  for (int i = 0; i < sums->offset[sums->nblocks]; i++)
    if (sums->target[i] < 0) sums->target[i] = ~sums->target[i];
}

static pl_err plan_range(pl_device *device, pl_strategy *s, int p, int nslots, const pl_reach *slot)
{
  pl_strategy_range *range = &s->range[p];
  pl_block_sums sums;
  double start = pl_now();
  if (s->options.coloured) {
    PL_TRY(pl_strategy_plan(device, s, p, 0, NULL, &range->plan));
    PL_TRY(pl_add_blocks(device, s, p));
  }
  PL_TRY(
    pl_block_sums_build(s->loop->set, pl_range_run(s->loop, p), s->options.block_size, nslots, slot, &sums));
  device->pl->stats.plan_seconds += pl_now() - start;
  if (s->options.coloured) clear_marks(&sums);
  pl_err err = add_sums(device, s, p, &sums);
  pl_block_sums_free(device->pl, &sums);
  range->shared = increment_bytes(s->loop, nslots) * (size_t)s->options.block_size;
  return err;
}

static bool fit_blocks(const pl_device *device, pl_strategy *s, int nslots, char *why)
{
  size_t each = increment_bytes(s->loop, nslots);
  bool asked = pl_opt_count(device->pl, PL_OPT_BLOCK_SIZE) > 0;
  int *block = &s->options.block_size;
  while (!asked && *block > PL_LEAST_BLOCK &&
         (each * (size_t)*block > pl_shared_limit(device, s) || *block * nslots > UINT16_MAX))
    *block /= 2;
  if (*block * nslots <= UINT16_MAX) return pl_shared_fits(device, s, each * (size_t)*block, why);
  snprintf(why, PL_VARIANT, "combine: a block of %d has more than %d increments", *block, UINT16_MAX);
  return false;
}

bool pl_strategy_fit_combine(pl_device *device, pl_strategy *s, int nslots, char *why)
{
  s->options.coloured = pl_opt_flag(device->pl, PL_OPT_REPRODUCIBLE) || pl_why_no_atomics(device, s->loop);
  return fit_blocks(device, s, nslots, why);
}

pl_err pl_strategy_list_combine(pl_device *device, pl_strategy *s, int nslots, const pl_reach *slot)
{
  for (int p = 0; p < PL_LOOP_RANGES; p++) {
    pl_run run = pl_range_run(s->loop, p);
    if (run.begin < run.end) PL_TRY(plan_range(device, s, p, nslots, slot));
  }
  return PL_SUCCESS;
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Gather and store: rows of the incident increments of each target. Invariant: rows are for all elements of
 * the loop at once, so they belong to range 0.
 */
#include "strategy_gather.h"
#include "strategy_buffers.h"
#include "codegen/emit/loop_program.h"
#include "core/base/clock.h"
#include "core/loop/loop.h"
#include "plan/execution/inverse_map.h"

static pl_err add_offsets(pl_device *device, pl_strategy *s, const pl_inverse *inverse)
{
  return pl_add_list(device, s, 0, PL_SLOT_ROW_OFFSET, inverse->offset, inverse->ntargets + 1);
}

/* Rows of the words that the kernel reads. */
static pl_err add_words(pl_device *device, pl_strategy *s, const pl_inverse *inverse,
                        const pl_increments *all)
{
  pl_rows rows;
  int degree = s->options.degree = pl_rows_degree(inverse), base = pl_entry_word_base(all->n, degree);
  PL_TRY(pl_rows_build(device->pl, inverse, all->reach, all->nwords, all->word, degree, base, &rows));
  pl_set_number(s, 0, PL_SLOT_ROW_STRIDE, -1, degree ? rows.ntargets : rows.nentries);
  pl_err err = degree ? PL_SUCCESS : add_offsets(device, s, inverse);
  if (!err) err = pl_add_buffer(device, s, 0, PL_SLOT_ROW_WORD, -1, rows.word, rows.length * sizeof(int));
  pl_rows_free(device->pl, &rows);
  return err;
}

static pl_err add_rows(pl_device *device, pl_strategy *s, const pl_inverse *inverse, const pl_increments *all)
{
  const pl_set *set = s->loop->set;
  s->nslots = inverse->nslots;
  s->ntargets = inverse->ntargets;
  s->core_targets = set->parent ? 0 : pl_inverse_before(inverse, set->end[0]);
  if (s->options.conflict == PL_GATHER) return add_words(device, s, inverse, all);
  PL_TRY(add_offsets(device, s, inverse));
  return pl_add_list(device, s, 0, PL_SLOT_ROW_WORD, inverse->entry, inverse->nentries);
}

pl_err pl_strategy_plan_gather(pl_device *device, pl_strategy *s, const pl_increments *all)
{
  pl_context *pl = device->pl;
  pl_inverse inverse;
  double start = pl_now();
  PL_TRY(pl_inverse_build(pl, s->loop->set, all->n, all->reach, &inverse));
  pl_err err = add_rows(device, s, &inverse, all);
  pl_inverse_free(pl, &inverse);
  pl->stats.plan_seconds += pl_now() - start;
  return err;
}

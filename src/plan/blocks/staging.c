/* SPDX-License-Identifier: BSD-2-Clause
 * Staging lists. Blocks are built in parallel; the memory is allocated before.
 */
#include "staging.h"
#include "block_targets.h"
#include "core/threads/threads.h"
#include <string.h>

typedef struct scratch {
  int threads;
  size_t room;    /* for the targets of a block */
  uint64_t *keys; /* of each thread, 2 * room */
  int *target;    /* targets of each block, from the index of its first map entry */
} scratch;

static void number_blocks(const pl_plan_request *request, const pl_plan *plan, pl_staging *list,
                          const scratch *s)
{
  pl_numbering how = {request->set, 1, &list->reach, list->width, 0, 0};
  PL_PARALLEL_FOR(s->threads)
  for (int b = 0; b < plan->nblocks; b++) {
    pl_run run = pl_plan_block(plan, b);
    size_t first = (size_t)(run.begin - plan->begin) * (size_t)list->width;
    uint64_t *keys = s->keys + 2 * s->room * (size_t)pl_plan_thread();
    list->offset[b + 1] = pl_number_targets(&how, run, keys, list->local + first, s->target + first);
  }
}

static void sum_offsets(const pl_plan *plan, pl_staging *list)
{
  for (int b = 0; b < plan->nblocks; b++) {
    if (list->offset[b + 1] > list->longest) list->longest = list->offset[b + 1];
    list->offset[b + 1] += list->offset[b];
  }
}

static void pack_targets(const pl_plan *plan, pl_staging *list, const scratch *s)
{
  PL_PARALLEL_FOR(s->threads)
  for (int b = 0; b < plan->nblocks; b++) {
    size_t first = (size_t)(pl_plan_block(plan, b).begin - plan->begin) * (size_t)list->width;
    size_t count = (size_t)(list->offset[b + 1] - list->offset[b]);
    memcpy(list->target + list->offset[b], s->target + first, count * sizeof *s->target);
  }
}

static pl_err fill_list(pl_context *pl, const pl_plan_request *request, const pl_plan *plan, pl_staging *list,
                        const scratch *s)
{
  number_blocks(request, plan, list, s);
  sum_offsets(plan, list);
  PL_TRY(PL_NEW_ARRAY(pl, list->target, (size_t)list->offset[plan->nblocks]));
  pack_targets(plan, list, s);
  return PL_SUCCESS;
}

static pl_err build_list(pl_context *pl, const pl_plan_request *request, const pl_plan *plan,
                         pl_staging *list)
{
  size_t entries = (size_t)(plan->end - plan->begin) * (size_t)list->width;
  scratch s = {.threads = pl_plan_threads(plan->nblocks, entries),
               .room = (size_t)pl_plan_longest_block(plan) * (size_t)list->width};
  pl_err err = PL_NEW_ARRAY(pl, s.keys, 2 * s.room * (size_t)s.threads);
  if (!err) err = PL_NEW_ARRAY(pl, s.target, entries);
  if (!err) err = PL_NEW(pl, list->offset, (size_t)plan->nblocks + 1);
  if (!err) err = PL_NEW_ARRAY(pl, list->local, entries);
  if (!err) err = fill_list(pl, request, plan, list, &s);
  pl_free_arrays(pl, s.keys, s.target);
  return err;
}

pl_err pl_stage(pl_context *pl, const pl_plan_request *request, pl_plan *plan)
{
  PL_TRY(PL_NEW(pl, plan->staging, (size_t)request->nstage));
  plan->nstaging = request->nstage;
  for (int i = 0; i < plan->nstaging; i++) {
    plan->staging[i].reach = request->stage[i];
    plan->staging[i].width = pl_reach_width(&request->stage[i]);
    PL_TRY(build_list(pl, request, plan, &plan->staging[i]));
  }
  return PL_SUCCESS;
}

void pl_stage_free(pl_context *pl, pl_plan *plan)
{
  for (int i = 0; i < plan->nstaging; i++) {
    pl_free(pl, plan->staging[i].offset);
    pl_free_arrays(pl, plan->staging[i].target, plan->staging[i].local);
  }
  pl_free(pl, plan->staging);
}

const pl_staging *pl_plan_staging(const pl_plan *plan, const pl_map *map, int index)
{
  for (int i = 0; i < plan->nstaging; i++)
    if (plan->staging[i].reach.map == map && plan->staging[i].reach.index == index) return &plan->staging[i];
  return NULL;
}

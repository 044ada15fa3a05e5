/* SPDX-License-Identifier: BSD-2-Clause
 * Staging lists: for each block the sorted distinct targets of a map entry (or of the whole map), and for
 * each map entry its place in that list. Blocks are built independently, in parallel; all memory is taken
 * outside.
 */
#include "build.h"
#include <string.h>

/* What is needed while one list is built. */
typedef struct scratch {
  uint64_t *keys; /* of each thread, 2 * room */
  int *loose;     /* targets of each block, at the place of its map entries */
} scratch;

static void number_blocks(const pl_plan_request *request, const pl_plan *plan, pl_staging *list,
                          const scratch *s, int threads, size_t room)
{
  pl_numbering how = {request->set, 1, &list->reach, list->width, 0, 0};
  PL_PARALLEL_FOR(threads)
  for (int b = 0; b < plan->nblocks; b++) {
    pl_run run = pl_plan_block(plan, b);
    size_t place = (size_t)(run.begin - plan->begin) * (size_t)list->width;
    uint64_t *keys = s->keys + 2 * room * (size_t)pl_plan_thread();
    list->offset[b + 1] = pl_number_targets(&how, run, keys, list->local + place, s->loose + place);
  }
}

static void sum_offsets(const pl_plan *plan, pl_staging *list)
{
  for (int b = 0; b < plan->nblocks; b++) {
    if (list->offset[b + 1] > list->longest) list->longest = list->offset[b + 1];
    list->offset[b + 1] += list->offset[b];
  }
}

static void pack_targets(const pl_plan *plan, pl_staging *list, const int *loose, int threads)
{
  PL_PARALLEL_FOR(threads)
  for (int b = 0; b < plan->nblocks; b++) {
    size_t place = (size_t)(pl_plan_block(plan, b).begin - plan->begin) * (size_t)list->width;
    size_t count = (size_t)(list->offset[b + 1] - list->offset[b]);
    memcpy(list->target + list->offset[b], loose + place, count * sizeof *loose);
  }
}

static pl_err fill_list(pl_context *pl, const pl_plan_request *request, const pl_plan *plan, pl_staging *list,
                        const scratch *s, int threads, size_t room)
{
  number_blocks(request, plan, list, s, threads, room);
  sum_offsets(plan, list);
  size_t bytes = (size_t)list->offset[plan->nblocks] * sizeof *list->target;
  list->target = pl_malloc_array(pl, bytes);
  if (!list->target) return pl_fail_memory(pl, bytes);
  pack_targets(plan, list, s->loose, threads);
  return PL_SUCCESS;
}

static pl_err make_list(pl_context *pl, const pl_plan_request *request, const pl_plan *plan, pl_staging *list)
{
  size_t entries = (size_t)(plan->end - plan->begin) * (size_t)list->width;
  size_t room = (size_t)pl_plan_longest_block(plan) * (size_t)list->width;
  int threads = pl_plan_threads(plan->nblocks, entries);
  scratch s = {pl_malloc_array(pl, 2 * room * (size_t)threads * sizeof *s.keys),
               pl_malloc_array(pl, entries * sizeof *s.loose)};
  list->offset = pl_calloc(pl, (size_t)plan->nblocks + 1, sizeof *list->offset);
  list->local = pl_malloc_array(pl, entries * sizeof *list->local);
  bool all = s.keys && s.loose && list->offset && list->local;
  pl_err err = all ? fill_list(pl, request, plan, list, &s, threads, room)
                   : pl_fail_memory(pl, (2 * entries + room) * sizeof(int));
  pl_free_array(pl, s.keys);
  pl_free_array(pl, s.loose);
  return err;
}

pl_err pl_stage(pl_context *pl, const pl_plan_request *request, pl_plan *plan)
{
  plan->staging = pl_calloc(pl, (size_t)request->nstage, sizeof *plan->staging);
  if (!plan->staging) return pl_fail_memory(pl, (size_t)request->nstage * sizeof *plan->staging);
  plan->nstaging = request->nstage;
  for (int i = 0; i < plan->nstaging; i++) {
    plan->staging[i].reach = request->stage[i];
    plan->staging[i].width = pl_reach_width(&request->stage[i]);
    PL_TRY(make_list(pl, request, plan, &plan->staging[i]));
  }
  return PL_SUCCESS;
}

void pl_stage_free(pl_context *pl, pl_plan *plan)
{
  for (int i = 0; i < plan->nstaging; i++) {
    pl_free(pl, plan->staging[i].offset);
    pl_free_array(pl, plan->staging[i].target);
    pl_free_array(pl, plan->staging[i].local);
  }
  pl_free(pl, plan->staging);
}

const pl_staging *pl_plan_staging(const pl_plan *plan, const pl_map *map, int index)
{
  for (int i = 0; i < plan->nstaging; i++)
    if (plan->staging[i].reach.map == map && plan->staging[i].reach.index == index) return &plan->staging[i];
  return NULL;
}

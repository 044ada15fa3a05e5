/* SPDX-License-Identifier: BSD-2-Clause
 * The plan cache owns the plans and thread partitions of a context, in a list at pl->plans. Invariant: no two
 * entries have the same request and kind; an entry's set and maps are alive. Entries are few and searched
 * only when a loop is prepared, so a list is enough.
 */
#include "plan_cache.h"
#include "core/base/clock.h"
#include "core/context/observer.h"
#include "core/data/objects.h"
#include "core/loop/loop_table.h"
#include "core/tools/tools.h"
#include "plan/blocks/colouring.h"
#include "plan/blocks/staging.h"
#include "plan_request.h"
#include <string.h>

typedef struct entry {
  struct entry *next;
  pl_plan_request request; /* canonical; its reaches are behind this struct */
  int nthreads;            /* of a thread partition; 0: a plan */
  pl_plan plan;
  pl_thread_partition partition;
  pl_reach reach[];
} entry;

/* A new entry, not in the list, with the request in canonical form; NULL with the error set. */
static entry *new_entry(pl_context *pl, const pl_plan_request *request, int nthreads)
{
  size_t nconflict = (size_t)request->nconflict, nstage = (size_t)request->nstage;
  size_t bytes = sizeof(entry) + (nconflict + nstage) * sizeof(pl_reach);
  entry *e = pl_calloc(pl, 1, bytes);
  if (!e) {
    pl_fail_memory(pl, bytes);
    return NULL;
  }
  pl_reach *conflict = e->reach, *stage = e->reach + nconflict;
  if (nconflict) memcpy(conflict, request->conflict, nconflict * sizeof *conflict);
  if (nstage) memcpy(stage, request->stage, nstage * sizeof *stage);
  e->request = *request;
  if (!request->block_size) e->request.block_size = request->nstage ? PL_BLOCK_SIZE_STAGED : PL_BLOCK_SIZE;
  e->request.conflict = conflict;
  e->request.stage = stage;
  e->request.nconflict = pl_canonical_conflicts(request->set, request->nconflict, conflict);
  e->request.nstage = pl_canonical_stages(request->nstage, stage);
  e->nthreads = nthreads;
  return e;
}

static void free_entry(pl_context *pl, entry *e)
{
  pl_plan *plan = &e->plan;
  pl_free_all(pl, plan->colour_offset, plan->block, plan->block_colour);
  pl_free_array(pl, plan->element_colour);
  pl_free(pl, plan->element_colours);
  pl_stage_free(pl, plan);
  pl_free_all(pl, e->partition.run_offset, e->partition.run, e->partition.tail, e);
}

static bool same_reaches(int n, const pl_reach *a, const pl_reach *b)
{
  for (int i = 0; i < n; i++)
    if (a[i].map != b[i].map || a[i].index != b[i].index || a[i].group != b[i].group) return false;
  return true;
}

static bool same_request(const entry *a, const entry *b)
{
  const pl_plan_request *p = &a->request, *q = &b->request;
  return a->nthreads == b->nthreads && p->set == q->set && p->begin == q->begin && p->end == q->end &&
         p->block_size == q->block_size && p->element_colours == q->element_colours &&
         p->nconflict == q->nconflict && p->nstage == q->nstage &&
         same_reaches(p->nconflict, p->conflict, q->conflict) && same_reaches(p->nstage, p->stage, q->stage);
}

static bool entry_uses(const entry *e, const void *object)
{
  const pl_plan_request *request = &e->request;
  if (object == request->set || object == request->set->parent) return true;
  for (int r = 0; r < request->nconflict; r++)
    if (object == request->conflict[r].map) return true;
  for (int r = 0; r < request->nstage; r++)
    if (object == request->stage[r].map) return true;
  return false;
}

static pl_err build_plan(pl_context *pl, entry *e)
{
  const pl_plan_request *request = &e->request;
  int n = request->end - request->begin, size = request->block_size;
  e->plan = (pl_plan){.begin = request->begin, .end = request->end, .block_size = size};
  e->plan.nblocks = n / size + (n % size != 0);
  PL_TRY(pl_colour_blocks(pl, request, &e->plan));
  if (request->element_colours) PL_TRY(pl_colour_elements(pl, request, &e->plan));
  if (request->nstage) PL_TRY(pl_stage(pl, request, &e->plan));
  return PL_SUCCESS;
}

static pl_err build_partition(pl_context *pl, entry *e)
{
  e->partition =
    (pl_thread_partition){.begin = e->request.begin, .end = e->request.end, .nthreads = e->nthreads};
  return pl_thread_partition_build(pl, &e->request, &e->partition);
}

static void free_plans(pl_context *pl)
{
  while (pl->plans) {
    entry *e = pl->plans;
    pl->plans = e->next;
    free_entry(pl, e);
  }
}

void pl_plans_forget(pl_context *pl, const void *object)
{
  entry *kept = NULL, **end = &kept;
  for (entry *e = pl->plans, *next; e; e = next) {
    next = e->next;
    if (entry_uses(e, object)) {
      free_entry(pl, e);
      continue;
    }
    *end = e;
    end = &e->next;
  }
  *end = NULL;
  pl->plans = kept;
}

void pl_map_changed(pl_map *map)
{
  pl_context *pl = map->node.pl;
  pl_map_drop_copies(map);
  pl_free_array(pl, map->user_index);
  map->user_index = NULL;
  pl_plans_forget(pl, map);
  pl_loops_unprepare(pl, map);
}

static void forget_object(pl_context *pl, pl_object_kind kind, void *object)
{
  if (kind == PL_OBJECT_SET || kind == PL_OBJECT_MAP) pl_plans_forget(pl, object);
}

static void forget_set(pl_context *pl, pl_set *set)
{
  pl_plans_forget(pl, set);
}

static const pl_observer observer = {
  .object_freed = forget_object, .set_resized = forget_set, .close = free_plans};

static pl_err build_entry(pl_context *pl, entry *e)
{
  pl_event_begin(pl, PL_TOOL_PLAN, e->nthreads ? "thread partition" : "blocks", e->request.set->node.name, 0);
  pl_err err = e->nthreads ? build_partition(pl, e) : build_plan(pl, e);
  pl_event_end(pl, PL_TOOL_PLAN);
  PL_TRY(err);
  e->next = pl->plans;
  pl->plans = e;
  pl_observe(pl, &observer);
  pl->stats.plans_built++;
  return PL_SUCCESS;
}

static pl_err get_entry(pl_context *pl, const pl_plan_request *request, int nthreads, const entry **result)
{
  double started = pl_now();
  PL_TRY(pl_request_check(pl, request));
  entry *wanted = new_entry(pl, request, nthreads), *e = pl->plans;
  if (!wanted) return PL_ERR_MEMORY;
  while (e && !same_request(e, wanted)) e = e->next;
  pl_err err = e ? PL_SUCCESS : build_entry(pl, wanted);
  if (e) pl->stats.plans_found++;
  if (e || err) free_entry(pl, wanted);
  *result = e ? e : wanted;
  pl->stats.plan_seconds += pl_now() - started;
  return err;
}

pl_err pl_plan_get(pl_context *pl, const pl_plan_request *request, const pl_plan **plan)
{
  const entry *e;
  PL_TRY(get_entry(pl, request, 0, &e));
  *plan = &e->plan;
  return PL_SUCCESS;
}

pl_err pl_thread_partition_get(pl_context *pl, const pl_plan_request *request, int nthreads,
                               const pl_thread_partition **partition)
{
  const entry *e;
  if (nthreads < 1)
    return pl_fail(pl, PL_ERR_RANGE, "partition of a loop among %d threads; there must be at least one",
                   nthreads);
  pl_plan_request bare = *request;
  bare.block_size = bare.nstage = 0;
  bare.element_colours = false;
  PL_TRY(get_entry(pl, &bare, nthreads, &e));
  *partition = &e->partition;
  return PL_SUCCESS;
}

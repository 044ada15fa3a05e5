/* SPDX-License-Identifier: BSD-2-Clause
 * Splits: which thread runs which positions without conflict, and the tail that has to wait. Owns nothing.
 *
 * The targets of the first group are cut into one range a thread, each reached about equally often; an
 * element goes to the thread that owns all its targets, or to the tail. In further groups, which usually lie
 * along the first (the nodes of cells), a target belongs to the thread whose element comes first; an element
 * that finds one of its targets taken by another thread goes to the tail.
 */
#include "build.h"
#include <string.h>

enum { TAIL = -1, FREE = -2 }; /* instead of a thread: waits, or has no target so far */

typedef struct work {
  const pl_plan_request *request;
  int nthreads;
  int *where;   /* the thread of each position, TAIL or FREE */
  int *owner;   /* the thread that owns each target of all groups, or FREE */
  size_t *base; /* where each reach's group starts there */
} work;

/* ---- the first group: cut the targets ---- */

/* Counts in owner[] how often each target of reach r is reached; returns the sum. */
static int64_t count_reached(const work *w, int r)
{
  const pl_plan_request *request = w->request;
  const pl_reach *reach = &request->conflict[r];
  int *count = w->owner + w->base[r], width = pl_reach_width(reach);
  int64_t sum = 0;
  for (int p = request->begin; p < request->end; p++) {
    int element = pl_element_at(request->set, p);
    const int *target = pl_reach_at(reach, &element);
    for (int k = 0; k < width; k++)
      if (target[k] >= 0) count[target[k]]++, sum++;
  }
  return sum;
}

/* Turns counts into owners: each thread gets about the same part of the sum. */
static void cut_targets(const work *w, int64_t sum)
{
  size_t n = (size_t)pl_reach_to(w->request->conflict, w->request->set)->part[3];
  int64_t before = 0;
  for (size_t t = 0; t < n; t++) {
    int count = w->owner[t];
    w->owner[t] = sum ? (int)(before * w->nthreads / sum) : 0;
    if (w->owner[t] >= w->nthreads) w->owner[t] = w->nthreads - 1;
    before += count;
  }
}

/* Sends each position to the owner of its targets in reach r, or to the tail if another reach says otherwise.
 */
static void follow_owners(const work *w, int r)
{
  const pl_plan_request *request = w->request;
  const pl_reach *reach = &request->conflict[r];
  const int *owner = w->owner + w->base[r];
  int width = pl_reach_width(reach);
  for (int p = request->begin; p < request->end; p++) {
    int element = pl_element_at(request->set, p), *where = &w->where[p - request->begin];
    const int *target = pl_reach_at(reach, &element);
    for (int k = 0; k < width; k++)
      if (target[k] >= 0) *where = *where == FREE || *where == owner[target[k]] ? owner[target[k]] : TAIL;
  }
}

/* Positions without a target go along with the one before them; if none has any, each thread gets an equal
 * share. */
static void place_free(const work *w, int64_t sum)
{
  int64_t n = w->request->end - w->request->begin;
  int last = 0;
  for (int64_t i = 0; i < n; i++) {
    if (w->where[i] == FREE) w->where[i] = sum ? last : (int)(i * w->nthreads / n);
    if (w->where[i] != TAIL) last = w->where[i];
  }
}

/* Places every position by the first group; returns the reach where the next group starts. */
static int place_by_first(const work *w)
{
  const pl_plan_request *request = w->request;
  int end = 0;
  int64_t sum = 0;
  for (; end < request->nconflict && request->conflict[end].group == 0; end++) sum += count_reached(w, end);
  if (end) cut_targets(w, sum);
  for (int r = 0; r < end; r++) follow_owners(w, r);
  place_free(w, sum);
  return end;
}

/* ---- further groups: first come ---- */

/* Whether a thread may have all targets of an element in reaches [r, end): nobody else has one. */
static bool may_have(const work *w, int r, int end, int element, int thread)
{
  for (; r < end; r++) {
    const pl_reach *reach = &w->request->conflict[r];
    const int *target = pl_reach_at(reach, &element), *owner = w->owner + w->base[r];
    int width = pl_reach_width(reach);
    for (int k = 0; k < width; k++)
      if (target[k] >= 0 && owner[target[k]] != FREE && owner[target[k]] != thread) return false;
  }
  return true;
}

static void take(const work *w, int r, int end, int element, int thread)
{
  for (; r < end; r++) {
    const pl_reach *reach = &w->request->conflict[r];
    const int *target = pl_reach_at(reach, &element);
    int *owner = w->owner + w->base[r], width = pl_reach_width(reach);
    for (int k = 0; k < width; k++)
      if (target[k] >= 0) owner[target[k]] = thread;
  }
}

/* All further groups at once, so that what goes to the tail takes nothing. */
static void place_by_rest(const work *w, int r, size_t ntargets)
{
  const pl_plan_request *request = w->request;
  if (r == request->nconflict) return;
  for (size_t t = w->base[r]; t < ntargets; t++) w->owner[t] = FREE;
  for (int p = request->begin; p < request->end; p++) {
    int element = pl_element_at(request->set, p), *where = &w->where[p - request->begin];
    if (*where == TAIL) continue;
    if (may_have(w, r, request->nconflict, element, *where))
      take(w, r, request->nconflict, element, *where);
    else
      *where = TAIL;
  }
}

/* ---- runs ---- */

/* Whether a run or the tail goes on at position i: it is where the one before is. */
static bool goes_on(const work *w, int i)
{
  return i > 0 && w->where[i] == w->where[i - 1];
}

static void count_runs(const work *w, pl_split *split)
{
  for (int i = 0; i < split->end - split->begin; i++) {
    if (w->where[i] == TAIL)
      split->ntail++;
    else if (!goes_on(w, i))
      split->run_offset[w->where[i] + 1]++;
  }
  for (int t = 0; t < split->nthreads; t++) split->run_offset[t + 1] += split->run_offset[t];
}

/* run_offset[t] moves through thread t's runs and is moved back by one thread at the end. */
static void fill_runs(const work *w, pl_split *split)
{
  int ntail = 0;
  for (int i = 0; i < split->end - split->begin; i++) {
    int thread = w->where[i], position = split->begin + i;
    if (thread == TAIL)
      split->tail[ntail++] = position;
    else if (goes_on(w, i))
      split->run[split->run_offset[thread] - 1].end = position + 1;
    else
      split->run[split->run_offset[thread]++] = (pl_run){position, position + 1};
  }
  memmove(split->run_offset + 1, split->run_offset, (size_t)split->nthreads * sizeof(int));
  split->run_offset[0] = 0;
}

static pl_err make_runs(pl_context *pl, const work *w, pl_split *split)
{
  count_runs(w, split);
  size_t runs = (size_t)split->run_offset[split->nthreads] * sizeof(pl_run),
         tail = (size_t)split->ntail * sizeof(int);
  split->run = pl_malloc(pl, runs);
  split->tail = pl_malloc(pl, tail);
  if (!split->run || !split->tail) return pl_fail_memory(pl, runs + tail);
  fill_runs(w, split);
  return PL_SUCCESS;
}

static pl_err place_and_list(pl_context *pl, work *w, pl_split *split)
{
  size_t n = (size_t)(split->end - split->begin), ntargets = pl_group_bases(w->request, w->base);
  w->where = pl_malloc_array(pl, n * sizeof *w->where);
  w->owner = pl_malloc_array(pl, ntargets * sizeof *w->owner);
  split->run_offset = pl_calloc(pl, (size_t)split->nthreads + 1, sizeof(int));
  if (!w->where || !w->owner || !split->run_offset) return pl_fail_memory(pl, (n + ntargets) * sizeof(int));
  memset(w->owner, 0, ntargets * sizeof *w->owner);
  for (size_t i = 0; i < n; i++) w->where[i] = FREE;
  place_by_rest(w, place_by_first(w), ntargets);
  return make_runs(pl, w, split);
}

pl_err pl_split_build(pl_context *pl, const pl_plan_request *request, pl_split *split)
{
  work w = {request, split->nthreads, NULL, NULL, pl_malloc(pl, (size_t)request->nconflict * sizeof(size_t))};
  pl_err err =
    w.base ? place_and_list(pl, &w, split) : pl_fail_memory(pl, (size_t)request->nconflict * sizeof(size_t));
  pl_free_array(pl, w.where);
  pl_free_array(pl, w.owner);
  pl_free(pl, w.base);
  return err;
}

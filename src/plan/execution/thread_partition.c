/* SPDX-License-Identifier: BSD-2-Clause
 * Splits: which thread runs which positions without conflict, and the tail that has to wait. Owns nothing.
 *
 * The targets of the first group are cut into one range a thread, each reached about equally often, or, by a
 * loop that reaches few of them, equally long, as they are for the loops over all of them; an element goes to
 * the thread that owns all its targets, or to the tail. In further groups, which usually lie along the first
 * (the nodes of cells), a target belongs to the thread whose element comes first; an element that finds one
 * of its targets taken by another thread goes to the tail. On the second level the same is done with the tail
 * and with ranges shifted by half of one: only elements between ranges that are no neighbours stay.
 */
#include "build.h"
#include <string.h>

enum { TAIL = -1, FREE = -2 }; /* instead of a slot: waits, or has no target so far */

/* A second level costs the threads a meeting; so many elements a thread are worth it. */
enum { WORTH = 8 };

/* Of so many targets a sparse loop reaches less than one: a boundary, say. */
enum { SPARSE = 16 };

/* Positions that a thread of the planner takes at once. */
enum { PIECE = 1 << 14 };

/* Ranges are cut between so many buckets of targets at most, which a near cache holds. How often a bucket is
 * reached is known well enough when of many positions one in SAMPLE is looked at. */
enum { BUCKETS = 1 << 13, MANY = 1 << 16, SAMPLE = 7 };

typedef struct work {
  const pl_plan_request *request;
  int nthreads, level;
  int *where;   /* the slot (level * nthreads + thread) of each position, TAIL or FREE */
  bool *alike;  /* of each piece: all its positions are in one place */
  int shift;    /* target t of the first group is in bucket t >> shift */
  int *half;    /* the half of a range each bucket is in */
  int *owner;   /* the slot that has a target of further groups, or FREE */
  size_t *base; /* where each reach's group starts there, for further groups */
} work;

static int size_of(const work *w)
{
  return w->request->end - w->request->begin;
}

/* Whether a level before has placed it. */
static bool is_placed(const work *w, int where)
{
  return where >= 0 && where < w->level * w->nthreads;
}

/* Who owns a half of a range on this level. */
static int slot_of(const work *w, int half)
{
  return w->level * w->nthreads + (w->level ? (half ? (half - 1) / 2 : 0) : half / 2);
}

/* ---- the first group: cut the targets ---- */

static int ntargets_of(const work *w)
{
  return pl_reach_to(w->request->conflict, w->request->set)->part[3];
}

/* Counts in half[] how often each bucket is reached by reach r, at one position in `step`; returns the sum.
 */
static int64_t count_reached(const work *w, int r, int step)
{
  const pl_plan_request *request = w->request;
  const pl_reach *reach = &request->conflict[r];
  int width = pl_reach_width(reach);
  int64_t sum = 0;
  for (int64_t p = request->begin; p < request->end; p += step) {
    int element = pl_element_at(request->set, (int)p);
    const int *target = pl_reach_at(reach, &element);
    for (int k = 0; k < width; k++)
      if (target[k] >= 0) w->half[target[k] >> w->shift]++, sum++;
  }
  return sum;
}

/* A boundary's loop is bound by fetching: each thread has in its cache what it had in the loops before. */
static bool is_sparse(int ntargets, int64_t sum)
{
  return sum * SPARSE < ntargets;
}

/* Turns counts into halves of ranges, each with about the same part of the sum, or equally long. */
static void cut_targets(const work *w, int64_t sum, bool sparse)
{
  int64_t before = 0, n = ntargets_of(w);
  int half = 0, halves = 2 * w->nthreads;
  for (int64_t b = 0; b << w->shift < n; b++) {
    int count = w->half[b];
    while (half < halves - 1 && before * halves >= (half + 1) * sum) half++;
    w->half[b] = sparse ? (int)((b << w->shift) * halves / n) : sum ? half : 0;
    before += count;
  }
}

/* Places i to end - 1 go to the owner of their targets in reach r, or to the tail if another reach says
 * otherwise. */
static void follow_reach(const work *w, int r, int i, int end)
{
  const pl_plan_request *request = w->request;
  const pl_reach *reach = &request->conflict[r];
  int width = pl_reach_width(reach);
  for (; i < end; i++) {
    int element = pl_element_at(request->set, request->begin + i), *where = &w->where[i];
    if (is_placed(w, *where)) continue;
    const int *target = pl_reach_at(reach, &element);
    for (int k = 0; k < width; k++) {
      if (target[k] < 0) continue;
      int slot = slot_of(w, w->half[target[k] >> w->shift]);
      *where = *where == FREE || *where == slot ? slot : TAIL;
    }
  }
}

/* Sends each position to the owner of its targets in the first group, reaches 0 to nreach - 1. */
static void follow_owners(const work *w, int nreach)
{
  int n = size_of(w), pieces = n / PIECE + 1, threads = pl_plan_threads(pieces, (size_t)n);
  PL_PARALLEL_FOR(threads)
  for (int p = 0; p < pieces; p++) {
    int begin = p * PIECE, end = p < pieces - 1 ? begin + PIECE : n, same = begin;
    for (int i = begin; i < end && !w->level; i++) w->where[i] = FREE;
    for (int i = begin; i < end && w->level; i++)
      if (w->where[i] == TAIL) w->where[i] = FREE;
    for (int r = 0; r < nreach; r++) follow_reach(w, r, begin, end);
    while (same < end && w->where[same] == w->where[begin]) same++;
    w->alike[p] = same == end;
  }
}

/* The end of the stretch from i on whose positions are all in one place. */
static int stretch_end(const work *w, int i)
{
  int n = size_of(w), where = w->where[i];
  while (i < n && w->where[i] == where) i += i % PIECE == 0 && w->alike[i / PIECE] ? PIECE : 1;
  return i < n ? i : n;
}

/* Positions without a target go along with the one before them; if none has any, each thread gets an equal
 * share. */
static void place_free(const work *w, int64_t sum)
{
  int64_t n = size_of(w);
  int last = 0, end;
  for (int i = 0; i < n; i = end) {
    end = stretch_end(w, i);
    for (int k = i; k < end && w->where[k] == FREE; k++)
      w->where[k] = sum ? last : (int)(k * (int64_t)w->nthreads / n);
    if (w->where[i] != TAIL) last = w->where[i];
  }
  if (!sum) memset(w->alike, 0, (size_t)n / PIECE + 1);
}

/* The reach where the groups after the first start. */
static int first_group_end(const pl_plan_request *request)
{
  int end = 0;
  while (end < request->nconflict && request->conflict[end].group == 0) end++;
  return end;
}

static void place_by_first(const work *w)
{
  int nreach = first_group_end(w->request), step = size_of(w) >= MANY ? SAMPLE : 1;
  int64_t sum = 0;
  for (int r = 0; r < nreach; r++) sum += count_reached(w, r, step);
  if (nreach) cut_targets(w, sum, is_sparse(ntargets_of(w), sum * step));
  follow_owners(w, nreach);
  place_free(w, sum);
}

/* ---- further groups: first come ---- */

/* Whether a slot may have all targets of an element in reaches [r, end): no other has one. */
static bool may_have(const work *w, int r, int end, int element, int slot)
{
  for (; r < end; r++) {
    const pl_reach *reach = &w->request->conflict[r];
    const int *target = pl_reach_at(reach, &element), *owner = w->owner + w->base[r];
    int width = pl_reach_width(reach);
    for (int k = 0; k < width; k++)
      if (target[k] >= 0 && owner[target[k]] != FREE && owner[target[k]] != slot) return false;
  }
  return true;
}

static void take(const work *w, int r, int end, int element, int slot)
{
  for (; r < end; r++) {
    const pl_reach *reach = &w->request->conflict[r];
    const int *target = pl_reach_at(reach, &element);
    int *owner = w->owner + w->base[r], width = pl_reach_width(reach);
    for (int k = 0; k < width; k++)
      if (target[k] >= 0) owner[target[k]] = slot;
  }
}

/* All further groups at once, so that what goes to the tail takes nothing. */
static void place_by_rest(const work *w, size_t nothers)
{
  const pl_plan_request *request = w->request;
  int r = first_group_end(request);
  if (r == request->nconflict) return;
  for (size_t t = 0; t < nothers; t++) w->owner[t] = FREE;
  for (int p = request->begin; p < request->end; p++) {
    int element = pl_element_at(request->set, p), *where = &w->where[p - request->begin];
    if (*where == TAIL || is_placed(w, *where)) continue;
    if (may_have(w, r, request->nconflict, element, *where))
      take(w, r, request->nconflict, element, *where);
    else
      *where = TAIL, w->alike[(p - request->begin) / PIECE] = false;
  }
}

/* ---- the second level ---- */

/* Whether the tail is divided once more. Two threads have one border between them, so one would do it all. */
static bool divides_tail(const work *w)
{
  int64_t tail = 0;
  for (int i = 0, end; i < size_of(w); i = end) {
    end = stretch_end(w, i);
    if (w->where[i] == TAIL) tail += end - i;
  }
  return w->nthreads > 2 && tail >= (int64_t)WORTH * w->nthreads;
}

static void place_tail(const work *w, size_t nothers)
{
  follow_owners(w, first_group_end(w->request));
  for (int i = 0; i < size_of(w); i++)
    if (w->where[i] == FREE) w->where[i] = slot_of(w, 0); /* waits for others of further groups only */
  place_by_rest(w, nothers);
}

/* ---- runs ---- */

static void count_runs(const work *w, pl_split *split)
{
  for (int i = 0, end; i < size_of(w); i = end) {
    end = stretch_end(w, i);
    if (w->where[i] == TAIL)
      split->ntail += end - i;
    else
      split->run_offset[w->where[i] + 1]++;
  }
  for (int s = 0; s < split->nlevels * split->nthreads; s++) split->run_offset[s + 1] += split->run_offset[s];
}

/* run_offset[s] moves through the runs of slot s and is moved back by one slot at the end. */
static void fill_runs(const work *w, pl_split *split)
{
  int ntail = 0;
  for (int i = 0, end; i < size_of(w); i = end) {
    int slot = w->where[i], first = split->begin + i;
    end = stretch_end(w, i);
    for (int k = i; k < end && slot == TAIL; k++) split->tail[ntail++] = split->begin + k;
    if (slot != TAIL) split->run[split->run_offset[slot]++] = (pl_run){first, split->begin + end};
  }
  memmove(split->run_offset + 1, split->run_offset, (size_t)(split->nlevels * split->nthreads) * sizeof(int));
  split->run_offset[0] = 0;
}

static pl_err make_runs(pl_context *pl, const work *w, pl_split *split)
{
  count_runs(w, split);
  size_t runs = (size_t)split->run_offset[split->nlevels * split->nthreads] * sizeof(pl_run),
         tail = (size_t)split->ntail * sizeof(int);
  split->run = pl_malloc(pl, runs);
  split->tail = pl_malloc(pl, tail);
  if (!split->run || !split->tail) return pl_fail_memory(pl, runs + tail);
  fill_runs(w, split);
  return PL_SUCCESS;
}

/* Further groups' targets stand one group after the other: *nothers of them. */
static pl_err make_room(pl_context *pl, work *w, size_t *nothers)
{
  size_t n = (size_t)size_of(w), ntargets = pl_group_bases(w->request, w->base), first = ntargets;
  int nconflict = w->request->nconflict, r = first_group_end(w->request);
  if (r < nconflict) first = w->base[r];
  for (; r < nconflict; r++) w->base[r] -= first;
  *nothers = ntargets - first;
  while (nconflict && ntargets_of(w) >> w->shift >= BUCKETS) w->shift++;
  w->where = pl_malloc_array(pl, n * sizeof *w->where);
  w->alike = pl_malloc(pl, n / PIECE + 1);
  w->half = pl_calloc(pl, BUCKETS, sizeof *w->half);
  w->owner = pl_malloc_array(pl, *nothers * sizeof *w->owner);
  if (w->where && w->alike && w->half && w->owner) return PL_SUCCESS;
  return pl_fail_memory(pl, (n + *nothers) * sizeof(int));
}

static pl_err place_and_list(pl_context *pl, work *w, pl_split *split)
{
  size_t nothers;
  PL_TRY(make_room(pl, w, &nothers));
  split->run_offset = pl_calloc(pl, 2 * (size_t)split->nthreads + 1, sizeof(int));
  if (!split->run_offset) return pl_fail_memory(pl, 2 * (size_t)split->nthreads * sizeof(int));
  place_by_first(w);
  place_by_rest(w, nothers);
  split->nlevels = 1;
  if (divides_tail(w)) {
    w->level = 1;
    split->nlevels = 2;
    place_tail(w, nothers);
  }
  return make_runs(pl, w, split);
}

pl_err pl_split_build(pl_context *pl, const pl_plan_request *request, pl_split *split)
{
  work w = {.request = request,
            .nthreads = split->nthreads,
            .base = pl_malloc(pl, (size_t)request->nconflict * sizeof(size_t))};
  pl_err err =
    w.base ? place_and_list(pl, &w, split) : pl_fail_memory(pl, (size_t)request->nconflict * sizeof(size_t));
  pl_free_array(pl, w.where);
  pl_free_array(pl, w.owner);
  pl_free(pl, w.alike);
  pl_free(pl, w.half);
  pl_free(pl, w.base);
  return err;
}

/* ---- pieces of rows ---- */

int pl_cut_rows(const int *offset, const int64_t *wide, int begin, int end, int w, int pieces)
{
  int64_t n = end - begin;
  if (!offset && !wide) return begin + (int)(n * w / pieces);
  int64_t first = offset ? offset[begin] : wide[begin], last = offset ? offset[end] : wide[end];
  int64_t before = (last - first + n) * w / pieces; /* what the pieces before cost */
  int low = begin, high = end;
  while (low < high) {
    int at = low + (high - low) / 2;
    int64_t row = offset ? offset[at] : wide[at];
    if (row - first + at - begin < before)
      low = at + 1;
    else
      high = at;
  }
  return low;
}

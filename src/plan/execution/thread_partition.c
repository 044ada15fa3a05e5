/* SPDX-License-Identifier: BSD-2-Clause
 * Thread partitions by the owner-computes rule.
 *
 * The targets of the first group are cut into one range a thread, each reached about equally often, or, for a
 * loop that reaches few of them, equally long, as for loops over all of them; an element goes to the thread
 * that owns all its targets, or to the tail. In further groups, whose numbering usually follows the first
 * (the nodes of cells), a target belongs to the thread whose element reaches it first; an element with a
 * target of another thread goes to the tail. The second level treats the tail in the same way, with ranges
 * shifted by half of one: only elements between ranges that are not adjacent remain.
 */
#include "thread_partition.h"
#include "core/threads/threads.h"
#include "plan/blocks/block_targets.h"
#include <string.h>

enum { TAIL = -1, FREE = -2 }; /* instead of a slot: in the tail, or without a target so far */

enum {
  MIN_TAIL = 8,      /* elements a thread for which a second level is worth its barrier */
  SPARSE = 16,       /* a loop is sparse (a boundary) if it reaches less than one in so many targets */
  PIECE = 1 << 14,   /* positions that a thread of the planner takes at once */
  BUCKETS = 1 << 13, /* of targets, at most: ranges are cut between buckets, and their counts fit in L1 */
  MANY = 1 << 16,    /* from so many positions on, buckets are counted at one position in SAMPLE */
  SAMPLE = 7
};

typedef struct work {
  const pl_plan_request *request;
  int nthreads, level;
  int *where;    /* the slot (level * nthreads + thread) of each position, TAIL or FREE */
  bool *uniform; /* of each piece: `where` is the same at all its positions */
  int shift;     /* target t of the first group is in bucket t >> shift */
  int *half;     /* of each bucket: its reaches, then the half of a range that it is in */
  int *owner;    /* of each target of further groups: the slot that owns it, or FREE */
  size_t *base;  /* of each reach of further groups: where its group begins in `owner` */
} work;

static int size_of(const work *w)
{
  return w->request->end - w->request->begin;
}

/* Whether an earlier level has assigned the position. */
static bool is_assigned(const work *w, int where)
{
  return where >= 0 && where < w->level * w->nthreads;
}

/* The slot that owns a half of a range on this level. */
static int slot_of(const work *w, int half)
{
  return w->level * w->nthreads + (w->level ? (half ? (half - 1) / 2 : 0) : half / 2);
}

/* ---- the first group: cut the targets ---- */

static int ntargets_of(const work *w)
{
  return pl_reach_to(w->request->conflict, w->request->set)->end[3];
}

/* Counts the targets of reach r in each bucket, at one position in `step`, in half[]; returns the sum. */
static int64_t count_reached(const work *w, int r, int step)
{
  const pl_plan_request *request = w->request;
  const pl_reach *reach = &request->conflict[r];
  int width = pl_reach_width(reach);
  int64_t sum = 0;
  for (int64_t p = request->begin; p < request->end; p += step) {
    const int element = pl_element_at(request->set, (int)p);
    for (int k = 0; k < width; k++) {
      const int target = pl_reach_target(reach, element, k);
      if (target >= 0) w->half[target >> w->shift]++, sum++;
    }
  }
  return sum;
}

/* Loops over a boundary are bound by memory: equal ranges let a thread reuse its cache from other loops. */
static bool is_sparse(int ntargets, int64_t sum)
{
  return sum * SPARSE < ntargets;
}

/* Replaces counts by halves of ranges, each with about the same part of the sum, or equally long. */
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

/* Assigns positions i to end - 1 to the owner of their targets in reach r, or to the tail if another reach
 * has assigned them to a different one. */
static void assign_by_reach(const work *w, int r, int i, int end)
{
  const pl_plan_request *request = w->request;
  const pl_reach *reach = &request->conflict[r];
  int width = pl_reach_width(reach);
  for (; i < end; i++) {
    int element = pl_element_at(request->set, request->begin + i), *where = &w->where[i];
    if (is_assigned(w, *where)) continue;
    for (int k = 0; k < width; k++) {
      const int target = pl_reach_target(reach, element, k);
      if (target < 0) continue;
      int slot = slot_of(w, w->half[target >> w->shift]);
      *where = *where == FREE || *where == slot ? slot : TAIL;
    }
  }
}

/* Assigns each position to the owner of its targets in the first group, reaches 0 to nreach - 1. */
static void assign_to_owners(const work *w, int nreach)
{
  int n = size_of(w), pieces = n / PIECE + 1, threads = pl_plan_threads(pieces, (size_t)n);
  PL_PARALLEL_FOR(threads)
  for (int p = 0; p < pieces; p++) {
    int begin = p * PIECE, end = p < pieces - 1 ? begin + PIECE : n, same = begin;
    for (int i = begin; i < end && !w->level; i++) w->where[i] = FREE;
    for (int i = begin; i < end && w->level; i++)
      if (w->where[i] == TAIL) w->where[i] = FREE;
    for (int r = 0; r < nreach; r++) assign_by_reach(w, r, begin, end);
    while (same < end && w->where[same] == w->where[begin]) same++;
    w->uniform[p] = same == end;
  }
}

/* The end of the run of equal slots that begins at i. */
static int run_end(const work *w, int i)
{
  int n = size_of(w), where = w->where[i];
  while (i < n && w->where[i] == where) i += i % PIECE == 0 && w->uniform[i / PIECE] ? PIECE : 1;
  return i < n ? i : n;
}

/* Positions without a target join the one before them; if none has a target, each thread gets an equal share.
 */
static void assign_free(const work *w, int64_t sum)
{
  int64_t n = size_of(w);
  int last = 0, end;
  for (int i = 0; i < n; i = end) {
    end = run_end(w, i);
    for (int k = i; k < end && w->where[k] == FREE; k++)
      w->where[k] = sum ? last : (int)(k * (int64_t)w->nthreads / n);
    if (w->where[i] != TAIL) last = w->where[i];
  }
  if (!sum) memset(w->uniform, 0, (size_t)n / PIECE + 1);
}

/* The first reach of the groups after the first. */
static int first_group_end(const pl_plan_request *request)
{
  int end = 0;
  while (end < request->nconflict && request->conflict[end].group == 0) end++;
  return end;
}

static void assign_by_first_group(const work *w)
{
  int nreach = first_group_end(w->request), step = size_of(w) >= MANY ? SAMPLE : 1;
  int64_t sum = 0;
  for (int r = 0; r < nreach; r++) sum += count_reached(w, r, step);
  if (nreach) cut_targets(w, sum, is_sparse(ntargets_of(w), sum * step));
  assign_to_owners(w, nreach);
  assign_free(w, sum);
}

/* ---- further groups: first come, first served ---- */

/* Whether no other slot owns a target of an element in reaches [r, end). */
static bool can_own(const work *w, int r, int end, int element, int slot)
{
  for (; r < end; r++) {
    const pl_reach *reach = &w->request->conflict[r];
    const int *owner = w->owner + w->base[r], width = pl_reach_width(reach);
    for (int k = 0; k < width; k++) {
      const int target = pl_reach_target(reach, element, k);
      if (target >= 0 && owner[target] != FREE && owner[target] != slot) return false;
    }
  }
  return true;
}

static void take_targets(const work *w, int r, int end, int element, int slot)
{
  for (; r < end; r++) {
    const pl_reach *reach = &w->request->conflict[r];
    int *owner = w->owner + w->base[r], width = pl_reach_width(reach);
    for (int k = 0; k < width; k++) {
      const int target = pl_reach_target(reach, element, k);
      if (target >= 0) owner[target] = slot;
    }
  }
}

/* All further groups at once, so that elements of the tail own nothing. */
static void assign_by_further_groups(const work *w, size_t nothers)
{
  const pl_plan_request *request = w->request;
  int r = first_group_end(request);
  if (r == request->nconflict) return;
  for (size_t t = 0; t < nothers; t++) w->owner[t] = FREE;
  for (int p = request->begin; p < request->end; p++) {
    int element = pl_element_at(request->set, p), *where = &w->where[p - request->begin];
    if (*where == TAIL || is_assigned(w, *where)) continue;
    if (can_own(w, r, request->nconflict, element, *where))
      take_targets(w, r, request->nconflict, element, *where);
    else
      *where = TAIL, w->uniform[(p - request->begin) / PIECE] = false;
  }
}

/* ---- the second level ---- */

/* Whether the tail is worth a second level. Two threads share one border, so one thread would run it all. */
static bool needs_second_level(const work *w)
{
  int64_t tail = 0;
  for (int i = 0, end; i < size_of(w); i = end) {
    end = run_end(w, i);
    if (w->where[i] == TAIL) tail += end - i;
  }
  return w->nthreads > 2 && tail >= (int64_t)MIN_TAIL * w->nthreads;
}

static void assign_tail(const work *w, size_t nothers)
{
  assign_to_owners(w, first_group_end(w->request));
  for (int i = 0; i < size_of(w); i++)
    if (w->where[i] == FREE) w->where[i] = slot_of(w, 0); /* conflicts in further groups only */
  assign_by_further_groups(w, nothers);
}

/* ---- runs ---- */

static void count_runs(const work *w, pl_thread_partition *partition)
{
  for (int i = 0, end; i < size_of(w); i = end) {
    end = run_end(w, i);
    if (w->where[i] == TAIL)
      partition->ntail += end - i;
    else
      partition->run_offset[w->where[i] + 1]++;
  }
  for (int s = 0; s < partition->nlevels * partition->nthreads; s++)
    partition->run_offset[s + 1] += partition->run_offset[s];
}

/* run_offset[s] advances through the runs of slot s; at the end offsets are shifted by one slot. */
static void fill_runs(const work *w, pl_thread_partition *partition)
{
  int ntail = 0;
  for (int i = 0, end; i < size_of(w); i = end) {
    int slot = w->where[i], first = partition->begin + i;
    end = run_end(w, i);
    for (int k = i; k < end && slot == TAIL; k++) partition->tail[ntail++] = partition->begin + k;
    if (slot != TAIL) partition->run[partition->run_offset[slot]++] = (pl_run){first, partition->begin + end};
  }
  memmove(partition->run_offset + 1, partition->run_offset,
          (size_t)(partition->nlevels * partition->nthreads) * sizeof(int));
  partition->run_offset[0] = 0;
}

static pl_err build_runs(pl_context *pl, const work *w, pl_thread_partition *partition)
{
  count_runs(w, partition);
  const int slots = partition->nlevels * partition->nthreads;
  PL_TRY(PL_NEW(pl, partition->run, (size_t)partition->run_offset[slots]));
  PL_TRY(PL_NEW(pl, partition->tail, (size_t)partition->ntail));
  fill_runs(w, partition);
  return PL_SUCCESS;
}

/* *nothers: targets of all further groups. */
static pl_err alloc_work(pl_context *pl, work *w, size_t *nothers)
{
  size_t n = (size_t)size_of(w), ntargets = pl_group_bases(w->request, w->base), first = ntargets;
  int nconflict = w->request->nconflict, r = first_group_end(w->request);
  if (r < nconflict) first = w->base[r];
  for (; r < nconflict; r++) w->base[r] -= first;
  *nothers = ntargets - first;
  while (nconflict && ntargets_of(w) >> w->shift >= BUCKETS) w->shift++;
  PL_TRY(PL_NEW_ARRAY(pl, w->where, n));
  PL_TRY(PL_NEW(pl, w->uniform, n / PIECE + 1));
  PL_TRY(PL_NEW(pl, w->half, (size_t)BUCKETS));
  return PL_NEW_ARRAY(pl, w->owner, *nothers);
}

static pl_err build_partition(pl_context *pl, work *w, pl_thread_partition *partition)
{
  size_t nothers;
  PL_TRY(alloc_work(pl, w, &nothers));
  PL_TRY(PL_NEW(pl, partition->run_offset, 2 * (size_t)partition->nthreads + 1));
  assign_by_first_group(w);
  assign_by_further_groups(w, nothers);
  partition->nlevels = 1;
  if (needs_second_level(w)) {
    w->level = 1;
    partition->nlevels = 2;
    assign_tail(w, nothers);
  }
  return build_runs(pl, w, partition);
}

pl_err pl_thread_partition_build(pl_context *pl, const pl_plan_request *request,
                                 pl_thread_partition *partition)
{
  work w = {.request = request,
            .nthreads = partition->nthreads,
            .base = pl_malloc(pl, (size_t)request->nconflict * sizeof(size_t))};
  pl_err err = w.base ? build_partition(pl, &w, partition)
                      : pl_fail_memory(pl, (size_t)request->nconflict * sizeof(size_t));
  pl_free_arrays(pl, w.where, w.owner);
  pl_free_all(pl, w.uniform, w.half, w.base);
  return err;
}

/* ---- pieces of equal cost ---- */

int pl_cut_rows(const int *offset, const int64_t *wide, int begin, int end, int w, int pieces)
{
  int64_t n = end - begin;
  if (!offset && !wide) return begin + (int)(n * w / pieces);
  int64_t first = offset ? offset[begin] : wide[begin], last = offset ? offset[end] : wide[end];
  int64_t before = (last - first + n) * w / pieces; /* the cost of the pieces before */
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

/* SPDX-License-Identifier: BSD-2-Clause
 * The openmp backend. Loops without conflicts are cut into contiguous pieces; loops with indirect writes run
 * by a thread partition (each thread its own runs, on at most two levels, then a short tail) or by block
 * colours.
 *
 * Invariant: work is divided among workers, not threads: as many as threads, or a fixed number if results may
 * not depend on the number of threads (PLAIT_REPRODUCIBLE).
 */
#include "host_backend.h"
#include "thread_limit.h"
#include "core/base/clock.h"
#include "core/loop/loop.h"
#include "core/particles/pair_map.h"
#include "plan/execution/plan_cache.h"
#include "plan/execution/plan_request.h"
#include "plan/execution/plan_verify.h"
#include "plan/execution/thread_partition.h"
#include <omp.h>
#include <string.h>

enum {
  TAIL_SHARE = 10, /* a partition is used if its tail is under 1/TAIL_SHARE of a thread's elements */
  FEW = 1024,      /* elements that take less time than waking a thread */
  MANY = 100000,   /* elements worth all threads; in between the best number is measured */
  MOST_COUNTS = 6  /* numbers of threads compared */
};

/* A turn is four calls in a row with one number of threads; the last two are timed. Their mean is compared,
 * because the least time would hide that waking threads takes milliseconds on busy cores. */
static const pl_tuner_rules thread_rules = {.turns = 4, .calls = 4, .skipped = 2, .gain = 1.0, .mean = true};

static int threads_of(pl_context *pl)
{
  return ((pl_host *)pl->backend_state)->threads;
}

static void run_workers(int workers, int threads, pl_work_fn work, void *data)
{
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int w = 0; w < workers; w++) work(data, w);
}

static void run_slots(pl_host_code *code, const pl_loop_range *range);

static void do_nothing(void *data, int w)
{
  (void)data, (void)w;
}

/* The number of threads, lowered for the whole program to those that can be created. OpenMP creates these at
 * once, while they can be, and keeps them. */
static int limit_threads(pl_context *pl)
{
  int wanted = omp_get_max_threads(), possible = pl_thread_limit(wanted);
  if (possible == wanted) return wanted;
  pl_log(
    pl, 0,
    "backend openmp: only %d of %d threads can be created; raise the limit of processes or memory (ulimit), "
    "or set OMP_NUM_THREADS",
    possible, wanted);
  omp_set_num_threads(possible);
  run_workers(possible, possible, do_nothing, NULL);
  return possible;
}

static pl_err open_omp(pl_context *pl, void **state)
{
  pl_host *host = NULL;
  PL_TRY(pl_host_new(pl, limit_threads(pl), &host));
  host->each = run_workers;
  host->run_slots = run_slots;
  *state = host;
  return PL_SUCCESS;
}

/* ---- preparing ---- */

/* The tail runs on one thread. */
static bool is_balanced(const pl_thread_partition *partition)
{
  return (int64_t)partition->ntail * TAIL_SHARE * partition->nthreads <= partition->end - partition->begin;
}

static pl_err report_plan(pl_context *pl, const char *plan, const pl_plan_request *request, const char *why)
{
  bool unchecked = !strcmp(why, PL_PLAN_UNCHECKED);
  return pl_fail(pl, unchecked ? PL_ERR_MEMORY : PL_ERR_CHECK, "%s of set \"%s\" %s%s", plan,
                 request->set->node.name, unchecked ? "" : "is invalid: ", why);
}

/* With PLAIT_CHECK plans are verified before use. */
static pl_err check_plan(pl_context *pl, const pl_plan_request *request, const pl_plan *plan)
{
  char why[256];
  bool valid = !pl_opt_flag(pl, PL_OPT_CHECK) || pl_plan_is_valid(request, plan, why, sizeof why);
  return valid ? PL_SUCCESS : report_plan(pl, "the plan", request, why);
}

static pl_err check_partition(pl_context *pl, const pl_plan_request *request,
                              const pl_thread_partition *partition)
{
  char why[256];
  bool valid =
    !pl_opt_flag(pl, PL_OPT_CHECK) || pl_thread_partition_is_valid(request, partition, why, sizeof why);
  return valid ? PL_SUCCESS : report_plan(pl, "the thread partition", request, why);
}

static pl_err plan_range(pl_host_code *code, int p, const pl_reach *reach, int nreach)
{
  pl_loop *loop = code->loop;
  pl_context *pl = loop->pl;
  pl_plan_request request = {.set = loop->set,
                             .begin = pl_loop_range_end(loop, p - 1),
                             .end = pl_loop_range_end(loop, p),
                             .block_size = (int)pl_opt_count(pl, PL_OPT_BLOCK_SIZE),
                             .nconflict = nreach,
                             .conflict = reach};
  if (request.begin == request.end) return PL_SUCCESS;
  if (pl_opt_is(pl, PL_OPT_CONFLICT, "auto") && !pl_opt_flag(pl, PL_OPT_REPRODUCIBLE) &&
      !request.block_size) {
    const pl_thread_partition *partition;
    PL_TRY(pl_thread_partition_get(pl, &request, threads_of(pl), &partition));
    PL_TRY(check_partition(pl, &request, partition));
    if (is_balanced(partition)) {
      code->partition[p] = partition;
      snprintf(code->division, sizeof code->division, "split");
      return PL_SUCCESS;
    }
  }
  PL_TRY(pl_plan_get(pl, &request, &code->plan[p]));
  PL_TRY(check_plan(pl, &request, code->plan[p]));
  const int n = code->plan[p]->ncolours;
  snprintf(code->division, sizeof code->division, "%d colour%s", n, n == 1 ? "" : "s");
  return PL_SUCCESS;
}

static pl_err plan_ranges(pl_host_code *code)
{
  pl_loop *loop = code->loop;
  pl_reach *reach = pl_calloc(loop->pl, (size_t)loop->nargs, sizeof *reach);
  if (!reach) return pl_fail_memory(loop->pl, (size_t)loop->nargs * sizeof *reach);
  int nreach = pl_plan_conflicts(loop, reach);
  pl_err err = PL_SUCCESS;
  for (int p = 0; p < PL_HOST_RANGES && !err; p++) err = plan_range(code, p, reach, nreach);
  pl_free(loop->pl, reach);
  if (!err) pl_host_name_variant(code);
  return err;
}

static pl_err prepare_omp(pl_context *pl, pl_loop *loop)
{
  int threads = threads_of(pl);
  bool fixed = pl_opt_flag(pl, PL_OPT_REPRODUCIBLE);
  PL_TRY(pl_host_prepare(pl, loop, fixed ? PL_FIXED_WORKERS : threads));
  if (!loop->indirect_write || (threads == 1 && !fixed && !pl_opt_is(pl, PL_OPT_CONFLICT, "colour")))
    return PL_SUCCESS;
  pl_err err = plan_ranges(loop->code);
  if (err) pl_host_release(pl, loop);
  return err;
}

/* ---- running ---- */

/* How the workers share a range, and the part of each. */
typedef struct division {
  const pl_host_code *code;
  const int *list;
  void (*work)(const struct division *d, int w);
  const pl_loop_range *range;           /* contiguous pieces, ... */
  const pl_thread_partition *partition; /* or runs of a level, ... */
  int level;
  const pl_plan *plan; /* or blocks of a colour */
  int colour;
  const int *offset; /* rows whose length is the cost of an element; or ... */
  const int64_t *wide;
} division;

/* Pairs, or the first ragged map of the loop, unless it is over a subset. */
static void find_rows(division *d)
{
  const pl_loop *loop = d->code->loop;
  const pl_map *pairs = loop->set->pairs;
  if (pairs && pairs->pair_map) d->wide = pairs->pairs->list.offset;
  if (pairs && !pairs->pair_map) d->offset = pairs->offset;
  for (int i = 0; i < loop->nargs && !pairs && !d->list && !d->offset; i++)
    if (!loop->args[i].off && loop->args[i].map) d->offset = loop->args[i].map->offset;
}

static void run_worker(void *data, int w)
{
  const division *d = data;
  d->work(d, w);
}

static void share_work(division *d, int workers, int threads, void (*work)(const division *d, int w))
{
  d->work = work;
  if (threads > 1)
    run_workers(workers, threads, run_worker, d);
  else
    for (int w = 0; w < workers; w++) work(d, w);
}

static void work_piece(const division *d, int w)
{
  const pl_loop_range *range = d->range;
  int workers = d->code->nworkers;
  int begin = pl_cut_rows(d->offset, d->wide, range->begin, range->end, w, workers);
  int end = pl_cut_rows(d->offset, d->wide, range->begin, range->end, w + 1, workers);
  pl_host_run(d->code, w, begin, end, d->list);
}

static void work_runs(const division *d, int w)
{
  const pl_thread_partition *partition = d->partition;
  int slot = d->level * partition->nthreads + w;
  for (int r = partition->run_offset[slot]; r < partition->run_offset[slot + 1]; r++)
    pl_host_run(d->code, w, partition->run[r].begin, partition->run[r].end, d->list);
}

static void run_tail(const division *d)
{
  const pl_thread_partition *partition = d->partition;
  if (!d->list) pl_host_run(d->code, 0, 0, partition->ntail, partition->tail);
  for (int i = 0; d->list && i < partition->ntail; i++)
    pl_host_run(d->code, 0, partition->tail[i], partition->tail[i] + 1, d->list);
}

static void work_blocks(const division *d, int w)
{
  const pl_plan *plan = d->plan;
  int first = plan->colour_offset[d->colour], n = plan->colour_offset[d->colour + 1] - first;
  for (int b = pl_host_share(n, w, d->code->nworkers); b < pl_host_share(n, w + 1, d->code->nworkers); b++) {
    int begin = plan->begin + plan->block[first + b] * plan->block_size, end = begin + plan->block_size;
    pl_host_run(d->code, w, begin, end < plan->end ? end : plan->end, d->list);
  }
}

static void run_division(division *d, int threads)
{
  if (d->partition) {
    for (d->level = 0; d->level < d->partition->nlevels; d->level++)
      share_work(d, d->partition->nthreads, threads, work_runs);
    run_tail(d);
  } else if (d->plan) {
    for (d->colour = 0; d->colour < d->plan->ncolours; d->colour++)
      share_work(d, d->code->nworkers, threads, work_blocks);
  } else if (d->code->serial) {
    pl_host_run(d->code, 0, d->range->begin, d->range->end, d->list);
  } else {
    find_rows(d);
    share_work(d, d->code->nworkers, threads, work_piece);
  }
}

/* Numbers of threads: all, a quarter of them, ... one. */
static int thread_count(int all, int k)
{
  int threads = all >> (2 * k);
  return threads > 1 ? threads : 1;
}

static int thread_counts(int all)
{
  int n = 1;
  while (n < MOST_COUNTS && thread_count(all, n - 1) > 1) n++;
  return n;
}

/* The tuner of a range of medium size; NULL: *threads is fixed. All threads run while a schedule with tiles
 * is compared with one without, because tiles use all threads. */
static pl_tuner *tuner_for(pl_host_code *code, const pl_loop_range *range, int *threads)
{
  int n = range->end - range->begin, all = threads_of(code->loop->pl);
  *threads = n < FEW ? 1 : all;
  if (n < FEW || n >= MANY || range->number || all == 1) return NULL;
  if (!code->threads.done && code->host->tiling_trial) return NULL;
  if (!code->threads.n) pl_tuner_open(&code->threads, &thread_rules, thread_counts(all), 0);
  *threads = thread_count(all, pl_tuner_now(&code->threads));
  return code->threads.done ? NULL : &code->threads;
}

static void run_slots(pl_host_code *code, const pl_loop_range *range)
{
  int p = range->number, threads;
  pl_tuner *tuner = tuner_for(code, range, &threads);
  division d = {.code = code,
                .list = code->loop->set->indices,
                .range = range,
                .partition = code->partition[p],
                .plan = code->plan[p]};
  double start = tuner ? pl_now() : 0.0;
  run_division(&d, threads);
  if (tuner) pl_tuner_add(tuner, pl_now() - start, 1.0);
}

static pl_err run_omp(pl_context *pl, pl_loop *loop, const pl_loop_range *range)
{
  pl_host_code *code = loop->code;
  bool deferred;
  if (omp_in_parallel())
    return pl_fail(pl, PL_ERR_STATE,
                   "loop \"%s\" was called from inside an OpenMP parallel region; call it outside",
                   pl_loop_title(loop));
  if (loop->indirect_write && code->nworkers > 1 && !code->partition[range->number] &&
      !code->plan[range->number])
    return pl_fail(pl, PL_ERR_INTERNAL, "loop \"%s\" has no plan for its conflicts", pl_loop_title(loop));
  PL_TRY(pl_tiling_defer(code, range, &deferred));
  if (deferred) return PL_SUCCESS;
  PL_TRY(pl_host_begin(code));
  run_slots(code, range);
  pl_host_end(code, range);
  return PL_SUCCESS;
}

const pl_backend pl_backend_openmp = {
  .name = "openmp",
  .open = open_omp,
  .prepare = prepare_omp,
  .run = run_omp,
  PL_HOST_BACKEND,
  .threads = threads_of,
};

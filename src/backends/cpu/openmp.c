/* SPDX-License-Identifier: BSD-2-Clause
 * The openmp backend: threads of the calling process. Loops without conflicts are cut into contiguous pieces;
 * loops that write through maps run by a split (each thread its own runs, on two levels at most, then a short
 * tail) or by block colours.
 *
 * Work is divided among workers, not threads: as many workers as threads, or a fixed number where results may
 * not depend on the number of threads (PLAIT_REPRODUCIBLE). Threads take workers.
 */
#include "core/pairs.h"
#include "core/profile.h"
#include "host.h"
#include <omp.h>
#include <string.h>

enum {
  TAIL_SHARE = 10, /* a split is used while its tail is under 1/TAIL_SHARE of a thread's elements */
  FEW = 1024, /* so few elements take less time than waking a thread: the calling thread runs all workers */
  MANY = 100000, /* so many are worth all threads; in between it is found out how many are best */
  IN_A_ROW = 4, /* calls of a kind one after the other, the first half of which bring data to their threads */
  TRIES = 16    /* calls of each kind */
};

static int threads_of(pl_context *pl)
{
  return ((pl_host *)pl->backend_state)->threads;
}

static void each(int workers, int threads, pl_work_fn work, void *data)
{
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int w = 0; w < workers; w++) work(data, w);
}

static void run_slots(pl_host_code *code, const pl_part *part);

static pl_err open_omp(pl_context *pl, void **state)
{
  PL_TRY(pl_host_open(pl, omp_get_max_threads(), state));
  ((pl_host *)*state)->each = each;
  ((pl_host *)*state)->run_slots = run_slots;
  return PL_SUCCESS;
}

/* ---- preparing ---- */

/* Meanwhile all threads but one wait. */
static bool split_is_good(const pl_split *split)
{
  return (int64_t)split->ntail * TAIL_SHARE * split->nthreads <= split->end - split->begin;
}

/* What a checker that said no stands for. */
static pl_err not_valid(pl_context *pl, const char *what, const pl_plan_request *request, const char *why)
{
  bool unchecked = !strcmp(why, PL_PLAN_UNCHECKED);
  return pl_fail(pl, unchecked ? PL_ERR_MEMORY : PL_ERR_CHECK, "%s set \"%s\" %s%s", what,
                 request->set->node.name, unchecked ? "" : "is wrong: ", why);
}

/* With PLAIT_CHECK plans are verified before they are used. */
static pl_err check_plan(pl_context *pl, const pl_plan_request *request, const pl_plan *plan)
{
  char why[256];
  if (!pl_opt_flag(pl, PL_OPT_CHECK) || pl_plan_is_valid(request, plan, why, sizeof why)) return PL_SUCCESS;
  return not_valid(pl, "the plan for", request, why);
}

static pl_err check_split(pl_context *pl, const pl_plan_request *request, const pl_split *split)
{
  char why[256];
  if (!pl_opt_flag(pl, PL_OPT_CHECK) || pl_split_is_valid(request, split, why, sizeof why)) return PL_SUCCESS;
  return not_valid(pl, "the division among threads of", request, why);
}

/* How one part of the set is divided. */
static pl_err plan_part(pl_host_code *code, int p, const pl_reach *reach, int nreach)
{
  pl_loop *loop = code->loop;
  pl_context *pl = loop->pl;
  const int *part = loop->set->part;
  pl_plan_request request = {.set = loop->set,
                             .begin = p ? part[p - 1] : 0,
                             .end = part[p],
                             .block_size = (int)pl_opt_count(pl, PL_OPT_BLOCK_SIZE),
                             .nconflict = nreach,
                             .conflict = reach};
  if (request.begin == request.end) return PL_SUCCESS;
  if (pl_opt_is(pl, PL_OPT_CONFLICT, "auto") && !pl_opt_flag(pl, PL_OPT_REPRODUCIBLE) &&
      !request.block_size) {
    const pl_split *split;
    PL_TRY(pl_split_get(pl, &request, threads_of(pl), &split));
    PL_TRY(check_split(pl, &request, split));
    if (split_is_good(split)) {
      code->split[p] = split;
      snprintf(code->division, sizeof code->division, "split");
      return PL_SUCCESS;
    }
  }
  PL_TRY(pl_plan_get(pl, &request, &code->plan[p]));
  PL_TRY(check_plan(pl, &request, code->plan[p]));
  snprintf(code->division, sizeof code->division, "%d colours", code->plan[p]->ncolours);
  return PL_SUCCESS;
}

static pl_err plan_parts(pl_host_code *code)
{
  pl_loop *loop = code->loop;
  pl_reach *reach = pl_calloc(loop->pl, (size_t)loop->nargs, sizeof *reach);
  if (!reach) return pl_fail_memory(loop->pl, (size_t)loop->nargs * sizeof *reach);
  int nreach = pl_plan_conflicts(loop, reach);
  pl_err err = PL_SUCCESS;
  for (int p = 0; p < PL_HOST_PARTS && !err; p++) err = plan_part(code, p, reach, nreach);
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
  pl_err err = plan_parts(loop->code);
  if (err) pl_host_release(pl, loop);
  return err;
}

/* ---- running ---- */

/* Where piece w of `pieces` begins in n positions. */
static int cut(int n, int w, int pieces)
{
  return (int)((int64_t)n * w / pieces);
}

/* One division of a part: which worker does what. */
typedef struct division {
  const pl_host_code *code;
  const int *list;
  const pl_part *part;   /* contiguous pieces */
  const pl_split *split; /* or the runs of a level */
  int level;
  const pl_plan *plan; /* or the blocks of a colour */
  int colour;
  const int *offset; /* rows that decide what an element costs; or */
  const int64_t *wide;
} division;

/* Pairs, or the first ragged map of the loop. The positions of a subset are no places in rows. */
static void weigh(division *d)
{
  const pl_loop *loop = d->code->loop;
  const pl_map *pairs = loop->set->pairs;
  if (pairs && pairs->pair_map) d->wide = pairs->pairs->offset;
  if (pairs && !pairs->pair_map) d->offset = pairs->offset;
  for (int i = 0; i < loop->nargs && !pairs && !d->list && !d->offset; i++)
    if (!loop->args[i].off && loop->args[i].map) d->offset = loop->args[i].map->offset;
}

typedef void (*worker_fn)(const division *d, int w);

static void each_worker(const division *d, int workers, int threads, worker_fn work)
{
  if (threads == 1) {
    for (int w = 0; w < workers; w++) work(d, w);
    return;
  }
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int w = 0; w < workers; w++) work(d, w);
}

static void work_piece(const division *d, int w)
{
  const pl_part *part = d->part;
  int workers = d->code->nworkers;
  int begin = pl_cut_rows(d->offset, d->wide, part->begin, part->end, w, workers);
  int end = pl_cut_rows(d->offset, d->wide, part->begin, part->end, w + 1, workers);
  pl_host_run(d->code, w, begin, end, d->list);
}

static void work_runs(const division *d, int w)
{
  const pl_split *split = d->split;
  int slot = d->level * split->nthreads + w;
  for (int r = split->run_offset[slot]; r < split->run_offset[slot + 1]; r++)
    pl_host_run(d->code, w, split->run[r].begin, split->run[r].end, d->list);
}

static void run_tail(const division *d)
{
  const pl_split *split = d->split;
  if (!d->list) pl_host_run(d->code, 0, 0, split->ntail, split->tail);
  for (int i = 0; d->list && i < split->ntail; i++)
    pl_host_run(d->code, 0, split->tail[i], split->tail[i] + 1, d->list);
}

static void work_blocks(const division *d, int w)
{
  const pl_plan *plan = d->plan;
  int first = plan->colour_offset[d->colour], n = plan->colour_offset[d->colour + 1] - first;
  for (int b = cut(n, w, d->code->nworkers); b < cut(n, w + 1, d->code->nworkers); b++) {
    int begin = plan->begin + plan->block[first + b] * plan->block_size, end = begin + plan->block_size;
    pl_host_run(d->code, w, begin, end < plan->end ? end : plan->end, d->list);
  }
}

static void run_division(division *d, int threads)
{
  if (d->split) {
    for (d->level = 0; d->level < d->split->nlevels; d->level++)
      each_worker(d, d->split->nthreads, threads, work_runs);
    run_tail(d);
  } else if (d->plan) {
    for (d->colour = 0; d->colour < d->plan->ncolours; d->colour++)
      each_worker(d, d->code->nworkers, threads, work_blocks);
  } else if (d->code->serial) {
    pl_host_run(d->code, 0, d->part->begin, d->part->end, d->list);
  } else {
    weigh(d);
    each_worker(d, d->code->nworkers, threads, work_piece);
  }
}

/* What is tried: all threads, a quarter of them, ... one. */
static int width_at(int all, int k)
{
  int threads = all >> (2 * k);
  return threads > 1 ? threads : 1;
}

static int widths(int all)
{
  int n = 1;
  while (n < PL_WIDTHS && width_at(all, n - 1) > 1) n++;
  return n;
}

/* What is tried in a turn. */
static int kind_of(int turn, int all)
{
  return turn / IN_A_ROW % widths(all);
}

static bool learns_width(const pl_host_code *code, const pl_part *part)
{
  int n = part->end - part->begin, all = threads_of(code->loop->pl);
  return n >= FEW && n < MANY && !part->number && all > 1 && code->width.turn < TRIES * widths(all);
}

/* Results do not depend on it: workers and their order are the same. */
static int threads_for(const pl_host_code *code, const pl_part *part)
{
  int n = part->end - part->begin, all = threads_of(code->loop->pl);
  const pl_width *width = &code->width;
  if (n < FEW || all == 1) return 1;
  if (n >= MANY || part->number) return all;
  return width_at(all, learns_width(code, part) ? kind_of(width->turn, all) : width->best);
}

static void learn_width(pl_host_code *code, double seconds)
{
  pl_width *width = &code->width;
  int all = threads_of(code->loop->pl), n = widths(all);
  double *best = &width->seconds[kind_of(width->turn, all)];
  if (width->turn % IN_A_ROW >= IN_A_ROW / 2 && (*best == 0.0 || seconds < *best)) *best = seconds;
  if (++width->turn < TRIES * n) return;
  width->best = 0;
  for (int k = 1; k < n; k++)
    if (width->seconds[k] < width->seconds[width->best]) width->best = k;
}

static void run_slots(pl_host_code *code, const pl_part *part)
{
  int p = part->number, threads = threads_for(code, part);
  bool learning = learns_width(code, part);
  division d = {code, code->loop->set->indices, part, .split = code->split[p], .plan = code->plan[p]};
  double start = learning ? pl_now() : 0.0;
  run_division(&d, threads);
  if (learning) learn_width(code, pl_now() - start);
}

static pl_err run_omp(pl_context *pl, pl_loop *loop, const pl_part *part)
{
  pl_host_code *code = loop->code;
  bool taken;
  if (omp_in_parallel())
    return pl_fail(pl, PL_ERR_STATE,
                   "loop \"%s\" was called from inside an OpenMP parallel region; call it outside",
                   loop->kernel->name);
  if (loop->indirect_write && code->nworkers > 1 && !code->split[part->number] && !code->plan[part->number])
    return pl_fail(pl, PL_ERR_INTERNAL, "loop \"%s\" has no plan for its conflicts", loop->kernel->name);
  PL_TRY(pl_tiling_takes(code, part, &taken));
  if (taken) return PL_SUCCESS;
  PL_TRY(pl_host_begin(code));
  run_slots(code, part);
  pl_host_end(code, part);
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

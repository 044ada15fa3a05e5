/* SPDX-License-Identifier: BSD-2-Clause
 * Verifiers of plans and thread partitions. Written from the invariants alone; they share no code with the
 * builders.
 */
#include "plan_verify.h"
#include "core/data/objects.h"
#include <stdarg.h>
#include <string.h>

typedef struct checker {
  const pl_plan_request *request;
  pl_context *pl;
  int n; /* positions */
  char *why;
  size_t size;
} checker;

static bool broken(const checker *c, const char *format, ...) PL_PRINTF(2, 3);
static bool broken(const checker *c, const char *format, ...)
{
  va_list list;
  va_start(list, format);
  if (c->why && c->size) vsnprintf(c->why, c->size, format, list);
  va_end(list);
  return false;
}

static checker make_checker(const pl_plan_request *request, char *why, size_t size)
{
  if (why && size) *why = '\0';
  return (checker){request, request->set->node.pl, request->end - request->begin, why, size};
}

static bool no_memory(const checker *c)
{
  return broken(c, PL_PLAN_UNCHECKED);
}

/* ---- targets ---- */

/* Target k of a reach at a position; there are width_of(reach). */
static int target_at(const checker *c, const pl_reach *reach, int position, int k)
{
  const pl_set *set = c->request->set;
  size_t element = (size_t)pl_element_at(set, position);
  if (!reach->map) return (int)element;
  return pl_map_target(reach->map, element, reach->index == PL_ALL ? k : reach->index);
}

static int width_of(const pl_reach *reach)
{
  return reach->map && reach->index == PL_ALL ? reach->map->arity : 1;
}

static const pl_set *end_of(const checker *c, const pl_reach *reach)
{
  const pl_set *set = c->request->set;
  return reach->map ? reach->map->to : set->parent ? set->parent : set;
}

static bool same_data(const checker *c, const pl_reach *a, const pl_reach *b)
{
  return a->group == b->group && end_of(c, a) == end_of(c, b);
}

/* ---- conflicts ---- */

/* One position of a checked range; visits are in ascending order of steps. */
typedef struct visit {
  int position;
  int64_t step; /* runs at once: a colour, an element colour of a block, a level of threads */
  int64_t unit; /* the block, position or thread that runs the position */
} visit;

typedef struct visits {
  int n;
  visit *item;
  const char *unit, *together; /* for the message: "blocks" of one "colour" */
} visits;

/* The visit of each target becomes this one; false if another unit of the same step has reached it. */
static bool claim_targets(const checker *c, const pl_reach *first, const visits *v, int i, visit *last)
{
  const visit *now = &v->item[i];
  for (int r = 0; r < c->request->nconflict; r++) {
    const pl_reach *reach = &c->request->conflict[r];
    if (!same_data(c, first, reach)) continue;
    for (int k = 0; k < width_of(reach); k++) {
      int t = target_at(c, reach, now->position, k);
      if (t < 0) continue;
      if (last[t].step == now->step && last[t].unit != now->unit)
        return broken(c, "%s %lld and %lld of one %s both reach target %d in group %d", v->unit,
                      (long long)last[t].unit, (long long)now->unit, v->together, t, reach->group);
      last[t] = *now;
    }
  }
  return true;
}

/* Whether no two units reach one target in a step, for each target set of each group. */
static bool no_conflicts(const checker *c, const visits *v)
{
  const pl_plan_request *request = c->request;
  for (int r = 0; r < request->nconflict; r++) {
    const pl_reach *reach = &request->conflict[r];
    int earlier = 0;
    while (!same_data(c, reach, &request->conflict[earlier])) earlier++;
    if (earlier < r) continue;
    size_t ntargets = (size_t)end_of(c, reach)->end[3];
    visit *last = pl_malloc(c->pl, ntargets * sizeof *last);
    if (!last) return no_memory(c);
    for (size_t t = 0; t < ntargets; t++) last[t] = (visit){-1, -1, -1};
    bool fine = true;
    for (int i = 0; i < v->n && fine; i++) fine = claim_targets(c, reach, v, i, last);
    pl_free(c->pl, last);
    if (!fine) return false;
  }
  return true;
}

static bool alloc_visits(const checker *c, visits *v)
{
  v->item = pl_malloc(c->pl, (size_t)c->n * sizeof *v->item);
  return v->item || no_memory(c);
}

/* ---- plans: blocks and their colours ---- */

static bool range_fits(const checker *c, int begin, int end)
{
  if (begin == c->request->begin && end == c->request->end) return true;
  return broken(c, "covers range [%d, %d), requested was [%d, %d)", begin, end, c->request->begin,
                c->request->end);
}

static bool blocks_cut(const checker *c, const pl_plan *plan)
{
  if (!range_fits(c, plan->begin, plan->end)) return false;
  if (plan->block_size < 1 || (c->request->block_size && plan->block_size != c->request->block_size))
    return broken(c, "block size is %d, requested was %d", plan->block_size, c->request->block_size);
  int64_t blocks = ((int64_t)c->n + plan->block_size - 1) / plan->block_size;
  if (plan->nblocks != blocks)
    return broken(c, "has %d blocks, the range has %lld", plan->nblocks, (long long)blocks);
  return true;
}

static bool colours_cut(const checker *c, const pl_plan *plan)
{
  if (plan->ncolours < 0 || !plan->ncolours != !plan->nblocks)
    return broken(c, "has %d colours for %d blocks", plan->ncolours, plan->nblocks);
  if (!c->request->nconflict && plan->ncolours > 1)
    return broken(c, "has %d colours without any conflict", plan->ncolours);
  if (plan->colour_offset[0]) return broken(c, "the first colour starts at index %d", plan->colour_offset[0]);
  for (int k = 0; k < plan->ncolours; k++)
    if (plan->colour_offset[k + 1] <= plan->colour_offset[k]) return broken(c, "colour %d has no blocks", k);
  if (plan->colour_offset[plan->ncolours] != plan->nblocks)
    return broken(c, "colours have %d blocks of %d", plan->colour_offset[plan->ncolours], plan->nblocks);
  return true;
}

/* As many entries as blocks, each of its colour and ascending within it: so each block is listed once. */
static bool blocks_listed(const checker *c, const pl_plan *plan)
{
  for (int k = 0; k < plan->ncolours; k++)
    for (int i = plan->colour_offset[k], last = -1; i < plan->colour_offset[k + 1]; i++) {
      int b = plan->block[i];
      if (b < 0 || b >= plan->nblocks) return broken(c, "block %d is listed, there are %d", b, plan->nblocks);
      if (plan->block_colour[b] != k)
        return broken(c, "block %d is listed under colour %d, but its colour is %d", b, k,
                      plan->block_colour[b]);
      if (b <= last) return broken(c, "colour %d lists block %d after block %d", k, b, last);
      last = b;
    }
  return true;
}

static pl_run positions_of(const pl_plan *plan, int b)
{
  int64_t begin = plan->begin + (int64_t)b * plan->block_size, end = begin + plan->block_size;
  return (pl_run){(int)begin, end > plan->end ? plan->end : (int)end};
}

static bool blocks_apart(const checker *c, const pl_plan *plan)
{
  visits v = {.unit = "blocks", .together = "colour"};
  bool fine = alloc_visits(c, &v);
  for (int i = 0; i < plan->nblocks && fine; i++) {
    int b = plan->block[i];
    pl_run run = positions_of(plan, b);
    for (int p = run.begin; p < run.end; p++) v.item[v.n++] = (visit){p, plan->block_colour[b], b};
  }
  fine = fine && no_conflicts(c, &v);
  pl_free(c->pl, v.item);
  return fine;
}

/* ---- plans: element colours ---- */

/* Counts block b's elements of each colour k at count[k + 1]. */
static bool count_colours(const checker *c, const pl_plan *plan, int b, int *count)
{
  int colours = plan->element_colours[b];
  pl_run run = positions_of(plan, b);
  if (colours < 1 || colours > run.end - run.begin)
    return broken(c, "block %d of %d elements has %d element colours", b, run.end - run.begin, colours);
  if (colours > plan->most_element_colours)
    return broken(c, "block %d has %d element colours, more than most_element_colours, %d", b, colours,
                  plan->most_element_colours);
  memset(count, 0, ((size_t)colours + 1) * sizeof *count);
  for (int p = run.begin; p < run.end; p++) {
    int k = plan->element_colour[p - plan->begin];
    if (k < 0 || k >= colours) return broken(c, "position %d has element colour %d of %d", p, k, colours);
    count[k + 1]++;
  }
  for (int k = 0; k < colours; k++)
    if (!count[k + 1]) return broken(c, "element colour %d of block %d has no elements", k, b);
  return true;
}

/* Lists the positions of every block colour by colour; `next` has room for a block's colours. */
static bool list_by_colour(const checker *c, const pl_plan *plan, int *next, visits *v)
{
  int64_t steps = 0;
  int most = 0;
  for (int b = 0; b < plan->nblocks; b++) {
    if (!count_colours(c, plan, b, next)) return false;
    pl_run run = positions_of(plan, b);
    int colours = plan->element_colours[b];
    if (colours > most) most = colours;
    for (int k = 0; k < colours; k++) next[k + 1] += next[k];
    for (int p = run.begin; p < run.end; p++) {
      int k = plan->element_colour[p - plan->begin];
      v->item[run.begin - plan->begin + next[k]++] = (visit){p, steps + k, p};
    }
    steps += colours;
  }
  return most == plan->most_element_colours ||
         broken(c, "most_element_colours is %d, but should be %d", plan->most_element_colours, most);
}

static bool elements_apart(const checker *c, const pl_plan *plan)
{
  visits v = {.n = c->n, .unit = "elements at", .together = "element colour in a block"};
  int *next = pl_malloc(c->pl, ((size_t)c->n + 1) * sizeof *next);
  bool fine = alloc_visits(c, &v) && (next || no_memory(c));
  fine = fine && list_by_colour(c, plan, next, &v) && no_conflicts(c, &v);
  pl_free_all(c->pl, v.item, next);
  return fine;
}

static bool elements_coloured(const checker *c, const pl_plan *plan)
{
  bool there = plan->element_colour && plan->element_colours,
       none = !plan->element_colour && !plan->element_colours;
  if (c->request->element_colours ? !there : !none)
    return broken(c, "element colours were %srequested", c->request->element_colours ? "" : "not ");
  return none || elements_apart(c, plan);
}

/* ---- plans: staging ---- */

/* Block b's list ascends strictly, has the target of each map entry at its index, and no others. */
static bool block_staged(const checker *c, const pl_plan *plan, const pl_staging *list, int b,
                         unsigned char *used)
{
  pl_run run = positions_of(plan, b);
  const int *target = list->target + list->offset[b];
  int count = list->offset[b + 1] - list->offset[b];
  for (int i = 1; i < count; i++)
    if (target[i] <= target[i - 1])
      return broken(c, "block %d stages target %d after %d", b, target[i], target[i - 1]);
  for (int p = run.begin; p < run.end; p++)
    for (int k = 0; k < list->width; k++) {
      int t = target_at(c, &list->reach, p, k);
      int index = list->local[(size_t)(p - plan->begin) * (size_t)list->width + (size_t)k];
      if (t < 0 && index == -1) continue;
      if (t < 0 || index < 0 || index >= count || target[index] != t)
        return broken(c, "position %d has target %d at index %d of its block's staging list", p, t, index);
      used[list->offset[b] + index] = 1;
    }
  for (int i = 0; i < count; i++)
    if (!used[list->offset[b] + i])
      return broken(c, "block %d stages target %d, which it does not reach", b, target[i]);
  return true;
}

static bool offsets_fit(const checker *c, const pl_plan *plan, const pl_staging *list)
{
  int longest = 0;
  if (list->width != width_of(&list->reach)) return broken(c, "a staging list has width %d", list->width);
  if (list->offset[0]) return broken(c, "the first staged block starts at index %d", list->offset[0]);
  for (int b = 0; b < plan->nblocks; b++) {
    int count = list->offset[b + 1] - list->offset[b];
    if (count < 0) return broken(c, "block %d stages %d targets", b, count);
    if (count > longest) longest = count;
  }
  return list->longest == longest ||
         broken(c, "longest is %d, but the longest staging list has %d targets", list->longest, longest);
}

static bool list_is_valid(const checker *c, const pl_plan *plan, const pl_staging *list)
{
  if (!offsets_fit(c, plan, list)) return false;
  unsigned char *used = pl_calloc(c->pl, (size_t)list->offset[plan->nblocks] + 1, 1);
  bool fine = used || no_memory(c);
  for (int b = 0; b < plan->nblocks && fine; b++) fine = block_staged(c, plan, list, b, used);
  pl_free(c->pl, used);
  return fine;
}

static bool all_staged(const checker *c, const pl_plan *plan)
{
  for (int i = 0; i < c->request->nstage; i++) {
    const pl_reach *wanted = &c->request->stage[i];
    int found = 0;
    for (int j = 0; j < plan->nstaging; j++) {
      const pl_reach *have = &plan->staging[j].reach;
      found += have->map == wanted->map && have->index == wanted->index;
    }
    if (found != 1)
      return broken(c, "map \"%s\" has %d staging lists instead of one", wanted->map->node.name, found);
  }
  if (plan->nstaging > c->request->nstage)
    return broken(c, "has %d staging lists, requested were %d", plan->nstaging, c->request->nstage);
  for (int i = 0; i < plan->nstaging; i++)
    if (!list_is_valid(c, plan, &plan->staging[i])) return false;
  return true;
}

bool pl_plan_is_valid(const pl_plan_request *request, const pl_plan *plan, char *why, size_t size)
{
  checker c = make_checker(request, why, size);
  return blocks_cut(&c, plan) && colours_cut(&c, plan) && blocks_listed(&c, plan) && blocks_apart(&c, plan) &&
         elements_coloured(&c, plan) && all_staged(&c, plan);
}

/* ---- thread partitions ---- */

/* Marks positions in `seen`; false if one is outside or marked already. */
static bool mark_seen(const checker *c, int begin, int end, unsigned char *seen)
{
  if (begin < c->request->begin || end > c->request->end)
    return broken(c, "positions [%d, %d) are outside the range", begin, end);
  for (int p = begin; p < end; p++)
    if (seen[p - c->request->begin]++) return broken(c, "position %d is listed twice", p);
  return true;
}

/* Slot s is thread s % nthreads of level s / nthreads. */
static bool runs_fit(const checker *c, const pl_thread_partition *partition, unsigned char *seen)
{
  if (partition->run_offset[0])
    return broken(c, "the first thread's runs start at %d", partition->run_offset[0]);
  for (int s = 0; s < partition->nlevels * partition->nthreads; s++) {
    int t = s % partition->nthreads;
    if (partition->run_offset[s + 1] < partition->run_offset[s])
      return broken(c, "thread %d has a negative number of runs", t);
    for (int r = partition->run_offset[s]; r < partition->run_offset[s + 1]; r++) {
      pl_run run = partition->run[r];
      if (run.end <= run.begin) return broken(c, "run [%d, %d) of thread %d is empty", run.begin, run.end, t);
      if (r > partition->run_offset[s] && run.begin < partition->run[r - 1].end)
        return broken(c, "thread %d runs [%d, %d) out of order: its runs do not ascend", t, run.begin,
                      run.end);
      if (!mark_seen(c, run.begin, run.end, seen)) return false;
    }
  }
  return true;
}

static bool tail_fits(const checker *c, const pl_thread_partition *partition, unsigned char *seen)
{
  for (int i = 0; i < partition->ntail; i++) {
    if (i && partition->tail[i] <= partition->tail[i - 1])
      return broken(c, "the tail has position %d after %d", partition->tail[i], partition->tail[i - 1]);
    if (!mark_seen(c, partition->tail[i], partition->tail[i] + 1, seen)) return false;
  }
  return true;
}

static bool covers_once(const checker *c, const pl_thread_partition *partition)
{
  unsigned char *seen = pl_calloc(c->pl, (size_t)c->n + 1, 1);
  bool fine = (seen || no_memory(c)) && runs_fit(c, partition, seen) && tail_fits(c, partition, seen);
  for (int i = 0; i < c->n && fine; i++)
    if (!seen[i]) fine = broken(c, "position %d is in no run and not in the tail", c->request->begin + i);
  pl_free(c->pl, seen);
  return fine;
}

static bool threads_apart(const checker *c, const pl_thread_partition *partition)
{
  visits v = {.unit = "threads", .together = "level"};
  int threads = partition->nthreads;
  bool fine = alloc_visits(c, &v);
  for (int s = 0; s < partition->nlevels * threads && fine; s++)
    for (int r = partition->run_offset[s]; r < partition->run_offset[s + 1]; r++)
      for (int p = partition->run[r].begin; p < partition->run[r].end; p++)
        v.item[v.n++] = (visit){p, s / threads, s % threads};
  fine = fine && no_conflicts(c, &v);
  pl_free(c->pl, v.item);
  return fine;
}

bool pl_thread_partition_is_valid(const pl_plan_request *request, const pl_thread_partition *partition,
                                  char *why, size_t size)
{
  checker c = make_checker(request, why, size);
  if (!range_fits(&c, partition->begin, partition->end)) return false;
  if (partition->nthreads < 1) return broken(&c, "is for %d threads", partition->nthreads);
  if (partition->nlevels < 1) return broken(&c, "has %d levels", partition->nlevels);
  return covers_once(&c, partition) && threads_apart(&c, partition);
}

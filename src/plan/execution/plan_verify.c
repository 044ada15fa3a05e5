/* SPDX-License-Identifier: BSD-2-Clause
 * Checkers: whether a plan or split keeps every promise of plan.h to the request as it was made. Written from
 * the promises alone; shares no code with the builders. Owns nothing.
 */
#include "plan.h"
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

/* Target k of a reach at a position; width_of says how many there are. */
static int target_at(const checker *c, const pl_reach *reach, int position, int k)
{
  const pl_set *set = c->request->set;
  size_t element = (size_t)(set->indices ? set->indices[position] : position);
  if (!reach->map) return (int)element;
  return reach->map
    ->index[element * (size_t)reach->map->arity + (size_t)(reach->index == PL_ALL ? k : reach->index)];
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

/* Whether two reaches lead to the same data. */
static bool same_data(const checker *c, const pl_reach *a, const pl_reach *b)
{
  return a->group == b->group && end_of(c, a) == end_of(c, b);
}

/* ---- claims: who reached a target in the present step ---- */

typedef struct claim {
  int64_t step; /* what runs at once: a colour, an element colour of a block, all threads */
  int64_t who;  /* the block, position or thread that reached it */
} claim;

/* What is checked: position `next(i)` for i = 0, 1, ... with its step and who. */
typedef struct walk {
  int count;
  const int *position;
  const int64_t *step; /* ascending */
  const int64_t *who;
  const char *unit, *together; /* for the sentence: "blocks" of one "colour" */
} walk;

/* Claims all targets that position i of the walk has in reaches of the same data as `first`. */
static bool claim_targets(const checker *c, const pl_reach *first, const walk *w, int i, claim *claims)
{
  const pl_plan_request *request = c->request;
  for (int r = 0; r < request->nconflict; r++) {
    const pl_reach *reach = &request->conflict[r];
    for (int k = 0; same_data(c, first, reach) && k < width_of(reach); k++) {
      int t = target_at(c, reach, w->position[i], k);
      if (t < 0) continue;
      if (claims[t].step == w->step[i] && claims[t].who != w->who[i])
        return broken(c, "%s %lld and %lld of one %s both reach target %d in group %d", w->unit,
                      (long long)claims[t].who, (long long)w->who[i], w->together, t, reach->group);
      claims[t] = (claim){w->step[i], w->who[i]};
    }
  }
  return true;
}

/* Whether no target is reached by two in one step, data by data. */
static bool no_conflicts(const checker *c, const walk *w)
{
  const pl_plan_request *request = c->request;
  for (int r = 0; r < request->nconflict; r++) {
    const pl_reach *reach = &request->conflict[r];
    int earlier = 0;
    while (!same_data(c, reach, &request->conflict[earlier])) earlier++;
    if (earlier < r) continue;
    size_t ntargets = (size_t)end_of(c, reach)->part[3];
    claim *claims = pl_malloc(c->pl, ntargets * sizeof *claims);
    if (!claims) return no_memory(c);
    for (size_t t = 0; t < ntargets; t++) claims[t] = (claim){-1, -1};
    bool fine = true;
    for (int i = 0; i < w->count && fine; i++) fine = claim_targets(c, reach, w, i, claims);
    pl_free(c->pl, claims);
    if (!fine) return false;
  }
  return true;
}

/* A walk of `count` positions in arrays to fill; free with free_walk. */
static bool make_walk(const checker *c, int count, walk *w, int **position, int64_t **step, int64_t **who)
{
  w->count = count;
  w->position = *position = pl_malloc(c->pl, (size_t)count * sizeof **position);
  w->step = *step = pl_malloc(c->pl, (size_t)count * sizeof **step);
  w->who = *who = pl_malloc(c->pl, (size_t)count * sizeof **who);
  return (*position && *step && *who) || no_memory(c);
}

static void free_walk(const checker *c, int *position, int64_t *step, int64_t *who)
{
  pl_free(c->pl, position);
  pl_free(c->pl, step);
  pl_free(c->pl, who);
}

/* ---- plans: blocks and their colours ---- */

static bool range_fits(const checker *c, int begin, int end)
{
  if (begin == c->request->begin && end == c->request->end) return true;
  return broken(c, "covers range [%d, %d), asked was [%d, %d)", begin, end, c->request->begin,
                c->request->end);
}

static bool blocks_cut(const checker *c, const pl_plan *plan)
{
  if (!range_fits(c, plan->begin, plan->end)) return false;
  if (plan->block_size < 1 || (c->request->block_size && plan->block_size != c->request->block_size))
    return broken(c, "block size is %d, asked was %d", plan->block_size, c->request->block_size);
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
  if (plan->colour_offset[0]) return broken(c, "the first colour starts at place %d", plan->colour_offset[0]);
  for (int k = 0; k < plan->ncolours; k++)
    if (plan->colour_offset[k + 1] <= plan->colour_offset[k]) return broken(c, "colour %d has no blocks", k);
  if (plan->colour_offset[plan->ncolours] != plan->nblocks)
    return broken(c, "colours hold %d blocks of %d", plan->colour_offset[plan->ncolours], plan->nblocks);
  return true;
}

/* As many places as blocks, ascending within each colour and of that colour: so each block is there once. */
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
  walk w = {.unit = "blocks", .together = "colour"};
  int *position, next = 0;
  int64_t *step, *who;
  bool fine = make_walk(c, c->n, &w, &position, &step, &who);
  for (int i = 0; i < plan->nblocks && fine; i++) {
    pl_run run = positions_of(plan, plan->block[i]);
    for (int p = run.begin; p < run.end; p++, next++) {
      position[next] = p;
      step[next] = plan->block_colour[plan->block[i]];
      who[next] = plan->block[i];
    }
  }
  fine = fine && no_conflicts(c, &w);
  free_walk(c, position, step, who);
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
    return broken(c, "block %d has %d element colours, more than the most, %d", b, colours,
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

/* Puts every block's positions into the walk colour by colour; `place` has room for a block's colours. */
static bool sort_by_colour(const checker *c, const pl_plan *plan, int *place, int *position, int64_t *step,
                           int64_t *who)
{
  int64_t steps = 0;
  int most = 0;
  for (int b = 0; b < plan->nblocks; b++) {
    if (!count_colours(c, plan, b, place)) return false;
    pl_run run = positions_of(plan, b);
    int colours = plan->element_colours[b];
    if (colours > most) most = colours;
    for (int k = 0; k < colours; k++) place[k + 1] += place[k];
    for (int p = run.begin; p < run.end; p++) {
      int k = plan->element_colour[p - plan->begin], next = run.begin - plan->begin + place[k]++;
      position[next] = p;
      step[next] = steps + k;
      who[next] = p;
    }
    steps += colours;
  }
  return most == plan->most_element_colours ||
         broken(c, "the most element colours are said to be %d, but are %d", plan->most_element_colours,
                most);
}

static bool elements_apart(const checker *c, const pl_plan *plan)
{
  walk w = {.unit = "elements at", .together = "element colour in a block"};
  int *position, *place = pl_malloc(c->pl, ((size_t)c->n + 1) * sizeof *place);
  int64_t *step, *who;
  bool fine = make_walk(c, c->n, &w, &position, &step, &who) && (place || no_memory(c));
  fine = fine && sort_by_colour(c, plan, place, position, step, who) && no_conflicts(c, &w);
  free_walk(c, position, step, who);
  pl_free(c->pl, place);
  return fine;
}

static bool elements_coloured(const checker *c, const pl_plan *plan)
{
  bool there = plan->element_colour && plan->element_colours,
       none = !plan->element_colour && !plan->element_colours;
  if (c->request->element_colours ? !there : !none)
    return broken(c, "element colours were %sasked for", c->request->element_colours ? "" : "not ");
  return none || elements_apart(c, plan);
}

/* ---- plans: staging ---- */

/* Block b's list ascends strictly, and each map entry leads to its target there; counts uses of targets. */
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
      int place = list->local[(size_t)(p - plan->begin) * (size_t)list->width + (size_t)k];
      if (t < 0 && place == -1) continue;
      if (t < 0 || place < 0 || place >= count || target[place] != t)
        return broken(c, "position %d finds target %d at place %d of its block's staging list", p, t, place);
      used[list->offset[b] + place] = 1;
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
  if (list->offset[0]) return broken(c, "the first staged block starts at place %d", list->offset[0]);
  for (int b = 0; b < plan->nblocks; b++) {
    int count = list->offset[b + 1] - list->offset[b];
    if (count < 0) return broken(c, "block %d stages %d targets", b, count);
    if (count > longest) longest = count;
  }
  return list->longest == longest ||
         broken(c, "the longest staging list is said to have %d targets, but has %d", list->longest, longest);
}

static bool list_valid(const checker *c, const pl_plan *plan, const pl_staging *list)
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
    return broken(c, "has %d staging lists, asked were %d", plan->nstaging, c->request->nstage);
  for (int i = 0; i < plan->nstaging; i++)
    if (!list_valid(c, plan, &plan->staging[i])) return false;
  return true;
}

bool pl_plan_is_valid(const pl_plan_request *request, const pl_plan *plan, char *why, size_t size)
{
  checker c = make_checker(request, why, size);
  return blocks_cut(&c, plan) && colours_cut(&c, plan) && blocks_listed(&c, plan) && blocks_apart(&c, plan) &&
         elements_coloured(&c, plan) && all_staged(&c, plan);
}

/* ---- splits ---- */

/* Marks positions in `seen`; false if one is outside or there already. */
static bool see(const checker *c, int begin, int end, unsigned char *seen)
{
  if (begin < c->request->begin || end > c->request->end)
    return broken(c, "positions [%d, %d) are outside the range", begin, end);
  for (int p = begin; p < end; p++)
    if (seen[p - c->request->begin]++) return broken(c, "position %d is there twice", p);
  return true;
}

/* Slot s is thread s % nthreads of level s / nthreads. */
static bool runs_fit(const checker *c, const pl_split *split, unsigned char *seen)
{
  if (split->run_offset[0]) return broken(c, "the first thread's runs start at %d", split->run_offset[0]);
  for (int s = 0; s < split->nlevels * split->nthreads; s++) {
    int t = s % split->nthreads;
    if (split->run_offset[s + 1] < split->run_offset[s])
      return broken(c, "thread %d has fewer than no runs", t);
    for (int r = split->run_offset[s]; r < split->run_offset[s + 1]; r++) {
      pl_run run = split->run[r];
      if (run.end <= run.begin) return broken(c, "run [%d, %d) of thread %d is empty", run.begin, run.end, t);
      if (r > split->run_offset[s] && run.begin < split->run[r - 1].end)
        return broken(c, "thread %d runs [%d, %d) too late: its runs do not ascend", t, run.begin, run.end);
      if (!see(c, run.begin, run.end, seen)) return false;
    }
  }
  return true;
}

static bool tail_fits(const checker *c, const pl_split *split, unsigned char *seen)
{
  for (int i = 0; i < split->ntail; i++) {
    if (i && split->tail[i] <= split->tail[i - 1])
      return broken(c, "the tail has position %d after %d", split->tail[i], split->tail[i - 1]);
    if (!see(c, split->tail[i], split->tail[i] + 1, seen)) return false;
  }
  return true;
}

static bool covers_once(const checker *c, const pl_split *split)
{
  unsigned char *seen = pl_calloc(c->pl, (size_t)c->n + 1, 1);
  bool fine = (seen || no_memory(c)) && runs_fit(c, split, seen) && tail_fits(c, split, seen);
  for (int i = 0; i < c->n && fine; i++)
    if (!seen[i]) fine = broken(c, "position %d is in no run and not in the tail", c->request->begin + i);
  pl_free(c->pl, seen);
  return fine;
}

static bool threads_apart(const checker *c, const pl_split *split)
{
  walk w = {.unit = "threads", .together = "split"};
  int *position, next = 0;
  int64_t *step, *who;
  bool fine = make_walk(c, c->n - split->ntail, &w, &position, &step, &who);
  for (int s = 0; s < split->nlevels * split->nthreads && fine; s++)
    for (int r = split->run_offset[s]; r < split->run_offset[s + 1]; r++)
      for (int p = split->run[r].begin; p < split->run[r].end; p++, next++) {
        position[next] = p;
        step[next] = s / split->nthreads;
        who[next] = s % split->nthreads;
      }
  fine = fine && no_conflicts(c, &w);
  free_walk(c, position, step, who);
  return fine;
}

bool pl_split_is_valid(const pl_plan_request *request, const pl_split *split, char *why, size_t size)
{
  checker c = make_checker(request, why, size);
  if (!range_fits(&c, split->begin, split->end)) return false;
  if (split->nthreads < 1) return broken(&c, "is for %d threads", split->nthreads);
  if (split->nlevels < 1) return broken(&c, "has %d levels", split->nlevels);
  return covers_once(&c, split) && threads_apart(&c, split);
}

/* SPDX-License-Identifier: BSD-2-Clause
 * The planner: colours, staging, thread partitions and the cache.
 */
#include "core/loop/loop.h"
#include "plan/execution/plan_cache.h"
#include "plan/execution/plan_request.h"
#include "plan/execution/plan_verify.h"
#include "plan/blocks/staging.h"
#include "plan/execution/thread_partition.h"
#include "failing_memory.h"
#include "plan_meshes.h"
#include <stdarg.h>

#ifdef _OPENMP
#include <omp.h>
#endif

/* ---- helpers ---- */

static pl_dat *make_dat(pl_set *set)
{
  pl_dat *dat = NULL;
  OK(pl_decl_dat(set, 1, PL_DOUBLE, NULL, "dat", &dat));
  return dat;
}

static uint64_t counter(pl_context *pl, bool found)
{
  pl_stats stats;
  OK(pl_get_stats(pl, &stats));
  return found ? stats.plans_found : stats.plans_built;
}

/* ---- random meshes ---- */

static void test_random_meshes(void)
{
  for (int round = 0; round < 300; round++) {
    seed s = UINT64_C(0x9e3779b97f4a7c15) * (uint64_t)(round + 1);
    mesh m = random_mesh(&s, round % 3 ? 60 : 700);
    for (int i = 0; i < 6; i++) {
      pl_reach conflict[MAX_REACHES], stage[MAX_REACHES];
      pl_plan_request request = random_request(&s, &m, conflict, stage);
      const pl_plan *plan = get_plan(&request);
      for (int r = 0; r < request.nstage; r++)
        CU_ASSERT_PTR_NOT_NULL(pl_plan_staging(plan, stage[r].map, stage[r].index));
      static const int threads[] = {1, 2, 3, 7, 64};
      for (int t = 0; t < 5; t++) get_split(&request, threads[t]);
    }
    pl_finalize(&m.pl);
  }
}

/* ---- known colours ---- */

/* `n` elements that all reach element 0 of another set. */
static pl_map *all_to_one(pl_context *pl, int n)
{
  int *zeros = calloc((size_t)n + 1, sizeof *zeros);
  CU_ASSERT_PTR_NOT_NULL_FATAL(zeros);
  pl_map *map = make_map(make_set(pl, n), make_set(pl, 1), 1, zeros);
  free(zeros);
  return map;
}

static void test_all_to_one(void)
{
  pl_context *pl = open_context();
  pl_reach reach = {all_to_one(pl, 100), 0, 0};
  pl_plan_request request = whole(reach.map->from, 1, &reach);
  request.block_size = 40;
  request.element_colours = true;
  const pl_plan *plan = get_plan(&request);
  CU_ASSERT_EQUAL(plan->nblocks, 3);
  CU_ASSERT_EQUAL(plan->ncolours, 3);
  CU_ASSERT_EQUAL(plan->element_colours[0], 40);
  CU_ASSERT_EQUAL(plan->element_colours[1], 40);
  CU_ASSERT_EQUAL(plan->element_colours[2], 20);
  CU_ASSERT_EQUAL(plan->most_element_colours, 40);
  CU_ASSERT_EQUAL(get_split(&request, 4)->run_offset[4],
                  1); /* one thread runs all elements, and the tail is empty */
  CU_ASSERT_EQUAL(get_split(&request, 4)->ntail, 0);
  pl_finalize(&pl);
}

static void test_many_colours(void)
{
  pl_context *pl = open_context();
  pl_reach reach = {all_to_one(pl, 1000), PL_ALL, 0};
  pl_plan_request request = whole(reach.map->from, 1, &reach);
  request.element_colours = true;
  for (int size = 1; size <= 1000; size *= 10) {
    request.block_size = size;
    const pl_plan *plan = get_plan(&request);
    CU_ASSERT_EQUAL(plan->ncolours, 1000 / size);
    CU_ASSERT_EQUAL(plan->most_element_colours, size);
  }
  pl_finalize(&pl);
}

static void test_repeated_target(void)
{
  static const int index[12] = {0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3};
  pl_context *pl = open_context();
  pl_reach reach = {make_map(make_set(pl, 4), make_set(pl, 4), 3, index), PL_ALL, 0};
  pl_plan_request request = whole(reach.map->from, 1, &reach);
  request.element_colours = true;
  request.block_size = 2;
  const pl_plan *plan = get_plan(&request);
  CU_ASSERT_EQUAL(plan->ncolours, 1);
  CU_ASSERT_EQUAL(plan->most_element_colours, 1);
  CU_ASSERT_EQUAL(get_split(&request, 2)->ntail, 0);
  pl_finalize(&pl);
}

static void test_empty(void)
{
  pl_context *pl = open_context();
  pl_reach empty = {all_to_one(pl, 0), PL_ALL, 0}, some = {all_to_one(pl, 9), PL_ALL, 0};
  pl_map *undefined = make_map(empty.map->from, empty.map->to, 2, NULL);
  pl_reach unknown = {undefined, 1, 0};
  for (int i = 0; i < 3; i++) {
    const pl_reach *reach = i == 0 ? &empty : i == 1 ? &some : &unknown;
    pl_plan_request request = {
      .set = reach->map->from, .nconflict = 1, .conflict = reach, .nstage = 1, .stage = reach};
    request.element_colours = true;
    request.begin = request.end = i == 1 ? 5 : 0;
    const pl_plan *plan = get_plan(&request);
    CU_ASSERT_EQUAL(plan->nblocks, 0);
    CU_ASSERT_EQUAL(plan->ncolours, 0);
    CU_ASSERT_EQUAL(plan->colour_offset[0], 0);
    CU_ASSERT_EQUAL(plan->most_element_colours, 0);
    CU_ASSERT_EQUAL(plan->staging[0].offset[0], 0);
    CU_ASSERT_EQUAL(get_split(&request, 3)->run_offset[3], 0);
  }
  pl_finalize(&pl);
}

static void test_one_element(void)
{
  pl_context *pl = open_context();
  pl_reach reach = {all_to_one(pl, 1), PL_ALL, 0};
  pl_plan_request request = whole(reach.map->from, 1, &reach);
  request.element_colours = true;
  const pl_plan *plan = get_plan(&request);
  CU_ASSERT_EQUAL(plan->nblocks, 1);
  CU_ASSERT_EQUAL(plan->ncolours, 1);
  CU_ASSERT_EQUAL(plan->element_colours[0], 1);
  const pl_thread_partition *split = get_split(&request, 5);
  CU_ASSERT_EQUAL(split->run_offset[5], 1);
  CU_ASSERT_EQUAL(split->ntail, 0);
  pl_finalize(&pl);
}

static void test_all_negative(void)
{
  int index[100];
  memset(index, -1, sizeof index);
  pl_context *pl = open_context();
  pl_reach reach = {make_map(make_set(pl, 50), make_set(pl, 0), 2, index), PL_ALL, 0};
  pl_plan_request request = whole(reach.map->from, 1, &reach);
  request.block_size = 10;
  request.element_colours = true;
  request.nstage = 1;
  request.stage = &reach;
  const pl_plan *plan = get_plan(&request);
  CU_ASSERT_EQUAL(plan->ncolours, 1);
  CU_ASSERT_EQUAL(plan->most_element_colours, 1);
  CU_ASSERT_EQUAL(plan->staging[0].longest, 0);
  const pl_thread_partition *split = get_split(&request, 5);
  CU_ASSERT_EQUAL(split->ntail, 0);
  for (int t = 0; t < 5; t++) CU_ASSERT_EQUAL(split->run[t].end - split->run[t].begin, 10);
  pl_finalize(&pl);
}

static void test_no_conflict(void)
{
  pl_context *pl = open_context();
  pl_plan_request request = whole(make_set(pl, 5000), 0, NULL);
  request.element_colours = true;
  const pl_plan *plan = get_plan(&request);
  CU_ASSERT_EQUAL(plan->block_size, 2048);
  CU_ASSERT_EQUAL(plan->nblocks, 3);
  CU_ASSERT_EQUAL(plan->ncolours, 1);
  CU_ASSERT_EQUAL(plan->colour_offset[1], 3);
  CU_ASSERT_EQUAL(plan->most_element_colours, 1);
  CU_ASSERT_EQUAL(pl_plan_block(plan, 2).begin, 4096);
  CU_ASSERT_EQUAL(pl_plan_block(plan, 2).end, 5000);
  const pl_thread_partition *split = get_split(&request, 4);
  CU_ASSERT_EQUAL(split->run_offset[4], 4);
  CU_ASSERT_EQUAL(split->run[2].begin, 2500);
  CU_ASSERT_EQUAL(split->run[2].end, 3750);
  pl_finalize(&pl);
}

/* Groups of different data do not conflict, even with equal targets. */
static void test_groups(void)
{
  static const int left[4] = {0, 1, 2, 3}, right[4] = {3, 2, 1, 0};
  pl_context *pl = open_context();
  pl_set *set = make_set(pl, 4), *to = make_set(pl, 4), *other = make_set(pl, 4);
  pl_map *a = make_map(set, to, 1, left), *b = make_map(set, to, 1, right),
         *c = make_map(set, other, 1, right);
  pl_reach reach[2] = {{a, 0, 0}, {b, 0, 1}};
  pl_plan_request request = whole(set, 2, reach);
  request.block_size = 1;
  CU_ASSERT_EQUAL(get_plan(&request)->ncolours, 1);
  reach[1].group = 0;
  CU_ASSERT_EQUAL(get_plan(&request)->ncolours, 2);
  reach[1].map = c; /* the same group, but another set */
  CU_ASSERT_EQUAL(get_plan(&request)->ncolours, 1);
  pl_finalize(&pl);
}

/* Data written directly and through a map: element 0 reaches element 1, which writes itself. */
static void test_direct_writes(void)
{
  static const int next[3] = {1, -1, -1};
  pl_context *pl = open_context();
  pl_set *set = make_set(pl, 3);
  pl_reach reach[2] = {{make_map(set, set, 1, next), 0, 7}, {NULL, PL_ID, 7}};
  pl_plan_request request = whole(set, 2, reach);
  request.block_size = 1;
  request.element_colours = true;
  const pl_plan *plan = get_plan(&request);
  CU_ASSERT_EQUAL(plan->ncolours, 2);
  CU_ASSERT_NOT_EQUAL(plan->block_colour[0], plan->block_colour[1]);
  reach[0].group = 8;
  CU_ASSERT_EQUAL(get_plan(&request)->ncolours, 1);
  pl_finalize(&pl);
}

/* ---- quality ---- */

/* Edges of a side * side grid of cells: all along x, then all along y; or shuffled. */
static pl_map *grid_edges(pl_context *pl, int side, bool shuffled)
{
  int n = 2 * side * (side - 1), next = 0, (*edge)[2] = calloc((size_t)n, sizeof *edge);
  CU_ASSERT_PTR_NOT_NULL_FATAL(edge);
  for (int direction = 0; direction < 2; direction++)
    for (int i = 0; i < side * (side - 1); i++, next++) {
      int cell = direction ? i : i / (side - 1) * side + i % (side - 1);
      edge[next][0] = cell;
      edge[next][1] = cell + (direction ? side : 1);
    }
  seed s = 12345;
  for (int i = n - 1; i > 0 && shuffled; i--) {
    int j = below(&s, i + 1), keep[2] = {edge[i][0], edge[i][1]};
    memcpy(edge[i], edge[j], sizeof keep);
    memcpy(edge[j], keep, sizeof keep);
  }
  pl_map *map = make_map(make_set(pl, n), make_set(pl, side * side), 2, &edge[0][0]);
  free(edge);
  return map;
}

/* Only the first two of 100 blocks conflict: two colours with half of the blocks each. */
static void test_colours_are_balanced(void)
{
  int index[100];
  for (int i = 0; i < 100; i++) index[i] = i ? i : 1;
  pl_context *pl = open_context();
  pl_reach reach = {make_map(make_set(pl, 100), make_set(pl, 100), 1, index), 0, 0};
  pl_plan_request request = whole(reach.map->from, 1, &reach);
  request.block_size = 1;
  const pl_plan *plan = get_plan(&request);
  CU_ASSERT_EQUAL(plan->ncolours, 2);
  CU_ASSERT_EQUAL(plan->colour_offset[1], 50);
  pl_finalize(&pl);
}

static void test_colours_are_few(void)
{
  pl_context *pl = open_context();
  pl_reach reach = {grid_edges(pl, 200, false), PL_ALL, 0};
  pl_plan_request request = whole(reach.map->from, 1, &reach);
  request.block_size = 200;
  CU_ASSERT(get_plan(&request)->ncolours <= 8);
  pl_finalize(&pl);
}

/* The number of positions in a slot. */
static int slot_size(const pl_thread_partition *split, int slot)
{
  int n = 0;
  for (int r = split->run_offset[slot]; r < split->run_offset[slot + 1]; r++)
    n += split->run[r].end - split->run[r].begin;
  return n;
}

/* Only elements at the cuts run in the second level, in any order of elements, and only those of the same cut
 * run serially; threads get equal shares. */
static void test_splits_are_good(void)
{
  for (int shuffled = 0; shuffled < 2; shuffled++) {
    pl_context *pl = open_context();
    pl_reach reach = {grid_edges(pl, 200, shuffled), PL_ALL, 0};
    pl_plan_request request = whole(reach.map->from, 1, &reach);
    const pl_thread_partition *split = get_split(&request, 4), *two = get_split(&request, 2);
    CU_ASSERT_EQUAL(split->nlevels, 2);
    CU_ASSERT_EQUAL(split->ntail, 0);
    for (int t = 0; t < 4; t++) {
      int n = slot_size(split, t);
      CU_ASSERT(n > request.end / 4 * 9 / 10 && n < request.end / 4 * 11 / 10);
      CU_ASSERT(slot_size(split, 4 + t) <= 200 + 1);
      CU_ASSERT((slot_size(split, 4 + t) > 0) == (t < 3));
    }
    if (!shuffled) CU_ASSERT(split->run_offset[4] <= 4 * 4);
    CU_ASSERT_EQUAL(two->nlevels, 1);
    CU_ASSERT(two->ntail > 0 && two->ntail <= 200 + 1);
    pl_finalize(&pl);
  }
}

/* Pieces of rows cover the range in order; none costs more than its share plus the longest row. */
static void test_pieces_of_rows(void)
{
  enum { N = 500, LONG = 300 };
  for (int round = 0; round < 60; round++) {
    seed s = UINT64_C(0x9e3779b97f4a7c15) * (uint64_t)(round + 1);
    int offset[N + 1] = {0};
    int64_t wide[N + 1] = {0};
    for (int i = 0; i < N; i++) {
      offset[i + 1] = offset[i] + (below(&s, 50) ? below(&s, 6) : LONG);
      wide[i + 1] = offset[i + 1];
    }
    int begin = below(&s, N), end = begin + below(&s, N - begin + 1), pieces = 1 + below(&s, 9);
    int share = (offset[end] - offset[begin] + end - begin) / pieces, last = begin;
    CU_ASSERT_EQUAL(pl_cut_rows(offset, NULL, begin, end, 0, pieces), begin);
    for (int w = 0; w < pieces; w++, last = pl_cut_rows(offset, NULL, begin, end, w, pieces)) {
      int next = pl_cut_rows(offset, NULL, begin, end, w + 1, pieces);
      CU_ASSERT(next >= last && offset[next] - offset[last] + next - last <= share + LONG + 2);
      CU_ASSERT_EQUAL(pl_cut_rows(NULL, wide, begin, end, w + 1, pieces), next);
      CU_ASSERT(abs(pl_cut_rows(NULL, NULL, 0, N, w, pieces) - N * w / pieces) <= 1);
    }
    CU_ASSERT_EQUAL(last, end);
  }
}

/* Positions without targets join their predecessors instead of the tail. Targets descend; 51 is cut. */
static void test_splits_of_holes(void)
{
  int index[100][2];
  for (int i = 0; i < 100; i++) index[i][0] = index[i][1] = i % 2 ? 99 - i : -1;
  index[51][1] = 99;
  pl_context *pl = open_context();
  pl_reach reach = {make_map(make_set(pl, 100), make_set(pl, 100), 2, &index[0][0]), PL_ALL, 0};
  pl_plan_request request = whole(reach.map->from, 1, &reach);
  const pl_thread_partition *split = get_split(&request, 2);
  CU_ASSERT_EQUAL(split->ntail, 1);
  CU_ASSERT_EQUAL(split->tail[0], 51);
  CU_ASSERT(split->run_offset[2] <= 4);
  pl_finalize(&pl);
}

/* ---- the cache ---- */

typedef struct cache_case {
  pl_context *pl;
  pl_set *set, *to;
  pl_map *a, *b; /* arity 2 */
  pl_reach reach[3], stage[2];
  pl_plan_request request;
} cache_case;

static cache_case open_cache_case(void)
{
  static const int index[20] = {0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 0};
  cache_case c = {.pl = open_context()};
  c.set = make_set(c.pl, 10);
  c.to = make_set(c.pl, 10);
  c.a = make_map(c.set, c.to, 2, index);
  c.b = make_map(c.set, c.to, 2, index);
  c.reach[0] = (pl_reach){c.a, 0, 0};
  c.reach[1] = (pl_reach){c.b, 1, 0};
  c.stage[0] = (pl_reach){c.a, PL_ALL, 0};
  c.stage[1] = (pl_reach){c.b, 0, 0};
  c.request = whole(c.set, 2, NULL);
  return c;
}

/* Requests the plan after a change; `shared` tells whether it must be the same plan. */
static void ask_again(cache_case *c, const pl_plan *before, bool shared)
{
  uint64_t built = counter(c->pl, false), found = counter(c->pl, true);
  c->request.conflict = c->reach;
  c->request.stage = c->stage;
  const pl_plan *plan = get_plan(&c->request);
  CU_ASSERT_EQUAL(plan == before, shared);
  CU_ASSERT_EQUAL(counter(c->pl, false), built + !shared);
  CU_ASSERT_EQUAL(counter(c->pl, true), found + shared);
}

static const pl_plan *ask_first(cache_case *c)
{
  c->request.conflict = c->reach;
  c->request.stage = c->stage;
  return get_plan(&c->request);
}

static void test_cache_shares(void)
{
  cache_case c = open_cache_case();
  const pl_plan *plan = ask_first(&c);
  ask_again(&c, plan, true);
  c.request.block_size = PL_BLOCK_SIZE;
  ask_again(&c, plan, true); /* the default, given explicitly */
  c.reach[0] = (pl_reach){c.b, 1, 5};
  c.reach[1] = (pl_reach){c.a, 0, 5};
  ask_again(&c, plan, true); /* another order and group number */
  c.request.nconflict = 3;
  c.reach[2] = c.reach[0];
  ask_again(&c, plan, true); /* listed twice */
  c.reach[2] = (pl_reach){c.a, 0, 2};
  ask_again(&c, plan, true); /* a group contained in another */
  c.reach[1] = (pl_reach){c.b, 1, 9};
  c.reach[2] = (pl_reach){c.a, 0, 9};
  ask_again(&c, plan, true); /* the same with the smaller group first */
  c.reach[1] = (pl_reach){c.a, 0, 5};
  c.reach[2] = (pl_reach){NULL, PL_ID, 3};
  ask_again(&c, plan, true); /* only direct writes */
  pl_finalize(&c.pl);
}

static void test_cache_all_entries(void)
{
  cache_case c = open_cache_case();
  c.request.nconflict = 1;
  c.reach[0] = (pl_reach){c.a, PL_ALL, 0};
  const pl_plan *plan = ask_first(&c);
  c.request.nconflict = 2;
  c.reach[0] = (pl_reach){c.a, 1, 0};
  c.reach[1] = (pl_reach){c.a, 0, 0};
  ask_again(&c, plan, true); /* all targets, listed one by one */
  c.reach[1].group = 1;
  ask_again(&c, plan, false); /* two dats, each through one target */
  pl_finalize(&c.pl);
}

static void test_cache_tells_apart(void)
{
  cache_case c = open_cache_case();
  const pl_plan *plan = ask_first(&c);
  pl_plan_request first = c.request;
  pl_reach reach = c.reach[0];
  c.reach[0].index = 1;
  ask_again(&c, plan, false); /* another target of the map */
  c.reach[0] = reach;
  c.reach[1].group = 1;
  ask_again(&c, plan, false); /* other data */
  c.reach[1].group = 0;
  c.request.block_size = 3;
  ask_again(&c, plan, false);
  c.request = first;
  c.request.begin = 1;
  ask_again(&c, plan, false);
  c.request = first;
  c.request.end = 9;
  ask_again(&c, plan, false);
  c.request = first;
  c.request.element_colours = true;
  ask_again(&c, plan, false);
  c.request = first;
  c.request.nconflict = 1;
  ask_again(&c, plan, false);
  c.request = first;
  ask_again(&c, plan, true);
  pl_finalize(&c.pl);
}

static void test_cache_sets(void)
{
  static const int all[10] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  cache_case c = open_cache_case();
  const pl_plan *plan = ask_first(&c);
  pl_set *subset = NULL;
  OK(pl_decl_subset(c.set, 10, all, "all", &subset));
  c.request.set = subset;
  ask_again(&c, plan, false);
  c.request.set = make_set(c.pl, 10);
  c.request.nconflict = 0;
  ask_again(&c, plan, false);
  pl_finalize(&c.pl);
}

static void test_cache_staging(void)
{
  cache_case c = open_cache_case();
  const pl_plan *plan = ask_first(&c);
  c.request.block_size = PL_BLOCK_SIZE;
  c.request.nstage = 2;
  ask_again(&c, plan, false);
  const pl_plan *staged = ask_first(&c);
  c.stage[0] = (pl_reach){c.b, 0, 4};
  c.stage[1] = (pl_reach){c.a, PL_ALL, 9};
  ask_again(&c, staged, true);
  const pl_staging *list = pl_plan_staging(staged, c.a, PL_ALL);
  CU_ASSERT_PTR_NOT_NULL_FATAL(list);
  CU_ASSERT_EQUAL(list->width, 2);
  CU_ASSERT_PTR_NULL(pl_plan_staging(staged, c.a, 0));
  c.request.nstage = 1;
  ask_again(&c, staged, false);
  c.request.block_size = 0;
  CU_ASSERT_EQUAL(ask_first(&c)->block_size, 256);
  pl_finalize(&c.pl);
}

static void test_cache_splits(void)
{
  cache_case c = open_cache_case();
  c.request.conflict = c.reach;
  const pl_thread_partition *split = get_split(&c.request, 2);
  c.request.block_size = 3; /* irrelevant for thread partitions */
  c.request.element_colours = true;
  CU_ASSERT_PTR_EQUAL(get_split(&c.request, 2), split);
  CU_ASSERT_PTR_NOT_EQUAL(get_split(&c.request, 3), split);
  CU_ASSERT_EQUAL(counter(c.pl, false), 2);
  CU_ASSERT_EQUAL(counter(c.pl, true), 1);
  pl_finalize(&c.pl);
}

/* Plans through a, through b, staging b, over a subset, and a thread partition through b, to count those that
 * depend on an object. */
static void ask_all(cache_case *c, pl_set *subset)
{
  pl_reach a = {c->a, 0, 0}, b = {c->b, 0, 0};
  pl_plan_request request[4] = {whole(c->set, 1, &a), whole(c->set, 1, &b), whole(c->set, 1, &a),
                                whole(subset, 1, &a)};
  request[2].nstage = 1;
  request[2].stage = &b;
  for (int i = 0; i < 4; i++) get_plan(&request[i]);
  get_split(&request[1], 2);
}

static int forgotten(cache_case *c, pl_set *subset, const void *object)
{
  ask_all(c, subset);
  pl_plans_forget(c->pl, object);
  uint64_t built = counter(c->pl, false);
  ask_all(c, subset);
  return (int)(counter(c->pl, false) - built);
}

static void test_cache_forgets(void)
{
  static const int some[2] = {3, 4};
  cache_case c = open_cache_case();
  pl_set *subset = NULL;
  OK(pl_decl_subset(c.set, 2, some, "subset", &subset));
  CU_ASSERT_EQUAL(forgotten(&c, subset, c.a), 3);
  CU_ASSERT_EQUAL(forgotten(&c, subset, c.b), 3);
  CU_ASSERT_EQUAL(forgotten(&c, subset, subset), 1);
  CU_ASSERT_EQUAL(forgotten(&c, subset, c.set), 5);
  CU_ASSERT_EQUAL(forgotten(&c, subset, c.to), 0);
  pl_finalize(&c.pl);
}

/* Freeing a map drops its plans and keeps the others. */
static void test_cache_after_free(void)
{
  cache_case c = open_cache_case();
  const pl_plan *both = ask_first(&c);
  c.request.nconflict = 1;
  const pl_plan *kept = ask_first(&c);
  CU_ASSERT_PTR_NOT_EQUAL(both, kept);
  pl_map_free(&c.b);
  ask_again(&c, kept, true);
  c.b = make_map(c.set, c.to, 2, c.a->index);
  c.reach[1].map = c.b;
  c.request.nconflict = 2;
  uint64_t built = counter(c.pl, false);
  ask_first(&c);
  CU_ASSERT_EQUAL(counter(c.pl, false), built + 1);
  pl_finalize(&c.pl);
}

/* ---- conflicts of loops ---- */

typedef struct loop_case {
  cache_case c;
  pl_dat *x, *y, *own;
} loop_case;

/* The conflicts of a loop over the set. */
static int conflicts(const loop_case *l, pl_reach *reach, int nargs, ...)
{
  pl_arg args[4];
  va_list list;
  va_start(list, nargs);
  for (int i = 0; i < nargs; i++) args[i] = va_arg(list, pl_arg);
  va_end(list);
  pl_loop loop = {.pl = l->c.pl, .set = l->c.set, .nargs = nargs, .args = args};
  return pl_plan_conflicts(&loop, reach);
}

static bool is_reach(pl_reach reach, const pl_map *map, int index, int group)
{
  return reach.map == map && reach.index == index && reach.group == group;
}

static void test_loop_conflicts(void)
{
  loop_case l = {.c = open_cache_case()};
  pl_map *a = l.c.a, *b = l.c.b, *self = make_map(l.c.set, l.c.set, 2, a->index);
  pl_reach r[4];
  l.x = make_dat(l.c.to);
  l.y = make_dat(l.c.to);
  l.own = make_dat(l.c.set);
  for (int access = PL_WRITE; access <= PL_MAX; access++) {
    CU_ASSERT_EQUAL(conflicts(&l, r, 1, pl_arg_dat(l.x, 1, a, (pl_access)access)), 1);
    CU_ASSERT(is_reach(r[0], a, 1, 0));
  }
  CU_ASSERT_EQUAL(conflicts(&l, r, 1, pl_arg_dat(l.x, PL_ALL, a, PL_READ)), 0);
  CU_ASSERT_EQUAL(conflicts(&l, r, 1, pl_arg_opt(pl_arg_dat(l.x, PL_ALL, a, PL_INC), 0)), 0);
  CU_ASSERT_EQUAL(conflicts(&l, r, 1, pl_arg_dat(l.own, PL_ID, PL_DIRECT, PL_RW)), 0);
  /* two dats, one map: one conflict */
  CU_ASSERT_EQUAL(conflicts(&l, r, 2, pl_arg_dat(l.x, PL_ALL, a, PL_INC), pl_arg_dat(l.y, PL_ALL, a, PL_RW)),
                  1);
  CU_ASSERT(is_reach(r[0], a, PL_ALL, 0));
  /* one dat through both targets: the whole map */
  CU_ASSERT_EQUAL(conflicts(&l, r, 2, pl_arg_dat(l.x, 1, a, PL_INC), pl_arg_dat(l.x, 0, a, PL_INC)), 1);
  CU_ASSERT(is_reach(r[0], a, PL_ALL, 0));
  /* one dat, two maps: one group; two dats, two maps: two groups */
  CU_ASSERT_EQUAL(conflicts(&l, r, 2, pl_arg_dat(l.x, 0, b, PL_INC), pl_arg_dat(l.x, 1, a, PL_INC)), 2);
  CU_ASSERT(is_reach(r[0], a, 1, 0) && is_reach(r[1], b, 0, 0));
  CU_ASSERT_EQUAL(conflicts(&l, r, 2, pl_arg_dat(l.y, 0, b, PL_INC), pl_arg_dat(l.x, 1, a, PL_INC)), 2);
  CU_ASSERT(is_reach(r[0], a, 1, 0) && is_reach(r[1], b, 0, 1));
  /* directly and through a map */
  CU_ASSERT_EQUAL(
    conflicts(&l, r, 2, pl_arg_dat(l.own, 0, self, PL_INC), pl_arg_dat(l.own, PL_ID, PL_DIRECT, PL_INC)), 2);
  CU_ASSERT(is_reach(r[0], NULL, PL_ID, 0) && is_reach(r[1], self, 0, 0));
  pl_finalize(&l.c.pl);
}

/* ---- invalid requests ---- */

static void refuse(cache_case *c, pl_err code, const char *words)
{
  const pl_plan *plan = NULL;
  c->request.conflict = c->reach;
  c->request.stage = c->stage;
  CU_ASSERT_EQUAL(pl_plan_get(c->pl, &c->request, &plan), code);
  CONTAINS(pl_errmsg(c->pl), words);
  CU_ASSERT_PTR_NULL(plan);
  cache_case fresh = open_cache_case();
  pl_finalize(&c->pl);
  *c = fresh;
}

static void test_refused(void)
{
  cache_case c = open_cache_case();
  const pl_thread_partition *split = NULL;
  c.request.begin = -1;
  refuse(&c, PL_ERR_RANGE, "range [-1, 10)");
  c.request.end = 11;
  refuse(&c, PL_ERR_RANGE, "range [0, 11)");
  c.request.begin = 6;
  c.request.end = 5;
  refuse(&c, PL_ERR_RANGE, "range [6, 5)");
  c.request.block_size = -2;
  refuse(&c, PL_ERR_RANGE, "block size -2");
  c.request.set = c.to;
  refuse(&c, PL_ERR_ARG, "starts on");
  c.reach[1].index = 2;
  refuse(&c, PL_ERR_RANGE, "target 2");
  c.reach[1].index = -3;
  refuse(&c, PL_ERR_RANGE, "target -3");
  c.reach[0].map = make_map(c.set, c.to, 1, NULL);
  refuse(&c, PL_ERR_STATE, "undefined");
  c.request.nstage = 1;
  c.stage[0] = (pl_reach){NULL, PL_ID, 0};
  refuse(&c, PL_ERR_ARG, "cannot be staged");
  c.request.set = NULL;
  refuse(&c, PL_ERR_ARG, "no set");
  CU_ASSERT_EQUAL(pl_thread_partition_get(c.pl, &c.request, 0, &split), PL_ERR_RANGE);
  pl_finalize(&c.pl);
}

/* ---- threads that build ---- */

#ifdef _OPENMP
static void same_ints(const int *a, const int *b, int n)
{
  CU_ASSERT_EQUAL(memcmp(a, b, (size_t)n * sizeof *a), 0);
}

static void same_plans(const pl_plan *a, const pl_plan *b)
{
  int n = a->end - a->begin;
  CU_ASSERT_EQUAL_FATAL(a->ncolours, b->ncolours);
  CU_ASSERT_EQUAL(a->most_element_colours, b->most_element_colours);
  same_ints(a->colour_offset, b->colour_offset, a->ncolours + 1);
  same_ints(a->block, b->block, a->nblocks);
  same_ints(a->element_colour, b->element_colour, n);
  same_ints(a->element_colours, b->element_colours, a->nblocks);
  const pl_staging *p = a->staging, *q = b->staging;
  same_ints(p->offset, q->offset, a->nblocks + 1);
  same_ints(p->target, q->target, p->offset[a->nblocks]);
  same_ints(p->local, q->local, n * p->width);
}

static void test_thread_counts(void)
{
  static const int threads[] = {1, 2, 3, 5};
  const pl_plan *plan[4];
  pl_context *pl[4];
  int before = omp_get_max_threads();
  for (int i = 0; i < 4; i++) {
    omp_set_num_threads(threads[i]);
    pl[i] = open_context();
    pl_reach reach = {grid_edges(pl[i], 220, true), PL_ALL, 0};
    pl_plan_request request = whole(reach.map->from, 1, &reach);
    request.element_colours = true;
    request.nstage = 1;
    request.stage = &reach;
    plan[i] = get_plan(&request);
    same_plans(plan[0], plan[i]);
  }
  omp_set_num_threads(before);
  for (int i = 0; i < 4; i++) pl_finalize(&pl[i]);
}
#else
static void test_thread_counts(void)
{
  fprintf(stderr, "\nskipped: the planner is built without OpenMP, it has one thread\n");
}
#endif

/* ---- every allocation fails in turn ---- */

/* The call in which allocations fail: 0 a plan, 1 a thread partition, 2 and 3 their verification. */
static bool call_under_test(const pl_plan_request *request, int what, const pl_plan **plan,
                            const pl_thread_partition **split, char *why)
{
  pl_context *pl = request->set->node.pl;
  switch (what) {
  case 0:
    return !pl_plan_get(pl, request, plan);
  case 1:
    return !pl_thread_partition_get(pl, request, 3, split);
  case 2:
    return pl_plan_is_valid(request, *plan, why, 256);
  default:
    return pl_thread_partition_is_valid(request, *split, why, 256);
  }
}

static void fail_in_turn(failing_memory *m, const pl_plan_request *request, int what, const pl_plan **plan,
                         const pl_thread_partition **split)
{
  pl_context *pl = request->set->node.pl;
  long failures = 0;
  for (bool done = false; !done && failures < 1000; failures++) {
    char why[256] = "";
    size_t held = m->blocks - (pl->error != NULL);
    uint64_t built = counter(pl, false);
    failing_memory_start(m, failures, true);
    done = call_under_test(request, what, plan, split, why);
    failing_memory_stop(m);
    if (done) break;
    CU_ASSERT_EQUAL(m->blocks - (pl->error != NULL), held);
    CU_ASSERT_EQUAL(counter(pl, false), built);
    if (what < 2) CU_ASSERT_EQUAL(pl->error_code, PL_ERR_MEMORY);
    if (what >= 2) CONTAINS(why, "out of memory");
  }
  CU_ASSERT(failures > 3 && failures < 1000);
}

static void test_allocations(void)
{
  static failing_memory m; /* large */
  const pl_plan *plan = NULL;
  const pl_thread_partition *split = NULL;
  pl_context *pl = NULL;
  failing_memory_open(&m);
  OK(fake_context(NULL, failing_realloc, &m, &pl));
  pl_map *map = grid_edges(pl, 12, false);
  pl_reach conflict[2] = {{map, PL_ALL, 0}, {map, 0, 1}}, stage[2] = {{map, PL_ALL, 0}, {map, 1, 0}};
  pl_plan_request request = whole(map->from, 2, conflict);
  request.block_size = 16;
  request.nstage = 2;
  request.stage = stage;
  request.element_colours = true;
  for (int what = 0; what < 4; what++) fail_in_turn(&m, &request, what, &plan, &split);
  pl_finalize(&pl);
  CU_ASSERT_EQUAL(m.blocks, 0);
  CU_ASSERT_STRING_EQUAL(m.complaint, "");
  failing_memory_close(&m);
}

static CU_TestInfo tests[] = {
  {"random meshes", test_random_meshes},
  {"all elements on one target", test_all_to_one},
  {"colours without limit", test_many_colours},
  {"a target twice in one element", test_repeated_target},
  {"empty ranges", test_empty},
  {"one element", test_one_element},
  {"all targets negative", test_all_negative},
  {"no conflict", test_no_conflict},
  {"groups are different data", test_groups},
  {"data written directly and through a map", test_direct_writes},
  {"colours are balanced", test_colours_are_balanced},
  {"colours are few", test_colours_are_few},
  {"thread partitions are good", test_splits_are_good},
  {"pieces of rows cost about the same", test_pieces_of_rows},
  {"thread partitions of maps with holes", test_splits_of_holes},
  {"the cache shares plans", test_cache_shares},
  {"the cache knows PL_ALL", test_cache_all_entries},
  {"the cache distinguishes requests", test_cache_tells_apart},
  {"the cache and sets", test_cache_sets},
  {"the cache and staging", test_cache_staging},
  {"the cache and thread partitions", test_cache_splits},
  {"the cache drops plans", test_cache_forgets},
  {"the cache after a map is freed", test_cache_after_free},
  {"conflicts of loops", test_loop_conflicts},
  {"invalid requests", test_refused},
  {"the same plan from any number of threads", test_thread_counts},
  {"every allocation fails in turn", test_allocations},
  CU_TEST_INFO_NULL,
};

int main(void)
{
  return suite_run("plan", tests);
}

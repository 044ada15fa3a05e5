/* SPDX-License-Identifier: BSD-2-Clause
 * Verification of plans and thread partitions: it must find damage, one invariant at a time, and agree with
 * a comparison of all pairs of elements.
 */
#include "plan_meshes.h"

/* ---- damaged plans ---- */

/* A line of 10 elements, e to e and e + 1; the last one has no second target. Blocks are 0-2, 3-5, 6-8 and 9;
 * colours {0, 2} and {1, 3}; three threads run 0-2, 4-5 and 7-9, and 3 and 6 are the tail. */
typedef struct damaged_plan {
  pl_context *pl;
  pl_reach reach;
  pl_plan_request request;
  pl_plan plan; /* shares its arrays with the cached plan */
  pl_thread_partition split;
} damaged_plan;

static void make_damaged_plan(damaged_plan *v)
{
  static const int index[20] = {0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, -1};
  v->pl = open_context();
  pl_set *set = make_set(v->pl, 10);
  v->reach = (pl_reach){make_map(set, make_set(v->pl, 12), 2, index), PL_ALL, 0};
  v->request = whole(set, 1, &v->reach);
  v->request.block_size = 3;
  v->request.nstage = 1;
  v->request.stage = &v->reach;
  v->request.element_colours = true;
  v->plan = *get_plan(&v->request);
  v->split = *get_split(&v->request, 3);
}

static void one_colour(pl_plan *plan)
{
  plan->ncolours = 1;
  plan->colour_offset[1] = 4;
  for (int b = 0; b < 4; b++) {
    plan->block[b] = b;
    plan->block_colour[b] = 0;
  }
}

/* Element 2 loses its second target, but its block's list keeps it. */
static void lose_target(damaged_plan *v)
{
  v->reach.map->index[5] = -1;
  v->plan.staging[0].local[5] = -1;
}

/* One thread with all runs in the wrong order. */
static void swap_runs(pl_thread_partition *split)
{
  pl_run first = split->run[0];
  split->run[0] = split->run[1];
  split->run[1] = first;
  split->nthreads = 1;
  split->run_offset[1] = 3;
}

/* Moves position 3 from the tail to the first thread. */
static void run_too_much(pl_thread_partition *split)
{
  split->run[0].end++;
  split->tail[0] = split->tail[1];
  split->ntail = 1;
}

/* X(the expected message, the damage): `plan` with staging list `list` of request `asked` is damaged. */
#define PLAN_DAMAGE(X)                                                                                       \
  X("covers range [1, 10)", plan->begin = 1)                                                                 \
  X("covers range [0, 9)", plan->end = 9)                                                                    \
  X("block size is 4", plan->block_size = 4)                                                                 \
  X("has 3 blocks", plan->nblocks = 3)                                                                       \
  X("has 0 colours", plan->ncolours = 0)                                                                     \
  X("2 colours without any conflict", asked->nconflict = 0)                                                  \
  X("first colour starts at index 1", plan->colour_offset[0] = 1)                                            \
  X("colour 0 has no blocks", plan->colour_offset[1] = 0)                                                    \
  X("colours have 3 blocks of 4", plan->colour_offset[2] = 3)                                                \
  X("block 4 is listed, there are 4", plan->block[0] = 4)                                                    \
  X("block -1 is listed", plan->block[0] = -1)                                                               \
  X("block 0 is listed under colour 0, but its colour is 1", plan->block_colour[0] = 1)                      \
  X("colour 0 lists block 0 after block 2", (plan->block[0] = 2, plan->block[1] = 0))                        \
  X("colour 0 lists block 0 after block 0", plan->block[1] = 0)                                              \
  X("blocks 0 and 1 of one colour both reach target 3 in group 0", one_colour(plan))                         \
  X("element colours were requested", plan->element_colour = NULL)                                           \
  X("element colours were requested", plan->element_colours = NULL)                                          \
  X("element colours were not requested", asked->element_colours = false)                                    \
  X("block 0 of 3 elements has 0 element colours", plan->element_colours[0] = 0)                             \
  X("block 0 of 3 elements has 4 element colours", plan->element_colours[0] = 4)                             \
  X("block 0 has 2 element colours, more than most_element_colours, 1", plan->most_element_colours = 1)      \
  X("most_element_colours is 3, but should be 2", plan->most_element_colours = 3)                            \
  X("position 1 has element colour 2 of 2", plan->element_colour[1] = 2)                                     \
  X("position 1 has element colour -1", plan->element_colour[1] = -1)                                        \
  X("colour 2 of block 0 has no elements", plan->element_colours[0] = plan->most_element_colours = 3)        \
  X("elements at 0 and 1 of one element colour in a block both reach target 1",                              \
    (plan->element_colour[1] = 0, plan->element_colour[2] = 1))                                              \
  X("has 0 staging lists", plan->nstaging = 0)                                                               \
  X("has 0 staging lists", list->reach.index = 0)                                                            \
  X("has 1 staging lists, requested were 0", asked->nstage = 0)                                              \
  X("has width 1", list->width = 1)                                                                          \
  X("first staged block starts at index 1", list->offset[0] = 1)                                             \
  X("block 1 stages -1 targets", list->offset[2] = list->offset[1] - 1)                                      \
  X("longest is 5, but the longest staging list has 4 targets", list->longest++)                             \
  X("block 0 stages target 1 after 1", list->target[0] = 1)                                                  \
  X("block 0 stages target 3, which it does not reach", lose_target(&v))                                     \
  X("position 0 has target 0 at index 1", list->local[0] = 1)                                                \
  X("position 0 has target 0 at index 4", list->local[0] = 4)                                                \
  X("position 0 has target 0 at index -1", list->local[0] = -1)                                              \
  X("position 9 has target -1 at index 0", list->local[19] = 0)

/* The same for `split`. */
#define SPLIT_DAMAGE(X)                                                                                      \
  X("covers range [1, 10)", split->begin = 1)                                                                \
  X("covers range [0, 11)", split->end = 11)                                                                 \
  X("is for 0 threads", split->nthreads = 0)                                                                 \
  X("has 0 levels", split->nlevels = 0)                                                                      \
  X("first thread's runs start at 1", split->run_offset[0] = 1)                                              \
  X("thread 1 has a negative number of runs", split->run_offset[2] = 0)                                      \
  X("run [0, 0) of thread 0 is empty", split->run[0].end = 0)                                                \
  X("[-1, 3) are outside the range", split->run[0].begin = -1)                                               \
  X("[7, 11) are outside the range", split->run[2].end = 11)                                                 \
  X("[10, 11) are outside the range", split->tail[1] = 10)                                                   \
  X("position 3 is listed twice", split->run[1].begin = 3)                                                   \
  X("position 9 is in no run and not in the tail", split->run[2].end = 9)                                    \
  X("position 6 is in no run and not in the tail", split->ntail = 1)                                         \
  X("its runs do not ascend", swap_runs(split))                                                              \
  X("tail has position 3 after 6", (split->tail[0] = 6, split->tail[1] = 3))                                 \
  X("threads 0 and 1 of one level both reach target 4", run_too_much(split))

/* The verification must fail with the expected message. */
static void expect_broken(bool valid, const char *why, const char *words)
{
  if (valid || !strstr(why, words)) fprintf(stderr, "expected \"%s\", found \"%s\"\n", words, why);
  CU_ASSERT_FALSE(valid);
  CONTAINS(why, words);
}

#define HURT_PLAN(words, damage)                                                                             \
  {                                                                                                          \
    damaged_plan v;                                                                                          \
    char why[256] = "";                                                                                      \
    make_damaged_plan(&v);                                                                                   \
    pl_plan_request *asked = &v.request;                                                                     \
    pl_plan *plan = &v.plan;                                                                                 \
    pl_staging *list = &plan->staging[0];                                                                    \
    damage;                                                                                                  \
    expect_broken(pl_plan_is_valid(asked, plan, why, sizeof why), why, words);                               \
    CU_ASSERT_FALSE(pl_plan_is_valid(asked, plan, NULL, 0));                                                 \
    (void)list;                                                                                              \
    pl_finalize(&v.pl);                                                                                      \
  }

#define HURT_SPLIT(words, damage)                                                                            \
  {                                                                                                          \
    damaged_plan v;                                                                                          \
    char why[256] = "";                                                                                      \
    make_damaged_plan(&v);                                                                                   \
    pl_thread_partition *split = &v.split;                                                                   \
    damage;                                                                                                  \
    expect_broken(pl_thread_partition_is_valid(&v.request, split, why, sizeof why), why, words);             \
    pl_finalize(&v.pl);                                                                                      \
  }

static void test_plan_damage(void)
{
  PLAN_DAMAGE(HURT_PLAN)
}

static void test_split_damage(void)
{
  SPLIT_DAMAGE(HURT_SPLIT)
}

/* ---- the checkers against all pairs ---- */

static int plain_target(const pl_plan_request *request, const pl_reach *reach, int position, int k)
{
  int element = request->set->indices ? request->set->indices[position] : position;
  return reach->map ? reach->map->index[element * reach->map->arity + k] : element;
}

static bool reaches(const pl_plan_request *request, const pl_reach *reach, int position, int target)
{
  int arity = reach->map ? reach->map->arity : 1;
  for (int k = 0; k < arity; k++) {
    bool included = !reach->map || reach->index == PL_ALL || reach->index == k;
    if (included && plain_target(request, reach, position, k) == target) return true;
  }
  return false;
}

static const pl_set *plain_end(const pl_plan_request *request, const pl_reach *reach)
{
  return reach->map ? reach->map->to : pl_set_parent(request->set);
}

/* Whether positions p and q have a common target in some group. */
static bool collide(const pl_plan_request *request, int p, int q)
{
  for (int i = 0; i < request->nconflict; i++)
    for (int j = 0; j < request->nconflict; j++) {
      const pl_reach *a = &request->conflict[i], *b = &request->conflict[j];
      if (a->group != b->group || plain_end(request, a) != plain_end(request, b)) continue;
      for (int t = 0; t < plain_end(request, a)->end[3]; t++)
        if (reaches(request, a, p, t) && reaches(request, b, q, t)) return true;
    }
  return false;
}

enum { SMALL = 12, FEW = 3 };

/* A plan in its own arrays with random colours of blocks and elements. */
typedef struct dice {
  pl_plan plan;
  int offset[SMALL + 1], block[SMALL], block_colour[SMALL], element_colour[SMALL], element_colours[SMALL];
} dice;

/* Assigns n items random colours without gaps; returns the number of colours. */
static int throw_colours(seed *s, int n, int *colour)
{
  int new_name[FEW] = {-1, -1, -1}, colours = 0;
  for (int i = 0; i < n; i++) {
    int c = below(s, FEW);
    if (new_name[c] < 0) new_name[c] = colours++;
    colour[i] = new_name[c];
  }
  return colours;
}

static void throw_plan(seed *s, const pl_plan_request *request, dice *d)
{
  int n = request->end - request->begin, size = request->block_size, next = 0;
  d->plan = (pl_plan){.begin = request->begin,
                      .end = request->end,
                      .block_size = size,
                      .nblocks = (n + size - 1) / size,
                      .colour_offset = d->offset,
                      .block = d->block,
                      .block_colour = d->block_colour};
  d->plan.ncolours = throw_colours(s, d->plan.nblocks, d->block_colour);
  for (int c = 0; c < d->plan.ncolours; c++) {
    d->offset[c] = next;
    for (int b = 0; b < d->plan.nblocks; b++)
      if (d->block_colour[b] == c) d->block[next++] = b;
  }
  d->offset[d->plan.ncolours] = next;
  if (!request->element_colours) return;
  d->plan.element_colour = d->element_colour;
  d->plan.element_colours = d->element_colours;
  for (int b = 0; b < d->plan.nblocks; b++) {
    int first = b * size, count = n - first < size ? n - first : size;
    d->element_colours[b] = throw_colours(s, count, d->element_colour + first);
    if (d->element_colours[b] > d->plan.most_element_colours)
      d->plan.most_element_colours = d->element_colours[b];
  }
}

static bool plan_right(const pl_plan_request *request, const dice *d)
{
  int n = request->end - request->begin, size = request->block_size;
  for (int p = 0; p < n; p++)
    for (int q = 0; q < p; q++) {
      int a = p / size, b = q / size;
      bool together = a != b ? d->block_colour[a] == d->block_colour[b]
                             : request->element_colours && d->element_colour[p] == d->element_colour[q];
      if (together && collide(request, request->begin + p, request->begin + q)) return false;
    }
  return true;
}

/* Assigns each position to a random thread of a level or to the tail; returns whether that is valid. */
static bool throw_split(seed *s, const pl_plan_request *request, pl_thread_partition *split, int *where)
{
  const int slots = 2 * FEW;
  *split = (pl_thread_partition){request->begin,    request->end, FEW, 2,
                                 split->run_offset, split->run,   0,   split->tail};
  int n = request->end - request->begin, next = 0;
  for (int p = 0; p < n; p++) where[p] = below(s, slots + 2);
  for (int t = 0; t < slots; t++) {
    split->run_offset[t] = next;
    for (int p = 0; p < n; p++)
      if (where[p] == t) split->run[next++] = (pl_run){request->begin + p, request->begin + p + 1};
  }
  split->run_offset[slots] = next;
  for (int p = 0; p < n; p++)
    if (where[p] >= slots) split->tail[split->ntail++] = request->begin + p;
  for (int p = 0; p < n; p++)
    for (int q = 0; q < p; q++)
      if (where[p] < slots && where[q] < slots && where[p] != where[q] && where[p] / FEW == where[q] / FEW &&
          collide(request, request->begin + p, request->begin + q))
        return false;
  return true;
}

static void test_checkers_by_pairs(void)
{
  int right[2] = {0, 0}, wrong[2] = {0, 0};
  for (int round = 0; round < 400; round++) {
    seed s = UINT64_C(0xd1342543de82ef95) * (uint64_t)(round + 1);
    mesh m = random_mesh(&s, SMALL);
    pl_reach conflict[MAX_REACHES], stage[MAX_REACHES];
    pl_plan_request request = random_request(&s, &m, conflict, stage);
    request.nstage = 0;
    request.block_size = 1 + below(&s, 4);
    request.nconflict = 1 + below(&s, 2);
    for (int i = 0; i < request.nconflict; i++) conflict[i] = random_reach(&s, &m, false);
    for (int i = 0; i < 4; i++) {
      dice d;
      pl_run run[SMALL];
      int offset[2 * FEW + 1], tail[SMALL], where[SMALL];
      pl_thread_partition split = {.run_offset = offset, .run = run, .tail = tail};
      throw_plan(&s, &request, &d);
      bool fine = plan_right(&request, &d);
      CU_ASSERT_EQUAL(pl_plan_is_valid(&request, &d.plan, NULL, 0), fine);
      fine ? right[0]++ : wrong[0]++;
      fine = throw_split(&s, &request, &split, where);
      CU_ASSERT_EQUAL(pl_thread_partition_is_valid(&request, &split, NULL, 0), fine);
      fine ? right[1]++ : wrong[1]++;
    }
    pl_finalize(&m.pl);
  }
  for (int i = 0; i < 2; i++) CU_ASSERT(right[i] > 100 && wrong[i] > 100);
}

static CU_TestInfo tests[] = {
  {"plan verification finds each damage", test_plan_damage},
  {"partition verification finds each damage", test_split_damage},
  {"verification agrees with all pairs", test_checkers_by_pairs},
  CU_TEST_INFO_NULL,
};

int main(void)
{
  return suite_run("plan_valid", tests);
}

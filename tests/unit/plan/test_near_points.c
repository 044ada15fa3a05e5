/* SPDX-License-Identifier: BSD-2-Clause
 * The points near particles, by vectors of each length that this processor has, and the rows of cell lists,
 * against a search of all points. Places are multiples of 1/8, so that all sums are exact and points lie at
 * exactly the reach.
 */
#include "plan/cell_lists/cell_list.h"
#include "plan/cell_lists/near_points.h"
#include "plan_meshes.h"

enum { MOST = 200, ROUNDS = 300, REACH = 2 };

/* Points, the first of which are particles. */
typedef struct problem {
  pl_context *pl;
  pl_array_pool pool;
  double at[PL_PAIR_AXES][MOST];
  pl_positions points;
} problem;

/* Some boxes are as small as a point along some axes; others have many bins or many points in each. */
static void make_points(problem *p, seed *s, int dim)
{
  const int widths[] = {1, 9, 49, 300};
  p->points = (pl_positions){
    .pl = p->pl, .pool = &p->pool, .dim = dim, .reach = REACH, .threads = below(s, 16) ? 1 : 3};
  p->points.count = 1 + below(s, MOST);
  p->points.n = 1 + below(s, p->points.count);
  for (int a = 0; a < dim; a++) {
    const int width = widths[below(s, 4)];
    for (int i = 0; i < p->points.count; i++) p->at[a][i] = below(s, width) / 8.0 - 1;
    p->points.axis[a] = p->at[a];
  }
}

static double distance2(const problem *p, int i, int k)
{
  double d2 = 0;
  for (int a = 0; a < p->points.dim; a++)
    d2 += (p->points.axis[a][i] - p->points.axis[a][k]) * (p->points.axis[a][i] - p->points.axis[a][k]);
  return d2;
}

/* Those nearer than the reach, in sorted order. */
static bool finds(const problem *p, const pl_near *near, int i)
{
  int out[MOST + PL_SPARE], n = 0;
  const size_t found = near->find(near, i, out);
  for (int k = 0; k < p->points.count; k++) {
    const int id = near->bins->id[k];
    const bool expected = id != i && distance2(p, i, id) < REACH * REACH;
    if (expected && ((size_t)n >= found || out[n++] != id)) return false;
  }
  return (size_t)n == found && found + PL_SPARE <= near->room;
}

/* Each point is once among the sorted ones, bin by bin. */
static bool is_sorted(const problem *p, const pl_bins *g)
{
  bool there[MOST] = {false};
  for (int k = 0, bin = 0; k < p->points.count; k++) {
    const int id = g->id[k];
    if (there[id] || g->bin[id] < bin || k < g->start[g->bin[id]] || k >= g->start[g->bin[id] + 1])
      return false;
    for (int a = 0; a < p->points.dim; a++)
      if (g->at[a][k] != pl_place_in(g, a, id)) return false;
    there[id] = true;
    bin = g->bin[id];
  }
  return g->start[g->nbins] == p->points.count;
}

static void check_lanes(int lanes)
{
  static pl_near near;
  problem p = {.pl = open_context()};
  seed s = 1;
  for (int round = 0; round < ROUNDS; round++) {
    pl_bins g = {.points = &p.points};
    make_points(&p, &s, 1 + round % PL_PAIR_AXES);
    OK(pl_bins_make(&g));
    CU_ASSERT(is_sorted(&p, &g));
    g.reach2 = REACH * REACH;
    pl_near_open(&near, &g, lanes);
    bool good = true;
    for (int i = 0; i < p.points.n; i++) good &= finds(&p, &near, i);
    CU_ASSERT(good);
    pl_bins_free(&g);
  }
  pl_array_pool_free(p.pl, &p.pool);
  pl_finalize(&p.pl);
}

static void test_plain(void)
{
  check_lanes(1);
}

static void test_eight(void)
{
  check_lanes(8);
}

static void test_sixteen(void)
{
  check_lanes(16);
}

/* Row i has each point within reach once, then padding. The reach is a little larger. */
static bool has_row(const problem *p, const int64_t *offset, const int *entry, int lanes, int i)
{
  const int lane = i % lanes, padding = p->points.count;
  const int64_t base = offset[i - lane], length = offset[i - lane + 1] - base;
  bool there[MOST] = {false}, ended = false;
  for (int64_t k = 0; k < length; k++) {
    const int id = entry[base + k * lanes + lane];
    if (id != padding && (ended || there[id])) return false;
    ended |= id == padding;
    if (id != padding) there[id] = true;
  }
  for (int k = 0; k < p->points.count; k++)
    if (there[k] != (k != i && distance2(p, i, k) <= REACH * REACH)) return false;
  return true;
}

static void test_rows(void)
{
  problem p = {.pl = open_context()};
  seed s = 2;
  for (int round = 0; round < ROUNDS; round++) {
    const int lanes = 4 << round % 3;
    int64_t *offset = NULL;
    int *entry = NULL;
    pl_bins g = {.points = &p.points};
    make_points(&p, &s, 1 + round / 3 % PL_PAIR_AXES);
    OK(pl_bins_make(&g));
    OK(pl_cell_list_rows(&g, lanes, p.points.count, &offset, &entry));
    pl_bins_free(&g);
    bool good = true;
    for (int i = 0; i < p.points.n; i++) good &= has_row(&p, offset, entry, lanes, i);
    CU_ASSERT(good);
    pl_array_pool_give_back(p.pl, &p.pool, offset);
    pl_array_pool_give_back(p.pl, &p.pool, entry);
  }
  pl_array_pool_free(p.pl, &p.pool);
  pl_finalize(&p.pl);
}

static CU_TestInfo tests[] = {{"one by one", test_plain},
                              {"eight", test_eight},
                              {"sixteen", test_sixteen},
                              {"rows", test_rows},
                              CU_TEST_INFO_NULL};

int main(void)
{
  return suite_run("near_points", tests);
}

/* SPDX-License-Identifier: BSD-2-Clause
 * The points near a particle, by vectors of each length that this processor has, against a plain search.
 * Places are multiples of 1/8, so that all sums are exact and points lie at exactly the reach.
 */
#include "plan/cell_lists/near_points.h"
#include "plan_meshes.h"

enum { MOST = 150, ROUNDS = 200 };

/* Points in random order, the first of which are particles, and all of them as one crowd. */
typedef struct problem {
  int n;
  double at[PL_PAIR_AXES][MOST];
  float x[PL_PAIR_AXES][MOST + PL_SPARE];
  int id[MOST + PL_SPARE];
  pl_positions points;
  pl_bins bins;
  pl_crowd crowd;
} problem;

static void open_problem(problem *p, seed *s, int dim)
{
  *p = (problem){.n = 1 + below(s, MOST), .points = {.dim = dim}, .bins = {.reach2 = 4}};
  p->bins.points = &p->points;
  pl_crowd_open(&p->crowd);
  p->crowd.count = p->n;
  p->crowd.id = p->id;
  for (int k = 0; k < p->n; k++) p->id[k] = k;
  for (int k = p->n - 1; k > 0; k--) {
    const int other = below(s, k + 1), id = p->id[k];
    p->id[k] = p->id[other];
    p->id[other] = id;
  }
  for (int a = 0; a < PL_PAIR_AXES; a++) {
    p->points.axis[a] = p->at[a];
    p->crowd.at[a] = p->x[a];
    p->bins.low[a] = -1;
    for (int k = 0; k < p->n; k++) p->at[a][k] = a < dim ? below(s, 49) / 8.0 - 1 : 0;
    for (int k = 0; k < p->n; k++) p->x[a][k] = (float)(p->at[a][p->id[k]] + 1);
  }
}

static bool is_near(const problem *p, int i, int k)
{
  double d2 = 0;
  for (int a = 0; a < p->points.dim; a++) d2 += (p->at[a][i] - p->at[a][k]) * (p->at[a][i] - p->at[a][k]);
  return i != k && d2 < 4;
}

/* The near ones in the crowd's order; points behind the crowd's last, at the same place, are none. */
static bool finds(const problem *p, pl_near_fn near, int i)
{
  int out[MOST + PL_SPARE], n = 0;
  const size_t found = near(&p->bins, &p->crowd, i, out);
  for (int k = 0; k < p->n; k++)
    if (is_near(p, i, p->id[k]) && ((size_t)n >= found || out[n++] != p->id[k])) return false;
  return (size_t)n == found;
}

static void check_lanes(int lanes)
{
  static problem p;
  seed s = 1;
  for (int round = 0; round < ROUNDS; round++) {
    open_problem(&p, &s, 1 + round % PL_PAIR_AXES);
    const pl_near_fn near = pl_near_choose(p.points.dim, lanes);
    bool good = true;
    for (int i = 0; i < p.n; i++) good &= finds(&p, near, i);
    CU_ASSERT(good);
  }
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

static CU_TestInfo tests[] = {
  {"one by one", test_plain}, {"eight", test_eight}, {"sixteen", test_sixteen}, CU_TEST_INFO_NULL};

int main(void)
{
  return suite_run("near_points", tests);
}

/* SPDX-License-Identifier: BSD-2-Clause
 * The strategies of a loop are compiled at the same time, with each limit of registers, and get their lists
 * when they first run; on a driver without a device (fake_cuda.c), whose compiler waits until several
 * compilations are under way.
 */
#include "device_suite.h"
#include "sandbox.h"
#include <stdlib.h>

enum { EDGES = 1 << 16, STRATEGIES = 4, LIMITS = 3 }; /* so many edges are worth a comparison */

PL_KERNEL(strategies_add, (double *a, double *b, const double *x), {
  a[0] += x[0];
  b[0] -= x[0];
})

static int ends[2 * EDGES];

/* Calls the loop `calls` times. uploads[k]: transfers to the device in call k; may be NULL. */
static pl_err run_loop(pl_context *pl, int calls, uint64_t *uploads)
{
  pl_set *edges, *points;
  pl_map *map;
  pl_dat *sum, *x;
  pl_stats before, after;
  for (int e = 0; e < EDGES; e++) ends[2 * e] = e, ends[2 * e + 1] = (e + 1) % EDGES;
  OK(pl_decl_set(pl, EDGES, "edges", &edges));
  OK(pl_decl_set(pl, EDGES, "points", &points));
  OK(pl_decl_map(edges, points, 2, ends, "ends", &map));
  OK(pl_decl_dat(points, 1, PL_DOUBLE, NULL, "sum", &sum));
  OK(pl_decl_dat(edges, 1, PL_DOUBLE, NULL, "x", &x));
  for (int k = 0; k < calls; k++) {
    OK(pl_get_stats(pl, &before));
    PL_TRY(pl_par_loop(strategies_add, edges, pl_arg_dat(sum, 0, map, PL_INC),
                       pl_arg_dat(sum, 1, map, PL_INC), DIRECT(x, PL_READ)));
    OK(pl_get_stats(pl, &after));
    if (uploads) uploads[k] = after.calls_to_device - before.calls_to_device;
  }
  return PL_SUCCESS;
}

static uint64_t count_compiled(void)
{
  pl_context *pl;
  pl_stats stats;
  OK(open_with(NULL, &pl));
  OK(run_loop(pl, 1, NULL));
  OK(pl_get_stats(pl, &stats));
  pl_finalize(&pl);
  return stats.codes_compiled;
}

static void test_together(void)
{
  setenv("FAKE_TOGETHER", "4", 1);
  CU_ASSERT_EQUAL(count_compiled(), STRATEGIES);
  unsetenv("FAKE_TOGETHER");
}

static void test_limits(void)
{
  setenv("FAKE_SPILLS", "1", 1);
  CU_ASSERT_EQUAL(count_compiled(), STRATEGIES * LIMITS);
  unsetenv("FAKE_SPILLS");
}

static void test_failure(void)
{
  pl_context *pl;
  setenv("FAKE_FAILS", "1", 1);
  OK(open_with(NULL, &pl));
  CU_ASSERT_EQUAL(run_loop(pl, 1, NULL), PL_ERR_COMPILE);
  pl_finalize(&pl);
  unsetenv("FAKE_FAILS");
}

/* Gather runs alone at first. Then in the first turns of gather, combine (four lists; the map, whole and
 * narrow with its bases, which gather does not read), atomic and store (two lists). */
static void test_lists(void)
{
  enum { ALONE = 16, CALLS = ALONE + STRATEGIES + 1 };
  uint64_t uploads[CALLS];
  pl_context *pl;
  OK(open_with(NULL, &pl));
  OK(run_loop(pl, CALLS, uploads));
  for (int k = 1; k < CALLS; k++)
    CU_ASSERT_EQUAL(uploads[k], k == ALONE + 1 ? 4 + 3 : k == ALONE + 3 ? 2 : 0);
  pl_finalize(&pl);
}

int main(int argc, char **argv)
{
  CU_TestInfo tests[] = {{"together", test_together},
                         {"limits", test_limits},
                         {"lists", test_lists},
                         {"failure", test_failure},
                         CU_TEST_INFO_NULL};
  return device_suite_main(argc, argv, "strategies", tests);
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Which graphs go with a freed object: those of chains that use it, and no other. By the counts of graphs
 * that the library made and launched, on a driver without a device (fake_cuda.c), so values are not looked
 * at.
 */
#include "device_suite.h"

enum { CELLS = 600 };

PL_KERNEL(graphs_mean, (double *mean, const double *const x[2]), { mean[0] = 0.5 * (x[0][0] + x[1][0]); })
PL_KERNEL(graphs_step, (double *x, const double *mean, double *sum), {
  x[0] += 0.1 * (mean[0] - x[0]);
  sum[0] += x[0];
})

typedef struct line {
  pl_context *pl;
  pl_set *cells;
  pl_map *ends;
  pl_dat *x;
  pl_global *sum;
} line;

static pl_dat *declare_dat(const line *l, const char *name)
{
  pl_dat *dat = NULL;
  OK(pl_decl_dat(l->cells, 1, PL_DOUBLE, NULL, name, &dat));
  return dat;
}

static void open_line(line *l)
{
  const double zero = 0;
  int index[2 * CELLS];
  for (int c = 0; c < CELLS; c++) index[2 * c] = index[2 * c + 1] = (c + 1) % CELLS;
  OK(open_with("transport=staged", &l->pl)); /* the driver shares no memory */
  OK(pl_decl_set(l->pl, CELLS, "cells", &l->cells));
  OK(pl_decl_map(l->cells, l->cells, 2, index, "ends", &l->ends));
  OK(pl_decl_global(l->pl, 1, PL_DOUBLE, &zero, "sum", &l->sum));
  l->x = declare_dat(l, "x");
}

/* Some runs of a chain that uses the dat; the number of graphs that they made. At least one run is a graph.
 */
static uint64_t run(const line *l, const char *name, pl_dat *mean)
{
  pl_stats before, after;
  pl_chain *chain;
  OK(pl_get_stats(l->pl, &before));
  for (int k = 0; k < 6; k++) {
    OK(pl_chain_begin(l->pl, name, &chain));
    OK(
      pl_par_loop(graphs_mean, l->cells, DIRECT(mean, PL_WRITE), pl_arg_dat(l->x, PL_ALL, l->ends, PL_READ)));
    OK(pl_par_loop(graphs_step, l->cells, DIRECT(l->x, PL_RW), DIRECT(mean, PL_READ),
                   pl_arg_gbl(l->sum, PL_INC)));
    OK(pl_chain_end(chain));
  }
  OK(pl_get_stats(l->pl, &after));
  CU_ASSERT(after.graphs_run > before.graphs_run);
  return after.graphs_made - before.graphs_made;
}

static void test_freed_objects(void)
{
  line l;
  const double zero = 0;
  int none[CELLS] = {0};
  pl_global *global;
  pl_map *map;
  open_line(&l);
  pl_dat *first = declare_dat(&l, "first"), *second = declare_dat(&l, "second"),
         *other = declare_dat(&l, "other");
  OK(pl_decl_global(l.pl, 1, PL_DOUBLE, &zero, "other", &global));
  OK(pl_decl_map(l.cells, l.cells, 1, none, "other", &map));
  const uint64_t made = run(&l, "first", first);
  CU_ASSERT(made > 0);
  CU_ASSERT_EQUAL(run(&l, "second", second), made);
  pl_dat_free(&other);
  pl_global_free(&global);
  pl_map_free(&map);
  CU_ASSERT_EQUAL(run(&l, "first", first) + run(&l, "second", second), 0);
  pl_dat_free(&second); /* its double, which may get its address, needs graphs of its own */
  second = declare_dat(&l, "second");
  CU_ASSERT_EQUAL(run(&l, "first", first), 0);
  CU_ASSERT_EQUAL(run(&l, "second", second), made);
  pl_finalize(&l.pl);
}

PL_KERNEL(graphs_set, (double *one), { one[0] = 1; })

/* On ranks a loop over new sets first distributes them, but moves no elements of others. */
static void test_new_set(void)
{
  line l;
  pl_set *set;
  pl_dat *dat;
  open_line(&l);
  pl_dat *mean = declare_dat(&l, "mean");
  CU_ASSERT(run(&l, "chain", mean) > 0);
  OK(pl_decl_set(l.pl, 3, "new", &set));
  OK(pl_decl_dat(set, 1, PL_DOUBLE, NULL, "one", &dat));
  OK(pl_par_loop(graphs_set, set, DIRECT(dat, PL_WRITE)));
  CU_ASSERT_EQUAL(run(&l, "chain", mean), 0);
  pl_dat_free(&dat);
  pl_set_free(&set);
  CU_ASSERT_EQUAL(run(&l, "chain", mean), 0);
  pl_finalize(&l.pl);
}

int main(int argc, char **argv)
{
  CU_TestInfo tests[] = {
    {"freed objects", test_freed_objects}, {"a new set", test_new_set}, CU_TEST_INFO_NULL};
  return device_suite_main(argc, argv, "graphs", tests);
}

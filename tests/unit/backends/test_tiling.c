/* SPDX-License-Identifier: BSD-2-Clause
 * When schedules are compared with and without tiles: not while an important loop runs quick code or has
 * still to compare its forms; and numbers of threads are not compared at the same time.
 */
#include "backends/host/host.h"
#include "checks.h"
#include "core/context/context.h"
#include "core/loop/loop.h"
#include "sandbox.h"
#include <plait.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CACHES = 3, BYTES = 32, FEW_POINTS = 5000, RUNS = 60 };

PL_KERNEL(spread, (const double *w, double *r[2]), {
  r[0][0] += w[0];
  r[1][0] -= w[0];
})
PL_KERNEL(relax, (double *u, const double *r), { u[0] += 0.1 * r[0]; })

typedef struct line {
  pl_context *pl;
  pl_loop *spread, *relax;
} line;

static void open_line(line *l, const char *backend, int n)
{
  pl_set *points, *edges;
  pl_map *map;
  pl_dat *u, *r, *w;
  char folder[PATH_MAX + 16];
  snprintf(folder, sizeof folder, "cache_dir=%s", sandbox_cache);
  int *ends = malloc((size_t)n * 2 * sizeof *ends);
  for (int i = 0; i < 2 * n; i++) ends[i] = (i + 1) / 2 % n;
  l->pl = CONTEXT(backend, folder, "mpi=off", "shape=scalar", "optimize=full");
  PL_OK(l->pl, pl_decl_set(l->pl, n, "points", &points));
  PL_OK(l->pl, pl_decl_set(l->pl, n, "edges", &edges));
  PL_OK(l->pl, pl_decl_map(edges, points, 2, ends, "ends", &map));
  PL_OK(l->pl, pl_decl_dat(points, 1, PL_DOUBLE, NULL, "u", &u));
  PL_OK(l->pl, pl_decl_dat(points, 1, PL_DOUBLE, NULL, "r", &r));
  PL_OK(l->pl, pl_decl_dat(edges, 1, PL_DOUBLE, NULL, "w", &w));
  PL_OK(l->pl, pl_loop_create(&l->spread, spread, edges, pl_arg_dat(w, PL_ID, PL_DIRECT, PL_READ),
                              pl_arg_dat(r, PL_ALL, map, PL_INC)));
  PL_OK(l->pl, pl_loop_create(&l->relax, relax, points, pl_arg_dat(u, PL_ID, PL_DIRECT, PL_RW),
                              pl_arg_dat(r, PL_ID, PL_DIRECT, PL_READ)));
  free(ends);
}

static void close_line(line *l)
{
  pl_loop_free(&l->spread);
  pl_loop_free(&l->relax);
  pl_finalize(&l->pl);
}

static void run_chain(const line *l, int runs)
{
  for (int i = 0; i < runs; i++) {
    pl_chain *chain;
    PL_OK(l->pl, pl_chain_begin(l->pl, "sweeps", &chain));
    for (int sweep = 0; sweep < 2; sweep++) {
      PL_OK(l->pl, pl_loop_run(l->spread));
      PL_OK(l->pl, pl_loop_run(l->relax));
    }
    PL_OK(l->pl, pl_chain_end(chain));
  }
}

static int tried(pl_context *pl)
{
  pl_stats stats;
  PL_OK(pl, pl_get_stats(pl, &stats));
  return (int)stats.tilings_tried;
}

static void test_quick(void)
{
  const long cache = sysconf(_SC_LEVEL2_CACHE_SIZE);
  line l;
  open_line(&l, "backend=seq", (int)(CACHES * (cache > 0 ? cache : 1 << 20) / BYTES));
  run_chain(&l, 1);
  pl_host_code *code = l.spread->code;
  CU_ASSERT_PTR_NOT_NULL_FATAL(code);
  code->quick = true;
  code->full_at = 1e30;
  run_chain(&l, RUNS);
  CU_ASSERT_EQUAL(tried(l.pl), 0);
  code->quick = false;
  run_chain(&l, RUNS);
  CU_ASSERT_EQUAL(tried(l.pl), 1);
  close_line(&l);
}

/* So many runs in which no loop has cost enough for comparing its forms. */
static void run_cheaply(const line *l)
{
  for (int i = 0; i < RUNS; i++) {
    l->spread->seconds = 0;
    run_chain(l, 1);
  }
}

static void test_forms(void)
{
  const long cache = sysconf(_SC_LEVEL2_CACHE_SIZE);
  for (int stored = 0; stored < 2; stored++) {
    line l;
    sandbox_remove(sandbox_cache);
    open_line(&l, "backend=seq", (int)(CACHES * (cache > 0 ? cache : 1 << 20) / BYTES));
    run_chain(&l, 1);
    pl_host_code *code = l.spread->code;
    CU_ASSERT_PTR_NOT_NULL_FATAL(code);
    code->undecided = true;
    code->confirms = stored;
    run_cheaply(&l);
    CU_ASSERT_EQUAL(tried(l.pl), stored);
    code->undecided = false;
    run_cheaply(&l);
    CU_ASSERT_EQUAL(tried(l.pl), 1);
    close_line(&l);
  }
}

static void test_threads(void)
{
  line l;
  open_line(&l, "backend=openmp", FEW_POINTS);
  pl_host *host = l.pl->backend_state;
  host->tiling_trial = true;
  PL_OK(l.pl, pl_loop_run(l.relax));
  const pl_host_code *code = l.relax->code;
  CU_ASSERT_EQUAL(code->threads.n, 0);
  host->tiling_trial = false;
  PL_OK(l.pl, pl_loop_run(l.relax));
  CU_ASSERT_EQUAL(code->threads.n, 2);
  close_line(&l);
}

static CU_TestInfo tests[] = {{"quick code delays the comparison of tiles", test_quick},
                              {"forms are compared before tiles, and stored forms later", test_forms},
                              {"threads are compared at another time", test_threads},
                              CU_TEST_INFO_NULL};

/* OMP_NUM_THREADS is read when the process starts. argv[0] has a path, also under valgrind. */
int main(int argc, char **argv)
{
  const char *threads = getenv("OMP_NUM_THREADS");
  if (argc == 1 && (!threads || strcmp(threads, "2")))
    return setenv("OMP_NUM_THREADS", "2", 1) || execv(argv[0], argv);
  sandbox_clear_options();
  pl_context *pl = NULL;
  const pl_settings settings = {.options = (const char *const[]){"backend=openmp", "mpi=off", NULL}};
  int missing = pl_init(NULL, NULL, &settings, &pl);
  pl_finalize(&pl);
  return missing ? 77 : sandbox_main("tiling", tests);
}

/* SPDX-License-Identifier: BSD-2-Clause
 * PLAIT_CHECK=1: kernels that violate their access descriptors are detected, and correct ones pass.
 */
#include <plait.h>
#include "checks.h"
#include "suite.h"
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CELLS = 50, NODES = 51 };

typedef struct mesh {
  pl_context *pl;
  pl_set *cells, *nodes;
  pl_map *ends;
  pl_dat *on_cells, *on_nodes, *pair;
  pl_global *sum;
} mesh;

static void open_mesh(mesh *m, const char *backend)
{
  int ends[2 * CELLS];
  for (int i = 0; i < CELLS; i++) {
    ends[2 * i] = i;
    ends[2 * i + 1] = i + 1;
  }
  m->pl = CONTEXT(backend, "check=1");
  PL_OK(m->pl, pl_decl_set(m->pl, CELLS, "cells", &m->cells));
  PL_OK(m->pl, pl_decl_set(m->pl, NODES, "nodes", &m->nodes));
  PL_OK(m->pl, pl_decl_map(m->cells, m->nodes, 2, ends, "ends", &m->ends));
  PL_OK(m->pl, pl_decl_dat(m->cells, 1, PL_DOUBLE, NULL, "on_cells", &m->on_cells));
  PL_OK(m->pl, pl_decl_dat(m->nodes, 1, PL_DOUBLE, NULL, "on_nodes", &m->on_nodes));
  PL_OK(m->pl, pl_decl_dat(m->cells, 2, PL_INT, NULL, "pair", &m->pair));
  PL_OK(m->pl, pl_decl_global(m->pl, 1, PL_DOUBLE, NULL, "sum", &m->sum));
}

PL_KERNEL(half_written, (int p[2], const int64_t *i), {
  p[0] = 1;
  if (*i != 17) p[1] = 2;
})

PL_KERNEL(node_unwritten, (double *x, const int64_t *i), {
  if (*i != 30) x[0] = 1.0;
})

PL_KERNEL(adds_to_nothing, (double *x), {
  double *p = x;
  p[0] += 1.0;
})

PL_KERNEL(changes_read, (const double *x, double *y), {
  *(double *)x = 3.0;
  y[0] += 1.0;
})

PL_KERNEL(well_behaved, (double *a, double *b, const double *x, double *s), {
  a[0] += 0.5 * x[0];
  b[0] += 0.25;
  s[0] += x[0];
})

static void expect_complaint(mesh *m, pl_err err, const char *kernel, const char *what)
{
  FAILS_IN(m->pl, err, PL_ERR_CHECK, kernel);
  CONTAINS(pl_errmsg(m->pl), what);
}

static void check_backend(const char *backend)
{
  mesh m = {0};
  double values[NODES];
  open_mesh(&m, backend);
  pl_err err = pl_par_loop(half_written, m.cells, pl_arg_dat(m.pair, PL_ID, PL_DIRECT, PL_WRITE),
                           pl_arg_idx(PL_ID, PL_DIRECT));
  expect_complaint(&m, err, "half_written", "element 17, component 1");
  err = pl_par_loop(node_unwritten, m.cells, pl_arg_dat(m.on_nodes, 0, m.ends, PL_WRITE),
                    pl_arg_idx(PL_ID, PL_DIRECT));
  expect_complaint(&m, err, "node_unwritten", "element 30, component 0");
  CU_ASSERT_EQUAL(pl_dat_fetch(m.on_nodes, values), PL_SUCCESS);
  for (int i = 0; i < NODES; i++) CU_ASSERT_EQUAL(values[i], 0.0); /* a failed loop changes nothing */
  err = pl_par_loop(adds_to_nothing, m.cells, pl_arg_dat(m.on_cells, PL_ID, PL_DIRECT, PL_WRITE));
  expect_complaint(&m, err, "adds_to_nothing", "PL_RW"); /* the old values are zero */
  err = pl_par_loop(changes_read, m.cells, pl_arg_dat(m.on_cells, PL_ID, PL_DIRECT, PL_READ),
                    pl_arg_dat(m.on_nodes, 0, m.ends, PL_INC));
  expect_complaint(&m, err, "changes_read", "PL_READ");
  pl_finalize(&m.pl);
}

static void check_good(const char *backend)
{
  mesh m = {0};
  double *x, values[NODES], sum;
  open_mesh(&m, backend);
  PL_OK(m.pl, pl_dat_get(m.on_cells, PL_WRITE, (void **)&x));
  for (int i = 0; i < CELLS; i++) x[i] = i;
  PL_OK(m.pl, pl_dat_put(m.on_cells));
  pl_err err = pl_par_loop(well_behaved, m.cells, pl_arg_dat(m.on_nodes, 0, m.ends, PL_INC),
                           pl_arg_dat(m.on_nodes, 1, m.ends, PL_INC),
                           pl_arg_dat(m.on_cells, PL_ID, PL_DIRECT, PL_READ), pl_arg_gbl(m.sum, PL_INC));
  CU_ASSERT_EQUAL(err, PL_SUCCESS);
  CU_ASSERT_EQUAL(pl_dat_fetch(m.on_nodes, values), PL_SUCCESS);
  for (int i = 0; i < NODES; i++)
    CU_ASSERT_EQUAL(values[i], (i < CELLS ? 0.5 * i : 0) + (i > 0 ? 0.25 : 0)); /* run twice, counted once */
  CU_ASSERT_EQUAL(pl_global_get(m.sum, &sum), PL_SUCCESS);
  CU_ASSERT_EQUAL(sum, CELLS * (CELLS - 1) / 2.0);
  CU_ASSERT_EQUAL(pl_dat_version(m.on_nodes), 1);
  pl_finalize(&m.pl);
}

static void read_view_written(void)
{
  mesh m = {0};
  double *x;
  open_mesh(&m, "backend=seq");
  PL_OK(m.pl, pl_dat_get(m.on_cells, PL_READ, (void **)&x));
  x[3] = 1.0;
  FAILS_IN(m.pl, pl_dat_put(m.on_cells), PL_ERR_CHECK, "\"on_cells\", element 3: changed");
  pl_finalize(&m.pl);
}

static void write_views(void)
{
  mesh m = {0};
  double *x, all[CELLS];
  int *p;
  open_mesh(&m, "backend=seq");
  PL_OK(m.pl, pl_dat_get(m.pair, PL_WRITE, (void **)&p));
  for (int i = 0; i < 2 * CELLS; i++)
    if (i != 25) p[i] = i;
  FAILS_IN(m.pl, pl_dat_put(m.pair), PL_ERR_CHECK, "\"pair\", element 12, component 1: not written");
  PL_OK(m.pl, pl_dat_get(m.pair, PL_RW, (void **)&p));
  CU_ASSERT_EQUAL(p[26], 26);
  PL_OK(m.pl, pl_dat_put(m.pair));
  PL_OK(m.pl, pl_dat_get(m.on_cells, PL_WRITE, (void **)&x));
  for (int i = 0; i < CELLS; i++) x[i] = i;
  PL_OK(m.pl, pl_dat_put(m.on_cells));
  PL_OK(m.pl, pl_dat_fetch(m.on_cells, all));
  for (int i = 0; i < CELLS; i++) CU_ASSERT_EQUAL(all[i], i);
  pl_finalize(&m.pl);
}

/* Whether a write ends the process. */
static bool write_fails(double *x)
{
  int status = 0;
  pid_t child = fork();
  if (!child) {
    int quiet = open("/dev/null", O_WRONLY);
    dup2(quiet, STDERR_FILENO);
    *(volatile double *)x = 1;
    kill(getpid(), SIGKILL); /* without a report of leaks */
  }
  CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
  return !WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL;
}

static void stale_views(void)
{
  mesh m = {0};
  double *x, *again;
  open_mesh(&m, "backend=seq");
  PL_OK(m.pl, pl_dat_get(m.on_cells, PL_RW, (void **)&x));
  CU_ASSERT_FALSE(write_fails(&x[CELLS - 1]));
  CU_ASSERT_TRUE(write_fails(&x[CELLS]));
  PL_OK(m.pl, pl_dat_put(m.on_cells));
  CU_ASSERT_TRUE(write_fails(x));
  PL_OK(m.pl, pl_dat_get(m.on_cells, PL_READ, (void **)&again));
  CU_ASSERT_PTR_NOT_EQUAL(again, x);
  PL_OK(m.pl, pl_set_option(m.pl, "check", "0"));
  PL_OK(m.pl, pl_dat_put(m.on_cells));
  PL_OK(m.pl, pl_dat_get(m.on_cells, PL_READ, (void **)&x));
  PL_OK(m.pl, pl_dat_put(m.on_cells));
  CU_ASSERT_FALSE(write_fails(x));
  pl_finalize(&m.pl);
}

PL_KERNEL(adds_reals, (int64_t * whole, int32_t *part, const double *x), {
  whole[0] += x[0] + 1;
  part[0] += (float)x[0] + 1;
})

/* The sum is computed in the type of the term, where great whole numbers are rounded. */
static void reals_to_integers(void)
{
  mesh m = {0};
  pl_global *whole, *part;
  int64_t sum;
  open_mesh(&m, "backend=seq");
  PL_OK(m.pl, pl_decl_global(m.pl, 1, PL_INT64, NULL, "whole", &whole));
  PL_OK(m.pl, pl_decl_global(m.pl, 1, PL_INT, NULL, "part", &part));
  PL_OK(m.pl, pl_par_loop(adds_reals, m.cells, pl_arg_gbl(whole, PL_INC), pl_arg_gbl(part, PL_INC),
                          pl_arg_direct(m.on_cells, PL_READ)));
  PL_OK(m.pl, pl_global_get(whole, &sum));
  CU_ASSERT_EQUAL(sum, CELLS);
  pl_finalize(&m.pl);
}

PL_KERNEL(marks, (int8_t * mark, const int64_t *i), { mark[0] = 2 * (*i % 60); })

/* One byte that is equal to poison may be a value. */
static void bytes_through_a_map(void)
{
  mesh m = {0};
  pl_dat *mark;
  int8_t got[NODES];
  open_mesh(&m, "backend=seq");
  PL_OK(m.pl, pl_decl_dat(m.nodes, 1, PL_INT8, NULL, "mark", &mark));
  PL_OK(m.pl,
        pl_par_loop(marks, m.cells, pl_arg_dat(mark, 0, m.ends, PL_WRITE), pl_arg_idx(PL_ID, PL_DIRECT)));
  PL_OK(m.pl, pl_dat_fetch(mark, got));
  CU_ASSERT_EQUAL(got[CELLS - 1], 2 * (CELLS - 1));
  pl_finalize(&m.pl);
}

PL_KERNEL(count_up, (double *x), { x[0] += 1; })

/* Points into the storage of the dat, as a stray pointer would. */
static double *storage_of(mesh *m, pl_dat *dat)
{
  double *x;
  PL_OK(m->pl, pl_set_option(m->pl, "check", "0"));
  PL_OK(m->pl, pl_dat_get(dat, PL_READ, (void **)&x));
  PL_OK(m->pl, pl_dat_put(dat));
  PL_OK(m->pl, pl_set_option(m->pl, "check", "1"));
  return x;
}

static pl_err count(mesh *m)
{
  return pl_par_loop(count_up, m->cells, pl_arg_dat(m->on_cells, PL_ID, PL_DIRECT, PL_RW));
}

static void write_between_loops(const char *backend)
{
  static const char sentence[] = "\"on_cells\", element 7, component 0: changed after loop \"count_up\"";
  mesh m = {0};
  double *x, values[CELLS];
  open_mesh(&m, backend);
  x = storage_of(&m, m.on_cells);
  PL_OK(m.pl, count(&m));
  x[7] = 5;
  FAILS_IN(m.pl, count(&m), PL_ERR_CHECK, sentence);
  FAILS_IN(m.pl, pl_dat_fetch(m.on_cells, values), PL_ERR_CHECK, sentence);
  FAILS_IN(m.pl, pl_dat_get(m.on_cells, PL_READ, (void **)&x), PL_ERR_CHECK, sentence);
  PL_OK(m.pl, pl_dat_zero(m.on_cells));
  PL_OK(m.pl, count(&m));
  PL_OK(m.pl, pl_dat_get(m.on_cells, PL_RW, (void **)&x));
  x[7] = 5;
  PL_OK(m.pl, pl_dat_put(m.on_cells));
  PL_OK(m.pl, count(&m));
  PL_OK(m.pl, pl_dat_fetch(m.on_cells, values));
  CU_ASSERT_EQUAL(values[7], 6);
  pl_finalize(&m.pl);
}

static void writes_between_loops(void)
{
  write_between_loops("backend=seq");
  write_between_loops("backend=openmp");
}

/* The library zeroes values between loops without a new version. */
static void zeros_between_loops(void)
{
  mesh m = {0};
  double values[NODES];
  open_mesh(&m, "backend=seq");
  for (int run = 0; run < 2; run++)
    PL_OK(m.pl, pl_par_loop(count_up, m.cells, pl_arg_zeroed(pl_arg_dat(m.on_nodes, 0, m.ends, PL_INC))));
  PL_OK(m.pl, pl_dat_fetch(m.on_nodes, values));
  CU_ASSERT_EQUAL(values[7], 1);
  pl_finalize(&m.pl);
}

PL_KERNEL(push, (double *f, const double *d), { f[0] += d[0]; })

/* A loop reads values only as differences. */
static void differences(void)
{
  mesh m = {0};
  pl_map *pairs;
  pl_dat *force;
  open_mesh(&m, "backend=seq");
  PL_OK(m.pl, pl_decl_pair_map(m.on_cells, NULL, INFINITY, 0, "pairs", &pairs));
  PL_OK(m.pl, pl_decl_dat(m.cells, 1, PL_DOUBLE, NULL, "force", &force));
  const pl_arg f = pl_arg_dat(force, PL_BOTH, pairs, PL_INC_ANTI), d = pl_arg_difference(m.on_cells);
  double *x = storage_of(&m, m.on_cells);
  PL_OK(m.pl, pl_pair_loop(push, pairs, f, d));
  x[7] = 5;
  FAILS_IN(m.pl, pl_pair_loop(push, pairs, f, d), PL_ERR_CHECK,
           "\"on_cells\", element 7, component 0: changed after loop \"push\"");
  pl_finalize(&m.pl);
}

static void on_seq(void)
{
  check_backend("backend=seq");
  check_good("backend=seq");
}

static void on_openmp(void)
{
  check_backend("backend=openmp");
  check_good("backend=openmp");
}

static CU_TestInfo tests[] = {{"descriptors on seq", on_seq},
                              {"descriptors on openmp", on_openmp},
                              {"a read view that was written", read_view_written},
                              {"a write view that was not written", write_views},
                              {"pointers into closed views", stale_views},
                              {"reals added to integers", reals_to_integers},
                              {"bytes written through a map", bytes_through_a_map},
                              {"writes to storage between loops", writes_between_loops},
                              {"zeros between loops", zeros_between_loops},
                              {"values read as differences", differences},
                              CU_TEST_INFO_NULL};

int main(void)
{
  return suite_run("check", tests);
}

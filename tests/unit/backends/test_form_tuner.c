/* SPDX-License-Identifier: BSD-2-Clause
 * Forms of host code: which forms a loop may have, that all give the same bits, and that a costly loop is
 * tuned and its form is remembered; the first code of a loop, which is compiled quickly.
 */
#include "backends/host/host.h"
#include "core/base/clock.h"
#include "core/loop/loop.h"
#include "checks.h"
#include "sandbox.h"
#include <stdlib.h>
#include <time.h>

enum { EDGES = 3001, NODES = 3001 };

typedef struct mesh {
  pl_context *pl;
  pl_set *edges, *nodes;
  pl_map *ends;
  pl_dat *x, *y;
} mesh;

/* Edge e reaches nodes e and e + apart; with `gaps` every seventh edge has no second node. */
static void open_as(mesh *m, const char *shape, const char *optimize, const char *cache, int apart, bool gaps)
{
  char three[40];
  char one[40], two[PATH_MAX + 16];
  int ends[2 * EDGES];
  double x[3 * NODES];
  snprintf(one, sizeof one, "shape=%s", shape);
  snprintf(two, sizeof two, "cache_dir=%s", cache);
  for (int e = 0; e < EDGES; e++) {
    ends[2 * e] = e;
    ends[2 * e + 1] = gaps && e % 7 == 0 ? -1 : (e + apart) % NODES;
  }
  for (int i = 0; i < 3 * NODES; i++) x[i] = 1.0 + 0.37 * (i % 101);
  snprintf(three, sizeof three, "optimize=%s", optimize);
  m->pl = CONTEXT("backend=seq", one, two, three);
  PL_OK(m->pl, pl_decl_set(m->pl, EDGES, "edges", &m->edges));
  PL_OK(m->pl, pl_decl_set(m->pl, NODES, "nodes", &m->nodes));
  PL_OK(m->pl, pl_decl_map(m->edges, m->nodes, 2, ends, "ends", &m->ends));
  PL_OK(m->pl, pl_decl_dat(m->nodes, 3, PL_DOUBLE, x, "x", &m->x));
  PL_OK(m->pl, pl_decl_dat(m->nodes, 3, PL_DOUBLE, NULL, "y", &m->y));
}

static void open_mesh(mesh *m, const char *shape, const char *cache, int apart, bool gaps)
{
  open_as(m, shape, "full", cache, apart, gaps);
}

PL_KERNEL(spread, (const double *const x[2], double *y[2]), {
  for (int k = 0; k < 3; k++) {
    const double d = (x[1][k] - x[0][k]) / (1.0 + x[0][k] * x[0][k]);
    y[0][k] += 0.125 * d;
    y[1][k] -= 0.125 * d;
  }
})

PL_KERNEL(average, (double *x[2]), {
  for (int k = 0; k < 3; k++) {
    const double mean = 0.5 * (x[0][k] + x[1][k]);
    x[0][k] += 0.25 * (mean - x[0][k]);
    x[1][k] += 0.25 * (mean - x[1][k]);
  }
})

/* A pair that gcc 12 contracts in scalar code if contraction is allowed. */
PL_KERNEL(rotate, (double *x[2]), {
  const double c = x[1][0];
  const double s = x[0][0];
  const double a = x[0][1];
  x[0][1] = 0.01 * (c * a - s * x[0][2]);
  x[0][2] = 0.01 * (s * a + c * x[0][2]);
})

static pl_err run_spread(mesh *m)
{
  return pl_par_loop(spread, m->edges, pl_arg_dat(m->x, PL_ALL, m->ends, PL_READ),
                     pl_arg_dat(m->y, PL_ALL, m->ends, PL_INC));
}

static pl_err run_average(mesh *m)
{
  return pl_par_loop(average, m->edges, pl_arg_dat(m->x, PL_ALL, m->ends, PL_RW));
}

static pl_err run_rotate(mesh *m)
{
  return pl_par_loop(rotate, m->edges, pl_arg_dat(m->x, PL_ALL, m->ends, PL_RW));
}

static const char *shape_of(mesh *m)
{
  pl_profile_entry entry;
  PL_OK(m->pl, pl_profile_at(m->pl, 0, &entry));
  return entry.variant;
}

static bool same_dat(pl_dat *a, pl_dat *b)
{
  double *x = malloc(pl_dat_nbytes(a)), *y = malloc(pl_dat_nbytes(b));
  bool same = x && y && !pl_dat_fetch(a, x) && !pl_dat_fetch(b, y) && !memcmp(x, y, pl_dat_nbytes(a));
  free(x);
  free(y);
  return same;
}

/* ---- tests ---- */

static void expect_shape(int apart, bool gaps, pl_err (*run)(mesh *m), const char *shape)
{
  mesh scalar, other;
  open_mesh(&scalar, "scalar", sandbox_cache, apart, gaps);
  open_mesh(&other, "transpose", sandbox_cache, apart, gaps);
  for (int call = 0; call < 3; call++) {
    PL_OK(scalar.pl, run(&scalar));
    PL_OK(other.pl, run(&other));
  }
  CU_ASSERT_STRING_EQUAL(shape_of(&scalar), "scalar");
  CU_ASSERT_STRING_EQUAL(shape_of(&other), shape);
  CU_ASSERT(same_dat(scalar.x, other.x));
  CU_ASSERT(same_dat(scalar.y, other.y));
  pl_finalize(&scalar.pl);
  pl_finalize(&other.pl);
}

static void increments(void)
{
  expect_shape(1, false, run_spread, "transpose");
  expect_shape(0, false, run_spread, "transpose"); /* both targets are equal */
}

static void missing_targets(void)
{
  expect_shape(1, true, run_spread, "transpose");
}

/* An element that reads the result of its predecessor cannot run in the same vector. */
static void read_and_write(void)
{
  expect_shape(1, false, run_average, "scalar");
  expect_shape(7, false, run_average, "scalar");
  expect_shape(8, false, run_average, "transpose");
}

static void contracted_pairs(void)
{
  expect_shape(9, false, run_rotate, "transpose");
}

/* Replaces time() for the library too. */
static time_t days_ahead;

time_t time(time_t *result)
{
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  now.tv_sec += 24 * 3600 * days_ahead;
  if (result) *result = now.tv_sec;
  return now.tv_sec;
}

/* Calls until the loop has been tuned: the first and the last step of tuning take their code from memory. */
static int run_until_decided(mesh *m)
{
  pl_stats stats = {0};
  double start = pl_now();
  int calls = 0;
  for (; stats.codes_memory < 2 && pl_now() - start < 60.0; calls++) {
    PL_OK(m->pl, run_spread(m));
    PL_OK(m->pl, pl_get_stats(m->pl, &stats));
  }
  CU_ASSERT_EQUAL(stats.codes_memory, 2);
  return calls;
}

/* Whether a loop that has cost enough for tuning continues without it. */
static bool continues(mesh *m)
{
  pl_stats stats;
  double start = pl_now();
  while (pl_now() - start < 0.4) PL_OK(m->pl, run_spread(m));
  PL_OK(m->pl, pl_get_stats(m->pl, &stats));
  return stats.codes_memory == 0;
}

static void trial(void)
{
  mesh tries, scalar, next, third, next_day;
  pl_stats stats;
  char chosen[64];
  open_mesh(&tries, "auto", sandbox_cache, 1, false);
  open_mesh(&scalar, "scalar", sandbox_cache, 1, false);
  int calls = run_until_decided(&tries);
  for (int c = 0; c < calls; c++) PL_OK(scalar.pl, run_spread(&scalar));
  CU_ASSERT(same_dat(tries.y, scalar.y));
  snprintf(chosen, sizeof chosen, "%s", shape_of(&tries));
  open_mesh(&next, "auto", sandbox_cache, 1, false);
  PL_OK(next.pl, run_spread(&next));
  PL_OK(next.pl, pl_get_stats(next.pl, &stats));
  CU_ASSERT_STRING_EQUAL(shape_of(&next), chosen);
  CU_ASSERT_EQUAL(stats.compiler_runs, 0);
  run_until_decided(&next); /* a choice found once is measured again */
  bool agreed = !strcmp(shape_of(&next), chosen);
  snprintf(chosen, sizeof chosen, "%s", shape_of(&next));
  open_mesh(&third, "auto", sandbox_cache, 1, false);
  PL_OK(third.pl, run_spread(&third));
  CU_ASSERT_STRING_EQUAL(shape_of(&third), chosen);
  if (agreed) CU_ASSERT(continues(&third));
  days_ahead = 2;
  open_mesh(&next_day, "auto", sandbox_cache, 1, false);
  run_until_decided(&next_day); /* a confirmed choice is valid for a day */
  days_ahead = 0;
  pl_finalize(&next_day.pl);
  pl_finalize(&third.pl);
  pl_finalize(&tries.pl);
  pl_finalize(&scalar.pl);
  pl_finalize(&next.pl);
}

PL_KERNEL(scatter, (double *y, const double *const x[2]), {
  for (int k = 0; k < 3; k++) y[k] += 0.3 * x[1][k] / (1.7 + x[0][k] * x[1][k]) - x[0][k] * x[0][k];
})

/* Over all edges and over every third, which is a list. */
static void run_scatter(mesh *m, pl_set *thirds)
{
  pl_set *const sets[] = {m->edges, thirds};
  for (int i = 0; i < 2; i++)
    PL_OK(m->pl, pl_par_loop(scatter, sets[i], pl_arg_dat(m->y, 0, m->ends, PL_INC),
                             pl_arg_dat(m->x, PL_ALL, m->ends, PL_READ)));
}

static pl_set *every_third(mesh *m)
{
  static int third[EDGES / 3];
  pl_set *thirds;
  for (int i = 0; i < EDGES / 3; i++) third[i] = 3 * i;
  PL_OK(m->pl, pl_decl_subset(m->edges, EDGES / 3, third, "thirds", &thirds));
  return thirds;
}

/* Calls until the loops have been compiled again; returns how often. */
static int run_until_full(mesh *m, pl_set *thirds)
{
  pl_stats stats = {0};
  double start = pl_now();
  int calls = 0;
  for (; stats.compiler_runs < 4 && pl_now() - start < 60.0; calls++) {
    run_scatter(m, thirds);
    PL_OK(m->pl, pl_get_stats(m->pl, &stats));
  }
  return calls;
}

/* Two loops, two compilations each: the same bits in each call, lists too. */
static void quick_first(void)
{
  mesh quick, full, again;
  pl_stats stats;
  char fixed_cache[PATH_MAX + 8];
  snprintf(fixed_cache, sizeof fixed_cache, "%s/full", sandbox_cache);
  open_as(&quick, "transpose", "auto", sandbox_cache, 1, false);
  open_as(&full, "transpose", "full", fixed_cache, 1, false);
  pl_set *some = every_third(&quick), *same = every_third(&full);
  run_scatter(&quick, some);
  run_scatter(&full, same);
  CU_ASSERT(same_dat(quick.y, full.y));
  open_as(&again, "transpose", "auto", sandbox_cache, 1, false);
  run_scatter(&again, every_third(&again));
  PL_OK(again.pl, pl_get_stats(again.pl, &stats));
  CU_ASSERT_EQUAL(stats.compiler_runs, 0);
  CU_ASSERT(same_dat(again.y, full.y));
  pl_finalize(&again.pl);
  for (int calls = run_until_full(&quick, some); calls > 0; calls--) run_scatter(&full, same);
  CU_ASSERT(same_dat(quick.y, full.y));
  PL_OK(quick.pl, pl_get_stats(quick.pl, &stats));
  CU_ASSERT(stats.compiler_runs >= 2);
  pl_finalize(&full.pl);
  pl_finalize(&quick.pl);
}

/* Whether a new context begins with quick code for a loop. If the loop is `costly`, in two calls, later
 * contexts find a note. */
static bool begins_quickly(bool costly)
{
  mesh m;
  pl_loop *loop;
  open_as(&m, "transpose", "auto", sandbox_cache, 1, false);
  PL_OK(m.pl, pl_loop_create(&loop, scatter, m.edges, pl_arg_dat(m.y, 0, m.ends, PL_INC),
                             pl_arg_dat(m.x, PL_ALL, m.ends, PL_READ)));
  PL_OK(m.pl, pl_loop_run(loop));
  pl_host_code *code = loop->code;
  const bool quick = code->quick;
  if (quick) code->full_at = costly ? 0.0 : 1e9;
  PL_OK(m.pl, pl_loop_run(loop));
  pl_loop_free(&loop);
  pl_finalize(&m.pl);
  return quick;
}

static void quick_once(void)
{
  CU_ASSERT(begins_quickly(false));
  CU_ASSERT(begins_quickly(true));
  CU_ASSERT(!begins_quickly(true));
}

static CU_TestInfo tests[] = {{"increments", increments},
                              {"missing targets", missing_targets},
                              {"read and write through a map", read_and_write},
                              {"pairs that compilers contract", contracted_pairs},
                              {"tuning", trial},
                              {"quickly compiled code", quick_first},
                              {"quick code once, if it is costly", quick_once},
                              CU_TEST_INFO_NULL};

int main(void)
{
  return sandbox_main("form_tuner", tests);
}

/* SPDX-License-Identifier: BSD-2-Clause
 * What runs while halo messages are in flight: the elements of each range that loops hand to the backend are
 * counted between the start and the end of an exchange. Runs alone or under mpirun.
 */
#include "core/exchange/halo.h"
#include "core/loop/loop.h"

#include "checks.h"
#include "suite.h"
#include <string.h>

enum { CELLS = 240, STEPS = 4 };

/* A line of cells with an edge between neighbours. */
typedef struct line {
  pl_context *pl;
  int rank, ranks, own;
  pl_set *cells, *edges;
  pl_map *beside, *ends;
  pl_dat *x, *old, *sum;
} line;

/* ---- the recording backend ---- */

/* Of all loops whose name begins with `name`: ranges, and elements that ran meanwhile and otherwise. */
typedef struct record {
  const pl_backend *backend; /* runs the loops */
  const char *name;
  int calls, during, after;
} record;

static record seen;

static pl_err run_recorded(pl_context *pl, pl_loop *loop, const pl_loop_range *range)
{
  const int n = range->end - range->begin;
  if (!strncmp(pl_loop_title(loop), seen.name, strlen(seen.name))) {
    seen.calls++;
    *(pl_halo_busy(pl) ? &seen.during : &seen.after) += n;
  }
  return seen.backend->run(pl, loop, range);
}

/* Wraps the backend of a context; loops named `name` are counted from now on. */
static void watch(pl_context *pl, pl_backend *recording, const char *name)
{
  seen = (record){.backend = pl->backend, .name = name};
  *recording = *pl->backend;
  recording->run = run_recorded;
  pl->backend = recording;
}

/* ---- the line ---- */

static int share(int n, int rank, int ranks)
{
  return n * rank / ranks;
}

/* False if the machine lacks the backend. */
static bool open_line(line *w, const char *backend)
{
  const char *const options[] = {backend, "tile=1", NULL};
  const pl_settings settings = {.options = options};
  memset(w, 0, sizeof *w);
  if (pl_init(NULL, NULL, &settings, &w->pl)) {
    printf("\n    skipped: %s\n", pl_errmsg(w->pl));
    pl_finalize(&w->pl);
    return false;
  }
  w->rank = pl_rank(w->pl), w->ranks = pl_ranks(w->pl);
  const int first = share(CELLS, w->rank, w->ranks), end = share(CELLS, w->rank + 1, w->ranks);
  const int edges = end - first - (end == CELLS);
  int beside[2 * CELLS], ends[2 * CELLS];
  double x[CELLS];
  w->own = end - first;
  for (int i = 0; i < w->own; i++) {
    const int cell = first + i;
    beside[2 * i] = cell ? cell - 1 : 0;
    beside[2 * i + 1] = cell + 1 < CELLS ? cell + 1 : cell;
    ends[2 * i] = cell, ends[2 * i + 1] = cell + 1;
    x[i] = cell % 7;
  }
  PL_OK(w->pl, pl_decl_set(w->pl, w->own, "cells", &w->cells));
  PL_OK(w->pl, pl_decl_set(w->pl, edges, "edges", &w->edges));
  PL_OK(w->pl, pl_decl_map(w->cells, w->cells, 2, beside, "beside", &w->beside));
  PL_OK(w->pl, pl_decl_map(w->edges, w->cells, 2, ends, "ends", &w->ends));
  PL_OK(w->pl, pl_decl_dat(w->cells, 1, PL_DOUBLE, x, "x", &w->x));
  PL_OK(w->pl, pl_decl_dat(w->cells, 1, PL_DOUBLE, NULL, "old", &w->old));
  PL_OK(w->pl, pl_decl_dat(w->cells, 1, PL_DOUBLE, NULL, "sum", &w->sum));
  return true;
}

/* Owned cells beside a cell of another rank. */
static int border(const line *w)
{
  return (w->rank > 0) + (w->rank < w->ranks - 1);
}

/* The cells after so many steps; every rank computes all of them. */
static void check_cells(line *w, int steps)
{
  double x[CELLS], was[CELLS], *got;
  int64_t id[CELLS];
  for (int i = 0; i < CELLS; i++) x[i] = i % 7;
  for (int s = 0; s < steps; s++) {
    memcpy(was, x, sizeof x);
    for (int i = 0; i < CELLS; i++)
      x[i] += ((i ? was[i - 1] - was[i] : 0) + (i + 1 < CELLS ? was[i + 1] - was[i] : 0)) / 4;
  }
  PL_OK(w->pl, pl_set_global(w->cells, id));
  PL_OK(w->pl, pl_dat_get(w->x, PL_READ, (void **)&got));
  for (int i = 0; i < w->own; i++) CU_ASSERT_DOUBLE_EQUAL(got[i], x[id[i]], 1e-12);
  PL_OK(w->pl, pl_dat_put(w->x));
}

/* ---- tests ---- */

PL_KERNEL(flow, (const double *const x[2], double *sum[2]), {
  sum[0][0] += x[1][0] - x[0][0];
  sum[1][0] += x[0][0] - x[1][0];
})
PL_KERNEL(move, (const double *sum, const double *old, double *x), { x[0] = old[0] + sum[0] / 4; })
PL_KERNEL(mean, (const double *const x[2], double *sum), { sum[0] = x[0][0] + x[1][0]; })
PL_KERNEL(touch, (double *x), { x[0] += 0; })

static void step(line *w)
{
  PL_OK(w->pl, pl_dat_copy(w->x, w->old));
  PL_OK(w->pl, pl_dat_zero(w->sum));
  PL_OK(w->pl, pl_par_loop(flow, w->edges, pl_arg_dat(w->x, PL_ALL, w->ends, PL_READ),
                           pl_arg_dat(w->sum, PL_ALL, w->ends, PL_INC)));
  PL_OK(w->pl, pl_par_loop(move, w->cells, pl_arg_direct(w->sum, PL_READ), pl_arg_direct(w->old, PL_READ),
                           pl_arg_direct(w->x, PL_WRITE)));
}

/* Each cell calls `flow` for its edges and then `move`, through maps that the chain derives. */
static void run_fused(line *w)
{
  pl_chain *chain;
  PL_OK(w->pl, pl_chain_begin(w->pl, "steps", &chain));
  PL_OK(w->pl, pl_chain_temporary(chain, w->sum));
  PL_OK(w->pl, pl_chain_hint(chain, w->sum, PL_INLINE));
  for (int s = 0; s < STEPS; s++) step(w);
  PL_OK(w->pl, pl_chain_end(chain));
}

/* A loop through a declared map. */
static void run_plain(line *w)
{
  for (int s = 0; s < STEPS; s++) {
    PL_OK(w->pl, pl_par_loop(touch, w->cells, pl_arg_direct(w->x, PL_RW)));
    PL_OK(w->pl, pl_par_loop(mean, w->cells, pl_arg_dat(w->x, PL_ALL, w->beside, PL_READ),
                             pl_arg_direct(w->sum, PL_WRITE)));
  }
}

/* All owned elements but those beside other ranks run during the exchange. */
static void check_overlap(const char *backend, const char *name, void (*run)(line *), int moves)
{
  line w;
  pl_backend recording;
  if (!open_line(&w, backend)) return;
  watch(w.pl, &recording, name);
  run(&w);
  const int during = w.ranks > 1 ? STEPS * (w.own - border(&w)) : 0;
  CU_ASSERT(seen.calls >= STEPS);
  CU_ASSERT_EQUAL(seen.during, during);
  CU_ASSERT_EQUAL(seen.during + seen.after, STEPS * w.own);
  check_cells(&w, moves);
  pl_finalize(&w.pl);
}

static const char *const backends[] = {"backend=seq", "backend=openmp",
#ifndef PLAIT_SANITIZED /* sanitizers report OpenCL's libraries */
                                       "backend=opencl"
#endif
};
enum { BACKENDS = sizeof backends / sizeof *backends };

static void plain(void)
{
  for (int b = 0; b < BACKENDS; b++) check_overlap(backends[b], "mean", run_plain, 0);
}

static void fused(void)
{
  for (int b = 0; b < BACKENDS; b++) check_overlap(backends[b], "flow + move", run_fused, STEPS);
}

static CU_TestInfo tests[] = {
  {"the core of a loop", plain},
  {"the core of a fused loop", fused},
  CU_TEST_INFO_NULL,
};

int main(void)
{
  return suite_run("overlap", tests);
}

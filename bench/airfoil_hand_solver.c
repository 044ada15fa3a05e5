/* SPDX-License-Identifier: BSD-2-Clause
 * The hand-written airfoil solver in REAL (double or float): loops over restrict pointers, values of an
 * element side by side in memory. The loops are scalar code, or vector code with AIRFOIL_VECTOR defined.
 *
 * Threads own contiguous ranges of cells. Each works through the edges of its own cells: both sides of inner
 * edges, its own side of cut ones, which the owner of the other side computes too. So no two threads ever
 * write to one cell, and nothing waits inside a loop. With one thread there are no cut edges, and each loop
 * is the textbook one over all elements in the mesh's order.
 */
#include "airfoil_hand.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../apps/common/wall.h"

#ifdef AIRFOIL_VECTOR
#include "airfoil_vector.h"
#else
#include "airfoil_scalar.h"
#endif

/* ---- division of the work ---- */

typedef struct edge_list {
  int n, *node, *cell;
} edge_list;

typedef struct part {
  int from, to; /* cells of this thread */
  edge_list inner, cut[2], bedges;
  int *bound;
  REAL rms;
  char apart[128]; /* keeps the sums of two threads in different cache lines */
} part;

enum { SAVE_SOLN, ADT_CALC, RES_CALC, BRES_CALC, UPDATE, LOOPS };

typedef struct solver {
  const airfoil_mesh *mesh;
  int threads;
  bool streams; /* the loops over cells move more than the last-level cache holds */
  part *parts;
  int *cell_node;
  REAL *x, *q, *qold, *adt, *res, qinf[4];
  airfoil_report *report;
} solver;

/* Runs the statement for each part `p` on its thread. */
#define FOR_PARTS(s, statement)                                                                              \
  _Pragma("omp parallel for num_threads((s)->threads) schedule(static, 1) if ((s)->threads > 1)") for (      \
    int part_at = 0; part_at < (s)->threads; part_at++)                                                      \
  {                                                                                                          \
    part *p = &(s)->parts[part_at];                                                                          \
    statement                                                                                                \
  }

static void run_save_soln(solver *s)
{
  FOR_PARTS(s, save_soln(p->from, p->to, s->streams, s->q, s->qold);)
}

static void run_adt_calc(solver *s)
{
  FOR_PARTS(s, adt_calc(p->from, p->to, s->cell_node, s->x, s->q, s->adt);)
}

static void run_res_calc(solver *s)
{
  FOR_PARTS(s, {
    res_calc(p->inner.n, p->inner.node, p->inner.cell, s->x, s->q, s->adt, s->res);
    for (int k = 0; k < 2; k++)
      res_calc_cut(p->cut[k].n, k, p->cut[k].node, p->cut[k].cell, s->x, s->q, s->adt, s->res);
  })
}

static void run_bres_calc(solver *s)
{
  FOR_PARTS(
    s, bres_calc(p->bedges.n, p->bedges.node, p->bedges.cell, p->bound, s->qinf, s->x, s->q, s->adt, s->res);)
}

static void run_update(solver *s)
{
  FOR_PARTS(s, update(p->from, p->to, s->streams, s->qold, s->q, s->res, s->adt, &p->rms);)
}

static void timed(solver *s, int loop, void (*run)(solver *))
{
  const double start = wall_seconds();
  run(s);
  s->report->loops[loop].seconds += wall_seconds() - start;
  s->report->loops[loop].calls++;
}

/* Block by block, so that a block's values stay in the nearest cache from one loop to the next. */
static void fused_cells(solver *s, part *p, bool updates, bool saves)
{
  enum { BLOCK = 256 };
  REAL sum = 0, rms;
  for (int from = p->from; from < p->to; from += BLOCK) {
    const int to = from + BLOCK < p->to ? from + BLOCK : p->to;
    if (updates) update(from, to, false, s->qold, s->q, s->res, s->adt, &rms), sum += rms;
    if (saves) save_soln(from, to, false, s->q, s->qold);
    adt_calc(from, to, s->cell_node, s->x, s->q, s->adt);
  }
  if (updates) p->rms = sum;
}

static void run_fused(solver *s, bool updates, bool saves)
{
  FOR_PARTS(s, fused_cells(s, p, updates, saves);)
}

static void run_first(solver *s)
{
  run_fused(s, false, true);
}

static void run_middle(solver *s)
{
  run_fused(s, true, false);
}

/* Ends an iteration and begins the next. */
static void run_last(solver *s)
{
  run_fused(s, true, true);
}

/* Loops over cells are fused; `update` stands for them in the report. */
static void iterate_fused(solver *s)
{
  if (s->report->loops[RES_CALC].calls == 0) timed(s, UPDATE, run_first);
  for (int stage = 0; stage < 2; stage++) {
    timed(s, RES_CALC, run_res_calc);
    timed(s, BRES_CALC, run_bres_calc);
    timed(s, UPDATE, stage == 0 ? run_middle : run_last);
  }
}

static void iterate(solver *s)
{
  timed(s, SAVE_SOLN, run_save_soln);
  for (int stage = 0; stage < 2; stage++) {
    timed(s, ADT_CALC, run_adt_calc);
    timed(s, RES_CALC, run_res_calc);
    timed(s, BRES_CALC, run_bres_calc);
    timed(s, UPDATE, run_update);
  }
}

static double residual(const solver *s)
{
  double sum = 0.0;
  for (int t = 0; t < s->threads; t++) sum += (double)s->parts[t].rms;
  return sum;
}

/* ---- set-up ---- */

/* Large arrays on huge pages, if available, which speeds up scattered access. Each begins `place` lines into
 * its first page: where all begin alike, some processors wait for stores to one array before they load from
 * another. */
static void *new_array(int place, size_t n, size_t size)
{
  const size_t page = (size_t)2 << 20, before = 64 * ((size_t)place + 1), bytes = before + n * size;
  const size_t align = bytes >= 2 * page ? page : 64;
  char *block = aligned_alloc(align, (bytes / align + 1) * align);
  if (!block) return NULL;
  if (align == page) (void)madvise(block, (bytes / align + 1) * align, MADV_HUGEPAGE);
  ((void **)(block + before))[-1] = block;
  return block + before;
}

static void free_array(void *array)
{
  if (array) free(((void **)array)[-1]);
}

static int owner(const solver *s, int cell)
{
  int t = (int)((int64_t)cell * s->threads / (s->mesh->ncell > 0 ? s->mesh->ncell : 1));
  while (cell < s->parts[t].from) t--;
  while (cell >= s->parts[t].to) t++;
  return t;
}

static bool list_alloc(edge_list *list, int cells)
{
  list->node = new_array(10, (size_t)list->n * 2, sizeof(int));
  list->cell = new_array(20, (size_t)list->n * (size_t)cells, sizeof(int));
  list->n = 0;
  return list->node && list->cell;
}

/* Thread t's list for edge e; NULL if it has no cell there. */
static edge_list *list_of(const solver *s, int t, int e)
{
  const bool first = owner(s, s->mesh->edge_cell[2 * e]) == t,
             second = owner(s, s->mesh->edge_cell[2 * e + 1]) == t;
  if (first && second) return &s->parts[t].inner;
  return first ? &s->parts[t].cut[0] : second ? &s->parts[t].cut[1] : NULL;
}

static bool share_edges(const solver *s, int t)
{
  const airfoil_mesh *m = s->mesh;
  part *p = &s->parts[t];
  edge_list *list;
  for (int e = 0; e < m->nedge; e++)
    if ((list = list_of(s, t, e))) list->n++;
  if (!list_alloc(&p->inner, 2) || !list_alloc(&p->cut[0], 2) || !list_alloc(&p->cut[1], 2)) return false;
  for (int e = 0; e < m->nedge; e++) {
    if (!(list = list_of(s, t, e))) continue;
    memcpy(&list->node[2 * list->n], &m->edge_node[2 * e], 2 * sizeof(int));
    memcpy(&list->cell[2 * list->n], &m->edge_cell[2 * e], 2 * sizeof(int));
    list->n++;
  }
  return true;
}

static bool share_bedges(const solver *s, int t)
{
  const airfoil_mesh *m = s->mesh;
  part *p = &s->parts[t];
  p->bedges.n = m->nbedge;
  p->bound = new_array(0, (size_t)m->nbedge, sizeof(int));
  if (!list_alloc(&p->bedges, 1) || !p->bound) return false;
  for (int e = 0; e < m->nbedge; e++) {
    if (owner(s, m->bedge_cell[e]) != t) continue;
    memcpy(&p->bedges.node[2 * p->bedges.n], &m->bedge_node[2 * e], 2 * sizeof(int));
    p->bedges.cell[p->bedges.n] = m->bedge_cell[e];
    p->bound[p->bedges.n++] = m->bound[e];
  }
  return true;
}

/* Each thread builds its lists and initialises its cells, so that they lie in its memory. */
static bool share_work(solver *s)
{
  int good = 1;
  for (int t = 0; t < s->threads; t++) {
    s->parts[t].from = (int)((int64_t)s->mesh->ncell * t / s->threads);
    s->parts[t].to = (int)((int64_t)s->mesh->ncell * (t + 1) / s->threads);
  }
#pragma omp parallel for num_threads(s->threads) schedule(static, 1) reduction(& : good)
  for (int t = 0; t < s->threads; t++) {
    good &= share_edges(s, t) && share_bedges(s, t);
    for (int i = s->parts[t].from; i < s->parts[t].to; i++) {
      for (int k = 0; k < 4; k++) s->q[4 * i + k] = s->qinf[k];
      for (int k = 0; k < 4; k++) s->qold[4 * i + k] = s->res[4 * i + k] = 0;
      s->adt[i] = 0;
      memcpy(&s->cell_node[4 * i], &s->mesh->cell_node[4 * i], 4 * sizeof(int));
    }
  }
  return good;
}

static void set_far_field(REAL qinf[4])
{
  const REAL p = 1, r = 1, u = root(GAM * p / r) * MACH, e = p / (r * GM1) + HALF * u * u;
  qinf[0] = r;
  qinf[1] = r * u;
  qinf[2] = 0;
  qinf[3] = r * e;
}

static bool solver_open(solver *s, const airfoil_mesh *mesh, airfoil_report *report)
{
  const size_t ncell = (size_t)mesh->ncell, nnode = (size_t)mesh->nnode;
  *s = (solver){.mesh = mesh, .threads = omp_get_max_threads(), .report = report};
  s->parts = calloc((size_t)s->threads, sizeof *s->parts);
  s->cell_node = new_array(80, 4 * ncell, sizeof(int));
  s->x = new_array(30, 2 * nnode, sizeof(REAL));
  s->q = new_array(40, 4 * ncell, sizeof(REAL));
  s->qold = new_array(50, 4 * ncell, sizeof(REAL));
  s->adt = new_array(60, ncell, sizeof(REAL));
  s->res = new_array(70, 4 * ncell, sizeof(REAL));
  s->streams = 17 * sizeof(REAL) * ncell > (size_t)sysconf(_SC_LEVEL3_CACHE_SIZE);
  set_far_field(s->qinf);
  if (!s->parts || !s->cell_node || !s->x || !s->q || !s->qold || !s->adt || !s->res || !share_work(s)) {
    fprintf(stderr, "airfoil_hand: no memory for %d cells\n", mesh->ncell);
    return false;
  }
  for (size_t i = 0; i < 2 * nnode; i++) s->x[i] = (REAL)mesh->x[i];
  return true;
}

static void solver_close(solver *s)
{
  for (int t = 0; s->parts && t < s->threads; t++) {
    edge_list *lists[] = {&s->parts[t].inner, &s->parts[t].cut[0], &s->parts[t].cut[1], &s->parts[t].bedges};
    for (int k = 0; k < 4; k++) free_array(lists[k]->node), free_array(lists[k]->cell);
    free_array(s->parts[t].bound);
  }
  free(s->parts);
  free_array(s->cell_node);
  free_array(s->x);
  free_array(s->q);
  free_array(s->qold);
  free_array(s->adt);
  free_array(s->res);
}

/* ---- the run ---- */

/* Compulsory bytes of all calls: each value and index once, twice if it is read and written. The boundary is
 * a closed line, so it has about as many nodes as edges. */
static void name_loops(airfoil_report *report)
{
  const double real = sizeof(REAL), index = sizeof(int);
  const double cell = report->ncell, edge = report->nedge, bedge = report->nbedge, node = report->nnode;
  const double bytes[LOOPS] = {
    cell * 8 * real,
    cell * (4 * index + 5 * real) + node * 2 * real,
    edge * 4 * index + cell * 13 * real + node * 2 * real,
    bedge * (4 * index + 15 * real),
    cell * 17 * real,
  };
  static const char *const names[LOOPS] = {"save_soln", "adt_calc", "res_calc", "bres_calc", "update"};
  report->nloops = LOOPS;
  for (int k = 0; k < LOOPS; k++) {
    report_loop *loop = &report->loops[k];
    snprintf(loop->name, sizeof loop->name, "%s", names[k]);
    loop->bytes = bytes[k] * (double)loop->calls;
  }
}

static void run(solver *s, bool fused)
{
  const double start = wall_seconds();
  for (int iteration = 1; iteration <= s->report->iterations; iteration++) {
    fused ? iterate_fused(s) : iterate(s);
    if (report_due(s->report, iteration))
      report_residual(s->report, iteration, residual(s));
    else
      report_progress(s->report, iteration);
  }
  s->report->seconds = wall_seconds() - start;
}

#define NAME_(real) hand_solve_##real
#define NAME(real) NAME_(real)

bool NAME(REAL)(const airfoil_job *job, const airfoil_mesh *mesh, airfoil_report *report)
{
  solver s;
  const double start = wall_seconds();
  const bool good = solver_open(&s, mesh, report);
  report->setup_seconds = wall_seconds() - start;
  if (good) {
    snprintf(report->backend, sizeof report->backend, "hand");
    report->threads = s.threads;
    run(&s, job->chain);
    name_loops(report);
    if (IS_FLOAT)
      report_flow_float(report, mesh, (size_t)mesh->ncell, NULL, (const float *)s.q);
    else
      report_flow_double(report, mesh, (size_t)mesh->ncell, NULL, (const double *)s.q);
  }
  solver_close(&s);
  return good;
}

/* SPDX-License-Identifier: BSD-2-Clause
 * The hand-written airfoil solver in REAL (double or float): scalar loops over restrict pointers, values of
 * an element side by side in memory.
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

#include "../apps/common/wall.h"

#ifndef REAL
#define REAL double
#endif
#define IS_FLOAT (sizeof(REAL) == sizeof(float))

/* The published results use constants rounded to float, in double precision too. */
#define GAM ((REAL)1.4f)
#define GM1 (GAM - (REAL)1)
#define CFL ((REAL)0.9f)
#define EPS ((REAL)0.05f)
#define MACH ((REAL)0.4f)
#define HALF ((REAL)0.5)

static inline REAL root(REAL value)
{
  return IS_FLOAT ? (REAL)sqrtf((float)value) : (REAL)sqrt((double)value);
}

static inline REAL magnitude(REAL value)
{
  return IS_FLOAT ? (REAL)fabsf((float)value) : (REAL)fabs((double)value);
}

/* ---- the loops ---- */

#define LOOP static __attribute__((noinline)) void /* limits restrict to the loop's function */

LOOP save_soln(int from, int to, const REAL *restrict q, REAL *restrict qold)
{
  for (int i = 4 * from; i < 4 * to; i++) qold[i] = q[i];
}

static inline REAL side_speed(const REAL *x1, const REAL *x2, REAL u, REAL v, REAL c)
{
  const REAL dx = x2[0] - x1[0], dy = x2[1] - x1[1];
  return magnitude(u * dy - v * dx) + c * root(dx * dx + dy * dy);
}

LOOP adt_calc(int from, int to, const int *restrict cell_node, const REAL *restrict x, const REAL *restrict q,
              REAL *restrict adt)
{
  for (int i = from; i < to; i++) {
    const int *n = &cell_node[4 * i];
    const REAL *x1 = &x[2 * n[0]], *x2 = &x[2 * n[1]], *x3 = &x[2 * n[2]], *x4 = &x[2 * n[3]];
    const REAL ri = 1 / q[4 * i], u = ri * q[4 * i + 1], v = ri * q[4 * i + 2];
    const REAL c = root(GAM * GM1 * (ri * q[4 * i + 3] - HALF * (u * u + v * v)));
    const REAL sum = side_speed(x1, x2, u, v, c) + side_speed(x2, x3, u, v, c) + side_speed(x3, x4, u, v, c) +
                     side_speed(x4, x1, u, v, c);
    adt[i] = sum / CFL;
  }
}

/* The flux over an edge with extent dx, dy between two states, with artificial viscosity mu. */
static inline void flux(REAL dx, REAL dy, const REAL *q1, const REAL *q2, REAL mu, REAL f[4])
{
  const REAL ri1 = 1 / q1[0], p1 = GM1 * (q1[3] - HALF * ri1 * (q1[1] * q1[1] + q1[2] * q1[2]));
  const REAL ri2 = 1 / q2[0], p2 = GM1 * (q2[3] - HALF * ri2 * (q2[1] * q2[1] + q2[2] * q2[2]));
  const REAL vol1 = ri1 * (q1[1] * dy - q1[2] * dx), vol2 = ri2 * (q2[1] * dy - q2[2] * dx);
  f[0] = HALF * (vol1 * q1[0] + vol2 * q2[0]) + mu * (q1[0] - q2[0]);
  f[1] = HALF * (vol1 * q1[1] + p1 * dy + vol2 * q2[1] + p2 * dy) + mu * (q1[1] - q2[1]);
  f[2] = HALF * (vol1 * q1[2] - p1 * dx + vol2 * q2[2] - p2 * dx) + mu * (q1[2] - q2[2]);
  f[3] = HALF * (vol1 * (q1[3] + p1) + vol2 * (q2[3] + p2)) + mu * (q1[3] - q2[3]);
}

static inline void edge_flux(int e, const int *edge_node, const int *edge_cell, const REAL *x, const REAL *q,
                             const REAL *adt, REAL f[4])
{
  const REAL *x1 = &x[2 * edge_node[2 * e]], *x2 = &x[2 * edge_node[2 * e + 1]];
  const int c1 = edge_cell[2 * e], c2 = edge_cell[2 * e + 1];
  flux(x1[0] - x2[0], x1[1] - x2[1], &q[4 * c1], &q[4 * c2], HALF * (adt[c1] + adt[c2]) * EPS, f);
}

LOOP res_calc(int n, const int *restrict edge_node, const int *restrict edge_cell, const REAL *restrict x,
              const REAL *restrict q, const REAL *restrict adt, REAL *restrict res)
{
  for (int e = 0; e < n; e++) {
    REAL f[4], *res1 = &res[4 * edge_cell[2 * e]], *res2 = &res[4 * edge_cell[2 * e + 1]];
    edge_flux(e, edge_node, edge_cell, x, q, adt, f);
    for (int k = 0; k < 4; k++) res1[k] += f[k];
    for (int k = 0; k < 4; k++) res2[k] -= f[k];
  }
}

/* Cut edges: only their cell `mine` (0 or 1) belongs to this thread. */
LOOP res_calc_cut(int n, int mine, const int *restrict edge_node, const int *restrict edge_cell,
                  const REAL *restrict x, const REAL *restrict q, const REAL *restrict adt,
                  REAL *restrict res)
{
  const REAL sign = mine == 0 ? 1 : -1;
  for (int e = 0; e < n; e++) {
    REAL f[4], *to = &res[4 * edge_cell[2 * e + mine]];
    edge_flux(e, edge_node, edge_cell, x, q, adt, f);
    for (int k = 0; k < 4; k++) to[k] += sign * f[k];
  }
}

LOOP bres_calc(int n, const int *restrict bedge_node, const int *restrict bedge_cell,
               const int *restrict bound, const REAL *restrict qinf, const REAL *restrict x,
               const REAL *restrict q, const REAL *restrict adt, REAL *restrict res)
{
  for (int e = 0; e < n; e++) {
    const REAL *x1 = &x[2 * bedge_node[2 * e]], *x2 = &x[2 * bedge_node[2 * e + 1]],
               *q1 = &q[4 * bedge_cell[e]];
    const REAL dx = x1[0] - x2[0], dy = x1[1] - x2[1];
    REAL f[4], *res1 = &res[4 * bedge_cell[e]];
    if (bound[e] == MESH_WALL) {
      const REAL p1 = GM1 * (q1[3] - HALF / q1[0] * (q1[1] * q1[1] + q1[2] * q1[2]));
      res1[1] += p1 * dy;
      res1[2] -= p1 * dx;
    } else {
      flux(dx, dy, q1, qinf, adt[bedge_cell[e]] * EPS, f);
      for (int k = 0; k < 4; k++) res1[k] += f[k];
    }
  }
}

LOOP update(int from, int to, const REAL *restrict qold, REAL *restrict q, REAL *restrict res,
            const REAL *restrict adt, REAL *restrict rms)
{
  REAL sum = 0;
  for (int i = from; i < to; i++) {
    const REAL adti = 1 / adt[i];
    REAL squares = 0;
    for (int k = 4 * i; k < 4 * i + 4; k++) {
      const REAL del = adti * res[k];
      q[k] = qold[k] - del;
      res[k] = 0;
      squares += del * del;
    }
    sum += squares;
  }
  *rms = sum;
}

/* ---- who does what ---- */

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
  part *parts;
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
  FOR_PARTS(s, save_soln(p->from, p->to, s->q, s->qold);)
}

static void run_adt_calc(solver *s)
{
  FOR_PARTS(s, adt_calc(p->from, p->to, s->mesh->cell_node, s->x, s->q, s->adt);)
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
  FOR_PARTS(s, update(p->from, p->to, s->qold, s->q, s->res, s->adt, &p->rms);)
}

static void timed(solver *s, int loop, void (*run)(solver *))
{
  const double start = wall_seconds();
  run(s);
  s->report->loops[loop].seconds += wall_seconds() - start;
  s->report->loops[loop].calls++;
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

/* Large arrays on huge pages, if available, which speeds up scattered access. */
static void *new_array(size_t n, size_t size)
{
  const size_t page = (size_t)2 << 20, bytes = n * size;
  const size_t align = bytes >= 2 * page ? page : 64;
  void *array = aligned_alloc(align, (bytes / align + 1) * align);
  if (array && align == page) (void)madvise(array, (bytes / align + 1) * align, MADV_HUGEPAGE);
  return array;
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
  list->node = new_array((size_t)list->n * 2, sizeof(int));
  list->cell = new_array((size_t)list->n * (size_t)cells, sizeof(int));
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
  p->bound = new_array((size_t)m->nbedge, sizeof(int));
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
  s->x = new_array(2 * nnode, sizeof(REAL));
  s->q = new_array(4 * ncell, sizeof(REAL));
  s->qold = new_array(4 * ncell, sizeof(REAL));
  s->adt = new_array(ncell, sizeof(REAL));
  s->res = new_array(4 * ncell, sizeof(REAL));
  set_far_field(s->qinf);
  if (!s->parts || !s->x || !s->q || !s->qold || !s->adt || !s->res || !share_work(s)) {
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
    for (int k = 0; k < 4; k++) free(lists[k]->node), free(lists[k]->cell);
    free(s->parts[t].bound);
  }
  free(s->parts);
  free(s->x);
  free(s->q);
  free(s->qold);
  free(s->adt);
  free(s->res);
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

static void run(solver *s)
{
  const double start = wall_seconds();
  for (int iteration = 1; iteration <= s->report->iterations; iteration++) {
    iterate(s);
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
  (void)job;
  const double start = wall_seconds();
  const bool good = solver_open(&s, mesh, report);
  report->setup_seconds = wall_seconds() - start;
  if (good) {
    snprintf(report->backend, sizeof report->backend, "hand");
    report->threads = s.threads;
    run(&s);
    name_loops(report);
    if (IS_FLOAT)
      report_flow_float(report, mesh, (size_t)mesh->ncell, NULL, (const float *)s.q);
    else
      report_flow_double(report, mesh, (size_t)mesh->ncell, NULL, (const double *)s.q);
  }
  solver_close(&s);
  return good;
}

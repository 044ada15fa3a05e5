/* SPDX-License-Identifier: BSD-2-Clause
 * spmv: y = A x over quadrilaterals with a 4x4 matrix each, then y . x and x += s y, as in an iterative
 * solver for finite elements; by Plait and by hand, run alternately in one process.
 *
 * By hand a thread processes a strip of rows of cells; the last row of each strip, which shares nodes with
 * the next strip, runs after a barrier. With one thread that is the textbook loop.
 */
#include "plait.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "../apps/common/options.h"
#include "duel.h"

typedef struct mesh {
  int n; /* cells in a row, and rows */
  int ncell, nnode;
  int *cell_node;
  double *a, *x; /* 16 values per cell; one per node */
} mesh;

/* ---- by Plait ---- */

PL_KERNEL(clear, (double *y), { y[0] = 0.0; })

PL_KERNEL(apply, (const double *a, const double *const x[4], double *y[4]), {
  for (int i = 0; i < 4; i++) {
    double s = 0.0;
    for (int j = 0; j < 4; j++) s += a[4 * i + j] * x[j][0];
    y[i][0] += s;
  }
})

PL_KERNEL(advance, (const double *y, double *x, double *dot), {
  dot[0] += x[0] * y[0];
  x[0] += 1e-4 * y[0];
})

typedef struct plait {
  pl_context *pl;
  pl_set *cells, *nodes;
  pl_dat *x;
  pl_global *dot;
  pl_loop *loop[3];
} plait;

static void plait_open(plait *p, const mesh *m)
{
  pl_map *corners;
  pl_dat *a, *y;
  PL_OK(p->pl, pl_init(NULL, NULL, NULL, &p->pl));
  PL_OK(p->pl, pl_decl_set(p->pl, m->ncell, "cells", &p->cells));
  PL_OK(p->pl, pl_decl_set(p->pl, m->nnode, "nodes", &p->nodes));
  PL_OK(p->pl, pl_decl_map(p->cells, p->nodes, 4, m->cell_node, "corners", &corners));
  PL_OK(p->pl, pl_decl_dat(p->cells, 16, PL_DOUBLE, m->a, "a", &a));
  PL_OK(p->pl, pl_decl_dat(p->nodes, 1, PL_DOUBLE, m->x, "x", &p->x));
  PL_OK(p->pl, pl_decl_dat(p->nodes, 1, PL_DOUBLE, NULL, "y", &y));
  PL_OK(p->pl, pl_decl_global(p->pl, 1, PL_DOUBLE, NULL, "dot", &p->dot));
  PL_OK(p->pl, pl_loop_create(&p->loop[0], clear, p->nodes, pl_arg_direct(y, PL_WRITE)));
  PL_OK(p->pl,
        pl_loop_create(&p->loop[1], apply, p->cells, pl_arg_direct(a, PL_READ),
                       pl_arg_dat(p->x, PL_ALL, corners, PL_READ), pl_arg_dat(y, PL_ALL, corners, PL_INC)));
  PL_OK(p->pl, pl_loop_create(&p->loop[2], advance, p->nodes, pl_arg_direct(y, PL_READ),
                              pl_arg_direct(p->x, PL_RW), pl_arg_gbl(p->dot, PL_INC)));
}

static void plait_step(plait *p)
{
  for (int l = 0; l < 3; l++) PL_OK(p->pl, pl_loop_run(p->loop[l]));
}

/* ---- by hand ---- */

typedef struct hand {
  const mesh *m;
  double *x, *y, dot;
} hand;

static __attribute__((noinline)) void hand_apply(int from, int to, const int *restrict cell_node,
                                                 const double *restrict a, const double *restrict x,
                                                 double *restrict y)
{
  for (int c = from; c < to; c++) {
    const int *t = &cell_node[4 * c];
    for (int i = 0; i < 4; i++) {
      double s = 0.0;
      for (int j = 0; j < 4; j++) s += a[16 * c + 4 * i + j] * x[t[j]];
      y[t[i]] += s;
    }
  }
}

static void hand_step(hand *h)
{
  const mesh *m = h->m;
  double *restrict x = h->x, *restrict y = h->y, dot = 0.0;
#pragma omp parallel reduction(+ : dot)
  {
    const int threads = omp_get_num_threads(), me = omp_get_thread_num();
    const int first = m->n * me / threads, end = m->n * (me + 1) / threads,
              last = end > first ? end - 1 : first;
#pragma omp for schedule(static)
    for (int i = 0; i < m->nnode; i++) y[i] = 0.0;
    hand_apply(first * m->n, last * m->n, m->cell_node, m->a, x, y);
#pragma omp barrier
    hand_apply(last * m->n, end * m->n, m->cell_node, m->a, x, y);
#pragma omp barrier
#pragma omp for simd schedule(static)
    for (int i = 0; i < m->nnode; i++) {
      dot += x[i] * y[i];
      x[i] += 1e-4 * y[i];
    }
  }
  h->dot += dot;
}

/* ---- the mesh ---- */

static bool mesh_open(mesh *m, int n)
{
  *m = (mesh){.n = n, .ncell = n * n, .nnode = (n + 1) * (n + 1)};
  m->cell_node = malloc((size_t)m->ncell * 4 * sizeof(int));
  m->a = malloc((size_t)m->ncell * 16 * sizeof(double));
  m->x = malloc((size_t)m->nnode * sizeof(double));
  if (!m->cell_node || !m->a || !m->x) return false;
  for (int c = 0; c < m->ncell; c++) {
    const int corner = c / n * (n + 1) + c % n;
    const int node[4] = {corner, corner + 1, corner + n + 2, corner + n + 1};
    memcpy(&m->cell_node[4 * c], node, sizeof node);
    for (int k = 0; k < 16; k++) m->a[16 * (size_t)c + k] = (k % 5 ? -0.3 : 1.0) * (1.0 + 1e-3 * (c % 17));
  }
  for (int i = 0; i < m->nnode; i++) m->x[i] = 1.0 + 0.01 * (i % 31);
  return true;
}

static void mesh_close(mesh *m)
{
  free(m->cell_node);
  free(m->a);
  free(m->x);
}

/* ---- measuring ---- */

typedef struct fight {
  plait p;
  hand h;
} fight;

static void step_by_hand(void *user)
{
  fight *g = user;
  hand_step(&g->h);
}

static void step_by_plait(void *user)
{
  fight *g = user;
  plait_step(&g->p);
}

static bool agrees(const plait *p, const hand *h)
{
  double dot;
  PL_OK(p->pl, pl_global_get(p->dot, &dot));
  if (fabs(dot - h->dot) <= 1e-9 * fabs(dot)) return true;
  fprintf(stderr, "spmv: sums differ: %.17g by Plait, %.17g by hand\n", dot, h->dot);
  return false;
}

static bool run(const mesh *m, int steps, int rounds, const char *json)
{
  fight g = {{NULL},
             {m, malloc((size_t)m->nnode * sizeof(double)), malloc((size_t)m->nnode * sizeof(double)), 0.0}};
  const duel d = {step_by_hand, step_by_plait, &g, 144.0 * m->ncell + 8.0 * 7 * m->nnode};
  bool good = g.h.x && g.h.y;
  if (good) {
    memcpy(g.h.x, m->x, (size_t)m->nnode * sizeof(double));
    plait_open(&g.p, m);
    const duel_times t = duel_run(&d, 3.0, steps, rounds);
    good = agrees(&g.p, &g.h);
    printf("spmv: %d cells: by hand %.4f ms, Plait %.4f ms a step, ratio %.2f, %.2f GB/s\n", m->ncell,
           1e3 * t.hand, 1e3 * t.plait, t.ratio, 1e-9 * t.bytes / t.plait);
    if (json) good = duel_write_json("spmv", &t, json) && good;
    pl_finalize(&g.p.pl);
  }
  free(g.h.x);
  free(g.h.y);
  return good;
}

int main(int argc, char **argv)
{
  int64_t n = 400, steps = 20, rounds = 9;
  const char *json = NULL;
  const option_program program = {
    "spmv", "A finite-element operator applied without a global matrix, against code by hand.",
    "PLAIT_* act on Plait, OMP_NUM_THREADS on both.", false};
  const option_row rows[] = {
    {"size", "N", OPTION_INTEGER, &n, 1, 10000, "mesh of N N cells"},
    {"steps", "N", OPTION_INTEGER, &steps, 1, 1000000, "in a turn"},
    {"rounds", "N", OPTION_INTEGER, &rounds, 1, DUEL_MOST_ROUNDS, "turns, of which the median counts"},
    {"json", "FILE", OPTION_TEXT, &json, 0, 0, "write the figures to FILE"},
    {NULL, NULL, OPTION_FLAG, NULL, 0, 0, NULL},
  };
  mesh m;
  const int status = options_parse(&program, rows, argc, argv);
  if (status != OPTIONS_RUN) return status;
  bool good = mesh_open(&m, (int)n);
  if (!good) fprintf(stderr, "spmv: no memory for %lld cells\n", (long long)(n * n));
  good = good && run(&m, (int)steps, (int)rounds, json);
  mesh_close(&m);
  return good ? 0 : 1;
}

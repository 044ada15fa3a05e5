/* SPDX-License-Identifier: BSD-2-Clause
 * matrix: the stiffness matrix of 980,000 triangles: run times of its pattern, of the first loop (positions,
 * plan and code), of zeroing with assembly, and of a product. The best of 25 calls.
 *
 *   PLAIT_BACKEND=seq matrix [squares along an edge, default 700]
 */
#include "plait.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CALLS = 25, ROUNDS = 3 };

PL_KERNEL(stiffness, (const double x[3][2], double A[3][3]), {
  double b[3], c[3];
  for (int i = 0; i < 3; i++) {
    b[i] = x[(i + 1) % 3][1] - x[(i + 2) % 3][1];
    c[i] = x[(i + 2) % 3][0] - x[(i + 1) % 3][0];
  }
  double area = (b[0] * c[1] - b[1] * c[0]) / 2;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) A[i][j] += (b[i] * b[j] + c[i] * c[j]) / (4 * area);
})

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct mesh {
  pl_context *pl;
  pl_set *cells, *nodes;
  pl_map *corner;
  pl_dat *x, *u, *y;
} mesh;

static void declare(mesh *m, int n)
{
  const int nnode = (n + 1) * (n + 1), ncell = 2 * n * n;
  int *corner = malloc(3 * (size_t)ncell * sizeof *corner);
  double *x = malloc(2 * (size_t)nnode * sizeof *x);
  if (!corner || !x) exit(1);
  for (int k = 0; k < nnode; k++) {
    x[2 * k] = (double)(k % (n + 1)) / n;
    x[2 * k + 1] = (double)(k / (n + 1)) / n;
  }
  for (int s = 0; s < n * n; s++) {
    const int a = s / n * (n + 1) + s % n, corners[6] = {a, a + 1, a + n + 2, a, a + n + 2, a + n + 1};
    memcpy(&corner[6 * (size_t)s], corners, sizeof corners);
  }
  PL_OK(m->pl, pl_decl_set(m->pl, ncell, "cells", &m->cells));
  PL_OK(m->pl, pl_decl_set(m->pl, nnode, "nodes", &m->nodes));
  PL_OK(m->pl, pl_decl_map(m->cells, m->nodes, 3, corner, "corner", &m->corner));
  PL_OK(m->pl, pl_decl_dat(m->nodes, 2, PL_DOUBLE, x, "x", &m->x));
  PL_OK(m->pl, pl_decl_dat(m->nodes, 1, PL_DOUBLE, NULL, "u", &m->u));
  PL_OK(m->pl, pl_decl_dat(m->nodes, 1, PL_DOUBLE, NULL, "y", &m->y));
  PL_OK(m->pl, pl_dat_fill(m->u, 1.0));
  free(corner);
  free(x);
}

/* The loop zeroes the matrix first. */
static void assemble(const mesh *m, pl_mat *A)
{
  PL_OK(m->pl, pl_par_loop(stiffness, m->cells, pl_arg_dat(m->x, PL_ALL, m->corner, PL_READ),
                           pl_arg_zeroed(pl_arg_mat(A, m->corner, m->corner, PL_INC))));
}

/* Seconds since `start`, when all work is done. */
static double since(const mesh *m, double start)
{
  PL_OK(m->pl, pl_sync(m->pl));
  return now() - start;
}

static void keep_less(double *best, double seconds)
{
  if (seconds < *best) *best = seconds;
}

static void measure(const mesh *m)
{
  const pl_map_pair pair = {m->corner, m->corner};
  pl_sparsity *sparsity;
  pl_mat *A;
  pl_csr csr;
  double assembly = 1e9, product = 1e9;
  PL_OK(m->pl, pl_decl_sparsity(m->nodes, 1, m->nodes, 1, 1, &pair, "P1", &sparsity));
  PL_OK(m->pl, pl_decl_mat(sparsity, PL_DOUBLE, "A", &A));
  double start = now();
  PL_OK(m->pl, pl_sparsity_csr(sparsity, &csr));
  const double pattern = since(m, start);
  start = now();
  assemble(m, A);
  const double first = since(m, start);
  for (int k = 0; k < CALLS; k++) {
    start = now();
    assemble(m, A);
    keep_less(&assembly, since(m, start));
    start = now();
    PL_OK(m->pl, pl_mat_multiply(A, m->u, m->y));
    keep_less(&product, since(m, start));
  }
  printf("%d nonzeros: pattern %.1f ms, first loop %.1f ms, assembly %.2f ms, product %.2f ms\n", csr.blocks,
         1e3 * pattern, 1e3 * first, 1e3 * assembly, 1e3 * product);
  pl_mat_free(&A);
  pl_sparsity_free(&sparsity);
}

int main(int argc, char **argv)
{
  mesh m;
  PL_OK(m.pl, pl_init(&argc, &argv, NULL, &m.pl));
  declare(&m, argc > 1 ? atoi(argv[1]) : 700);
  for (int round = 0; round < ROUNDS; round++) measure(&m);
  pl_finalize(&m.pl);
  return 0;
}

/* SPDX-License-Identifier: BSD-2-Clause */
#include "matrix_problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../apps/common/ranks.h"

enum { TRIAD = 1 << 24 };

/* ---- kernels ---- */

STIFFNESS_KERNEL(stiffness, double)

/* The product of that tensor with u. */
PL_KERNEL(stiffness_apply, (const double x[3][2], const double u[3][1], double y[3][1]), {
  double b[3], c[3], g[2] = {0, 0};
  for (int i = 0; i < 3; i++) {
    b[i] = x[(i + 1) % 3][1] - x[(i + 2) % 3][1];
    c[i] = x[(i + 2) % 3][0] - x[(i + 1) % 3][0];
    g[0] += b[i] * u[i][0];
    g[1] += c[i] * u[i][0];
  }
  const double scale = 1 / (2 * (b[0] * c[1] - b[1] * c[0]));
  for (int i = 0; i < 3; i++) y[i][0] += scale * (b[i] * g[0] + c[i] * g[1]);
})

/* Gradients of the four hat functions times the determinant, by cross products of edges. */
PL_KERNEL(elasticity, (const double x[4][3], double A[12][12]), {
  double e[3][3], g[4][3];
  for (int k = 0; k < 3; k++)
    for (int d = 0; d < 3; d++) e[k][d] = x[k + 1][d] - x[0][d];
  for (int k = 0; k < 3; k++)
    for (int d = 0; d < 3; d++)
      g[k + 1][d] = e[(k + 1) % 3][(d + 1) % 3] * e[(k + 2) % 3][(d + 2) % 3] -
                    e[(k + 1) % 3][(d + 2) % 3] * e[(k + 2) % 3][(d + 1) % 3];
  for (int d = 0; d < 3; d++) g[0][d] = -g[1][d] - g[2][d] - g[3][d];
  const double scale = 1.0 / (6 * (e[0][0] * g[1][0] + e[0][1] * g[1][1] + e[0][2] * g[1][2]));
  const double lambda = 1.2 * scale;
  const double mu = 0.8 * scale;
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) {
      const double dot = g[i][0] * g[j][0] + g[i][1] * g[j][1] + g[i][2] * g[j][2];
      for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
          A[3 * i + a][3 * j + b] +=
            lambda * g[i][a] * g[j][b] + mu * g[i][b] * g[j][a] + (a == b ? mu * dot : 0);
    }
})

/* The Laplacian of the graph in which the corners of a cube are neighbours. */
PL_KERNEL(neighbours, (const double x[8][3], double A[8][8]), {
  const double h = x[7][0] - x[0][0];
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 8; j++) A[i][j] += i == j ? 7 * h : -h;
})

PL_KERNEL(triad, (double *a, const double *b, const double *c), { a[0] = b[0] + 3.0 * c[0]; })

/* ---- meshes ---- */

/* Nodes of a grid with n squares or cubes along each of `dim` edges. */
static void place_nodes(const matrix_problem *m, int n, double *x)
{
  for (int64_t k = 0; k < m->nnode; k++) {
    int64_t rest = m->first_node + k;
    for (int d = 0; d < m->dim; d++, rest /= n + 1) x[m->dim * k + d] = (double)(rest % (n + 1)) / n;
  }
}

/* Of each square or cube. */
static int cells_in(const matrix_problem *m)
{
  return m->corners == 8 ? 1 : m->dim == 2 ? 2 : 6;
}

/* Squares in two triangles, cubes in six tetrahedra along the diagonal, or whole. */
static void number_corners(const matrix_problem *m, int n, int *corner)
{
  static const int edges[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {1, 0, 2}, {2, 1, 0}};
  const int step[3] = {1, n + 1, (n + 1) * (n + 1)}, pieces = cells_in(m);
  for (int64_t c = 0; c < m->ncell; c++) {
    int64_t rest = (m->first_cell + c) / pieces, at = 0;
    int *to = corner + c * m->corners;
    for (int d = 0; d < m->dim; d++, rest /= n) at += rest % n * step[d];
    for (int k = 0; m->corners == 8 && k < 8; k++)
      to[k] = (int)at + (k & 1) * step[0] + (k >> 1 & 1) * step[1] + (k >> 2) * step[2];
    if (m->corners == 8) continue;
    const int piece = (int)((m->first_cell + c) % pieces);
    to[0] = (int)at;
    for (int k = 1; k < m->corners; k++)
      to[k] = to[k - 1] + step[m->dim == 2 ? (piece + k - 1) % 2 : edges[piece][k - 1]];
    const int last = to[m->corners - 1]; /* odd orders turn around */
    if (m->dim == 2 ? piece : piece > 2) to[m->corners - 1] = to[m->corners - 2], to[m->corners - 2] = last;
  }
}

static void declare(matrix_problem *m, int n)
{
  const int64_t nodes = (int64_t)(n + 1) * (n + 1) * (m->dim == 3 ? n + 1 : 1);
  m->all_cells = (int64_t)n * n * (m->dim == 3 ? n : 1) * cells_in(m);
  m->nnode = ranks_share(m->pl, nodes);
  m->ncell = ranks_share(m->pl, m->all_cells);
  m->first_node = nodes * pl_rank(m->pl) / pl_ranks(m->pl);
  m->first_cell = m->all_cells * pl_rank(m->pl) / pl_ranks(m->pl);
  m->corners_of = malloc((size_t)(m->corners * m->ncell) * sizeof *m->corners_of);
  m->place = malloc((size_t)(m->dim * m->nnode) * sizeof *m->place);
  if (!m->corners_of || !m->place) exit(1);
  place_nodes(m, n, m->place);
  number_corners(m, n, m->corners_of);
  PL_OK(m->pl, pl_decl_set(m->pl, m->ncell, "cells", &m->cells));
  PL_OK(m->pl, pl_decl_set(m->pl, m->nnode, "nodes", &m->nodes));
  PL_OK(m->pl, pl_decl_map(m->cells, m->nodes, m->corners, m->corners_of, "corner", &m->corner));
  PL_OK(m->pl, pl_decl_dat(m->nodes, m->dim, PL_DOUBLE, m->place, "x", &m->x));
  PL_OK(m->pl, pl_decl_dat(m->nodes, m->values, PL_DOUBLE, NULL, "u", &m->u));
  PL_OK(m->pl, pl_decl_dat(m->nodes, m->values, PL_DOUBLE, NULL, "y", &m->y));
  PL_OK(m->pl, pl_dat_fill(m->u, 1.0));
}

void matrix_problem_open(matrix_problem *m, int argc, char **argv)
{
  PL_OK(m->pl, pl_init(&argc, &argv, NULL, &m->pl));
  const bool elastic = argc > 1 && !strcmp(argv[1], "elastic");
  const bool cubes = argc > 1 && !strcmp(argv[1], "cubes"), named = elastic || cubes;
  const int n = argc > 1 + named ? atoi(argv[1 + named]) : elastic ? 32 : cubes ? 64 : 700;
  m->kernel = elastic ? elasticity : cubes ? neighbours : stiffness;
  m->dim = named ? 3 : 2;
  m->corners = cubes ? 8 : m->dim + 1;
  m->values = elastic ? 3 : 1;
  declare(m, n);
}

void matrix_problem_close(matrix_problem *m)
{
  free(m->corners_of);
  free(m->place);
  pl_finalize(&m->pl);
}

/* ---- matrices ---- */

void matrix_decl(const matrix_problem *m, pl_sparsity **sparsity, pl_mat **A)
{
  const pl_map_pair pair = {m->corner, m->corner};
  PL_OK(m->pl, pl_decl_sparsity(m->nodes, m->values, m->nodes, m->values, 1, &pair, "pattern", sparsity));
  PL_OK(m->pl, pl_decl_mat(*sparsity, PL_DOUBLE, "A", A));
}

void matrix_zero_and_add(const matrix_problem *m, pl_mat *A)
{
  PL_OK(m->pl, pl_mat_zero(A));
  PL_OK(m->pl, pl_par_loop(m->kernel, m->cells, pl_arg_dat(m->x, PL_ALL, m->corner, PL_READ),
                           pl_arg_mat(A, m->corner, m->corner, PL_INC)));
}

void matrix_assemble(const matrix_problem *m, pl_mat *A)
{
  PL_OK(m->pl, pl_par_loop(m->kernel, m->cells, pl_arg_dat(m->x, PL_ALL, m->corner, PL_READ),
                           pl_arg_zeroed(pl_arg_mat(A, m->corner, m->corner, PL_INC))));
}

void matrix_make_definite(const matrix_problem *m, pl_mat *A, pl_dat *diagonal)
{
  PL_OK(m->pl, pl_mat_get_diagonal(A, diagonal));
  PL_OK(m->pl, pl_dat_scale(1.001, diagonal));
  PL_OK(m->pl, pl_mat_set_diagonal(A, diagonal));
}

/* Weyl's sequence. */
double *matrix_right_side(const matrix_problem *m)
{
  const int64_t n = m->nnode * m->values, first = m->first_node * m->values;
  double *b = malloc((size_t)n * sizeof *b);
  if (!b) exit(1);
  for (int64_t i = 0; i < n; i++) b[i] = fmod((double)(first + i) * 0.6180339887498949, 1.0) - 0.5;
  return b;
}

void matrix_decl_solver(const matrix_problem *m, pl_mat *A, pl_solver **solver)
{
  const pl_solver_options options = {
    .rtol = 1e-300, .atol = 1e-300, .dtol = 1e300, .iterations = MATRIX_ITERATIONS};
  PL_OK(m->pl, pl_decl_solver(A, &options, "cg", solver));
}

double matrix_solve(const matrix_problem *m, pl_solver *solver, pl_dat *right)
{
  pl_solver_result result;
  const double start = matrix_now();
  const pl_err err = pl_solver_run(solver, m->u, right, &result);
  const double seconds = matrix_since(m, start);
  if (err == PL_ERR_CONVERGENCE && result.iterations == MATRIX_ITERATIONS) return seconds;
  fprintf(stderr, "%d iterations: %s\n", result.iterations, pl_errmsg(m->pl));
  exit(1);
}

double matrix_product_bytes(const matrix_problem *m, const pl_csr *csr, double column)
{
  return (8.0 * m->values * m->values + column) * csr->blocks + 16.0 * csr->rows * m->values;
}

void matrix_apply(const matrix_problem *m, pl_dat *u, pl_dat *y)
{
  PL_OK(m->pl, pl_par_loop(stiffness_apply, m->cells, pl_arg_dat(m->x, PL_ALL, m->corner, PL_READ),
                           pl_arg_dat(u, PL_ALL, m->corner, PL_READ),
                           pl_arg_zeroed(pl_arg_dat(y, PL_ALL, m->corner, PL_INC))));
}

/* ---- measuring ---- */

double matrix_now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double matrix_since(const matrix_problem *m, double start)
{
  PL_OK(m->pl, pl_sync(m->pl));
  return matrix_now() - start;
}

void matrix_keep_less(double *best, double seconds)
{
  if (seconds < *best) *best = seconds;
}

double matrix_triad(const matrix_problem *m, bool plain)
{
  pl_set *set;
  pl_dat *dat[3];
  double best = 1e9;
  PL_OK(m->pl, pl_decl_set(m->pl, TRIAD, "triad", &set));
  for (int i = 0; i < 3; i++) PL_OK(m->pl, pl_decl_dat(set, 1, PL_DOUBLE, NULL, "abc", &dat[i]));
  for (int i = 0; i < 3; i++) PL_OK(m->pl, pl_dat_fill(dat[i], 1.0));
  if (plain) PL_OK(m->pl, pl_set_option(m->pl, "shape", "scalar"));
  for (int k = 0; k < MATRIX_CALLS; k++) {
    const double start = matrix_now();
    PL_OK(m->pl, pl_par_loop(triad, set, pl_arg_direct(dat[0], PL_WRITE), pl_arg_direct(dat[1], PL_READ),
                             pl_arg_direct(dat[2], PL_READ)));
    matrix_keep_less(&best, matrix_since(m, start));
  }
  if (plain) PL_OK(m->pl, pl_reset_options(m->pl));
  for (int i = 0; i < 3; i++) pl_dat_free(&dat[i]);
  return 24.0 * TRIAD / best;
}

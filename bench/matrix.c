/* SPDX-License-Identifier: BSD-2-Clause
 * matrix: assembly of a sparse matrix and its product with a dat, of the Laplacian on triangles or of
 * elasticity on tetrahedra (blocks of 3 x 3), or with 27 values a row. Run times of the pattern, of the first
 * loop (positions, plan and code), of assembly from zeros and after pl_mat_zero, of a product and of the same
 * by a loop over the triangles without the matrix (the best of 25 calls by turns), and of an iteration of
 * conjugate gradients (the best of three solutions of 200), three times. A triad before each round gives the
 * memory bandwidth, against which products are measured: by the bytes of values, columns (2, which hold those
 * of these problems), x and y; on processors another has plain stores. On several ranks times are those of
 * the slowest, nonzero blocks and the share of the triad those of rank 0.
 *
 *   PLAIT_BACKEND=cuda matrix [squares along an edge, default 700]
 *   PLAIT_BACKEND=cuda matrix elastic [cubes along an edge, default 32]
 *   PLAIT_BACKEND=cuda matrix cubes [cubes along an edge, default 64]
 */
#include "matrix_problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../apps/common/ranks.h"

static bool on_device(void)
{
  const char *backend = getenv("PLAIT_BACKEND");
  return backend && (!strcmp(backend, "cuda") || !strcmp(backend, "opencl") || !strcmp(backend, "hip"));
}

static void print_results(const matrix_problem *m, const pl_csr *csr, const double assembly[2],
                          double product, const double triad[2])
{
  const double bytes = matrix_product_bytes(m, csr, 2), rate = bytes / product;
  printf("  assembly %.4f ms, %.1f ps a cell, after pl_mat_zero %.4f ms; product %.4f ms, %.0f %% of the "
         "triad's %.0f GB/s\n",
         1e3 * assembly[0], 1e12 * assembly[0] / (double)m->all_cells, 1e3 * assembly[1], 1e3 * product,
         100 * rate / triad[0], 1e-9 * triad[0]);
  if (!on_device())
    printf("  %.0f %% of the %.0f GB/s of a triad with plain stores\n", 100 * rate / triad[1],
           1e-9 * triad[1]);
}

/* The best of a call that begins from zeros, and of one after pl_mat_zero, by turns. */
static void time_assembly(const matrix_problem *m, pl_mat *A, double assembly[2])
{
  void (*const assemble[2])(const matrix_problem *, pl_mat *) = {matrix_assemble, matrix_zero_and_add};
  for (int k = 0; k < 2 * MATRIX_CALLS; k++) {
    const double start = matrix_now();
    assemble[k % 2](m, A);
    matrix_keep_less(&assembly[k % 2], matrix_since(m, start));
  }
  for (int i = 0; i < 2; i++) assembly[i] = ranks_most(m->pl, assembly[i]);
}

static bool has_apply(const matrix_problem *m)
{
  return m->corners == 3;
}

/* The best of a call of the product and of the loop without the matrix, by turns. */
static void time_products(const matrix_problem *m, pl_mat *A, double *product, double *apply)
{
  for (int k = 0; k < MATRIX_CALLS; k++) {
    double start = matrix_now();
    PL_OK(m->pl, pl_mat_multiply(A, m->u, m->y));
    matrix_keep_less(product, matrix_since(m, start));
    if (!has_apply(m)) continue;
    start = matrix_now();
    matrix_apply(m, m->u, m->y);
    matrix_keep_less(apply, matrix_since(m, start));
  }
  *product = ranks_most(m->pl, *product);
  *apply = ranks_most(m->pl, *apply);
}

static double time_iteration(const matrix_problem *m, pl_mat *A)
{
  pl_dat *right;
  pl_solver *solver;
  double *b = matrix_right_side(m), best = 1e9;
  matrix_make_definite(m, A, m->y);
  PL_OK(m->pl, pl_decl_dat(m->nodes, m->values, PL_DOUBLE, b, "right", &right));
  matrix_decl_solver(m, A, &solver);
  for (int k = 0; k < 3; k++) matrix_keep_less(&best, matrix_solve(m, solver, right));
  pl_solver_free(&solver);
  pl_dat_free(&right);
  free(b);
  return ranks_most(m->pl, best) / MATRIX_ITERATIONS;
}

static void measure(const matrix_problem *m, const double triad[2])
{
  pl_sparsity *sparsity;
  pl_mat *A;
  pl_csr csr;
  double assembly[2] = {1e9, 1e9}, product = 1e9, apply = 1e9;
  matrix_decl(m, &sparsity, &A);
  double start = matrix_now();
  PL_OK(m->pl, pl_sparsity_csr(sparsity, &csr));
  const double pattern = matrix_since(m, start);
  start = matrix_now();
  matrix_assemble(m, A);
  const double first = matrix_since(m, start);
  time_assembly(m, A, assembly);
  time_products(m, A, &product, &apply);
  const double iteration = time_iteration(m, A);
  if (!pl_rank(m->pl)) {
    printf("%d nonzero blocks: pattern %.1f ms, first loop %.1f ms\n", csr.blocks, 1e3 * pattern,
           1e3 * first);
    print_results(m, &csr, assembly, product, triad);
    if (has_apply(m))
      printf("  without the matrix %.4f ms, %.2f of a product\n", 1e3 * apply, apply / product);
    printf("  an iteration of cg %.2f us\n", 1e6 * iteration);
  }
  pl_mat_free(&A);
  pl_sparsity_free(&sparsity);
}

/* The best of this round and those before, since other programs disturb some. */
static void measure_triads(const matrix_problem *m, double bandwidth[2])
{
  for (int plain = 0; plain < (on_device() ? 1 : 2); plain++)
    bandwidth[plain] = fmax(bandwidth[plain], matrix_triad(m, plain));
}

int main(int argc, char **argv)
{
  matrix_problem m;
  matrix_problem_open(&m, argc, argv);
  double bandwidth[2] = {0, 0};
  for (int round = 0; round < MATRIX_ROUNDS; round++) {
    measure_triads(&m, bandwidth);
    measure(&m, bandwidth);
  }
  matrix_problem_close(&m);
  return 0;
}

/* SPDX-License-Identifier: BSD-2-Clause
 * multigrid: Poisson's equation on bench/matrix's triangles, held on the boundary, to a norm of 1e-7 by
 * conjugate gradients with the diagonal, with BoomerAMG and with AMGX, by these two alone, and by MUMPS.
 * Seconds of the first run, which makes the preconditioner, and of a second one; the memory of the host that
 * this took at most on rank 0, in bytes a value of the matrix; the norms of b - A x relative to that of b,
 * and of the difference from the solution with the diagonal relative to that solution.
 *
 *   PLAIT_BACKEND=seq mpirun -np 2 multigrid [squares along an edge, default 700]
 */
#include "matrix_problem.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "../apps/common/ranks.h"

static void hold_boundary(const matrix_problem *m, pl_mat *A, pl_dat *b)
{
  pl_set *boundary;
  int n = 0, *list = malloc(((size_t)m->nnode + 1) * sizeof *list);
  if (!list) exit(1);
  for (int64_t v = 0; v < m->nnode; v++) {
    const double *x = m->place + 2 * v;
    if (x[0] == 0 || x[0] == 1 || x[1] == 0 || x[1] == 1) list[n++] = (int)(m->first_node + v);
  }
  PL_OK(m->pl, pl_decl_subset(m->nodes, n, list, "boundary", &boundary));
  PL_OK(m->pl, pl_mat_zero_rows(A, boundary, 1.0));
  PL_OK(m->pl, pl_dat_zero_subset(b, boundary));
  free(list);
}

/* The most memory of this process so far. */
static double most_memory(void)
{
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * (double)usage.ru_maxrss;
}

static double relative_residual(const matrix_problem *m, pl_mat *A, pl_dat *b)
{
  double norm, reference;
  PL_OK(m->pl, pl_mat_multiply(A, m->u, m->y));
  PL_OK(m->pl, pl_dat_axpy(-1, b, m->y));
  PL_OK(m->pl, pl_dat_norm(m->y, &norm));
  PL_OK(m->pl, pl_dat_norm(b, &reference));
  return norm / reference;
}

static double run_time(const matrix_problem *m, pl_solver *solver, pl_dat *b, pl_solver_result *result)
{
  const double start = matrix_now();
  PL_OK(m->pl, pl_solver_run(solver, m->u, b, result));
  return ranks_most(m->pl, matrix_since(m, start));
}

/* Of the solution from `other`, which it replaces where `other` is zero. */
static double relative_difference(const matrix_problem *m, pl_dat *other)
{
  double norm, reference;
  PL_OK(m->pl, pl_dat_norm(other, &reference));
  if (reference == 0) PL_OK(m->pl, pl_dat_copy(m->u, other));
  PL_OK(m->pl, pl_dat_axpy(-1, other, m->u));
  PL_OK(m->pl, pl_dat_norm(m->u, &norm));
  return reference == 0 ? 0 : norm / reference;
}

static void measure(const matrix_problem *m, pl_mat *A, pl_dat *b, pl_dat *other, const char *method,
                    const char *preconditioner)
{
  const pl_solver_options options = {.method = method, .preconditioner = preconditioner};
  const double memory = most_memory(), values = (double)pl_mat_bytes(A) / sizeof(double);
  pl_solver *solver;
  pl_solver_result result;
  const pl_err err = pl_decl_solver(A, &options, "multigrid", &solver);
  if (err) {
    if (!pl_rank(m->pl)) printf("%s, %s: %s\n", method, preconditioner, pl_errmsg(m->pl));
    return;
  }
  const double first = run_time(m, solver, b, &result), again = run_time(m, solver, b, &result);
  const double left = relative_residual(m, A, b), difference = relative_difference(m, other);
  if (!pl_rank(m->pl))
    printf("%s, %s: %d iterations, first %.3f s, again %.3f s, %.0f bytes a value, residual %.1e, difference "
           "%.1e\n",
           method, preconditioner, result.iterations, first, again, (most_memory() - memory) / values, left,
           difference);
  pl_solver_free(&solver);
}

int main(int argc, char **argv)
{
  const char *const multigrid[] = {"boomeramg", "amgx"};
  matrix_problem m;
  pl_sparsity *sparsity;
  pl_mat *A;
  pl_dat *b, *other;
  if (argc > 1 && !strcmp(argv[1], "elastic")) {
    fprintf(stderr, "multigrid: only Poisson's equation is measured; usage: multigrid [SQUARES]\n");
    return 2;
  }
  matrix_problem_open(&m, argc, argv);
  PL_OK(m.pl, pl_decl_dat(m.nodes, 1, PL_DOUBLE, NULL, "b", &b));
  PL_OK(m.pl, pl_decl_dat(m.nodes, 1, PL_DOUBLE, NULL, "other", &other));
  PL_OK(m.pl, pl_dat_fill(b, 1e-6));
  matrix_decl(&m, &sparsity, &A);
  matrix_assemble(&m, A);
  hold_boundary(&m, A, b);
  measure(&m, A, b, other, "cg", "jacobi");
  for (int k = 0; k < 2; k++) {
    measure(&m, A, b, other, "cg", multigrid[k]);
    measure(&m, A, b, other, "richardson", multigrid[k]);
  }
  if (m.all_cells < 1000000) measure(&m, A, b, other, "richardson", "mumps");
  pl_mat_free(&A);
  pl_sparsity_free(&sparsity);
  matrix_problem_close(&m);
  return 0;
}

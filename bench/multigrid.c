/* SPDX-License-Identifier: BSD-2-Clause
 * multigrid: Poisson's equation on bench/matrix's triangles, held on the boundary, to a norm of 1e-7, in
 * single precision of 1e-4, by conjugate gradients with the diagonal, with BoomerAMG and with AMGX, by these
 * two alone, and by MUMPS. Seconds of the first run, which makes the preconditioner, and of a second one; the
 * memory of the host that this took at most on rank 0, in bytes a value of the matrix; the norms of b - A x
 * relative to that of b, and of the difference from the solution with the diagonal relative to that solution.
 *
 *   PLAIT_BACKEND=seq mpirun -np 2 multigrid [single] [squares along an edge, default 700]
 */
#include "matrix_problem.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "../apps/common/ranks.h"

STIFFNESS_KERNEL(stiffness_single, float)

/* A u = b; the solution with the diagonal; work. */
typedef struct linear_system {
  pl_type type;
  pl_sparsity *sparsity;
  pl_mat *A;
  pl_dat *b, *u, *other, *y;
} linear_system;

static void hold_boundary(const matrix_problem *m, const linear_system *l)
{
  pl_set *boundary;
  int n = 0, *list = malloc(((size_t)m->nnode + 1) * sizeof *list);
  if (!list) exit(1);
  for (int64_t v = 0; v < m->nnode; v++) {
    const double *x = m->place + 2 * v;
    if (x[0] == 0 || x[0] == 1 || x[1] == 0 || x[1] == 1) list[n++] = (int)(m->first_node + v);
  }
  PL_OK(m->pl, pl_decl_subset(m->nodes, n, list, "boundary", &boundary));
  PL_OK(m->pl, pl_mat_zero_rows(l->A, boundary, 1.0));
  PL_OK(m->pl, pl_dat_zero_subset(l->b, boundary));
  free(list);
}

/* The most memory of this process so far. */
static double most_memory(void)
{
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * (double)usage.ru_maxrss;
}

static double relative_residual(const matrix_problem *m, const linear_system *l)
{
  double norm, reference;
  PL_OK(m->pl, pl_mat_multiply(l->A, l->u, l->y));
  PL_OK(m->pl, pl_dat_axpy(-1, l->b, l->y));
  PL_OK(m->pl, pl_dat_norm(l->y, &norm));
  PL_OK(m->pl, pl_dat_norm(l->b, &reference));
  return norm / reference;
}

static pl_err run_timed(const matrix_problem *m, const linear_system *l, pl_solver *solver,
                        pl_solver_result *result, double *seconds)
{
  const double start = matrix_now();
  const pl_err err = pl_solver_run(solver, l->u, l->b, result);
  if (!err) *seconds = ranks_most(m->pl, matrix_since(m, start));
  return err;
}

/* Of the solution from `other`, which it replaces where `other` is zero. */
static double relative_difference(const matrix_problem *m, const linear_system *l)
{
  double norm, reference;
  PL_OK(m->pl, pl_dat_norm(l->other, &reference));
  if (reference == 0) PL_OK(m->pl, pl_dat_copy(l->u, l->other));
  PL_OK(m->pl, pl_dat_axpy(-1, l->other, l->u));
  PL_OK(m->pl, pl_dat_norm(l->u, &norm));
  return reference == 0 ? 0 : norm / reference;
}

static void measure(const matrix_problem *m, const linear_system *l, const char *method,
                    const char *preconditioner)
{
  const pl_solver_options options = {
    .method = method, .preconditioner = preconditioner, .rtol = l->type == PL_FLOAT ? 1e-4 : 1e-7};
  const double memory = most_memory(), values = (double)pl_mat_bytes(l->A) / (double)pl_type_size(l->type);
  pl_solver *solver = NULL;
  pl_solver_result result;
  double first, again;
  pl_err err = pl_decl_solver(l->A, &options, "multigrid", &solver);
  if (!err) err = run_timed(m, l, solver, &result, &first);
  if (!err) err = run_timed(m, l, solver, &result, &again);
  if (err && !pl_rank(m->pl)) printf("%s, %s: %s\n", method, preconditioner, pl_errmsg(m->pl));
  const double left = err ? 0 : relative_residual(m, l), difference = err ? 0 : relative_difference(m, l);
  if (!err && !pl_rank(m->pl))
    printf("%s, %s: %d iterations, first %.3f s, again %.3f s, %.0f bytes a value, residual %.1e, difference "
           "%.1e\n",
           method, preconditioner, result.iterations, first, again, (most_memory() - memory) / values, left,
           difference);
  pl_solver_free(&solver);
}

static void declare(const matrix_problem *m, pl_type type, linear_system *l)
{
  const pl_map_pair pair = {m->corner, m->corner};
  const pl_kernel *kernel = type == PL_FLOAT ? stiffness_single : m->kernel;
  pl_dat **const dat[] = {&l->b, &l->u, &l->other, &l->y};
  l->type = type;
  for (int i = 0; i < 4; i++) PL_OK(m->pl, pl_decl_dat(m->nodes, 1, type, NULL, "vector", dat[i]));
  PL_OK(m->pl, pl_dat_fill(l->b, 1e-6));
  PL_OK(m->pl, pl_decl_sparsity(m->nodes, 1, m->nodes, 1, 1, &pair, "pattern", &l->sparsity));
  PL_OK(m->pl, pl_decl_mat(l->sparsity, type, "A", &l->A));
  PL_OK(m->pl, pl_par_loop(kernel, m->cells, pl_arg_dat(m->x, PL_ALL, m->corner, PL_READ),
                           pl_arg_zeroed(pl_arg_mat(l->A, m->corner, m->corner, PL_INC))));
}

int main(int argc, char **argv)
{
  const char *const multigrid[] = {"boomeramg", "amgx"};
  matrix_problem m;
  linear_system l;
  if (argc > 1 && !strcmp(argv[1], "elastic")) {
    fprintf(stderr, "multigrid: only Poisson's equation is measured; usage: multigrid [single] [SQUARES]\n");
    return 2;
  }
  const bool single = argc > 1 && !strcmp(argv[1], "single");
  matrix_problem_open(&m, argc - single, argv + single);
  declare(&m, single ? PL_FLOAT : PL_DOUBLE, &l);
  hold_boundary(&m, &l);
  measure(&m, &l, "cg", "jacobi");
  for (int k = 0; k < 2; k++) {
    measure(&m, &l, "cg", multigrid[k]);
    measure(&m, &l, "richardson", multigrid[k]);
  }
  if (m.all_cells < 1000000) measure(&m, &l, "richardson", "mumps");
  pl_mat_free(&l.A);
  pl_sparsity_free(&l.sparsity);
  matrix_problem_close(&m);
  return 0;
}

/* SPDX-License-Identifier: BSD-2-Clause
 * matrix_petsc: assembly, product and conjugate gradients of bench/matrix's problems by Plait and by PETSc,
 * by turns in one process on one rank, with the same kernels, numbering and values. PETSc assembles by
 * MatSetValues (blocks: MatSetValuesBlocked into BAIJ) into an exactly preallocated matrix, and by
 * MatSetValuesCOO from all tensors. Times are the best of all calls; differences of the results follow, and
 * the iterations that each method needs.
 *
 *   PLAIT_BACKEND=seq matrix_petsc [elastic | cubes] [squares or cubes along an edge]
 */
#include "matrix_problem.h"

#include <math.h>
#include <petscksp.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CORNERS = 8, MOST_TENSOR = 144, CALLS = 5 };

typedef void tensor_fn(const double *x, double *A);

typedef struct peer {
  const matrix_problem *m;
  Mat by_cell, by_list; /* MatSetValues, MatSetValuesCOO */
  double *tensors;
  Vec x, y, b;
  KSP solver;
} peer;

/* ---- assembly ---- */

static int tensor_size(const matrix_problem *m)
{
  return m->corners * m->values * m->corners * m->values;
}

static void compute_tensor(const matrix_problem *m, int64_t cell, double *A)
{
  double x[3 * MOST_CORNERS];
  const int *corner = m->corners_of + cell * m->corners;
  for (int k = 0; k < m->corners; k++)
    for (int d = 0; d < m->dim; d++) x[k * m->dim + d] = m->place[corner[k] * m->dim + d];
  memset(A, 0, (size_t)tensor_size(m) * sizeof *A);
  ((tensor_fn *)m->kernel->function)(x, A);
}

static void assemble_by_cell(const peer *o)
{
  const matrix_problem *m = o->m;
  double A[MOST_TENSOR];
  PetscCallAbort(PETSC_COMM_SELF, MatZeroEntries(o->by_cell));
  for (int64_t c = 0; c < m->ncell; c++) {
    const int *corner = m->corners_of + c * m->corners;
    compute_tensor(m, c, A);
    PetscCallAbort(PETSC_COMM_SELF,
                   MatSetValuesBlocked(o->by_cell, m->corners, corner, m->corners, corner, A, ADD_VALUES));
  }
  PetscCallAbort(PETSC_COMM_SELF, MatAssemblyBegin(o->by_cell, MAT_FINAL_ASSEMBLY));
  PetscCallAbort(PETSC_COMM_SELF, MatAssemblyEnd(o->by_cell, MAT_FINAL_ASSEMBLY));
}

static void assemble_by_list(const peer *o)
{
  for (int64_t c = 0; c < o->m->ncell; c++) compute_tensor(o->m, c, o->tensors + c * tensor_size(o->m));
  PetscCallAbort(PETSC_COMM_SELF, MatSetValuesCOO(o->by_list, o->tensors, INSERT_VALUES));
}

/* ---- the peer's objects ---- */

/* A matrix of PETSc with the pattern of the rows: AIJ, or BAIJ for blocks. */
static void create_by_cell(peer *o, const pl_csr *csr)
{
  int *length = malloc((size_t)csr->rows * sizeof *length);
  const PetscInt n = csr->rows * csr->row_dim;
  if (!length) exit(1);
  for (int r = 0; r < csr->rows; r++)
    length[csr->row_index ? csr->row_index[r] : r] = csr->offset[r + 1] - csr->offset[r];
  if (csr->row_dim == 1)
    PetscCallAbort(PETSC_COMM_SELF, MatCreateSeqAIJ(PETSC_COMM_SELF, n, n, 0, length, &o->by_cell));
  else
    PetscCallAbort(PETSC_COMM_SELF,
                   MatCreateSeqBAIJ(PETSC_COMM_SELF, csr->row_dim, n, n, 0, length, &o->by_cell));
  free(length);
}

/* The row and column of each value of all tensors. */
static void number_values(const matrix_problem *m, PetscInt *row, PetscInt *column)
{
  const int n = m->corners * m->values;
  for (int64_t c = 0; c < m->ncell; c++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        const int *corner = m->corners_of + c * m->corners;
        *row++ = corner[i / m->values] * m->values + i % m->values;
        *column++ = corner[j / m->values] * m->values + j % m->values;
      }
}

static void create_by_list(peer *o)
{
  const matrix_problem *m = o->m;
  const size_t total = (size_t)m->ncell * (size_t)tensor_size(m);
  const PetscInt n = (PetscInt)m->nnode * m->values;
  PetscInt *row = malloc(total * sizeof *row), *column = malloc(total * sizeof *column);
  o->tensors = malloc(total * sizeof *o->tensors);
  if (!row || !column || !o->tensors) exit(1);
  number_values(m, row, column);
  PetscCallAbort(PETSC_COMM_SELF, MatCreate(PETSC_COMM_SELF, &o->by_list));
  PetscCallAbort(PETSC_COMM_SELF, MatSetSizes(o->by_list, n, n, n, n));
  PetscCallAbort(PETSC_COMM_SELF, MatSetType(o->by_list, MATSEQAIJ));
  PetscCallAbort(PETSC_COMM_SELF, MatSetPreallocationCOO(o->by_list, (PetscCount)total, row, column));
  free(row);
  free(column);
}

static void create_solver(peer *o)
{
  PC pc;
  PetscCallAbort(PETSC_COMM_SELF, KSPCreate(PETSC_COMM_SELF, &o->solver));
  PetscCallAbort(PETSC_COMM_SELF, KSPSetOperators(o->solver, o->by_cell, o->by_cell));
  PetscCallAbort(PETSC_COMM_SELF, KSPSetType(o->solver, KSPCG));
  PetscCallAbort(PETSC_COMM_SELF, KSPSetNormType(o->solver, KSP_NORM_NATURAL));
  PetscCallAbort(PETSC_COMM_SELF, KSPGetPC(o->solver, &pc));
  PetscCallAbort(PETSC_COMM_SELF, PCSetType(pc, PCJACOBI));
  PetscCallAbort(PETSC_COMM_SELF, KSPSetTolerances(o->solver, 1e-300, 1e-300, 1e300, MATRIX_ITERATIONS));
}

static void peer_open(peer *o, const matrix_problem *m, const pl_csr *csr, const double *right)
{
  *o = (peer){.m = m};
  create_by_cell(o, csr);
  create_by_list(o);
  PetscCallAbort(PETSC_COMM_SELF, MatCreateVecs(o->by_cell, &o->x, &o->y));
  PetscCallAbort(PETSC_COMM_SELF, VecDuplicate(o->x, &o->b));
  PetscScalar *b;
  PetscCallAbort(PETSC_COMM_SELF, VecGetArray(o->b, &b));
  memcpy(b, right, (size_t)(m->nnode * m->values) * sizeof *b);
  PetscCallAbort(PETSC_COMM_SELF, VecRestoreArray(o->b, &b));
  create_solver(o);
}

static void peer_close(peer *o)
{
  KSPDestroy(&o->solver);
  VecDestroy(&o->x);
  VecDestroy(&o->y);
  VecDestroy(&o->b);
  MatDestroy(&o->by_cell);
  MatDestroy(&o->by_list);
  free(o->tensors);
}

/* ---- both ---- */

/* The greatest difference of the dat's values from the vector's, relative to the greatest value. */
static double difference(const peer *o, pl_dat *dat, Vec vector)
{
  const size_t n = (size_t)(o->m->nnode * o->m->values);
  double *mine = malloc(n * sizeof *mine), most = 0, scale = 0;
  const PetscScalar *theirs;
  if (!mine) exit(1);
  PL_OK(o->m->pl, pl_dat_fetch(dat, mine));
  PetscCallAbort(PETSC_COMM_SELF, VecGetArrayRead(vector, &theirs));
  for (size_t i = 0; i < n; i++) {
    most = fmax(most, fabs(mine[i] - theirs[i]));
    scale = fmax(scale, fabs(theirs[i]));
  }
  PetscCallAbort(PETSC_COMM_SELF, VecRestoreArrayRead(vector, &theirs));
  free(mine);
  return most / scale;
}

static void print_duel(const char *what, double plait, const char *name, double theirs)
{
  printf("%s: Plait %.3f ms, %s %.3f ms: %.2f times as fast\n", what, 1e3 * plait, name, 1e3 * theirs,
         theirs / plait);
}

static double time_of(void (*work)(const peer *o), const peer *o)
{
  const double start = matrix_now();
  work(o);
  return matrix_now() - start;
}

static void duel_assembly(const peer *o, pl_mat *A)
{
  double plait = 1e9, by_cell = 1e9, by_list = 1e9;
  for (int k = 0; k < CALLS * MATRIX_ROUNDS; k++) {
    const double start = matrix_now();
    matrix_assemble(o->m, A);
    matrix_keep_less(&plait, matrix_since(o->m, start));
    if (k % MATRIX_ROUNDS) continue;
    matrix_keep_less(&by_cell, time_of(assemble_by_cell, o));
    matrix_keep_less(&by_list, time_of(assemble_by_list, o));
  }
  print_duel("assembly", plait, o->m->values > 1 ? "MatSetValuesBlocked" : "MatSetValues", by_cell);
  print_duel("assembly", plait, "MatSetValuesCOO with the tensors", by_list);
}

static double time_product(Mat A, Vec x, Vec y)
{
  const double start = matrix_now();
  PetscCallAbort(PETSC_COMM_SELF, MatMult(A, x, y));
  return matrix_now() - start;
}

static void duel_product(const peer *o, pl_mat *A, pl_dat *right, double triad, double bytes)
{
  double plait = 1e9, theirs = 1e9, sell = 1e9;
  Mat sliced = NULL;
  if (o->m->values == 1)
    PetscCallAbort(PETSC_COMM_SELF, MatConvert(o->by_cell, MATSEQSELL, MAT_INITIAL_MATRIX, &sliced));
  for (int k = 0; k < MATRIX_CALLS; k++) {
    const double start = matrix_now();
    PL_OK(o->m->pl, pl_mat_multiply(A, right, o->m->y));
    matrix_keep_less(&plait, matrix_since(o->m, start));
    if (sliced) matrix_keep_less(&sell, time_product(sliced, o->b, o->y));
    matrix_keep_less(&theirs, time_product(o->by_cell, o->b, o->y));
  }
  print_duel("product", plait, sliced ? "AIJ" : "BAIJ", theirs);
  if (sliced) print_duel("product", plait, "SELL", sell);
  printf("product: %.0f %% of the triad's %.1f GB/s, difference %.1e\n", 100 * bytes / plait / triad,
         1e-9 * triad, difference(o, o->m->y, o->y));
  if (sliced) MatDestroy(&sliced);
}

static void duel_solver(const peer *o, pl_mat *A, pl_dat *right)
{
  pl_solver *solver;
  double plait = 1e9, theirs = 1e9;
  matrix_decl_solver(o->m, A, &solver);
  for (int round = 0; round < MATRIX_ROUNDS; round++) {
    matrix_keep_less(&plait, matrix_solve(o->m, solver, right));
    const double start = matrix_now();
    PetscCallAbort(PETSC_COMM_SELF, KSPSolve(o->solver, o->b, o->x));
    matrix_keep_less(&theirs, matrix_now() - start);
  }
  print_duel("200 iterations of cg", plait, "KSPCG", theirs);
  printf("cg: difference %.1e\n", difference(o, o->m->u, o->x));
  pl_solver_free(&solver);
}

/* ---- iterations ---- */

typedef struct pairing {
  const char *method, *preconditioner;
  KSPType theirs;
  PCType precondition;
} pairing;

static int peer_iterations(const peer *o, const pairing *p)
{
  KSP ksp;
  PC pc;
  PetscInt n;
  KSPConvergedReason reason;
  PetscCallAbort(PETSC_COMM_SELF, KSPCreate(PETSC_COMM_SELF, &ksp));
  PetscCallAbort(PETSC_COMM_SELF, KSPSetOperators(ksp, o->by_cell, o->by_cell));
  PetscCallAbort(PETSC_COMM_SELF, KSPSetType(ksp, p->theirs));
  PetscCallAbort(PETSC_COMM_SELF, KSPSetPCSide(ksp, PC_LEFT));
  PetscCallAbort(PETSC_COMM_SELF, KSPSetNormType(ksp, KSP_NORM_PRECONDITIONED));
  PetscCallAbort(PETSC_COMM_SELF, KSPSetTolerances(ksp, 1e-7, 1e-50, 1e5, 10000));
  PetscCallAbort(PETSC_COMM_SELF, KSPGetPC(ksp, &pc));
  PetscCallAbort(PETSC_COMM_SELF, PCSetType(pc, p->precondition));
  PetscCallAbort(PETSC_COMM_SELF, KSPSolve(ksp, o->b, o->x));
  PetscCallAbort(PETSC_COMM_SELF, KSPGetIterationNumber(ksp, &n));
  PetscCallAbort(PETSC_COMM_SELF, KSPGetConvergedReason(ksp, &reason));
  PetscCallAbort(PETSC_COMM_SELF, KSPDestroy(&ksp));
  return reason > 0 ? (int)n : -(int)n;
}

/* Iterations to 1e-7; negative: not converged. PETSc factors in the order of rows, Plait by colours. PETSc
 * has no preconditioner like the other two. */
static void compare_iterations(const peer *o, pl_mat *A, pl_dat *right)
{
  static const pairing pairs[] = {{"cg", "jacobi", KSPCG, PCJACOBI},
                                  {"cg", "block_jacobi", KSPCG, PCPBJACOBI},
                                  {"minres", "jacobi", KSPMINRES, PCJACOBI},
                                  {"bicgstab", "jacobi", KSPBCGS, PCJACOBI},
                                  {"gmres", "jacobi", KSPGMRES, PCJACOBI},
                                  {"richardson", "jacobi", KSPRICHARDSON, PCJACOBI},
                                  {"cg", "ilu", KSPCG, PCILU},
                                  {"cg", "chebyshev", NULL, NULL},
                                  {"cg", "ssor", NULL, NULL}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    const pl_solver_options options = {.method = pairs[i].method, .preconditioner = pairs[i].preconditioner};
    pl_solver *solver;
    pl_solver_result result;
    PL_OK(o->m->pl, pl_decl_solver(A, &options, "compared", &solver));
    for (int k = 0; k < 2; k++)
      pl_solver_run(solver, o->m->u, right, &result); /* compiles loops, then chains */
    const double begin = matrix_now();
    const pl_err err = pl_solver_run(solver, o->m->u, right, &result);
    printf("iterations of %s with %s: Plait %d in %.1f ms", pairs[i].method, pairs[i].preconditioner,
           err ? -result.iterations : result.iterations, 1e3 * (matrix_now() - begin));
    if (pairs[i].theirs) printf(", PETSc %d", peer_iterations(o, &pairs[i]));
    printf("\n");
    pl_solver_free(&solver);
  }
}

/* The diagonal of Plait's matrix becomes the peer's too. */
static void make_definite(const peer *o, pl_mat *A)
{
  Vec diagonal;
  matrix_make_definite(o->m, A, o->m->y);
  PetscCallAbort(PETSC_COMM_SELF, VecDuplicate(o->b, &diagonal));
  PetscCallAbort(PETSC_COMM_SELF, MatGetDiagonal(o->by_cell, diagonal));
  PetscCallAbort(PETSC_COMM_SELF, VecScale(diagonal, 1.001));
  PetscCallAbort(PETSC_COMM_SELF, MatDiagonalSet(o->by_cell, diagonal, INSERT_VALUES));
  VecDestroy(&diagonal);
}

int main(int argc, char **argv)
{
  matrix_problem m;
  pl_sparsity *sparsity;
  pl_mat *A;
  pl_dat *right;
  pl_csr csr;
  peer other;
  matrix_problem_open(&m, argc, argv);
  PetscCallAbort(PETSC_COMM_SELF, PetscInitializeNoArguments());
  double *b = matrix_right_side(&m);
  PL_OK(m.pl, pl_decl_dat(m.nodes, m.values, PL_DOUBLE, b, "b", &right));
  matrix_decl(&m, &sparsity, &A);
  const double start = matrix_now();
  PL_OK(m.pl, pl_sparsity_csr(sparsity, &csr));
  printf("pattern %.1f ms\n", 1e3 * matrix_since(&m, start));
  peer_open(&other, &m, &csr, b);
  duel_assembly(&other, A);
  make_definite(&other, A);
  duel_product(&other, A, right, matrix_triad(&m, false), matrix_product_bytes(&m, &csr, 2));
  duel_solver(&other, A, right);
  compare_iterations(&other, A, right);
  peer_close(&other);
  free(b);
  pl_mat_free(&A);
  pl_sparsity_free(&sparsity);
  PetscFinalize();
  matrix_problem_close(&m);
  return 0;
}

/* SPDX-License-Identifier: BSD-2-Clause
 * iterations: each method and preconditioner needs as many iterations as PETSc's, up to one, on the same
 * matrix in the same process.
 *
 * The nodes of the grid are numbered by colours. Then Plait's order of rows, by colours, is that of the
 * numbers, and sweeps and incomplete factors, which PETSc computes in the order of numbers, are the same. In
 * any other order they differ, and so do the iterations (docs/solvers.md).
 */
#include <plait.h>

#include <math.h>
#include <petscksp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 16, NODES = SIDE * SIDE, MOST = 5 * NODES, BLOCK = 2 };

typedef enum kind { DEFINITE, INDEFINITE, SKEW, STRONG } kind; /* STRONG: with a large diagonal */

/* A matrix by rows with the columns in ascending order, for both. */
typedef struct rows {
  int block;
  int offset[NODES + 1], column[MOST];
  double value[MOST * BLOCK * BLOCK];
} rows;

/* ---- the matrix ---- */

/* Nodes of even i + j first: neighbours have different colours. */
static int number(int i, int j)
{
  const int before = (i * SIDE + j) / 2;
  return (i + j) % 2 ? NODES / 2 + before : before;
}

/* The values of a place: multiples of [[1, 1/4], [1/4, 1]]. */
static void put(const rows *a, double *value, double diagonal)
{
  for (int i = 0; i < a->block * a->block; i++) value[i] += i % (a->block + 1) ? diagonal / 4 : diagonal;
}

static int compare(const void *x, const void *y)
{
  return *(const int *)x - *(const int *)y;
}

static double weight(int from, int to)
{
  const int sum = from + to, product = from * to;
  return 1 + (sum * 7 + product) % 11 / 5.0;
}

/* Of a node, its columns and values; links have a weight and, if skew, a part of the other sign each way. */
static void fill_row(rows *a, kind k, int i, int j)
{
  const int me = number(i, j), begin = a->offset[me], size = a->block * a->block;
  static const double raise[] = {[DEFINITE] = 0.05, [INDEFINITE] = -0.8, [SKEW] = 0.05, [STRONG] = 2};
  int n = 0, *column = a->column + begin;
  double *value = a->value + (size_t)begin * (size_t)size, sum = 0;
  column[n++] = me;
  if (i) column[n++] = number(i - 1, j);
  if (j) column[n++] = number(i, j - 1);
  if (i + 1 < SIDE) column[n++] = number(i + 1, j);
  if (j + 1 < SIDE) column[n++] = number(i, j + 1);
  qsort(column, (size_t)n, sizeof *column, compare);
  for (int c = 0; c < n; c++) {
    const double w = weight(me, column[c]), skew = k == SKEW ? (me < column[c] ? 0.5 : -0.5) : 0;
    if (column[c] == me) continue;
    put(a, value + c * size, skew - w);
    sum += w;
  }
  for (int c = 0; c < n; c++)
    if (column[c] == me) put(a, value + c * size, sum + raise[k]);
  a->offset[me + 1] = begin + n;
}

static rows *new_rows(kind k, int block)
{
  rows *a = calloc(1, sizeof *a);
  if (!a) exit(1);
  a->block = block;
  for (int colour = 0; colour < 2; colour++)
    for (int i = 0; i < SIDE; i++)
      for (int j = 0; j < SIDE; j++)
        if ((i + j) % 2 == colour) fill_row(a, k, i, j);
  return a;
}

/* ---- both solvers ---- */

typedef struct pairing {
  kind kind;
  int block;
  const char *method, *preconditioner;
  const char *theirs; /* PETSc's options; with the bounds of the polynomial for %g,%g */
} pairing;

static const double low = 0.02, high = 2;

static const pairing pairs[] = {
  {DEFINITE, 1, "cg", "none", "-ksp_type cg -pc_type none"},
  {DEFINITE, 1, "cg", "jacobi", "-ksp_type cg -pc_type jacobi"},
  {DEFINITE, BLOCK, "cg", "block_jacobi", "-ksp_type cg -pc_type pbjacobi"},
  {DEFINITE, 1, "cg", "ssor", "-ksp_type cg -pc_type sor -pc_sor_symmetric"},
  {DEFINITE, BLOCK, "cg", "ssor", "-ksp_type cg -pc_type sor -pc_sor_symmetric"},
  {DEFINITE, 1, "cg", "ilu", "-ksp_type cg -pc_type ilu"},
  {DEFINITE, 1, "cg", "ic", "-ksp_type cg -pc_type icc"},
  {DEFINITE, BLOCK, "cg", "ilu", "-ksp_type cg -pc_type ilu"},
  {DEFINITE, 1, "cg", "chebyshev",
   "-ksp_type cg -pc_type ksp -ksp_ksp_type chebyshev -ksp_pc_type jacobi -ksp_ksp_max_it 4 "
   "-ksp_ksp_norm_type none -ksp_ksp_convergence_test skip -ksp_ksp_chebyshev_eigenvalues %g,%g"},
  {INDEFINITE, 1, "minres", "none", "-ksp_type minres -pc_type none"},
  {INDEFINITE, 1, "minres", "jacobi", "-ksp_type minres -pc_type jacobi"},
  {DEFINITE, 1, "minres", "ssor", "-ksp_type minres -pc_type sor -pc_sor_symmetric"},
  {SKEW, 1, "bicgstab", "none", "-ksp_type bcgs -pc_type none"},
  {SKEW, 1, "bicgstab", "jacobi", "-ksp_type bcgs -pc_type jacobi"},
  {SKEW, 1, "bicgstab", "ilu", "-ksp_type bcgs -pc_type ilu"},
  {SKEW, BLOCK, "bicgstab", "block_jacobi", "-ksp_type bcgs -pc_type pbjacobi"},
  {SKEW, 1, "gmres", "none", "-ksp_type gmres -pc_type none"},
  {SKEW, 1, "gmres", "jacobi", "-ksp_type gmres -pc_type jacobi"},
  {SKEW, 1, "gmres", "ssor", "-ksp_type gmres -pc_type sor -pc_sor_symmetric"},
  {SKEW, BLOCK, "gmres", "ilu", "-ksp_type gmres -pc_type ilu"},
  {INDEFINITE, 1, "gmres", "jacobi", "-ksp_type gmres -pc_type jacobi"},
  {DEFINITE, 1, "richardson", "jacobi", "-ksp_type richardson -pc_type jacobi"},
  {DEFINITE, 1, "richardson", "ic", "-ksp_type richardson -pc_type icc"},
  {DEFINITE, 1, "richardson", "ssor", "-ksp_type richardson -pc_type sor -pc_sor_symmetric"},
  {DEFINITE, 1, "chebyshev", "jacobi",
   "-ksp_type chebyshev -ksp_chebyshev_eigenvalues 0.02,2 -pc_type jacobi"},
  {DEFINITE, BLOCK, "chebyshev", "block_jacobi",
   "-ksp_type chebyshev -ksp_chebyshev_eigenvalues 0.02,2 -pc_type pbjacobi"},
  {STRONG, 1, "chebyshev", "jacobi", "-ksp_type chebyshev -ksp_chebyshev_eigenvalues %g,%g -pc_type jacobi"},
};

/* Plait estimates the bounds of chebyshev; PETSc gets those of the largest eigenvalue. */
static bool estimates(const pairing *p)
{
  return !strcmp(p->method, "chebyshev") && strstr(p->theirs, "%g");
}

static Mat peer_matrix(rows *a)
{
  Mat mat;
  const PetscInt n = NODES * a->block;
  if (a->block == 1) {
    PetscCallAbort(PETSC_COMM_SELF,
                   MatCreateSeqAIJWithArrays(PETSC_COMM_SELF, n, n, a->offset, a->column, a->value, &mat));
    return mat;
  }
  PetscCallAbort(PETSC_COMM_SELF, MatCreate(PETSC_COMM_SELF, &mat));
  PetscCallAbort(PETSC_COMM_SELF, MatSetSizes(mat, n, n, n, n));
  PetscCallAbort(PETSC_COMM_SELF, MatSetType(mat, MATSEQBAIJ));
  PetscCallAbort(PETSC_COMM_SELF, MatSeqBAIJSetPreallocation(mat, a->block, 5, NULL));
  for (int r = 0; r < NODES; r++)
    for (int k = a->offset[r]; k < a->offset[r + 1]; k++)
      PetscCallAbort(PETSC_COMM_SELF, MatSetValuesBlocked(mat, 1, &r, 1, &a->column[k],
                                                          a->value + k * a->block * a->block, INSERT_VALUES));
  PetscCallAbort(PETSC_COMM_SELF, MatAssemblyBegin(mat, MAT_FINAL_ASSEMBLY));
  PetscCallAbort(PETSC_COMM_SELF, MatAssemblyEnd(mat, MAT_FINAL_ASSEMBLY));
  return mat;
}

/* The largest sum of a row of |D A|, for blocks of 1: Plait's bound of the polynomial. */
static double row_bound(const rows *a)
{
  double most = 0;
  for (int r = 0; r < NODES; r++) {
    double sum = 0, diagonal = 0;
    for (int k = a->offset[r]; k < a->offset[r + 1]; k++) {
      sum += fabs(a->value[k]);
      if (a->column[k] == r) diagonal = a->value[k];
    }
    most = fmax(most, sum / diagonal);
  }
  return most;
}

/* The largest eigenvalue of D A, by the power method. */
static double largest_eigenvalue(const rows *a)
{
  double x[NODES], y[NODES], largest = 0;
  for (int r = 0; r < NODES; r++) x[r] = r % 3 - 0.5;
  for (int step = 0; step < 500; step++) {
    largest = 0;
    for (int r = 0; r < NODES; r++) {
      double diagonal = 1;
      y[r] = 0;
      for (int k = a->offset[r]; k < a->offset[r + 1]; k++) {
        y[r] += a->value[k] * x[a->column[k]];
        if (a->column[k] == r) diagonal = a->value[k];
      }
      y[r] /= diagonal;
      largest = fmax(largest, fabs(y[r]));
    }
    for (int r = 0; r < NODES; r++) x[r] = y[r] / largest;
  }
  return largest;
}

static void set_peer_options(const pairing *p, const rows *a)
{
  char text[400];
  const double largest = estimates(p) ? largest_eigenvalue(a) : row_bound(a);
  snprintf(text, sizeof text, p->theirs, largest / (estimates(p) ? 10 : 30),
           largest * (estimates(p) ? 1.1 : 1));
  PetscCallAbort(PETSC_COMM_SELF, PetscOptionsClear(NULL));
  PetscCallAbort(PETSC_COMM_SELF, PetscOptionsInsertString(NULL, text));
}

/* Without a monitor PETSc's Richardson iteration leaves its steps to SOR, which tests no norm and ends at the
 * limit of iterations. */
static PetscErrorCode watch_norm(KSP ksp, PetscInt n, PetscReal norm, void *user)
{
  (void)ksp, (void)n, (void)norm, (void)user;
  return 0;
}

/* Negative: not converged. */
static int peer_iterations(const pairing *p, rows *a, const double *right)
{
  KSP ksp;
  Vec x, b;
  PetscInt n;
  KSPConvergedReason reason;
  Mat mat = peer_matrix(a);
  PetscCallAbort(PETSC_COMM_SELF, VecCreateSeqWithArray(PETSC_COMM_SELF, 1, NODES * a->block, right, &b));
  PetscCallAbort(PETSC_COMM_SELF, VecDuplicate(b, &x));
  set_peer_options(p, a);
  PetscCallAbort(PETSC_COMM_SELF, KSPCreate(PETSC_COMM_SELF, &ksp));
  PetscCallAbort(PETSC_COMM_SELF, KSPSetOperators(ksp, mat, mat));
  PetscCallAbort(PETSC_COMM_SELF, KSPSetPCSide(ksp, PC_LEFT));
  PetscCallAbort(PETSC_COMM_SELF, KSPSetNormType(ksp, KSP_NORM_PRECONDITIONED));
  PetscCallAbort(PETSC_COMM_SELF, KSPSetTolerances(ksp, 1e-7, 1e-50, 1e4, 10000));
  PetscCallAbort(PETSC_COMM_SELF, KSPSetFromOptions(ksp));
  PetscCallAbort(PETSC_COMM_SELF, KSPMonitorSet(ksp, watch_norm, NULL, NULL));
  PetscCallAbort(PETSC_COMM_SELF, KSPSolve(ksp, b, x));
  PetscCallAbort(PETSC_COMM_SELF, KSPGetIterationNumber(ksp, &n));
  PetscCallAbort(PETSC_COMM_SELF, KSPGetConvergedReason(ksp, &reason));
  KSPDestroy(&ksp);
  VecDestroy(&x);
  VecDestroy(&b);
  MatDestroy(&mat);
  return reason > 0 ? (int)n : -(int)n;
}

static int iterations(pl_context *pl, const pairing *p, const rows *a, const double *right)
{
  int64_t row[NODES], offset[NODES + 1] = {0}, column[MOST];
  pl_set *nodes;
  pl_map *map;
  pl_sparsity *sparsity;
  pl_mat *A;
  pl_dat *x, *b;
  pl_solver *solver;
  pl_solver_result result;
  for (int r = 0; r < NODES; r++) row[r] = r, offset[r + 1] = a->offset[r + 1];
  for (int k = 0; k < a->offset[NODES]; k++) column[k] = a->column[k];
  PL_OK(pl, pl_decl_set(pl, NODES, "nodes", &nodes));
  PL_OK(pl, pl_decl_map_ragged(nodes, nodes, a->offset, a->column, "columns", &map));
  PL_OK(pl,
        pl_decl_sparsity(nodes, a->block, nodes, a->block, 1, &(pl_map_pair){NULL, map}, "rows", &sparsity));
  PL_OK(pl, pl_decl_mat(sparsity, PL_DOUBLE, "A", &A));
  PL_OK(pl, pl_mat_set_csr(A, NODES, row, offset, column, a->value));
  PL_OK(pl, pl_decl_dat(nodes, a->block, PL_DOUBLE, NULL, "x", &x));
  PL_OK(pl, pl_decl_dat(nodes, a->block, PL_DOUBLE, right, "b", &b));
  const pl_solver_options options = {.method = p->method,
                                     .preconditioner = p->preconditioner,
                                     .low = estimates(p) ? 0 : low,
                                     .high = estimates(p) ? 0 : high};
  PL_OK(pl, pl_decl_solver(A, &options, "solver", &solver));
  const pl_err err = pl_solver_run(solver, x, b, &result);
  pl_solver_free(&solver);
  pl_mat_free(&A);
  pl_sparsity_free(&sparsity);
  return err ? -result.iterations : result.iterations;
}

int main(int argc, char **argv)
{
  pl_context *pl;
  double right[NODES * BLOCK];
  int wrong = 0;
  PL_OK(pl, pl_init(&argc, &argv, NULL, &pl));
  PetscCallAbort(PETSC_COMM_SELF, PetscInitializeNoArguments());
  for (int i = 0; i < NODES * BLOCK; i++) right[i] = 1 + i * 7 % 5;
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    const pairing *p = &pairs[i];
    rows *a = new_rows(p->kind, p->block);
    const int mine = iterations(pl, p, a, right), theirs = peer_iterations(p, a, right);
    const int bad = mine <= 0 || theirs <= 0 || abs(mine - theirs) > (estimates(p) ? theirs / 10 : 1);
    printf("%s with %s, blocks of %d: Plait %d, PETSc %d%s\n", p->method, p->preconditioner, p->block, mine,
           theirs, bad ? ": WRONG" : "");
    wrong += bad;
    free(a);
  }
  PetscFinalize();
  pl_finalize(&pl);
  return wrong > 0;
}

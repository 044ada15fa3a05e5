/* SPDX-License-Identifier: BSD-2-Clause
 * matrix_cusparse: the product and the conjugate gradients of bench/matrix's problems by Plait and by
 * cuSPARSE with cuBLAS, by turns in one process on the same values. cuSPARSE takes its fastest algorithm for
 * the format, CSR or blocks (BSR). Both precondition with the diagonal and run the same number of
 * iterations.
 *
 *   PLAIT_BACKEND=cuda matrix_cusparse [elastic] [squares or cubes along an edge]
 */
#include "matrix_problem.h"

#include <cublas_v2.h>
#include <cuda_runtime_api.h>
#include <cusparse.h>
#include <math.h>
#include <stdlib.h>

#define CHECK(call)                                                                                          \
  do {                                                                                                       \
    if ((int)(call)) {                                                                                       \
      fprintf(stderr, "%s failed\n", #call);                                                                 \
      exit(1);                                                                                               \
    }                                                                                                        \
  } while (0)

/* ---- the peer ---- */

typedef struct peer {
  cusparseHandle_t sparse;
  cublasHandle_t blas;
  cusparseSpMatDescr_t matrix;
  cusparseMatDescr_t blocks;
  cusparseSpMVAlg_t algorithm;
  void *buffer;
  const double *values;
  int *offset, *column;
  pl_csr csr;
  int n; /* values of a vector */
  double *inverse, *b, *x, *r, *z, *p, *q;
} peer;

static void *on_device(const void *from, size_t bytes)
{
  void *to;
  CHECK(cudaMalloc(&to, bytes));
  if (from) CHECK(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice));
  return to;
}

static double *vector(const peer *o)
{
  return on_device(NULL, (size_t)o->n * sizeof(double));
}

/* y = A x; `algorithm` is for rows of single values. */
static void peer_product_by(const peer *o, cusparseSpMVAlg_t algorithm, double *x, double *y)
{
  const double one = 1, zero = 0;
  if (o->csr.row_dim > 1) {
    CHECK(cusparseDbsrmv(o->sparse, CUSPARSE_DIRECTION_ROW, CUSPARSE_OPERATION_NON_TRANSPOSE, o->csr.rows,
                         o->csr.rows, o->csr.blocks, &one, o->blocks, o->values, o->offset, o->column,
                         o->csr.row_dim, x, &zero, y));
    return;
  }
  cusparseDnVecDescr_t from, to;
  CHECK(cusparseCreateDnVec(&from, o->n, x, CUDA_R_64F));
  CHECK(cusparseCreateDnVec(&to, o->n, y, CUDA_R_64F));
  CHECK(cusparseSpMV(o->sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, o->matrix, from, &zero, to,
                     CUDA_R_64F, algorithm, o->buffer));
  CHECK(cusparseDestroyDnVec(from));
  CHECK(cusparseDestroyDnVec(to));
}

static void peer_product(const peer *o, double *x, double *y)
{
  peer_product_by(o, o->algorithm, x, y);
}

static double time_product(const peer *o, cusparseSpMVAlg_t algorithm)
{
  double best = 1e9;
  for (int k = 0; k < MATRIX_CALLS; k++) {
    const double start = matrix_now();
    peer_product_by(o, algorithm, o->b, o->q);
    CHECK(cudaDeviceSynchronize());
    matrix_keep_less(&best, matrix_now() - start);
  }
  return best;
}

static void prepare_rows(peer *o)
{
  size_t most = 0;
  const cusparseSpMVAlg_t algorithm[] = {CUSPARSE_SPMV_CSR_ALG1, CUSPARSE_SPMV_CSR_ALG2};
  CHECK(cusparseCreateCsr(&o->matrix, o->csr.rows, o->csr.rows, o->csr.blocks, o->offset, o->column,
                          (void *)o->values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                          CUDA_R_64F));
  for (int i = 0; i < 2; i++) {
    const double one = 1, zero = 0;
    size_t bytes;
    cusparseDnVecDescr_t from, to;
    CHECK(cusparseCreateDnVec(&from, o->n, o->b, CUDA_R_64F));
    CHECK(cusparseCreateDnVec(&to, o->n, o->q, CUDA_R_64F));
    CHECK(cusparseSpMV_bufferSize(o->sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, o->matrix, from, &zero,
                                  to, CUDA_R_64F, algorithm[i], &bytes));
    if (bytes > most) most = bytes;
    CHECK(cusparseDestroyDnVec(from));
    CHECK(cusparseDestroyDnVec(to));
  }
  o->buffer = on_device(NULL, most + 1);
  o->algorithm = time_product(o, algorithm[0]) < time_product(o, algorithm[1]) ? algorithm[0] : algorithm[1];
}

static void peer_open(peer *o, const pl_csr *csr, const double *values, const double *b,
                      const double *inverse)
{
  *o = (peer){.csr = *csr, .values = values, .n = csr->rows * csr->row_dim};
  const size_t bytes = (size_t)o->n * sizeof(double);
  CHECK(cusparseCreate(&o->sparse));
  CHECK(cublasCreate(&o->blas));
  CHECK(cusparseCreateMatDescr(&o->blocks));
  o->offset = on_device(csr->offset, (size_t)(csr->rows + 1) * sizeof(int));
  o->column = on_device(csr->column, (size_t)csr->blocks * sizeof(int));
  o->b = on_device(b, bytes);
  o->inverse = on_device(inverse, bytes);
  o->x = vector(o), o->r = vector(o), o->z = vector(o), o->p = vector(o), o->q = vector(o);
  if (csr->row_dim == 1) prepare_rows(o);
}

static double peer_dot(const peer *o, const double *a, const double *b)
{
  double sum;
  CHECK(cublasDdot(o->blas, o->n, a, 1, b, 1, &sum));
  return sum;
}

/* Conjugate gradients from zero. */
static void peer_solve(const peer *o)
{
  CHECK(cudaMemset(o->x, 0, (size_t)o->n * sizeof(double)));
  CHECK(cublasDcopy(o->blas, o->n, o->b, 1, o->r, 1));
  CHECK(cublasDdgmm(o->blas, CUBLAS_SIDE_LEFT, o->n, 1, o->r, o->n, o->inverse, 1, o->z, o->n));
  CHECK(cublasDcopy(o->blas, o->n, o->z, 1, o->p, 1));
  double rz = peer_dot(o, o->r, o->z);
  for (int k = 0; k < MATRIX_ITERATIONS; k++) {
    peer_product(o, o->p, o->q);
    const double alpha = rz / peer_dot(o, o->p, o->q), minus = -alpha;
    CHECK(cublasDaxpy(o->blas, o->n, &alpha, o->p, 1, o->x, 1));
    CHECK(cublasDaxpy(o->blas, o->n, &minus, o->q, 1, o->r, 1));
    CHECK(cublasDdgmm(o->blas, CUBLAS_SIDE_LEFT, o->n, 1, o->r, o->n, o->inverse, 1, o->z, o->n));
    const double next = peer_dot(o, o->r, o->z), beta = next / rz, one = 1;
    rz = next;
    CHECK(cublasDscal(o->blas, o->n, &beta, o->p, 1));
    CHECK(cublasDaxpy(o->blas, o->n, &one, o->z, 1, o->p, 1));
  }
  CHECK(cudaDeviceSynchronize());
}

/* ---- both ---- */

/* The greatest difference between Plait's values and the peer's, relative to the greatest value. */
static double difference(const matrix_problem *m, const peer *o, pl_dat *dat, const double *theirs)
{
  double *a = malloc((size_t)o->n * sizeof *a), *b = malloc((size_t)o->n * sizeof *b), most = 0, scale = 0;
  if (!a || !b) exit(1);
  PL_OK(m->pl, pl_dat_fetch(dat, a));
  CHECK(cudaMemcpy(b, theirs, (size_t)o->n * sizeof *b, cudaMemcpyDeviceToHost));
  for (int i = 0; i < o->n; i++) most = fmax(most, fabs(a[i] - b[i])), scale = fmax(scale, fabs(b[i]));
  free(a);
  free(b);
  return most / scale;
}

static void duel_product(const matrix_problem *m, pl_mat *A, pl_dat *right, const peer *o)
{
  double plait = 1e9, theirs = 1e9;
  for (int round = 0; round < MATRIX_ROUNDS; round++) {
    for (int k = 0; k < MATRIX_CALLS; k++) {
      const double start = matrix_now();
      PL_OK(m->pl, pl_mat_multiply(A, right, m->y));
      matrix_keep_less(&plait, matrix_since(m, start));
    }
    matrix_keep_less(&theirs, time_product(o, o->algorithm));
  }
  printf("product: Plait %.4f ms, cuSPARSE %.4f ms: %.2f times as fast, difference %.1e\n", 1e3 * plait,
         1e3 * theirs, theirs / plait, difference(m, o, m->y, o->q));
}

static void duel_solver(const matrix_problem *m, pl_mat *A, pl_dat *right, const peer *o)
{
  pl_solver *solver;
  double plait = 1e9, theirs = 1e9;
  matrix_decl_solver(m, A, &solver);
  for (int round = 0; round < 2 * MATRIX_ROUNDS; round++) {
    matrix_keep_less(&plait, matrix_solve(m, solver, right));
    const double start = matrix_now();
    peer_solve(o);
    matrix_keep_less(&theirs, matrix_now() - start);
  }
  printf(
    "an iteration of cg: Plait %.2f us, cuSPARSE and cuBLAS %.2f us: %.2f times as fast, difference %.1e\n",
    1e6 * plait / MATRIX_ITERATIONS, 1e6 * theirs / MATRIX_ITERATIONS, theirs / plait,
    difference(m, o, m->u, o->x));
  pl_solver_free(&solver);
}

static double *new_inverse(const matrix_problem *m, pl_dat *diagonal, int64_t n)
{
  double *inverse = malloc((size_t)n * sizeof *inverse);
  if (!inverse) exit(1);
  PL_OK(m->pl, pl_dat_fetch(diagonal, inverse));
  for (int64_t i = 0; i < n; i++) inverse[i] = 1 / inverse[i];
  return inverse;
}

int main(int argc, char **argv)
{
  matrix_problem m;
  pl_sparsity *sparsity;
  pl_mat *A;
  pl_dat *right, *values;
  pl_csr csr;
  peer other;
  void *device;
  matrix_problem_open(&m, argc, argv);
  const int64_t n = m.nnode * m.values;
  double *b = matrix_right_side(&m);
  PL_OK(m.pl, pl_decl_dat(m.nodes, m.values, PL_DOUBLE, b, "b", &right));
  matrix_decl(&m, &sparsity, &A);
  matrix_assemble(&m, A);
  matrix_make_definite(&m, A, m.y);
  double *inverse = new_inverse(&m, m.y, n);
  PL_OK(m.pl, pl_sparsity_csr(sparsity, &csr));
  PL_OK(m.pl, pl_mat_values(A, &values));
  PL_OK(m.pl, pl_dat_get_device(values, PL_READ, &device, NULL));
  PL_OK(m.pl, pl_sync(m.pl));
  peer_open(&other, &csr, device, b, inverse);
  duel_product(&m, A, right, &other);
  duel_solver(&m, A, right, &other);
  PL_OK(m.pl, pl_dat_put_device(values));
  free(b);
  free(inverse);
  pl_mat_free(&A);
  pl_sparsity_free(&sparsity);
  matrix_problem_close(&m);
  return 0;
}

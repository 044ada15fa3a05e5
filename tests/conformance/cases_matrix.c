/* SPDX-License-Identifier: BSD-2-Clause
 * Sparse matrices: whole-matrix operations, rows, single values.
 */
#include "matrices.h"
#include <math.h>
#include <stdlib.h>

/* `first`: the loop zeroes the matrix. */
static void assemble(conf *c, pl_mat *mat, const pair *p, const int block[2], bool flat, bool first,
                     pl_set *over)
{
  const pl_arg tensor = pl_arg_mat(mat, p->map[0], p->map[1], PL_INC);
  OK(pl_par_loop(tensor_kernel(c, p->arity[0] * block[0], p->arity[1] * block[1], flat), over,
                 DIRECT(p->dat, PL_READ), first ? pl_arg_zeroed(tensor) : tensor));
}

/* ---- the mass matrix of two triangles ---- */

enum { NODES = 4, CELLS = 2 };

typedef struct mass {
  pl_set *cells, *nodes;
  pl_map *corners;
  pl_dat *coords;
  pl_sparsity *sparsity;
  pl_mat *mat;
} mass;

static const double mass_values[NODES * NODES] = {
  0.24999999999999997,  0.12499999999999999,  0.0,
  0.12499999999999999,  0.12499999999999999,  0.29166666666666663,
  0.020833333333333332, 0.14583333333333331,  0.0,
  0.020833333333333332, 0.041666666666666664, 0.020833333333333332,
  0.12499999999999999,  0.14583333333333331,  0.020833333333333332,
  0.29166666666666663};

PL_KERNEL(mass_tensor, (const double x[3][2], double A[3][3]), {
  double det = (x[1][0] - x[0][0]) * (x[2][1] - x[0][1]) - (x[2][0] - x[0][0]) * (x[1][1] - x[0][1]);
  double area = fabs(det) / 2;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) A[i][j] += area / 12 * (i == j ? 2 : 1);
})

PL_KERNEL(mass_ones, (double A[9]), {
  for (int i = 0; i < 9; i++) A[i] = 7.0;
})

static void open_mass(conf *c, mass *m)
{
  static const int corners[] = {0, 1, 3, 2, 3, 1};
  static const double coords[] = {0, 0, 2, 0, 1, 1, 0, 1.5};
  m->cells = conf_set(c, CELLS, "cells");
  m->nodes = conf_set(c, NODES, "nodes");
  m->corners = conf_map(c, m->cells, m->nodes, 3, corners, "corners");
  m->coords = conf_dat(c, m->nodes, 2, PL_DOUBLE, coords, "coords");
  const pl_map_pair pair = {m->corners, m->corners};
  OK(pl_decl_sparsity(m->nodes, 1, m->nodes, 1, 1, &pair, "mass", &m->sparsity));
  OK(pl_decl_mat(m->sparsity, PL_DOUBLE, "M", &m->mat));
}

static void assemble_mass(conf *c, const mass *m)
{
  OK(pl_par_loop(mass_tensor, m->cells, pl_arg_dat(m->coords, PL_ALL, m->corners, PL_READ),
                 pl_arg_mat(m->mat, m->corners, m->corners, PL_INC)));
}

static void case_mass(conf *c)
{
  mass m;
  open_mass(c, &m);
  CHECK(pl_mat_bytes(m.mat) == 0 && pl_mat_state_of(m.mat) == PL_MAT_ASSEMBLED);
  assemble_mass(c, &m);
  CHECK(pl_mat_state_of(m.mat) == PL_MAT_ADDING);
  OK(pl_mat_assemble(m.mat));
  CHECK(pl_mat_state_of(m.mat) == PL_MAT_ASSEMBLED);
  dense want = dense_of(mass_values, NODES, NODES);
  check_matrix(c, m.mat, m.nodes, 1, &want);
  pl_csr csr;
  OK(pl_sparsity_csr(m.sparsity, &csr));
  if (pl_ranks(c->pl) == 1) CHECK(csr.blocks == 14 && pl_mat_bytes(m.mat) == 112);
  OK(pl_par_loop(mass_ones, m.cells, pl_arg_mat(m.mat, m.corners, m.corners, PL_WRITE)));
  CHECK(pl_mat_state_of(m.mat) == PL_MAT_INSERTING);
  for (int i = 0; i < NODES * NODES; i++) want.value[i] = mass_values[i] != 0 ? 7 : 0;
  check_matrix(c, m.mat, m.nodes, 1, &want);
  assemble_mass(c, &m);
  for (int i = 0; i < NODES * NODES; i++) want.value[i] += mass_values[i];
  check_matrix(c, m.mat, m.nodes, 1, &want);
  free_dense(&want);
}

PL_KERNEL(mass_vector, (const double x[3][2], const double f[3], double b[3]), {
  double det = (x[1][0] - x[0][0]) * (x[2][1] - x[0][1]) - (x[2][0] - x[0][0]) * (x[1][1] - x[0][1]);
  double area = fabs(det) / 2;
  for (int i = 0; i < 3; i++) b[i] += area / 12 * (f[0] + f[1] + f[2] + f[i]);
})

/* This rank's values of a dat differ from `want` by at most `most`. */
static void check_near(conf *c, pl_set *set, pl_dat *dat, const double *want, double most)
{
  int n;
  int64_t *rows = own_rows(c, set, 1, &n);
  void *got;
  OK(pl_dat_get(dat, PL_READ, &got));
  for (int i = 0; i < n; i++) CHECK(fabs(((double *)got)[i] - want[rows[i]]) <= most);
  OK(pl_dat_put(dat));
  free(rows);
}

/* The solution of M x = b, where b is the right-hand side of f, is f. */
static void case_right_hand_side(conf *c)
{
  static const double values[] = {1, 2, 3, 4},
                      want[] = {0.9999999999999999, 1.3541666666666665, 0.25, 1.645833333333333};
  mass m;
  open_mass(c, &m);
  pl_dat *f = conf_dat(c, m.nodes, 1, PL_DOUBLE, values, "f"),
         *b = conf_dat(c, m.nodes, 1, PL_DOUBLE, NULL, "b"),
         *x = conf_dat(c, m.nodes, 1, PL_DOUBLE, NULL, "x");
  OK(pl_par_loop(mass_vector, m.cells, pl_arg_dat(m.coords, PL_ALL, m.corners, PL_READ),
                 pl_arg_dat(f, PL_ALL, m.corners, PL_READ), pl_arg_dat(b, PL_ALL, m.corners, PL_INC)));
  check_near(c, m.nodes, b, want, 1e-12);
  assemble_mass(c, &m);
  OK(pl_mat_multiply(m.mat, f, x));
  check_near(c, m.nodes, x, want, 1e-12);
  OK(pl_solve(m.mat, x, b, &(pl_solver_options){.rtol = 1e-14}));
  check_near(c, m.nodes, x, values, 1e-8);
}

/* A loop object modifies its matrix in each run. */
static void case_matrix_states(conf *c)
{
  mass m;
  pl_loop *loop = NULL;
  open_mass(c, &m);
  OK(pl_loop_create(&loop, mass_tensor, m.cells, pl_arg_dat(m.coords, PL_ALL, m.corners, PL_READ),
                    pl_arg_mat(m.mat, m.corners, m.corners, PL_INC)));
  for (int round = 0; round < 2; round++) {
    CHECK(pl_mat_state_of(m.mat) == PL_MAT_ASSEMBLED);
    OK(pl_loop_run(loop));
    CHECK(pl_mat_state_of(m.mat) == PL_MAT_ADDING);
    OK(pl_mat_assemble(m.mat));
  }
  pl_loop_free(&loop);
}

static void case_whole_matrices(conf *c)
{
  mass m;
  pl_mat *other = NULL;
  double norm, sum = 0;
  open_mass(c, &m);
  OK(pl_decl_mat(m.sparsity, PL_DOUBLE, "B", &other));
  assemble_mass(c, &m);
  OK(pl_mat_copy(m.mat, other));
  OK(pl_mat_scale(4.0, other));
  OK(pl_mat_axpy(-1.0, m.mat, other));
  dense want = dense_of(mass_values, NODES, NODES);
  for (int i = 0; i < NODES * NODES; i++) want.value[i] *= 3;
  check_matrix(c, other, m.nodes, 1, &want);
  for (int i = 0; i < NODES * NODES; i++) sum += mass_values[i] * mass_values[i];
  OK(pl_mat_norm(m.mat, &norm));
  CLOSE(norm * norm, sum);
  OK(pl_mat_zero(other));
  OK(pl_mat_norm(other, &norm));
  CHECK(norm == 0);
  free_dense(&want);
}

/* y = A x, or A^T x, for the random matrix of a pair of maps, in integers. */
static void try_product(conf *c, int height, int width, bool transposed)
{
  pl_err (*const multiply)(pl_mat *, pl_dat *, pl_dat *) =
    transposed ? pl_mat_multiply_transposed : pl_mat_multiply;
  static const int arity[2] = {3, 2};
  const int block[2] = {height, width}, sizes[2] = {1 + conf_below(c, 40), 1 + conf_below(c, 40)};
  const int from = transposed ? 0 : 1, to = 1 - from;
  pl_set *const set[2] = {conf_set(c, sizes[0], "rows"), conf_set(c, sizes[1], "columns")};
  pair p;
  random_pair(c, &p, arity, sizes, set);
  dense want = new_dense(sizes[0] * height, sizes[1] * width);
  for (int e = 0; e < p.n; e++) add_dense(&want, &p, block, e);
  const int nx = sizes[from] * block[from], ny = sizes[to] * block[to];
  double *x = calloc((size_t)nx, sizeof *x), *y = calloc((size_t)ny, sizeof *y);
  for (int i = 0; i < nx; i++) x[i] = conf_below(c, 10) - 4;
  for (int k = 0; k < want.rows * want.columns; k++) {
    const int i[2] = {k / want.columns, k % want.columns};
    y[i[to]] += want.value[k] * x[i[from]];
  }
  pl_dat *dx = conf_dat(c, set[from], block[from], PL_DOUBLE, x, "x"),
         *dy = conf_dat(c, set[to], block[to], PL_DOUBLE, NULL, "y");
  pl_sparsity *sparsity = NULL;
  pl_mat *mat = NULL;
  OK(pl_decl_sparsity(set[0], height, set[1], width, 1, &(pl_map_pair){p.map[0], p.map[1]}, "pattern",
                      &sparsity));
  OK(pl_decl_mat(sparsity, PL_DOUBLE, "A", &mat));
  assemble(c, mat, &p, block, true, true, p.set);
  for (int round = 0; round < 4; round++) { /* devices copy the values once two products had the same */
    OK(multiply(mat, dx, dy));
    SAME(dy, y);
    OK(round == 1 ? pl_mat_scale(2.0, mat) : pl_dat_scale(2.0, dx));
    for (int i = 0; i < ny; i++) y[i] *= 2;
  }
  FAILS(multiply(mat, dy, dx), PL_ERR_TYPE,
        transposed ? "pl_mat_multiply_transposed:" : "pl_mat_multiply:", "\"y\"", "\"A\"");
  free(x), free(y), free_pair(&p), free_dense(&want);
}

static void case_transposed(conf *c)
{
  try_product(c, 1, 1, true);
  try_product(c, 2, 3, true);
}

/* Three vectors at once. Dats are declared first: a matrix fixes the order of the nodes. */
static void case_vectors(conf *c)
{
  enum { V = 3, DIM = 2, ONE = NODES * DIM };
  static int corners[] = {0, 1, 3, 2, 3, 1};
  static double weights[] = {2, 5};
  const int block[2] = {DIM, DIM};
  mass m;
  double x[V * ONE], y[2][V * ONE] = {{0}};
  open_mass(c, &m);
  const pair p = {CELLS, {3, 3}, {corners, corners}, weights, m.cells, {m.corners, m.corners}, NULL};
  dense want = new_dense(ONE, ONE);
  for (int e = 0; e < CELLS; e++) add_dense(&want, &p, block, e);
  for (int i = 0; i < V * ONE; i++) x[i] = (i * 7) % 11 - 4;
  for (int k = 0; k < V * ONE * ONE; k++) {
    const int v = k / (ONE * ONE), i = k / ONE % ONE, j = k % ONE;
    const int to = i / DIM * DIM * V + v * DIM + i % DIM, from = j / DIM * DIM * V + v * DIM + j % DIM;
    y[0][to] += want.value[i * ONE + j] * x[from];
    y[1][from] += want.value[i * ONE + j] * x[to];
  }
  pl_dat *all = conf_dat(c, m.nodes, DIM * V, PL_DOUBLE, x, "all"),
         *result = conf_dat(c, m.nodes, DIM * V, PL_DOUBLE, NULL, "result"),
         *odd = conf_dat(c, m.nodes, DIM * V - 1, PL_DOUBLE, NULL, "odd"),
         *weight = conf_dat(c, m.cells, 1, PL_DOUBLE, weights, "weight");
  const pl_map_pair pair = {m.corners, m.corners};
  pl_sparsity *sparsity = NULL;
  pl_mat *mat = NULL;
  OK(pl_decl_sparsity(m.nodes, DIM, m.nodes, DIM, 1, &pair, "blocks", &sparsity));
  OK(pl_decl_mat(sparsity, PL_DOUBLE, "B", &mat));
  OK(pl_par_loop(tensor_kernel(c, 3 * DIM, 3 * DIM, true), m.cells, DIRECT(weight, PL_READ),
                 pl_arg_mat(mat, m.corners, m.corners, PL_INC)));
  for (int t = 0; t < 2; t++) {
    pl_err (*const multiply)(pl_mat *, pl_dat *, pl_dat *) = t ? pl_mat_multiply_transposed : pl_mat_multiply;
    OK(multiply(mat, all, result));
    SAME(result, y[t]);
    FAILS(multiply(mat, all, odd), PL_ERR_TYPE, "\"odd\"");
    FAILS(multiply(mat, odd, all), PL_ERR_TYPE, "\"odd\"");
  }
  free_dense(&want);
}

/* Columns so far apart that 16 bits do not hold their distance, on the first rank if there are several; a row
 * without entries. */
static void try_distant_columns(conf *c)
{
  const int count = 70000 * pl_ranks(c->pl), row[] = {0, 2}, column[] = {0, 35000, 69999, 5, 5, 5};
  const double want[] = {2 * 35000 + 3 * 69999, 0, 4 * 6 * 5};
  double *x = calloc((size_t)count, sizeof *x);
  for (int j = 0; j < count; j++) x[j] = j;
  pl_set *elements = conf_set(c, 2, "elements"), *rows = conf_set(c, 3, "rows"),
         *columns = conf_set(c, count, "columns");
  pl_map *to_rows = conf_map(c, elements, rows, 1, row, "to_rows"),
         *to_columns = conf_map(c, elements, columns, 3, column, "to_columns");
  pl_dat *dx = conf_dat(c, columns, 1, PL_DOUBLE, x, "x"), *dy = conf_dat(c, rows, 1, PL_DOUBLE, NULL, "y"),
         *weight = conf_dat(c, elements, 1, PL_DOUBLE, (double[]){1, 4}, "weight");
  pl_sparsity *sparsity = NULL;
  pl_mat *mat = NULL;
  OK(pl_decl_sparsity(rows, 1, columns, 1, 1, &(pl_map_pair){to_rows, to_columns}, "pattern", &sparsity));
  OK(pl_decl_mat(sparsity, PL_DOUBLE, "A", &mat));
  OK(pl_par_loop(conf_source(c, "ones",
                             "void ones(const double *w, double A[1][3]) { for (int j = 0; j < 3; j++) "
                             "A[0][j] += w[0] * (1 + j); }",
                             NULL),
                 elements, DIRECT(weight, PL_READ), pl_arg_mat(mat, to_rows, to_columns, PL_INC)));
  for (int round = 0; round < 2; round++) {
    OK(pl_mat_multiply(mat, dx, dy));
    SAME(dy, want);
  }
  free(x);
}

static void case_product(conf *c)
{
  try_distant_columns(c);
  for (int k = 0; k < 2; k++) {
    try_product(c, 1, 1, false);
    try_product(c, 2, 3, false);
  }
}

/* Product number `failing` of a matrix, of those before without failures, while all allocations from the n-th
 * on fail; false if there are fewer. The next product succeeds. */
static bool fail_product(conf *c, int failing, long n)
{
  static const double values[] = {1, 2, 3, 4},
                      want[] = {0.9999999999999999, 1.3541666666666665, 0.25, 1.645833333333333};
  mass m;
  open_mass(c, &m);
  assemble_mass(c, &m);
  pl_dat *x = conf_dat(c, m.nodes, 1, PL_DOUBLE, values, "x"),
         *y = conf_dat(c, m.nodes, 1, PL_DOUBLE, NULL, "y");
  for (int k = 0; k < failing; k++) OK(pl_mat_multiply(m.mat, x, y));
  c->fail_at = c->asked + n;
  const pl_err err = pl_mat_multiply(m.mat, x, y);
  const bool failed = c->asked >= c->fail_at;
  c->fail_at = 0;
  CHECK(failed ? err == PL_ERR_MEMORY : !err);
  for (int k = 0; k < 2; k++) {
    OK(pl_mat_multiply(m.mat, x, y));
    check_near(c, m.nodes, y, want, 1e-12);
  }
  pl_mat_free(&m.mat);
  pl_sparsity_free(&m.sparsity);
  return failed;
}

/* The first product makes columns of 16 bits on hosts, the second one slices on devices. */
static void case_product_without_memory(conf *c)
{
  if (c->fail_at) return; /* --fail-at */
  for (int failing = 0; failing < 2; failing++)
    for (long n = 1; fail_product(c, failing, n); n++) continue;
}

/* The diagonals of blocks of 2 x 2. */
static void case_block_diagonal(conf *c)
{
  static const int some[] = {0, 2};
  static const double diagonal[] = {1, 2, 3, 4, 5, 6, 7, 8}, rows[] = {9, 9, 3, 4, 9, 9, 7, 8};
  mass m;
  open_mass(c, &m);
  const pl_map_pair pair = {m.corners, m.corners};
  pl_dat *dat = conf_dat(c, m.nodes, 2, PL_DOUBLE, diagonal, "two"),
         *got = conf_dat(c, m.nodes, 2, PL_DOUBLE, NULL, "got");
  pl_set *subset = conf_subset(c, m.nodes, 2, some);
  pl_sparsity *sparsity = NULL;
  pl_mat *mat = NULL;
  OK(pl_decl_sparsity(m.nodes, 2, m.nodes, 2, 1, &pair, "blocks", &sparsity));
  OK(pl_decl_mat(sparsity, PL_DOUBLE, "B", &mat));
  OK(pl_mat_set_diagonal(mat, dat));
  OK(pl_mat_zero_rows(mat, subset, 9.0));
  OK(pl_mat_get_diagonal(mat, got));
  SAME(got, rows);
  dense want = new_dense(2 * NODES, 2 * NODES);
  for (int i = 0; i < 2 * NODES; i++) want.value[i * 2 * NODES + i] = rows[i];
  check_matrix(c, mat, m.nodes, 2, &want);
  free_dense(&want);
}

static void case_rows_and_diagonal(conf *c)
{
  static const int some[] = {0, 2};
  static const double diagonal[] = {1, 4, 9, 16};
  mass m;
  open_mass(c, &m);
  pl_dat *dat = conf_dat(c, m.nodes, 1, PL_DOUBLE, diagonal, "diagonal"),
         *got = conf_dat(c, m.nodes, 1, PL_DOUBLE, NULL, "got");
  pl_set *subset = conf_subset(c, m.nodes, 2, some);
  assemble_mass(c, &m);
  OK(pl_mat_zero_rows(m.mat, subset, 12.0));
  dense want = dense_of(mass_values, NODES, NODES);
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < NODES; j++) want.value[some[i] * NODES + j] = some[i] == j ? 12 : 0;
  check_matrix(c, m.mat, m.nodes, 1, &want);
  OK(pl_mat_set_diagonal(m.mat, dat));
  for (int i = 0; i < NODES; i++) want.value[i * NODES + i] = diagonal[i];
  check_matrix(c, m.mat, m.nodes, 1, &want);
  OK(pl_mat_get_diagonal(m.mat, got));
  SAME(got, diagonal);
  OK(pl_mat_zero_rows(m.mat, m.nodes, 4.0));
  for (int i = 0; i < NODES * NODES; i++) want.value[i] = i % (NODES + 1) ? 0 : 4;
  check_matrix(c, m.mat, m.nodes, 1, &want);
  free_dense(&want);
}

static void case_single_values(conf *c)
{
  static const int64_t columns[] = {0, 1, -1};
  mass m;
  open_mass(c, &m);
  dense want = new_dense(NODES, NODES);
  int n;
  int64_t *rows = own_rows(c, m.nodes, 1, &n), absent = 0;
  double values[] = {1.5, 2.5, 99};
  for (int i = 0; i < n; i++)
    if (rows[i] == 1) absent = 1; /* the rank that owns row 1 */
  const int64_t row = 1;
  OK(pl_mat_set(m.mat, (int)absent, &row, 3, columns, values));
  CHECK(pl_mat_state_of(m.mat) == PL_MAT_INSERTING);
  OK(pl_mat_add(m.mat, (int)absent, &row, 3, columns, values));
  CHECK(pl_mat_state_of(m.mat) == PL_MAT_ADDING);
  want.value[NODES] = 3.0;
  want.value[NODES + 1] = 5.0;
  check_matrix(c, m.mat, m.nodes, 1, &want);
  const int64_t far = 1000000;
  FAILS(pl_mat_add(m.mat, 1, &far, 1, columns, values), PL_ERR_RANGE, "\"M\"", "row 1000000");
  if (pl_ranks(c->pl) == 1) {
    const int64_t two = 2, zero = 0;
    FAILS(pl_mat_add(m.mat, 1, &zero, 1, &two, values), PL_ERR_RANGE, "\"M\"", "row 0", "column 2");
  }
  free(rows);
  free_dense(&want);
}

PL_KERNEL(mass_wrong, (const double x[3][2], double A[3][2]), { A[0][0] += x[0][0]; })

static void case_matrix_errors(conf *c)
{
  static const int one[] = {0, 1, 2, 3};
  mass m;
  open_mass(c, &m);
  pl_map *self = conf_map(c, m.nodes, m.nodes, 1, one, "self");
  pl_map *loose = conf_map(c, m.cells, m.nodes, 2, (int[]){0, 2, 0, 2}, "loose");
  pl_mat *bad = NULL;
  FAILS(pl_decl_mat(m.sparsity, PL_INT32, "bad", &bad), PL_ERR_TYPE, "\"bad\"", "int32_t");
  static const pl_access refused[] = {PL_READ, PL_RW, PL_MIN, PL_MAX};
  for (int k = 0; k < 4; k++)
    FAILS(pl_par_loop(mass_tensor, m.cells, pl_arg_dat(m.coords, PL_ALL, m.corners, PL_READ),
                      pl_arg_mat(m.mat, m.corners, m.corners, refused[k])),
          PL_ERR_ACCESS, "mass_tensor", "argument 2", "matrix \"M\"", "PL_INC or PL_WRITE");
  FAILS(pl_par_loop(mass_tensor, m.cells, pl_arg_dat(m.coords, PL_ALL, m.corners, PL_READ),
                    pl_arg_mat(m.mat, self, self, PL_INC)),
        PL_ERR_ARG, "argument 2", "matrix \"M\"", "start from the set");
  FAILS(pl_par_loop(mass_tensor, m.cells, pl_arg_dat(m.coords, PL_ALL, m.corners, PL_READ),
                    pl_arg_mat(m.mat, m.corners, NULL, PL_INC)),
        PL_ERR_ARG, "argument 2", "map of columns");
  FAILS(pl_par_loop(mass_wrong, m.cells, pl_arg_dat(m.coords, PL_ALL, m.corners, PL_READ),
                    pl_arg_mat(m.mat, m.corners, m.corners, PL_INC)),
        PL_ERR_KERNEL, "\"mass_wrong\"", "parameter 2", "matrix \"M\"", "3 x 3");
  if (pl_ranks(c->pl) == 1)
    FAILS(pl_par_loop(mass_tensor, m.cells, pl_arg_dat(m.coords, PL_ALL, m.corners, PL_READ),
                      pl_arg_mat(m.mat, loose, loose, PL_INC)),
          PL_ERR_RANGE, "\"loose\"", "no such entry");
  FAILS(pl_renumber(c->pl, PL_RENUMBER_RCM, m.corners, NULL), PL_ERR_STATE, "renumbering", "matrix");
  if (pl_ranks(c->pl) > 1) FAILS(pl_partition(m.nodes, PL_PARTITION_RANDOM, NULL), PL_ERR_STATE, "matrix");
}

const conf_case conf_matrix[] = {
  {"matrix: mass matrix", "P27", case_mass, CONF_MATRIX | CONF_RANKS},
  {"matrix: right-hand side and solution", "P27, P30", case_right_hand_side, CONF_RANKS},
  {"matrix: states", "P27", case_matrix_states, CONF_RANKS},
  {"matrix: whole matrices", "P27", case_whole_matrices, CONF_RANKS},
  {"matrix: transposed product", "P27", case_transposed, CONF_MATRIX | CONF_RANKS | CONF_NEEDS_JIT},
  {"matrix: several vectors", "P27", case_vectors, CONF_RANKS | CONF_NEEDS_JIT},
  {"matrix: product without memory", "P27", case_product_without_memory, CONF_NEEDS_JIT | CONF_EAGER},
  {"matrix: product", "P27", case_product, CONF_MATRIX | CONF_RANKS | CONF_NEEDS_JIT},
  {"matrix: rows and diagonal", "P27", case_rows_and_diagonal, CONF_RANKS},
  {"matrix: block diagonal", "P27", case_block_diagonal, CONF_RANKS},
  {"matrix: single values", "P27", case_single_values, CONF_RANKS},
  {"matrix: errors", "P27", case_matrix_errors, CONF_RANKS | CONF_EAGER},
  {NULL, NULL, NULL, 0}};

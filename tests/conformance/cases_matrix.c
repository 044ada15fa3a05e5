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

static void try_shape(conf *c, const shape *s, bool square)
{
  const int sizes[2] = {1 + conf_below(c, 40), square ? 0 : 1 + conf_below(c, 40)};
  pl_set *rows = conf_set(c, sizes[0], "rows"), *columns = square ? rows : conf_set(c, sizes[1], "columns");
  const int used[2] = {sizes[0], square ? sizes[0] : sizes[1]};
  pl_set *const to[2] = {rows, columns};
  pair p[2];
  for (int k = 0; k < 2; k++) random_pair(c, &p[k], s->arity[k], used, to);
  int some[64], n = 0;
  for (int e = 0; e < p[0].n; e += 3) some[n++] = e;
  pl_set *subset = conf_subset(c, p[0].set, n, some);
  dense want = new_dense(used[0] * s->block[0], used[1] * s->block[1]);
  for (int k = 0; k < 2; k++)
    for (int e = 0; e < p[k].n; e++) add_dense(&want, &p[k], s->block, e, true);
  for (int i = 0; i < n; i++) add_dense(&want, &p[0], s->block, some[i], true);
  const pl_map_pair pairs[] = {{p[0].map[0], p[0].map[1]}, {p[1].map[0], p[1].map[1]}};
  pl_sparsity *sparsity = NULL, *same = NULL;
  pl_mat *mat = NULL;
  OK(pl_decl_sparsity(rows, s->block[0], columns, s->block[1], 2, pairs, "pattern", &sparsity));
  OK(pl_decl_sparsity(rows, s->block[0], columns, s->block[1], 2, pairs, "again", &same));
  CHECK(same == sparsity);
  OK(pl_decl_mat(sparsity, PL_DOUBLE, "A", &mat));
  pl_sparsity_free(&same);
  pl_sparsity_free(&sparsity);
  for (int round = 0; round < 2; round++) {
    if (!round) OK(pl_mat_zero(mat));
    assemble(c, mat, &p[0], s->block, round, round, p[0].set);
    assemble(c, mat, &p[1], s->block, false, false, p[1].set);
    assemble(c, mat, &p[0], s->block, round, false, subset);
    check_matrix(c, mat, rows, s->block[0], &want);
  }
  pl_mat_free(&mat);
  for (int k = 0; k < 2; k++) free_pair(&p[k]);
  free_dense(&want);
}

static void case_random_assembly(conf *c)
{
  static const shape shapes[] = {{{{3, 3}, {2, 2}}, {1, 1}},
                                 {{{3, 2}, {1, 3}}, {1, 1}},
                                 {{{2, 2}, {3, 1}}, {2, 1}},
                                 {{{3, 3}, {1, 2}}, {2, 2}}}; /* a tensor of more than 16 values */
  const int seeds = getenv("PLAIT_TEST_ALL_CASES") ? 125 : 2;
  for (int seed = 0; seed < seeds; seed++)
    for (int k = 0; k < 4; k++) try_shape(c, &shapes[k], (k == 0 || k == 3) && seed % 2 == 0);
}

/* ---- blocks of two spaces: one matrix for each block, all assembled by one loop ---- */

PL_KERNEL(block_tensors,
          (const double c[1], const double v[2][1], double A[1][1], double B[1][2], double C[2][1],
           double D[2][2]),
          {
            A[0][0] += c[0] * c[0];
            for (int i = 0; i < 2; i++) {
              B[0][i] += c[0] * v[i][0];
              C[i][0] += v[i][0] * c[0];
              for (int j = 0; j < 2; j++) D[i][j] += v[i][0] * v[j][0];
            }
          })

static pl_mat *new_block(conf *c, pl_set *rows, pl_map *to_rows, pl_set *columns, pl_map *to_columns)
{
  const pl_map_pair pair = {to_rows, to_columns};
  pl_sparsity *sparsity = NULL;
  pl_mat *mat = NULL;
  OK(pl_decl_sparsity(rows, 1, columns, 1, 1, &pair, "block", &sparsity));
  OK(pl_decl_mat(sparsity, PL_DOUBLE, "block", &mat));
  pl_sparsity_free(&sparsity);
  return mat;
}

static void case_blocks(conf *c)
{
  static const int same[] = {0, 1, 2}, ends[] = {0, 1, 1, 2, 2, 3};
  static const double values[] = {1, 2, 3, 4},
                      block[4][16] = {{1, 0, 0, 0, 4, 0, 0, 0, 9},
                                      {1, 2, 0, 0, 0, 4, 6, 0, 0, 0, 9, 12},
                                      {1, 0, 0, 2, 4, 0, 0, 6, 9, 0, 0, 12},
                                      {1, 2, 0, 0, 2, 8, 6, 0, 0, 6, 18, 12, 0, 0, 12, 16}};
  static const double product[2][4] = {{6, 34, 102}, {6, 46, 153, 136}};
  pl_set *lines = conf_set(c, 3, "lines"), *set[] = {conf_set(c, 3, "pressures"), conf_set(c, 4, "nodes")};
  pl_map *map[] = {conf_map(c, lines, set[0], 1, same, "own"), conf_map(c, lines, set[1], 2, ends, "ends")};
  pl_dat *x[2], *y[2], *z[2];
  for (int i = 0; i < 2; i++) {
    x[i] = conf_dat(c, set[i], 1, PL_DOUBLE, values, "x");
    y[i] = conf_dat(c, set[i], 1, PL_DOUBLE, NULL, "y");
    z[i] = conf_dat(c, set[i], 1, PL_DOUBLE, NULL, "z");
  }
  pl_mat *mat[4];
  for (int k = 0; k < 4; k++) mat[k] = new_block(c, set[k / 2], map[k / 2], set[k % 2], map[k % 2]);
  OK(pl_par_loop(block_tensors, lines, pl_arg_dat(x[0], 0, map[0], PL_READ),
                 pl_arg_dat(x[1], PL_ALL, map[1], PL_READ), pl_arg_mat(mat[0], map[0], map[0], PL_INC),
                 pl_arg_mat(mat[1], map[0], map[1], PL_INC), pl_arg_mat(mat[2], map[1], map[0], PL_INC),
                 pl_arg_mat(mat[3], map[1], map[1], PL_INC)));
  for (int k = 0; k < 4; k++) {
    dense want = dense_of(block[k], k / 2 ? 4 : 3, k % 2 ? 4 : 3);
    check_matrix(c, mat[k], set[k / 2], 1, &want);
    free_dense(&want);
  }
  for (int i = 0; i < 2; i++) {
    OK(pl_mat_multiply(mat[2 * i], x[0], y[i]));
    OK(pl_mat_multiply(mat[2 * i + 1], x[1], z[i]));
    OK(pl_dat_axpy(1.0, z[i], y[i]));
    SAME(y[i], product[i]);
  }
}

/* An unknown that all elements share is a set of one element, as a mean value or a multiplier needs. */
PL_KERNEL(shared_tensors, (double a[1], double sum[1], double row[1], double corner[1]), {
  a[0] += 1;
  sum[0] += 1;
  row[0] += 2;
  corner[0] += 1;
})

static void case_shared_unknown(conf *c)
{
  enum { MANY = 4096 };
  static int same[MANY], zeros[MANY];
  static double ones[MANY], numbers[MANY];
  const double many = MANY, twice = (MANY - 1.0) * MANY; /* the sum of numbers, times 2 */
  for (int i = 0; i < MANY; i++) same[i] = i, ones[i] = 1, numbers[i] = i;
  pl_set *cells = conf_set(c, MANY, "cells"), *nodes = conf_set(c, MANY, "nodes"),
         *one = conf_set(c, 1, "one");
  pl_map *own = conf_map(c, cells, nodes, 1, same, "own"),
         *shared = conf_map(c, cells, one, 1, zeros, "shared");
  pl_dat *x = conf_dat(c, nodes, 1, PL_DOUBLE, numbers, "x"),
         *a = conf_dat(c, nodes, 1, PL_DOUBLE, NULL, "a"), *sum = conf_dat(c, one, 1, PL_DOUBLE, NULL, "sum"),
         *y = conf_dat(c, one, 1, PL_DOUBLE, NULL, "y"), *z = conf_dat(c, one, 1, PL_DOUBLE, NULL, "z");
  pl_mat *row = new_block(c, one, shared, nodes, own), *corner = new_block(c, one, shared, one, shared);
  OK(pl_par_loop(shared_tensors, cells, pl_arg_dat(a, 0, own, PL_INC), pl_arg_dat(sum, 0, shared, PL_INC),
                 pl_arg_mat(row, shared, own, PL_INC), pl_arg_mat(corner, shared, shared, PL_INC)));
  SAME(a, ones);
  SAME(sum, &many);
  OK(pl_mat_multiply(row, x, y));
  SAME(y, &twice);
  OK(pl_mat_get_diagonal(corner, z));
  SAME(z, &many);
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

/* Columns so far apart that 16 bits do not hold their distance; a row without entries. */
static void try_distant_columns(conf *c)
{
  enum { COLUMNS = 70000 };
  static const int row[] = {0, 2}, column[] = {0, COLUMNS - 1, 5, 5};
  const double want[] = {2 * (COLUMNS - 1), 0, 60};
  double *x = calloc(COLUMNS, sizeof *x);
  for (int j = 0; j < COLUMNS; j++) x[j] = j;
  pl_set *elements = conf_set(c, 2, "elements"), *rows = conf_set(c, 3, "rows"),
         *columns = conf_set(c, COLUMNS, "columns");
  pl_map *to_rows = conf_map(c, elements, rows, 1, row, "to_rows"),
         *to_columns = conf_map(c, elements, columns, 2, column, "to_columns");
  pl_dat *dx = conf_dat(c, columns, 1, PL_DOUBLE, x, "x"), *dy = conf_dat(c, rows, 1, PL_DOUBLE, NULL, "y"),
         *weight = conf_dat(c, elements, 1, PL_DOUBLE, (double[]){1, 4}, "weight");
  pl_sparsity *sparsity = NULL;
  pl_mat *mat = NULL;
  OK(pl_decl_sparsity(rows, 1, columns, 1, 1, &(pl_map_pair){to_rows, to_columns}, "pattern", &sparsity));
  OK(pl_decl_mat(sparsity, PL_DOUBLE, "A", &mat));
  OK(pl_par_loop(conf_source(c, "ones",
                             "void ones(const double *w, double A[1][2]) { A[0][0] += w[0]; A[0][1] += "
                             "w[0] * 2; }",
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
  {"matrix: blocks of two spaces", "P28", case_blocks, CONF_RANKS},
  {"matrix: an unknown that all elements share", "P07, P08", case_shared_unknown, CONF_RANKS},
  {"matrix: states", "P27", case_matrix_states, CONF_RANKS},
  {"matrix: whole matrices", "P27", case_whole_matrices, CONF_RANKS},
  {"matrix: transposed product", "P27", case_transposed, CONF_MATRIX | CONF_RANKS | CONF_NEEDS_JIT},
  {"matrix: several vectors", "P27", case_vectors, CONF_RANKS | CONF_NEEDS_JIT},
  {"matrix: product", "P27", case_product, CONF_MATRIX | CONF_RANKS | CONF_NEEDS_JIT},
  {"matrix: rows and diagonal", "P27", case_rows_and_diagonal, CONF_RANKS},
  {"matrix: block diagonal", "P27", case_block_diagonal, CONF_RANKS},
  {"matrix: single values", "P27", case_single_values, CONF_RANKS},
  {"matrix: errors", "P27", case_matrix_errors, CONF_RANKS | CONF_EAGER},
  {NULL, NULL, NULL, 0}};

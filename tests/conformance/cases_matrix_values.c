/* SPDX-License-Identifier: BSD-2-Clause
 * Sparsities and matrices with known values: entries of each row, diagonals, values set and added one by
 * one, loops that write, subsets.
 */
#include "matrices.h"
#include <stdlib.h>

static pl_sparsity *new_sparsity(conf *c, pl_set *rows, pl_map *to_rows, pl_set *columns, pl_map *to_columns)
{
  pl_sparsity *sparsity = NULL;
  OK(pl_decl_sparsity(rows, 1, columns, 1, 1, &(pl_map_pair){to_rows, to_columns}, "pattern", &sparsity));
  return sparsity;
}

static pl_mat *new_matrix(conf *c, pl_set *rows, pl_map *to_rows, pl_set *columns, pl_map *to_columns)
{
  pl_sparsity *sparsity = new_sparsity(c, rows, to_rows, columns, to_columns);
  pl_mat *mat = NULL;
  OK(pl_decl_mat(sparsity, PL_DOUBLE, "A", &mat));
  pl_sparsity_free(&sparsity);
  return mat;
}

/* ---- patterns ---- */

/* Row i, by its global index, has want[i] entries. */
static void check_counts(conf *c, pl_sparsity *sparsity, const int *want)
{
  pl_csr csr;
  OK(pl_sparsity_csr(sparsity, &csr));
  for (int r = 0; r < csr.rows; r++)
    CHECK(csr.offset[r + 1] - csr.offset[r] == want[csr.row_index ? csr.row_index[r] : r]);
}

/* A row has its diagonal although no element couples it, unless rows and columns are different sets. */
static void case_diagonal_space(conf *c)
{
  static const int two[] = {1, 3}, three[] = {1, 2, 3};
  pl_set *one = conf_set(c, 1, "one"), *d = conf_set(c, 4, "d"), *e = conf_set(c, 4, "e");
  pl_map *to_d = conf_map(c, one, d, 2, two, "to_d"), *to_e = conf_map(c, one, e, 3, three, "to_e");
  const pl_map_pair twice[] = {{to_d, to_d}, {to_d, to_d}};
  pl_sparsity *repeated = NULL;
  pl_mat *mat = new_matrix(c, d, to_d, e, to_e);
  pl_dat *diagonal = conf_dat(c, d, 1, PL_DOUBLE, NULL, "diagonal");
  check_counts(c, new_sparsity(c, d, to_d, d, to_d), (int[]){1, 2, 1, 2});
  check_counts(c, new_sparsity(c, d, to_d, e, to_e), (int[]){0, 3, 0, 3});
  OK(pl_decl_sparsity(d, 1, d, 1, 2, twice, "twice", &repeated));
  check_counts(c, repeated, (int[]){1, 2, 1, 2});
  FAILS(pl_mat_get_diagonal(mat, diagonal), PL_ERR_STATE, "\"A\"", "diagonal");
}

/* Lines of two meshes, one of which is a part of the other; entries without a target couple nothing. */
static void case_two_meshes(conf *c)
{
  static const int ends[] = {0, 1, 1, 2, 2, 3}, whole[] = {1, 2}, part[] = {-1, 0, 1};
  pl_set *lines[] = {conf_set(c, 3, "lines"), conf_set(c, 2, "inner")},
         *nodes[] = {conf_set(c, 4, "nodes"), conf_set(c, 3, "inner_nodes")};
  pl_map *end[] = {conf_map(c, lines[0], nodes[0], 2, ends, "ends"),
                   conf_map(c, lines[1], nodes[1], 2, ends, "inner_ends")},
         *other[] = {conf_map(c, lines[0], lines[1], 1, part, "inner_line"),
                     conf_map(c, lines[1], lines[0], 1, whole, "line")},
         *across[2];
  for (int k = 0; k < 2; k++) OK(pl_map_compose(end[1 - k], other[k], "across", &across[k]));
  check_counts(c, new_sparsity(c, nodes[0], end[0], nodes[1], across[0]), (int[]){0, 2, 3, 2});
  check_counts(c, new_sparsity(c, nodes[1], end[1], nodes[0], across[1]), (int[]){2, 3, 2});
}

static void case_map_without_indices(conf *c)
{
  pl_set *set = conf_set(c, 5, "set");
  pl_map *map = conf_map(c, set, set, 1, NULL, "empty");
  pl_csr csr;
  FAILS(pl_sparsity_csr(new_sparsity(c, set, map, set, map), &csr), PL_ERR_STATE, "\"empty\"",
        "without indices");
}

/* ---- values ---- */

static void case_identity(conf *c)
{
  static const int corners[] = {0, 1, 3, 2, 3, 1};
  static const double ones[] = {1, 1, 1, 1, 1, 1, 1, 1};
  pl_set *cells = conf_set(c, 2, "cells"), *nodes = conf_set(c, 4, "nodes");
  pl_map *map = conf_map(c, cells, nodes, 3, corners, "corners");
  pl_dat *dat[] = {conf_dat(c, nodes, 1, PL_DOUBLE, ones, "one"),
                   conf_dat(c, nodes, 2, PL_DOUBLE, ones, "two")};
  for (int n = 1; n <= 2; n++) {
    dense want = new_dense(4 * n, 4 * n);
    for (int i = 0; i < 4 * n; i++) want.value[i * 4 * n + i] = 1;
    pl_sparsity *sparsity = NULL;
    pl_mat *mat = NULL;
    OK(pl_decl_sparsity(nodes, n, nodes, n, 1, &(pl_map_pair){map, map}, "pattern", &sparsity));
    OK(pl_decl_mat(sparsity, PL_DOUBLE, "A", &mat));
    for (int round = 0; round < 2; round++) {
      OK(pl_mat_set_diagonal(mat, dat[n - 1]));
      check_matrix(c, mat, nodes, n, &want);
    }
    free_dense(&want);
  }
}

/* Sets (or adds) a value of the diagonal; the rank that owns the row names it. */
static void put(conf *c, pl_mat *mat, pl_set *set, bool add, int64_t row, double value)
{
  int n, mine = 0;
  int64_t *rows = own_rows(c, set, 1, &n);
  for (int i = 0; i < n; i++) mine += rows[i] == row;
  OK((add ? pl_mat_add : pl_mat_set)(mat, mine, &row, mine, &row, &value));
  free(rows);
}

/* Values that are set and added alternately, in two blocks of a mixed space. */
static void case_set_and_add(conf *c)
{
  static const int own[] = {0, 1, 2}, ends[] = {0, 1, 1, 2, 2, 3};
  pl_set *lines = conf_set(c, 3, "lines"), *set[] = {conf_set(c, 3, "p"), conf_set(c, 4, "u")};
  pl_map *map[] = {conf_map(c, lines, set[0], 1, own, "own"), conf_map(c, lines, set[1], 2, ends, "ends")};
  pl_mat *a[] = {new_matrix(c, set[0], map[0], set[0], map[0]),
                 new_matrix(c, set[1], map[1], set[1], map[1])};
  put(c, a[0], set[0], true, 0, 1);
  CHECK(pl_mat_state_of(a[0]) == PL_MAT_ADDING && pl_mat_state_of(a[1]) == PL_MAT_ASSEMBLED);
  put(c, a[1], set[1], true, 1, 3);
  put(c, a[1], set[1], false, 0, 2);
  CHECK(pl_mat_state_of(a[1]) == PL_MAT_INSERTING);
  put(c, a[0], set[0], false, 1, 4);
  put(c, a[1], set[1], true, 0, 3);
  for (int k = 0; k < 2; k++) {
    static const double want[2][16] = {{1, 0, 0, 0, 4, 0, 0, 0, 0}, {5, 0, 0, 0, 0, 3}};
    dense d = dense_of(want[k], 3 + k, 3 + k);
    check_matrix(c, a[k], set[k], 1, &d);
    free_dense(&d);
  }
}

/* ---- loops ---- */

PL_KERNEL(write_zero, (double A[1][1]), { A[0][0] = 0; })

/* A loop that writes zeros into a matrix of 128 rows. */
static void case_zeros(conf *c)
{
  enum { N = 128 };
  static int same[N];
  static double ones[N], zeros[N];
  for (int i = 0; i < N; i++) same[i] = i, ones[i] = 1;
  pl_set *set = conf_set(c, N, "set");
  pl_map *map = conf_map(c, set, set, 1, same, "same");
  pl_dat *diagonal = conf_dat(c, set, 1, PL_DOUBLE, ones, "diagonal");
  pl_mat *mat = new_matrix(c, set, map, set, map);
  OK(pl_mat_set_diagonal(mat, diagonal));
  OK(pl_par_loop(write_zero, set, pl_arg_mat(mat, map, map, PL_WRITE)));
  OK(pl_mat_get_diagonal(mat, diagonal));
  SAME(diagonal, zeros);
}

PL_KERNEL(add_one, (double A[3][3]), {
  for (int i = 0; i < 9; i++) A[i / 3][i % 3] += 1;
})
PL_KERNEL(write_one, (double A[3][3]), {
  for (int i = 0; i < 9; i++) A[i / 3][i % 3] = 1;
})

/* Two triangles with a common edge: nine values of each are added, but 14 entries are written. */
static void case_add_then_write(conf *c)
{
  static const int corners[] = {0, 1, 3, 2, 3, 1};
  static const double ones[] = {1, 1, 1, 1}, added[] = {3, 6, 3, 6}, written[] = {3, 4, 3, 4};
  pl_set *cells = conf_set(c, 2, "cells"), *nodes = conf_set(c, 4, "nodes");
  pl_map *map = conf_map(c, cells, nodes, 3, corners, "corners");
  pl_dat *one = conf_dat(c, nodes, 1, PL_DOUBLE, ones, "one"),
         *sum = conf_dat(c, nodes, 1, PL_DOUBLE, NULL, "sum");
  pl_mat *mat = new_matrix(c, nodes, map, nodes, map);
  pl_global *total = conf_global(c, 1, PL_DOUBLE, NULL, "total");
  for (int round = 0; round < 2; round++) {
    OK(pl_par_loop(round ? write_one : add_one, cells, pl_arg_mat(mat, map, map, round ? PL_WRITE : PL_INC)));
    OK(pl_mat_multiply(mat, one, sum));
    SAME(sum, round ? written : added);
    OK(pl_dat_inner(one, sum, total));
    SAME_GLOBAL(total, &(double){round ? 14 : 18});
  }
}

PL_KERNEL(number_values, (const double d[1], double A[4][4]), {
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) A[i][j] += d[0] * 16 + i * 4 + j;
})

/* A subset gives the same matrix in any order of its elements. */
static void case_subset_order(conf *c)
{
  static const int targets[] = {0, 1, 2, 3, 0, 1, 2, 3}, own[] = {0, 1}, order[][2] = {{0, 1}, {1, 0}};
  static const double numbers[] = {0, 1};
  pl_set *cells = conf_set(c, 2, "cells"), *other = conf_set(c, 2, "other"), *nodes = conf_set(c, 4, "nodes");
  pl_map *map = conf_map(c, cells, nodes, 4, targets, "targets"),
         *self = conf_map(c, cells, other, 1, own, "own");
  pl_dat *number = conf_dat(c, other, 1, PL_DOUBLE, numbers, "number");
  pl_set *over[3] = {cells};
  for (int k = 0; k < 2; k++) over[k + 1] = conf_subset(c, cells, 2, order[k]);
  dense want = new_dense(4, 4);
  for (int k = 0; k < 16; k++) want.value[k] = 16 + 2 * k;
  for (int k = 0; k < 3; k++) {
    pl_mat *mat = new_matrix(c, nodes, map, nodes, map);
    OK(pl_par_loop(number_values, over[k], pl_arg_dat(number, 0, self, PL_READ),
                   pl_arg_mat(mat, map, map, PL_INC)));
    check_matrix(c, mat, nodes, 1, &want);
  }
  free_dense(&want);
}

/* ---- zeros ---- */

/* What may happen between pl_mat_zero and the sums of the next loop. */
typedef struct zeros {
  pl_set *cells, *nodes, *none;
  pl_map *map;
  pl_mat *mat, *other;
  pl_dat *one, *sum;
  pl_loop *loop;
} zeros;

static void add_tensors(conf *c, const zeros *z)
{
  OK(pl_par_loop(add_one, z->cells, pl_arg_mat(z->mat, z->map, z->map, PL_INC)));
}

PL_KERNEL(add_both, (double A[3][3], double B[3][3]), {
  for (int i = 0; i < 9; i++) A[i / 3][i % 3] += 1, B[i / 3][i % 3] += 2;
})

/* Changes or reads the matrix in way k; returns how many tensors of ones were added, -1 past the last way. */
static int use_zeros(conf *c, const zeros *z, int k)
{
  static const double none[4];
  pl_dat *values = NULL;
  double norm = 1;
  void *view;
  switch (k) {
  case 0: /* nothing */
    return 0;
  case 1:
    add_tensors(c, z);
    return 1;
  case 2:
    OK(pl_mat_norm(z->mat, &norm));
    CHECK(norm == 0);
    return 0;
  case 3:
    OK(pl_mat_multiply(z->mat, z->one, z->sum));
    SAME(z->sum, none);
    return 0;
  case 4:
    OK(pl_mat_zero(z->mat));
    OK(pl_mat_axpy(1, z->other, z->mat)); /* `other` has one tensor */
    return 1;
  case 5:
    OK(pl_mat_copy(z->mat, z->other));
    OK(pl_mat_norm(z->other, &norm));
    CHECK(norm == 0);
    OK(pl_par_loop(add_one, z->cells, pl_arg_mat(z->other, z->map, z->map, PL_INC)));
    return 0;
  case 6: /* the handle was made before */
    OK(pl_loop_run(z->loop));
    return 1;
  case 7: /* one matrix in two arguments */
    OK(pl_par_loop(add_both, z->cells, pl_arg_mat(z->mat, z->map, z->map, PL_INC),
                   pl_arg_mat(z->mat, z->map, z->map, PL_INC)));
    return 3;
  case 8:
    OK(pl_mat_values(z->mat, &values));
    OK(pl_dat_get(values, PL_READ, &view));
    for (int64_t i = 0; i < pl_set_size(pl_dat_set(values)); i++) CHECK(((double *)view)[i] == 0);
    OK(pl_dat_put(values));
    return 0;
  case 9: /* no element runs */
    OK(pl_par_loop(add_one, z->none, pl_arg_mat(z->mat, z->map, z->map, PL_INC)));
    return 0;
  case 10:
    OK(pl_mat_assemble(z->mat));
    add_tensors(c, z);
    OK(pl_mat_scale(0, z->mat));
    return 0;
  default:
    return -1;
  }
}

/* pl_mat_zero, something, and a loop that adds: twice, so that all kernels exist in the second round. */
static void case_zero_then_add(conf *c)
{
  static const int corners[] = {0, 1, 3, 2, 3, 1};
  static const double ones[] = {1, 1, 1, 1};
  zeros z = {.cells = conf_set(c, 2, "cells"), .nodes = conf_set(c, 4, "nodes")};
  z.map = conf_map(c, z.cells, z.nodes, 3, corners, "corners");
  z.none = conf_subset(c, z.cells, 0, NULL);
  z.one = conf_dat(c, z.nodes, 1, PL_DOUBLE, ones, "one");
  z.sum = conf_dat(c, z.nodes, 1, PL_DOUBLE, NULL, "sum");
  pl_sparsity *sparsity = new_sparsity(c, z.nodes, z.map, z.nodes, z.map);
  OK(pl_decl_mat(sparsity, PL_DOUBLE, "A", &z.mat));
  OK(pl_decl_mat(sparsity, PL_DOUBLE, "B", &z.other));
  OK(pl_par_loop(add_one, z.cells, pl_arg_mat(z.other, z.map, z.map, PL_INC)));
  OK(pl_loop_create(&z.loop, add_one, z.cells, pl_arg_mat(z.mat, z.map, z.map, PL_INC)));
  for (int k = 0, added = 0; added >= 0; k++)
    for (int round = 0; round < 2 && added >= 0; round++) {
      OK(pl_mat_zero(z.mat));
      CHECK(pl_mat_state_of(z.mat) == PL_MAT_INSERTING);
      if ((added = use_zeros(c, &z, k)) < 0) break;
      add_tensors(c, &z);
      OK(pl_mat_multiply(z.mat, z.one, z.sum));
      const double n = added + 1, want[] = {3 * n, 6 * n, 3 * n, 6 * n};
      SAME(z.sum, want);
    }
  pl_loop_free(&z.loop);
}

/* ---- values in memory of the program ---- */

/* Compressed rows of a program; a rank has those that it owns. */
static void case_wrapped_values(conf *c)
{
  enum { N = 4 };
  static const int offsets[] = {0, 2, 3, 5, 7}, columns[] = {0, 2, 1, 0, 2, 1, 3};
  static const double x[] = {1, 2, 3, 4}, y[] = {10, 6, 18, 38}, doubled[] = {20, 12, 36, 76};
  pl_set *nodes = conf_set(c, N, "nodes");
  pl_map *coupled = conf_ragged_map(c, nodes, nodes, offsets, columns, "coupled");
  pl_dat *dx = conf_dat(c, nodes, 1, PL_DOUBLE, x, "x"), *dy = conf_dat(c, nodes, 1, PL_DOUBLE, NULL, "y"),
         *values = NULL;
  pl_sparsity *sparsity = NULL;
  pl_mat *mat = NULL;
  pl_csr csr;
  double memory[16] = {0};
  void *view;
  OK(pl_decl_sparsity(nodes, 1, nodes, 1, 1, &(pl_map_pair){NULL, coupled}, "rows", &sparsity));
  OK(pl_sparsity_csr(sparsity, &csr));
  for (int r = 0; r < csr.rows; r++)
    for (int k = csr.offset[r]; k < csr.offset[r + 1]; k++)
      memory[k] = (double)(1 + (csr.row_index ? csr.row_index[r] : r) +
                           (csr.column_index ? csr.column_index[csr.column[k]] : csr.column[k]));
  FAILS(pl_mat_wrap(sparsity, PL_DOUBLE, PL_MEMORY_HOST, memory, csr.blocks + 1, "A", &mat), PL_ERR_ARG,
        "pl_mat_wrap", "\"A\"", "\"rows\"");
  FAILS(pl_mat_wrap(sparsity, PL_INT32, PL_MEMORY_HOST, memory, csr.blocks, "A", &mat), PL_ERR_TYPE, "\"A\"");
  FAILS(pl_mat_wrap(sparsity, PL_DOUBLE, PL_MEMORY_HOST, NULL, csr.blocks, "A", &mat), PL_ERR_ARG, "NULL");
  CHECK(!mat);
  OK(pl_mat_wrap(sparsity, PL_DOUBLE, PL_MEMORY_HOST, memory, csr.blocks, "A", &mat));
  OK(pl_mat_multiply(mat, dx, dy));
  SAME(dy, y);
  OK(pl_mat_scale(2.0, mat));
  OK(pl_mat_multiply(mat, dx, dy));
  SAME(dy, doubled);
  OK(pl_mat_values(mat, &values));
  OK(pl_dat_get(values, PL_READ, &view));
  CHECK(view == memory);
  for (int r = 0; r < csr.rows; r++)
    for (int k = csr.offset[r]; k < csr.offset[r + 1]; k++)
      CHECK(memory[k] ==
            (double)(2 * (1 + (csr.row_index ? csr.row_index[r] : r) +
                          (csr.column_index ? csr.column_index[csr.column[k]] : csr.column[k]))));
  OK(pl_dat_put(values));
}

const conf_case conf_matrix_values[] = {
  {"matrix: entries of rows", "P26", case_diagonal_space, CONF_RANKS},
  {"matrix: entries of two meshes", "P26", case_two_meshes, CONF_RANKS},
  {"matrix: a map without indices", "P26", case_map_without_indices, 0},
  {"matrix: identity", "P27", case_identity, CONF_RANKS},
  {"matrix: values set and added", "P27", case_set_and_add, CONF_RANKS},
  {"matrix: zeros written", "P27", case_zeros, CONF_RANKS},
  {"matrix: added, then written", "P27", case_add_then_write, CONF_RANKS},
  {"matrix: zeros, then added", "P27", case_zero_then_add, CONF_RANKS},
  {"matrix: values in memory of the program", "P27", case_wrapped_values, CONF_RANKS | CONF_NEEDS_JIT},
  {"matrix: order of a subset", "P27", case_subset_order, CONF_RANKS},
  {NULL, NULL, NULL, 0}};

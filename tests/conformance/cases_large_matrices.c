/* SPDX-License-Identifier: BSD-2-Clause
 * A matrix of some thousand rows, on a grid of triangles: every value with every conflict strategy, and the
 * same bits in every run.
 */
#include "matrices.h"
#include <stdlib.h>

enum { SIDE = 52, NODES = SIDE * SIDE, CELLS = 2 * (SIDE - 1) * (SIDE - 1), NEAR = 9 };

typedef struct grid {
  int corner[3 * CELLS];
  double weight[CELLS];
  pl_set *cells, *nodes;
  pl_map *corners;
  pl_dat *weights, *x, *y;
  pl_sparsity *sparsity;
  pl_mat *mat;
} grid;

static grid *new_grid(conf *c, bool rounded)
{
  grid *g = calloc(1, sizeof *g);
  for (int e = 0; e < CELLS; e++) {
    const int square = e / 2, v = square / (SIDE - 1) * SIDE + square % (SIDE - 1);
    const int corner[2][3] = {{v, v + 1, v + SIDE}, {v + SIDE + 1, v + SIDE, v + 1}};
    memcpy(g->corner + 3 * e, corner[e % 2], sizeof *corner);
    g->weight[e] = rounded ? 1.0 / (1 + conf_below(c, 1000)) : conf_below(c, 100);
  }
  return g;
}

static void declare_grid(conf *c, grid *g, int dim)
{
  double *x = malloc(sizeof *x * NODES * (size_t)dim);
  for (int i = 0; i < NODES * dim; i++) x[i] = 1.0 / (3 + i % 17);
  g->cells = conf_set(c, CELLS, "cells");
  g->nodes = conf_set(c, NODES, "nodes");
  g->corners = conf_map(c, g->cells, g->nodes, 3, g->corner, "corners");
  g->weights = conf_dat(c, g->cells, 1, PL_DOUBLE, g->weight, "weight");
  g->x = conf_dat(c, g->nodes, dim, PL_DOUBLE, x, "x");
  g->y = conf_dat(c, g->nodes, dim, PL_DOUBLE, NULL, "y");
  OK(pl_decl_sparsity(g->nodes, dim, g->nodes, dim, 1, &(pl_map_pair){g->corners, g->corners}, "grid",
                      &g->sparsity));
  OK(pl_decl_mat(g->sparsity, PL_DOUBLE, "A", &g->mat));
  free(x);
}

static void assemble_grid(conf *c, const grid *g, int dim)
{
  OK(pl_par_loop(tensor_kernel(c, 3 * dim, 3 * dim, true), g->cells, DIRECT(g->weights, PL_READ),
                 pl_arg_zeroed(pl_arg_mat(g->mat, g->corners, g->corners, PL_INC))));
}

/* ---- every value ---- */

/* The place of node `column` among the neighbours of node `row`. */
static int place_near(int64_t row, int64_t column)
{
  const int64_t dy = column / SIDE - row / SIDE, dx = column % SIDE - row % SIDE;
  return (int)((dy + 1) * 3 + dx + 1);
}

/* The values of each row, NEAR of them. */
static double *reference(const grid *g)
{
  double *value = calloc(NODES * NEAR, sizeof *value);
  for (int e = 0; e < CELLS; e++)
    for (int k = 0; k < 9; k++) {
      const int row = g->corner[3 * e + k / 3], column = g->corner[3 * e + k % 3];
      value[row * NEAR + place_near(row, column)] += g->weight[e] * (1 + k);
    }
  return value;
}

static void check_values(conf *c, const grid *g)
{
  double *want = reference(g);
  pl_csr csr;
  pl_dat *values;
  void *got;
  int wrong = 0;
  OK(pl_sparsity_csr(g->sparsity, &csr));
  OK(pl_mat_values(g->mat, &values));
  OK(pl_dat_get(values, PL_READ, &got));
  for (int r = 0; r < csr.rows; r++)
    for (int k = csr.offset[r]; k < csr.offset[r + 1]; k++) {
      const int64_t row = csr.row_index ? csr.row_index[r] : r,
                    column = csr.column_index ? csr.column_index[csr.column[k]] : csr.column[k];
      wrong += ((double *)got)[k] != want[row * NEAR + place_near(row, column)];
    }
  OK(pl_dat_put(values));
  CHECK(wrong == 0);
  free(want);
}

static void case_every_value(conf *c)
{
  static const char *const ways[] = {"conflict=auto", "conflict=combine", "conflict=atomic",
                                     "conflict=gather", "conflict=colour"};
  pl_context *own = c->pl;
  grid *g = new_grid(c, false);
  for (int k = 0; k < 5; k++) {
    if (!c->device && k % 4) continue; /* for devices only */
    OK_IN(c->pl, conf_open(c, c->variant, (const char *const[]){ways[k], NULL}, &c->pl));
    declare_grid(c, g, 1);
    assemble_grid(c, g, 1);
    check_values(c, g);
    pl_finalize(&c->pl);
  }
  c->pl = own;
  free(g);
}

/* ---- the same bits ---- */

/* The values of the matrix and of both products, on this rank (to be freed); *n of them. */
static double *run_once(conf *c, grid *g, int dim, size_t *n)
{
  pl_dat *values;
  OK(pl_mat_values(g->mat, &values));
  pl_dat *const part[] = {values, g->y, g->y};
  double *all = NULL;
  *n = 0;
  assemble_grid(c, g, dim);
  for (int k = 0; k < 3; k++) {
    const size_t more = (size_t)pl_set_size(pl_dat_set(part[k])) * (size_t)pl_dat_dim(part[k]);
    void *got;
    if (k) OK((k == 1 ? pl_mat_multiply : pl_mat_multiply_transposed)(g->mat, g->x, g->y));
    OK(pl_dat_get(part[k], PL_READ, &got));
    all = realloc(all, (*n + more + 1) * sizeof *all);
    memcpy(all + *n, got, more * sizeof *all);
    *n += more;
    OK(pl_dat_put(part[k]));
  }
  return all;
}

/* Twenty runs on 1 to 4 threads. Sums of six values with rounding depend on their order. */
static void try_bits(conf *c, int dim)
{
  pl_context *own = c->pl;
  const uint64_t scattered = c->scattered;
  grid *g = new_grid(c, true);
  double *first = NULL;
  size_t n, same = 0;
  for (int threads = 1; threads <= 4; threads++) {
    conf_variant v = *c->variant;
    v.threads = threads;
    c->scattered = scattered; /* the same distribution in each context */
    OK_IN(c->pl, conf_open(c, &v, (const char *const[]){"reproducible=1", NULL}, &c->pl));
    declare_grid(c, g, dim);
    for (int run = 0; run < 5; run++) {
      double *again = run_once(c, g, dim, &n);
      if (!first) first = again;
      same += !memcmp(first, again, n * sizeof *again);
      if (again != first) free(again);
    }
    pl_finalize(&c->pl);
  }
  CHECK(same == 20);
  c->pl = own;
  free(first), free(g);
}

static void case_same_bits(conf *c)
{
  try_bits(c, 1);
  try_bits(c, 2);
}

/* ---- the same bits in any numbering and on any number of ranks ---- */

/* By global indices: the values of the matrix, its product with x and the transposed one. */
typedef struct known {
  double *value, *y[2];
  int dim;
  bool complete;   /* by a run of one rank and one thread; else the next run stores */
  int wrong, seen; /* values that other runs compared */
} known;

static void compare(known *k, double *known_value, double value)
{
  if (!k->complete) *known_value = value;
  k->wrong += memcmp(known_value, &value, sizeof value) != 0;
  k->seen++;
}

static void compare_matrix(conf *c, const grid *g, known *k)
{
  const int size = k->dim * k->dim;
  pl_csr csr;
  pl_dat *values;
  void *got;
  OK(pl_sparsity_csr(g->sparsity, &csr));
  OK(pl_mat_values(g->mat, &values));
  OK(pl_dat_get(values, PL_READ, &got));
  for (int r = 0; r < csr.rows; r++)
    for (int i = csr.offset[r] * size; i < csr.offset[r + 1] * size; i++) {
      const int j = csr.column[i / size];
      const int64_t row = csr.row_index ? csr.row_index[r] : r,
                    column = csr.column_index ? csr.column_index[j] : j;
      compare(k, &k->value[(row * NEAR + place_near(row, column)) * size + i % size], ((double *)got)[i]);
    }
  OK(pl_dat_put(values));
}

static void compare_product(conf *c, const grid *g, known *k, bool transposed)
{
  int n;
  int64_t *row = own_rows(c, g->nodes, k->dim, &n);
  void *got;
  OK((transposed ? pl_mat_multiply_transposed : pl_mat_multiply)(g->mat, g->x, g->y));
  OK(pl_dat_get(g->y, PL_READ, &got));
  for (int i = 0; i < n; i++) compare(k, &k->y[transposed][row[i]], ((double *)got)[i]);
  OK(pl_dat_put(g->y));
  free(row);
}

/* Two assemblies onto the same values; two products, since devices then use another form, and two transposed
 * ones. */
static void run_known(conf *c, grid *g, known *k)
{
  declare_grid(c, g, k->dim);
  assemble_grid(c, g, k->dim);
  OK(pl_par_loop(tensor_kernel(c, 3 * k->dim, 3 * k->dim, true), g->cells, DIRECT(g->weights, PL_READ),
                 pl_arg_mat(g->mat, g->corners, g->corners, PL_INC)));
  compare_matrix(c, g, k);
  for (int i = 0; i < 4; i++) compare_product(c, g, k, i / 2);
}

static void run_known_in(conf *c, grid *g, known *k, const conf_variant *v, const char *const *options)
{
  OK_IN(c->pl, conf_open(c, v, options, &c->pl));
  run_known(c, g, k);
  pl_finalize(&c->pl);
}

static void try_orders(conf *c, int dim)
{
  static const char *const alone[] = {"backend=seq", "mpi=off", "reproducible=1", NULL}, *const these[] = {
                                                                                           "reproducible=1",
                                                                                           NULL};
  pl_context *own = c->pl;
  grid *g = new_grid(c, true);
  known k = {calloc((size_t)(NODES * NEAR * dim * dim), sizeof(double)),
             {calloc((size_t)(NODES * dim), sizeof(double)), calloc((size_t)(NODES * dim), sizeof(double))},
             dim,
             false,
             0,
             0};
  conf_variant v = *c->variant;
  v.threads = 1, v.renumber = 0;
  run_known_in(c, g, &k, &v, alone);
  k.complete = true, k.wrong = k.seen = 0;
  for (int i = 0; i < 8; i++) {
    v.threads = 1 + i / 2, v.renumber = i % 2;
    run_known_in(c, g, &k, &v, these);
  }
  CHECK(k.wrong == 0);
  CHECK(k.seen > 0);
  c->pl = own;
  free(k.value), free(k.y[0]), free(k.y[1]), free(g);
}

static void case_any_order(conf *c)
{
  try_orders(c, 1);
  try_orders(c, 2);
}

/* A column of one rank, to which rows of all ranks add; its sum is that of the rows in their order. */
static void case_one_column(conf *c)
{
  enum { ROWS = 60 };
  pl_context *own = c->pl;
  int self[ROWS], only[ROWS] = {0};
  double weight[ROWS], x[ROWS], want = 0;
  for (int i = 0; i < ROWS; i++) {
    self[i] = i;
    weight[i] = 1.0 / (3 + i);
    x[i] = 1.0 / (7 + i % 5);
    want += weight[i] * x[i];
  }
  OK_IN(c->pl, conf_open(c, c->variant, (const char *const[]){"reproducible=1", NULL}, &c->pl));
  pl_set *rows = conf_set(c, ROWS, "rows"), *column = conf_set(c, 1, "column");
  const pl_map_pair pair = {conf_map(c, rows, rows, 1, self, "self"),
                            conf_map(c, rows, column, 1, only, "only")};
  pl_dat *dw = conf_dat(c, rows, 1, PL_DOUBLE, weight, "weight"),
         *dx = conf_dat(c, rows, 1, PL_DOUBLE, x, "x"), *dy = conf_dat(c, column, 1, PL_DOUBLE, NULL, "y");
  pl_sparsity *sparsity;
  pl_mat *mat;
  OK(pl_decl_sparsity(rows, 1, column, 1, 1, &pair, "column", &sparsity));
  OK(pl_decl_mat(sparsity, PL_DOUBLE, "A", &mat));
  OK(pl_par_loop(tensor_kernel(c, 1, 1, true), rows, DIRECT(dw, PL_READ),
                 pl_arg_mat(mat, pair.rows, pair.columns, PL_INC)));
  OK(pl_mat_multiply_transposed(mat, dx, dy));
  SAME(dy, &want);
  pl_finalize(&c->pl);
  c->pl = own;
}

/* ---- the same bits in every form of host code ---- */

/* Constructs that the copy of a kernel for several elements must take: tables, numbers that are assigned to
 * values, conditions on loop variables, functions, divisions of numbers. */
static const pl_kernel *form_kernel(conf *c)
{
  static const char text[] =
    "void form_tensor(const double *w, const double x[3][2], double A[6][6])\n{\n"
    "  static const double point[2] = {0.25, 0.75};\n"
    "  double sum[2][2] = {{0}, {1, 2}}, area = 0;\n"
    "  const double half = 0.5;\n"
    "  for (int q = 0; q < 2; q++) {\n"
    "    area += point[q];\n"
    "    for (int d = 0; d < 2; d++) sum[q][d] += half * x[q][d] - 1 / (3 + fabs(x[q + 1][d]));\n"
    "  }\n"
    "  area = 1 - area * sqrt(2 + w[0] * w[0]);\n"
    "  if (point[0] > point[1]) area = 7;\n"
    "  for (int i = 0; i < 6; i++)\n"
    "    for (int j = 0; j < 6; j++)\n"
    "      A[i][j] += area * sum[i % 2][j % 2] + (i == j ? -w[0] : 0) + point[1] / (7 + i - j);\n}\n";
  static const pl_kernel *kernel;
  OK(pl_kernel_from_source(c->pl, "form_tensor", text, NULL, &kernel));
  return kernel;
}

static double *assemble_form(conf *c, grid *g, const char *shape, size_t *n)
{
  pl_dat *values;
  void *got;
  OK(pl_set_option(c->pl, "shape", shape));
  OK(pl_par_loop(form_kernel(c), g->cells, DIRECT(g->weights, PL_READ),
                 pl_arg_dat(g->x, PL_ALL, g->corners, PL_READ),
                 pl_arg_zeroed(pl_arg_mat(g->mat, g->corners, g->corners, PL_INC))));
  OK(pl_mat_values(g->mat, &values));
  OK(pl_dat_get(values, PL_READ, &got));
  *n = (size_t)pl_set_size(pl_dat_set(values)) * sizeof(double);
  double *copy = malloc(*n + 1);
  memcpy(copy, got, *n);
  OK(pl_dat_put(values));
  return copy;
}

static void case_forms(conf *c)
{
  static const char *const shapes[] = {"transpose", "wide", "vector", "auto"};
  grid *g = new_grid(c, true);
  size_t n;
  declare_grid(c, g, 2);
  double *scalar = assemble_form(c, g, "scalar", &n);
  for (int k = 0; k < 4; k++) {
    double *other = assemble_form(c, g, shapes[k], &n);
    CHECK(!memcmp(scalar, other, n));
    free(other);
  }
  free(scalar), free(g);
}

const conf_case conf_large_matrices[] = {
  {"matrix: every value of 2704 rows", "P27", case_every_value, CONF_RANKS | CONF_NEEDS_JIT},
  {"matrix: the same bits in each run", "P27, P48", case_same_bits, CONF_RANKS | CONF_NEEDS_JIT},
  {"matrix: the same bits in any order", "P27, P48", case_any_order, CONF_RANKS | CONF_NEEDS_JIT},
  {"matrix: the same bits in a column of all ranks", "P27, P48", case_one_column,
   CONF_RANKS | CONF_NEEDS_JIT},
  {"matrix: the same bits in each form", "P27, P48", case_forms, CONF_RANKS | CONF_NEEDS_JIT},
  {NULL, NULL, NULL, 0}};

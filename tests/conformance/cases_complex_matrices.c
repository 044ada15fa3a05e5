/* SPDX-License-Identifier: BSD-2-Clause
 * Matrices of complex values against dense ones, in integers: loops that add and write, products, transposed
 * and adjoint products of one vector and of two, arithmetic and the diagonal.
 */
#include "matrices.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { NODES = 30 };

typedef struct problem {
  pl_type type;                /* of the matrix */
  int dim, vectors, n, length; /* rows and columns of values; values of a vector dat */
  pl_set *nodes;
  pair pair;
  pl_mat *mat;
  pl_dat *x, *y, *diagonal;
  pl_cdouble *want, *in, *out; /* the dense matrix; values of x and y */
} problem;

static pl_cdouble multiply(pl_cdouble a, pl_cdouble b)
{
  return (pl_cdouble){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static void add(pl_cdouble *sum, pl_cdouble value)
{
  sum->re += value.re;
  sum->im += value.im;
}

/* ---- declaring ---- */

static const pl_kernel *kernel_of(conf *c, const problem *p)
{
  const char *real = p->type == PL_COMPLEX_FLOAT ? "float" : "double";
  const int size = 9 * p->dim * p->dim;
  char source[300], name[64];
  snprintf(name, sizeof name, "complex_tensor_%s_%d", real, size);
  snprintf(source, sizeof source,
           "void %s(const double *w, %s _Complex *A)\n{\n  for (int i = 0; i < %d; i++)\n"
           "    A[i] += (%s)(w[0] * (1 + i %% 5)) + I * (%s)(w[0] - i %% 7);\n}\n",
           name, real, size, real, real);
  return conf_source(c, name, source, NULL);
}

static pl_cdouble tensor_value(const problem *p, int e, int i)
{
  return (pl_cdouble){p->pair.weight[e] * (1 + i % 5), p->pair.weight[e] - i % 7};
}

static void add_tensors(problem *p)
{
  const int block[2] = {p->dim, p->dim}, side = 3 * p->dim;
  for (int e = 0; e < p->pair.n; e++)
    for (int i = 0; i < side * side; i++) {
      const int row = dense_line(&p->pair, 0, block, e, i / side),
                column = dense_line(&p->pair, 1, block, e, i % side);
      if (row >= 0 && column >= 0) add(&p->want[row * p->n + column], tensor_value(p, e, i));
    }
}

static pl_dat *new_vector(conf *c, const problem *p, const char *name)
{
  return conf_dat(c, p->nodes, p->dim * p->vectors, p->type, NULL, name);
}

static void open_problem(conf *c, problem *p, pl_type type, int dim, int vectors)
{
  static const int arity[2] = {3, 3}, sizes[2] = {NODES, NODES};
  pl_sparsity *sparsity = NULL;
  *p = (problem){.type = type, .dim = dim, .vectors = vectors, .n = NODES * dim};
  p->length = p->n * vectors;
  p->nodes = conf_set(c, NODES, "nodes");
  random_pair(c, &p->pair, arity, sizes, (pl_set *const[2]){p->nodes, p->nodes});
  p->x = new_vector(c, p, "x");
  p->y = new_vector(c, p, "y");
  p->diagonal = conf_dat(c, p->nodes, dim, type, NULL, "diagonal");
  OK(pl_decl_sparsity(p->nodes, dim, p->nodes, dim, 1, &(pl_map_pair){p->pair.map[0], p->pair.map[1]},
                      "complex", &sparsity));
  OK(pl_decl_mat(sparsity, type, "A", &p->mat));
  pl_sparsity_free(&sparsity);
  p->want = calloc((size_t)(p->n * p->n), sizeof *p->want);
  p->in = calloc((size_t)p->length, sizeof *p->in);
  p->out = calloc((size_t)p->length, sizeof *p->out);
}

static void close_problem(problem *p)
{
  pl_mat_free(&p->mat);
  free(p->want), free(p->in), free(p->out), free_pair(&p->pair);
}

/* ---- values ---- */

static pl_cdouble value_of(const problem *p, const void *values, size_t i)
{
  const pl_cfloat *single = values;
  if (p->type == PL_COMPLEX_DOUBLE) return ((const pl_cdouble *)values)[i];
  return (pl_cdouble){(double)single[i].re, (double)single[i].im};
}

static bool equal(pl_cdouble a, pl_cdouble b)
{
  return a.re == b.re && a.im == b.im;
}

static void check_values(conf *c, const problem *p)
{
  int n, bad = 0;
  int64_t *row = own_rows(c, p->nodes, p->dim, &n), column[NODES * 2];
  pl_cdouble *got = calloc((size_t)(n * p->n) + 1, sizeof *got);
  for (int j = 0; j < p->n; j++) column[j] = j;
  OK(pl_mat_get(p->mat, n, row, p->n, column, got));
  for (int i = 0; i < n; i++)
    for (int j = 0; j < p->n; j++)
      bad += !equal(value_of(p, got, (size_t)(i * p->n + j)), p->want[row[i] * p->n + j]);
  CHECK(bad == 0);
  free(row), free(got);
}

static void fill_x(conf *c, const problem *p)
{
  int n;
  int64_t *line = own_rows(c, p->nodes, p->dim * p->vectors, &n);
  void *view;
  for (int i = 0; i < p->length; i++) p->in[i] = (pl_cdouble){i * i % 11 - 4, i % 5 - 2};
  OK(pl_dat_get(p->x, PL_WRITE, &view));
  for (int i = 0; i < n; i++) {
    const pl_cdouble value = p->in[line[i]];
    if (p->type == PL_COMPLEX_DOUBLE)
      ((pl_cdouble *)view)[i] = value;
    else
      ((pl_cfloat *)view)[i] = (pl_cfloat){(float)value.re, (float)value.im};
  }
  OK(pl_dat_put(p->x));
  free(line);
}

static void check_vector(conf *c, const problem *p, pl_dat *dat, int length, const pl_cdouble *want)
{
  int n, bad = 0;
  int64_t *line = own_rows(c, p->nodes, length / NODES, &n);
  void *view;
  OK(pl_dat_get(dat, PL_READ, &view));
  for (int i = 0; i < n; i++) bad += !equal(value_of(p, view, (size_t)i), want[line[i]]);
  CHECK(bad == 0);
  OK(pl_dat_put(dat));
  free(line);
}

/* ---- products ---- */

typedef enum form { PLAIN, TRANSPOSED, ADJOINT } form;

/* The place of value i of vector v in a dat of vectors. */
static int place_of(const problem *p, int i, int v)
{
  return i / p->dim * p->dim * p->vectors + v * p->dim + i % p->dim;
}

static void model_product(problem *p, form form)
{
  memset(p->out, 0, (size_t)p->length * sizeof *p->out);
  for (int k = 0; k < p->n * p->n * p->vectors; k++) {
    const int v = k % p->vectors, i = k / p->vectors / p->n, j = k / p->vectors % p->n;
    pl_cdouble value = p->want[form == PLAIN ? i * p->n + j : j * p->n + i];
    if (form == ADJOINT) value.im = -value.im;
    add(&p->out[place_of(p, i, v)], multiply(value, p->in[place_of(p, j, v)]));
  }
}

/* Twice, since devices then use another form. */
static void check_products(conf *c, problem *p)
{
  pl_err (*const product[])(pl_mat *, pl_dat *, pl_dat *) = {pl_mat_multiply, pl_mat_multiply_transposed,
                                                             pl_mat_multiply_adjoint};
  fill_x(c, p);
  for (int k = 0; k < 6; k++) {
    OK(product[k % 3](p->mat, p->x, p->y));
    model_product(p, (form)(k % 3));
    check_vector(c, p, p->y, p->length, p->out);
  }
}

static pl_err multiply_now(conf *c, const problem *p)
{
  const pl_err err = pl_mat_multiply(p->mat, p->x, p->y);
  return err ? err : pl_flush(c->pl);
}

/* Rows need both parts of a value together. */
static void check_layout(conf *c, const problem *p)
{
  if (!c->device) return;
  OK(pl_dat_set_layout(p->x, "soa"));
  FAILS(multiply_now(c, p), PL_ERR_BACKEND, "\"x\"", "apart", "soa:2");
  OK(pl_dat_set_layout(p->x, "soa:2"));
  OK(pl_mat_multiply(p->mat, p->x, p->y));
}

/* ---- arithmetic ---- */

static void check_norm(conf *c, const problem *p)
{
  double sum = 0, norm;
  for (int i = 0; i < p->n * p->n; i++) sum += p->want[i].re * p->want[i].re + p->want[i].im * p->want[i].im;
  OK(pl_mat_norm(p->mat, &norm));
  CHECK(fabs(norm - sqrt(sum)) <= (p->type == PL_COMPLEX_FLOAT ? 1e-5 : 1e-13) * norm);
}

/* B = 2 A + A; the diagonal of A from that of B. */
static void check_arithmetic(conf *c, problem *p)
{
  pl_mat *other = NULL, *mine = p->mat;
  pl_sparsity *sparsity = NULL;
  OK(pl_decl_sparsity(p->nodes, p->dim, p->nodes, p->dim, 1, &(pl_map_pair){p->pair.map[0], p->pair.map[1]},
                      "complex", &sparsity));
  OK(pl_decl_mat(sparsity, p->type, "B", &other));
  OK(pl_mat_copy(p->mat, other));
  OK(pl_mat_axpy(2, p->mat, other));
  for (int i = 0; i < p->n * p->n; i++) p->want[i] = (pl_cdouble){3 * p->want[i].re, 3 * p->want[i].im};
  p->mat = other;
  check_values(c, p);
  check_norm(c, p);
  OK(pl_mat_get_diagonal(other, p->diagonal));
  for (int i = 0; i < p->n; i++) p->out[i] = p->want[i * p->n + i];
  check_vector(c, p, p->diagonal, p->n, p->out);
  OK(pl_mat_scale(3, mine));
  OK(pl_mat_zero_rows(mine, p->nodes, 1));
  OK(pl_mat_set_diagonal(mine, p->diagonal));
  for (int i = 0; i < p->n * p->n; i++)
    if (i / p->n != i % p->n) p->want[i] = (pl_cdouble){0, 0};
  p->mat = mine;
  check_values(c, p);
  pl_mat_free(&other);
  pl_sparsity_free(&sparsity);
}

/* ---- the case ---- */

static void try_problem(conf *c, pl_type type, int dim, int vectors)
{
  problem p;
  open_problem(c, &p, type, dim, vectors);
  for (int round = 0; round < 2; round++) {
    OK(pl_par_loop(kernel_of(c, &p), p.pair.set, DIRECT(p.pair.dat, PL_READ),
                   pl_arg_mat(p.mat, p.pair.map[0], p.pair.map[1], PL_INC)));
    add_tensors(&p);
  }
  check_values(c, &p);
  check_products(c, &p);
  check_layout(c, &p);
  check_arithmetic(c, &p);
  close_problem(&p);
}

static void case_complex(conf *c)
{
  try_problem(c, PL_COMPLEX_DOUBLE, 1, 1);
  try_problem(c, PL_COMPLEX_FLOAT, 2, 1);
  try_problem(c, PL_COMPLEX_DOUBLE, 2, 2);
}

const conf_case conf_complex_matrices[] = {
  {"matrix: complex values", "P27", case_complex, CONF_MATRIX | CONF_RANKS | CONF_NEEDS_JIT},
  {NULL, NULL, NULL, 0}};

/* SPDX-License-Identifier: BSD-2-Clause
 * Random matrices against dense ones, in integers: pairs of maps with negative entries, rectangular arities,
 * blocks, loops that add, write or begin from zeros, over subsets, with masks that change; then products.
 */
#include "matrices.h"
#include <stdio.h>
#include <stdlib.h>

enum { PAIRS = 2, VECTORS = 2, STEPS = 5 };

typedef struct shape {
  int arity[PAIRS][2], block[2]; /* row and column arity of each pair; the blocks */
} shape;

typedef struct problem {
  const shape *shape;
  int size[2]; /* elements of the row set and of the column set */
  pl_set *set[2], *subset[PAIRS];
  pair pair[PAIRS];
  unsigned char *chosen[PAIRS]; /* members of the subset */
  double *number[2];            /* of each row and column: the values that loops write */
  unsigned char *dropped[2];    /* rows and columns with a mask */
  pl_dat *numbers[2], *mask[2], *x[2];
  pl_mat *mat;
  dense want;
} problem;

static int lines_of(const problem *p, int k)
{
  return p->size[k] * p->shape->block[k];
}

/* ---- declaring ---- */

static void declare_subset(conf *c, problem *p, int k)
{
  int some[64], n = 0;
  p->chosen[k] = calloc((size_t)p->pair[k].n + 1, 1);
  for (int e = 0; e < p->pair[k].n; e++)
    if (conf_below(c, 3) == 0) some[n++] = e, p->chosen[k][e] = 1;
  p->subset[k] = conf_subset(c, p->pair[k].set, n, some);
}

/* The dats of a side: numbers, masks, vectors. */
static void declare_side(conf *c, problem *p, int k)
{
  const int n = lines_of(p, k), dim = p->shape->block[k];
  p->number[k] = calloc((size_t)n + 1, sizeof(double));
  p->dropped[k] = calloc((size_t)n + 1, 1);
  for (int i = 0; i < n; i++) p->number[k][i] = conf_below(c, 50) - 9;
  p->numbers[k] = conf_dat(c, p->set[k], dim, PL_DOUBLE, p->number[k], "numbers");
  p->mask[k] = conf_dat(c, p->set[k], dim, PL_UINT8, p->dropped[k], k ? "column_mask" : "row_mask");
  p->x[k] = conf_dat(c, p->set[k], dim * VECTORS, PL_DOUBLE, NULL, k ? "of_columns" : "of_rows");
}

static void declare_matrix(conf *c, problem *p)
{
  const int *block = p->shape->block;
  pl_map_pair pairs[PAIRS];
  pl_sparsity *sparsity = NULL, *same = NULL;
  for (int k = 0; k < PAIRS; k++) pairs[k] = (pl_map_pair){p->pair[k].map[0], p->pair[k].map[1]};
  OK(pl_decl_sparsity(p->set[0], block[0], p->set[1], block[1], PAIRS, pairs, "pattern", &sparsity));
  OK(pl_decl_sparsity(p->set[0], block[0], p->set[1], block[1], PAIRS, pairs, "again", &same));
  CHECK(same == sparsity);
  OK(pl_decl_mat(sparsity, PL_DOUBLE, "A", &p->mat));
  pl_sparsity_free(&same);
  pl_sparsity_free(&sparsity);
  p->want = new_dense(lines_of(p, 0), lines_of(p, 1));
}

static void open_problem(conf *c, problem *p, const shape *s, bool square)
{
  *p = (problem){.shape = s, .size = {1 + conf_below(c, 40), 1 + conf_below(c, 40)}};
  p->set[0] = conf_set(c, p->size[0], "rows");
  if (square) p->size[1] = p->size[0];
  p->set[1] = square ? p->set[0] : conf_set(c, p->size[1], "columns");
  for (int k = 0; k < PAIRS; k++) random_pair(c, &p->pair[k], s->arity[k], p->size, p->set);
  for (int k = 0; k < PAIRS; k++) declare_subset(c, p, k);
  for (int k = 0; k < 2; k++) declare_side(c, p, k);
  declare_matrix(c, p);
}

static void close_problem(problem *p)
{
  pl_mat_free(&p->mat);
  for (int k = 0; k < PAIRS; k++) free_pair(&p->pair[k]), free(p->chosen[k]);
  for (int k = 0; k < 2; k++) free(p->number[k]), free(p->dropped[k]);
  free_dense(&p->want);
}

/* ---- loops ---- */

/* Value i, j of a tensor is the product of the numbers of its row and column. */
static const pl_kernel *writing_kernel(conf *c, int height, int width)
{
  char source[300], name[64];
  snprintf(name, sizeof name, "writing_%d_%d", height, width);
  snprintf(source, sizeof source,
           "void %s(const double *row, const double *column, double *A) { for (int i = 0; i < %d; i++) for "
           "(int j = 0; "
           "j < %d; j++) A[i * %d + j] = row[i] * column[j]; }",
           name, height, width, width);
  return conf_source(c, name, source, NULL);
}

/* What a loop does: `masked` has bit 0 for rows, bit 1 for columns. */
typedef struct step {
  int pair, masked;
  bool writes, zeroed, some, cleared; /* `cleared`: pl_mat_zero comes before */
} step;

static void run_step(conf *c, const problem *p, const step *s)
{
  const pair *of = &p->pair[s->pair];
  const int height = of->arity[0] * p->shape->block[0], width = of->arity[1] * p->shape->block[1];
  pl_set *set = s->some ? p->subset[s->pair] : of->set;
  pl_arg tensor = pl_arg_masked(pl_arg_mat(p->mat, of->map[0], of->map[1], s->writes ? PL_WRITE : PL_INC),
                                s->masked & 1 ? p->mask[0] : NULL, s->masked & 2 ? p->mask[1] : NULL);
  if (s->zeroed) tensor = pl_arg_zeroed(tensor);
  if (s->cleared) OK(pl_mat_zero(p->mat));
  if (s->writes)
    OK(pl_par_loop(writing_kernel(c, height, width), set,
                   pl_arg_dat(p->numbers[0], PL_ALL, of->map[0], PL_READ),
                   pl_arg_dat(p->numbers[1], PL_ALL, of->map[1], PL_READ), tensor));
  else
    OK(pl_par_loop(tensor_kernel(c, height, width, s->pair), set, DIRECT(of->dat, PL_READ), tensor));
}

/* The same for value i, j of the tensor of element e. */
static void put_value(problem *p, const step *s, int e, int i, int j)
{
  const pair *of = &p->pair[s->pair];
  const int *block = p->shape->block, row = dense_line(of, 0, block, e, i),
            column = dense_line(of, 1, block, e, j);
  if (row < 0 || column < 0) return;
  if ((s->masked & 1 && p->dropped[0][row]) || (s->masked & 2 && p->dropped[1][column])) return;
  double *value = &p->want.value[row * p->want.columns + column];
  if (s->writes)
    *value = p->number[0][row] * p->number[1][column];
  else
    *value += of->weight[e] * (1 + i * of->arity[1] * block[1] + j);
}

static void model_step(problem *p, const step *s)
{
  const pair *of = &p->pair[s->pair];
  const int height = of->arity[0] * p->shape->block[0], width = of->arity[1] * p->shape->block[1];
  for (int k = 0; (s->zeroed || s->cleared) && k < p->want.rows * p->want.columns; k++) p->want.value[k] = 0;
  for (int e = 0; e < of->n; e++)
    for (int k = 0; k < height * width && (!s->some || p->chosen[s->pair][e]); k++)
      put_value(p, s, e, k / width, k % width);
}

/* New masks, where this rank has them. */
static void change_mask(conf *c, problem *p, int k)
{
  int n;
  int64_t *line = own_rows(c, p->set[k], p->shape->block[k], &n);
  void *values;
  for (int i = 0; i < lines_of(p, k); i++) p->dropped[k][i] = conf_below(c, 4) == 0;
  OK(pl_dat_get(p->mask[k], PL_WRITE, &values));
  for (int i = 0; i < n; i++) ((uint8_t *)values)[i] = p->dropped[k][line[i]];
  OK(pl_dat_put(p->mask[k]));
  free(line);
}

static void random_step(conf *c, problem *p, int number)
{
  step s = {.pair = conf_below(c, PAIRS), .writes = conf_below(c, 3) == 0, .some = conf_below(c, 3) == 0};
  s.masked = conf_below(c, 2) ? conf_below(c, 4) : 0;
  s.zeroed = !s.writes && (!number || conf_below(c, 5) == 0);
  s.cleared = conf_below(c, 4) == 0;
  for (int k = 0; k < 2; k++)
    if (conf_below(c, 2)) change_mask(c, p, k);
  run_step(c, p, &s);
  model_step(p, &s);
  check_matrix(c, p->mat, p->set[0], p->shape->block[0], &p->want);
}

/* ---- products ---- */

/* y = A x, or A^T x, of all vectors. */
static void check_product(conf *c, problem *p, bool transposed)
{
  const int from = !transposed, to = transposed, *block = p->shape->block;
  double *y = calloc((size_t)lines_of(p, to) * VECTORS + 1, sizeof *y);
  int n;
  int64_t *line = own_rows(c, p->set[from], block[from] * VECTORS, &n);
  void *x;
  OK(pl_dat_get(p->x[from], PL_WRITE, &x));
  for (int i = 0; i < n; i++) ((double *)x)[i] = (double)(line[i] * line[i] % 13) - 5;
  OK(pl_dat_put(p->x[from]));
  for (int k = 0; k < p->want.rows * p->want.columns * VECTORS; k++) {
    const int v = k % VECTORS, at = k / VECTORS, i[2] = {at / p->want.columns, at % p->want.columns};
    int place[2];
    for (int s = 0; s < 2; s++)
      place[s] = i[s] / block[s] * block[s] * VECTORS + v * block[s] + i[s] % block[s];
    y[place[to]] += p->want.value[at] * (place[from] * place[from] % 13 - 5);
  }
  OK((transposed ? pl_mat_multiply_transposed : pl_mat_multiply)(p->mat, p->x[from], p->x[to]));
  SAME(p->x[to], y);
  free(y), free(line);
}

static void try_shape(conf *c, const shape *s, bool square)
{
  problem p;
  open_problem(c, &p, s, square);
  for (int k = 0; k < STEPS; k++) random_step(c, &p, k);
  check_product(c, &p, conf_below(c, 2));
  close_problem(&p);
}

/* All shapes with --full; otherwise two, because each compiles kernels of its own. */
static void case_random_assembly(conf *c)
{
  static const shape shapes[] = {{{{3, 3}, {2, 2}}, {1, 1}},
                                 {{{2, 2}, {3, 1}}, {2, 1}},
                                 {{{3, 2}, {1, 3}}, {1, 1}},
                                 {{{3, 3}, {1, 2}}, {2, 2}}}; /* a tensor of more than 16 values */
  const bool all = getenv("CONF_ALL_CASES");
  for (int k = 0; k < (all ? 500 : 6); k++)
    if (conf_problem(c, k)) try_shape(c, &shapes[k % (all ? 4 : 2)], (k % 4 == 0 || k % 4 == 3) && k % 8 < 4);
}

const conf_case conf_random_matrices[] = {
  {"matrix: random assembly", "P26, P27", case_random_assembly, CONF_MATRIX | CONF_RANKS | CONF_NEEDS_JIT},
  {NULL, NULL, NULL, 0}};

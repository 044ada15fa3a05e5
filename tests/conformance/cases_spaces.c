/* SPDX-License-Identifier: BSD-2-Clause
 * Mixed sets, maps, dats and matrices: one vector and one tensor of several spaces, against dense matrices.
 */
#include "matrices.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- two spaces ---- */

/* Elements with a vector of two parts. Value c of element e of part k is number base[k] + e * dim[k] + c of
 * the dense vectors and matrices, which all ranks hold. */
typedef struct spaces {
  int n, size[2], dim[2], arity[2], base[3], local[3]; /* `local`: of the first value of a part in a vector */
  int *index[2];
  double *weight, *value, *matrix;              /* of the elements; of a dense vector; dense */
  pl_set *elements, *set[2], *some[2], *chosen; /* `some`, `chosen`: every third element */
  pl_map *map[2];
  pl_dat *w, *x[2], *y[2], *code[2]; /* `code`: the numbers of values */
  pl_mixed_set *mixed;
  pl_mixed_map *mixed_map;
  pl_mixed_dat *mx, *my;
} spaces;

static int entry_of(const spaces *s, int e, int i)
{
  const int k = i >= s->local[1], within = i - s->local[k];
  const int target = s->index[k][e * s->arity[k] + within / s->dim[k]];
  return target < 0 ? -1 : s->base[k] + target * s->dim[k] + within % s->dim[k];
}

/* Value (i, j) of the tensor of element e is weight[e] * (1 + i * n + j). */
static void fill_dense(spaces *s)
{
  const int n = s->local[2], all = s->base[2];
  s->matrix = calloc((size_t)(all * all) + 1, sizeof *s->matrix);
  for (int e = 0; e < s->n; e++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        const int row = entry_of(s, e, i), column = entry_of(s, e, j);
        if (row >= 0 && column >= 0) s->matrix[row * all + column] += s->weight[e] * (1 + i * n + j);
      }
}

static void declare_part(conf *c, spaces *s, int k)
{
  s->set[k] = conf_set(c, s->size[k], k ? "second" : "first");
  s->map[k] = conf_map(c, s->elements, s->set[k], s->arity[k], s->index[k], k ? "to_second" : "to_first");
  s->x[k] = conf_dat(c, s->set[k], s->dim[k], PL_DOUBLE, s->value + s->base[k], "x");
  s->y[k] = conf_dat(c, s->set[k], s->dim[k], PL_DOUBLE, NULL, "y");
  double *code = calloc((size_t)(s->size[k] * s->dim[k]), sizeof *code);
  for (int i = 0; i < s->size[k] * s->dim[k]; i++) code[i] = s->base[k] + i;
  s->code[k] = conf_dat(c, s->set[k], s->dim[k], PL_DOUBLE, code, "code");
  free(code);
}

static pl_set *every_third(conf *c, pl_set *set, int size)
{
  int some[64] = {0}, n = 0;
  for (int e = 0; e < size; e += 3) some[n++] = e;
  return conf_subset(c, set, n, some);
}

static void declare_spaces(conf *c, spaces *s)
{
  s->value = calloc((size_t)(s->size[0] * s->dim[0] + s->size[1] * s->dim[1]), sizeof *s->value);
  for (int k = 0; k < 2; k++) {
    s->base[k + 1] = s->base[k] + s->size[k] * s->dim[k];
    s->local[k + 1] = s->local[k] + s->arity[k] * s->dim[k];
  }
  for (int i = 0; i < s->base[2]; i++) s->value[i] = 1 + (i < s->base[1] ? i : i - s->base[1]) % 7;
  s->elements = conf_set(c, s->n, "elements");
  s->w = conf_dat(c, s->elements, 1, PL_DOUBLE, s->weight, "w");
  for (int k = 0; k < 2; k++) declare_part(c, s, k);
  OK(pl_decl_mixed_set(2, s->set, s->dim, "mixed", &s->mixed));
  OK(pl_decl_mixed_map(s->mixed, s->map, "mixed_map", &s->mixed_map));
  OK(pl_decl_mixed_dat(s->mixed, s->x, "x", &s->mx));
  OK(pl_decl_mixed_dat(s->mixed, s->y, "y", &s->my));
  pl_set *whole = NULL;
  if (s->n % 2)
    OK(pl_mixed_set_whole(s->mixed, &whole)); /* before the next call distributes the sets again */
  for (int k = 0; k < 2; k++) s->some[k] = every_third(c, s->set[k], s->size[k]);
  s->chosen = every_third(c, s->elements, s->n);
  fill_dense(s);
}

static void random_spaces(conf *c, spaces *s, const int dim[2], const int arity[2])
{
  *s = (spaces){.n = 1 + conf_below(c, 50), .size = {1 + conf_below(c, 20), 1 + conf_below(c, 20)}};
  s->weight = calloc((size_t)s->n, sizeof *s->weight);
  for (int e = 0; e < s->n; e++) s->weight[e] = conf_below(c, 64) - 20;
  for (int k = 0; k < 2; k++) {
    s->dim[k] = dim[k];
    s->arity[k] = arity[k];
    s->index[k] = calloc((size_t)(s->n * arity[k]), sizeof(int));
    for (int i = 0; i < s->n * arity[k]; i++)
      s->index[k][i] = conf_below(c, 9) ? conf_below(c, s->size[k]) : -1;
  }
  declare_spaces(c, s);
}

static void free_spaces(spaces *s)
{
  pl_mixed_map_free(&s->mixed_map);
  pl_mixed_dat_free(&s->mx);
  pl_mixed_dat_free(&s->my);
  free(s->index[0]), free(s->index[1]), free(s->weight), free(s->value), free(s->matrix);
}

/* ---- matrices against dense ones ---- */

/* Values of a matrix, of which value i of a row or column is number dense[i] of the dense ones. */
static void check_values(conf *c, const spaces *s, pl_mat *mat, pl_set *rows, int dim, const int *row,
                         int ncolumns, const int *column)
{
  const int n = (int)pl_set_size(rows) * dim;
  int64_t *id = calloc((size_t)n + 1, sizeof *id), *at = calloc((size_t)n + 1, sizeof *at),
          *all = calloc((size_t)ncolumns, sizeof *all);
  double *got = calloc((size_t)(n * ncolumns) + 1, sizeof *got);
  int bad = 0;
  OK(pl_set_global(rows, id));
  for (int i = 0; i < n; i++) at[i] = id[i / dim] * dim + i % dim;
  for (int j = 0; j < ncolumns; j++) all[j] = j;
  OK(pl_mat_get(mat, n, at, ncolumns, all, got));
  for (int i = 0; i < n; i++)
    for (int j = 0; j < ncolumns; j++)
      bad += !(fabs(got[i * ncolumns + j] - s->matrix[row[at[i]] * s->base[2] + column[j]]) < 1e-12);
  CHECK(bad == 0);
  free(id), free(at), free(all), free(got);
}

PL_KERNEL(spread, (const int64_t *i, const double *x, double *all), { all[i[0]] += x[0]; })

/* The dense number of each element of the whole set, on all ranks (to be freed). */
static int *whole_numbers(conf *c, const spaces *s)
{
  const int n = s->base[2];
  double *code = calloc((size_t)n + 1, sizeof *code);
  int *number = calloc((size_t)n + 1, sizeof *number);
  pl_set *whole = NULL;
  pl_dat *all = NULL;
  pl_mixed_dat *mixed = NULL;
  OK(pl_decl_mixed_dat(s->mixed, s->code, "code", &mixed));
  OK(pl_mixed_set_whole(s->mixed, &whole));
  CHECK(pl_set_global_size(whole) == n);
  OK(pl_decl_dat(whole, 1, PL_DOUBLE, NULL, "all", &all));
  OK(pl_mixed_dat_gather(mixed, all));
  pl_global *sum = conf_global(c, n, PL_DOUBLE, code, "sum");
  OK(pl_par_loop(spread, whole, pl_arg_idx(PL_ID, PL_DIRECT), DIRECT(all, PL_READ), pl_arg_gbl(sum, PL_INC)));
  OK(pl_global_get(sum, code));
  for (int i = 0; i < n; i++) number[i] = (int)code[i];
  pl_mixed_dat_free(&mixed);
  pl_global_free(&sum);
  pl_dat_free(&all);
  free(code);
  return number;
}

static void check_mixed(conf *c, const spaces *s, pl_mixed_mat *mat, pl_mixed_form form)
{
  pl_mat *part = NULL;
  pl_set *whole = NULL;
  int dense[1024];
  for (int i = 0; i < s->base[2]; i++) dense[i] = i;
  if (form == PL_MIXED_WHOLE) {
    int *number = whole_numbers(c, s);
    OK(pl_mixed_mat_whole(mat, &part));
    OK(pl_mixed_set_whole(s->mixed, &whole));
    check_values(c, s, part, whole, 1, number, s->base[2], number);
    free(number);
  }
  for (int k = 0; k < 4 && form == PL_MIXED_NESTED; k++) {
    const int i = k / 2, j = k % 2;
    OK(pl_mixed_mat_block(mat, i, j, &part));
    check_values(c, s, part, s->set[i], s->dim[i], dense + s->base[i], s->base[j + 1] - s->base[j],
                 dense + s->base[j]);
  }
}

static void check_product(conf *c, const spaces *s, pl_mixed_mat *mat, bool transposed)
{
  const int n = s->base[2];
  double *want = calloc((size_t)n + 1, sizeof *want);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) want[i] += s->matrix[transposed ? j * n + i : i * n + j] * s->value[j];
  OK(transposed ? pl_mixed_mat_multiply_transposed(mat, s->mx, s->my)
                : pl_mixed_mat_multiply(mat, s->mx, s->my));
  for (int k = 0; k < 2; k++) SAME(s->y[k], want + s->base[k]);
  free(want);
}

/* The rows of every third element of part k: zeros, and 5 on the diagonal. */
static void check_rows(conf *c, spaces *s, pl_mixed_mat *mat, pl_mixed_form form, int k)
{
  const int all = s->base[2];
  OK(pl_mixed_mat_zero_rows(mat, k, s->some[k], 5.0));
  for (int i = 0; i < s->size[k] * s->dim[k]; i++) {
    const int row = s->base[k] + i;
    if (i / s->dim[k] % 3) continue;
    memset(s->matrix + row * all, 0, (size_t)all * sizeof *s->matrix);
    s->matrix[row * all + row] = 5;
  }
  check_mixed(c, s, mat, form);
}

static void check_diagonal(conf *c, const spaces *s, pl_mixed_mat *mat)
{
  const int n = s->base[2];
  double *want = calloc((size_t)n + 1, sizeof *want);
  for (int i = 0; i < n; i++) want[i] = s->matrix[i * n + i];
  OK(pl_mixed_mat_get_diagonal(mat, s->my));
  for (int k = 0; k < 2; k++) SAME(s->y[k], want + s->base[k]);
  OK(pl_mixed_mat_set_diagonal(mat, s->mx));
  OK(pl_mixed_mat_get_diagonal(mat, s->my));
  for (int k = 0; k < 2; k++) SAME(s->y[k], s->value + s->base[k]);
  free(want);
}

static void try_matrix(conf *c, spaces *s, pl_mixed_form form)
{
  pl_mixed_mat *mat = NULL;
  OK(pl_decl_mixed_mat(s->mixed, s->mixed, 1, &s->mixed_map, &s->mixed_map, PL_DOUBLE, form, "A", &mat));
  for (int round = 0; round < 2; round++) {
    if (round) OK(pl_mixed_mat_zero(mat));
    OK(pl_par_loop(tensor_kernel(c, s->local[2], s->local[2], round), s->elements, DIRECT(s->w, PL_READ),
                   pl_arg_mixed_mat(mat, s->mixed_map, s->mixed_map, PL_INC)));
    check_mixed(c, s, mat, form);
  }
  check_product(c, s, mat, false);
  check_product(c, s, mat, true);
  check_rows(c, s, mat, form, 0);
  check_rows(c, s, mat, form, 1);
  check_diagonal(c, s, mat);
  pl_mixed_mat_free(&mat);
}

/* ---- random loops ---- */

/* Value i, j of a tensor is the product of values i and j of the vector. */
static const pl_kernel *product_kernel(conf *c, int n)
{
  char source[300], name[64];
  snprintf(name, sizeof name, "mixed_product_%d", n);
  snprintf(source, sizeof source,
           "void %s(const double *x, double *A) { for (int i = 0; i < %d; i++) for (int j = 0; j < %d; j++) "
           "A[i * %d + j] = x[i] * x[j]; }",
           name, n, n, n);
  return conf_source(c, name, source, NULL);
}

/* What a loop does; masks are of whole matrices only. */
typedef struct step {
  bool writes, zeroed, some, masked, cleared; /* `cleared`: pl_mixed_mat_zero comes before */
} step;

/* `dropped`: of each row and column of the dense matrix. */
static void model_step(spaces *s, const step *t, const unsigned char *dropped)
{
  const int n = s->local[2], all = s->base[2];
  if (t->zeroed || t->cleared) memset(s->matrix, 0, (size_t)(all * all) * sizeof *s->matrix);
  for (int e = 0; e < s->n; e++)
    for (int k = 0; k < n * n && !(t->some && e % 3); k++) {
      const int row = entry_of(s, e, k / n), column = entry_of(s, e, k % n);
      if (row < 0 || column < 0 || (t->masked && (dropped[row] || dropped[column]))) continue;
      double *value = &s->matrix[row * all + column];
      *value = t->writes ? s->value[row] * s->value[column] : *value + s->weight[e] * (1 + k);
    }
}

static void run_step(conf *c, const spaces *s, pl_mixed_mat *mat, const step *t, pl_dat *mask)
{
  pl_set *set = t->some ? s->chosen : s->elements;
  pl_arg tensor = pl_arg_mixed_mat(mat, s->mixed_map, s->mixed_map, t->writes ? PL_WRITE : PL_INC);
  if (t->masked) tensor = pl_arg_masked(tensor, mask, mask);
  if (t->zeroed) tensor = pl_arg_zeroed(tensor);
  if (t->cleared) OK(pl_mixed_mat_zero(mat));
  if (t->writes)
    OK(pl_par_loop(product_kernel(c, s->local[2]), set, pl_arg_mixed_dat(s->mx, s->mixed_map, PL_READ),
                   tensor));
  else
    OK(pl_par_loop(tensor_kernel(c, s->local[2], s->local[2], t->some), set, DIRECT(s->w, PL_READ), tensor));
}

/* A new mask on the whole set. */
static void change_mask(conf *c, const spaces *s, pl_set *whole, pl_dat *mask, unsigned char *dropped)
{
  const int n = (int)pl_set_size(whole);
  int *number = whole_numbers(c, s);
  int64_t *id = calloc((size_t)n + 1, sizeof *id);
  void *values;
  for (int i = 0; i < s->base[2]; i++) dropped[i] = conf_below(c, 4) == 0;
  OK(pl_set_global(whole, id));
  OK(pl_dat_get(mask, PL_WRITE, &values));
  for (int i = 0; i < n; i++) ((uint8_t *)values)[i] = dropped[number[id[i]]];
  OK(pl_dat_put(mask));
  free(number), free(id);
}

static void try_loops(conf *c, spaces *s, pl_mixed_form form)
{
  pl_mixed_mat *mat = NULL;
  pl_set *whole = NULL;
  pl_dat *mask = NULL;
  unsigned char *dropped = calloc((size_t)s->base[2], 1);
  OK(pl_decl_mixed_mat(s->mixed, s->mixed, 1, &s->mixed_map, &s->mixed_map, PL_DOUBLE, form, "A", &mat));
  if (form == PL_MIXED_WHOLE) {
    OK(pl_mixed_set_whole(s->mixed, &whole));
    OK(pl_decl_dat(whole, 1, PL_UINT8, NULL, "mask", &mask));
  }
  memset(s->matrix, 0, (size_t)(s->base[2] * s->base[2]) * sizeof *s->matrix);
  for (int k = 0; k < 5; k++) {
    step t = {
      .writes = conf_below(c, 3) == 0, .some = conf_below(c, 3) == 0, .masked = mask && conf_below(c, 2)};
    t.zeroed = !t.writes && conf_below(c, 5) == 0;
    t.cleared = conf_below(c, 4) == 0;
    if (mask && conf_below(c, 2)) change_mask(c, s, whole, mask, dropped);
    run_step(c, s, mat, &t, mask);
    model_step(s, &t, dropped);
    check_mixed(c, s, mat, form);
  }
  check_product(c, s, mat, conf_below(c, 2));
  pl_mixed_mat_free(&mat);
  pl_dat_free(&mask);
  free(dropped);
}

static const int shapes[4][2][2] = {{{2, 1}, {3, 1}}, {{1, 3}, {2, 2}}, {{1, 1}, {1, 2}}, {{2, 2}, {1, 3}}};

/* All shapes with --full; otherwise two, because each compiles kernels of its own. */
static void case_random_loops(conf *c)
{
  const bool all = getenv("CONF_ALL_CASES");
  for (int k = 0; k < (all ? 500 : c->device ? 2 : 4); k++) {
    spaces s;
    const int shape = k / 2 % (all ? 4 : 2);
    if (!conf_problem(c, k)) continue;
    random_spaces(c, &s, shapes[shape][0], shapes[shape][1]);
    try_loops(c, &s, k % 2 ? PL_MIXED_NESTED : PL_MIXED_WHOLE);
    free_spaces(&s);
  }
}

static void try_form(conf *c, pl_mixed_form form)
{
  const int tries = getenv("CONF_ALL_CASES") ? 32 : c->device ? 1 : 2;
  for (int k = 0; k < tries; k++) {
    spaces s;
    random_spaces(c, &s, shapes[k % 4][0], shapes[k % 4][1]);
    try_matrix(c, &s, form);
    free_spaces(&s);
  }
}

static void case_nested(conf *c)
{
  try_form(c, PL_MIXED_NESTED);
}

static void case_whole(conf *c)
{
  try_form(c, PL_MIXED_WHOLE);
}

/* ---- the blocks of ref/matrices.json ---- */

PL_KERNEL(outer_product, (double A[3][3], const double d[3]), {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) A[i][j] += d[i] * d[j];
})
PL_KERNEL(write_product, (double *A, const double *d), {
  for (int i = 0; i < 9; i++) A[i] = d[i / 3] * d[i % 3];
})
PL_KERNEL(right_hand_side, (double b[3], const double *d[3]), {
  for (int i = 0; i < 3; i++) b[i] += d[i][0];
})

static spaces chain_of_lines(conf *c)
{
  static const int same[] = {0, 1, 2}, ends[] = {0, 1, 1, 2, 2, 3};
  static const double blocks[] = {1, 0, 0, 1,  2, 0, 0,  0,  4, 0, 0,  4, 6, 0,  0, 0, 9,
                                  0, 0, 9, 12, 1, 0, 0,  1,  2, 0, 0,  2, 4, 0,  2, 8, 6,
                                  0, 0, 6, 9,  0, 6, 18, 12, 0, 0, 12, 0, 0, 12, 16};
  spaces s = {.n = 3, .size = {3, 4}, .dim = {1, 1}, .arity = {1, 2}};
  s.weight = calloc(3, sizeof *s.weight);
  for (int k = 0; k < 2; k++) {
    s.index[k] = calloc(6, sizeof(int));
    memcpy(s.index[k], k ? ends : same, (k ? 6 : 3) * sizeof(int));
  }
  declare_spaces(c, &s);
  memcpy(s.matrix, blocks, sizeof blocks);
  return s;
}

static void try_chain(conf *c, pl_mixed_form form)
{
  static const double rhs[2][4] = {{1, 2, 3}, {1, 4, 6, 4}}, squares[4] = {1, 4, 9, 16};
  spaces s = chain_of_lines(c);
  pl_mixed_mat *mat = NULL;
  pl_chain *chain = NULL;
  CHECK(pl_mixed_set_parts(s.mixed) == 2);
  CHECK(pl_mixed_set_size(s.mixed) == pl_set_size(s.set[0]) + pl_set_size(s.set[1]));
  OK(pl_decl_mixed_mat(s.mixed, s.mixed, 1, &s.mixed_map, &s.mixed_map, PL_DOUBLE, form, "A", &mat));
  OK(pl_chain_begin(c->pl, "mixed", &chain));
  OK(pl_par_loop(outer_product, s.elements, pl_arg_mixed_mat(mat, s.mixed_map, s.mixed_map, PL_INC),
                 pl_arg_mixed_dat(s.mx, s.mixed_map, PL_READ)));
  OK(pl_par_loop(right_hand_side, s.elements, pl_arg_mixed_dat(s.my, s.mixed_map, PL_INC),
                 pl_arg_mixed_dat(s.mx, s.mixed_map, PL_READ)));
  OK(pl_chain_end(chain));
  for (int k = 0; k < 2; k++) SAME(s.y[k], rhs[k]);
  check_mixed(c, &s, mat, form);
  check_product(c, &s, mat, false);
  OK(pl_par_loop(write_product, s.elements, pl_arg_mixed_mat(mat, s.mixed_map, s.mixed_map, PL_WRITE),
                 pl_arg_mixed_dat(s.mx, s.mixed_map, PL_READ)));
  OK(pl_mixed_mat_get_diagonal(mat, s.my));
  for (int k = 0; k < 2; k++) SAME(s.y[k], squares);
  pl_mixed_mat_free(&mat);
  free_spaces(&s);
}

static void case_reference(conf *c)
{
  try_chain(c, PL_MIXED_NESTED);
  try_chain(c, PL_MIXED_WHOLE);
}

/* ---- accesses and shapes ---- */

PL_KERNEL(add_vectors, (double v[6], const double d[3][2]), {
  for (int i = 0; i < 3; i++) v[2 * i] += d[i][0], v[2 * i + 1] += d[i][1];
})
PL_KERNEL(write_numbers, (double v[3][2], const double w[1]), {
  for (int i = 0; i < 3; i++) v[i][0] = 10 * w[0] + i, v[i][1] = -v[i][0];
})
PL_KERNEL(double_all, (double *v[3]), {
  for (int i = 0; i < 3; i++) v[i][0] = 2 * v[i][0] + v[0][1], v[i][1] += 1;
})

static void case_accesses(conf *c)
{
  static const int same[] = {0, 1, 2}, own[] = {0, 1, 2, 3, 4, 5}, dim[] = {2, 2};
  static const double weight[] = {1, 2, 3}, values[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  static const double written[2][12] = {{10, -10, 20, -20, 30, -30},
                                        {11, -11, 12, -12, 21, -21, 22, -22, 31, -31, 32, -32}},
                      doubled[2][12] = {{10, -9, 20, -19, 30, -29},
                                        {13, -10, 15, -11, 23, -20, 25, -21, 33, -30, 35, -31}};
  pl_set *elements = conf_set(c, 3, "elements"), *set[] = {conf_set(c, 3, "a"), conf_set(c, 6, "b")};
  pl_map *map[] = {conf_map(c, elements, set[0], 1, same, "to_a"),
                   conf_map(c, elements, set[1], 2, own, "to_b")};
  pl_dat *w = conf_dat(c, elements, 1, PL_DOUBLE, weight, "w"), *x[2], *y[2];
  pl_mixed_set *mixed = NULL;
  pl_mixed_map *m = NULL;
  pl_mixed_dat *mx = NULL, *my = NULL;
  for (int k = 0; k < 2; k++) {
    x[k] = conf_dat(c, set[k], 2, PL_DOUBLE, values, "x");
    y[k] = conf_dat(c, set[k], 2, PL_DOUBLE, NULL, "y");
  }
  OK(pl_decl_mixed_set(2, set, dim, "mixed", &mixed));
  OK(pl_decl_mixed_map(mixed, map, "m", &m));
  OK(pl_decl_mixed_dat(mixed, x, "x", &mx));
  OK(pl_decl_mixed_dat(mixed, y, "y", &my));
  OK(pl_par_loop(add_vectors, elements, pl_arg_mixed_dat(my, m, PL_INC), pl_arg_mixed_dat(mx, m, PL_READ)));
  for (int k = 0; k < 2; k++) SAME(y[k], values);
  OK(pl_par_loop(add_vectors, elements, pl_arg_zeroed(pl_arg_mixed_dat(my, m, PL_INC)),
                 pl_arg_mixed_dat(mx, m, PL_READ)));
  for (int k = 0; k < 2; k++) SAME(y[k], values);
  OK(pl_par_loop(write_numbers, elements, pl_arg_mixed_dat(my, m, PL_WRITE), DIRECT(w, PL_READ)));
  for (int k = 0; k < 2; k++) SAME(y[k], written[k]);
  OK(pl_par_loop(double_all, elements, pl_arg_mixed_dat(my, m, PL_RW)));
  for (int k = 0; k < 2; k++) SAME(y[k], doubled[k]);
}

/* ---- an unknown that all elements share ---- */

PL_KERNEL(add_ones, (double v[2]), {
  v[0] += 1;
  v[1] += 1;
})
PL_KERNEL(add_ones_matrix, (double A[2][2]), {
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) A[i][j] += 1;
})

static void try_shared(conf *c, pl_mixed_form form)
{
  enum { MANY = 4096 };
  static const int dim[] = {1, 1};
  static int same[MANY];
  static double ones[MANY], sums[MANY];
  const double many = MANY;
  for (int i = 0; i < MANY; i++) same[i] = i, ones[i] = 1, sums[i] = MANY + 1;
  pl_set *cells = conf_set(c, MANY, "cells"), *set[] = {conf_set(c, MANY, "nodes"), NULL};
  OK(pl_decl_set(c->pl, pl_rank(c->pl) == 0, "one", &set[1]));
  pl_map *map[] = {conf_map(c, cells, set[0], 1, same, "own"), NULL};
  pl_dat *x[] = {conf_dat(c, set[0], 1, PL_DOUBLE, NULL, "x"),
                 conf_dat(c, set[1], 1, PL_DOUBLE, NULL, "sum")},
         *y[] = {conf_dat(c, set[0], 1, PL_DOUBLE, NULL, "y"), conf_dat(c, set[1], 1, PL_DOUBLE, NULL, "z")};
  pl_mixed_set *mixed = NULL;
  pl_mixed_map *m = NULL;
  pl_mixed_dat *mx = NULL, *my = NULL;
  pl_mixed_mat *mat = NULL;
  OK(pl_decl_mixed_set(2, set, dim, "mixed", &mixed));
  OK(pl_decl_mixed_map(mixed, map, "m", &m));
  OK(pl_decl_mixed_dat(mixed, x, "x", &mx));
  OK(pl_decl_mixed_dat(mixed, y, "y", &my));
  OK(pl_decl_mixed_mat(mixed, mixed, 1, &m, &m, PL_DOUBLE, form, "A", &mat));
  OK(pl_par_loop(add_ones, cells, pl_arg_mixed_dat(mx, m, PL_INC)));
  SAME(x[0], ones);
  SAME(x[1], &many);
  for (int round = 0; round < 2; round++)
    OK(pl_par_loop(add_ones_matrix, cells, pl_arg_zeroed(pl_arg_mixed_mat(mat, m, m, PL_INC))));
  OK(pl_mixed_mat_multiply(mat, mx, my)); /* rows (1, 1) of the cells; row (1 ... 1, 4096) of the sum */
  SAME(y[0], sums);
  const double last = many + many * many;
  SAME(y[1], &last);
  OK(pl_mixed_mat_get_diagonal(mat, my));
  SAME(y[0], ones);
  SAME(y[1], &many);
  pl_mixed_mat_free(&mat);
}

static void case_shared(conf *c)
{
  try_shared(c, PL_MIXED_NESTED);
  try_shared(c, PL_MIXED_WHOLE);
}

/* ---- errors ---- */

PL_KERNEL(short_vector, (double v[2]), { v[0] += 1; })
PL_KERNEL(floats, (float v[3]), { v[0] += 1; })
PL_KERNEL(constant, (const double v[3]), { (void)v; })

static void case_errors(conf *c)
{
  spaces s = chain_of_lines(c);
  const int zero[] = {1, 0};
  pl_mixed_set *other = NULL;
  pl_mixed_map *bad = NULL;
  pl_mixed_dat *wrong = NULL;
  pl_mixed_mat *mat = NULL;
  pl_mat *part = NULL;
  pl_map *swapped[] = {s.map[1], s.map[0]}, *none[] = {s.map[0], NULL};
  pl_dat *floating[] = {s.x[0], conf_dat(c, s.set[1], 1, PL_FLOAT, NULL, "f")};
  FAILS(pl_decl_mixed_set(2, s.set, zero, "m", &other), PL_ERR_RANGE, "dim 0");
  FAILS(pl_decl_mixed_map(s.mixed, swapped, "m", &bad), PL_ERR_ARG, "to_second", "first");
  FAILS(pl_decl_mixed_map(s.mixed, none, "m", &bad), PL_ERR_ARG, "NULL", "4 elements");
  FAILS(pl_decl_mixed_dat(s.mixed, floating, "m", &wrong), PL_ERR_TYPE, "double", "float");
  OK(pl_decl_mixed_mat(s.mixed, s.mixed, 1, &s.mixed_map, &s.mixed_map, PL_DOUBLE, PL_MIXED_NESTED, "A",
                       &mat));
  FAILS(pl_mixed_mat_block(mat, 2, 0, &part), PL_ERR_RANGE, "(2, 0)");
  FAILS(pl_mixed_mat_whole(mat, &part), PL_ERR_STATE, "nested");
  FAILS(pl_mixed_mat_multiply(mat, s.mx, s.mx), PL_ERR_ARG, "both x and y");
  FAILS(pl_mixed_mat_zero_rows(mat, 1, s.set[0], 1), PL_ERR_ARG, "row part 1");
  FAILS(pl_par_loop(short_vector, s.elements, pl_arg_mixed_dat(s.my, s.mixed_map, PL_INC)), PL_ERR_KERNEL,
        "short_vector", "3 values", "v[3]");
  FAILS(pl_par_loop(floats, s.elements, pl_arg_mixed_dat(s.my, s.mixed_map, PL_INC)), PL_ERR_TYPE, "float",
        "mixed dat \"y\"", "double");
  FAILS(pl_par_loop(constant, s.elements, pl_arg_mixed_dat(s.my, s.mixed_map, PL_INC)), PL_ERR_ACCESS,
        "const");
  FAILS(pl_par_loop(constant, s.elements, pl_arg_mixed_dat(s.my, s.mixed_map, PL_MAX)), PL_ERR_ACCESS,
        "PL_READ, PL_WRITE, PL_RW or PL_INC");
  FAILS(pl_par_loop(constant, s.elements, pl_arg_mixed_mat(mat, s.mixed_map, s.mixed_map, PL_RW)),
        PL_ERR_ACCESS, "PL_INC or PL_WRITE");
  FAILS(pl_par_loop(constant, s.elements, pl_arg_mixed_dat(s.my, NULL, PL_READ)), PL_ERR_ARG, "NULL");
  FAILS(pl_par_loop(constant, s.set[0], pl_arg_mixed_dat(s.my, s.mixed_map, PL_READ)), PL_ERR_ARG,
        "start from the set of the loop");
  FAILS(pl_par_loop(constant, s.elements, pl_arg_component(pl_arg_mixed_dat(s.my, s.mixed_map, PL_READ), 0)),
        PL_ERR_ARG, "components");
  pl_loop *loop = NULL;
  OK(pl_loop_create(&loop, constant, s.elements, pl_arg_mixed_dat(s.my, s.mixed_map, PL_READ)));
  OK(pl_loop_run(loop));
  FAILS(pl_loop_replace_dat(&loop, 0, s.x[0]), PL_ERR_ARG, "mixed arguments");
  pl_loop_free(&loop);
  FAILS(pl_par_loop(outer_product, s.elements,
                    pl_arg_masked(pl_arg_mixed_mat(mat, s.mixed_map, s.mixed_map, PL_INC), s.x[0], NULL),
                    pl_arg_mixed_dat(s.mx, s.mixed_map, PL_READ)),
        PL_ERR_ARG, "PL_MIXED_WHOLE only");
  pl_dat_free(&s.y[0]);
  FAILS(pl_par_loop(constant, s.elements, pl_arg_mixed_dat(s.my, s.mixed_map, PL_READ)), PL_ERR_STATE,
        "part 0 of it was freed");
  pl_map_free(&s.map[1]);
  FAILS(pl_par_loop(constant, s.elements, pl_arg_mixed_dat(s.mx, s.mixed_map, PL_READ)), PL_ERR_STATE,
        "map 1 of it was freed");
  OK(pl_mixed_mat_block(mat, 0, 0, &part));
  pl_mat_free(&part);
  FAILS(pl_mixed_mat_zero(mat), PL_ERR_STATE, "a matrix of it was freed");
  pl_mixed_mat_free(&mat);
  free_spaces(&s);
}

const conf_case conf_spaces[] = {
  {"mixed: nested matrices", "P07, P28", case_nested, CONF_RANKS | CONF_NEEDS_JIT},
  {"mixed: one matrix", "P07, P28", case_whole, CONF_RANKS | CONF_NEEDS_JIT},
  {"mixed: random loops", "P07, P28", case_random_loops, CONF_MATRIX | CONF_RANKS | CONF_NEEDS_JIT},
  {"mixed: the blocks of two spaces", "P07, P28", case_reference, CONF_RANKS | CONF_NEEDS_JIT},
  {"mixed: accesses and shapes", "P07", case_accesses, CONF_RANKS | CONF_NEEDS_JIT},
  {"mixed: an unknown that all elements share", "P07, P08", case_shared, CONF_RANKS | CONF_NEEDS_JIT},
  {"mixed: errors", "P07, P28", case_errors, CONF_RANKS | CONF_EAGER | CONF_NEEDS_JIT},
  {NULL, NULL, NULL, 0},
};

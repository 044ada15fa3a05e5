/* SPDX-License-Identifier: BSD-2-Clause
 * Dense references of matrices, and random pairs of maps.
 */
#include "matrices.h"
#include <stdio.h>
#include <stdlib.h>

dense new_dense(int rows, int columns)
{
  const size_t n = (size_t)rows * (size_t)columns + 1;
  return (dense){rows, columns, calloc(n, sizeof(double))};
}

dense dense_of(const double *values, int rows, int columns)
{
  dense d = new_dense(rows, columns);
  memcpy(d.value, values, (size_t)rows * (size_t)columns * sizeof *values);
  return d;
}

void free_dense(dense *d)
{
  free(d->value);
}

int64_t *own_rows(conf *c, pl_set *set, int dim, int *n)
{
  const int elements = (int)pl_set_size(set);
  int64_t *ids = calloc((size_t)elements + 1, sizeof *ids);
  int64_t *rows = calloc((size_t)elements * (size_t)dim + 1, sizeof *rows);
  OK(pl_set_global(set, ids));
  *n = elements * dim;
  for (int i = 0; i < *n; i++) rows[i] = ids[i / dim] * dim + i % dim;
  free(ids);
  return rows;
}

void check_matrix(conf *c, pl_mat *mat, pl_set *set, int dim, const dense *want)
{
  int n, bad = 0;
  int64_t *rows = own_rows(c, set, dim, &n), *columns = calloc((size_t)want->columns + 1, sizeof *columns);
  double *got = calloc((size_t)n * (size_t)want->columns + 1, sizeof *got);
  for (int j = 0; j < want->columns; j++) columns[j] = j;
  OK(pl_mat_get(mat, n, rows, want->columns, columns, got));
  for (int i = 0; i < n; i++)
    for (int j = 0; j < want->columns; j++) {
      const double difference =
        got[i * want->columns + j] - want->value[(size_t)rows[i] * (size_t)want->columns + (size_t)j];
      bad += !(difference < 1e-12 && difference > -1e-12);
    }
  CHECK(bad == 0);
  free(rows), free(columns), free(got);
}

/* ---- pairs of maps ---- */

void random_pair(conf *c, pair *p, const int arity[2], const int sizes[2], pl_set *const to[2])
{
  p->n = conf_below(c, 4) ? 1 + conf_below(c, 60) : 0;
  p->set = conf_set(c, p->n, "elements");
  p->weight = calloc((size_t)p->n + 1, sizeof *p->weight);
  for (int e = 0; e < p->n; e++) p->weight[e] = conf_below(c, 64) - 20;
  for (int k = 0; k < 2; k++) {
    p->arity[k] = arity[k];
    p->index[k] = calloc((size_t)(p->n * arity[k]) + 1, sizeof(int));
    for (int i = 0; i < p->n * arity[k]; i++)
      p->index[k][i] = conf_below(c, 9) ? conf_below(c, sizes[k]) : -1;
    p->map[k] = conf_map(c, p->set, to[k], arity[k], p->index[k], k ? "to_columns" : "to_rows");
  }
  p->dat = conf_dat(c, p->set, 1, PL_DOUBLE, p->weight, "weight");
}

void free_pair(pair *p)
{
  free(p->index[0]), free(p->index[1]), free(p->weight);
}

int dense_line(const pair *p, int k, const int block[2], int e, int i)
{
  const int target = p->index[k][e * p->arity[k] + i / block[k]];
  return target < 0 ? -1 : target * block[k] + i % block[k];
}

void add_dense(dense *d, const pair *p, const int block[2], int e)
{
  const int height = p->arity[0] * block[0], width = p->arity[1] * block[1];
  for (int k = 0; k < height * width; k++) {
    const int row = dense_line(p, 0, block, e, k / width), column = dense_line(p, 1, block, e, k % width);
    if (row >= 0 && column >= 0) d->value[row * d->columns + column] += p->weight[e] * (1 + k);
  }
}

const pl_kernel *tensor_kernel(conf *c, int height, int width, bool flat)
{
  char source[512], name[64];
  snprintf(name, sizeof name, "tensor_%d_%d_%d", height, width, flat);
  if (flat)
    snprintf(source, sizeof source,
             "void %s(const double *w, double *A) { for (int i = 0; i < %d; i++) A[i] += w[0] * (1 + i); }",
             name, height * width);
  else
    snprintf(
      source, sizeof source,
      "void %s(const double *w, double A[%d][%d]) { for (int i = 0; i < %d; i++) for (int j = 0; j < %d; "
      "j++) A[i][j] += w[0] * (1 + i * %d + j); }",
      name, height, width, height, width, width);
  return conf_source(c, name, source, NULL);
}

/* SPDX-License-Identifier: BSD-2-Clause
 * What the cases of matrices share: dense references, and random pairs of maps with their tensors.
 */
#ifndef PLAIT_TESTS_MATRICES_H
#define PLAIT_TESTS_MATRICES_H

#include "conformance.h"

/* ---- dense matrices ---- */

/* What the matrix must be: all rows and columns, on every rank. */
typedef struct dense {
  int rows, columns;
  double *value;
} dense;

dense new_dense(int rows, int columns);
dense dense_of(const double *values, int rows, int columns);
void free_dense(dense *d);

/* The rows that this rank owns, as numbers of single values (to be freed); *n of them. */
int64_t *own_rows(conf *c, pl_set *set, int dim, int *n);

/* This rank's rows of the matrix equal those of the dense one, within 1e-12. */
void check_matrix(conf *c, pl_mat *mat, pl_set *set, int dim, const dense *want);

/* ---- pairs of maps ---- */

/* A pair of maps from a set of its own; element e adds weight[e] * (1 + k) to value k of its tensor. */
typedef struct pair {
  int n, arity[2];
  int *index[2];
  double *weight;
  pl_set *set;
  pl_map *map[2];
  pl_dat *dat;
} pair;

void random_pair(conf *c, pair *p, const int arity[2], const int sizes[2], pl_set *const to[2]);
void free_pair(pair *p);

/* The row (k is 0) or column (1) of the matrix where line i of the tensor of element e belongs; -1: none. */
int dense_line(const pair *p, int k, const int block[2], int e, int i);

/* Adds the tensor of element e. */
void add_dense(dense *d, const pair *p, const int block[2], int e);

/* A kernel for tensors of height x width, `flat` or not, that adds or writes. */
const pl_kernel *tensor_kernel(conf *c, int height, int width, bool flat);

#endif

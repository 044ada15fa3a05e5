/* SPDX-License-Identifier: BSD-2-Clause
 * Masks of matrix arguments: rows and columns that a loop drops, also single components of blocks.
 */
#include "matrices.h"
#include <stdlib.h>

enum { NODES = 23, CELLS = 40, ARITY = 3, MOST = 2, ALL = NODES * MOST };

typedef struct masked {
  int dim;
  double weight[CELLS];
  pair cells;
  pl_set *nodes;
  pl_dat *row, *column, *number;
  pl_mat *mat;
} masked;

static void open_masked(conf *c, masked *m, int dim)
{
  const uint8_t none[ALL] = {0};
  const int64_t zero[ALL] = {0};
  pl_sparsity *sparsity = NULL;
  m->dim = dim;
  m->nodes = conf_set(c, NODES, "nodes");
  m->cells =
    (pair){CELLS, {ARITY, ARITY}, {NULL, NULL}, m->weight, conf_set(c, CELLS, "cells"), {NULL, NULL}, NULL};
  m->cells.index[0] = m->cells.index[1] = calloc(CELLS * ARITY, sizeof(int));
  for (int i = 0; i < CELLS * ARITY; i++) m->cells.index[0][i] = conf_below(c, NODES);
  for (int e = 0; e < CELLS; e++) m->weight[e] = 1 + conf_below(c, 9);
  m->cells.map[0] = m->cells.map[1] =
    conf_map(c, m->cells.set, m->nodes, ARITY, m->cells.index[0], "corners");
  m->cells.dat = conf_dat(c, m->cells.set, 1, PL_DOUBLE, m->weight, "weight");
  m->row = conf_dat(c, m->nodes, dim, PL_UINT8, none, "row_mask");
  m->column = conf_dat(c, m->nodes, dim, PL_INT64, zero, "column_mask");
  OK(pl_decl_sparsity(m->nodes, dim, m->nodes, dim, 1, &(pl_map_pair){m->cells.map[0], m->cells.map[0]},
                      "pattern", &sparsity));
  OK(pl_decl_mat(sparsity, PL_DOUBLE, "A", &m->mat));
}

/* Mask number `round` of row or column i; 256 is not zero. */
static int64_t mask_of(int round, bool columns, int i)
{
  return round == 0 ? 0 : (i * (columns ? 5 : 3) + round) % 4 == 0 ? columns ? 256 : 1 : 0;
}

/* Writes this rank's values of both masks. */
static void set_masks(conf *c, const masked *m, int round)
{
  int n;
  int64_t *id = own_rows(c, m->nodes, m->dim, &n);
  void *row, *column;
  OK(pl_dat_get(m->row, PL_WRITE, &row));
  OK(pl_dat_get(m->column, PL_WRITE, &column));
  for (int i = 0; i < n; i++) {
    ((uint8_t *)row)[i] = (uint8_t)mask_of(round, false, (int)id[i]);
    ((int64_t *)column)[i] = mask_of(round, true, (int)id[i]);
  }
  OK(pl_dat_put(m->row));
  OK(pl_dat_put(m->column));
  free(id);
}

/* The sum of all tensors, without what the masks drop: bit 0 of `which` means rows, bit 1 columns. */
static dense expected(const masked *m, int round, int which)
{
  const int n = NODES * m->dim, block[2] = {m->dim, m->dim};
  dense want = new_dense(n, n);
  for (int e = 0; e < CELLS; e++) add_dense(&want, &m->cells, block, e);
  for (int k = 0; k < n * n; k++)
    if ((which & 1 && mask_of(round, false, k / n)) || (which & 2 && mask_of(round, true, k % n)))
      want.value[k] = 0;
  return want;
}

static pl_arg masked_arg(const masked *m, int which, pl_access access)
{
  return pl_arg_masked(pl_arg_mat(m->mat, m->cells.map[0], m->cells.map[0], access),
                       which & 1 ? m->row : NULL, which & 2 ? m->column : NULL);
}

static const pl_kernel *add_tensor(conf *c, const masked *m)
{
  return tensor_kernel(c, ARITY * m->dim, ARITY * m->dim, true);
}

/* Masks that change between calls, of rows, of columns and of both. */
static void try_masks(conf *c, int dim)
{
  masked m;
  open_masked(c, &m, dim);
  for (int round = 0; round < 3; round++) {
    set_masks(c, &m, round);
    for (int which = 0; which < 4; which++) {
      dense want = expected(&m, round, which);
      OK(pl_par_loop(add_tensor(c, &m), m.cells.set, DIRECT(m.cells.dat, PL_READ),
                     pl_arg_zeroed(masked_arg(&m, which, PL_INC))));
      check_matrix(c, m.mat, m.nodes, dim, &want);
      free_dense(&want);
    }
  }
  free(m.cells.index[0]);
}

static void case_masked_rows(conf *c)
{
  try_masks(c, 1);
}

static void case_masked_components(conf *c)
{
  try_masks(c, 2);
}

/* A loop object reads the masks in each run; a recorded loop when it was recorded. */
static void case_masks_of_calls(conf *c)
{
  masked m;
  pl_loop *loop = NULL;
  pl_chain *chain = NULL;
  open_masked(c, &m, 1);
  OK(pl_loop_create(&loop, add_tensor(c, &m), m.cells.set, DIRECT(m.cells.dat, PL_READ),
                    masked_arg(&m, 3, PL_INC)));
  for (int round = 2; round >= 0; round--) {
    set_masks(c, &m, round);
    OK(pl_mat_zero(m.mat));
    OK(pl_loop_run(loop));
    dense want = expected(&m, round, 3);
    check_matrix(c, m.mat, m.nodes, 1, &want);
    free_dense(&want);
  }
  pl_loop_free(&loop);
  dense want = expected(&m, 1, 3), more = expected(&m, 2, 3);
  for (int k = 0; k < NODES * NODES; k++) want.value[k] += more.value[k];
  OK(pl_chain_begin(c->pl, "masks", &chain));
  OK(pl_mat_zero(m.mat));
  for (int round = 1; round < 3; round++) {
    set_masks(c, &m, round);
    OK(pl_par_loop(add_tensor(c, &m), m.cells.set, DIRECT(m.cells.dat, PL_READ), masked_arg(&m, 3, PL_INC)));
  }
  OK(pl_chain_end(chain));
  check_matrix(c, m.mat, m.nodes, 1, &want);
  free_dense(&want), free_dense(&more), free(m.cells.index[0]);
}

PL_KERNEL(mask_ones, (double A[9]), {
  for (int i = 0; i < 9; i++) A[i] = 1;
})

PL_KERNEL(mask_sevens, (double A[9]), {
  for (int i = 0; i < 9; i++) A[i] = 7;
})

/* Dropped values keep their entries. */
static void case_masked_write(conf *c)
{
  masked m;
  open_masked(c, &m, 1);
  set_masks(c, &m, 1);
  dense want = expected(&m, 0, 0), kept = expected(&m, 1, 3);
  for (int k = 0; k < NODES * NODES; k++) want.value[k] = want.value[k] != 0 ? kept.value[k] != 0 ? 7 : 1 : 0;
  OK(pl_par_loop(mask_ones, m.cells.set, masked_arg(&m, 0, PL_WRITE)));
  OK(pl_par_loop(mask_sevens, m.cells.set, masked_arg(&m, 3, PL_WRITE)));
  check_matrix(c, m.mat, m.nodes, 1, &want);
  free_dense(&want), free_dense(&kept), free(m.cells.index[0]);
}

static void case_mask_errors(conf *c)
{
  masked m;
  open_masked(c, &m, 1);
  pl_dat *real = conf_dat(c, m.nodes, 1, PL_DOUBLE, NULL, "real"),
         *wide = conf_dat(c, m.nodes, 2, PL_INT8, NULL, "wide"),
         *other = conf_dat(c, m.cells.set, 1, PL_INT8, NULL, "other");
  pl_dat *const bad[] = {real, wide, other};
  const pl_arg tensor = masked_arg(&m, 0, PL_WRITE);
  for (int k = 0; k < 3; k++) {
    FAILS(pl_par_loop(mask_ones, m.cells.set, pl_arg_masked(tensor, bad[k], NULL)), PL_ERR_TYPE, "\"A\"",
          "row mask", pl_dat_name(bad[k]), "\"nodes\" with dim 1 of an integer type");
    FAILS(pl_par_loop(mask_ones, m.cells.set, pl_arg_masked(tensor, NULL, bad[k])), PL_ERR_TYPE, "\"A\"",
          "column mask", pl_dat_name(bad[k]));
  }
  FAILS(pl_par_loop(add_tensor(c, &m), m.cells.set, DIRECT(m.cells.dat, PL_READ),
                    pl_arg_masked(pl_arg_dat(real, PL_ALL, m.cells.map[0], PL_INC), m.row, NULL)),
        PL_ERR_ARG, "pl_arg_masked is for a matrix");
  OK(pl_par_loop(mask_ones, m.cells.set, masked_arg(&m, 1, PL_WRITE)));
  pl_dat_free(&m.row); /* the positions go with it */
  OK(pl_par_loop(mask_ones, m.cells.set, masked_arg(&m, 2, PL_WRITE)));
  free(m.cells.index[0]);
}

const conf_case conf_masks[] = {
  {"matrix: masked rows and columns", "P27", case_masked_rows, CONF_RANKS | CONF_NEEDS_JIT},
  {"matrix: masked components", "P27", case_masked_components, CONF_RANKS | CONF_NEEDS_JIT},
  {"matrix: masks of each call", "P27", case_masks_of_calls, CONF_RANKS | CONF_NEEDS_JIT},
  {"matrix: masked values that are written", "P27", case_masked_write, CONF_RANKS},
  {"matrix: mask errors", "P27", case_mask_errors, CONF_RANKS | CONF_NEEDS_JIT | CONF_EAGER},
  {NULL, NULL, NULL, 0}};

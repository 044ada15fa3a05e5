/* SPDX-License-Identifier: BSD-2-Clause
 * PLAIT_CHECK=1 with matrix arguments: kernels that write outside of their tensor, read it before they write
 * it, leave values out, or write different values into one entry.
 */
#include "conformance.h"

PL_KERNEL(tensor_good, (double A[3][3], const int *n), {
  for (int i = 0; i < 9; i++) A[i / 3][i % 3] += n[0];
})
PL_KERNEL(tensor_index, (double A[3][3], const int *n), { A[2][n[0]] += 1; })
PL_KERNEL(tensor_beyond, (double A[9], const int *n), {
  double *to = A;
  to[n[0] + 8] += 1;
})
PL_KERNEL(tensor_updates, (double A[9], const int *n), {
  for (int i = 0; i < 9; i++) A[i] = A[i] + n[0];
})
PL_KERNEL(tensor_reads, (double A[9], const int *n), {
  const double *old = A;
  for (int i = 0; i < 9; i++) A[i] = 2 * old[i] + n[0];
})
PL_KERNEL(tensor_lacks, (double A[9], const int *n), {
  for (int i = 0; i < 8; i++) A[i] = n[0];
})
PL_KERNEL(tensor_sets, (double A[9], const int *n), {
  for (int i = 0; i < 9; i++) A[i] = n[0];
})

static void try_tensors(conf *c, pl_set *cells, pl_arg adds, pl_arg writes, pl_dat *good, pl_dat *bad)
{
  OK(pl_par_loop(tensor_good, cells, adds, DIRECT(bad, PL_READ)));
  OK(pl_par_loop(tensor_sets, cells, writes, DIRECT(good, PL_READ)));
  OK(pl_par_loop(tensor_index, cells, adds, DIRECT(good, PL_READ)));
  FAILS(pl_par_loop(tensor_index, cells, adds, DIRECT(bad, PL_READ)), PL_ERR_CHECK, "tensor_index",
        "at element 4", "index 3 in bracket 2 of argument 1 (matrix \"stiffness\")");
  OK(pl_par_loop(tensor_beyond, cells, adds, DIRECT(good, PL_READ)));
  FAILS(pl_par_loop(tensor_beyond, cells, adds, DIRECT(bad, PL_READ)), PL_ERR_CHECK, "tensor_beyond",
        "at element 4", "writes outside the values of argument 1 (matrix \"stiffness\")");
  FAILS(pl_par_loop(tensor_updates, cells, writes, DIRECT(good, PL_READ)), PL_ERR_ACCESS, "tensor_updates",
        "matrix \"stiffness\" is PL_WRITE, which has none: make it PL_INC");
  FAILS(pl_par_loop(tensor_reads, cells, writes, DIRECT(good, PL_READ)), PL_ERR_CHECK, "tensor_reads",
        "matrix \"stiffness\"");
  FAILS(pl_par_loop(tensor_lacks, cells, writes, DIRECT(good, PL_READ)), PL_ERR_CHECK, "tensor_lacks",
        "matrix \"stiffness\"");
  FAILS(pl_par_loop(tensor_sets, cells, writes, DIRECT(bad, PL_READ)), PL_ERR_CHECK, "tensor_sets",
        "matrix \"stiffness\"");
}

static void case_checked_tensors(conf *c)
{
  enum { N = 6 };
  int corner[3 * N], zero[N] = {0}, three[N] = {0}, first[N + 2] = {1};
  for (int e = 0; e < N; e++)
    for (int k = 0; k < 3; k++) corner[3 * e + k] = e + k;
  three[4] = 3;
  pl_set *cells = conf_set(c, N, "cells"), *nodes = conf_set(c, N + 2, "nodes");
  pl_map *map = conf_map(c, cells, nodes, 3, corner, "corners");
  pl_dat *good = conf_dat(c, cells, 1, PL_INT32, zero, "good"),
         *bad = conf_dat(c, cells, 1, PL_INT32, three, "bad"),
         *mask = conf_dat(c, nodes, 1, PL_INT32, first, "mask");
  pl_sparsity *sparsity = NULL;
  pl_mat *mat = NULL;
  OK(pl_decl_sparsity(nodes, 1, nodes, 1, 1, &(pl_map_pair){map, map}, "pattern", &sparsity));
  OK(pl_decl_mat(sparsity, PL_DOUBLE, "stiffness", &mat));
  const pl_arg adds = pl_arg_mat(mat, map, map, PL_INC), writes = pl_arg_mat(mat, map, map, PL_WRITE);
  OK(pl_set_option(c->pl, "check", "1"));
  try_tensors(c, cells, adds, writes, good, bad);
  try_tensors(c, cells, pl_arg_masked(adds, mask, mask), writes, good, bad);
  OK(pl_set_option(c->pl, "reproducible", "1")); /* loops keep their tensors apart */
  try_tensors(c, cells, adds, writes, good, bad);
  OK(pl_set_option(c->pl, "reproducible", c->variant->reproducible ? "1" : "0"));
  OK(pl_set_option(c->pl, "check", "0"));
}

const conf_case conf_checked_matrices[] = {{"matrix: errors in a checked run", "P27, P64",
                                            case_checked_tensors, CONF_RANKS | CONF_NEEDS_JIT | CONF_EAGER},
                                           {NULL, NULL, NULL, 0}};

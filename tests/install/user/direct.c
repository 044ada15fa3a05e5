/* SPDX-License-Identifier: BSD-2-Clause
 * direct.c: a rod whose ends are held, solved by MUMPS if it is there (docs/solver-packages.md).
 */
#include <plait.h>

enum { NODES = 101, RODS = NODES - 1 };

PL_KERNEL(stiffness, (double A[2][2]), {
  A[0][0] += 100;
  A[0][1] -= 100;
  A[1][0] -= 100;
  A[1][1] += 100;
})

int main(int argc, char **argv)
{
  int ends[RODS][2], held[] = {0, RODS};
  double result[NODES];
  pl_context *pl;
  pl_set *nodes, *rods, *boundary;
  pl_map *end;
  pl_dat *x, *b;
  pl_sparsity *sparsity;
  pl_mat *A;
  for (int i = 0; i < RODS; i++) ends[i][0] = i, ends[i][1] = i + 1;
  PL_OK(pl, pl_init(&argc, &argv, NULL, &pl));
  PL_OK(pl, pl_decl_set(pl, NODES, "nodes", &nodes));
  PL_OK(pl, pl_decl_set(pl, RODS, "rods", &rods));
  PL_OK(pl, pl_decl_map(rods, nodes, 2, &ends[0][0], "end", &end));
  PL_OK(pl, pl_decl_subset(nodes, 2, held, "boundary", &boundary));
  PL_OK(pl, pl_decl_dat(nodes, 1, PL_DOUBLE, NULL, "x", &x));
  PL_OK(pl, pl_decl_dat(nodes, 1, PL_DOUBLE, NULL, "b", &b));
  PL_OK(pl, pl_decl_sparsity(nodes, 1, nodes, 1, 1, &(pl_map_pair){end, end}, "P1", &sparsity));
  PL_OK(pl, pl_decl_mat(sparsity, PL_DOUBLE, "A", &A));
  PL_OK(pl, pl_par_loop(stiffness, rods, pl_arg_mat(A, end, end, PL_INC)));
  PL_OK(pl, pl_mat_zero_rows(A, boundary, 1.0));
  PL_OK(pl, pl_dat_fill(b, 0.01));
  PL_OK(pl, pl_dat_zero_subset(b, boundary));

  pl_err err = pl_solve(A, x, b, (&(pl_solver_options){.preconditioner = "mumps"}));
  if (err == PL_ERR_BACKEND) /* MUMPS is not installed */
    err = pl_solve(A, x, b, (&(pl_solver_options){.method = "gmres", .restart = 120, .rtol = 1e-10}));
  PL_OK(pl, err);
  PL_OK(pl, pl_dat_fetch(x, result));
  printf("%.6f\n", result[RODS / 2]);
  pl_finalize(&pl);
  return 0;
}

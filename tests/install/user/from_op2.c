/* SPDX-License-Identifier: BSD-2-Clause
 * from_op2.c: an OP2 program with an edge loop and a reduction, on Plait (docs/coming-from.md).
 */
#include <plait.h>

PL_KERNEL(flux, (const double *u1, const double *u2, double *r1, double *r2), {
  const double f = 0.25 * (u1[0] - u2[0]);
  r1[0] -= f;
  r2[0] += f;
})

PL_KERNEL(update, (double *u, double *r, double *change), {
  u[0] += r[0];
  change[0] += r[0] * r[0];
  r[0] = 0;
})

enum { CELLS = 8 };

int main(int argc, char **argv)
{
  int cell_of[2 * CELLS];
  double start[CELLS] = {1}, sum;
  pl_context *pl;
  pl_set *cells, *edges;
  pl_map *edge_cell;
  pl_dat *u, *r;
  pl_global *change;

  for (int e = 0; e < CELLS; e++) cell_of[2 * e] = e, cell_of[2 * e + 1] = (e + 1) % CELLS;
  PL_OK(pl, pl_init(&argc, &argv, NULL, &pl));
  PL_OK(pl, pl_decl_set(pl, CELLS, "cells", &cells));
  PL_OK(pl, pl_decl_set(pl, CELLS, "edges", &edges));
  PL_OK(pl, pl_decl_map(edges, cells, 2, cell_of, "edge_cell", &edge_cell));
  PL_OK(pl, pl_decl_dat(cells, 1, PL_DOUBLE, start, "u", &u));
  PL_OK(pl, pl_decl_dat(cells, 1, PL_DOUBLE, NULL, "r", &r));
  PL_OK(pl, pl_decl_global(pl, 1, PL_DOUBLE, NULL, "change", &change));

  for (int step = 0; step < 10; step++) {
    PL_OK(pl,
          pl_par_loop(flux, edges, pl_arg_dat(u, 0, edge_cell, PL_READ), pl_arg_dat(u, 1, edge_cell, PL_READ),
                      pl_arg_dat(r, 0, edge_cell, PL_INC), pl_arg_dat(r, 1, edge_cell, PL_INC)));
    PL_OK(pl, pl_global_zero(change));
    PL_OK(pl, pl_par_loop(update, cells, pl_arg_direct(u, PL_RW), pl_arg_direct(r, PL_RW),
                          pl_arg_gbl(change, PL_INC)));
  }
  PL_OK(pl, pl_global_get(change, &sum));
  printf("change %.3e\n", sum);
  pl_finalize(&pl);
  return 0;
}

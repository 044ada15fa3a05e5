/* SPDX-License-Identifier: BSD-2-Clause
 * A ring of cells and edges: the events that tools receive. Exit status 77: the backend cannot be used; 1,
 * with the message on stderr: another error.
 */
#include <plait.h>

enum { CELLS = 40, STEPS = 3 };

PL_KERNEL(flux, (const double *const x[2], double *sum[2]), {
  sum[0][0] += x[1][0];
  sum[1][0] += x[0][0];
})

PL_KERNEL(advance, (double *x, double *sum), {
  x[0] += 0.25 * sum[0];
  sum[0] = 0;
})

/* Each rank declares its part of the ring. */
static void run(pl_context *pl)
{
  int ends[2 * CELLS], first = CELLS * pl_rank(pl), all = CELLS * pl_ranks(pl);
  double values[CELLS];
  pl_set *cells, *edges;
  pl_map *end;
  pl_dat *x, *sum;
  for (int i = 0; i < CELLS; i++) {
    ends[2 * i] = first + i;
    ends[2 * i + 1] = (first + i + 1) % all;
    values[i] = first + i;
  }
  PL_OK(pl, pl_decl_set(pl, CELLS, "cells", &cells));
  PL_OK(pl, pl_decl_set(pl, CELLS, "edges", &edges));
  PL_OK(pl, pl_decl_map(edges, cells, 2, ends, "end", &end));
  PL_OK(pl, pl_decl_dat(cells, 1, PL_DOUBLE, values, "x", &x));
  PL_OK(pl, pl_decl_dat(cells, 1, PL_DOUBLE, NULL, "sum", &sum));
  for (int step = 0; step < STEPS; step++) {
    PL_OK(pl, pl_timer_begin(pl, "a \"step\""));
    PL_OK(pl, pl_par_loop(flux, edges, pl_arg_dat(x, PL_ALL, end, PL_READ),
                          pl_arg_dat(sum, PL_ALL, end, PL_INC)));
    PL_OK(pl, pl_par_loop(advance, cells, pl_arg_direct(x, PL_RW), pl_arg_direct(sum, PL_RW)));
    PL_OK(pl, pl_timer_end(pl, "a \"step\""));
  }
  PL_OK(pl, pl_timer_begin(pl, "open"));
  PL_OK(pl, pl_dat_fetch(x, values));
}

int main(int argc, char **argv)
{
  pl_context *pl;
  pl_err err = pl_init(&argc, &argv, NULL, &pl);
  if (!err) run(pl);
  if (err) fprintf(stderr, "%s\n", pl_errmsg(pl));
  pl_finalize(&pl);
  return err == PL_ERR_BACKEND ? 77 : err != PL_SUCCESS;
}

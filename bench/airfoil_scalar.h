/* SPDX-License-Identifier: BSD-2-Clause
 * The loops of the hand-written airfoil solver as scalar code. In precision REAL, for airfoil_hand_solver.c.
 */
#ifndef BENCH_AIRFOIL_SCALAR_H
#define BENCH_AIRFOIL_SCALAR_H

#include "airfoil_hand_kernels.h"

LOOP save_soln(int from, int to, bool streams, const REAL *restrict q, REAL *restrict qold)
{
  (void)streams;
  for (int i = 4 * from; i < 4 * to; i++) qold[i] = q[i];
}

LOOP adt_calc(int from, int to, const int *restrict cell_node, const REAL *restrict x, const REAL *restrict q,
              REAL *restrict adt)
{
  for (int i = from; i < to; i++) adt[i] = cell_speed(i, cell_node, x, q);
}

LOOP res_calc(int n, const int *restrict edge_node, const int *restrict edge_cell, const REAL *restrict x,
              const REAL *restrict q, const REAL *restrict adt, REAL *restrict res)
{
  for (int e = 0; e < n; e++) add_flux(e, edge_node, edge_cell, x, q, adt, res);
}

LOOP update(int from, int to, bool streams, const REAL *restrict qold, REAL *restrict q, REAL *restrict res,
            const REAL *restrict adt, REAL *restrict rms)
{
  REAL sum = 0;
  (void)streams;
  for (int i = from; i < to; i++) sum += update_cell(i, qold, q, res, adt);
  *rms = sum;
}

#endif

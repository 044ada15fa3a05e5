/* SPDX-License-Identifier: BSD-2-Clause
 * What the scalar and the vector loops of the hand-written airfoil solver share, in precision REAL.
 */
#ifndef BENCH_AIRFOIL_HAND_KERNELS_H
#define BENCH_AIRFOIL_HAND_KERNELS_H

#include <math.h>

#include "../apps/airfoil/mesh.h"

#ifndef REAL
#define REAL double
#endif
#define IS_FLOAT (sizeof(REAL) == sizeof(float))

/* The published results use constants rounded to float, in double precision too. */
#define GAM ((REAL)1.4f)
#define GM1 (GAM - (REAL)1)
#define CFL ((REAL)0.9f)
#define EPS ((REAL)0.05f)
#define MACH ((REAL)0.4f)
#define HALF ((REAL)0.5)

static inline REAL root(REAL value)
{
  return IS_FLOAT ? (REAL)sqrtf((float)value) : (REAL)sqrt((double)value);
}

static inline REAL magnitude(REAL value)
{
  return IS_FLOAT ? (REAL)fabsf((float)value) : (REAL)fabs((double)value);
}

#define LOOP static __attribute__((noinline)) void /* limits restrict to the loop's function */

static inline REAL side_speed(const REAL *x1, const REAL *x2, REAL u, REAL v, REAL c)
{
  const REAL dx = x2[0] - x1[0], dy = x2[1] - x1[1];
  return magnitude(u * dy - v * dx) + c * root(dx * dx + dy * dy);
}

static inline REAL cell_speed(int i, const int *cell_node, const REAL *x, const REAL *q)
{
  const int *n = &cell_node[4 * i];
  const REAL *x1 = &x[2 * n[0]], *x2 = &x[2 * n[1]], *x3 = &x[2 * n[2]], *x4 = &x[2 * n[3]];
  const REAL ri = 1 / q[4 * i], u = ri * q[4 * i + 1], v = ri * q[4 * i + 2];
  const REAL c = root(GAM * GM1 * (ri * q[4 * i + 3] - HALF * (u * u + v * v)));
  const REAL sum = side_speed(x1, x2, u, v, c) + side_speed(x2, x3, u, v, c) + side_speed(x3, x4, u, v, c) +
                   side_speed(x4, x1, u, v, c);
  return sum / CFL;
}

/* The flux over an edge with extent dx, dy between two states, with artificial viscosity mu; of one edge or,
 * in vectors, of several. */
#define FLUX(name, value)                                                                                    \
  static inline void name(value dx, value dy, const value q1[4], const value q2[4], value mu, value f[4])    \
  {                                                                                                          \
    const value ri1 = 1 / q1[0], p1 = GM1 * (q1[3] - HALF * ri1 * (q1[1] * q1[1] + q1[2] * q1[2]));          \
    const value ri2 = 1 / q2[0], p2 = GM1 * (q2[3] - HALF * ri2 * (q2[1] * q2[1] + q2[2] * q2[2]));          \
    const value vol1 = ri1 * (q1[1] * dy - q1[2] * dx), vol2 = ri2 * (q2[1] * dy - q2[2] * dx);              \
    f[0] = HALF * (vol1 * q1[0] + vol2 * q2[0]) + mu * (q1[0] - q2[0]);                                      \
    f[1] = HALF * (vol1 * q1[1] + p1 * dy + vol2 * q2[1] + p2 * dy) + mu * (q1[1] - q2[1]);                  \
    f[2] = HALF * (vol1 * q1[2] - p1 * dx + vol2 * q2[2] - p2 * dx) + mu * (q1[2] - q2[2]);                  \
    f[3] = HALF * (vol1 * (q1[3] + p1) + vol2 * (q2[3] + p2)) + mu * (q1[3] - q2[3]);                        \
  }

FLUX(flux, REAL)

static inline void edge_flux(int e, const int *edge_node, const int *edge_cell, const REAL *x, const REAL *q,
                             const REAL *adt, REAL f[4])
{
  const REAL *x1 = &x[2 * edge_node[2 * e]], *x2 = &x[2 * edge_node[2 * e + 1]];
  const int c1 = edge_cell[2 * e], c2 = edge_cell[2 * e + 1];
  flux(x1[0] - x2[0], x1[1] - x2[1], &q[4 * c1], &q[4 * c2], HALF * (adt[c1] + adt[c2]) * EPS, f);
}

/* Adds the flux over an edge to its cells. */
static inline void add_flux(int e, const int *edge_node, const int *edge_cell, const REAL *x, const REAL *q,
                            const REAL *adt, REAL *res)
{
  REAL f[4], *res1 = &res[4 * edge_cell[2 * e]], *res2 = &res[4 * edge_cell[2 * e + 1]];
  edge_flux(e, edge_node, edge_cell, x, q, adt, f);
  for (int k = 0; k < 4; k++) res1[k] += f[k];
  for (int k = 0; k < 4; k++) res2[k] -= f[k];
}

/* Cut edges: only their cell `mine` (0 or 1) belongs to this thread. */
LOOP res_calc_cut(int n, int mine, const int *restrict edge_node, const int *restrict edge_cell,
                  const REAL *restrict x, const REAL *restrict q, const REAL *restrict adt,
                  REAL *restrict res)
{
  const REAL sign = mine == 0 ? 1 : -1;
  for (int e = 0; e < n; e++) {
    REAL f[4], *to = &res[4 * edge_cell[2 * e + mine]];
    edge_flux(e, edge_node, edge_cell, x, q, adt, f);
    for (int k = 0; k < 4; k++) to[k] += sign * f[k];
  }
}

LOOP bres_calc(int n, const int *restrict bedge_node, const int *restrict bedge_cell,
               const int *restrict bound, const REAL *restrict qinf, const REAL *restrict x,
               const REAL *restrict q, const REAL *restrict adt, REAL *restrict res)
{
  for (int e = 0; e < n; e++) {
    const REAL *x1 = &x[2 * bedge_node[2 * e]], *x2 = &x[2 * bedge_node[2 * e + 1]],
               *q1 = &q[4 * bedge_cell[e]];
    const REAL dx = x1[0] - x2[0], dy = x1[1] - x2[1];
    REAL f[4], *res1 = &res[4 * bedge_cell[e]];
    if (bound[e] == MESH_WALL) {
      const REAL p1 = GM1 * (q1[3] - HALF / q1[0] * (q1[1] * q1[1] + q1[2] * q1[2]));
      res1[1] += p1 * dy;
      res1[2] -= p1 * dx;
    } else {
      flux(dx, dy, q1, qinf, adt[bedge_cell[e]] * EPS, f);
      for (int k = 0; k < 4; k++) res1[k] += f[k];
    }
  }
}

/* A time step of a cell; returns the sum of squares of its changes. */
static inline REAL update_cell(int i, const REAL *qold, REAL *q, REAL *res, const REAL *adt)
{
  const REAL adti = 1 / adt[i];
  REAL squares = 0;
  for (int k = 4 * i; k < 4 * i + 4; k++) {
    const REAL del = adti * res[k];
    q[k] = qold[k] - del;
    res[k] = 0;
    squares += del * del;
  }
  return squares;
}

#endif

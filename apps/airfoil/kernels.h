/* SPDX-License-Identifier: BSD-2-Clause
 * Kernels of airfoil: one time step of the inviscid flow equations, finite volumes on cells, in two stages.
 *
 * The flow q of a cell is density, momentum (two components) and energy per volume. Kernels use the consts
 * gam, gm1, cfl, eps and qinf, which solver.c declares and must have in sight before it includes this file.
 * Square roots and absolute values are assigned to a pl_real before they are used, so that single precision
 * stays single.
 */
#ifndef AIRFOIL_KERNELS_H
#define AIRFOIL_KERNELS_H

#include <math.h>

#include "plait.h"

/* Cells: keeps the flow at the beginning of the step. */
PL_KERNEL(save_soln, (const pl_real *q, pl_real *qold), {
  for (int k = 0; k < 4; k++) qold[k] = q[k];
})

/* Cells: the Mach number, for the picture. */
PL_KERNEL(mach_number, (const pl_real *q, pl_real *mach), {
  const pl_real speed2 = (q[1] * q[1] + q[2] * q[2]) / (q[0] * q[0]);
  const pl_real sound2 = gam * gm1 * (q[3] / q[0] - 0.5 * speed2);
  *mach = sqrt(speed2 / sound2);
})

/* Cells: area over time step, from the speed of the fastest wave through each side. */
PL_KERNEL(adt_calc, (const pl_real *const x[4], const pl_real *q, pl_real *adt), {
  const pl_real ri = 1.0 / q[0];
  const pl_real u = ri * q[1];
  const pl_real v = ri * q[2];
  const pl_real c = sqrt(gam * gm1 * (ri * q[3] - 0.5 * (u * u + v * v)));
  pl_real sum = 0.0;
  for (int k = 0; k < 4; k++) {
    const pl_real dx = x[(k + 1) % 4][0] - x[k][0];
    const pl_real dy = x[(k + 1) % 4][1] - x[k][1];
    const pl_real across = fabs(u * dy - v * dx);
    const pl_real length = sqrt(dx * dx + dy * dy);
    sum += across + c * length;
  }
  *adt = sum / cfl;
})

/* Edges: the flux from one cell into the other, with artificial viscosity. */
PL_KERNEL(res_calc,
          (const pl_real *x1, const pl_real *x2, const pl_real *q1, const pl_real *q2, const pl_real *adt1,
           const pl_real *adt2, pl_real *res1, pl_real *res2),
          {
            const pl_real dx = x1[0] - x2[0];
            const pl_real dy = x1[1] - x2[1];
            const pl_real ri1 = 1.0 / q1[0];
            const pl_real p1 = gm1 * (q1[3] - 0.5 * ri1 * (q1[1] * q1[1] + q1[2] * q1[2]));
            const pl_real vol1 = ri1 * (q1[1] * dy - q1[2] * dx);
            const pl_real ri2 = 1.0 / q2[0];
            const pl_real p2 = gm1 * (q2[3] - 0.5 * ri2 * (q2[1] * q2[1] + q2[2] * q2[2]));
            const pl_real vol2 = ri2 * (q2[1] * dy - q2[2] * dx);
            const pl_real mu = 0.5 * (*adt1 + *adt2) * eps;
            const pl_real f0 = 0.5 * (vol1 * q1[0] + vol2 * q2[0]) + mu * (q1[0] - q2[0]);
            const pl_real f1 = 0.5 * (vol1 * q1[1] + p1 * dy + vol2 * q2[1] + p2 * dy) + mu * (q1[1] - q2[1]);
            const pl_real f2 = 0.5 * (vol1 * q1[2] - p1 * dx + vol2 * q2[2] - p2 * dx) + mu * (q1[2] - q2[2]);
            const pl_real f3 = 0.5 * (vol1 * (q1[3] + p1) + vol2 * (q2[3] + p2)) + mu * (q1[3] - q2[3]);
            res1[0] += f0;
            res1[1] += f1;
            res1[2] += f2;
            res1[3] += f3;
            res2[0] -= f0;
            res2[1] -= f1;
            res2[2] -= f2;
            res2[3] -= f3;
          })

/* Boundary edges: pressure of the wall (bound 1), or the flux towards the free stream. */
PL_KERNEL(bres_calc,
          (const pl_real *x1, const pl_real *x2, const pl_real *q1, const pl_real *adt1, pl_real *res1,
           const int *bound),
          {
            const pl_real dx = x1[0] - x2[0];
            const pl_real dy = x1[1] - x2[1];
            const pl_real ri1 = 1.0 / q1[0];
            const pl_real p1 = gm1 * (q1[3] - 0.5 * ri1 * (q1[1] * q1[1] + q1[2] * q1[2]));
            if (*bound == 1) {
              res1[1] += p1 * dy;
              res1[2] -= p1 * dx;
            } else {
              const pl_real vol1 = ri1 * (q1[1] * dy - q1[2] * dx);
              const pl_real ri2 = 1.0 / qinf[0];
              const pl_real p2 = gm1 * (qinf[3] - 0.5 * ri2 * (qinf[1] * qinf[1] + qinf[2] * qinf[2]));
              const pl_real vol2 = ri2 * (qinf[1] * dy - qinf[2] * dx);
              const pl_real mu = *adt1 * eps;
              res1[0] += 0.5 * (vol1 * q1[0] + vol2 * qinf[0]) + mu * (q1[0] - qinf[0]);
              res1[1] += 0.5 * (vol1 * q1[1] + p1 * dy + vol2 * qinf[1] + p2 * dy) + mu * (q1[1] - qinf[1]);
              res1[2] += 0.5 * (vol1 * q1[2] - p1 * dx + vol2 * qinf[2] - p2 * dx) + mu * (q1[2] - qinf[2]);
              res1[3] += 0.5 * (vol1 * (q1[3] + p1) + vol2 * (qinf[3] + p2)) + mu * (q1[3] - qinf[3]);
            }
          })

/* Cells: one stage from the flow at the beginning of the step; the residual begins at zero again. */
PL_KERNEL(update, (const pl_real *qold, pl_real *q, pl_real *res, const pl_real *adt, pl_real *rms), {
  const pl_real adti = 1.0 / *adt;
  for (int k = 0; k < 4; k++) {
    const pl_real del = adti * res[k];
    q[k] = qold[k] - del;
    res[k] = 0.0;
    *rms += del * del;
  }
})

/* The same where the residual is zeroed by the program. */
PL_KERNEL(update_only,
          (const pl_real *qold, pl_real *q, const pl_real *res, const pl_real *adt, pl_real *rms), {
            const pl_real adti = 1.0 / *adt;
            for (int k = 0; k < 4; k++) {
              const pl_real del = adti * res[k];
              q[k] = qold[k] - del;
              *rms += del * del;
            }
          })

#endif

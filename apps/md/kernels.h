/* SPDX-License-Identifier: BSD-2-Clause
 * The physics of md: the Lennard-Jones potential 4 (r^-12 - r^-6) in its natural units (mass 1), soft walls,
 * and velocity Verlet. `dt` and `side` (the length of the box) are consts.
 */
#ifndef APPS_MD_KERNELS_H
#define APPS_MD_KERNELS_H

#include <math.h>

#include "plait.h"

static pl_real dt, side; /* for the program's own compiler; kernels get the declared consts */

/* For the picture. */
PL_KERNEL(speed2, (const pl_real v[2], pl_real *speed), { speed[0] = sqrt(v[0] * v[0] + v[1] * v[1]); })
PL_KERNEL(speed3, (const pl_real v[3], pl_real *speed),
          { speed[0] = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); })

/* Pairs: the force of particle 1 on particle 0; potential energy and virial where the pass has them. */
PL_KERNEL(force3, (pl_real f[3], const pl_real d[3], const pl_real *r2, double *potential, double *virial), {
  const pl_real s = 1.0 / r2[0], r6 = s * s * s, w = 48.0 * r6 * (r6 - 0.5);
  for (int a = 0; a < 3; a++) f[a] += w * s * d[a];
  if (potential) potential[0] += 4.0 * r6 * (r6 - 1.0);
  if (virial) virial[0] += w;
})

PL_KERNEL(force2, (pl_real f[2], const pl_real d[2], const pl_real *r2, double *potential, double *virial), {
  const pl_real s = 1.0 / r2[0], r6 = s * s * s, w = 48.0 * r6 * (r6 - 0.5);
  for (int a = 0; a < 2; a++) f[a] += w * s * d[a];
  if (potential) potential[0] += 4.0 * r6 * (r6 - 1.0);
  if (virial) virial[0] += w;
})

/* The same for every pair of particles: the kernel leaves out those further apart than 3. */
PL_KERNEL(force2_all,
          (pl_real f[2], const pl_real d[2], const pl_real *r2, double *potential, double *virial), {
            if (r2[0] > 9.0) return;
            const pl_real s = 1.0 / r2[0], r6 = s * s * s, w = 48.0 * r6 * (r6 - 0.5);
            for (int a = 0; a < 2; a++) f[a] += w * s * d[a];
            if (potential) potential[0] += 4.0 * r6 * (r6 - 1.0);
            if (virial) virial[0] += w;
          })

/* Particles: springs that push back particles nearer to a side than 0.5. */
PL_KERNEL(wall2, (pl_real f[2], const pl_real x[2], double *potential), {
  for (int a = 0; a < 2; a++) {
    const pl_real low = x[a] < 0.5 ? 0.5 - x[a] : 0.0, high = x[a] > side - 0.5 ? side - 0.5 - x[a] : 0.0;
    f[a] += 50.0 * (low + high);
    if (potential) potential[0] += 25.0 * (low * low + high * high);
  }
})

PL_KERNEL(wall3, (pl_real f[3], const pl_real x[3], double *potential), {
  for (int a = 0; a < 3; a++) {
    const pl_real low = x[a] < 0.5 ? 0.5 - x[a] : 0.0, high = x[a] > side - 0.5 ? side - 0.5 - x[a] : 0.0;
    f[a] += 50.0 * (low + high);
    if (potential) potential[0] += 25.0 * (low * low + high * high);
  }
})

/* A step: particles drift under the old force; when the new one is known, they are kicked. */
PL_KERNEL(drift2, (pl_real x[2], pl_real v[2], const pl_real f[2]), {
  for (int a = 0; a < 2; a++) {
    x[a] += v[a] * dt + f[a] * (0.5 * dt * dt);
    v[a] += f[a] * (0.5 * dt);
  }
})

PL_KERNEL(drift3, (pl_real x[3], pl_real v[3], const pl_real f[3]), {
  for (int a = 0; a < 3; a++) {
    x[a] += v[a] * dt + f[a] * (0.5 * dt * dt);
    v[a] += f[a] * (0.5 * dt);
  }
})

PL_KERNEL(kick2, (pl_real v[2], const pl_real f[2], double *kinetic), {
  for (int a = 0; a < 2; a++) {
    v[a] += f[a] * (0.5 * dt);
    if (kinetic) kinetic[0] += 0.5 * v[a] * v[a];
  }
})

PL_KERNEL(kick3, (pl_real v[3], const pl_real f[3], double *kinetic), {
  for (int a = 0; a < 3; a++) {
    v[a] += f[a] * (0.5 * dt);
    if (kinetic) kinetic[0] += 0.5 * v[a] * v[a];
  }
})

#endif

/* SPDX-License-Identifier: BSD-2-Clause
 * What happens to one particle: a random step, the search for its cell, and what it leaves at the corners.
 */
#ifndef APPS_WALK_KERNELS_H
#define APPS_WALK_KERNELS_H

#include "plait.h"

/* A step of random direction, from the particle's own stream of random numbers (Marsaglia's xorshift64). */
PL_KERNEL(step, (double x[2], int64_t random[1], const double length[1]), {
  for (int a = 0; a < 2; a++) {
    uint64_t r = (uint64_t)random[0];
    r ^= r << 13;
    r ^= r >> 7;
    r ^= r << 17;
    random[0] = (int64_t)r;
    x[a] += length[0] * ((double)(r >> 11) * 0x1p-52 - 1.0);
  }
})

/* Towards the face that the particle is furthest behind. */
PL_KERNEL(find, (int *next, const double x[2], const double corner[3][2]), {
  double least = 0;
  for (int k = 0; k < 3; k++) {
    const int i = (k + 1) % 3;
    const int j = (k + 2) % 3;
    const double inside = (corner[j][0] - corner[i][0]) * (x[1] - corner[i][1]) -
                          (corner[j][1] - corner[i][1]) * (x[0] - corner[i][0]);
    if (inside < least) {
      least = inside;
      next[0] = k;
    }
  }
})

/* The corners of a cell as its own values, so that its particles see them. */
PL_KERNEL(copy_corners, (double corners[6], const double corner[3][2]), {
  for (int k = 0; k < 6; k++) corners[k] = corner[k / 2][k % 2];
})

/* A particle's weight, one in all, goes to the corners of its cell by its barycentric coordinates. */
PL_KERNEL(deposit, (double share[3], const double x[2], const double corners[6]), {
  const double ax = corners[2] - corners[0];
  const double ay = corners[3] - corners[1];
  const double bx = corners[4] - corners[0];
  const double by = corners[5] - corners[1];
  const double px = x[0] - corners[0];
  const double py = x[1] - corners[1];
  const double area = ax * by - ay * bx;
  const double s = (px * by - py * bx) / area;
  const double t = (ax * py - ay * px) / area;
  share[0] += 1 - s - t;
  share[1] += s;
  share[2] += t;
})

PL_KERNEL(spread, (double *const weight[3], const double share[3]), {
  for (int k = 0; k < 3; k++) weight[k][0] += share[k];
})

/* Sums for the check: of particles, of how far any is outside its cell, of weights and where they are. */
PL_KERNEL(survey, (int64_t * n, double sum[2], double *outside, const double x[2], const double c[6]), {
  n[0] += 1;
  for (int a = 0; a < 2; a++) sum[a] += x[a];
  for (int k = 0; k < 3; k++) {
    const int i = 2 * ((k + 1) % 3);
    const int j = 2 * ((k + 2) % 3);
    const double inside = (c[j] - c[i]) * (x[1] - c[i + 1]) - (c[j + 1] - c[i + 1]) * (x[0] - c[i]);
    if (-inside > outside[0]) outside[0] = -inside;
  }
})
PL_KERNEL(weigh, (double sum[3], const double *weight, const double place[2]), {
  sum[0] += weight[0];
  for (int a = 0; a < 2; a++) sum[1 + a] += weight[0] * place[a];
})

#endif

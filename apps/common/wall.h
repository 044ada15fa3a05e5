/* SPDX-License-Identifier: BSD-2-Clause
 * Wall: seconds on a clock that never goes back, for differences only.
 */
#ifndef APPS_COMMON_WALL_H
#define APPS_COMMON_WALL_H

#include <time.h>

static inline double wall_seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif

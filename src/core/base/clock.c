/* SPDX-License-Identifier: BSD-2-Clause
 * The monotonic clock.
 */
#include "clock.h"
#include <time.h>

double pl_now(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

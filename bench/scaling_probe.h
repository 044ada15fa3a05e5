/* SPDX-License-Identifier: BSD-2-Clause
 * The cost of messages on this machine without other work.
 */
#ifndef BENCH_SCALING_PROBE_H
#define BENCH_SCALING_PROBE_H

#include "plait.h"

/* Seconds on the slowest rank: per message, per byte, and for a global sum that nobody waits for. All 0 on
 * one rank. */
typedef struct scaling_costs {
  double message, byte, sum;
} scaling_costs;

/* Measures them on all ranks of a context by nearly empty loops with and without halos. */
scaling_costs scaling_probe(pl_context *pl);

#endif

/* SPDX-License-Identifier: BSD-2-Clause
 * What messages cost here, apart from all work.
 */
#ifndef BENCH_SCALING_PROBE_H
#define BENCH_SCALING_PROBE_H

#include "plait.h"

/* Seconds of the slowest rank: an exchange for each message that it sends, for each byte of one, and a sum
 * over all ranks that nobody waits for. All 0 on one rank. */
typedef struct scaling_costs {
  double message, byte, sum;
} scaling_costs;

/* Measures them on all ranks of a context, by loops over next to nothing with and without halos. */
scaling_costs scaling_probe(pl_context *pl);

#endif

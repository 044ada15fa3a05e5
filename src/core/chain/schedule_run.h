/* SPDX-License-Identifier: BSD-2-Clause
 * Schedules of batches: found or made, and run.
 */
#ifndef PLAIT_CORE_CHAIN_SCHEDULE_RUN_H
#define PLAIT_CORE_CHAIN_SCHEDULE_RUN_H

#include "chain.h"

/* Ops of the queue that run together, and those that follow them. */
typedef struct pl_batch {
  const pl_op *op;
  int n, nahead;
  bool ended; /* the open chain ends after them */
} pl_batch;

/* The schedule of a batch: found, or made by the backend's passes. */
pl_err pl_schedule_get(pl_context *pl, const pl_batch *batch, pl_schedule **schedule);

/* Runs the steps, each followed by its swaps; in a chain that warms up, prepares them only. */
pl_err pl_schedule_run(pl_context *pl, pl_schedule *schedule);

/* Appends a step; `from` is copied. */
pl_err pl_schedule_add(pl_context *pl, pl_schedule *schedule, pl_op op, int nfrom, const int *from);

void pl_schedules_free(pl_context *pl); /* all of the context */

#endif

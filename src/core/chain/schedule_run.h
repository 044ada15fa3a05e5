/* SPDX-License-Identifier: BSD-2-Clause
 * Schedules of batches: found or made, and run.
 */
#pragma once

#include "chain.h"

/* Ops of the queue that run together, and those that follow them. */
typedef struct pl_batch {
  pl_op *op;
  int n, nahead, may_join; /* of pl_schedule */
  bool ended;              /* the open chain ends after them */
} pl_batch;

/* Ranks have different backends, which would make different schedules. Collective. */
bool pl_backends_differ(pl_context *pl);

/* How many of the ops that follow had better run with the batch, since loops of both are fused: less than
 * may_join. Found once for each sequence of ops. Collective; 0 after an error. */
int pl_batch_count_joining(pl_context *pl, const pl_batch *batch);

/* Runs a batch: its schedule is found, or made by the backend's passes; in a chain that warms up it is only
 * prepared. A loop that fails, and those that need its results, are left out: what they would have written
 * keeps the error. Returns the first error. */
pl_err pl_batch_run(pl_context *pl, pl_batch *batch);

/* Appends a step; `from` is copied. */
pl_err pl_schedule_add(pl_context *pl, pl_schedule *schedule, pl_op op, int nfrom, const int *from);

/* Frees the schedules with loops or globals that name the object; NULL: all of the context. */
void pl_schedules_forget(pl_context *pl, const void *object);

/* SPDX-License-Identifier: BSD-2-Clause
 * Fibers: the work items of one group as functions that wait for each other, on one thread. Each item runs
 * until it waits; when all have, each runs on, in the order of items. Items that have returned are not waited
 * for. Invariant: between two calls of pl_fibers_run every fiber stands at the top of its own stack.
 */
#ifndef PLAIT_BACKENDS_FIBER_H
#define PLAIT_BACKENDS_FIBER_H

#include "plait.h"

typedef struct pl_fibers pl_fibers;
typedef void (*pl_fiber_fn)(const void *user, int item, int group);

/* Room for groups of up to `count` items, each with a stack of its own; one of so many that run at once. */
pl_err pl_fibers_open(pl_context *pl, int count, int workers, pl_fibers **fibers);
void pl_fibers_close(pl_fibers **fibers);

/* Runs fn(user, 0..count-1, group) to their ends. */
void pl_fibers_run(pl_fibers *fibers, pl_fiber_fn fn, const void *user, int count, int group);

/* From inside fn: waits until all other items of the group wait too or have returned. */
void pl_fibers_wait(void *fibers);

#endif

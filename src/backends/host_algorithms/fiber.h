/* SPDX-License-Identifier: BSD-2-Clause
 * Fibers: the work items of one group, with barriers, on one thread. Each item runs until it waits; then all
 * run on in order. Items that have returned are not waited for. Invariant: between two calls of pl_fibers_run
 * every fiber is at the start of its loop.
 */
#pragma once

#include "plait.h"

typedef struct pl_fibers pl_fibers;
typedef void (*pl_fiber_fn)(const void *user, int item, int group);

/* For groups of up to `count` items with a stack each; `workers` such groups run at once. */
pl_err pl_fibers_open(pl_context *pl, int count, int workers, pl_fibers **fibers);
void pl_fibers_close(pl_fibers **fibers);

/* Runs fn(user, item, group) for all items until they return. */
void pl_fibers_run(pl_fibers *fibers, pl_fiber_fn fn, const void *user, int count, int group);

/* The barrier, from inside fn. */
void pl_fibers_wait(void *fibers);

/* SPDX-License-Identifier: BSD-2-Clause
 * The deferred queue of recorded loops: recording and flushing.
 */
#pragma once

#include <stdbool.h>
#include "chain.h"
#include "core/context/observer.h"

extern const pl_observer pl_deferred_observer;

pl_err pl_defer_zero(pl_dat *dat, pl_set *set); /* its set, or a subset */
pl_err pl_defer_copy(pl_dat *from, pl_dat *to);
pl_err pl_defer_global(pl_op op);

pl_err pl_flush_all(pl_context *pl);
pl_err pl_flush_to_write(pl_context *pl); /* before work that is not recorded and may write values */
pl_err pl_flush_chain(pl_context *pl);    /* all, and the open chain ends; the first error of its loops */

/* A part of the queue, to record it again without the calls that made it. Its loops and globals must still be
 * there. begin: what is recorded from here on; end: up to here. n = 0: nothing was recorded, or the queue has
 * begun to run it. */
typedef struct pl_recording {
  int n, first;
  pl_op *op;
  uint64_t epoch;
} pl_recording;
void pl_recording_begin(pl_context *pl, pl_recording *recording);
pl_err pl_recording_end(pl_context *pl, pl_recording *recording);
pl_err pl_recording_again(pl_context *pl, const pl_recording *recording);
void pl_recording_free(pl_context *pl, pl_recording *recording);

void pl_deferred_options(pl_context *pl); /* options may have changed */
/* Before the loops that name an object are dropped (pl_loops_forget): drops their schedules, what fusion
 * keeps of them, and hints about it. NULL: all schedules. Nothing is recorded. */
void pl_deferred_forget(pl_context *pl, const void *object);
/* Sets are distributed anew: drops data that depends on storage. Nothing is recorded. */
void pl_deferred_drop(pl_context *pl);
void pl_deferred_close(pl_context *pl);

bool pl_op_each(const pl_op *op, pl_op_visitor visit, void *user);

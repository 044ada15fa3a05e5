/* SPDX-License-Identifier: BSD-2-Clause
 * The period of the deferred queue: loops of a time step that repeat.
 */
#pragma once

#include "chain.h"

enum { PL_QUEUE_CAPACITY = 512 }; /* ops; then the oldest run */

uint64_t pl_op_id(const pl_op *op);

/* Updates the period after op i was appended to the first i. */
void pl_queue_note_op(pl_deferred *queue, int i);

/* Elements of all ranks from which loops over a set run in long batches: on devices, where all ranks have the
 * same backend; else INT64_MAX. Collective. */
int64_t pl_queue_choose_large(pl_context *pl);

/* Number of leading ops to flush before the program needs any result. */
int pl_queue_count_ready(const pl_deferred *queue);

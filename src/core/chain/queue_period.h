/* SPDX-License-Identifier: BSD-2-Clause
 * The period of the deferred queue: loops of a time step that repeat.
 */
#pragma once

#include "chain.h"

enum { PL_QUEUE_CAPACITY = 512 }; /* ops; then the oldest run */

uint64_t pl_op_id(const pl_op *op);

/* Updates the period after op i was appended to the first i. */
void pl_queue_note_op(pl_deferred *queue, int i);

/* Number of leading ops to flush before the program needs any result; *may_join is pl_schedule.may_join. */
int pl_queue_count_ready(const pl_deferred *queue, int *may_join);

/* SPDX-License-Identifier: BSD-2-Clause
 * Detects the period of the queue with the failure function of Knuth, Morris and Pratt: border[i] is the
 * length of the longest proper suffix of the first i + 1 ops that is also a prefix.
 */
#include "queue_period.h"
#include "core/loop/loop.h"

/* Ops that run as soon as they are complete periods: few enough that a device does not wait long for the
 * first of them, enough that fusion lost between two batches is negligible. */
enum { BATCH = 64 };

uint64_t pl_op_id(const pl_op *op)
{
  if (op->loop) return op->loop->id;
  return op->result->node.id + (op->a ? op->a->node.id << 20 : 0) + (op->b ? op->b->node.id << 40 : 0);
}

void pl_queue_note_op(pl_deferred *queue, int i)
{
  const uint64_t id = pl_op_id(&queue->op[i]);
  int border = i ? queue->border[i - 1] : 0;
  while (border && pl_op_id(&queue->op[border]) != id) border = queue->border[border - 1];
  queue->border[i] = i && pl_op_id(&queue->op[border]) == id ? border + 1 : 0;
}

/* All complete periods, so that the same schedules are found again, except the last one, which may still fuse
 * with ops to come. A full queue without a period is flushed as a whole. */
int pl_queue_count_ready(const pl_deferred *queue)
{
  int count = queue->count, period = count ? count - queue->border[count - 1] : 0;
  int ready = period && 2 * period <= count ? (count - period) / period * period : 0;
  if (ready >= BATCH) return ready;
  return count < PL_QUEUE_CAPACITY ? 0 : ready ? ready : count;
}

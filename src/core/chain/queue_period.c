/* SPDX-License-Identifier: BSD-2-Clause
 * Detects the period of the queue with the failure function of Knuth, Morris and Pratt: border[i] is the
 * length of the longest proper suffix of the first i + 1 ops that is also a prefix.
 */
#include "queue_period.h"
#include "core/comm/comm.h"
#include "core/loop/loop.h"
#include "schedule_run.h"

/* Ops that run as soon as they are complete periods. Loops at the border of two batches are not fused, so a
 * device runs large loops in long batches. It would wait for the first of a long batch of small ones, and on
 * hosts tiles of long batches are no faster. */
enum { BATCH = 64, LONG_BATCH = 256, LARGE = 1 << 21 };

int64_t pl_queue_choose_large(pl_context *pl)
{
  return pl_backends_differ(pl) || !pl->backend->data ? INT64_MAX : (int64_t)LARGE * pl_ranks(pl);
}

static int choose_batch(const pl_deferred *queue, int period)
{
  for (int i = 0; i < period; i++)
    if (queue->op[i].loop && queue->op[i].loop->set->global_size >= queue->large) return LONG_BATCH;
  return BATCH;
}

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
  if (ready >= BATCH && ready >= choose_batch(queue, period)) return ready;
  return count < PL_QUEUE_CAPACITY ? 0 : ready ? ready : count;
}

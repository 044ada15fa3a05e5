/* SPDX-License-Identifier: BSD-2-Clause
 * Detects the period of the queue with the failure function of Knuth, Morris and Pratt: border[i] is the
 * length of the longest proper suffix of the first i + 1 ops that is also a prefix.
 */
#include "queue_period.h"
#include "core/loop/loop.h"

enum { BATCH = 64 }; /* ops, which run as soon as they are complete periods */

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

/* Complete periods, so that the same schedules are found again. The last two stay: the first of them may be
 * fused with ops that run, as the second shows. A full queue keeps one, and runs as a whole without a period.
 */
int pl_queue_count_ready(const pl_deferred *queue, int *may_join)
{
  const int count = queue->count, period = count ? count - queue->border[count - 1] : 0;
  const int complete = period ? count / period : 0, ready = (complete - 2) * period;
  *may_join = ready >= BATCH ? period : 0;
  if (*may_join) return ready;
  return count < PL_QUEUE_CAPACITY ? 0 : complete > 1 ? (complete - 1) * period : count;
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Queues and events.
 */
#include "queue.h"
#include "core/base/clock.h"
#include "core/chain/deferred_queue.h"

pl_err pl_queue_create(pl_context *pl, const char *name, pl_queue **result)
{
  PL_TRY(pl_context_check(pl));
  PL_TRY(PL_GIVEN(pl, "pl_queue_create", result));
  pl_queue *queue = pl_node_new(pl, &pl->queues, sizeof *queue, name);
  if (!queue) return PL_ERR_MEMORY;
  pl_err err = pl->backend->queues ? pl->backend->queues->queue_new(pl, &queue->handle) : PL_SUCCESS;
  if (err) return pl_node_free(&queue->node), err;
  *result = queue;
  return PL_SUCCESS;
}

pl_err pl_queue_use(pl_context *pl, pl_queue *queue)
{
  PL_TRY(pl_context_check(pl));
  if (queue && queue->node.pl != pl)
    return pl_fail(pl, PL_ERR_ARG, "pl_queue_use: queue \"%s\" belongs to another context", queue->node.name);
  PL_TRY(pl_flush_all(pl));
  if (pl->backend->queues) PL_TRY(pl->backend->queues->queue_use(pl, queue ? queue->handle : NULL));
  pl->queue = queue;
  return PL_SUCCESS;
}

/* If the queue is in use, the first queue becomes the one in use. */
void pl_queue_destroy(pl_node *node)
{
  pl_queue *queue = (pl_queue *)node;
  pl_context *pl = node->pl;
  if (pl->queue == queue) pl_queue_use(pl, NULL);
  if (queue->handle) pl->backend->queues->queue_free(pl, queue->handle);
  pl_node_free(node);
}

PL_DEFINE_FREE(pl_queue_free, pl_queue, pl_queue_destroy)

pl_err pl_sync(pl_context *pl)
{
  PL_TRY(pl_context_check(pl));
  PL_TRY(pl_flush_all(pl));
  return pl->backend->sync ? pl->backend->sync(pl) : PL_SUCCESS;
}

pl_err pl_event_create(pl_context *pl, const char *name, pl_event **result)
{
  PL_TRY(pl_context_check(pl));
  PL_TRY(PL_GIVEN(pl, "pl_event_create", result));
  pl_event *event = pl_node_new(pl, &pl->events, sizeof *event, name);
  if (!event) return PL_ERR_MEMORY;
  pl_err err = pl->backend->queues ? pl->backend->queues->event_new(pl, &event->handle) : PL_SUCCESS;
  if (err) return pl_node_free(&event->node), err;
  *result = event;
  return PL_SUCCESS;
}

pl_err pl_event_record(pl_event *event)
{
  PL_TRY_GIVEN(event);
  pl_context *pl = event->node.pl;
  PL_TRY(pl_flush_all(pl));
  if (pl->backend->queues) PL_TRY(pl->backend->queues->event_record(pl, event->handle));
  event->time = pl_now();
  event->recorded = true;
  return PL_SUCCESS;
}

static pl_err check_recorded(const pl_event *event, const char *what)
{
  if (event->recorded) return PL_SUCCESS;
  return pl_fail(event->node.pl, PL_ERR_STATE,
                 "%s: event \"%s\" was not recorded; call pl_event_record first", what, event->node.name);
}

pl_err pl_event_wait(pl_event *event)
{
  PL_TRY_GIVEN(event);
  pl_context *pl = event->node.pl;
  PL_TRY(check_recorded(event, "pl_event_wait"));
  return pl->backend->queues ? pl->backend->queues->event_wait(pl, event->handle) : PL_SUCCESS;
}

pl_err pl_queue_wait(pl_event *event)
{
  PL_TRY_GIVEN(event);
  pl_context *pl = event->node.pl;
  PL_TRY(check_recorded(event, "pl_queue_wait"));
  return pl->backend->queues ? pl->backend->queues->queue_wait(pl, event->handle) : PL_SUCCESS;
}

pl_err pl_event_seconds(pl_event *from, pl_event *to, double *seconds)
{
  PL_TRY(PL_GIVEN(pl_context_of(from), "pl_event_seconds", from, to, seconds));
  pl_context *pl = from->node.pl;
  if (to->node.pl != pl)
    return pl_fail(pl, PL_ERR_ARG, "pl_event_seconds: event \"%s\" belongs to another context",
                   to->node.name);
  PL_TRY(check_recorded(from, "pl_event_seconds"));
  PL_TRY(check_recorded(to, "pl_event_seconds"));
  if (pl->backend->queues) return pl->backend->queues->event_seconds(pl, from->handle, to->handle, seconds);
  *seconds = to->time - from->time;
  return PL_SUCCESS;
}

void pl_event_destroy(pl_node *node)
{
  pl_event *event = (pl_event *)node;
  if (event->handle) node->pl->backend->queues->event_free(node->pl, event->handle);
  pl_node_free(node);
}

PL_DEFINE_FREE(pl_event_free, pl_event, pl_event_destroy)

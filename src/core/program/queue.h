/* SPDX-License-Identifier: BSD-2-Clause
 * Queues and events. Invariant: without a device work is done when a call returns, so a queue is only a name
 * and an event is a moment.
 */
#ifndef PLAIT_CORE_QUEUE_H
#define PLAIT_CORE_QUEUE_H

#include "context.h"

struct pl_queue {
  pl_node node;
  void *handle; /* the backend's; NULL without a device */
};

struct pl_event {
  pl_node node;
  void *handle;
  bool recorded;
  double moment; /* without a device */
};

void pl_queue_destroy(pl_node *queue);
void pl_event_destroy(pl_node *event);

#endif

/* SPDX-License-Identifier: BSD-2-Clause
 * Queues and events. Invariant: without a device calls are synchronous, so a queue is only a name and an
 * event a time.
 */
#pragma once

#include "core/context/context.h"
#include <stdbool.h>

struct pl_queue {
  pl_node node;
  void *handle; /* the backend's; NULL without a device */
};

struct pl_event {
  pl_node node;
  void *handle;
  bool recorded;
  double time; /* without a device */
};

void pl_queue_destroy(pl_node *queue);
void pl_event_destroy(pl_node *event);

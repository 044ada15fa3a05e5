/* SPDX-License-Identifier: BSD-2-Clause
 * Queues and events of device programs.
 */
#pragma once

#include "driver.h"

pl_err pl_device_synchronize(pl_device *device); /* waits for all queues if there are several */

pl_err pl_device_queue_new(pl_context *pl, void **queue);
void pl_device_queue_free(pl_context *pl, void *queue);
pl_err pl_device_queue_use(pl_context *pl, void *queue);
pl_err pl_device_queue_wait(pl_context *pl, void *event);
pl_err pl_device_event_new(pl_context *pl, void **event);
void pl_device_event_free(pl_context *pl, void *event);
pl_err pl_device_event_record(pl_context *pl, void *event);
pl_err pl_device_event_wait(pl_context *pl, void *event);
pl_err pl_device_event_done(pl_context *pl, void *event, bool *done);
pl_err pl_device_event_seconds(pl_context *pl, void *from, void *to, double *seconds);

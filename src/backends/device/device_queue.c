/* SPDX-License-Identifier: BSD-2-Clause
 * Queues and events of device programs. Invariant: a program orders accesses to one object in several queues
 * by events; buffers that the library shares between queues (staging, downloads) wait for all of them.
 */
#include "device_queue.h"
#include "device_data.h"

pl_err pl_device_synchronize(pl_device *device)
{
  return device->queues ? device->driver->sync(device) : PL_SUCCESS;
}

pl_err pl_device_queue_new(pl_context *pl, void **queue)
{
  pl_device *device = pl_device_of(pl);
  PL_TRY(device->driver->queue_new(device, false, queue));
  device->queues++;
  return PL_SUCCESS;
}

void pl_device_queue_free(pl_context *pl, void *queue)
{
  pl_device *device = pl_device_of(pl);
  device->driver->sync(device);
  device->driver->queue_free(device, queue);
  device->queues--;
}

pl_err pl_device_queue_use(pl_context *pl, void *queue)
{
  pl_device *device = pl_device_of(pl);
  device->driver->queue_use(device, queue);
  return PL_SUCCESS;
}

#define FORWARD(function, ...) pl_device_of(pl)->driver->function(pl_device_of(pl), __VA_ARGS__)

pl_err pl_device_queue_wait(pl_context *pl, void *event)
{
  return FORWARD(queue_wait, event);
}

pl_err pl_device_event_new(pl_context *pl, void **event)
{
  return FORWARD(event_new, true, event);
}

void pl_device_event_free(pl_context *pl, void *event)
{
  FORWARD(event_free, event);
}

pl_err pl_device_event_record(pl_context *pl, void *event)
{
  return FORWARD(event_record, event);
}

pl_err pl_device_event_wait(pl_context *pl, void *event)
{
  return FORWARD(event_wait, event);
}

pl_err pl_device_event_done(pl_context *pl, void *event, bool *done)
{
  return FORWARD(event_done, event, done);
}

pl_err pl_device_event_seconds(pl_context *pl, void *from, void *to, double *seconds)
{
  PL_TRY(FORWARD(event_wait, to));
  return FORWARD(event_seconds, from, to, seconds);
}

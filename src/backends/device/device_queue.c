/* SPDX-License-Identifier: BSD-2-Clause
 * Queues and events on devices. Whoever uses more than the first queue orders what touches the same object by
 * events; what the library shares between queues (staging, downloads) waits for all of them.
 */
#include "device.h"
#include "core/queue.h"

pl_err pl_device_settle(pl_device *device)
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

/* What it still has to do is waited for. */
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

void pl_device_queue_back(pl_device *device)
{
  device->driver->queue_use(device, device->pl->queue ? device->pl->queue->handle : NULL);
}

pl_err pl_device_queue_wait(pl_context *pl, void *event)
{
  pl_device *device = pl_device_of(pl);
  return device->driver->queue_wait(device, event);
}

pl_err pl_device_event_new(pl_context *pl, void **event)
{
  pl_device *device = pl_device_of(pl);
  return device->driver->event_new(device, true, event);
}

void pl_device_event_free(pl_context *pl, void *event)
{
  pl_device *device = pl_device_of(pl);
  device->driver->event_free(device, event);
}

pl_err pl_device_event_record(pl_context *pl, void *event)
{
  pl_device *device = pl_device_of(pl);
  return device->driver->event_record(device, event);
}

pl_err pl_device_event_wait(pl_context *pl, void *event)
{
  pl_device *device = pl_device_of(pl);
  return device->driver->event_wait(device, event);
}

pl_err pl_device_event_done(pl_context *pl, void *event, bool *done)
{
  pl_device *device = pl_device_of(pl);
  return device->driver->event_done(device, event, done);
}

pl_err pl_device_event_seconds(pl_context *pl, void *from, void *to, double *seconds)
{
  pl_device *device = pl_device_of(pl);
  PL_TRY(device->driver->event_wait(device, to));
  return device->driver->event_seconds(device, from, to, seconds);
}

/* SPDX-License-Identifier: BSD-2-Clause
 * The OpenCL driver: queues and events. Invariant: a queue's handle is the address of its entry in `queues`,
 * since the entry changes when timing begins.
 */
#include "opencl_driver.h"
#include "core/context/memory.h"

typedef struct queue_event {
  cl_event event; /* the last one recorded */
  bool timed;
} queue_event;

pl_err pl_opencl_sync(pl_device *device)
{
  opencl *c = device->dev;
  for (int q = 0; q < MAX_QUEUES; q++)
    if (c->queues[q]) PL_TRY(OPENCL_CALL(clFinish, "waiting for the device", c->queues[q]));
  return PL_SUCCESS;
}

static pl_err make_queue(pl_device *device, cl_command_queue *queue)
{
  opencl *c = device->dev;
  cl_int result;
  *queue =
    c->p_clCreateCommandQueue(c->context, c->device, c->timed ? CL_QUEUE_PROFILING_ENABLE : 0, &result);
  return pl_opencl_check(device, result, "creating a queue");
}

pl_err pl_opencl_queue_new(pl_device *device, bool urgent, void **queue)
{
  opencl *c = device->dev;
  (void)urgent;
  int q = 1;
  while (q < MAX_QUEUES && c->queues[q]) q++;
  if (q == MAX_QUEUES) return pl_fail(device->pl, PL_ERR_RANGE, "OpenCL: more than %d queues", MAX_QUEUES);
  PL_TRY(make_queue(device, &c->queues[q]));
  *queue = &c->queues[q];
  return PL_SUCCESS;
}

void pl_opencl_queue_free(pl_device *device, void *queue)
{
  opencl *c = device->dev;
  cl_command_queue *entry = queue;
  c->p_clReleaseCommandQueue(*entry);
  *entry = NULL;
}

void pl_opencl_queue_use(pl_device *device, void *queue)
{
  opencl *c = device->dev;
  c->queue = queue ? *(cl_command_queue *)queue : c->queues[0];
}

pl_native_device pl_opencl_native(pl_device *device)
{
  return (pl_native_device){.queue = ((opencl *)device->dev)->queue};
}

/* Replaces all queues by queues that record times. */
static pl_err enable_timing(pl_device *device)
{
  opencl *c = device->dev;
  PL_TRY(pl_opencl_sync(device));
  c->timed = true;
  for (int q = 0; q < MAX_QUEUES; q++) {
    cl_command_queue old = c->queues[q];
    if (!old) continue;
    PL_TRY(make_queue(device, &c->queues[q]));
    if (c->queue == old) c->queue = c->queues[q];
    c->p_clReleaseCommandQueue(old);
  }
  return pl_opencl_alloc(device, 1, (void **)&c->mark);
}

pl_err pl_opencl_event_new(pl_device *device, bool timed, void **event)
{
  opencl *c = device->dev;
  if (timed && !c->timed) PL_TRY(enable_timing(device));
  queue_event *created = *event = pl_calloc(device->pl, 1, sizeof *created);
  if (!created) return pl_fail_memory(device->pl, sizeof *created);
  created->timed = timed;
  return PL_SUCCESS;
}

void pl_opencl_event_free(pl_device *device, void *event)
{
  opencl *c = device->dev;
  queue_event *e = event;
  if (e->event) c->p_clReleaseEvent(e->event);
  pl_free(device->pl, e);
}

/* Not every driver times markers, but all time commands. */
pl_err pl_opencl_event_record(pl_device *device, void *event)
{
  opencl *c = device->dev;
  queue_event *e = event;
  const char zero = 0;
  cl_event created = NULL;
  cl_int result = e->timed ? c->p_clEnqueueFillBuffer(c->queue, c->mark, &zero, 1, 0, 1, 0, NULL, &created)
                           : c->p_clEnqueueMarkerWithWaitList(c->queue, 0, NULL, &created);
  PL_TRY(pl_opencl_check(device, result, "recording an event"));
  if (e->event) c->p_clReleaseEvent(e->event);
  e->event = created;
  return PL_SUCCESS;
}

static pl_err flush_queues(pl_device *device)
{
  opencl *c = device->dev;
  for (int q = 0; q < MAX_QUEUES; q++)
    if (c->queues[q]) PL_TRY(OPENCL_CALL(clFlush, "flushing a queue", c->queues[q]));
  return PL_SUCCESS;
}

pl_err pl_opencl_event_wait(pl_device *device, void *event)
{
  opencl *c = device->dev;
  PL_TRY(flush_queues(device));
  return OPENCL_CALL(clWaitForEvents, "waiting for an event", 1, &((queue_event *)event)->event);
}

/* The command that signals the event must have been flushed. */
pl_err pl_opencl_queue_wait(pl_device *device, void *event)
{
  opencl *c = device->dev;
  PL_TRY(flush_queues(device));
  return OPENCL_CALL(clEnqueueMarkerWithWaitList, "waiting for an event", c->queue, 1,
                     &((queue_event *)event)->event, NULL);
}

pl_err pl_opencl_event_done(pl_device *device, void *event, bool *done)
{
  opencl *c = device->dev;
  cl_int status = CL_COMPLETE;
  PL_TRY(OPENCL_CALL(clGetEventInfo, "querying an event", ((queue_event *)event)->event,
                     CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  *done = status <= CL_COMPLETE; /* below: it failed */
  if (status == CL_QUEUED) return flush_queues(device);
  return pl_opencl_check(device, *done ? status : CL_SUCCESS, "executing a queue's commands");
}

pl_err pl_opencl_event_seconds(pl_device *device, void *from, void *to, double *seconds)
{
  opencl *c = device->dev;
  cl_ulong end[2] = {0};
  void *const events[] = {from, to};
  PL_TRY(pl_opencl_event_wait(device, from));
  for (int i = 0; i < 2; i++)
    PL_TRY(OPENCL_CALL(clGetEventProfilingInfo, "reading an event", ((queue_event *)events[i])->event,
                       CL_PROFILING_COMMAND_END, sizeof end[i], &end[i], NULL));
  *seconds = 1e-9 * ((double)end[1] - (double)end[0]);
  return PL_SUCCESS;
}

/* SPDX-License-Identifier: BSD-2-Clause
 * The OpenCL driver: queues and events.
 */
#include "opencl_driver.h"
#include "core/memory.h"

typedef struct moment {
  cl_event event; /* the last one recorded */
  bool timed;
} moment;

pl_err pl_opencl_sync(pl_device *device)
{
  opencl *c = device->dev;
  for (int q = 0; q < MOST_QUEUES; q++)
    if (c->queues[q]) PL_TRY(pl_opencl_check(device, c->p_clFinish(c->queues[q]), "waiting for the device"));
  return PL_SUCCESS;
}

static pl_err make_queue(pl_device *device, cl_command_queue *queue)
{
  opencl *c = device->dev;
  cl_int result;
  *queue =
    c->p_clCreateCommandQueue(c->context, c->device, c->timed ? CL_QUEUE_PROFILING_ENABLE : 0, &result);
  return pl_opencl_check(device, result, "making a queue");
}

/* A queue's handle is its place: the queue in it changes when times are asked for. */
pl_err pl_opencl_queue_new(pl_device *device, bool urgent, void **queue)
{
  opencl *c = device->dev;
  (void)urgent;
  int q = 1;
  while (q < MOST_QUEUES && c->queues[q]) q++;
  if (q == MOST_QUEUES) return pl_fail(device->pl, PL_ERR_RANGE, "OpenCL: more than %d queues", MOST_QUEUES);
  PL_TRY(make_queue(device, &c->queues[q]));
  *queue = &c->queues[q];
  return PL_SUCCESS;
}

void pl_opencl_queue_free(pl_device *device, void *queue)
{
  opencl *c = device->dev;
  cl_command_queue *place = queue;
  c->p_clReleaseCommandQueue(*place);
  *place = NULL;
}

void pl_opencl_queue_use(pl_device *device, void *queue)
{
  opencl *c = device->dev;
  c->queue = queue ? *(cl_command_queue *)queue : c->queues[0];
}

/* Queues that keep times, in the places of those that do not. */
static pl_err keep_times(pl_device *device)
{
  opencl *c = device->dev;
  PL_TRY(pl_opencl_sync(device));
  c->timed = true;
  for (int q = 0; q < MOST_QUEUES; q++) {
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
  if (timed && !c->timed) PL_TRY(keep_times(device));
  moment *made = *event = pl_calloc(device->pl, 1, sizeof *made);
  if (!made) return pl_fail_memory(device->pl, sizeof *made);
  made->timed = timed;
  return PL_SUCCESS;
}

void pl_opencl_event_free(pl_device *device, void *event)
{
  opencl *c = device->dev;
  moment *m = event;
  if (m->event) c->p_clReleaseEvent(m->event);
  pl_free(device->pl, m);
}

/* Not every driver keeps times of markers; all do of commands. */
pl_err pl_opencl_event_record(pl_device *device, void *event)
{
  opencl *c = device->dev;
  moment *m = event;
  const char nothing = 0;
  cl_event made = NULL;
  cl_int result = m->timed ? c->p_clEnqueueFillBuffer(c->queue, c->mark, &nothing, 1, 0, 1, 0, NULL, &made)
                           : c->p_clEnqueueMarkerWithWaitList(c->queue, 0, NULL, &made);
  PL_TRY(pl_opencl_check(device, result, "recording an event"));
  if (m->event) c->p_clReleaseEvent(m->event);
  m->event = made;
  return PL_SUCCESS;
}

static pl_err start_all(pl_device *device)
{
  opencl *c = device->dev;
  for (int q = 0; q < MOST_QUEUES; q++)
    if (c->queues[q]) PL_TRY(pl_opencl_check(device, c->p_clFlush(c->queues[q]), "starting a queue's work"));
  return PL_SUCCESS;
}

pl_err pl_opencl_event_wait(pl_device *device, void *event)
{
  opencl *c = device->dev;
  PL_TRY(start_all(device));
  return pl_opencl_check(device, c->p_clWaitForEvents(1, &((moment *)event)->event), "waiting for an event");
}

/* The other queue's work up to the event must have been handed to the device. */
pl_err pl_opencl_queue_wait(pl_device *device, void *event)
{
  opencl *c = device->dev;
  PL_TRY(start_all(device));
  return pl_opencl_check(device,
                         c->p_clEnqueueMarkerWithWaitList(c->queue, 1, &((moment *)event)->event, NULL),
                         "waiting for an event");
}

pl_err pl_opencl_event_done(pl_device *device, void *event, bool *done)
{
  opencl *c = device->dev;
  cl_int status = CL_COMPLETE;
  PL_TRY(pl_opencl_check(device,
                         c->p_clGetEventInfo(((moment *)event)->event, CL_EVENT_COMMAND_EXECUTION_STATUS,
                                             sizeof status, &status, NULL),
                         "asking for an event"));
  *done = status <= CL_COMPLETE; /* below: it failed */
  if (status == CL_QUEUED) return start_all(device);
  return pl_opencl_check(device, *done ? status : CL_SUCCESS, "what an event stands for");
}

pl_err pl_opencl_event_seconds(pl_device *device, void *from, void *to, double *seconds)
{
  opencl *c = device->dev;
  cl_ulong end[2] = {0};
  void *const events[] = {from, to};
  PL_TRY(pl_opencl_event_wait(device, from));
  for (int i = 0; i < 2; i++)
    PL_TRY(
      pl_opencl_check(device,
                      c->p_clGetEventProfilingInfo(((moment *)events[i])->event, CL_PROFILING_COMMAND_END,
                                                   sizeof end[i], &end[i], NULL),
                      "reading an event"));
  *seconds = 1e-9 * ((double)end[1] - (double)end[0]);
  return PL_SUCCESS;
}

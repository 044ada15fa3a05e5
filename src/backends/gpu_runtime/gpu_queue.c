/* SPDX-License-Identifier: BSD-2-Clause
 * Devices with streams: queues, events and graphs. Invariant: a queue is a stream that waits for no other.
 */
#include "gpu_runtime.h"

/* ---- queues and events ---- */

pl_err pl_gpu_queue_new(pl_device *device, bool urgent, void **queue)
{
  pl_gpu *g = pl_gpu_current(device);
  int usual = 0, most_urgent = 0;
  PL_TRY(GPU_CALL(stream_priorities, "querying stream priorities", &usual, &most_urgent));
  return GPU_CALL(stream_new, "creating a stream", queue, PL_GPU_NON_BLOCKING, urgent ? most_urgent : usual);
}

void pl_gpu_queue_free(pl_device *device, void *queue)
{
  pl_gpu_current(device)->stream_free(queue);
}

void pl_gpu_queue_use(pl_device *device, void *queue)
{
  pl_gpu *g = pl_gpu_current(device);
  g->stream = queue ? queue : g->first;
}

pl_native_device pl_gpu_native(pl_device *device)
{
  pl_gpu *g = pl_gpu_current(device);
  g->early_function = NULL; /* from now on the program may put work of its own into the stream */
  return (pl_native_device){g->stream, g->kind->dlpack, g->device};
}

pl_err pl_gpu_queue_wait(pl_device *device, void *event)
{
  pl_gpu *g = pl_gpu_current(device);
  return GPU_CALL(stream_wait_event, "waiting for an event", g->stream, event, 0);
}

pl_err pl_gpu_event_new(pl_device *device, bool timed, void **event)
{
  return GPU_FLUSHED(event_new, "creating an event", event, timed ? 0 : PL_GPU_NO_TIMING);
}

void pl_gpu_event_free(pl_device *device, void *event)
{
  pl_gpu_current(device)->event_free(event);
}

pl_err pl_gpu_event_record(pl_device *device, void *event)
{
  pl_gpu *g = pl_gpu_current(device);
  return GPU_CALL(event_record, "recording an event", event, g->stream);
}

pl_err pl_gpu_event_wait(pl_device *device, void *event)
{
  return GPU_FLUSHED(event_wait, "waiting for an event", event);
}

pl_err pl_gpu_event_done(pl_device *device, void *event, bool *done)
{
  pl_gpu *g = pl_gpu_enter(device);
  int result = g->event_query(event);
  *done = result != g->kind->not_ready;
  return *done ? pl_gpu_check(device, result, "querying an event") : PL_SUCCESS;
}

pl_err pl_gpu_event_seconds(pl_device *device, void *from, void *to, double *seconds)
{
  float milliseconds = 0;
  PL_TRY(GPU_FLUSHED(event_elapsed, "reading an event", &milliseconds, from, to));
  *seconds = 1e-3 * (double)milliseconds;
  return PL_SUCCESS;
}

/* ---- graphs ---- */

pl_err pl_gpu_graph_begin(pl_device *device)
{
  pl_gpu *g = pl_gpu_enter(device);
  g->captured = g->stream;
  return GPU_CALL(capture_begin, "capturing launches", g->captured, PL_GPU_CAPTURE_THREAD);
}

pl_err pl_gpu_graph_end(pl_device *device, void **result)
{
  pl_gpu *g = pl_gpu_enter(device);
  void *graph = NULL;
  g->stream = g->captured;
  PL_TRY(GPU_CALL(capture_end, "capturing launches", g->captured, &graph));
  pl_err err = GPU_CALL(graph_new, "creating a graph", result, graph, 0);
  g->capture_free(graph);
  return err;
}

pl_err pl_gpu_graph_run(pl_device *device, void *graph)
{
  pl_gpu *g = pl_gpu_enter(device);
  return GPU_CALL(graph_launch, "launching a graph", graph, g->stream);
}

void pl_gpu_graph_free(pl_device *device, void *graph)
{
  pl_gpu_current(device)->graph_free(graph);
}

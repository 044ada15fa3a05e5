/* SPDX-License-Identifier: BSD-2-Clause
 * Times on the device: pairs of events, read when they have finished. An event with a known time on the
 * host's clock, the anchor, relates the device's clock to it.
 */
#include "device_times.h"
#include "core/base/clock.h"
#include "core/context/memory.h"

/* The driver's numbers lose precision with the distance between events, so that the anchor moves on. */
enum { RING = 64, ANCHOR_SECONDS = 10 };

typedef struct interval {
  void *from, *to;
  pl_trace_record record;
} interval;

struct pl_device_times {
  pl_trace_records *records;
  const pl_queue_ops *queues;
  void *anchor;
  double anchor_time;
  int first, n; /* of the ring */
  bool open, broken;
  interval ring[RING];
};

static bool works(pl_device_times *d, pl_err err)
{
  d->broken |= err != PL_SUCCESS;
  return !d->broken;
}

static bool make_events(pl_device_times *d)
{
  pl_context *pl = d->records->pl;
  if (!works(d, d->queues->event_new(pl, &d->anchor))) return false;
  for (int i = 0; i < RING; i++)
    if (!works(d, d->queues->event_new(pl, &d->ring[i].from)) ||
        !works(d, d->queues->event_new(pl, &d->ring[i].to)))
      return false;
  if (!works(d, d->queues->event_record(pl, d->anchor)) || !works(d, d->queues->event_wait(pl, d->anchor)))
    return false;
  d->anchor_time = pl_now();
  return true;
}

pl_device_times *pl_device_times_open(pl_trace_records *records)
{
  pl_context *pl = records->pl;
  if (!pl->backend->queues || !pl->backend->queues->event_seconds) return NULL;
  pl_device_times *d = pl_calloc(pl, 1, sizeof *d);
  if (!d) return NULL;
  d->records = records;
  d->queues = pl->backend->queues;
  make_events(d);
  return d;
}

/* Adds the oldest interval, whose events have finished or are waited for. */
static void add_oldest(pl_device_times *d)
{
  pl_context *pl = d->records->pl;
  interval *v = &d->ring[d->first];
  double begin, end;
  if (!works(d, d->queues->event_seconds(pl, d->anchor, v->from, &begin)) ||
      !works(d, d->queues->event_seconds(pl, d->anchor, v->to, &end)))
    return;
  v->record.begin = d->anchor_time + begin;
  v->record.end = d->anchor_time + end;
  pl_trace_add(d->records, &v->record);
  if (end > ANCHOR_SECONDS) {
    void *was = d->anchor;
    d->anchor = v->to;
    d->anchor_time = v->record.end;
    v->to = was;
  }
  d->first = (d->first + 1) % RING;
  d->n--;
}

static bool is_done(pl_device_times *d, const interval *v)
{
  bool done = false;
  return works(d, d->queues->event_done(d->records->pl, v->to, &done)) && done;
}

void pl_device_times_begin(pl_device_times *d)
{
  if (d->n == RING && !d->broken) add_oldest(d);
  if (d->broken || d->open) return;
  d->open = works(d, d->queues->event_record(d->records->pl, d->ring[(d->first + d->n) % RING].from));
}

void pl_device_times_end(pl_device_times *d, const pl_trace_record *record)
{
  interval *v = &d->ring[(d->first + d->n) % RING];
  if (d->broken || !d->open) return;
  d->open = false;
  if (!works(d, d->queues->event_record(d->records->pl, v->to))) return;
  v->record = *record;
  v->record.on_device = true;
  d->n++;
  while (d->n > RING / 2 && is_done(d, &d->ring[d->first])) add_oldest(d);
}

void pl_device_times_close(pl_device_times *d)
{
  pl_context *pl = d->records->pl;
  while (d->n && !d->broken) add_oldest(d);
  if (d->broken) pl_log(pl, 0, "the trace has no times of the device: %s", pl_errmsg(pl));
  for (int i = 0; i < RING; i++) {
    if (d->ring[i].from) d->queues->event_free(pl, d->ring[i].from);
    if (d->ring[i].to) d->queues->event_free(pl, d->ring[i].to);
  }
  if (d->anchor) d->queues->event_free(pl, d->anchor);
  pl_free(pl, d);
}

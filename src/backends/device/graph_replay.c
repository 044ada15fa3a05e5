/* SPDX-License-Identifier: BSD-2-Clause
 * Replay of a schedule's device calls. A call that cannot be collected (a copy to the host, an event,
 * another queue) submits the segment collected so far and starts the next one, as halo exchanges with
 * messages do. Invariants: a graph is run again only for calls that are equal in every argument, so it is
 * never out of date; the device gets the same work in the same order as without replay.
 */
#include "graph_replay.h"
#include "device_data.h"
#include "replay_state.h"
#include "core/context/memory.h"
#include "core/chain/chain.h"
#include <string.h>

/* Double buffers that are swapped return to their places every second run. */
enum { VARIANTS = 2 };

/* Followed by its arguments, each a size and the bytes. Padding is zero: calls are compared as bytes. */
typedef struct call {
  int kind, nargs;
  pl_grid grid;
  void *object, *from; /* kernel, or buffers */
  size_t bytes;
  size_t length; /* with the arguments */
} call;

enum { LAUNCH, ZERO, COPY, QUEUE, RECORD, WAIT, MAX_ARGS = 128 };

typedef struct call_list {
  int n;
  bool began_open, open; /* events are recorded that later calls wait for: before the first call; now */
  char *data;
  size_t length, room;
} call_list;

typedef struct variant {
  call_list seen;
  int runs;
  void *graph;           /* the driver's; NULL: none yet */
  pl_replay_state state; /* in which the whole schedule made these calls and no other; n = 0: unknown */
} variant;

/* A part of the schedule without other calls in between: its calls in the last runs. */
typedef struct segment {
  variant variant[VARIANTS];
  int oldest;
} segment;

struct pl_replay {
  pl_replay_state state; /* before the run; n = 0: its calls may differ all the same */
  call_list now;
  int nsegments, at; /* at: the segment being collected */
  segment *segment;
  variant *last; /* that ran; NULL: none, or another call came between */
};

/* ---- collecting ---- */

static bool grow_calls(pl_context *pl, call_list *c, size_t more)
{
  if (c->length + more <= c->room) return true;
  size_t room = 2 * (c->length + more);
  char *data = pl_resize(pl, c->data, room);
  if (!data) return false;
  c->data = data;
  c->room = room;
  return true;
}

static size_t padded(size_t size)
{
  return (size + 7) / 8 * 8;
}

/* False if the call is not collected: the caller must submit it. */
static bool collect_call(pl_device *device, call *c, const pl_launch_arg *arg)
{
  pl_replay *r = device->replay;
  if (!r) return false;
  c->length = sizeof *c;
  for (int i = 0; i < c->nargs; i++) c->length += sizeof(size_t) + padded(arg[i].size);
  if (c->nargs > MAX_ARGS || !grow_calls(device->pl, &r->now, c->length)) {
    pl_replay_flush(device);
    return false;
  }
  r->now.n++;
  char *at = r->now.data + r->now.length;
  memset(at, 0, c->length);
  memcpy(at, c, sizeof *c);
  at += sizeof *c;
  for (int i = 0; i < c->nargs; i++) {
    memcpy(at, &arg[i].size, sizeof(size_t));
    memcpy(at + sizeof(size_t), arg[i].value, arg[i].size);
    at += sizeof(size_t) + padded(arg[i].size);
  }
  r->now.length += c->length;
  return true;
}

bool pl_replay_launch(pl_device *device, void *kernel, pl_grid grid, int nargs, const pl_launch_arg *args)
{
  call c;
  memset(&c, 0, sizeof c);
  c.kind = LAUNCH, c.object = kernel, c.grid = grid, c.nargs = nargs;
  return collect_call(device, &c, args);
}

bool pl_replay_zero(pl_device *device, void *buffer, size_t size)
{
  call c;
  memset(&c, 0, sizeof c);
  c.kind = ZERO, c.object = buffer, c.bytes = size;
  return collect_call(device, &c, NULL);
}

bool pl_replay_copy(pl_device *device, void *to, void *from, size_t size)
{
  call c;
  memset(&c, 0, sizeof c);
  c.kind = COPY, c.object = to, c.from = from, c.bytes = size;
  return collect_call(device, &c, NULL);
}

static bool collect_order(pl_device *device, int kind, void *object)
{
  call c;
  memset(&c, 0, sizeof c);
  c.kind = kind, c.object = object;
  return collect_call(device, &c, NULL);
}

void pl_replay_open(pl_device *device, bool open)
{
  if (device->replay) device->replay->now.open = open;
}

bool pl_replay_queue(pl_device *device, void *queue)
{
  return collect_order(device, QUEUE, queue);
}

bool pl_replay_record(pl_device *device, void *event)
{
  return collect_order(device, RECORD, event);
}

bool pl_replay_wait(pl_device *device, void *event)
{
  return collect_order(device, WAIT, event);
}

/* ---- submitting ---- */

static pl_err submit_call(pl_device *device, const call *c)
{
  const pl_driver *driver = device->driver;
  pl_launch_arg arg[MAX_ARGS];
  const char *at = (const char *)(c + 1);
  if (c->kind == QUEUE) return driver->queue_use(device, c->object), PL_SUCCESS;
  if (c->kind == RECORD) return driver->event_record(device, c->object);
  if (c->kind == WAIT) return driver->queue_wait(device, c->object);
  if (c->kind == ZERO) return driver->zero(device, c->object, c->bytes);
  if (c->kind == COPY) return driver->copy(device, c->object, c->from, c->bytes);
  for (int i = 0; i < c->nargs; i++) {
    memcpy(&arg[i].size, at, sizeof(size_t));
    arg[i].value = at + sizeof(size_t);
    at += sizeof(size_t) + padded(arg[i].size);
  }
  return driver->launch(device, c->object, c->grid, c->nargs, arg);
}

static pl_err submit_calls(pl_device *device, const call_list *list)
{
  for (size_t at = 0; at < list->length;) {
    const call *c = (const call *)(list->data + at);
    PL_TRY(submit_call(device, c));
    at += c->length;
  }
  return PL_SUCCESS;
}

/* Without a graph calls are submitted one by one. */
static void record_graph(pl_device *device, variant *p)
{
  if (device->driver->graph_begin(device)) return;
  pl_err err = submit_calls(device, &p->seen);
  if (device->driver->graph_end(device, &p->graph) || err) p->graph = NULL;
  device->pl->stats.graphs_made += p->graph != NULL;
}

static void drop_graph(pl_device *device, variant *p)
{
  if (p->graph) device->driver->graph_free(device, p->graph);
  p->graph = NULL;
  p->runs = 0;
  p->state.n = 0;
}

static variant *find_variant(segment *s, const call_list *now)
{
  for (variant *p = s->variant; p < s->variant + VARIANTS; p++)
    if (p->seen.length == now->length && !memcmp(p->seen.data, now->data, now->length)) return p;
  return NULL;
}

static variant *replace_variant(pl_device *device, segment *s, call_list *now)
{
  variant *p = &s->variant[s->oldest];
  call_list was = p->seen;
  drop_graph(device, p);
  p->seen = *now;
  *now = was;
  s->oldest = (s->oldest + 1) % VARIANTS;
  return p;
}

/* Several calls run as a graph from the second time on, unless events of theirs are for other segments: an
 * event that a graph records is of no use outside. */
static pl_err run_segment(pl_device *device, segment *s, call_list *now, variant **ran)
{
  const bool whole = !now->began_open && !now->open;
  variant *p = find_variant(s, now);
  if (!p) p = replace_variant(device, s, now);
  *ran = p;
  if (p->runs++ == 1 && p->seen.n > 1 && whole) record_graph(device, p);
  if (!p->graph || !whole) return submit_calls(device, &p->seen);
  device->pl->stats.graphs_run++;
  return device->driver->graph_run(device, p->graph);
}

/* NULL without memory. */
static segment *this_segment(pl_context *pl, pl_replay *r)
{
  if (r->at == r->nsegments) {
    segment *grown = pl_resize(pl, r->segment, ((size_t)r->nsegments + 1) * sizeof *grown);
    if (!grown) return NULL;
    r->segment = grown;
    memset(&grown[r->nsegments++], 0, sizeof *grown);
  }
  return &r->segment[r->at++];
}

static pl_err submit_segment(pl_device *device, pl_replay *r)
{
  if (!r->now.n) return PL_SUCCESS;
  segment *s = this_segment(device->pl, r);
  const bool open = r->now.open;
  pl_err err = s ? run_segment(device, s, &r->now, &r->last) : submit_calls(device, &r->now);
  r->now.n = 0;
  r->now.length = 0;
  r->now.began_open = r->now.open = open;
  return err;
}

void pl_replay_flush(pl_device *device)
{
  pl_replay *r = device->replay;
  device->replay = NULL;
  pl_err err = r ? submit_segment(device, r) : PL_SUCCESS;
  if (r) r->state.n = 0;
  if (err) device->replay_failed = err;
  device->replay = r;
}

/* ---- operations of the backend ---- */

/* The graph of a run in the same state, of one segment. */
pl_err pl_device_replay_repeat(pl_context *pl, pl_schedule *schedule, bool *done)
{
  pl_device *device = pl_device_of(pl);
  pl_replay *r = schedule->replay;
  *done = false;
  if (!r || pl->tools || !pl_opt_is(pl, PL_OPT_PROFILE, "0")) return PL_SUCCESS;
  if (!pl_replay_state_take(pl, schedule, &r->state)) r->state.n = 0;
  for (variant *p = r->segment[0].variant; r->nsegments && p < r->segment[0].variant + VARIANTS; p++)
    if (p->graph && pl_replay_state_equal(&p->state, &r->state)) {
      *done = true;
      pl->stats.graphs_run++;
      return device->driver->graph_run(device, p->graph);
    }
  return PL_SUCCESS;
}

/* Keeps the state with the calls, if these were all calls. */
static void keep_state(pl_replay *r)
{
  const pl_replay_state was = r->last->state;
  r->last->state = r->state;
  r->state = was;
}

/* From the second run on, when all data is on the device. */
pl_err pl_device_replay_begin(pl_context *pl, pl_schedule *schedule)
{
  pl_device *device = pl_device_of(pl);
  if (!schedule->runs || !device->driver->graph_begin || !pl_opt_is(pl, PL_OPT_PROFILE, "0"))
    return PL_SUCCESS;
  if (!schedule->replay) schedule->replay = pl_calloc(pl, 1, sizeof(pl_replay));
  if (!schedule->replay) return pl_fail_memory(pl, sizeof(pl_replay));
  device->replay = schedule->replay;
  device->backwards = false; /* the calls of all runs are equal */
  device->replay_failed = PL_SUCCESS;
  device->replay->now.n = 0;
  device->replay->now.length = 0;
  device->replay->now.began_open = device->replay->now.open = false;
  device->replay->at = 0;
  device->replay->last = NULL;
  return PL_SUCCESS;
}

pl_err pl_device_replay_end(pl_context *pl)
{
  pl_device *device = pl_device_of(pl);
  pl_replay *r = device->replay;
  device->replay = NULL;
  if (device->replay_failed) {
    pl_err err = device->replay_failed;
    device->replay_failed = PL_SUCCESS;
    return err;
  }
  if (!r) return PL_SUCCESS;
  PL_TRY(submit_segment(device, r));
  if (r->state.n && r->last) keep_state(r);
  return PL_SUCCESS;
}

void pl_device_replay_free(pl_context *pl, void *replay)
{
  pl_device *device = pl_device_of(pl);
  pl_replay *r = replay;
  if (!r) return;
  for (segment *s = r->segment; s < r->segment + r->nsegments; s++)
    for (variant *p = s->variant; p < s->variant + VARIANTS; p++) {
      drop_graph(device, p);
      pl_free(pl, p->seen.data);
      pl_replay_state_free(pl, &p->state);
    }
  pl_replay_state_free(pl, &r->state);
  pl_free_all(pl, r->segment, r->now.data, r);
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Replays: what a schedule asks of a device is collected and handed over at its end, in one piece where the
 * driver can keep a piece (a CUDA graph). Invariants: a piece is started again only for calls that are the
 * same in every argument, so nothing has to say that one is out of date; the device sees the same work in
 * the same order as without; whatever is no such call (a copy to the host, an event, another queue) hands
 * over first what was collected, and what follows begins a stretch of its own: so it is between exchanges of
 * halos.
 */
#include "device.h"
#include "core/memory.h"
#include <string.h>

enum { PIECES = 2 /* dats that change places may be back only every second time */ };

/* A call, then its arguments one after the other: size, bytes. Padding is zero: calls are compared as bytes.
 */
typedef struct call {
  int kind, blocks, block_size, nargs;
  void *object, *from; /* kernel, or buffers */
  size_t shared, bytes;
  size_t length; /* with the arguments */
} call;

enum { LAUNCH, ZERO, COPY, MOST_ARGS = 128 };

/* Calls in the order they were asked for. */
typedef struct calls {
  int n;
  char *data;
  size_t length, room;
} calls;

typedef struct piece {
  calls seen;
  int runs;
  void *graph; /* the driver's; NULL: none yet */
} piece;

/* A part of the schedule that nothing else comes between: what it asked for the last times. */
typedef struct stretch {
  piece piece[PIECES];
  int oldest;
} stretch;

struct pl_replay {
  calls now;
  int nstretches, at; /* at: the one that is collected */
  stretch *stretch;
};

/* ---- collecting ---- */

static bool make_room(pl_context *pl, calls *c, size_t more)
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

/* False if the call is not collected: it is to be made now. */
static bool take(pl_device *device, call *c, const pl_launch_arg *arg)
{
  pl_replay *r = device->replay;
  if (!r) return false;
  c->length = sizeof *c;
  for (int i = 0; i < c->nargs; i++) c->length += sizeof(size_t) + padded(arg[i].size);
  if (c->nargs > MOST_ARGS || !make_room(device->pl, &r->now, c->length)) {
    pl_replay_settle(device);
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

bool pl_replay_launch(pl_device *device, void *kernel, int blocks, int block_size, size_t shared, int nargs,
                      const pl_launch_arg *args)
{
  call c;
  memset(&c, 0, sizeof c);
  c.kind = LAUNCH, c.blocks = blocks, c.block_size = block_size, c.nargs = nargs;
  c.object = kernel, c.shared = shared;
  return take(device, &c, args);
}

bool pl_replay_zero(pl_device *device, void *buffer, size_t size)
{
  call c;
  memset(&c, 0, sizeof c);
  c.kind = ZERO, c.object = buffer, c.bytes = size;
  return take(device, &c, NULL);
}

bool pl_replay_copy(pl_device *device, void *to, void *from, size_t size)
{
  call c;
  memset(&c, 0, sizeof c);
  c.kind = COPY, c.object = to, c.from = from, c.bytes = size;
  return take(device, &c, NULL);
}

/* ---- handing over ---- */

static pl_err make_call(pl_device *device, const call *c)
{
  const pl_driver *driver = device->driver;
  pl_launch_arg arg[MOST_ARGS];
  const char *at = (const char *)(c + 1);
  if (c->kind == ZERO) return driver->zero(device, c->object, c->bytes);
  if (c->kind == COPY) return driver->copy(device, c->object, c->from, c->bytes);
  for (int i = 0; i < c->nargs; i++) {
    memcpy(&arg[i].size, at, sizeof(size_t));
    arg[i].value = at + sizeof(size_t);
    at += sizeof(size_t) + padded(arg[i].size);
  }
  return driver->launch(device, c->object, c->blocks, c->block_size, c->shared, c->nargs, arg);
}

static pl_err make_calls(pl_device *device, const calls *list)
{
  for (size_t at = 0; at < list->length;) {
    const call *c = (const call *)(list->data + at);
    PL_TRY(make_call(device, c));
    at += c->length;
  }
  return PL_SUCCESS;
}

/* One piece of the calls; without, they are made one by one. */
static void keep_piece(pl_device *device, piece *p)
{
  if (device->driver->graph_begin(device)) return;
  pl_err err = make_calls(device, &p->seen);
  if (device->driver->graph_end(device, &p->graph) || err) p->graph = NULL;
  device->pl->stats.graphs_made += p->graph != NULL;
}

static void drop_piece(pl_device *device, piece *p)
{
  if (p->graph) device->driver->graph_free(device, p->graph);
  p->graph = NULL;
  p->runs = 0;
}

static piece *find_piece(stretch *s, const calls *now)
{
  for (piece *p = s->piece; p < s->piece + PIECES; p++)
    if (p->seen.length == now->length && !memcmp(p->seen.data, now->data, now->length)) return p;
  return NULL;
}

/* The calls take the place of those not seen for the longest time. */
static piece *replace_piece(pl_device *device, stretch *s, calls *now)
{
  piece *p = &s->piece[s->oldest];
  calls was = p->seen;
  drop_piece(device, p);
  p->seen = *now;
  *now = was;
  s->oldest = (s->oldest + 1) % PIECES;
  return p;
}

/* Several calls are started as one piece from the second time on. */
static pl_err run_stretch(pl_device *device, stretch *s, calls *now)
{
  piece *p = find_piece(s, now);
  if (!p) p = replace_piece(device, s, now);
  if (p->runs++ == 1 && p->seen.n > 1) keep_piece(device, p);
  if (!p->graph) return make_calls(device, &p->seen);
  device->pl->stats.graphs_run++;
  return device->driver->graph_run(device, p->graph);
}

/* The stretch that is collected; NULL without memory. */
static stretch *this_stretch(pl_context *pl, pl_replay *r)
{
  if (r->at == r->nstretches) {
    stretch *grown = pl_resize(pl, r->stretch, ((size_t)r->nstretches + 1) * sizeof *grown);
    if (!grown) return NULL;
    r->stretch = grown;
    memset(&grown[r->nstretches++], 0, sizeof *grown);
  }
  return &r->stretch[r->at++];
}

static pl_err hand_over(pl_device *device, pl_replay *r)
{
  if (!r->now.n) return PL_SUCCESS;
  stretch *s = this_stretch(device->pl, r);
  pl_err err = s ? run_stretch(device, s, &r->now) : make_calls(device, &r->now);
  r->now.n = 0;
  r->now.length = 0;
  return err;
}

void pl_replay_settle(pl_device *device)
{
  pl_replay *r = device->replay;
  device->replay = NULL;
  pl_err err = r ? hand_over(device, r) : PL_SUCCESS;
  if (err) device->replay_failed = err;
  device->replay = r;
}

/* ---- the backend's hooks ---- */

/* From the second time on, when everything is where it is needed. */
pl_err pl_device_replay_begin(pl_context *pl, pl_schedule *schedule)
{
  pl_device *device = pl_device_of(pl);
  if (!schedule->runs || !device->driver->graph_begin || !pl_opt_is(pl, PL_OPT_PROFILE, "0"))
    return PL_SUCCESS;
  if (!schedule->replay) schedule->replay = pl_calloc(pl, 1, sizeof(pl_replay));
  if (!schedule->replay) return pl_fail_memory(pl, sizeof(pl_replay));
  device->replay = schedule->replay;
  device->replay_failed = PL_SUCCESS;
  device->replay->now.n = 0;
  device->replay->now.length = 0;
  device->replay->at = 0;
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
  return r ? hand_over(device, r) : PL_SUCCESS;
}

void pl_device_replay_free(pl_context *pl, void *replay)
{
  pl_device *device = pl_device_of(pl);
  pl_replay *r = replay;
  if (!r) return;
  for (stretch *s = r->stretch; s < r->stretch + r->nstretches; s++)
    for (piece *p = s->piece; p < s->piece + PIECES; p++) {
      drop_piece(device, p);
      pl_free(pl, p->seen.data);
    }
  pl_free(pl, r->stretch);
  pl_free(pl, r->now.data);
  pl_free(pl, r);
}

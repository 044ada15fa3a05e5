/* SPDX-License-Identifier: BSD-2-Clause
 * Channels of a device to other ranks. Ranks that may share memory agree on a channel by a handshake: each
 * offers its new receive buffer and events, tries to open those of its peer, and tells how far it came; both
 * then use what both could open.
 */
#include "device_channels.h"
#include "core/data/objects.h"
#include <string.h>

enum { MIN_CAPACITY = 4096 };

/* ---- opening and closing ---- */

static pl_err open_exchange(pl_device *device, pl_device_exchange *exchange)
{
  const pl_driver *d = device->driver;
  PL_TRY(d->queue_new(device, true, &exchange->queue));
  PL_TRY(d->event_new(device, false, &exchange->loop_done));
  PL_TRY(d->event_new(device, false, &exchange->packed));
  PL_TRY(d->event_new(device, false, &exchange->boundary_ready));
  PL_TRY(d->event_new(device, false, &exchange->done));
  return d->event_record(device, exchange->done);
}

pl_err pl_device_exchange_get(pl_device *device, pl_device_exchange **exchange)
{
  if (!device->exchange) {
    PL_TRY(PL_NEW(device->pl, device->exchange, 1));
    pl_err err = open_exchange(device, device->exchange);
    if (err) pl_device_exchange_close(device->pl);
    if (err) return err;
  }
  *exchange = device->exchange;
  return PL_SUCCESS;
}

static void free_event(pl_device *device, void **event)
{
  if (*event) device->driver->event_free(device, *event);
  *event = NULL;
}

static void free_buffer(pl_device *device, void **buffer)
{
  if (device->driver->shared_close && device->shared_memory_kind)
    device->driver->shared_close(device, *buffer, false);
  else
    device->driver->free(device, *buffer);
  *buffer = NULL;
}

static void close_peer_memory(pl_device *device, pl_channel *c)
{
  if (c->peer_buffer) device->driver->shared_close(device, c->peer_buffer, true);
  c->peer_buffer = NULL;
  for (int k = 0; k < 2; k++) free_event(device, &c->peer_packed[k]);
}

void pl_device_exchange_close(pl_context *pl)
{
  pl_device *device = pl_device_of(pl);
  pl_device_exchange *exchange = device->exchange;
  if (!exchange) return;
  device->driver->sync(device);
  for (pl_channel *c = exchange->channel; c < exchange->channel + exchange->nchannels; c++) {
    close_peer_memory(device, c);
    free_buffer(device, &c->send_buffer);
    free_buffer(device, &c->receive_buffer);
    for (int k = 0; k < 2; k++) free_event(device, &c->packed[k]);
  }
  free_event(device, &exchange->loop_done);
  free_event(device, &exchange->packed);
  free_event(device, &exchange->boundary_ready);
  free_event(device, &exchange->done);
  if (exchange->queue) device->driver->queue_free(device, exchange->queue);
  pl_free_all(pl, exchange->channel, exchange->list, exchange);
  device->exchange = NULL;
}

/* ---- messages by MPI ---- */

static void log_transport(const pl_device *device, const pl_channel *c, const pl_peer *p, const char *how)
{
  if (!c->connected) pl_log(device->pl, 1, "halo exchange with rank %d: %s", p->rank, how);
}

static pl_err new_buffer(pl_device *device, size_t size, void **buffer)
{
  pl_handle unused;
  return device->shared_memory_kind ? device->driver->shared_new(device, size, buffer, &unused)
                                    : device->driver->alloc(device, size, buffer);
}

static pl_err open_message_channel(pl_device *device, pl_channel *c, const pl_peer *p)
{
  bool asked =
    device->shared_memory_kind == PL_SHARES_DEVICE && pl_opt_is(device->pl, PL_OPT_TRANSPORT, "direct");
  bool direct = (device->mpi_direct && !pl_opt_is(device->pl, PL_OPT_TRANSPORT, "staged")) || asked;
  PL_TRY(device->driver->sync(device));
  free_buffer(device, &c->send_buffer);
  free_buffer(device, &c->receive_buffer);
  PL_TRY(new_buffer(device, c->send_capacity, &c->send_buffer));
  PL_TRY(new_buffer(device, c->receive_capacity, &c->receive_buffer));
  c->transport = direct ? PL_SEND_DIRECT : PL_SEND_STAGED;
  log_transport(device, c, p, direct ? "MPI reads device memory" : "staged through host memory");
  return PL_SUCCESS;
}

/* ---- shared memory ---- */

enum { NOT_OPENED, MEMORY_OPENED, EVENTS_OPENED };

/* The two messages of a rank and of its peer: an offer, then how much of the other's offer was opened. */
typedef struct handshake {
  pl_channel *channel;
  const pl_peer *peer;
  struct offer {
    int has_memory, has_events, machine_index;
    pl_handle memory, event[2];
  } mine, theirs;
  char opened, peer_opened;
} handshake;

static bool may_share(const pl_device *device, const pl_channel *c, const pl_peer *p)
{
  int kind = pl_device_shares(device->pl);
  bool same = kind != PL_SHARES_NOTHING && pl_comm_kind(device->pl, p->rank) == kind;
  return same && (!c->connected || c->transport == PL_SEND_SHARED);
}

/* Both slots for messages to this rank, once it has closed the buffers of its peer that it had opened. */
static void make_offer(pl_device *device, handshake *t)
{
  const pl_driver *d = device->driver;
  pl_channel *c = t->channel;
  close_peer_memory(device, c);
  d->sync(device);
  for (int k = 0; k < 2; k++) free_event(device, &c->packed[k]);
  c->send_buffer = c->receive_buffer; /* kept until the peer has closed it */
  c->receive_buffer = NULL;
  t->mine.machine_index = device->machine_index;
  t->mine.has_memory = !d->shared_new(device, 2 * c->receive_capacity, &c->receive_buffer, &t->mine.memory);
  t->mine.has_events = t->mine.has_memory && d->shared_event_new;
  for (int k = 0; k < 2 && t->mine.has_events; k++)
    t->mine.has_events = !d->shared_event_new(device, &c->packed[k], &t->mine.event[k]);
}

/* Two ranks on one device use messages, not events: a queue that waits would hold up the other rank's. */
static void open_offer(pl_device *device, handshake *t)
{
  const pl_driver *d = device->driver;
  pl_channel *c = t->channel;
  free_buffer(device, &c->send_buffer);
  if (!t->mine.has_memory || !t->theirs.has_memory ||
      d->shared_open(device, &t->theirs.memory, &c->peer_buffer))
    return;
  bool events =
    t->mine.has_events && t->theirs.has_events && t->mine.machine_index != t->theirs.machine_index;
  for (int k = 0; k < 2 && events; k++)
    events = !d->shared_event_open(device, &t->theirs.event[k], &c->peer_packed[k]);
  t->opened = events ? EVENTS_OPENED : MEMORY_OPENED;
}

static pl_err end_handshake(pl_device *device, const handshake *t)
{
  static const char *const how[] = {"its memory cannot be opened",
                                    "packed into its memory, ordered by messages",
                                    "packed into its memory, ordered by events"};
  pl_channel *c = t->channel;
  int opened = t->opened < t->peer_opened ? t->opened : t->peer_opened;
  c->transport = opened ? PL_SEND_SHARED : PL_SEND_STAGED;
  c->has_events = opened == EVENTS_OPENED;
  log_transport(device, c, t->peer, how[opened]);
  if (opened) return PL_SUCCESS;
  close_peer_memory(device, c);
  return open_message_channel(device, c, t->peer);
}

static pl_err shake_hands(pl_device *device, pl_messages *messages, handshake *first, int n, bool *announced)
{
  pl_context *pl = device->pl;
  handshake *const end = first + n;
  for (handshake *t = first; t < end; t++) {
    make_offer(device, t);
    PL_TRY(pl_messages_receive(pl, messages, t->peer->rank, &t->theirs, sizeof t->theirs));
  }
  for (handshake *t = first; t < end; t++)
    PL_TRY(pl_messages_send(pl, messages, t->peer->rank, &t->mine, sizeof t->mine));
  if (!*announced) pl_comm_sent(pl);
  *announced = true;
  PL_TRY(pl_messages_wait(pl, messages));
  for (handshake *t = first; t < end; t++) {
    open_offer(device, t);
    PL_TRY(pl_messages_receive(pl, messages, t->peer->rank, &t->peer_opened, 1));
  }
  for (handshake *t = first; t < end; t++)
    PL_TRY(pl_messages_send(pl, messages, t->peer->rank, &t->opened, 1));
  PL_TRY(pl_messages_wait(pl, messages));
  for (handshake *t = first; t < end; t++) PL_TRY(end_handshake(device, t));
  return PL_SUCCESS;
}

/* ---- growing ---- */

static bool is_too_small(const pl_channel *c, const pl_peer *p)
{
  return pl_peer_takes_part(p) &&
         (!c->connected || p->sends > c->send_capacity || p->receives > c->receive_capacity);
}

static size_t capacity_for(size_t before, size_t bytes)
{
  size_t capacity = before ? before : MIN_CAPACITY;
  while (capacity < bytes) capacity *= 2;
  return capacity;
}

static pl_err add_channels(pl_context *pl, pl_device_exchange *exchange, int n)
{
  if (n <= exchange->nchannels) return PL_SUCCESS;
  pl_channel *grown = pl_resize(pl, exchange->channel, (size_t)n * sizeof *grown);
  if (!grown) return pl_fail_memory(pl, (size_t)n * sizeof *grown);
  memset(grown + exchange->nchannels, 0, (size_t)(n - exchange->nchannels) * sizeof *grown);
  exchange->channel = grown;
  exchange->nchannels = n;
  return PL_SUCCESS;
}

/* `shared` has room for all peers. */
static pl_err grow_channels(pl_device *device, struct pl_exchange *x, pl_device_exchange *exchange,
                            handshake *shared, bool *announced)
{
  int n = 0;
  for (int i = 0; i < x->npeers; i++) {
    pl_channel *c = &exchange->channel[i];
    const pl_peer *p = &x->peer[i];
    if (!is_too_small(c, p)) continue;
    c->send_capacity = capacity_for(c->send_capacity, p->sends);
    c->receive_capacity = capacity_for(c->receive_capacity, p->receives);
    if (may_share(device, c, p))
      shared[n++] = (handshake){.channel = c, .peer = p};
    else
      PL_TRY(open_message_channel(device, c, p));
  }
  if (n) PL_TRY(shake_hands(device, &x->messages, shared, n, announced));
  for (int i = 0; i < x->npeers; i++) exchange->channel[i].connected |= pl_peer_takes_part(&x->peer[i]);
  return PL_SUCCESS;
}

pl_err pl_channels_prepare(pl_device *device, struct pl_exchange *x, pl_device_exchange *exchange,
                           bool *announced)
{
  pl_context *pl = device->pl;
  bool too_small = false;
  PL_TRY(add_channels(pl, exchange, x->npeers));
  for (int i = 0; i < x->npeers; i++) too_small |= is_too_small(&exchange->channel[i], &x->peer[i]);
  if (!too_small) return PL_SUCCESS;
  handshake *shared = pl_calloc(pl, (size_t)x->npeers, sizeof *shared);
  if (!shared) return pl_fail_memory(pl, (size_t)x->npeers * sizeof *shared);
  pl_err err = grow_channels(device, x, exchange, shared, announced);
  pl_free(pl, shared);
  return err;
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Halo exchange of devices. Records are packed and unpacked on the device, in a queue of their own that
 * overlaps the loop over core elements. A channel (device_channels.h) that shares memory is packed right into
 * the peer's buffer. A one-byte message signals completion. With shared events it signals "event recorded":
 * queues then wait on each other, the host does not. Where urgent queues have priority, the core is launched
 * before the packing, so that it does not wait for the host. While solvers run, a barrier of the devices
 * replaces the message.
 *
 * Invariant: a shared receive buffer has two slots, used in turn. Slot k % 2 is free for exchange k once
 * message k - 1 arrived, because the neighbour sends it after unpacking k - 2; the same holds for the event
 * of exchange k may be recorded again for k + 2.
 */
#include "device_exchange.h"
#include "device_queue.h"
#include "graph_replay.h"
#include "core/data/objects.h"
#include "core/program/queue.h"

/* Whether a barrier of the devices replaces the message, so that no host waits: where they also add sums.
 * Equal on both sides of a channel. */
static bool by_barrier(const pl_device *device, const struct pl_exchange *x, const pl_channel *c)
{
  return device->pl->sums_on_devices && x->for_loop && c->transport == PL_SEND_SHARED;
}

/* ---- calls that are collected if no message is sent ---- */

static void use_queue(pl_device *device, const pl_device_exchange *exchange, void *queue)
{
  if (!exchange->collects || !pl_replay_queue(device, queue)) device->driver->queue_use(device, queue);
}

static pl_err record(pl_device *device, const pl_device_exchange *exchange, void *event)
{
  if (exchange->collects && pl_replay_record(device, event)) return PL_SUCCESS;
  return device->driver->event_record(device, event);
}

static pl_err wait_for(pl_device *device, const pl_device_exchange *exchange, void *event)
{
  if (exchange->collects && pl_replay_wait(device, event)) return PL_SUCCESS;
  return device->driver->queue_wait(device, event);
}

/* Back to the queue that loops run in. */
static pl_err leave_queue(pl_device *device, const pl_device_exchange *exchange, pl_err err)
{
  use_queue(device, exchange, device->pl->queue ? device->pl->queue->handle : NULL);
  return err;
}

/* ---- packing and unpacking ---- */

static size_t slot_offset(const pl_channel *c, size_t capacity)
{
  return c->transport == PL_SEND_SHARED ? c->exchanges % 2 * capacity : 0;
}

static void *const *pack_buffer(const pl_channel *c)
{
  return c->transport == PL_SEND_SHARED ? &c->peer_buffer : &c->send_buffer;
}

static pl_err upload_list(pl_device *device, const int *list, int n, pl_list_copy *copy)
{
  if (copy->valid || !n) return PL_SUCCESS;
  PL_TRY(pl_device_list(device, list, n, copy));
  copy->valid = true;
  return PL_SUCCESS;
}

static pl_err upload_lists(pl_device *device, pl_halo *halo)
{
  PL_TRY(upload_list(device, halo->send, halo->send_offset[halo->n], &halo->device_send));
  return upload_list(device, halo->receive, halo->receive_offset[halo->n], &halo->device_receive);
}

static pl_record_list *add_list(pl_device *device, pl_device_exchange *exchange)
{
  const pl_err err = PL_GROW(device->pl, exchange->list, exchange->list_room, exchange->nlists + 1);
  return err ? NULL : &exchange->list[exchange->nlists++];
}

/* A dat's records for each neighbour, behind those of earlier dats. */
static pl_err add_item(pl_device *device, struct pl_exchange *x, pl_device_exchange *exchange,
                       const pl_item *item, bool unpack)
{
  pl_halo *halo = item->halo;
  PL_TRY(upload_lists(device, halo));
  for (int i = 0; i < halo->n; i++) {
    pl_peer *p = &x->peer[halo->peer[i]];
    const pl_channel *c = &exchange->channel[halo->peer[i]];
    pl_record_list *list = add_list(device, exchange);
    if (!list) return PL_ERR_MEMORY;
    *list = unpack ? (pl_record_list){.list = &halo->device_receive.at,
                                      .first = halo->receive_offset[i],
                                      .n = pl_item_takes(item, i),
                                      .buffer = &c->receive_buffer,
                                      .at = p->received + slot_offset(c, c->receive_capacity)}
                   : (pl_record_list){.list = &halo->device_send.at,
                                      .first = halo->send_offset[i],
                                      .n = pl_item_gives(item, i),
                                      .buffer = pack_buffer(c),
                                      .at = p->sent + slot_offset(c, c->send_capacity)};
    list->dat = item->dat;
    *(unpack ? &p->received : &p->sent) += (size_t)list->n * pl_dat_stride(item->dat);
  }
  return PL_SUCCESS;
}

/* All dats of all neighbours at once. */
static pl_err move_records(pl_device *device, struct pl_exchange *x, pl_device_exchange *exchange,
                           bool unpack)
{
  exchange->nlists = 0;
  for (int d = 0; d < x->nitems; d++) PL_TRY(add_item(device, x, exchange, &x->item[d], unpack));
  return pl_device_move_records(device, exchange->nlists, exchange->list, unpack);
}

/* Records that the host packs, copied to where the device would have packed them. */
static pl_err pack_on_host(pl_device *device, struct pl_exchange *x, const pl_device_exchange *exchange)
{
  PL_TRY(pl_exchange_pack(x));
  for (int i = 0; i < x->npeers; i++) {
    const pl_channel *c = &exchange->channel[i];
    pl_peer *p = &x->peer[i];
    p->sent = 0;
    if (c->transport != PL_SEND_STAGED)
      PL_TRY(device->driver->start_write(device, *pack_buffer(c), slot_offset(c, c->send_capacity), p->send,
                                         p->sends));
  }
  return PL_SUCCESS;
}

/* ---- beginning ---- */

pl_err pl_device_exchange_ready(pl_context *pl, struct pl_exchange *x)
{
  pl_device *device = pl_device_of(pl);
  pl_device_exchange *exchange = NULL;
  bool announced = false;
  PL_TRY(pl_device_exchange_get(device, &exchange));
  PL_TRY(pl_channels_prepare(device, x, exchange, &announced));
  if (!announced) pl_comm_sent(pl);
  for (int d = 0; d < x->nitems; d++) {
    PL_TRY(upload_lists(device, x->item[d].halo));
    PL_TRY(pl_device_move_prepare(device, x->item[d].dat));
  }
  return PL_SUCCESS;
}

/* Dats of a loop must be on the device anyway; others are packed where their valid values are. */
static pl_err find_values(struct pl_exchange *x, pl_device_exchange *exchange)
{
  exchange->on_device = true;
  for (int d = 0; d < x->nitems; d++) {
    pl_dat *dat = x->item[d].dat;
    if (x->for_loop) PL_TRY(pl_dat_device(dat, true));
    exchange->on_device &= dat->storage.device_valid;
  }
  return PL_SUCCESS;
}

/* Whether host copies are updated too, so that the host needs all messages in its memory. */
static bool updates_host(const struct pl_exchange *x, const pl_device_exchange *exchange)
{
  bool valid = !exchange->on_device;
  for (int d = 0; d < x->nitems; d++) valid |= pl_dat_host_is_valid(x->item[d].dat);
  return valid;
}

static pl_err post_receive(pl_device *device, struct pl_exchange *x, const pl_peer *p, pl_channel *c)
{
  pl_context *pl = device->pl;
  if (c->transport == PL_SEND_SHARED)
    return pl_messages_receive(pl, &x->messages, p->rank, &c->notice_received, 1);
  void *into =
    c->transport == PL_SEND_DIRECT ? device->driver->address(device, c->receive_buffer) : p->receive;
  return pl_messages_receive(pl, &x->messages, p->rank, into, p->receives);
}

/* Behind the packing in the queue: the notice of channels with events, or the copy to host memory. */
static pl_err start_sending(pl_device *device, struct pl_exchange *x, const pl_peer *p, pl_channel *c,
                            bool on_device)
{
  pl_context *pl = device->pl;
  if (c->transport == PL_SEND_SHARED && c->has_events) {
    PL_TRY(device->driver->event_record(device, c->packed[c->exchanges % 2]));
    return pl_messages_send(pl, &x->messages, p->rank, &c->notice_sent, 1);
  }
  if (c->transport != PL_SEND_STAGED || !on_device) return PL_SUCCESS;
  pl->stats.bytes_from_device += p->sends;
  pl->stats.calls_from_device += p->sends > 0;
  return device->driver->start_read(device, p->send, c->send_buffer, 0, p->sends);
}

static pl_err pack_all(pl_device *device, struct pl_exchange *x, pl_device_exchange *exchange)
{
  use_queue(device, exchange, exchange->queue);
  PL_TRY(wait_for(device, exchange, exchange->loop_done));
  PL_TRY(exchange->on_device ? move_records(device, x, exchange, false) : pack_on_host(device, x, exchange));
  for (int i = 0; i < x->npeers; i++)
    if (pl_peer_takes_part(&x->peer[i]) && !by_barrier(device, x, &exchange->channel[i]))
      PL_TRY(start_sending(device, x, &x->peer[i], &exchange->channel[i], exchange->on_device));
  return record(device, exchange, exchange->packed);
}

/* Until the last exchange has left the buffers that MPI or the bus fills. */
static pl_err wait_for_buffers(pl_device *device, const struct pl_exchange *x, pl_device_exchange *exchange)
{
  for (int i = 0; i < x->npeers; i++)
    if (pl_peer_takes_part(&x->peer[i]) && exchange->channel[i].transport != PL_SEND_SHARED)
      return device->driver->event_wait(device, exchange->done);
  return PL_SUCCESS;
}

/* Room for the records of each peer, and the receive of its message unless a barrier replaces it. */
static pl_err expect_records(pl_device *device, struct pl_exchange *x, pl_device_exchange *exchange)
{
  const bool host = updates_host(x, exchange);
  exchange->collects = !host;
  x->barrier = false;
  for (int i = 0; i < x->npeers; i++) {
    pl_peer *p = &x->peer[i];
    pl_channel *c = &exchange->channel[i];
    if (!pl_peer_takes_part(p)) continue;
    if (host || c->transport == PL_SEND_STAGED) PL_TRY(pl_exchange_room(device->pl, p));
    const bool barrier = by_barrier(device, x, c);
    exchange->collects &= barrier;
    x->barrier |= barrier;
    if (!barrier) PL_TRY(post_receive(device, x, p, c));
  }
  return PL_SUCCESS;
}

pl_err pl_device_exchange_begin(pl_context *pl, struct pl_exchange *x)
{
  pl_device *device = pl_device_of(pl);
  pl_device_exchange *exchange = NULL;
  bool announced = true; /* by pl_device_exchange_end */
  device->deferred_loop = NULL;
  PL_TRY(pl_device_exchange_get(device, &exchange));
  PL_TRY(find_values(x, exchange));
  PL_TRY(pl_channels_prepare(device, x, exchange, &announced));
  PL_TRY(wait_for_buffers(device, x, exchange));
  PL_TRY(expect_records(device, x, exchange));
  pl_replay_open(device, exchange->collects);
  PL_TRY(record(device, exchange, exchange->loop_done));
  exchange->packs_late = x->core_first && device->driver->has_priorities;
  return exchange->packs_late ? PL_SUCCESS : leave_queue(device, exchange, pack_all(device, x, exchange));
}

pl_err pl_device_defer_boundary(pl_device *device, struct pl_device_code *code)
{
  device->deferred_loop = code;
  return record(device, device->exchange, device->exchange->boundary_ready);
}

/* ---- ending ---- */

/* Messages that had to wait for the packing, while the core runs. */
static pl_err send_packed(pl_device *device, struct pl_exchange *x, pl_device_exchange *exchange)
{
  pl_context *pl = device->pl;
  bool waited = false;
  for (int i = 0; i < x->npeers; i++) {
    pl_peer *p = &x->peer[i];
    pl_channel *c = &exchange->channel[i];
    bool shared = c->transport == PL_SEND_SHARED;
    if (!pl_peer_takes_part(p) || (shared && c->has_events) || by_barrier(device, x, c)) continue;
    if (!waited) PL_TRY(device->driver->event_wait(device, exchange->packed));
    waited = true;
    const void *from = shared                           ? &c->notice_sent
                       : c->transport == PL_SEND_DIRECT ? device->driver->address(device, c->send_buffer)
                                                        : p->send;
    PL_TRY(pl_messages_send(pl, &x->messages, p->rank, from, shared ? 1 : p->sends));
  }
  return PL_SUCCESS;
}

/* Before the unpacking: the queue waits for the peer's event, or staged records are copied to the device. */
static pl_err start_receiving(pl_device *device, const struct pl_exchange *x, const pl_peer *p,
                              const pl_channel *c, bool on_device, bool host)
{
  pl_stats *stats = &device->pl->stats;
  if (c->transport == PL_SEND_SHARED && c->has_events && !by_barrier(device, x, c))
    PL_TRY(device->driver->queue_wait(device, c->peer_packed[c->exchanges % 2]));
  if (c->transport != PL_SEND_STAGED)
    return host ? device->driver->start_read(device, p->receive, c->receive_buffer,
                                             slot_offset(c, c->receive_capacity), p->receives)
                : PL_SUCCESS;
  if (!on_device) return PL_SUCCESS;
  stats->bytes_to_device += p->receives;
  stats->calls_to_device += p->receives > 0;
  return device->driver->start_write(device, c->receive_buffer, 0, p->receive, p->receives);
}

static pl_err run_deferred_loop(pl_device *device)
{
  struct pl_device_code *code = device->deferred_loop;
  if (!code) return PL_SUCCESS;
  device->deferred_loop = NULL;
  PL_TRY(wait_for(device, device->exchange, device->exchange->boundary_ready));
  return device->run_boundary(device, code);
}

/* A barrier with all peers that get no message. */
static pl_err wait_for_peers(pl_device *device, struct pl_exchange *x, const pl_device_exchange *exchange)
{
  int ranks = 0;
  for (int i = 0; i < x->npeers; i++)
    if (pl_peer_takes_part(&x->peer[i]) && by_barrier(device, x, &exchange->channel[i]))
      ranks |= 1 << x->peer[i].rank;
  x->barrier = false;
  return ranks ? device->barrier(device, ranks) : PL_SUCCESS;
}

static pl_err unpack_all(pl_device *device, struct pl_exchange *x, pl_device_exchange *exchange)
{
  bool host = updates_host(x, exchange);
  use_queue(device, exchange, exchange->queue);
  PL_TRY(wait_for_peers(device, x, exchange));
  for (int i = 0; i < x->npeers; i++)
    if (pl_peer_takes_part(&x->peer[i]))
      PL_TRY(start_receiving(device, x, &x->peer[i], &exchange->channel[i], exchange->on_device, host));
  if (exchange->on_device) PL_TRY(move_records(device, x, exchange, true));
  PL_TRY(run_deferred_loop(device));
  PL_TRY(record(device, exchange, exchange->done));
  for (int i = 0; i < x->npeers; i++) {
    exchange->channel[i].exchanges += pl_peer_takes_part(&x->peer[i]);
    x->peer[i].received = 0;
  }
  if (!host) return PL_SUCCESS;
  PL_TRY(device->driver->event_wait(device, exchange->done));
  pl_exchange_unpack(x);
  return PL_SUCCESS;
}

pl_err pl_device_exchange_end(pl_context *pl, struct pl_exchange *x)
{
  pl_device *device = pl_device_of(pl);
  pl_device_exchange *exchange = device->exchange;
  if (exchange->packs_late) PL_TRY(leave_queue(device, exchange, pack_all(device, x, exchange)));
  exchange->packs_late = false;
  PL_TRY(send_packed(device, x, exchange));
  pl_comm_sent(pl);
  PL_TRY(pl_messages_wait(pl, &x->messages));
  PL_TRY(leave_queue(device, exchange, unpack_all(device, x, exchange)));
  device->exchanges += !exchange->collects; /* a graph's branch does not wait for the queue of exchanges */
  PL_TRY(wait_for(device, exchange, exchange->done));
  pl_replay_open(device, false);
  return PL_SUCCESS;
}

/* ---- globals ---- */

static pl_err start_fetch(pl_device *device, pl_device_exchange *exchange, pl_global *global, void *host,
                          void *event)
{
  size_t bytes = (size_t)global->dim * pl_type_size(global->type);
  device->driver->queue_use(device, exchange->queue);
  PL_TRY(device->driver->queue_wait(device, exchange->loop_done));
  PL_TRY(device->driver->start_read(device, host, global->device, 0, bytes));
  return device->driver->event_record(device, event);
}

/* In a queue of its own: a copy between two kernels costs a device more than the copy. */
pl_err pl_device_global_start_read(pl_context *pl, pl_global *global, void *host, void **event)
{
  pl_device *device = pl_device_of(pl);
  pl_device_exchange *exchange = NULL;
  PL_TRY(pl_device_exchange_get(device, &exchange));
  PL_TRY(pl_device_synchronize(device));
  if (!*event) PL_TRY(device->driver->event_new(device, false, event));
  PL_TRY(device->driver->event_record(device, exchange->loop_done));
  exchange->collects = false;
  return leave_queue(device, exchange, start_fetch(device, exchange, global, host, *event));
}

/* Concurrent with later loops, which wait for it if they may run in another queue. */
pl_err pl_device_global_fetch(pl_context *pl, pl_global *global, void *host, void **event)
{
  pl_device *device = pl_device_of(pl);
  PL_TRY(pl_device_global_start_read(pl, global, host, event));
  global->fetched = *event;
  global->fetched_at = device->exchanges;
  return device->queues ? device->driver->event_wait(device, *event) : PL_SUCCESS;
}

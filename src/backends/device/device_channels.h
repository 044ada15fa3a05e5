/* SPDX-License-Identifier: BSD-2-Clause
 * Channels of a device to other ranks, one a peer: the transport of its messages, their buffers, and events.
 * Invariant: both ends of a shared channel grow in the same exchange, since one sends what the other
 * receives.
 */
#pragma once

#include "device_data.h"
#include "core/exchange/exchange.h"

/* How messages to a peer are sent (option transport). PL_SEND_SHARED: records are packed into the peer's
 * device memory, between ranks of one machine. PL_SEND_DIRECT: MPI reads device memory. PL_SEND_STAGED:
 * through host memory.
 */
typedef enum pl_transport { PL_SEND_STAGED, PL_SEND_DIRECT, PL_SEND_SHARED } pl_transport;

typedef struct pl_channel {
  bool connected;
  pl_transport transport;
  bool has_events;                        /* PL_SEND_SHARED: both ends can wait for each other's events */
  size_t send_capacity, receive_capacity; /* bytes of one message */
  unsigned exchanges;                     /* ended so far */
  void *send_buffer, *receive_buffer, *peer_buffer; /* peer_buffer: the peer's receive_buffer, opened */
  void *packed[2], *peer_packed[2];                 /* events of the two slots: records are packed */
  char notice_sent, notice_received;                /* the message of a PL_SEND_SHARED channel */
} pl_channel;

typedef struct pl_device_exchange {
  void *queue, *loop_done, *packed, *boundary_ready, *done; /* events in the order of an exchange */
  int nchannels;
  pl_channel *channel; /* by peer number */
  bool packs_late;     /* the end of the exchange packs, behind the launch of the core */
  bool collects;       /* no message is sent, so the calls of this exchange may be replayed as a graph */
  bool on_device;      /* records of this exchange are packed and unpacked by the device */
  int nlists, list_room;
  pl_record_list *list; /* scratch */
} pl_device_exchange;

/* The device's exchange, with its queue and events. */
pl_err pl_device_exchange_get(pl_device *device, pl_device_exchange **exchange);
void pl_device_exchange_close(pl_context *pl);

static inline bool pl_peer_takes_part(const pl_peer *peer)
{
  return peer->sends || peer->receives;
}

/* Channels with room for the messages of x. *announced: other ranks know that this one has sent its part
 * (pl_comm_sent). */
pl_err pl_channels_prepare(pl_device *device, struct pl_exchange *x, pl_device_exchange *exchange,
                           bool *announced);

/* SPDX-License-Identifier: BSD-2-Clause
 * The pending halo exchange of a context: carried out by halo.c from host memory, or by a backend from its
 * device.
 *
 * A peer is a rank that this one has ever exchanged with; its buffers are reused. A message holds, item by
 * item, the records that the neighbour needs: elements in the order of the halo's list, values of an element
 * together. Items are ordered by falling size of their values, so each is aligned for its values. Both sides
 * list the same items in the same order, whatever their backends.
 */
#pragma once

#include "core/comm/comm.h"
#include "halo.h"

typedef struct pl_peer {
  int rank;
  size_t sends, receives; /* bytes of this exchange */
  size_t sent, received;  /* bytes packed, unpacked so far */
  char *send, *receive;   /* host memory of the sizes below */
  size_t send_room, receive_room;
} pl_peer;

/* A dat and the lists of its elements to exchange. */
typedef struct pl_item {
  pl_dat *dat;
  pl_halo *halo;
} pl_item;

struct pl_exchange {
  int npeers, room;
  pl_peer *peer;
  pl_messages messages;
  int nitems, item_room; /* of this exchange */
  pl_item *item;
  char title[128]; /* the dats, for tools */
  bool for_loop;   /* a loop follows, so the device copies are exchanged; else the valid ones */
  bool core_first; /* core elements, which write none of the items, run between begin and end: their launch
                    * may come before the packing */
  bool barrier;    /* between begin and end of one in which devices wait for each other, not for messages */
};

/* The context's exchange; NULL with the error set. */
struct pl_exchange *pl_exchange_of(pl_context *pl);

/* The index of a rank among the peers, added if it is new; -1 without memory. */
int pl_peer_number(pl_context *pl, int rank);

/* Adds an item unless there is one of its dat. */
pl_err pl_exchange_add(pl_context *pl, struct pl_exchange *x, pl_item item);

/* Elements that an item sends to neighbour i of its halo, and receives from it. */
static inline int pl_item_gives(const pl_item *item, int i)
{
  return item->halo->send_offset[i + 1] - item->halo->send_offset[i];
}

static inline int pl_item_takes(const pl_item *item, int i)
{
  return item->halo->receive_offset[i + 1] - item->halo->receive_offset[i];
}

/* Sets the peers' byte counts, `reverse` from the receiving side of the lists to the sending one; adds them
 * to the statistics. */
void pl_exchange_count(struct pl_exchange *x, bool reverse);
/* The event of an exchange for tools, begun after pl_exchange_count. */
void pl_exchange_begins(pl_context *pl, struct pl_exchange *x);
void pl_exchange_ends(pl_context *pl);
void pl_exchange_log(pl_context *pl, const struct pl_exchange *x);

/* Allocates the host buffers of a peer. */
pl_err pl_exchange_room(pl_context *pl, pl_peer *peer);

/* Packs the items into the peers' host buffers; unpacks them into dats whose host copies are valid. Both
 * advance `sent` and `received`. */
pl_err pl_exchange_pack(struct pl_exchange *x);
void pl_exchange_unpack(struct pl_exchange *x);

/* to[list[i]] = from[i] for i < n records of `stride` bytes. */
void pl_scatter_records(int n, size_t stride, const int *list, const void *from, void *to);

/* Start the messages to and from the host buffers of all peers; receiving allocates the buffers. */
pl_err pl_exchange_receive(pl_context *pl, struct pl_exchange *x);
pl_err pl_exchange_send(pl_context *pl, struct pl_exchange *x);

/* Frees the exchange of a context. */
void pl_halo_close(pl_context *pl);

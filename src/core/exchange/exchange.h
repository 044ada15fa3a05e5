/* SPDX-License-Identifier: BSD-2-Clause
 * An exchange under way, as those see it who carry it: halo.c from host memory, a backend from its device.
 *
 * A peer is a rank that this one has ever talked to; its buffers stay for the next exchange. A message holds,
 * item by item, the records that this neighbour needs, elements in the order of the halo's list, values of an
 * element together. Items are ordered by falling size of their values, so each begins aligned for its values.
 * Both sides see the same items in the same order, whatever their backends.
 */
#ifndef PLAIT_CORE_EXCHANGE_H
#define PLAIT_CORE_EXCHANGE_H

#include "halo.h"

typedef struct pl_peer {
  int rank;
  size_t sends, receives; /* bytes of the exchange under way */
  size_t sent, received;  /* bytes packed, unpacked so far */
  char *send, *receive;   /* host memory, with room for so many bytes */
  size_t send_room, receive_room;
} pl_peer;

/* A dat, and the elements of it that travel. */
typedef struct pl_item {
  pl_dat *dat;
  pl_halo *halo;
} pl_item;

struct pl_exchange {
  int npeers, room;
  pl_peer *peer;
  pl_messages messages;
  int nitems, item_room; /* under way */
  pl_item *item;
  bool for_loop; /* a loop is about to run on the items; else they are looked at where they are */
};

/* For those who carry items another way (halo_back.c): the context's exchange (NULL with the error set), and
 * an item more. */
struct pl_exchange *pl_exchange_of(pl_context *pl);
pl_err pl_exchange_take(pl_context *pl, struct pl_exchange *x, pl_item item);

/* Elements that an item gives to neighbour i of its halo, and takes from it. */
static inline int pl_item_gives(const pl_item *item, int i)
{
  return item->halo->send_offset[i + 1] - item->halo->send_offset[i];
}

static inline int pl_item_takes(const pl_item *item, int i)
{
  return item->halo->receive_offset[i + 1] - item->halo->receive_offset[i];
}

/* For backends that carry exchanges: host memory of a peer for what is under way; items packed into it and
 * taken from it by the host, for peers with host memory, `sent` and `received` counted along; the latter into
 * dats whose host copies are valid. */
pl_err pl_exchange_room(pl_context *pl, pl_peer *peer);
pl_err pl_exchange_pack(struct pl_exchange *x);
void pl_exchange_unpack(struct pl_exchange *x);

#endif

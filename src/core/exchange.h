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
  char *send, *receive;   /* host memory */
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
  char *staging; /* one item on its way from or to a device */
};

/* Elements that an item gives to neighbour i of its halo, and takes from it. */
static inline int pl_item_gives(const pl_item *item, int i)
{
  return item->halo->send_offset[i + 1] - item->halo->send_offset[i];
}

static inline int pl_item_takes(const pl_item *item, int i)
{
  return item->halo->receive_offset[i + 1] - item->halo->receive_offset[i];
}

#endif

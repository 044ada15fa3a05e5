/* SPDX-License-Identifier: BSD-2-Clause
 * The exchange of a context: peers, buffers, items and messages.
 */
#include "exchange.h"
#include "core/data/objects.h"
#include "core/tools/tools.h"
#include <string.h>

/* ---- peers ---- */

struct pl_exchange *pl_exchange_of(pl_context *pl)
{
  if (!pl->exchange) pl->exchange = pl_calloc(pl, 1, sizeof *pl->exchange);
  if (!pl->exchange) pl_fail_memory(pl, sizeof *pl->exchange);
  return pl->exchange;
}

int pl_peer_number(pl_context *pl, int rank)
{
  struct pl_exchange *x = pl_exchange_of(pl);
  if (!x) return -1;
  for (int p = 0; p < x->npeers; p++)
    if (x->peer[p].rank == rank) return p;
  if (PL_GROW(pl, x->peer, x->room, x->npeers + 1)) return -1;
  x->peer[x->npeers] = (pl_peer){.rank = rank};
  return x->npeers++;
}

/* A buffer of at least so many bytes; its contents are lost. */
static pl_err grow_buffer(pl_context *pl, char **buffer, size_t *room, size_t bytes)
{
  if (bytes <= *room) return PL_SUCCESS;
  pl_transfer_free(pl, *buffer);
  *room = 0;
  if (!(*buffer = pl_transfer_alloc(pl, bytes))) return pl->error_code;
  *room = bytes;
  return PL_SUCCESS;
}

pl_err pl_exchange_room(pl_context *pl, pl_peer *peer)
{
  PL_TRY(grow_buffer(pl, &peer->send, &peer->send_room, peer->sends));
  return grow_buffer(pl, &peer->receive, &peer->receive_room, peer->receives);
}

void pl_halo_close(pl_context *pl)
{
  struct pl_exchange *x = pl->exchange;
  bool complete = !x || pl_messages_free(pl, &x->messages);
  if (pl->backend->exchange) pl->backend->exchange->close(pl);
  if (!x) return;
  for (int p = 0; p < x->npeers; p++) {
    if (complete) pl_transfer_free(pl, x->peer[p].send);
    pl_transfer_free(pl, x->peer[p].receive);
  }
  pl_free_all(pl, x->peer, x->item, x);
  pl->exchange = NULL;
}

/* ---- items ---- */

static size_t value_size(const pl_dat *dat)
{
  return pl_type_size(pl_type_base(dat->type));
}

pl_err pl_exchange_add(pl_context *pl, struct pl_exchange *x, pl_item item)
{
  for (int k = 0; k < x->nitems; k++)
    if (x->item[k].dat == item.dat) return PL_SUCCESS;
  PL_TRY(PL_GROW(pl, x->item, x->item_room, x->nitems + 1));
  int at = x->nitems++;
  for (; at > 0 && value_size(x->item[at - 1].dat) < value_size(item.dat); at--)
    x->item[at] = x->item[at - 1];
  x->item[at] = item;
  return PL_SUCCESS;
}

void pl_exchange_count(struct pl_exchange *x, bool reverse)
{
  for (int p = 0; p < x->npeers; p++)
    x->peer[p].sends = x->peer[p].receives = x->peer[p].sent = x->peer[p].received = 0;
  for (const pl_item *item = x->item; item < x->item + x->nitems; item++) {
    size_t stride = pl_dat_stride(item->dat);
    for (int i = 0; i < item->halo->n; i++) {
      pl_peer *p = &x->peer[item->halo->peer[i]];
      *(reverse ? &p->receives : &p->sends) += (size_t)pl_item_gives(item, i) * stride;
      *(reverse ? &p->sends : &p->receives) += (size_t)pl_item_takes(item, i) * stride;
    }
  }
}

void pl_exchange_log(pl_context *pl, const struct pl_exchange *x)
{
  for (int p = 0; p < x->npeers; p++) {
    pl->stats.halo_messages += x->peer[p].sends > 0;
    pl->stats.halo_bytes += x->peer[p].sends;
  }
}

/* ---- tools ---- */

void pl_exchange_begins(pl_context *pl, struct pl_exchange *x)
{
  size_t n = 0, bytes = 0;
  if (!pl->tools) return;
  for (int d = 0; d < x->nitems && n < sizeof x->title; d++)
    n +=
      (size_t)snprintf(x->title + n, sizeof x->title - n, "%s%s", d ? ", " : "", x->item[d].dat->node.name);
  for (int p = 0; p < x->npeers; p++) bytes += x->peer[p].sends;
  pl_event_begin(pl, PL_TOOL_HALO, x->title, x->nitems ? x->item[0].dat->set->node.name : "", (double)bytes);
}

void pl_exchange_ends(pl_context *pl)
{
  pl_event_end(pl, PL_TOOL_HALO);
}

/* ---- packing ---- */

static pl_err pack_item(struct pl_exchange *x, const pl_item *item)
{
  const pl_halo *halo = item->halo;
  size_t stride = pl_dat_stride(item->dat);
  void *host = pl_dat_host(item->dat, false);
  if (!host) return PL_ERR_MEMORY;
  for (int i = 0; i < halo->n; i++) {
    pl_peer *p = &x->peer[halo->peer[i]];
    pl_gather_records(pl_item_gives(item, i), stride, halo->send + halo->send_offset[i], host,
                      p->send + p->sent);
    p->sent += (size_t)pl_item_gives(item, i) * stride;
  }
  return PL_SUCCESS;
}

pl_err pl_exchange_pack(struct pl_exchange *x)
{
  for (int d = 0; d < x->nitems; d++) PL_TRY(pack_item(x, &x->item[d]));
  return PL_SUCCESS;
}

void pl_scatter_records(int n, size_t stride, const int *list, const void *from, void *to)
{
  for (int i = 0; i < n; i++)
    memcpy((char *)to + (size_t)list[i] * stride, (const char *)from + (size_t)i * stride, stride);
}

static void unpack_item(struct pl_exchange *x, const pl_item *item)
{
  const pl_halo *halo = item->halo;
  size_t stride = pl_dat_stride(item->dat);
  for (int i = 0; i < halo->n; i++) {
    pl_peer *p = &x->peer[halo->peer[i]];
    if (pl_dat_host_is_valid(item->dat))
      pl_scatter_records(pl_item_takes(item, i), stride, halo->receive + halo->receive_offset[i],
                         p->receive + p->received, item->dat->storage.host);
    p->received += (size_t)pl_item_takes(item, i) * stride;
  }
}

void pl_exchange_unpack(struct pl_exchange *x)
{
  for (int d = 0; d < x->nitems; d++) unpack_item(x, &x->item[d]);
}

/* ---- messages ---- */

pl_err pl_exchange_receive(pl_context *pl, struct pl_exchange *x)
{
  for (pl_peer *p = x->peer; p < x->peer + x->npeers; p++) {
    PL_TRY(pl_exchange_room(pl, p));
    PL_TRY(pl_messages_receive(pl, &x->messages, p->rank, p->receive, p->receives));
  }
  return PL_SUCCESS;
}

pl_err pl_exchange_send(pl_context *pl, struct pl_exchange *x)
{
  for (pl_peer *p = x->peer; p < x->peer + x->npeers; p++)
    PL_TRY(pl_messages_send(pl, &x->messages, p->rank, p->send, p->sends));
  return PL_SUCCESS;
}

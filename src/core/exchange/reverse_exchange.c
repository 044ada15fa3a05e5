/* SPDX-License-Identifier: BSD-2-Clause
 * Halos the other way: instead of running the exec halo redundantly, a loop that only increments through maps
 * runs its owned elements alone; what they add to copies of other ranks' elements goes back to the owners,
 * who add it, neighbour by neighbour in the order of ranks.
 */
#include "exchange.h"
#include "profile.h"
#include <string.h>

/* ---- when ---- */

static bool goes_back(const pl_arg *arg)
{
  return arg->kind == PL_ARG_DAT && arg->map && !arg->off && pl_arg_writes(arg);
}

/* Whether another argument wants the values of a dat whose copies are to hold what is added, and nothing
 * else. */
static bool wanted_otherwise(const pl_loop *loop, const pl_dat *dat)
{
  for (int i = 0; i < loop->nargs; i++) {
    const pl_arg *arg = &loop->args[i];
    if (arg->kind == PL_ARG_DAT && arg->object == dat && !arg->off && arg->access != PL_INC) return true;
  }
  return false;
}

/* Whether all that a loop writes through maps are increments, and values are in host memory. */
static bool may_go_back(const pl_loop *loop)
{
  const pl_context *pl = loop->pl;
  if (!loop->indirect_write || loop->set->pairs || pl->backend->exchange_begin) return false;
  if (pl_opt_flag(pl, PL_OPT_CHECK) || pl_opt_is(pl, PL_OPT_HALO, "redundant")) return false;
  for (int i = 0; i < loop->nargs; i++)
    if (goes_back(&loop->args[i]) && wanted_otherwise(loop, loop->args[i].object)) return false;
  return true;
}

pl_err pl_halo_choose(pl_loop *loop)
{
  const int *part = loop->set->part;
  int64_t sum[4] = {part[2] - part[1], part[1], !may_go_back(loop),
                    pl_opt_is(loop->pl, PL_OPT_HALO, "reverse")};
  if (pl_ranks(loop->pl) == 1) return PL_SUCCESS;
  PL_TRY(pl_comm_reduce(loop->pl, PL_INT64, PL_INC, sum, 4));
  loop->back = !sum[2] && (sum[3] || 2 * sum[0] > sum[1]);
  return PL_SUCCESS;
}

/* ---- how ---- */

static bool first_of_dat(const pl_loop *loop, int i)
{
  for (int j = 0; j < i; j++)
    if (goes_back(&loop->args[j]) && loop->args[j].object == loop->args[i].object) return false;
  return true;
}

pl_err pl_halo_clear(pl_loop *loop)
{
  for (int i = 0; i < loop->nargs; i++) {
    pl_dat *dat = loop->args[i].object;
    if (!goes_back(&loop->args[i])) continue;
    char *host = pl_dat_host(dat, false);
    if (!host) return PL_ERR_MEMORY;
    size_t owned = (size_t)dat->set->part[1] * pl_dat_stride(dat);
    memset(host + owned, 0, (size_t)dat->set->part[3] * pl_dat_stride(dat) - owned);
  }
  return PL_SUCCESS;
}

static pl_err take_items(pl_loop *loop, struct pl_exchange *x)
{
  x->nitems = 0;
  for (int i = 0; i < loop->nargs; i++) {
    pl_dat *dat = loop->args[i].object;
    if (goes_back(&loop->args[i]) && first_of_dat(loop, i) && dat->set->halo)
      PL_TRY(pl_exchange_take(loop->pl, x, (pl_item){dat, dat->set->halo}));
  }
  return PL_SUCCESS;
}

static void count_bytes(struct pl_exchange *x)
{
  for (int p = 0; p < x->npeers; p++)
    x->peer[p].sends = x->peer[p].receives = x->peer[p].sent = x->peer[p].received = 0;
  for (const pl_item *item = x->item; item < x->item + x->nitems; item++)
    for (int i = 0; i < item->halo->n; i++) {
      pl_peer *p = &x->peer[item->halo->peer[i]];
      p->sends += (size_t)pl_item_takes(item, i) * pl_dat_stride(item->dat);
      p->receives += (size_t)pl_item_gives(item, i) * pl_dat_stride(item->dat);
    }
}

static void pack(struct pl_exchange *x, const pl_item *item)
{
  const pl_halo *halo = item->halo;
  size_t stride = pl_dat_stride(item->dat);
  for (int i = 0; i < halo->n; i++) {
    pl_peer *p = &x->peer[halo->peer[i]];
    int n = pl_item_takes(item, i);
    pl_gather_records(n, stride, halo->receive + halo->receive_offset[i], item->dat->host, p->send + p->sent);
    p->sent += (size_t)n * stride;
  }
}

static void add(struct pl_exchange *x, const pl_item *item)
{
  const pl_halo *halo = item->halo;
  const pl_dat *dat = item->dat;
  size_t stride = pl_dat_stride(dat);
  for (int i = 0; i < halo->n; i++) {
    pl_peer *p = &x->peer[halo->peer[i]];
    for (int k = halo->send_offset[i]; k < halo->send_offset[i + 1]; k++, p->received += stride)
      pl_combine(dat->type, PL_INC, (char *)dat->host + (size_t)halo->send[k] * stride,
                 p->receive + p->received, (size_t)dat->dim);
  }
}

pl_err pl_halo_back(pl_loop *loop)
{
  pl_context *pl = loop->pl;
  struct pl_exchange *x = pl_exchange_of(pl);
  if (!x) return PL_ERR_MEMORY;
  double begun = pl_now();
  PL_TRY(take_items(loop, x));
  count_bytes(x);
  for (pl_peer *p = x->peer; p < x->peer + x->npeers; p++) {
    PL_TRY(pl_exchange_room(pl, p));
    PL_TRY(pl_messages_receive(pl, &x->messages, p->rank, p->receive, p->receives));
  }
  for (int d = 0; d < x->nitems; d++) pack(x, &x->item[d]);
  for (pl_peer *p = x->peer; p < x->peer + x->npeers; p++) {
    PL_TRY(pl_messages_send(pl, &x->messages, p->rank, p->send, p->sends));
    pl->stats.halo_messages += p->sends > 0;
    pl->stats.halo_bytes += p->sends;
  }
  pl_comm_sent(pl);
  PL_TRY(pl_messages_wait(pl, &x->messages));
  for (int d = 0; d < x->nitems; d++) add(x, &x->item[d]);
  x->nitems = 0;
  pl->stats.halo_seconds += pl_now() - begun;
  return PL_SUCCESS;
}

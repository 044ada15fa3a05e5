/* SPDX-License-Identifier: BSD-2-Clause
 * Reverse halo exchange.
 */
#include "reverse_exchange.h"
#include "core/base/clock.h"
#include "core/data/loop_object.h"
#include "exchange.h"
#include <string.h>

static bool writes_indirectly(const pl_arg *arg)
{
  return pl_arg_is_record(arg) && arg->map && !arg->off && pl_arg_writes(arg);
}

/* Whether an argument accesses a dat other than by increments. */
static bool accesses_otherwise(const pl_loop *loop, const pl_dat *dat)
{
  for (int i = 0; i < loop->nargs; i++) {
    const pl_arg *arg = &loop->args[i];
    if (pl_arg_is_of(arg, dat) && arg->access != PL_INC) return true;
  }
  return false;
}

/* Whether all indirect writes are increments and the values are in host memory. */
static bool may_reverse(const pl_loop *loop)
{
  const pl_context *pl = loop->pl;
  if (!loop->indirect_write || loop->set->pairs || pl->backend->exchange) return false;
  if (pl_opt_flag(pl, PL_OPT_CHECK) || pl_opt_is(pl, PL_OPT_HALO, "redundant")) return false;
  for (int i = 0; i < loop->nargs; i++)
    if (writes_indirectly(&loop->args[i]) && accesses_otherwise(loop, loop->args[i].object)) return false;
  return true;
}

pl_err pl_halo_choose(pl_loop *loop)
{
  const int *end = loop->set->end;
  int64_t sum[4] = {end[2] - end[1], end[1], !may_reverse(loop), pl_opt_is(loop->pl, PL_OPT_HALO, "reverse")};
  if (pl_ranks(loop->pl) == 1) return PL_SUCCESS;
  PL_TRY(pl_comm_reduce(loop->pl, PL_INT64, PL_INC, sum, 4));
  loop->reverse_halo = !sum[2] && (sum[3] || 2 * sum[0] > sum[1]);
  return PL_SUCCESS;
}

pl_err pl_halo_clear(pl_loop *loop)
{
  for (int i = 0; i < loop->nargs; i++) {
    pl_dat *dat = loop->args[i].object;
    if (!writes_indirectly(&loop->args[i])) continue;
    char *host = pl_dat_host(dat, false);
    if (!host) return PL_ERR_MEMORY;
    size_t owned = (size_t)dat->set->end[1] * pl_dat_stride(dat);
    memset(host + owned, 0, (size_t)dat->set->end[3] * pl_dat_stride(dat) - owned);
  }
  return PL_SUCCESS;
}

static pl_err add_items(pl_loop *loop, struct pl_exchange *x)
{
  x->nitems = 0;
  for (int i = 0; i < loop->nargs; i++) {
    pl_dat *dat = loop->args[i].object;
    if (writes_indirectly(&loop->args[i]) && dat->set->halo)
      PL_TRY(pl_exchange_add(loop->pl, x, (pl_item){dat, dat->set->halo}));
  }
  return PL_SUCCESS;
}

static void pack_copies(struct pl_exchange *x, const pl_item *item)
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

static void add_received(struct pl_exchange *x, const pl_item *item)
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

pl_err pl_halo_reverse(pl_loop *loop)
{
  pl_context *pl = loop->pl;
  struct pl_exchange *x = pl_exchange_of(pl);
  if (!x) return PL_ERR_MEMORY;
  double begun = pl_now();
  PL_TRY(add_items(loop, x));
  pl_exchange_count(x, true);
  PL_TRY(pl_exchange_receive(pl, x));
  for (int d = 0; d < x->nitems; d++) pack_copies(x, &x->item[d]);
  PL_TRY(pl_exchange_send(pl, x));
  pl_exchange_log(pl, x);
  pl_comm_sent(pl);
  PL_TRY(pl_messages_wait(pl, &x->messages));
  for (int d = 0; d < x->nitems; d++) add_received(x, &x->item[d]);
  x->nitems = 0;
  pl->stats.halo_seconds += pl_now() - begun;
  return PL_SUCCESS;
}

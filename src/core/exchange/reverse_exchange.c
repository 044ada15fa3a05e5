/* SPDX-License-Identifier: BSD-2-Clause
 * Reverse halo exchange.
 */
#include "reverse_exchange.h"
#include "core/base/clock.h"
#include "core/data/lowered_args.h"
#include "exchange.h"
#include <string.h>

static bool writes_indirectly(const pl_arg *arg)
{
  return pl_arg_is_record(arg) && arg->map && !arg->off && pl_arg_writes(arg);
}

/* Whether dats that are written through maps have no other accesses than increments. */
static bool only_increments(const pl_loop *loop)
{
  PL_EACH_ARG (arg, loop)
    if (writes_indirectly(arg) && !pl_loop_access_to(loop, arg->object)->sums) return false;
  return true;
}

/* The exec halo of particles ends with their first migration; the targets of their cells may be copies. */
static bool lacks_exec_halo(const pl_map *map)
{
  return map->no_exec_halo || (map->inner && map->from->migrates);
}

static bool must_reverse(const pl_loop *loop)
{
  PL_EACH_ARG (arg, loop)
    if (writes_indirectly(arg) && lacks_exec_halo(arg->map)) return true;
  return false;
}

/* Matrices have no halo: each rank adds to its own rows. */
static bool has_matrix(const pl_loop *loop)
{
  PL_EACH_ARG (arg, loop)
    if (pl_arg_is_tensor(arg)) return true;
  return false;
}

/* Whether all writes through maps are increments and the values are in host memory. */
static bool may_reverse(const pl_loop *loop)
{
  const pl_context *pl = loop->pl;
  if (pl->backend->exchange || has_matrix(loop)) return false;
  if (pl_opt_flag(pl, PL_OPT_CHECK) || pl_opt_is(pl, PL_OPT_HALO, "redundant")) return false;
  return only_increments(loop);
}

/* Elements of a rank that take less time than a message. */
enum { FEW = 100 };

pl_err pl_halo_choose(pl_loop *loop)
{
  const int *end = loop->set->end;
  int64_t sum[4] = {end[2] - end[1], end[1], !may_reverse(loop), pl_opt_is(loop->pl, PL_OPT_HALO, "reverse")};
  if (pl_ranks(loop->pl) == 1) return PL_SUCCESS;
  if (must_reverse(loop)) {
    loop->reverse_halo = true;
    if (only_increments(loop)) return PL_SUCCESS;
    return pl_fail(loop->pl, PL_ERR_ACCESS,
                   "loop \"%s\": through a map that follows particles between ranks it may only increment "
                   "dats, and not access them otherwise",
                   pl_loop_title(loop));
  }
  PL_TRY(pl_comm_reduce(loop->pl, PL_INT64, PL_INC, sum, 4));
  const bool costly = 2 * sum[0] > sum[1] && sum[0] > (int64_t)FEW * pl_ranks(loop->pl);
  loop->reverse_halo = !sum[2] && (sum[3] || costly);
  return PL_SUCCESS;
}

pl_err pl_halo_clear(pl_loop *loop)
{
  for (int i = 0; loop->reverse_halo && i < loop->nargs; i++) {
    pl_dat *dat = loop->args[i].object;
    if (!writes_indirectly(&loop->args[i])) continue;
    PL_TRY(pl_dat_acquire(dat, true));
    PL_TRY(pl_dat_zero_elements(dat, dat->set->end[1], dat->set->end[3]));
    pl_dat_halo_outdated(dat);
  }
  return PL_SUCCESS;
}

static pl_err add_items(pl_loop *loop, struct pl_exchange *x)
{
  x->nitems = 0;
  PL_EACH_ARG (arg, loop) {
    pl_dat *dat = arg->object;
    if (writes_indirectly(arg) && dat->set->halo)
      PL_TRY(pl_exchange_add(loop->pl, x, (pl_item){dat, dat->set->halo}));
  }
  return PL_SUCCESS;
}

/* The elements begin to end - 1 on the host: in the host copy, or alone if the device has the values. */
typedef struct rows {
  pl_dat *dat;
  int begin, n;
  size_t stride;
  char *values, *copy;
} rows;

static pl_err open_rows(pl_dat *dat, int begin, int end, rows *r)
{
  *r = (rows){dat, begin, end > begin ? end - begin : 0, pl_dat_stride(dat), NULL, NULL};
  if (!dat->storage.device_valid) {
    r->values = (char *)dat->storage.host + (size_t)begin * r->stride;
    return PL_SUCCESS;
  }
  r->values = r->copy = pl_malloc(dat->node.pl, (size_t)r->n * r->stride);
  if (!r->copy) return pl_fail_memory(dat->node.pl, (size_t)r->n * r->stride);
  return pl_dat_read_part(dat, begin, r->n, dat->type, r->copy);
}

static pl_err close_rows(rows *r, bool written)
{
  pl_err err = PL_SUCCESS;
  if (r->copy && written) err = pl_dat_write_part(r->dat, r->begin, r->n, r->dat->type, r->copy);
  pl_free(r->dat->node.pl, r->copy);
  return err;
}

static char *row_of(const rows *r, int element)
{
  return r->values + (size_t)(element - r->begin) * r->stride;
}

static pl_err pack_copies(struct pl_exchange *x, const pl_item *item)
{
  const pl_halo *halo = item->halo;
  rows r;
  pl_err err = open_rows(item->dat, item->dat->set->end[1], item->dat->set->end[3], &r);
  for (int i = 0; !err && i < halo->n; i++) {
    pl_peer *p = &x->peer[halo->peer[i]];
    for (int k = halo->receive_offset[i]; k < halo->receive_offset[i + 1]; k++, p->sent += r.stride)
      memcpy(p->send + p->sent, row_of(&r, halo->receive[k]), r.stride);
  }
  close_rows(&r, false);
  return err;
}

static pl_err add_received(struct pl_exchange *x, const pl_item *item)
{
  const pl_halo *halo = item->halo;
  pl_dat *dat = item->dat;
  int begin = dat->set->end[1], end = 0;
  rows r;
  for (int k = 0; k < halo->send_offset[halo->n]; k++) {
    begin = halo->send[k] < begin ? halo->send[k] : begin;
    end = halo->send[k] >= end ? halo->send[k] + 1 : end;
  }
  pl_err err = open_rows(dat, begin, end, &r);
  for (int i = 0; !err && i < halo->n; i++) {
    pl_peer *p = &x->peer[halo->peer[i]];
    for (int k = halo->send_offset[i]; k < halo->send_offset[i + 1]; k++, p->received += r.stride)
      pl_combine(dat->type, PL_INC, row_of(&r, halo->send[k]), p->receive + p->received, (size_t)dat->dim);
  }
  pl_err closed = close_rows(&r, !err);
  return err ? err : closed;
}

pl_err pl_halo_reverse(pl_loop *loop)
{
  pl_context *pl = loop->pl;
  if (!loop->reverse_halo) return PL_SUCCESS;
  struct pl_exchange *x = pl_exchange_of(pl);
  if (!x) return PL_ERR_MEMORY;
  double begun = pl_now();
  PL_TRY(add_items(loop, x));
  pl_exchange_count(x, true);
  pl_exchange_begins(pl, x);
  PL_TRY(pl_exchange_receive(pl, x));
  for (int d = 0; d < x->nitems; d++) PL_TRY(pack_copies(x, &x->item[d]));
  PL_TRY(pl_exchange_send(pl, x));
  pl_exchange_log(pl, x);
  pl_comm_sent(pl);
  PL_TRY(pl_messages_wait(pl, &x->messages));
  for (int d = 0; d < x->nitems; d++) PL_TRY(add_received(x, &x->item[d]));
  x->nitems = 0;
  pl_exchange_ends(pl);
  pl->stats.halo_seconds += pl_now() - begun;
  return PL_SUCCESS;
}

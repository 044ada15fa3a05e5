/* SPDX-License-Identifier: BSD-2-Clause
 * Dats as whole arrays, for programs and algorithms: in the order that users see. Where a set has a view, the
 * values come into its order before, in storage of their own, and go back after. Nothing else knows: what is
 * valid where stays as it is.
 */
#include "algorithm.h"
#include <string.h>

/* A set's view and its inverse as orders that backends take by. */
struct pl_view_orders {
  uint64_t decl_version, moved; /* one of them grows with every change of a view */
  pl_set shape;                 /* no object: the set as it was */
  pl_dat out, in;
};

/* ---- the orders ---- */

void pl_view_orders_free(pl_set *set)
{
  if (!set->orders) return;
  pl_dat_release(&set->orders->out);
  pl_dat_release(&set->orders->in);
  pl_free(set->node.pl, set->orders);
  set->orders = NULL;
}

static void init_order(pl_set *set, pl_dat *order)
{
  order->node.pl = set->node.pl;
  order->node.name = set->node.name;
  order->set = set;
  order->dim = 1;
  order->type = PL_INT32;
  order->layout = PL_AOS;
  order->pinned = true;
}

static pl_err fill_orders(const pl_set *set, pl_dat *out, pl_dat *in)
{
  int *there = pl_dat_host(out, true), *back = pl_dat_host(in, true);
  if (!there || !back) return set->node.pl->error_code;
  for (int i = 0; i < set->part[3]; i++) {
    there[i] = pl_view_at(set, i);
    back[there[i]] = i;
  }
  return PL_SUCCESS;
}

static pl_err get_orders(pl_set *set)
{
  pl_context *pl = set->node.pl;
  if (set->orders && set->orders->decl_version == pl->decl_version && set->orders->moved == set->moved)
    return PL_SUCCESS;
  pl_view_orders_free(set);
  set->orders = pl_calloc(pl, 1, sizeof *set->orders);
  if (!set->orders) return pl_fail_memory(pl, sizeof *set->orders);
  set->orders->decl_version = pl->decl_version;
  set->orders->moved = set->moved;
  set->orders->shape.node = set->node;
  memcpy(set->orders->shape.part, set->part, sizeof set->part);
  init_order(&set->orders->shape, &set->orders->out);
  init_order(&set->orders->shape, &set->orders->in);
  pl_err err = fill_orders(set, &set->orders->out, &set->orders->in);
  if (err) pl_view_orders_free(set);
  return err;
}

/* ---- there and back ---- */

static bool on_device(const pl_dat *dat)
{
  return dat->node.pl->backend->dat_alloc != NULL;
}

static pl_err bring(pl_dat *dat, bool reads)
{
  if (on_device(dat)) return pl_dat_device(dat, reads);
  return pl_dat_host(dat, !reads) ? PL_SUCCESS : dat->node.pl->error_code;
}

/* The spare's storage becomes the dat's, and the other way round. */
static void swap(pl_dat *dat)
{
  void **mine = on_device(dat) ? &dat->device : &dat->host,
       **other = on_device(dat) ? &dat->spare->device : &dat->spare->host, *kept = *mine;
  int room = dat->room;
  *mine = *other;
  *other = kept;
  dat->room = dat->spare->room;
  dat->spare->room = room;
}

/* The spare gets the dat's values by an order. Its flags mean nothing; the dat's stay. */
static pl_err take(pl_dat *dat, pl_dat *order)
{
  pl_context *pl = dat->node.pl;
  bool valid = dat->device_valid, stale = dat->host_stale;
  dat->device_valid = on_device(dat);
  dat->host_stale = false;
  pl_err err = pl->backend->take(pl, order, dat->set->part[3], dat, dat->spare);
  dat->device_valid = valid;
  dat->host_stale = stale;
  return err;
}

pl_err pl_whole_begin(pl_dat *dat, bool reads)
{
  PL_TRY(bring(dat, reads));
  if (!dat->set->view) return PL_SUCCESS;
  PL_TRY(get_orders(dat->set));
  PL_TRY(pl_dat_take_spare(dat));
  pl_err err = reads ? take(dat, &dat->set->orders->out) : PL_SUCCESS;
  if (err)
    pl_dat_drop_spare(dat);
  else
    swap(dat);
  return err;
}

pl_err pl_whole_end(pl_dat *dat, bool written)
{
  if (!dat->set->view || !dat->spare) return PL_SUCCESS;
  pl_err err = written ? take(dat, &dat->set->orders->in) : PL_SUCCESS;
  swap(dat);
  pl_dat_drop_spare(dat);
  return err;
}

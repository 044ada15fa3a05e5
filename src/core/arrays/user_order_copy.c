/* SPDX-License-Identifier: BSD-2-Clause
 * Dats as whole arrays in user order. If a set has a user order, the values are permuted into the spare
 * storage, which is swapped with the dat's, and permuted back afterwards. The coherence state does not
 * change.
 */
#include "user_order_copy.h"
#include "core/data/objects.h"
#include "sort_select.h"
#include <string.h>

/* A set's user order and its inverse as dats, for the gather of backends. */
struct pl_user_order_dats {
  uint64_t decl_version, order_version; /* one is incremented with every change of the user order */
  pl_set shape;                         /* no object: a copy of the set */
  pl_dat out, in;
};

static void free_order_dats(pl_set *set)
{
  if (!set->user_order_dats) return;
  pl_dat_release(&set->user_order_dats->out);
  pl_dat_release(&set->user_order_dats->in);
  pl_free(set->node.pl, set->user_order_dats);
  set->user_order_dats = NULL;
}

static pl_err fill_orders(const pl_set *set, pl_dat *out, pl_dat *in)
{
  int *there = pl_dat_host(out, true), *back = pl_dat_host(in, true);
  if (!there || !back) return set->node.pl->error_code;
  for (int i = 0; i < set->end[3]; i++) {
    there[i] = pl_user_to_storage(set, i);
    back[there[i]] = i;
  }
  return PL_SUCCESS;
}

static pl_err get_orders(pl_set *set)
{
  pl_context *pl = set->node.pl;
  struct pl_user_order_dats *orders = set->user_order_dats;
  if (orders && orders->decl_version == pl->decl_version && orders->order_version == set->order_version)
    return PL_SUCCESS;
  free_order_dats(set);
  orders = set->user_order_dats = pl_calloc(pl, 1, sizeof *orders);
  if (!orders) return pl_fail_memory(pl, sizeof *orders);
  orders->decl_version = pl->decl_version;
  orders->order_version = set->order_version;
  orders->shape.node = set->node;
  memcpy(orders->shape.end, set->end, sizeof set->end);
  orders->out = pl_dat_unlisted(&orders->shape, set->node.name, 1, PL_INT32);
  orders->in = pl_dat_unlisted(&orders->shape, set->node.name, 1, PL_INT32);
  pl_err err = fill_orders(set, &orders->out, &orders->in);
  if (err) free_order_dats(set);
  return err;
}

/* Gathers the dat's values into the spare; the dat's flags are unchanged. */
static pl_err gather_to_spare(pl_dat *dat, pl_dat *order)
{
  pl_context *pl = dat->node.pl;
  const pl_storage was = pl_storage_assume_valid(dat);
  pl_err err = pl->backend->algorithms->gather(pl, order, dat->set->end[3], dat, dat->spare);
  dat->storage = was;
  return err;
}

pl_err pl_user_order_copy_begin(pl_dat *dat, bool reads)
{
  PL_TRY(pl_dat_acquire(dat, reads));
  if (!dat->set->user_order) return PL_SUCCESS;
  PL_TRY(get_orders(dat->set));
  PL_TRY(pl_dat_new_like(dat, &dat->spare));
  pl_err err = reads ? gather_to_spare(dat, &dat->set->user_order_dats->out) : PL_SUCCESS;
  if (err) return pl_dat_drop_spare(dat), err;
  pl_storage_swap_memory(dat, dat->spare);
  return PL_SUCCESS;
}

pl_err pl_user_order_copy_end(pl_dat *dat, bool written)
{
  if (!dat->set->user_order || !dat->spare) return PL_SUCCESS;
  pl_err err = written ? gather_to_spare(dat, &dat->set->user_order_dats->in) : PL_SUCCESS;
  pl_storage_swap_memory(dat, dat->spare);
  pl_dat_drop_spare(dat);
  return err;
}

pl_err pl_user_order_dats(pl_set *set, pl_dat **out, pl_dat **in)
{
  PL_TRY(get_orders(set));
  *out = &set->user_order_dats->out;
  *in = &set->user_order_dats->in;
  return PL_SUCCESS;
}

static void free_user_order(pl_context *pl, pl_object_kind kind, void *object)
{
  (void)pl;
  if (kind == PL_OBJECT_SET) free_order_dats(object);
}

const pl_observer pl_user_order_observer = {.object_freed = free_user_order};

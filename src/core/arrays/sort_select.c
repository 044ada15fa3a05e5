/* SPDX-License-Identifier: BSD-2-Clause
 * Orders as int dats: created by sort and select, applied by gather, on the device if there is one.
 *
 * Invariant: an order holds positions in user order of this rank's owned elements. On a set with a user
 * order, keys and flags are permuted to it for the work (user_order_copy.c), and an order is converted to
 * storage positions before it is applied; copies of other ranks' elements do not change and become stale.
 */
#include "sort_select.h"
#include "core/chain/deferred_queue.h"
#include "core/comm/comm.h"
#include "core/data/objects.h"
#include "user_order_copy.h"
#include <string.h>

/* ---- checks ---- */

static pl_err check_open(const pl_dat *dat, bool writes, const char *what)
{
  return pl_dat_view_blocks(dat, writes) ? pl_dat_check_no_views(dat, what) : PL_SUCCESS;
}

/* Fails if the user declared halo elements. */
static pl_err check_set(const pl_set *set, const char *what)
{
  if (set->end[1] != set->end[3] && !set->halo)
    return pl_fail(set->node.pl, PL_ERR_STATE,
                   "%s: set \"%s\" has a halo that the user declared, which an order cannot permute", what,
                   set->node.name);
  return PL_SUCCESS;
}

static pl_err check_order(const pl_dat *order, const char *what)
{
  if (order->type != PL_INT32 || order->dim != 1)
    return pl_fail(order->node.pl, PL_ERR_TYPE, "%s: order \"%s\" must hold one int an element, not %d %s",
                   what, order->node.name, order->dim, pl_type_name(order->type));
  return check_set(order->set, what);
}

/* The entries are elements of `from`. With a device, only PLAIT_CHECK downloads the order for this check. */
static pl_err check_entries(pl_dat *order, int n, const pl_set *from, const char *what)
{
  pl_context *pl = order->node.pl;
  if (pl->backend->data && !pl_opt_flag(pl, PL_OPT_CHECK)) return PL_SUCCESS;
  const int *entry = pl_dat_host(order, false);
  if (!entry) return pl->error_code;
  for (int i = 0; i < n; i++)
    if (entry[i] < 0 || entry[i] >= from->end[1])
      return pl_fail(pl, PL_ERR_RANGE,
                     "%s: order \"%s\" holds %d at element %d, but set \"%s\" has %d elements", what,
                     order->node.name, entry[i], i, from->node.name, from->end[3]);
  return PL_SUCCESS;
}

/* ---- sorting ---- */

static pl_err check_keys(pl_dat *keys, int bits, const char *what)
{
  pl_context *pl = keys->node.pl;
  size_t size = pl_type_size(keys->type);
  if (keys->dim != 1 || pl_type_is_complex(keys->type))
    return pl_fail(pl, PL_ERR_TYPE, "%s: keys \"%s\" are %d %s an element; they must be one real or integer",
                   what, keys->node.name, keys->dim, pl_type_name(keys->type));
  if (bits < 0 || bits > 8 * (int)size)
    return pl_fail(pl, PL_ERR_RANGE, "%s: %d bits of keys \"%s\", which have %d", what, bits, keys->node.name,
                   8 * (int)size);
  if (bits && !pl_type_is_integer(keys->type))
    return pl_fail(pl, PL_ERR_ARG,
                   "%s: keys \"%s\" are real, which are sorted by all their bits: bits must be 0", what,
                   keys->node.name);
  PL_TRY(check_set(keys->set, what));
  return check_open(keys, false, what);
}

/* After an order was computed, or not because of `err`. */
static pl_err end_order(pl_dat *order, pl_err err)
{
  pl_err end = pl_user_order_copy_end(order, !err);
  if (!err && !end) pl_dat_changed(order);
  return err ? err : end;
}

static pl_err sort_order(pl_dat *keys, int bits, pl_dat *order)
{
  pl_context *pl = keys->node.pl;
  PL_TRY(pl_user_order_copy_begin(keys, true));
  pl_err err = pl_user_order_copy_begin(order, false);
  if (!err) err = end_order(order, pl->backend->algorithms->sort(pl, keys, bits, order));
  pl_err end = pl_user_order_copy_end(keys, false);
  return err ? err : end;
}

static pl_err check_sort_order(pl_dat *keys, int bits, pl_dat *order, const char *what)
{
  PL_TRY(PL_GIVEN(keys->node.pl, what, order));
  PL_TRY(check_keys(keys, bits, what));
  PL_TRY(check_order(order, what));
  PL_TRY(check_open(order, true, what));
  if (order->set != keys->set || order == keys)
    return pl_fail(keys->node.pl, PL_ERR_ARG, "%s: order \"%s\" must be another dat on set \"%s\"", what,
                   order->node.name, keys->set->node.name);
  return PL_SUCCESS;
}

pl_err pl_sort_order(pl_dat *keys, int bits, pl_dat *order)
{
  PL_TRY_GIVEN(keys);
  pl_context *pl = keys->node.pl;
  PL_TRY(pl_flush_to_write(pl));
  PL_TRY(pl_agree(pl, check_sort_order(keys, bits, order, "pl_sort_order")));
  return pl_agree(pl, sort_order(keys, bits, order));
}

/* ---- permutation ---- */

pl_err pl_dat_new_like(const pl_dat *dat, pl_dat **copy)
{
  pl_context *pl = dat->node.pl;
  if (!*copy) {
    pl_dat *made = *copy = pl_calloc(pl, 1, sizeof *made);
    if (!made) return pl_fail_memory(pl, sizeof *made);
    *made = pl_dat_unlisted(dat->set, dat->node.name, dat->dim, dat->type);
  }
  PL_TRY(pl_storage_convert(*copy, dat->storage.layout));
  return pl_dat_acquire(*copy, false);
}

/* Memory of the program keeps its place: the values are copied back. */
static pl_err take_spare(pl_dat *dat)
{
  const pl_storage *s = &dat->storage, *spare = &dat->spare->storage;
  if (!s->wrapped || s->wrapped != (pl_dat_on_device(dat) ? s->device : s->host))
    return pl_storage_swap_memory(dat, dat->spare), PL_SUCCESS;
  if (pl_dat_on_device(dat)) return dat->node.pl->backend->data->copy(dat->node.pl, dat->spare, dat);
  memcpy(s->host, spare->host, pl_dat_nbytes(dat));
  return PL_SUCCESS;
}

static pl_err align_one(pl_dat *order, int n, pl_dat *dat)
{
  pl_context *pl = dat->node.pl;
  if (!pl_dat_has_values(dat)) return PL_SUCCESS;
  PL_TRY(pl->backend->algorithms->gather(pl, order, n, dat, dat->spare));
  PL_TRY(take_spare(dat));
  pl_dat_written(dat);
  pl_dat_changed(dat);
  return PL_SUCCESS;
}

/* If the order is among the dats, it is permuted last. */
static pl_err align_all(pl_dat *order, int n, int ndats, pl_dat *const *dats)
{
  bool itself = false;
  for (int i = 0; i < ndats; i++) {
    itself |= dats[i] == order;
    if (dats[i] != order) PL_TRY(align_one(order, n, dats[i]));
  }
  return itself ? align_one(order, n, order) : PL_SUCCESS;
}

/* All storage is allocated before any dat changes. Dats of resized sets keep their spare for the next call.
 */
pl_err pl_order_apply(pl_dat *order, int n, int ndats, pl_dat *const *dats)
{
  pl_err err = PL_SUCCESS;
  for (int i = 0; i < ndats && !err; i++)
    if (pl_dat_has_values(dats[i]) &&
        !(err = pl_dat_on_device(dats[i]) ? pl_dat_device(dats[i], true) : PL_SUCCESS))
      err = pl_dat_new_like(dats[i], &dats[i]->spare);
  if (!err) err = align_all(order, n, ndats, dats);
  for (int i = 0; i < ndats; i++)
    if (err || !dats[i]->set->capacity) pl_dat_drop_spare(dats[i]);
  return err;
}

/* ---- orders of storage positions ---- */

static pl_err fill_order(const pl_dat *order, const int *entry, const pl_set *from, int *there,
                         const char *what)
{
  const pl_set *set = order->set;
  for (int i = 0; i < set->end[1]; i++) {
    if (entry[i] < 0 || entry[i] >= from->end[1])
      return pl_fail(set->node.pl, PL_ERR_RANGE,
                     "%s: order \"%s\" holds %d at element %lld, but set \"%s\" has %d elements here", what,
                     order->node.name, entry[i], (long long)pl_element_global_index(set, i), from->node.name,
                     from->end[1]);
    there[i] = pl_user_to_storage(from, entry[i]);
  }
  for (int i = set->end[1]; i < set->end[3]; i++) there[i] = from == set ? i : 0;
  return PL_SUCCESS;
}

/* Converts an order to storage positions, in a new dat unless the sets have no user order. */
static pl_err stored_order(pl_dat *order, pl_set *from, const char *what, pl_dat **stored)
{
  *stored = order;
  if (!order->set->user_order && !from->user_order) return PL_SUCCESS;
  const int *entry = pl_dat_host(order, false);
  if (!entry) return order->node.pl->error_code;
  PL_TRY(pl_dat_new(order->set, PL_INT32, "order", stored));
  int *there = pl_dat_host(*stored, true);
  pl_err err = there ? fill_order(order, entry, from, there, what) : order->node.pl->error_code;
  if (!err) pl_dat_host_written(*stored);
  if (err) pl_dat_free(stored);
  return err;
}

static void drop_order(pl_dat *order, pl_dat *stored)
{
  if (stored != order) pl_dat_free(&stored);
}

/* Permutes dats by an order of positions in user order. Collective. */
static pl_err apply_order(pl_dat *order, int ndats, pl_dat *const *dats, const char *what)
{
  pl_dat *stored;
  pl_err err = stored_order(order, order->set, what, &stored), agreed = pl_agree(order->node.pl, err);
  if (!agreed) agreed = pl_agree(order->node.pl, pl_order_apply(stored, order->set->end[3], ndats, dats));
  if (!err) drop_order(order, stored);
  return agreed;
}

static pl_err check_aligned(pl_context *pl, const pl_set *set, int ndats, pl_dat *const *dats,
                            const char *what)
{
  if (ndats < 0 || (ndats && !dats)) return pl_fail(pl, PL_ERR_ARG, "%s: the list of dats is NULL", what);
  for (int i = 0; i < ndats; i++) {
    if (!dats[i]) return pl_fail(pl, PL_ERR_ARG, "%s: dat %d is NULL", what, i);
    if (dats[i]->set != set)
      return pl_fail(pl, PL_ERR_ARG, "%s: dat \"%s\" is not on set \"%s\"", what, dats[i]->node.name,
                     set->node.name);
    for (int j = 0; j < i; j++)
      if (dats[j] == dats[i])
        return pl_fail(pl, PL_ERR_ARG, "%s: dat \"%s\" is named twice", what, dats[i]->node.name);
    PL_TRY(check_open(dats[i], true, what));
  }
  return PL_SUCCESS;
}

static pl_err check_align(pl_dat *order, int ndats, pl_dat *const *dats, const char *what)
{
  PL_TRY(check_order(order, what));
  PL_TRY(check_open(order, false, what));
  PL_TRY(check_aligned(order->node.pl, order->set, ndats, dats, what));
  return order->set->user_order ? PL_SUCCESS : check_entries(order, order->set->end[3], order->set, what);
}

pl_err pl_align(pl_dat *order, int ndats, pl_dat *const *dats)
{
  static const char what[] = "pl_align";
  PL_TRY_GIVEN(order);
  PL_TRY(pl_flush_to_write(order->node.pl));
  PL_TRY(pl_agree(order->node.pl, check_align(order, ndats, dats, what)));
  return apply_order(order, ndats, dats, what);
}

static pl_err check_sort(pl_dat *keys, int bits, int ndats, pl_dat *const *dats, const char *what)
{
  PL_TRY(check_keys(keys, bits, what));
  PL_TRY(check_open(keys, true, what));
  PL_TRY(check_aligned(keys->node.pl, keys->set, ndats, dats, what));
  for (int i = 0; i < ndats; i++)
    if (dats[i] == keys)
      return pl_fail(keys->node.pl, PL_ERR_ARG, "%s: the keys \"%s\" are in the list of dats, too", what,
                     keys->node.name);
  return PL_SUCCESS;
}

pl_err pl_sort(pl_dat *keys, int bits, int ndats, pl_dat *const *dats)
{
  static const char what[] = "pl_sort";
  pl_dat *order = NULL;
  PL_TRY_GIVEN(keys);
  pl_context *pl = keys->node.pl;
  PL_TRY(pl_flush_to_write(pl));
  PL_TRY(pl_agree(pl, check_sort(keys, bits, ndats, dats, what)));
  pl_err err = pl_dat_new(keys->set, PL_INT32, "order", &order);
  if (!err) err = sort_order(keys, bits, order);
  err = pl_agree(pl, err);
  if (!err) err = apply_order(order, 1, &keys, what);
  if (!err) err = apply_order(order, ndats, dats, what);
  pl_dat_free(&order);
  return err;
}

/* ---- gather and select ---- */

static pl_err check_take(pl_dat *order, pl_dat *from, pl_dat *to, const char *what)
{
  pl_context *pl = order->node.pl;
  PL_TRY(PL_GIVEN(pl, what, from, to));
  PL_TRY(check_order(order, what));
  PL_TRY(check_set(from->set, what));
  if (to->set != order->set || to == order || to == from)
    return pl_fail(pl, PL_ERR_ARG, "%s: \"%s\" must be another dat on set \"%s\" of the order", what,
                   to->node.name, order->set->node.name);
  if (from->dim != to->dim || from->type != to->type)
    return pl_fail(pl, PL_ERR_TYPE, "%s: \"%s\" and \"%s\" differ in dim or type", what, from->node.name,
                   to->node.name);
  PL_TRY(check_open(order, false, what));
  PL_TRY(check_open(from, false, what));
  PL_TRY(check_open(to, true, what));
  if (order->set->user_order || from->set->user_order) return PL_SUCCESS;
  return check_entries(order, order->set->end[3], from->set, what);
}

static pl_err take(pl_dat *order, pl_dat *from, pl_dat *to, const char *what)
{
  pl_context *pl = order->node.pl;
  pl_dat *stored;
  PL_TRY(stored_order(order, from->set, what, &stored));
  pl_err err = pl->backend->algorithms->gather(pl, stored, order->set->end[1], from, to);
  drop_order(order, stored);
  if (!err) pl_dat_changed(to);
  return err;
}

pl_err pl_take(pl_dat *order, pl_dat *from, pl_dat *to)
{
  static const char what[] = "pl_take";
  PL_TRY_GIVEN(order);
  pl_context *pl = order->node.pl;
  PL_TRY(pl_flush_to_write(pl));
  PL_TRY(pl_agree(pl, check_take(order, from, to, what)));
  return pl_agree(pl, take(order, from, to, what));
}

pl_err pl_flag_check(pl_dat *flag, const char *what)
{
  if (flag->dim != 1 || !pl_type_is_integer(flag->type))
    return pl_fail(flag->node.pl, PL_ERR_TYPE, "%s: flag \"%s\" must hold one integer an element, not %d %s",
                   what, flag->node.name, flag->dim, pl_type_name(flag->type));
  PL_TRY(check_set(flag->set, what));
  return check_open(flag, false, what);
}

static pl_err select_order(pl_dat *flag, pl_dat *order, int64_t *count)
{
  pl_context *pl = flag->node.pl;
  PL_TRY(pl_user_order_copy_begin(flag, true));
  pl_err err = order ? pl_user_order_copy_begin(order, false) : PL_SUCCESS;
  if (!err) {
    err = pl->backend->algorithms->select(pl, flag, order, count);
    if (order) err = end_order(order, err);
  }
  pl_err end = pl_user_order_copy_end(flag, false);
  return err ? err : end;
}

pl_err pl_select(pl_dat *flag, pl_dat *order, int64_t *count)
{
  static const char what[] = "pl_select";
  PL_TRY(PL_GIVEN(pl_context_of(flag), what, flag, count));
  pl_context *pl = flag->node.pl;
  PL_TRY(pl_flush_to_write(pl));
  PL_TRY(pl_flag_check(flag, what));
  if (order) PL_TRY(check_order(order, what));
  if (order) PL_TRY(check_open(order, true, what));
  if (order && (order->set != flag->set || order == flag))
    return pl_fail(pl, PL_ERR_ARG, "%s: order \"%s\" must be another dat on set \"%s\"", what,
                   order->node.name, flag->set->node.name);
  return select_order(flag, order, count);
}

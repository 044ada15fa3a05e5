/* SPDX-License-Identifier: BSD-2-Clause
 * Orders: permutations of a set's elements as dats of int, made by sorting and selecting, and what brings
 * dats into one. The backend does the work where the values are.
 *
 * Invariant: an order speaks of positions in host views, of this rank's owned elements. Where a set has a
 * view, keys and flags are brought into its order for the work (whole.c), and an order is turned into one of
 * storage before it is applied; copies of other ranks' elements stay as they are and count as stale.
 */
#include "algorithm.h"
#include "chain.h"
#include <string.h>

/* ---- what is acceptable ---- */

static pl_err check_open(const pl_dat *dat, bool writes, const char *what)
{
  if (!dat->writer && !(dat->readers && writes)) return PL_SUCCESS;
  return pl_fail(dat->node.pl, PL_ERR_STATE,
                 "%s: a host view of dat \"%s\" is open; close it with pl_dat_put first", what,
                 dat->node.name);
}

/* A set without copies of elements that the library does not know of. Loops that are recorded run first. */
static pl_err check_set(const pl_set *set, const char *what)
{
  PL_TRY(pl_late_run(set->node.pl));
  if (set->part[1] != set->part[3] && !set->halo)
    return pl_fail(set->node.pl, PL_ERR_STATE, "%s: set \"%s\" has a halo, which an order would not reach",
                   what, set->node.name);
  return PL_SUCCESS;
}

static pl_err check_order(const pl_dat *order, const char *what)
{
  if (order->type != PL_INT32 || order->dim != 1)
    return pl_fail(order->node.pl, PL_ERR_TYPE, "%s: order \"%s\" must hold one int an element, not %d %s",
                   what, order->node.name, order->dim, pl_type_name(order->type));
  return check_set(order->set, what);
}

/* Entries that are no elements of the set would reach beyond its dats. */
pl_err pl_order_check(pl_dat *order, int n, const pl_set *from, const char *what)
{
  const int *entry = pl_dat_host(order, false);
  if (!entry) return order->node.pl->error_code;
  for (int i = 0; i < n; i++)
    if (entry[i] < 0 || entry[i] >= from->part[1])
      return pl_fail(order->node.pl, PL_ERR_RANGE,
                     "%s: order \"%s\" holds %d at element %d, but set \"%s\" has %d elements", what,
                     order->node.name, entry[i], i, from->node.name, from->part[3]);
  return PL_SUCCESS;
}

/* On a device the order comes home only where checks are asked for. */
static pl_err check_entries(pl_dat *order, int n, const pl_set *from, const char *what)
{
  bool device = order->node.pl->backend->dat_alloc != NULL;
  if (device && !pl_opt_flag(order->node.pl, PL_OPT_CHECK)) return PL_SUCCESS;
  return pl_order_check(order, n, from, what);
}

/* ---- sorting ---- */

static pl_err check_keys(pl_dat *keys, int bits, const char *what)
{
  pl_context *pl = keys->node.pl;
  size_t size = pl_type_size(keys->type);
  if (keys->dim != 1 || pl_type_is_complex(keys->type))
    return pl_fail(pl, PL_ERR_TYPE,
                   "%s: keys \"%s\" are %d %s an element; one real or whole number is wanted", what,
                   keys->node.name, keys->dim, pl_type_name(keys->type));
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

static void mark_written(pl_dat *dat)
{
  dat->version++;
  dat->halo_stale |= dat->set->part[3] > dat->set->part[1];
}

static pl_err sort_order(pl_dat *keys, int bits, pl_dat *order)
{
  pl_context *pl = keys->node.pl;
  PL_TRY(pl_whole_begin(keys, true));
  pl_err err = pl_whole_begin(order, false);
  if (!err) {
    err = pl->backend->sort(pl, keys, bits, order);
    pl_err back = pl_whole_end(order, !err);
    if (!err) err = back;
  }
  pl_err back = pl_whole_end(keys, false);
  if (!err) err = back;
  if (!err) mark_written(order);
  return err;
}

pl_err pl_sort_order(pl_dat *keys, int bits, pl_dat *order)
{
  static const char what[] = "pl_sort_order";
  if (!keys || !order) return pl_fail(keys ? keys->node.pl : NULL, PL_ERR_ARG, "%s: a dat is NULL", what);
  PL_TRY(check_keys(keys, bits, what));
  PL_TRY(check_order(order, what));
  PL_TRY(check_open(order, true, what));
  if (order->set != keys->set || order == keys)
    return pl_fail(keys->node.pl, PL_ERR_ARG, "%s: order \"%s\" must be another dat on set \"%s\"", what,
                   order->node.name, keys->set->node.name);
  return sort_order(keys, bits, order);
}

/* ---- bringing into an order ---- */

static bool on_device(const pl_dat *dat)
{
  return dat->node.pl->backend->dat_alloc != NULL;
}

/* The dat gets the storage that its spare has filled. */
static void swap_storage(pl_dat *dat)
{
  pl_dat *spare = dat->spare;
  void **old = on_device(dat) ? &dat->device : &dat->host,
       **new = on_device(dat) ? &spare->device : &spare->host;
  void *kept = *old;
  *old = *new;
  *new = kept;
  int room = dat->room;
  dat->room = spare->room;
  spare->room = room;
  if (on_device(dat))
    pl_dat_device_written(dat);
  else
    pl_dat_host_written(dat);
}

static bool is_zero(const pl_dat *dat)
{
  return !dat->host && !dat->device_valid;
}

pl_err pl_dat_take_spare(pl_dat *dat)
{
  pl_context *pl = dat->node.pl;
  if (!dat->spare) {
    pl_dat *spare = dat->spare = pl_calloc(pl, 1, sizeof *spare);
    if (!spare) return pl_fail_memory(pl, sizeof *spare);
    spare->node.pl = pl;
    spare->node.name = dat->node.name;
    spare->set = dat->set;
    spare->dim = dat->dim;
    spare->type = dat->type;
  }
  dat->spare->layout = dat->layout;
  dat->spare->pack = dat->pack;
  dat->spare->pinned = true;
  if (on_device(dat)) return pl_dat_device(dat->spare, false);
  return pl_dat_host(dat->spare, true) ? PL_SUCCESS : pl->error_code;
}

/* With the dat's values where they will be taken from, and its layout chosen. */
static pl_err get_spare(pl_dat *dat)
{
  if (on_device(dat)) PL_TRY(pl_dat_device(dat, true));
  return pl_dat_take_spare(dat);
}

void pl_dat_drop_spare(pl_dat *dat)
{
  if (!dat->spare) return;
  pl_dat_release(dat->spare);
  pl_free(dat->node.pl, dat->spare);
  dat->spare = NULL;
}

static pl_err align_one(pl_dat *order, int n, pl_dat *dat)
{
  pl_context *pl = dat->node.pl;
  if (is_zero(dat)) return PL_SUCCESS;
  PL_TRY(pl->backend->take(pl, order, n, dat, dat->spare));
  swap_storage(dat);
  mark_written(dat);
  return PL_SUCCESS;
}

/* An order that is to be aligned itself must serve all others first. */
static pl_err align_all(pl_dat *order, int n, int ndats, pl_dat *const *dats)
{
  bool itself = false;
  for (int i = 0; i < ndats; i++) {
    itself |= dats[i] == order;
    if (dats[i] != order) PL_TRY(align_one(order, n, dats[i]));
  }
  return itself ? align_one(order, n, order) : PL_SUCCESS;
}

/* All storage is taken before anything moves. Sets that change their size are aligned again and again, so
 * their dats keep it. */
pl_err pl_order_apply(pl_dat *order, int n, int ndats, pl_dat *const *dats)
{
  pl_err err = PL_SUCCESS;
  for (int i = 0; i < ndats && !err; i++)
    if (!is_zero(dats[i])) err = get_spare(dats[i]);
  if (!err) err = align_all(order, n, ndats, dats);
  for (int i = 0; i < ndats; i++)
    if (err || !dats[i]->set->capacity) pl_dat_drop_spare(dats[i]);
  return err;
}

/* ---- orders of storage ---- */

static pl_err fill_order(const pl_dat *order, const int *entry, const pl_set *from, int *there,
                         const char *what)
{
  const pl_set *set = order->set;
  for (int i = 0; i < set->part[1]; i++) {
    if (entry[i] < 0 || entry[i] >= from->part[1])
      return pl_fail(set->node.pl, PL_ERR_RANGE,
                     "%s: order \"%s\" holds %d at element %lld, but set \"%s\" has %d elements here", what,
                     order->node.name, entry[i], (long long)pl_element_number(set, i), from->node.name,
                     from->part[1]);
    there[i] = pl_view_at(from, entry[i]);
  }
  for (int i = set->part[1]; i < set->part[3]; i++) there[i] = from == set ? i : 0;
  return PL_SUCCESS;
}

/* The order as one of elements in storage: itself where these have no other order, else a dat of its own. */
static pl_err stored_order(pl_dat *order, pl_set *from, const char *what, pl_dat **stored)
{
  *stored = order;
  if (!order->set->view && !from->view) return PL_SUCCESS;
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

/* `dats` are brought into an order of views. */
static pl_err apply(pl_dat *order, int ndats, pl_dat *const *dats, const char *what)
{
  pl_dat *stored;
  PL_TRY(stored_order(order, order->set, what, &stored));
  pl_err err = pl_order_apply(stored, order->set->part[3], ndats, dats);
  drop_order(order, stored);
  return err;
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

pl_err pl_align(pl_dat *order, int ndats, pl_dat *const *dats)
{
  static const char what[] = "pl_align";
  if (!order) return PL_ERR_ARG;
  PL_TRY(check_order(order, what));
  PL_TRY(check_open(order, false, what));
  PL_TRY(check_aligned(order->node.pl, order->set, ndats, dats, what));
  if (!order->set->view) PL_TRY(check_entries(order, order->set->part[3], order->set, what));
  return apply(order, ndats, dats, what);
}

pl_err pl_sort(pl_dat *keys, int bits, int ndats, pl_dat *const *dats)
{
  static const char what[] = "pl_sort";
  pl_dat *order;
  if (!keys) return PL_ERR_ARG;
  PL_TRY(check_keys(keys, bits, what));
  PL_TRY(check_open(keys, true, what));
  PL_TRY(check_aligned(keys->node.pl, keys->set, ndats, dats, what));
  for (int i = 0; i < ndats; i++)
    if (dats[i] == keys)
      return pl_fail(keys->node.pl, PL_ERR_ARG, "pl_sort: the keys \"%s\" are sorted in any case",
                     keys->node.name);
  PL_TRY(pl_dat_new(keys->set, PL_INT32, "order", &order));
  pl_err err = sort_order(keys, bits, order);
  if (!err) err = apply(order, 1, &keys, what);
  if (!err) err = apply(order, ndats, dats, what);
  pl_dat_free(&order);
  return err;
}

/* ---- taking and selecting ---- */

pl_err pl_take(pl_dat *order, pl_dat *from, pl_dat *to)
{
  static const char what[] = "pl_take";
  pl_dat *stored;
  if (!order || !from || !to)
    return pl_fail(order ? order->node.pl : NULL, PL_ERR_ARG, "%s: a dat is NULL", what);
  pl_context *pl = order->node.pl;
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
  if (!order->set->view && !from->set->view)
    PL_TRY(check_entries(order, order->set->part[3], from->set, what));
  PL_TRY(stored_order(order, from->set, what, &stored));
  pl_err err = pl->backend->take(pl, stored, order->set->part[1], from, to);
  drop_order(order, stored);
  if (!err) mark_written(to);
  return err;
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
  PL_TRY(pl_whole_begin(flag, true));
  pl_err err = order ? pl_whole_begin(order, false) : PL_SUCCESS;
  if (!err) {
    err = pl->backend->select(pl, flag, order, count);
    pl_err back = order ? pl_whole_end(order, !err) : PL_SUCCESS;
    if (!err) err = back;
  }
  pl_err back = pl_whole_end(flag, false);
  if (!err) err = back;
  if (!err && order) mark_written(order);
  return err;
}

pl_err pl_select(pl_dat *flag, pl_dat *order, int64_t *count)
{
  static const char what[] = "pl_select";
  if (!flag || !count) return pl_fail(flag ? flag->node.pl : NULL, PL_ERR_ARG, "%s: a pointer is NULL", what);
  pl_context *pl = flag->node.pl;
  PL_TRY(pl_flag_check(flag, what));
  if (order) PL_TRY(check_order(order, what));
  if (order) PL_TRY(check_open(order, true, what));
  if (order && (order->set != flag->set || order == flag))
    return pl_fail(pl, PL_ERR_ARG, "%s: order \"%s\" must be another dat on set \"%s\"", what,
                   order->node.name, flag->set->node.name);
  return select_order(flag, order, count);
}

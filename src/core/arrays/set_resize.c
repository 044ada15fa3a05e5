/* SPDX-License-Identifier: BSD-2-Clause
 * Resizing of sets. Invariant: the storage of every dat of a set, on either side, has room for pl_set_room
 * elements.
 */
#include "set_resize.h"
#include "core/chain/deferred_queue.h"
#include "core/loop/loop.h"
#include "sort_select.h"
#include <string.h>

int64_t pl_set_capacity(const pl_set *set)
{
  return set ? pl_set_room(set) : 0;
}

/* ---- checks ---- */

static pl_err check_dats(const pl_set *set, const char *what)
{
  for (const pl_node *node = set->node.pl->dats; node; node = node->next) {
    const pl_dat *dat = (const pl_dat *)node;
    if (dat->set == set) PL_TRY(pl_dat_check_no_views(dat, what));
  }
  return PL_SUCCESS;
}

/* Runs recorded loops; fails unless the set is as it was declared. */
static pl_err check_resizable(const pl_set *set, const char *what)
{
  pl_context *pl = set->node.pl;
  PL_TRY(pl_flush_all(pl));
  if (set->parent || set->end[0] != set->end[3] || set->user_order)
    return pl_fail(
      pl, PL_ERR_STATE,
      "%s: \"%s\" is %s; only a set as it was declared can change its size (particles come and go by "
      "pl_particle_add and pl_particle_remove)",
      what, set->node.name,
      set->parent       ? "a subset"
      : set->user_order ? "renumbered or partitioned"
                        : "a set with a halo");
  for (const pl_node *node = pl->maps; node; node = node->next)
    if (!((const pl_map *)node)->pair_map && /* its list is rebuilt */
        (((const pl_map *)node)->from == set || ((const pl_map *)node)->to == set))
      return pl_fail(pl, PL_ERR_STATE, "%s: map \"%s\" leads from or to set \"%s\"; free it first", what,
                     node->name, set->node.name);
  for (const pl_node *node = pl->sets; node; node = node->next)
    if (((const pl_set *)node)->parent == set)
      return pl_fail(pl, PL_ERR_STATE, "%s: set \"%s\" has a subset \"%s\"; free it first", what,
                     set->node.name, node->name);
  return check_dats(set, what);
}

/* ---- capacity ---- */

/* Reallocates host storage for `room` elements and keeps the first n. */
static pl_err grow_host(pl_dat *dat, int n, int room)
{
  pl_context *pl = dat->node.pl;
  size_t bytes = (size_t)room * pl_dat_stride(dat);
  void *host = pl_malloc_array(pl, bytes);
  if (!host) return pl_fail_memory(pl, bytes);
  memcpy(host, dat->host, (size_t)n * pl_dat_stride(dat));
  pl_free_array(pl, dat->host);
  dat->host = host;
  pl->stats.host_bytes += ((size_t)room - (size_t)pl_set_room(dat->set)) * pl_dat_stride(dat);
  return PL_SUCCESS;
}

static pl_err grow_dat(pl_dat *dat, int room)
{
  pl_context *pl = dat->node.pl;
  int n = dat->set->end[3];
  pl_dat_drop_spare(dat);
  if (dat->device) {
    PL_TRY(pl->backend->data->grow(pl, dat, dat->device_valid ? n : 0, room));
    pl->stats.device_bytes += ((size_t)room - (size_t)pl_set_room(dat->set)) * pl_dat_stride(dat);
  }
  return dat->host ? grow_host(dat, n, room) : PL_SUCCESS;
}

/* Loops are prepared again, since their device data depend on the capacity. */
static pl_err grow_set(pl_set *set, int room)
{
  pl_context *pl = set->node.pl;
  for (pl_node *node = pl->dats; node; node = node->next)
    if (((pl_dat *)node)->set == set) PL_TRY(grow_dat((pl_dat *)node, room));
  set->capacity = room;
  pl->decl_version++;
  return PL_SUCCESS;
}

static pl_err check_size(const pl_set *set, int64_t n, const char *what)
{
  if (n >= 0 && n <= INT32_MAX) return PL_SUCCESS;
  return pl_fail(set->node.pl, PL_ERR_RANGE,
                 "%s: set \"%s\" cannot have %lld elements; the limits are 0 and %d", what, set->node.name,
                 (long long)n, INT32_MAX);
}

pl_err pl_set_reserve(pl_set *set, int64_t capacity)
{
  if (!set) return PL_ERR_ARG;
  PL_TRY(check_size(set, capacity, "pl_set_reserve"));
  PL_TRY(check_resizable(set, "pl_set_reserve"));
  int room = pl_set_room(set);
  return grow_set(set, capacity > room ? (int)capacity : room);
}

/* ---- size ---- */

pl_err pl_dat_zero_elements(pl_dat *dat, int begin, int end)
{
  pl_context *pl = dat->node.pl;
  size_t stride = pl_dat_stride(dat);
  if (dat->device_valid) PL_TRY(pl->backend->data->zero_range(pl, dat, begin, end));
  if (dat->host && !dat->host_stale)
    memset((char *)dat->host + (size_t)begin * stride, 0, (size_t)(end - begin) * stride);
  return PL_SUCCESS;
}

static int with_slack(int n)
{
  return n < INT32_MAX / 3 * 2 ? n + n / 2 : INT32_MAX;
}

pl_err pl_set_make_room(pl_set *set, int64_t n)
{
  PL_TRY(check_size(set, n, "a set that grows"));
  if (set->capacity && n <= pl_set_room(set)) return PL_SUCCESS;
  return grow_set(set, n > pl_set_room(set) ? with_slack((int)n) : pl_set_room(set));
}

pl_err pl_set_resize_storage(pl_set *set, int n)
{
  pl_context *pl = set->node.pl;
  int before = set->end[3];
  PL_TRY(pl_set_make_room(set, n));
  for (pl_node *node = pl->dats; node; node = node->next)
    if (((pl_dat *)node)->set == set && n > before) PL_TRY(pl_dat_zero_elements((pl_dat *)node, before, n));
  for (int part = 0; part < 4; part++) set->end[part] = n;
  set->global_size = set->global_end = set->declared = n;
  for (pl_node *node = pl->dats; node; node = node->next)
    if (((pl_dat *)node)->set == set) ((pl_dat *)node)->version++;
  pl_loops_resized(pl, set);
  return PL_SUCCESS;
}

pl_err pl_set_resize(pl_set *set, int64_t n)
{
  if (!set) return PL_ERR_ARG;
  PL_TRY(check_size(set, n, "pl_set_resize"));
  PL_TRY(check_resizable(set, "pl_set_resize"));
  return n == set->end[3] ? PL_SUCCESS : pl_set_resize_storage(set, (int)n);
}

/* ---- selection and reordering ---- */

pl_err pl_set_apply(pl_set *set, pl_dat *order, int n, const pl_dat *but)
{
  pl_context *pl = set->node.pl;
  int count = 0;
  pl_dat **dats = pl_calloc(pl, (size_t)set->ref + 1, sizeof *dats); /* every dat holds a reference */
  if (!dats) return pl_fail_memory(pl, (size_t)set->ref * sizeof *dats);
  for (pl_node *node = pl->dats; node; node = node->next)
    if (((pl_dat *)node)->set == set && (pl_dat *)node != but) dats[count++] = (pl_dat *)node;
  pl_err err = pl_order_apply(order, n, count, dats);
  pl_free(pl, dats);
  return err;
}

pl_err pl_set_reorder(pl_set *set, pl_dat *order)
{
  static const char what[] = "pl_set_reorder";
  if (!set || !order) return pl_fail(set ? set->node.pl : NULL, PL_ERR_ARG, "%s: a pointer is NULL", what);
  PL_TRY(check_resizable(set, what));
  if (order->set != set || order->type != PL_INT32 || order->dim != 1)
    return pl_fail(set->node.pl, PL_ERR_TYPE,
                   "%s: order \"%s\" must hold one int on each element of set \"%s\"", what, order->node.name,
                   set->node.name);
  if (!set->node.pl->backend->data || pl_opt_flag(set->node.pl, PL_OPT_CHECK))
    PL_TRY(pl_order_check(order, set->end[3], set, what));
  return pl_set_apply(set, order, set->end[3], NULL);
}

/* Selects the remaining elements, permutes all dats, shrinks the set. */
static pl_err keep_flagged(pl_set *set, pl_dat *flag, pl_dat *order)
{
  pl_context *pl = set->node.pl;
  int64_t count;
  PL_TRY(pl->backend->algorithms->select(pl, flag, order, &count));
  if (count == set->end[3]) return PL_SUCCESS;
  PL_TRY(pl_set_apply(set, order, (int)count, order));
  return pl_set_resize_storage(set, (int)count);
}

pl_err pl_set_keep(pl_set *set, pl_dat *flag)
{
  static const char what[] = "pl_set_keep";
  pl_dat *order;
  if (!set || !flag) return pl_fail(set ? set->node.pl : NULL, PL_ERR_ARG, "%s: a pointer is NULL", what);
  PL_TRY(check_resizable(set, what));
  PL_TRY(pl_flag_check(flag, what));
  if (flag->set != set)
    return pl_fail(set->node.pl, PL_ERR_ARG, "%s: flag \"%s\" is not on set \"%s\"", what, flag->node.name,
                   set->node.name);
  PL_TRY(pl_decl_dat(set, 1, PL_INT32, NULL, "order", &order));
  pl_err err = keep_flagged(set, flag, order);
  pl_dat_free(&order);
  return err;
}

static pl_err mark_kept(pl_set *set, int64_t n, const int *indices, pl_dat *flag)
{
  uint8_t *kept = pl_dat_host(flag, true);
  if (!kept) return set->node.pl->error_code;
  memset(kept, 1, (size_t)set->end[3]);
  for (int64_t i = 0; i < n; i++) kept[indices[i]] = 0;
  pl_dat_host_written(flag);
  return PL_SUCCESS;
}

pl_err pl_set_remove(pl_set *set, int64_t n, const int *indices)
{
  static const char what[] = "pl_set_remove";
  pl_dat *flag;
  if (!set || n < 0 || (n && !indices))
    return pl_fail(set ? set->node.pl : NULL, PL_ERR_ARG, "%s: a pointer is NULL or the number negative",
                   what);
  PL_TRY(check_resizable(set, what));
  for (int64_t i = 0; i < n; i++)
    if (indices[i] < 0 || indices[i] >= set->end[3])
      return pl_fail(set->node.pl, PL_ERR_RANGE, "%s: index %d at position %lld; set \"%s\" has %d elements",
                     what, indices[i], (long long)i, set->node.name, set->end[3]);
  PL_TRY(pl_decl_dat(set, 1, PL_UINT8, NULL, "kept", &flag));
  pl_err err = mark_kept(set, n, indices, flag);
  if (!err) err = pl_set_keep(set, flag);
  pl_dat_free(&flag);
  return err;
}

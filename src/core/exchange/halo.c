/* SPDX-License-Identifier: BSD-2-Clause
 * Halo lists, and the exchanges that loops need.
 */
#include "halo.h"
#include "core/base/clock.h"
#include "core/data/loop_object.h"
#include "exchange.h"
#include <string.h>

/* ---- halos ---- */

void pl_halo_free_device(pl_context *pl, pl_halo *halo)
{
  pl_list_copy *const copy[] = {&halo->device_send, &halo->device_receive};
  for (int k = 0; k < 2; k++) {
    if (copy[k]->at) pl->backend->data->buffer_free(pl, copy[k]->at);
    *copy[k] = (pl_list_copy){0};
  }
}

void pl_halo_pass_buffers(pl_halo *from, pl_halo *to)
{
  if (!from) return;
  to->device_send = from->device_send;
  to->device_receive = from->device_receive;
  to->device_send.valid = to->device_receive.valid = false;
  from->device_send = from->device_receive = (pl_list_copy){0};
}

void pl_halo_free(pl_context *pl, pl_halo *halo)
{
  if (!halo) return;
  pl_halo_free_device(pl, halo);
  pl_free_all(pl, halo->rank, halo->peer, halo->send_offset, halo->receive_offset, halo->send, halo->receive,
              halo);
}

pl_halo *pl_halo_new(pl_context *pl, int n, int64_t nsend, int64_t nreceive)
{
  pl_halo *halo = pl_calloc(pl, 1, sizeof *halo);
  if (halo) {
    size_t room = (size_t)n + 1;
    halo->n = n;
    halo->rank = pl_calloc(pl, room, sizeof(int));
    halo->peer = pl_calloc(pl, room, sizeof(int));
    halo->send_offset = pl_calloc(pl, room, sizeof(int));
    halo->receive_offset = pl_calloc(pl, room, sizeof(int));
    halo->send = pl_malloc(pl, ((size_t)nsend + 1) * sizeof(int));
    halo->receive = pl_malloc(pl, ((size_t)nreceive + 1) * sizeof(int));
    if (halo->rank && halo->peer && halo->send_offset && halo->receive_offset && halo->send && halo->receive)
      return halo;
    pl_halo_free(pl, halo);
  }
  pl_fail_memory(pl, (size_t)(nsend + nreceive) * sizeof(int));
  return NULL;
}

pl_err pl_internal_set_new(pl_context *pl, int64_t size, const char *name, pl_set **set)
{
  PL_TRY(pl_decl_set(pl, size, name, set));
  (*set)->node.internal = true;
  if (pl_ranks(pl) > 1) (*set)->halo = pl_halo_new(pl, 0, 0, 0);
  return pl_ranks(pl) == 1 || (*set)->halo ? PL_SUCCESS : PL_ERR_MEMORY;
}

/* ---- selection of items ---- */

/* Whether a loop reads other ranks' elements of a dat by an argument: through a map, or in the exec halo. */
static bool reads_halo(const pl_loop *loop, const pl_arg *arg)
{
  if (pl_arg_is_derived(arg)) return true;
  return (arg->access == PL_READ || arg->access == PL_RW) &&
         ((arg->map && !arg->map->injective) || arg->index == PL_WHOLE ||
          (loop->runs_halo && !loop->reverse_halo));
}

/* The halo of a dat that a loop reads: the partial halo of its map, or all. */
static pl_halo *halo_of(const pl_loop *loop, const pl_dat *dat)
{
  pl_halo *halo = NULL;
  PL_EACH_ARG (arg, loop) {
    if (pl_arg_dat_of(arg) != dat || !reads_halo(loop, arg)) continue;
    pl_halo *these = pl_arg_is_record(arg) && arg->map && arg->map->halo ? arg->map->halo : dat->set->halo;
    halo = halo && halo != these ? dat->set->halo : these;
  }
  return halo;
}

static bool is_stale(const pl_dat *dat, const pl_halo *halo)
{
  return halo && !dat->frozen && pl_dat_halo_is_stale(dat, halo);
}

/* The halos that a loop reads: the stale ones, or `all`. */
static pl_err add_items(pl_loop *loop, struct pl_exchange *x, bool all)
{
  x->nitems = 0;
  if (loop->direct) return PL_SUCCESS;
  PL_EACH_ACCESS (access, loop) {
    pl_dat *dat = access->dat;
    if (!dat || !access->reads || (!all && !dat->storage.halo_stale)) continue;
    pl_halo *halo = halo_of(loop, dat);
    if (halo && (all || is_stale(dat, halo))) PL_TRY(pl_exchange_add(loop->pl, x, (pl_item){dat, halo}));
  }
  return PL_SUCCESS;
}

/* ---- the exchange ---- */

/* From and to host memory, for backends without exchanges of their own. */
static pl_err begin_on_host(pl_context *pl, struct pl_exchange *x)
{
  PL_TRY(pl_exchange_receive(pl, x));
  PL_TRY(pl_exchange_pack(x));
  return pl_exchange_send(pl, x);
}

static pl_err end_on_host(pl_context *pl, struct pl_exchange *x)
{
  PL_TRY(pl_messages_wait(pl, &x->messages));
  pl_exchange_unpack(x);
  return PL_SUCCESS;
}

static pl_err begin_exchange(pl_context *pl, struct pl_exchange *x)
{
  double begun = pl_now();
  if (x->nitems) {
    pl_exchange_count(x, false);
    pl_exchange_begins(pl, x);
    pl_err err = pl->backend->exchange ? pl->backend->exchange->begin(pl, x) : begin_on_host(pl, x);
    if (err) pl_exchange_ends(pl);
    PL_TRY(err);
    pl_exchange_log(pl, x);
    pl->stats.halo_seconds += pl_now() - begun;
  }
  if (!x->nitems || !pl->backend->exchange) pl_comm_sent(pl);
  return PL_SUCCESS;
}

static void mark_valid(const pl_item *item)
{
  pl_dat_halo_updated(item->dat, item->halo == item->dat->set->halo ? NULL : item->halo);
}

static pl_err end_exchange(pl_context *pl, struct pl_exchange *x)
{
  if (!x->nitems) return PL_SUCCESS;
  double begun = pl_now();
  pl_err err = pl->backend->exchange ? pl->backend->exchange->end(pl, x) : end_on_host(pl, x);
  pl_exchange_ends(pl);
  PL_TRY(err);
  for (int d = 0; d < x->nitems; d++) mark_valid(&x->item[d]);
  x->nitems = 0;
  pl->stats.halo_seconds += pl_now() - begun;
  return PL_SUCCESS;
}

static bool core_may_be_first(const pl_loop *loop, const struct pl_exchange *x)
{
  PL_EACH_ACCESS (access, loop)
    for (int d = 0; access->writes && d < x->nitems; d++)
      if (access->dat == x->item[d].dat) return false;
  return (!loop->needs_full_halo || loop->inner) && pl_loop_core(loop) > 0;
}

pl_err pl_halo_begin(pl_loop *loop)
{
  pl_context *pl = loop->pl;
  struct pl_exchange *x = pl_ranks(pl) > 1 ? pl_exchange_of(pl) : NULL;
  if (!x) return pl_ranks(pl) > 1 ? PL_ERR_MEMORY : PL_SUCCESS;
  PL_TRY(add_items(loop, x, false));
  x->for_loop = true;
  x->core_first = core_may_be_first(loop, x);
  return begin_exchange(pl, x);
}

pl_err pl_halo_ready(pl_loop *loop)
{
  pl_context *pl = loop->pl;
  if (pl_ranks(pl) == 1) return PL_SUCCESS;
  struct pl_exchange *x = pl_exchange_of(pl);
  if (!x) return PL_ERR_MEMORY;
  PL_TRY(add_items(loop, x, true));
  pl_exchange_count(x, false);
  bool carried = x->nitems && pl->backend->exchange;
  pl_err err = carried ? pl->backend->exchange->ready(pl, x) : PL_SUCCESS;
  if (!carried) pl_comm_sent(pl);
  x->nitems = 0;
  return err;
}

bool pl_halo_busy(const pl_context *pl)
{
  return pl->exchange && (pl->exchange->messages.count > 0 || pl->exchange->barrier);
}

pl_err pl_halo_end(pl_loop *loop)
{
  return loop->pl->exchange ? end_exchange(loop->pl, loop->pl->exchange) : PL_SUCCESS;
}

pl_err pl_halo_refresh_begin(pl_dat *dat)
{
  pl_context *pl = dat->node.pl;
  if (pl_ranks(pl) == 1) return PL_SUCCESS;
  struct pl_exchange *x = pl_exchange_of(pl);
  if (!x) return PL_ERR_MEMORY;
  x->nitems = 0;
  x->for_loop = x->core_first = false;
  if (is_stale(dat, dat->set->halo)) PL_TRY(pl_exchange_add(pl, x, (pl_item){dat, dat->set->halo}));
  return begin_exchange(pl, x);
}

pl_err pl_halo_refresh_end(const pl_dat *dat)
{
  pl_context *pl = dat->node.pl;
  return pl_ranks(pl) > 1 ? end_exchange(pl, pl->exchange) : PL_SUCCESS;
}

pl_err pl_halo_refresh(pl_dat *dat)
{
  PL_TRY(pl_halo_refresh_begin(dat));
  return pl_halo_refresh_end(dat);
}

/* Allocates buffers and requests, so that the exchange cannot fail for memory. */
static pl_err reserve_buffers(pl_context *pl, struct pl_exchange *x)
{
  pl_err err = PL_SUCCESS;
  if (x->nitems && pl->backend->exchange) return pl->backend->exchange->ready(pl, x);
  for (int p = 0; p < x->npeers && !err; p++) err = pl_exchange_room(pl, &x->peer[p]);
  if (!err) err = pl_messages_reserve(pl, &x->messages, 2 * x->npeers);
  if (!err) pl_comm_sent(pl);
  return err;
}

pl_err pl_halo_exchange_lists(pl_context *pl, pl_halo *route, int n, pl_dat *const *dats)
{
  struct pl_exchange *x = pl_exchange_of(pl);
  pl_err err = x ? PL_SUCCESS : PL_ERR_MEMORY;
  if (x) x->nitems = 0;
  for (int d = 0; d < n && !err; d++) err = pl_exchange_add(pl, x, (pl_item){dats[d], route});
  PL_TRY(pl_agree(pl, err));
  x->for_loop = true; /* on the device if there is one */
  x->core_first = false;
  pl_exchange_count(x, false);
  PL_TRY(pl_agree(pl, reserve_buffers(pl, x)));
  err = begin_exchange(pl, x);
  if (!err) err = end_exchange(pl, x);
  for (int d = 0; d < n; d++) dats[d]->storage.partial_halo = NULL;
  return err;
}

/* ---- frozen halos ---- */

pl_err pl_dat_freeze_halo(pl_dat *dat, pl_access access)
{
  PL_TRY_GIVEN(dat);
  pl_context *pl = dat->node.pl;
  pl_err err = PL_SUCCESS;
  if (access < PL_READ || access > PL_MAX)
    err = pl_fail(pl, PL_ERR_ARG, "pl_dat_freeze_halo of \"%s\": %d is not an access", dat->node.name,
                  (int)access);
  else if (dat->frozen)
    err =
      pl_fail(pl, PL_ERR_STATE, "pl_dat_freeze_halo of \"%s\": its halo is frozen already", dat->node.name);
  PL_TRY(pl_agree(pl, err));
  PL_TRY(pl_before_any_access(pl));
  PL_TRY(pl_notify_distribute(pl));
  if (access == PL_READ || access == PL_RW) PL_TRY(pl_halo_refresh(dat));
  dat->frozen = access;
  pl->deferred.storage_version++;
  return PL_SUCCESS;
}

pl_err pl_dat_unfreeze_halo(pl_dat *dat)
{
  PL_TRY_GIVEN(dat);
  if (!dat->frozen)
    return pl_fail(dat->node.pl, PL_ERR_STATE, "pl_dat_unfreeze_halo of \"%s\": its halo is not frozen",
                   dat->node.name);
  PL_TRY(pl_before_any_access(dat->node.pl));
  dat->frozen = 0;
  dat->node.pl->deferred.storage_version++;
  return PL_SUCCESS;
}

pl_err pl_halo_check_frozen(const pl_loop *loop, const pl_dat *dat)
{
  char name[PL_ARG_NAME];
  for (int i = 0; i < loop->nargs; i++) {
    const pl_arg *arg = &loop->args[i];
    if (pl_arg_dat_of(arg) != dat || dat->frozen == arg->access) continue;
    return pl_fail(loop->pl, PL_ERR_STATE,
                   "loop \"%s\", %s: its halo is frozen for another access; call pl_dat_unfreeze_halo first",
                   pl_loop_title(loop), pl_arg_name(loop->args, i, name));
  }
  return PL_SUCCESS;
}

/* ---- arrays ---- */

static int list_length(const int *offset, int i)
{
  return offset[i + 1] - offset[i];
}

pl_err pl_halo_copy(pl_set *set, size_t stride, void *records)
{
  pl_context *pl = set->node.pl;
  const pl_halo *halo = set->halo;
  pl_messages messages = {.request = NULL};
  char *out = pl_malloc(pl, (size_t)halo->send_offset[halo->n] * stride);
  char *in = pl_malloc(pl, (size_t)halo->receive_offset[halo->n] * stride);
  pl_err err = out && in ? pl_messages_reserve(pl, &messages, 2 * halo->n) : pl_fail_memory(pl, stride);
  err = pl_agree(pl, err);
  if (!err) pl_gather_records(halo->send_offset[halo->n], stride, halo->send, records, out);
  for (int i = 0; i < halo->n && !err; i++)
    err = pl_messages_receive(pl, &messages, halo->rank[i], in + (size_t)halo->receive_offset[i] * stride,
                              (size_t)list_length(halo->receive_offset, i) * stride);
  for (int i = 0; i < halo->n && !err; i++)
    err = pl_messages_send(pl, &messages, halo->rank[i], out + (size_t)halo->send_offset[i] * stride,
                           (size_t)list_length(halo->send_offset, i) * stride);
  if (!err) err = pl_messages_wait(pl, &messages);
  if (!err) pl_scatter_records(halo->receive_offset[halo->n], stride, halo->receive, in, records);
  pl_messages_free(pl, &messages);
  pl_free_all(pl, out, in);
  return err;
}

pl_err pl_halo_number(pl_set *set)
{
  if (!set->copies_unnumbered) return PL_SUCCESS;
  PL_TRY(pl_halo_copy(set, sizeof *set->global, set->global));
  if (set->global_device) set->node.pl->backend->data->buffer_free(set->node.pl, set->global_device);
  set->global_device = NULL;
  set->copies_unnumbered = false;
  return PL_SUCCESS;
}

/* ---- events ---- */

static void free_halo_of(pl_context *pl, pl_object_kind kind, void *object)
{
  if (kind == PL_OBJECT_SET) pl_halo_free(pl, ((pl_set *)object)->halo);
  if (kind == PL_OBJECT_MAP) pl_halo_free(pl, ((pl_map *)object)->halo);
}

static pl_err copy_marks(pl_set *set, unsigned char *marks)
{
  return set->halo ? pl_halo_copy(set, 1, marks) : PL_SUCCESS;
}

const pl_observer pl_halo_observer = {.object_freed = free_halo_of, .exchange_marks = copy_marks};

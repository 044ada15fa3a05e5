/* SPDX-License-Identifier: BSD-2-Clause
 * Halo exchange: one message to each neighbour for all dats of a loop. See halo.h.
 */
#include "exchange.h"
#include "chain.h"
#include "profile.h"
#include <string.h>

/* ---- halos ---- */

void pl_halo_leave_device(pl_context *pl, pl_halo *halo)
{
  if (halo->device_send) pl->backend->buffer_free(pl, halo->device_send);
  if (halo->device_receive) pl->backend->buffer_free(pl, halo->device_receive);
  halo->device_send = halo->device_receive = NULL;
}

void pl_halo_free(pl_context *pl, pl_halo *halo)
{
  if (!halo) return;
  pl_halo_leave_device(pl, halo);
  pl_free(pl, halo->rank);
  pl_free(pl, halo->peer);
  pl_free(pl, halo->send_offset);
  pl_free(pl, halo->receive_offset);
  pl_free(pl, halo->send);
  pl_free(pl, halo->receive);
  pl_free(pl, halo);
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
    halo->send = pl_calloc(pl, (size_t)nsend + 1, sizeof(int));
    halo->receive = pl_calloc(pl, (size_t)nreceive + 1, sizeof(int));
    if (halo->rank && halo->peer && halo->send_offset && halo->receive_offset && halo->send && halo->receive)
      return halo;
    pl_halo_free(pl, halo);
  }
  pl_fail_memory(pl, (size_t)(nsend + nreceive) * sizeof(int));
  return NULL;
}

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
  if (x->npeers == x->room) {
    int room = 2 * x->room + 8;
    pl_peer *grown = pl_resize(pl, x->peer, (size_t)room * sizeof *grown);
    if (!grown) return pl_fail_memory(pl, (size_t)room * sizeof *grown), -1;
    x->peer = grown;
    x->room = room;
  }
  x->peer[x->npeers] = (pl_peer){.rank = rank};
  return x->npeers++;
}

static void free_buffer(pl_context *pl, char *buffer)
{
  if (pl->backend->host_free)
    pl->backend->host_free(pl, buffer);
  else
    pl_free(pl, buffer);
}

/* A buffer of at least so many bytes; its contents are lost. */
static pl_err make_buffer(pl_context *pl, char **buffer, size_t *room, size_t bytes)
{
  if (bytes <= *room) return PL_SUCCESS;
  free_buffer(pl, *buffer);
  *buffer = NULL;
  *room = 0;
  if (pl->backend->host_alloc)
    PL_TRY(pl->backend->host_alloc(pl, bytes, (void **)buffer));
  else if (!(*buffer = pl_malloc(pl, bytes)))
    return pl_fail_memory(pl, bytes);
  *room = bytes;
  return PL_SUCCESS;
}

pl_err pl_exchange_room(pl_context *pl, pl_peer *peer)
{
  PL_TRY(make_buffer(pl, &peer->send, &peer->send_room, peer->sends));
  return make_buffer(pl, &peer->receive, &peer->receive_room, peer->receives);
}

void pl_halo_close(pl_context *pl)
{
  struct pl_exchange *x = pl->exchange;
  bool quiet = !x || pl_messages_free(pl, &x->messages);
  if (pl->backend->exchange_close) pl->backend->exchange_close(pl);
  if (!x) return;
  for (int p = 0; p < x->npeers; p++) {
    if (quiet) free_buffer(pl, x->peer[p].send);
    free_buffer(pl, x->peer[p].receive);
  }
  pl_free(pl, x->peer);
  pl_free(pl, x->item);
  pl_free(pl, x);
  pl->exchange = NULL;
}

/* ---- what is to be exchanged ---- */

static size_t value_size(const pl_dat *dat)
{
  return pl_type_size(pl_type_base(dat->type));
}

pl_err pl_exchange_take(pl_context *pl, struct pl_exchange *x, pl_item item)
{
  if (x->nitems == x->item_room) {
    int room = 2 * x->item_room + 8;
    pl_item *grown = pl_resize(pl, x->item, (size_t)room * sizeof *grown);
    if (!grown) return pl_fail_memory(pl, (size_t)room * sizeof *grown);
    x->item = grown;
    x->item_room = room;
  }
  int at = x->nitems++;
  for (; at > 0 && value_size(x->item[at - 1].dat) < value_size(item.dat); at--)
    x->item[at] = x->item[at - 1];
  x->item[at] = item;
  return PL_SUCCESS;
}

/* Whether a loop looks at other ranks' elements through an argument: by a map, or because it runs the exec
 * halo. */
static bool looks_at_halo(const pl_loop *loop, const pl_arg *arg)
{
  if (arg->off || (arg->kind == PL_ARG_DAT && ((const pl_dat *)arg->object)->local)) return false;
  if (arg->kind == PL_ARG_DIFFERENCE || arg->kind == PL_ARG_DISTANCE) return true;
  return arg->kind == PL_ARG_DAT && (arg->access == PL_READ || arg->access == PL_RW) &&
         ((arg->map && !arg->map->apart) || arg->index == PL_WHOLE || (loop->runs_halo && !loop->back));
}

/* The copies of a dat that a loop looks at: those that its map reaches, or all. */
static pl_halo *copies_of(const pl_loop *loop, const pl_dat *dat)
{
  pl_halo *copies = NULL;
  for (int i = 0; i < loop->nargs; i++) {
    const pl_arg *arg = &loop->args[i];
    if (arg->object != dat || !looks_at_halo(loop, arg)) continue;
    pl_halo *these = arg->kind == PL_ARG_DAT && arg->map && arg->map->halo ? arg->map->halo : dat->set->halo;
    copies = copies && copies != these ? dat->set->halo : these;
  }
  return copies;
}

/* Takes some copies of a dat in, if they are not up to date. */
static pl_err take_dat(pl_context *pl, struct pl_exchange *x, pl_dat *dat, pl_halo *copies)
{
  if (!dat->halo_stale || !copies || dat->frozen) return PL_SUCCESS;
  bool part = copies != dat->set->halo;
  if (part && dat->partly == copies && dat->partly_at == dat->version) return PL_SUCCESS;
  for (int i = 0; i < x->nitems; i++)
    if (x->item[i].dat == dat) return PL_SUCCESS;
  return pl_exchange_take(pl, x, (pl_item){dat, copies});
}

static pl_err take_stale(pl_loop *loop, struct pl_exchange *x)
{
  x->nitems = 0;
  for (int i = 0; i < loop->nargs; i++) {
    pl_dat *dat = loop->args[i].object;
    if (looks_at_halo(loop, &loop->args[i])) PL_TRY(take_dat(loop->pl, x, dat, copies_of(loop, dat)));
  }
  return PL_SUCCESS;
}

static pl_err take_all(pl_loop *loop, struct pl_exchange *x)
{
  x->nitems = 0;
  for (int i = 0; i < loop->nargs; i++) {
    pl_dat *dat = loop->args[i].object;
    bool first = looks_at_halo(loop, &loop->args[i]) && copies_of(loop, dat);
    for (int k = 0; k < x->nitems; k++) first &= x->item[k].dat != dat;
    if (first) PL_TRY(pl_exchange_take(loop->pl, x, (pl_item){dat, copies_of(loop, dat)}));
  }
  return PL_SUCCESS;
}

static void count_bytes(struct pl_exchange *x)
{
  for (int p = 0; p < x->npeers; p++)
    x->peer[p].sends = x->peer[p].receives = x->peer[p].sent = x->peer[p].received = 0;
  for (const pl_item *item = x->item; item < x->item + x->nitems; item++) {
    size_t stride = pl_dat_stride(item->dat);
    for (int i = 0; i < item->halo->n; i++) {
      x->peer[item->halo->peer[i]].sends += (size_t)pl_item_gives(item, i) * stride;
      x->peer[item->halo->peer[i]].receives += (size_t)pl_item_takes(item, i) * stride;
    }
  }
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

static void scatter_records(int n, size_t stride, const int *list, const char *from, char *to)
{
  for (int i = 0; i < n; i++) memcpy(to + (size_t)list[i] * stride, from + (size_t)i * stride, stride);
}

static void unpack_item(struct pl_exchange *x, const pl_item *item)
{
  const pl_halo *halo = item->halo;
  size_t stride = pl_dat_stride(item->dat);
  for (int i = 0; i < halo->n; i++) {
    pl_peer *p = &x->peer[halo->peer[i]];
    if (item->dat->host && !item->dat->host_stale)
      scatter_records(pl_item_takes(item, i), stride, halo->receive + halo->receive_offset[i],
                      p->receive + p->received, item->dat->host);
    p->received += (size_t)pl_item_takes(item, i) * stride;
  }
}

void pl_exchange_unpack(struct pl_exchange *x)
{
  for (int d = 0; d < x->nitems; d++) unpack_item(x, &x->item[d]);
}

/* ---- the exchange ---- */

/* From and to host memory, for backends that do not carry exchanges themselves. */
static pl_err carry_begin(pl_context *pl, struct pl_exchange *x)
{
  for (pl_peer *p = x->peer; p < x->peer + x->npeers; p++) {
    PL_TRY(pl_exchange_room(pl, p));
    PL_TRY(pl_messages_receive(pl, &x->messages, p->rank, p->receive, p->receives));
  }
  PL_TRY(pl_exchange_pack(x));
  for (pl_peer *p = x->peer; p < x->peer + x->npeers; p++)
    PL_TRY(pl_messages_send(pl, &x->messages, p->rank, p->send, p->sends));
  return PL_SUCCESS;
}

static pl_err carry_end(pl_context *pl, struct pl_exchange *x)
{
  PL_TRY(pl_messages_wait(pl, &x->messages));
  pl_exchange_unpack(x);
  return PL_SUCCESS;
}

static pl_err begin(pl_context *pl, struct pl_exchange *x)
{
  double begun = pl_now();
  if (x->nitems) {
    count_bytes(x);
    PL_TRY(pl->backend->exchange_begin ? pl->backend->exchange_begin(pl, x) : carry_begin(pl, x));
    for (int p = 0; p < x->npeers; p++) {
      pl->stats.halo_messages += x->peer[p].sends > 0;
      pl->stats.halo_bytes += x->peer[p].sends;
    }
    pl->stats.halo_seconds += pl_now() - begun;
  }
  if (!x->nitems || !pl->backend->exchange_begin) pl_comm_sent(pl);
  return PL_SUCCESS;
}

static void mark_fresh(const pl_item *item)
{
  pl_dat *dat = item->dat;
  bool all = item->halo == dat->set->halo;
  if (all) dat->halo_stale = false;
  dat->partly = all ? NULL : item->halo;
  dat->partly_at = dat->version;
}

static pl_err end(pl_context *pl, struct pl_exchange *x)
{
  if (!x->nitems) return PL_SUCCESS;
  double begun = pl_now();
  PL_TRY(pl->backend->exchange_end ? pl->backend->exchange_end(pl, x) : carry_end(pl, x));
  for (int d = 0; d < x->nitems; d++) mark_fresh(&x->item[d]);
  x->nitems = 0;
  pl->stats.halo_seconds += pl_now() - begun;
  return PL_SUCCESS;
}

pl_err pl_halo_begin(pl_loop *loop)
{
  pl_context *pl = loop->pl;
  struct pl_exchange *x = pl_ranks(pl) > 1 ? pl_exchange_of(pl) : NULL;
  if (!x) return pl_ranks(pl) > 1 ? PL_ERR_MEMORY : PL_SUCCESS;
  PL_TRY(take_stale(loop, x));
  x->for_loop = true;
  return begin(pl, x);
}

pl_err pl_halo_ready(pl_loop *loop)
{
  pl_context *pl = loop->pl;
  if (pl_ranks(pl) == 1) return PL_SUCCESS;
  struct pl_exchange *x = pl_exchange_of(pl);
  if (!x) return PL_ERR_MEMORY;
  PL_TRY(take_all(loop, x));
  count_bytes(x);
  bool carried = x->nitems && pl->backend->exchange_ready;
  pl_err err = carried ? pl->backend->exchange_ready(pl, x) : PL_SUCCESS;
  if (!carried) pl_comm_sent(pl);
  x->nitems = 0;
  return err;
}

bool pl_halo_busy(const pl_context *pl)
{
  return pl->exchange && pl->exchange->messages.count > 0;
}

pl_err pl_halo_end(pl_loop *loop)
{
  return loop->pl->exchange ? end(loop->pl, loop->pl->exchange) : PL_SUCCESS;
}

pl_err pl_halo_refresh(pl_dat *dat)
{
  pl_context *pl = dat->node.pl;
  if (pl_ranks(pl) == 1) return PL_SUCCESS;
  struct pl_exchange *x = pl_exchange_of(pl);
  if (!x) return PL_ERR_MEMORY;
  x->nitems = 0;
  x->for_loop = false;
  PL_TRY(take_dat(pl, x, dat, dat->set->halo));
  PL_TRY(begin(pl, x));
  return end(pl, x);
}

/* Buffers on both sides are there. */
static pl_err get_ready(pl_context *pl, struct pl_exchange *x)
{
  pl_err err = PL_SUCCESS;
  if (x->nitems && pl->backend->exchange_ready) return pl->backend->exchange_ready(pl, x);
  for (int p = 0; p < x->npeers && !err; p++) err = pl_exchange_room(pl, &x->peer[p]);
  if (!err) err = pl_messages_reserve(pl, &x->messages, 2 * x->npeers);
  if (!err) pl_comm_sent(pl);
  return err;
}

pl_err pl_halo_carry(pl_context *pl, pl_halo *route, int n, pl_dat *const *dats)
{
  struct pl_exchange *x = pl_exchange_of(pl);
  pl_err err = x ? PL_SUCCESS : PL_ERR_MEMORY;
  if (x) x->nitems = 0;
  for (int d = 0; d < n && !err; d++) err = pl_exchange_take(pl, x, (pl_item){dats[d], route});
  PL_TRY(pl_agree(pl, err));
  x->for_loop = true; /* on a device if there is one */
  count_bytes(x);
  PL_TRY(pl_agree(pl, get_ready(pl, x)));
  err = begin(pl, x);
  if (!err) err = end(pl, x);
  for (int d = 0; d < n; d++) dats[d]->partly = NULL;
  return pl_agree(pl, err);
}

/* ---- frozen halos ---- */

pl_err pl_dat_freeze_halo(pl_dat *dat, pl_access access)
{
  if (!dat) return PL_ERR_ARG;
  pl_context *pl = dat->node.pl;
  pl_err err = PL_SUCCESS;
  if (access < PL_READ || access > PL_MAX)
    err = pl_fail(pl, PL_ERR_ARG, "pl_dat_freeze_halo of \"%s\": %d is not an access", dat->node.name,
                  (int)access);
  else if (dat->frozen)
    err =
      pl_fail(pl, PL_ERR_STATE, "pl_dat_freeze_halo of \"%s\": its halo is frozen already", dat->node.name);
  PL_TRY(pl_agree(pl, err));
  PL_TRY(pl_late_run(pl));
  if (pl->place) PL_TRY(pl->place(pl));
  if (access == PL_READ || access == PL_RW) PL_TRY(pl_halo_refresh(dat));
  dat->frozen = access;
  pl->late.changes++;
  return PL_SUCCESS;
}

pl_err pl_dat_unfreeze_halo(pl_dat *dat)
{
  if (!dat) return PL_ERR_ARG;
  if (!dat->frozen)
    return pl_fail(dat->node.pl, PL_ERR_STATE, "pl_dat_unfreeze_halo of \"%s\": its halo is not frozen",
                   dat->node.name);
  PL_TRY(pl_late_run(dat->node.pl));
  dat->frozen = 0;
  dat->node.pl->late.changes++;
  return PL_SUCCESS;
}

pl_err pl_halo_check_frozen(const pl_loop *loop)
{
  char name[PL_ARG_NAME];
  for (int i = 0; i < loop->nargs; i++) {
    const pl_arg *arg = &loop->args[i];
    const pl_dat *dat = pl_arg_dat_of(arg);
    if (!dat || !dat->frozen || dat->frozen == arg->access) continue;
    return pl_fail(loop->pl, PL_ERR_STATE,
                   "loop \"%s\", %s: its halo is frozen for another access; call pl_dat_unfreeze_halo first",
                   loop->kernel->name, pl_arg_name(loop->args, i, name));
  }
  return PL_SUCCESS;
}

/* ---- copies of arrays ---- */

static int sends(const pl_halo *halo, int i)
{
  return halo->send_offset[i + 1] - halo->send_offset[i];
}

static int receives(const pl_halo *halo, int i)
{
  return halo->receive_offset[i + 1] - halo->receive_offset[i];
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
                              (size_t)receives(halo, i) * stride);
  for (int i = 0; i < halo->n && !err; i++)
    err = pl_messages_send(pl, &messages, halo->rank[i], out + (size_t)halo->send_offset[i] * stride,
                           (size_t)sends(halo, i) * stride);
  if (!err) err = pl_messages_wait(pl, &messages);
  if (!err) scatter_records(halo->receive_offset[halo->n], stride, halo->receive, in, records);
  pl_messages_free(pl, &messages);
  pl_free(pl, out);
  pl_free(pl, in);
  return err;
}

/* ---- checking ---- */

static const char *list_is_wrong(const pl_set *set, unsigned char *seen)
{
  const pl_halo *halo = set->halo;
  int me = pl_rank(set->node.pl), last = -1;
  for (int i = 0; i < halo->n; i++) {
    if (halo->rank[i] <= last || halo->rank[i] == me) return "neighbours are not ascending ranks of others";
    last = halo->rank[i];
    if (sends(halo, i) < 0 || receives(halo, i) < 0) return "offsets decrease";
    for (int k = halo->send_offset[i]; k < halo->send_offset[i + 1]; k++)
      if (halo->send[k] < 0 || halo->send[k] >= set->part[1]) return "an element is sent that is not owned";
    for (int k = halo->receive_offset[i]; k < halo->receive_offset[i + 1]; k++) {
      int e = halo->receive[k];
      if (e < set->part[1] || e >= set->part[3]) return "an element is received that is not in the halo";
      if (seen[e]++) return "an element is received twice";
    }
  }
  for (int e = set->part[1]; e < set->part[3]; e++)
    if (!seen[e]) return "an element of the halo is never received";
  return NULL;
}

/* Sends the global indices along the lists: what arrives must be the halo's own. */
static const char *sides_differ(pl_set *set, int64_t *ids)
{
  size_t owned = (size_t)set->part[1], total = (size_t)set->part[3];
  if (owned) memcpy(ids, set->global, owned * sizeof *ids);
  if (pl_halo_copy(set, sizeof *ids, ids)) return "messages failed";
  bool same = total == owned || !memcmp(ids + owned, set->global + owned, (total - owned) * sizeof *ids);
  return same ? NULL : "both sides of a neighbourhood list different elements";
}

bool pl_halo_is_valid(pl_set *set, const char **why)
{
  pl_context *pl = set->node.pl;
  if (!set->halo) return true;
  unsigned char *seen = pl_calloc(pl, (size_t)set->part[3] + 1, 1);
  int64_t *ids = pl_calloc(pl, (size_t)set->part[3] + 1, sizeof *ids);
  *why = seen && ids ? list_is_wrong(set, seen) : "cannot be checked: out of memory";
  if (pl_agree(pl, *why ? PL_ERR_CHECK : PL_SUCCESS) == PL_SUCCESS)
    *why = sides_differ(set, ids);
  else if (!*why)
    *why = "it is wrong on another rank";
  pl_free(pl, seen);
  pl_free(pl, ids);
  return !*why;
}

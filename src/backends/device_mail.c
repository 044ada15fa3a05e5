/* SPDX-License-Identifier: BSD-2-Clause
 * Exchanges of devices with other ranks (core/exchange.h). Records are packed and unpacked on the device, in
 * a queue of their own beside the core's work, and travel in one of three ways (option transport).
 *
 * Shared: between ranks of one machine whose devices can open each other's memory, records are packed right
 * into the neighbour's. A message of one byte says so; where events are shared too, it says only that the
 * event is recorded, and the queues wait for each other while no processor does. Direct: MPI takes the
 * device's own memory. Staged: through host memory that the device copies fast.
 *
 * Invariants. Both sides of a neighbourhood that share grow together: what one sends the other receives, so
 * they know of it without a word. What is received shared has two places, used in turn: place k % 2 is free
 * for exchange k when word of exchange k - 1 has come, since a neighbour packs that behind unpacking k - 2.
 * So do events: that of k is recorded anew for k + 2, when the neighbour has long asked its queue to wait for
 * it.
 */
#include "core/exchange.h"
#include "core/memory.h"
#include "device.h"
#include <string.h>

enum { STAGED, DIRECT, SHARED };
enum { LEAST_ROOM = 4096 };

/* With one peer. */
typedef struct box {
  bool met;
  int path;
  bool events;              /* shared: both sides have them */
  size_t out_room, in_room; /* bytes of one message */
  unsigned turn;
  void *out, *in, *there;       /* what is sent; what came; the neighbour's `in` */
  void *written[2], *theirs[2]; /* events of the two places: it is packed; the neighbour's */
  char said, heard;             /* one byte each way */
} box;

typedef struct pl_mail {
  void *queue, *ready, *packed, *brought, *done;
  int n;
  box *box;       /* by number of the peer */
  bool on_device; /* the exchange under way is packed and unpacked there */
  int nmoves, move_room;
  pl_listed *move; /* scratch */
} pl_mail;

/* ---- opening and closing ---- */

static pl_err open_mail(pl_device *device, pl_mail *m)
{
  const pl_driver *d = device->driver;
  PL_TRY(d->queue_new(device, true, &m->queue));
  PL_TRY(d->event_new(device, false, &m->ready));
  PL_TRY(d->event_new(device, false, &m->packed));
  PL_TRY(d->event_new(device, false, &m->brought));
  PL_TRY(d->event_new(device, false, &m->done));
  return d->event_record(device, m->done);
}

static pl_err mail_of(pl_device *device, pl_mail **result)
{
  if (!device->mail) {
    device->mail = pl_calloc(device->pl, 1, sizeof *device->mail);
    if (!device->mail) return pl_fail_memory(device->pl, sizeof *device->mail);
    pl_err err = open_mail(device, device->mail);
    if (err) pl_device_exchange_close(device->pl);
    if (err) return err;
  }
  *result = device->mail;
  return PL_SUCCESS;
}

static void free_event(pl_device *device, void *event)
{
  if (event) device->driver->event_free(device, event);
}

static void free_events(pl_device *device, void *event[2])
{
  for (int k = 0; k < 2; k++) {
    free_event(device, event[k]);
    event[k] = NULL;
  }
}

static void free_own(pl_device *device, void *buffer)
{
  if (device->driver->shared_close && device->shares)
    device->driver->shared_close(device, buffer, false);
  else
    device->driver->free(device, buffer);
}

static void leave(pl_device *device, box *b)
{
  if (b->there) device->driver->shared_close(device, b->there, true);
  free_events(device, b->theirs);
  b->there = NULL;
}

void pl_device_exchange_close(pl_context *pl)
{
  pl_device *device = pl_device_of(pl);
  pl_mail *m = device->mail;
  if (!m) return;
  device->driver->sync(device);
  for (int i = 0; i < m->n; i++) {
    leave(device, &m->box[i]);
    free_own(device, m->box[i].out);
    free_own(device, m->box[i].in);
    free_events(device, m->box[i].written);
  }
  free_event(device, m->ready);
  free_event(device, m->packed);
  free_event(device, m->brought);
  free_event(device, m->done);
  if (m->queue) device->driver->queue_free(device, m->queue);
  pl_free(pl, m->box);
  pl_free(pl, m->move);
  pl_free(pl, m);
  device->mail = NULL;
}

/* ---- meeting: what way to a peer, and room for what is under way ---- */

static bool takes_part(const pl_peer *p)
{
  return p->sends || p->receives;
}

static bool is_short(const box *b, const pl_peer *p)
{
  return takes_part(p) && (!b->met || p->sends > b->out_room || p->receives > b->in_room);
}

static size_t room_for(size_t before, size_t bytes)
{
  size_t room = before ? before : LEAST_ROOM;
  while (room < bytes) room *= 2;
  return room;
}

static pl_err new_buffer(pl_device *device, size_t size, void **buffer, pl_handle *handle)
{
  return device->shares ? device->driver->shared_new(device, size, buffer, handle)
                        : device->driver->alloc(device, size, buffer);
}

static void say(const pl_device *device, const box *b, const pl_peer *p, const char *how)
{
  if (!b->met) pl_log(device->pl, 1, "halos to rank %d go %s", p->rank, how);
}

/* Buffers for MPI, from the device's memory or through the host's. */
static pl_err make_plain(pl_device *device, box *b, const pl_peer *p)
{
  pl_handle unused;
  bool asked = device->shares == PL_SHARES_CUDA && pl_opt_is(device->pl, PL_OPT_TRANSPORT, "direct");
  PL_TRY(device->driver->sync(device));
  free_own(device, b->out);
  free_own(device, b->in);
  b->out = b->in = NULL;
  PL_TRY(new_buffer(device, b->out_room, &b->out, &unused));
  PL_TRY(new_buffer(device, b->in_room, &b->in, &unused));
  bool direct = (device->direct && !pl_opt_is(device->pl, PL_OPT_TRANSPORT, "staged")) || asked;
  b->path = direct ? DIRECT : STAGED;
  say(device, b, p, direct ? "by MPI, from the device's memory" : "through the host");
  return PL_SUCCESS;
}

/* What two ranks that may share say to each other: what they have, then how it went (0: not at all, 1:
 * memory, 2: events too). */
typedef struct meeting {
  struct offer {
    int ok, event, place;
    pl_handle memory, signal[2];
  } mine, theirs;
  char went, went_there;
} meeting;

static bool may_share(const pl_device *device, const box *b, const pl_peer *p)
{
  int kind = pl_device_shares(device->pl);
  bool same = kind != PL_SHARES_NOTHING && pl_comm_kind(device->pl, p->rank) == kind;
  return same && (!b->met || b->path == SHARED);
}

/* Makes both places of what comes from a peer, after closing what was opened of it. */
static void make_offer(pl_device *device, box *b, meeting *t)
{
  const pl_driver *d = device->driver;
  leave(device, b);
  d->sync(device);
  free_events(device, b->written);
  b->out = b->in; /* kept until the peer has closed it */
  b->in = NULL;
  t->mine.place = device->place;
  t->mine.ok = !d->shared_new(device, 2 * b->in_room, &b->in, &t->mine.memory);
  t->mine.event = t->mine.ok && d->signal_new;
  for (int k = 0; k < 2 && t->mine.event; k++)
    t->mine.event = !d->signal_new(device, &b->written[k], &t->mine.signal[k]);
}

/* Two ranks on one device wait for messages: a queue that waits would hold up the other rank's. */
static void take_offer(pl_device *device, box *b, meeting *t)
{
  const pl_driver *d = device->driver;
  free_own(device, b->out);
  b->out = NULL;
  if (!t->mine.ok || !t->theirs.ok || d->shared_open(device, &t->theirs.memory, &b->there)) return;
  bool events = t->mine.event && t->theirs.event && t->mine.place != t->theirs.place;
  for (int k = 0; k < 2 && events; k++) events = !d->signal_open(device, &t->theirs.signal[k], &b->theirs[k]);
  t->went = events ? 2 : 1;
}

static pl_err conclude(pl_device *device, box *b, const pl_peer *p, const meeting *t)
{
  static const char *const how[] = {"another way, its memory cannot be opened",
                                    "into its memory, ordered by messages",
                                    "into its memory, ordered by events"};
  int went = t->went < t->went_there ? t->went : t->went_there;
  b->path = went ? SHARED : STAGED;
  b->events = went == 2;
  say(device, b, p, how[went]);
  if (!went) leave(device, b);
  return went ? PL_SUCCESS : make_plain(device, b, p);
}

/* With all peers of `list` at once. *told: whether others know that this rank has sent what they wait for. */
static pl_err meet(pl_device *device, struct pl_exchange *x, box *boxes, int n, const int *list, meeting *t,
                   bool *told)
{
  pl_context *pl = device->pl;
  for (int i = 0; i < n; i++) {
    make_offer(device, &boxes[list[i]], &t[i]);
    PL_TRY(pl_messages_receive(pl, &x->messages, x->peer[list[i]].rank, &t[i].theirs, sizeof t[i].theirs));
  }
  for (int i = 0; i < n; i++)
    PL_TRY(pl_messages_send(pl, &x->messages, x->peer[list[i]].rank, &t[i].mine, sizeof t[i].mine));
  if (!*told) pl_comm_sent(pl);
  *told = true;
  PL_TRY(pl_messages_wait(pl, &x->messages));
  for (int i = 0; i < n; i++) {
    take_offer(device, &boxes[list[i]], &t[i]);
    PL_TRY(pl_messages_receive(pl, &x->messages, x->peer[list[i]].rank, &t[i].went_there, 1));
  }
  for (int i = 0; i < n; i++)
    PL_TRY(pl_messages_send(pl, &x->messages, x->peer[list[i]].rank, &t[i].went, 1));
  PL_TRY(pl_messages_wait(pl, &x->messages));
  for (int i = 0; i < n; i++) PL_TRY(conclude(device, &boxes[list[i]], &x->peer[list[i]], &t[i]));
  return PL_SUCCESS;
}

/* Boxes for all peers; those that are too small grow. */
static pl_err make_room(pl_device *device, struct pl_exchange *x, pl_mail *m, bool *told)
{
  pl_context *pl = device->pl;
  if (m->n < x->npeers) {
    box *grown = pl_resize(pl, m->box, (size_t)x->npeers * sizeof *grown);
    if (!grown) return pl_fail_memory(pl, (size_t)x->npeers * sizeof *grown);
    memset(grown + m->n, 0, (size_t)(x->npeers - m->n) * sizeof *grown);
    m->box = grown;
    m->n = x->npeers;
  }
  int n = 0, *list = NULL;
  meeting *t = NULL;
  pl_err err = PL_SUCCESS;
  for (int i = 0; !err && i < x->npeers; i++) {
    box *b = &m->box[i];
    const pl_peer *p = &x->peer[i];
    if (!is_short(b, p)) continue;
    if (!list) {
      list = pl_calloc(pl, (size_t)x->npeers, sizeof *list);
      t = pl_calloc(pl, (size_t)x->npeers, sizeof *t);
      if (!list || !t) err = pl_fail_memory(pl, (size_t)x->npeers * sizeof *t);
    }
    b->out_room = room_for(b->out_room, p->sends);
    b->in_room = room_for(b->in_room, p->receives);
    if (err) continue;
    if (may_share(device, b, p))
      list[n++] = i;
    else
      err = make_plain(device, b, p);
  }
  if (!err && n) err = meet(device, x, m->box, n, list, t, told);
  for (int i = 0; i < x->npeers; i++) m->box[i].met |= !err && takes_part(&x->peer[i]);
  pl_free(pl, list);
  pl_free(pl, t);
  return err;
}

/* ---- packing ---- */

/* Where the next bytes for a peer go, and where those from it are. */
static void *const *out_of(const box *b, const pl_peer *p, size_t *at)
{
  *at = p->sent + (b->path == SHARED ? b->turn % 2 * b->out_room : 0);
  return b->path == SHARED ? &b->there : &b->out;
}

static void *const *in_of(const box *b, const pl_peer *p, size_t *at)
{
  *at = p->received + (b->path == SHARED ? b->turn % 2 * b->in_room : 0);
  return &b->in;
}

/* The backend's copy of a list. */
static pl_err bring_list(pl_device *device, const int *list, int n, void **copy)
{
  return *copy || !n ? PL_SUCCESS : pl_device_copy_in(device, list, (size_t)n * sizeof *list, copy);
}

static pl_listed *next_move(pl_device *device, pl_mail *m)
{
  if (m->nmoves == m->move_room) {
    int room = 2 * m->move_room + 8;
    pl_listed *grown = pl_resize(device->pl, m->move, (size_t)room * sizeof *grown);
    if (!grown) return pl_fail_memory(device->pl, (size_t)room * sizeof *grown), NULL;
    m->move = grown;
    m->move_room = room;
  }
  return &m->move[m->nmoves++];
}

static pl_err pack_item(pl_device *device, struct pl_exchange *x, pl_mail *m, const pl_item *item)
{
  pl_halo *halo = item->halo;
  PL_TRY(bring_list(device, halo->send, halo->send_offset[halo->n], &halo->device_send));
  for (int i = 0; i < halo->n; i++) {
    pl_peer *p = &x->peer[halo->peer[i]];
    pl_listed *move = next_move(device, m);
    if (!move) return PL_ERR_MEMORY;
    *move = (pl_listed){.dat = item->dat,
                        .list = &halo->device_send,
                        .first = halo->send_offset[i],
                        .n = pl_item_gives(item, i)};
    move->buffer = out_of(&m->box[halo->peer[i]], p, &move->at);
    p->sent += (size_t)move->n * pl_dat_stride(item->dat);
  }
  return PL_SUCCESS;
}

static pl_err unpack_item(pl_device *device, struct pl_exchange *x, pl_mail *m, const pl_item *item)
{
  pl_halo *halo = item->halo;
  PL_TRY(bring_list(device, halo->receive, halo->receive_offset[halo->n], &halo->device_receive));
  for (int i = 0; i < halo->n; i++) {
    pl_peer *p = &x->peer[halo->peer[i]];
    pl_listed *move = next_move(device, m);
    if (!move) return PL_ERR_MEMORY;
    *move = (pl_listed){.dat = item->dat,
                        .list = &halo->device_receive,
                        .first = halo->receive_offset[i],
                        .n = pl_item_takes(item, i)};
    move->buffer = in_of(&m->box[halo->peer[i]], p, &move->at);
    p->received += (size_t)move->n * pl_dat_stride(item->dat);
  }
  return PL_SUCCESS;
}

/* All items of all neighbours at once. */
static pl_err move_items(pl_device *device, struct pl_exchange *x, pl_mail *m, bool to_device)
{
  m->nmoves = 0;
  for (int d = 0; d < x->nitems; d++)
    PL_TRY((to_device ? unpack_item : pack_item)(device, x, m, &x->item[d]));
  return pl_device_move_listed(device, m->nmoves, m->move, to_device);
}

/* Packed by the host where the values are there: to where the device would have put them. */
static pl_err pack_on_host(pl_device *device, struct pl_exchange *x, const pl_mail *m)
{
  PL_TRY(pl_exchange_pack(x));
  for (int i = 0; i < x->npeers; i++) {
    pl_peer *p = &x->peer[i];
    size_t at;
    p->sent = 0;
    if (m->box[i].path != STAGED) {
      void *const *buffer = out_of(&m->box[i], p, &at);
      PL_TRY(device->driver->start_write(device, *buffer, at, p->send, p->sends));
    }
  }
  return PL_SUCCESS;
}

/* ---- beginning ---- */

pl_err pl_device_exchange_ready(pl_context *pl, struct pl_exchange *x)
{
  pl_device *device = pl_device_of(pl);
  pl_mail *m = NULL;
  bool told = false;
  PL_TRY(mail_of(device, &m));
  PL_TRY(make_room(device, x, m, &told));
  if (!told) pl_comm_sent(pl);
  for (int d = 0; d < x->nitems; d++) {
    pl_halo *halo = x->item[d].halo;
    PL_TRY(bring_list(device, halo->send, halo->send_offset[halo->n], &halo->device_send));
    PL_TRY(bring_list(device, halo->receive, halo->receive_offset[halo->n], &halo->device_receive));
    PL_TRY(pl_device_listed_ready(device, x->item[d].dat));
  }
  return PL_SUCCESS;
}

static void use_queue(pl_device *device, void *queue)
{
  device->driver->queue_use(device, queue);
}

/* Back to the queue that loops run in. */
static pl_err leave_queue(pl_device *device, pl_err err)
{
  pl_device_queue_back(device);
  return err;
}

/* Loops want their dats on the device anyway; what is only looked at is taken where it is. */
static pl_err find_values(struct pl_exchange *x, pl_mail *m)
{
  m->on_device = true;
  for (int d = 0; d < x->nitems; d++) {
    pl_dat *dat = x->item[d].dat;
    if (x->for_loop) PL_TRY(pl_dat_device(dat, true));
    m->on_device &= dat->device_valid;
  }
  return PL_SUCCESS;
}

/* Whether the host has to do with messages that do not pass through its memory. */
static bool host_looks(const struct pl_exchange *x, const pl_mail *m)
{
  bool valid = !m->on_device;
  for (int d = 0; d < x->nitems; d++) valid |= x->item[d].dat->host && !x->item[d].dat->host_stale;
  return valid;
}

static pl_err expect(pl_device *device, struct pl_exchange *x, pl_peer *p, box *b)
{
  pl_context *pl = device->pl;
  if (b->path == SHARED) return pl_messages_receive(pl, &x->messages, p->rank, &b->heard, 1);
  void *into = b->path == DIRECT ? device->driver->address(device, b->in) : p->receive;
  return pl_messages_receive(pl, &x->messages, p->rank, into, p->receives);
}

/* Behind the packing: what needs no word of the host's is said, the rest is fetched. */
static pl_err post(pl_device *device, struct pl_exchange *x, pl_peer *p, box *b, bool on_device)
{
  pl_context *pl = device->pl;
  if (b->path == SHARED && b->events) {
    PL_TRY(device->driver->event_record(device, b->written[b->turn % 2]));
    return pl_messages_send(pl, &x->messages, p->rank, &b->said, 1);
  }
  if (b->path != STAGED || !on_device) return PL_SUCCESS;
  pl->stats.bytes_from_device += p->sends;
  pl->stats.calls_from_device += p->sends > 0;
  return device->driver->start_read(device, p->send, b->out, 0, p->sends);
}

static pl_err pack_all(pl_device *device, struct pl_exchange *x, pl_mail *m)
{
  use_queue(device, m->queue);
  PL_TRY(device->driver->queue_wait(device, m->ready));
  PL_TRY(m->on_device ? move_items(device, x, m, false) : pack_on_host(device, x, m));
  for (int i = 0; i < x->npeers; i++)
    if (takes_part(&x->peer[i])) PL_TRY(post(device, x, &x->peer[i], &m->box[i], m->on_device));
  return device->driver->event_record(device, m->packed);
}

/* Until the last exchange's messages have left the buffers that MPI or the bus fills. */
static pl_err wait_for_buffers(pl_device *device, const struct pl_exchange *x, pl_mail *m)
{
  for (int i = 0; i < x->npeers; i++)
    if (takes_part(&x->peer[i]) && m->box[i].path != SHARED)
      return device->driver->event_wait(device, m->done);
  return PL_SUCCESS;
}

pl_err pl_device_exchange_begin(pl_context *pl, struct pl_exchange *x)
{
  pl_device *device = pl_device_of(pl);
  pl_mail *m = NULL;
  bool told = true; /* at the end */
  device->turned = NULL;
  PL_TRY(mail_of(device, &m));
  PL_TRY(find_values(x, m));
  PL_TRY(make_room(device, x, m, &told));
  PL_TRY(wait_for_buffers(device, x, m));
  bool looks = host_looks(x, m);
  for (int i = 0; i < x->npeers; i++) {
    pl_peer *p = &x->peer[i];
    if (!takes_part(p)) continue;
    if (looks || m->box[i].path == STAGED) PL_TRY(pl_exchange_room(pl, p));
    PL_TRY(expect(device, x, p, &m->box[i]));
  }
  PL_TRY(device->driver->event_record(device, m->ready));
  return leave_queue(device, pack_all(device, x, m));
}

pl_err pl_device_leave_rest(pl_device *device, pl_device_code *code)
{
  device->turned = code;
  return device->driver->event_record(device, device->mail->brought);
}

/* ---- ending ---- */

/* What had to wait for the packing, while the core runs. */
static pl_err send_rest(pl_device *device, struct pl_exchange *x, pl_mail *m)
{
  pl_context *pl = device->pl;
  bool waited = false;
  for (int i = 0; i < x->npeers; i++) {
    pl_peer *p = &x->peer[i];
    box *b = &m->box[i];
    if (!takes_part(p) || (b->path == SHARED && b->events)) continue;
    if (!waited) PL_TRY(device->driver->event_wait(device, m->packed));
    waited = true;
    const void *from = b->path == SHARED   ? &b->said
                       : b->path == DIRECT ? device->driver->address(device, b->out)
                                           : p->send;
    PL_TRY(pl_messages_send(pl, &x->messages, p->rank, from, b->path == SHARED ? 1 : p->sends));
  }
  return PL_SUCCESS;
}

/* Before the unpacking: the queue waits for the neighbour, or what came by the host goes to the device. */
static pl_err receive(pl_device *device, pl_peer *p, box *b, const pl_mail *m, bool looks)
{
  pl_stats *stats = &device->pl->stats;
  size_t at;
  if (b->path == SHARED && b->events) PL_TRY(device->driver->queue_wait(device, b->theirs[b->turn % 2]));
  void *const *in = in_of(b, p, &at);
  if (b->path != STAGED)
    return looks ? device->driver->start_read(device, p->receive, *in, at, p->receives) : PL_SUCCESS;
  if (!m->on_device) return PL_SUCCESS;
  stats->bytes_to_device += p->receives;
  stats->calls_to_device += p->receives > 0;
  return device->driver->start_write(device, b->in, 0, p->receive, p->receives);
}

static pl_err unpack_all(pl_device *device, struct pl_exchange *x, pl_mail *m)
{
  bool looks = host_looks(x, m);
  use_queue(device, m->queue);
  for (int i = 0; i < x->npeers; i++)
    if (takes_part(&x->peer[i])) PL_TRY(receive(device, &x->peer[i], &m->box[i], m, looks));
  if (m->on_device) PL_TRY(move_items(device, x, m, true));
  if (device->turned) PL_TRY(device->driver->queue_wait(device, m->brought));
  PL_TRY(pl_device_run_rest(device));
  PL_TRY(device->driver->event_record(device, m->done));
  for (int i = 0; i < x->npeers; i++) {
    m->box[i].turn += takes_part(&x->peer[i]);
    x->peer[i].received = 0;
  }
  if (!looks) return PL_SUCCESS;
  PL_TRY(device->driver->event_wait(device, m->done));
  pl_exchange_unpack(x);
  return PL_SUCCESS;
}

pl_err pl_device_exchange_end(pl_context *pl, struct pl_exchange *x)
{
  pl_device *device = pl_device_of(pl);
  pl_mail *m = device->mail;
  PL_TRY(send_rest(device, x, m));
  pl_comm_sent(pl);
  PL_TRY(pl_messages_wait(pl, &x->messages));
  PL_TRY(leave_queue(device, unpack_all(device, x, m)));
  device->exchanges++;
  return device->driver->queue_wait(device, m->done);
}

/* ---- globals ---- */

static pl_err fetch(pl_device *device, pl_mail *m, pl_global *global, void *host, void *event)
{
  size_t bytes = (size_t)global->dim * pl_type_size(global->type);
  use_queue(device, m->queue);
  PL_TRY(device->driver->queue_wait(device, m->ready));
  PL_TRY(device->driver->start_read(device, host, global->device, 0, bytes));
  return device->driver->event_record(device, event);
}

/* Beside the loops that follow. These may run in another queue, where there are several. */
pl_err pl_device_global_fetch(pl_context *pl, pl_global *global, void *host, void **event)
{
  pl_device *device = pl_device_of(pl);
  pl_mail *m = NULL;
  PL_TRY(mail_of(device, &m));
  PL_TRY(pl_device_settle(device));
  if (!*event) PL_TRY(device->driver->event_new(device, false, event));
  PL_TRY(device->driver->event_record(device, m->ready));
  PL_TRY(leave_queue(device, fetch(device, m, global, host, *event)));
  global->fetched = *event;
  global->fetched_at = device->exchanges;
  return device->queues ? device->driver->event_wait(device, *event) : PL_SUCCESS;
}

/* ---- memory ---- */

pl_err pl_device_host_alloc(pl_context *pl, size_t bytes, void **memory)
{
  pl_device *device = pl_device_of(pl);
  if (device->driver->host_alloc) return device->driver->host_alloc(device, bytes, memory);
  *memory = pl_malloc(pl, bytes);
  return *memory ? PL_SUCCESS : pl_fail_memory(pl, bytes);
}

void pl_device_host_free(pl_context *pl, void *memory)
{
  pl_device *device = pl_device_of(pl);
  if (device->driver->host_free)
    device->driver->host_free(device, memory);
  else
    pl_free(pl, memory);
}

int pl_device_shares(pl_context *pl)
{
  const pl_device *device = pl_device_of(pl);
  bool wanted = pl_opt_is(pl, PL_OPT_TRANSPORT, "auto") || pl_opt_is(pl, PL_OPT_TRANSPORT, "shared");
  return wanted ? device->shares : PL_SHARES_NOTHING;
}

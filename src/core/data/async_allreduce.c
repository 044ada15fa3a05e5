/* SPDX-License-Identifier: BSD-2-Clause
 * Non-blocking allreduce of globals.
 *
 * A partial result may still be computed by a device; its reduction then starts later, without a wait, and
 * stays pending until the global is read.
 *
 * Invariant: reductions start in the order of their loops and before any collective that is called later. So
 * all ranks start the same reductions in the same order: while they wait for messages, or at the latest in
 * their next collective.
 */
#include "async_allreduce.h"
#include "core/comm/comm.h"
#include "core/data/objects.h"
#include <string.h>

enum { MOST = 16 }; /* pending reductions */

struct pl_allreduce {
  pl_allreduce *next; /* a younger one */
  pl_global *global;  /* NULL: dropped */
  pl_type type;
  pl_access op;
  size_t dim, room;
  void *found;         /* the partial result, later that of all ranks */
  void *fetched_event; /* `found` is valid after it; NULL on hosts */
  bool fetched, started;
  pl_messages messages;
};

static void free_allreduce(pl_context *pl, pl_allreduce *t)
{
  bool quiet = pl_messages_free(pl, &t->messages);
  if (t->fetched_event) pl->backend->queues->event_free(pl, t->fetched_event);
  if (quiet) pl_transfer_free(pl, t->found);
  pl_free(pl, t);
}

/* Reuses a finished reduction or allocates one. */
static pl_allreduce *new_allreduce(pl_context *pl, size_t bytes)
{
  pl_allreduce *t = pl->allreduces_idle;
  if (t) pl->allreduces_idle = t->next;
  if (!t) t = pl_calloc(pl, 1, sizeof *t);
  if (!t) return pl_fail_memory(pl, sizeof *t), NULL;
  if (t->room < bytes) {
    pl_transfer_free(pl, t->found);
    t->room = 0;
    if (!(t->found = pl_transfer_alloc(pl, bytes))) return free_allreduce(pl, t), NULL;
    t->room = bytes;
  }
  t->next = NULL;
  t->started = t->fetched = false;
  return t;
}

static void append_allreduce(pl_context *pl, pl_allreduce *t)
{
  pl_allreduce **link = &pl->allreduces;
  while (*link) link = &(*link)->next;
  *link = t;
  pl->nallreduces++;
  t->global->pending_reductions++;
}

static void retire_allreduce(pl_context *pl, pl_allreduce *t)
{
  pl_allreduce **link = &pl->allreduces;
  while (*link != t) link = &(*link)->next;
  *link = t->next;
  pl->nallreduces--;
  if (t->global) t->global->pending_reductions--;
  t->next = pl->allreduces_idle;
  pl->allreduces_idle = t;
}

static pl_err fetch_result(pl_context *pl, pl_allreduce *t, size_t bytes)
{
  PL_TRY(pl->backend->data->global_fetch(pl, t->global, t->found, &t->fetched_event));
  pl->stats.bytes_from_device += bytes;
  pl->stats.calls_from_device++;
  t->fetched = true;
  return PL_SUCCESS;
}

static pl_err test_fetched(pl_context *pl, const pl_allreduce *t, bool wait, bool *done)
{
  *done = true;
  if (!t->fetched) return PL_SUCCESS;
  return wait ? pl->backend->queues->event_wait(pl, t->fetched_event)
              : pl->backend->queues->event_done(pl, t->fetched_event, done);
}

static pl_err start_ready(pl_context *pl, bool wait)
{
  for (pl_allreduce *t = pl->allreduces; t; t = t->next) {
    bool done;
    if (t->started) continue;
    PL_TRY(test_fetched(pl, t, wait, &done));
    if (!done) return PL_SUCCESS;
    PL_TRY(pl_messages_reduce(pl, &t->messages, t->type, t->op, t->found, t->dim));
    t->started = true;
  }
  return PL_SUCCESS;
}

/* Starts the reductions whose partial results are computed, or with `wait` all. After a failure this rank
 * leaves. Local. */
static pl_err start_allreduces(pl_context *pl, bool wait)
{
  return pl->allreduces ? pl_comm_leave(pl, start_ready(pl, wait)) : PL_SUCCESS;
}

pl_err pl_allreduce_send(pl_global *global, pl_access op, const void *found)
{
  pl_context *pl = global->node.pl;
  size_t bytes = (size_t)global->dim * pl_type_size(global->type);
  pl_allreduce *t = new_allreduce(pl, bytes);
  if (!t) return PL_ERR_MEMORY;
  t->global = global;
  t->type = global->type;
  t->op = op;
  t->dim = (size_t)global->dim;
  append_allreduce(pl, t);
  pl_err err = pl_messages_reserve_reduction(pl, &t->messages, bytes);
  if (!err && found) memcpy(t->found, found, bytes);
  if (!err && !found) err = fetch_result(pl, t, bytes);
  if (err) retire_allreduce(pl, t);
  return err ? err : start_allreduces(pl, false);
}

/* Waits for a reduction and combines its result with the global. */
static pl_err finish_allreduce(pl_context *pl, pl_allreduce *t)
{
  pl_global *global = t->global;
  PL_TRY(start_allreduces(pl, true));
  PL_TRY(pl_messages_wait(pl, &t->messages));
  if (global) {
    pl_combine(t->type, t->op, global->value, t->found, t->dim);
    pl_global_host_written(global);
  }
  retire_allreduce(pl, t);
  return PL_SUCCESS;
}

pl_err pl_global_wait(pl_global *global)
{
  pl_context *pl = global->node.pl;
  while (global->pending_reductions) {
    pl_allreduce *t = pl->allreduces;
    while (t->global != global) t = t->next;
    PL_TRY(finish_allreduce(pl, t));
  }
  return PL_SUCCESS;
}

pl_err pl_allreduces_limit(pl_context *pl)
{
  for (pl_allreduce *t = pl->allreduces, *next; t; t = next) {
    next = t->next;
    if (t->started && !t->global && pl_messages_done(pl, &t->messages)) retire_allreduce(pl, t);
  }
  while (pl->nallreduces > MOST) PL_TRY(finish_allreduce(pl, pl->allreduces));
  return PL_SUCCESS;
}

void pl_allreduces_drop(pl_global *global)
{
  for (pl_allreduce *t = global->pending_reductions ? global->node.pl->allreduces : NULL; t; t = t->next)
    if (t->global == global) t->global = NULL;
  global->pending_reductions = 0;
  pl_failure_clear(global->node.pl, &global->node.failure);
}

/* Other ranks need the partial results of this one, so all reductions are finished. */
void pl_allreduces_close(pl_context *pl)
{
  while (pl->allreduces && !finish_allreduce(pl, pl->allreduces)) continue;
  for (int i = 0; i < 2; i++) {
    pl_allreduce **list = i ? &pl->allreduces_idle : &pl->allreduces;
    while (*list) {
      pl_allreduce *t = *list;
      *list = t->next;
      free_allreduce(pl, t);
    }
  }
  pl->nallreduces = 0;
}

const pl_observer pl_allreduce_observer = {.progress = start_allreduces};

/* SPDX-License-Identifier: BSD-2-Clause
 * Reductions over ranks, on their way. See total.h.
 *
 * A rank's part is found first, perhaps by a device that has not come to it yet: nobody waits for that. Then
 * it starts on its way to all, where it stays until somebody looks at the global.
 *
 * Invariant: parts start in the order of their loops and before any other collective that is called later. So
 * all ranks start the same ones in the same order, whenever each gets there: when it waits for messages, or
 * at the latest in its next collective.
 */
#include "total.h"
#include "context.h"
#include <string.h>

enum { MOST = 16 }; /* on their way at a time */

struct pl_total {
  pl_total *next;    /* a younger one */
  pl_global *global; /* NULL: its value was overwritten meanwhile */
  pl_type type;
  pl_access op;
  size_t dim, room;
  void *found; /* by this rank, then by all */
  void *there; /* the event behind which `found` is; NULL on hosts */
  bool fetched, started;
  pl_messages messages;
};

/* ---- memory ---- */

static void *take_memory(pl_context *pl, size_t bytes)
{
  void *memory = NULL;
  if (!pl->backend->host_alloc) memory = pl_malloc(pl, bytes);
  if (pl->backend->host_alloc && pl->backend->host_alloc(pl, bytes, &memory)) return NULL;
  if (!memory) pl_fail_memory(pl, bytes);
  return memory;
}

static void free_memory(pl_context *pl, void *memory)
{
  if (pl->backend->host_free)
    pl->backend->host_free(pl, memory);
  else
    pl_free(pl, memory);
}

static void free_total(pl_context *pl, pl_total *t)
{
  bool quiet = pl_messages_free(pl, &t->messages);
  if (t->there) pl->backend->event_free(pl, t->there);
  if (quiet) free_memory(pl, t->found);
  pl_free(pl, t);
}

/* One that is done with, or a new one. */
static pl_total *take_total(pl_context *pl, size_t bytes)
{
  pl_total *t = pl->totals_idle;
  if (t) pl->totals_idle = t->next;
  if (!t) t = pl_calloc(pl, 1, sizeof *t);
  if (!t) return pl_fail_memory(pl, sizeof *t), NULL;
  if (t->room < bytes) {
    free_memory(pl, t->found);
    t->room = 0;
    if (!(t->found = take_memory(pl, bytes))) return free_total(pl, t), NULL;
    t->room = bytes;
  }
  t->next = NULL;
  t->started = t->fetched = false;
  return t;
}

/* ---- the way ---- */

static void enter(pl_context *pl, pl_total *t)
{
  pl_total **link = &pl->totals;
  while (*link) link = &(*link)->next;
  *link = t;
  pl->ntotals++;
  t->global->coming++;
}

static void leave(pl_context *pl, pl_total *t)
{
  pl_total **link = &pl->totals;
  while (*link != t) link = &(*link)->next;
  *link = t->next;
  pl->ntotals--;
  if (t->global) t->global->coming--;
  t->next = pl->totals_idle;
  pl->totals_idle = t;
}

static pl_err fetch(pl_context *pl, pl_total *t, size_t bytes)
{
  PL_TRY(pl->backend->global_fetch(pl, t->global, t->found, &t->there));
  pl->stats.bytes_from_device += bytes;
  pl->stats.calls_from_device++;
  t->fetched = true;
  return PL_SUCCESS;
}

pl_err pl_total_send(pl_global *global, pl_access op, const void *found)
{
  pl_context *pl = global->node.pl;
  size_t bytes = (size_t)global->dim * pl_type_size(global->type);
  pl_total *t = take_total(pl, bytes);
  if (!t) return PL_ERR_MEMORY;
  t->global = global;
  t->type = global->type;
  t->op = op;
  t->dim = (size_t)global->dim;
  enter(pl, t);
  pl_err err = pl_messages_reserve(pl, &t->messages, 1);
  if (!err && found) memcpy(t->found, found, bytes);
  if (!err && !found) err = fetch(pl, t, bytes);
  if (err) leave(pl, t);
  return err ? err : pl_totals_start(pl, false);
}

static pl_err is_there(pl_context *pl, const pl_total *t, bool wait, bool *there)
{
  *there = true;
  if (!t->fetched) return PL_SUCCESS;
  return wait ? pl->backend->event_wait(pl, t->there) : pl->backend->event_done(pl, t->there, there);
}

static pl_err start(pl_context *pl, bool wait)
{
  for (pl_total *t = pl->totals; t; t = t->next) {
    bool there;
    if (t->started) continue;
    PL_TRY(is_there(pl, t, wait, &there));
    if (!there) return PL_SUCCESS;
    PL_TRY(pl_messages_reduce(pl, &t->messages, t->type, t->op, t->found, t->dim));
    t->started = true;
  }
  return PL_SUCCESS;
}

pl_err pl_totals_start(pl_context *pl, bool wait)
{
  return pl->totals ? pl_comm_leave(pl, start(pl, wait)) : PL_SUCCESS;
}

/* Waits for one and takes it in. */
static pl_err finish(pl_context *pl, pl_total *t)
{
  pl_global *global = t->global;
  PL_TRY(pl_totals_start(pl, true));
  PL_TRY(pl_messages_wait(pl, &t->messages));
  if (global) {
    pl_combine(t->type, t->op, global->value, t->found, t->dim);
    pl_global_host_written(global);
  }
  leave(pl, t);
  return PL_SUCCESS;
}

pl_err pl_global_wait(pl_global *global)
{
  pl_context *pl = global->node.pl;
  while (global->coming) {
    pl_total *t = pl->totals;
    while (t->global != global) t = t->next;
    PL_TRY(finish(pl, t));
  }
  return PL_SUCCESS;
}

pl_err pl_totals_limit(pl_context *pl)
{
  for (pl_total *t = pl->totals, *next; t; t = next) {
    next = t->next;
    if (t->started && !t->global && pl_messages_done(pl, &t->messages)) leave(pl, t);
  }
  while (pl->ntotals > MOST) PL_TRY(finish(pl, pl->totals));
  return PL_SUCCESS;
}

void pl_totals_drop(pl_global *global)
{
  for (pl_total *t = global->coming ? global->node.pl->totals : NULL; t; t = t->next)
    if (t->global == global) t->global = NULL;
  global->coming = 0;
}

/* Others wait for this rank's parts, whether it does or not. */
void pl_totals_close(pl_context *pl)
{
  while (pl->totals && !finish(pl, pl->totals)) continue;
  for (int i = 0; i < 2; i++) {
    pl_total **list = i ? &pl->totals_idle : &pl->totals;
    while (*list) {
      pl_total *t = *list;
      *list = t->next;
      free_total(pl, t);
    }
  }
  pl->ntotals = 0;
}

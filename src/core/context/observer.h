/* SPDX-License-Identifier: BSD-2-Clause
 * Events of a context. A module that caches data about objects, or that must act before objects are used,
 * registers one table of functions; the modules below announce events and know no observer.
 *
 * Invariant: observers are called in the order in which they were registered.
 */
#pragma once

#include "context.h"

typedef enum pl_object_kind {
  PL_OBJECT_SET,
  PL_OBJECT_MAP,
  PL_OBJECT_DAT,
  PL_OBJECT_GLOBAL,
  PL_OBJECT_CONST,
  PL_OBJECT_MATRIX
} pl_object_kind;

struct pl_lowered;

/* Each function may be NULL. */
struct pl_observer {
  /* An object is about to be freed. */
  void (*object_freed)(pl_context *pl, pl_object_kind kind, void *object);
  /* An object (NULL: any) is about to be read, or written, outside loops. */
  pl_err (*before_access)(pl_context *pl, pl_node *object, bool write);
  /* A loop is called while loops are recorded (pl_defers). */
  pl_err (*loop_called)(pl_loop *loop);
  /* A loop is about to be created. */
  pl_err (*before_new_loop)(pl_context *pl);
  /* Halos and local indices are about to be used: sets must be distributed. Collective. */
  pl_err (*distribute)(pl_context *pl);
  /* Replaces the mixed dats and matrices of a call by their parts, and its kernel by one that calls it with
   * them (core/data/lowered_args.h). Collective. */
  pl_err (*mixed_arguments)(pl_context *pl, pl_set *set, struct pl_lowered *call);
  /* Checks a matrix argument of a loop and makes it an argument on the dat of its values. Collective. */
  pl_err (*matrix_argument)(pl_context *pl, pl_set *set, pl_arg *arg);
  /* A call of a loop with this argument on the values of a matrix succeeded. */
  pl_err (*matrix_modified)(pl_context *pl, const pl_arg *arg);
  /* A loop with this masked argument on the values of a matrix is called again. Collective. */
  pl_err (*refresh_positions)(pl_map *positions);
  /* The neighbour list of a pair map is about to be used. */
  pl_err (*refresh_pairs)(pl_map *map);
  /* Ranks agree whether a list that a loop has used (pairs->unconfirmed) was valid. *renewed: it was stale
   * and is built again. Collective. */
  pl_err (*confirm_pairs)(pl_map *map, bool *renewed);
  /* Members of a new subset, one byte an element: halo copies get the byte of their owner. Collective. */
  pl_err (*exchange_marks)(pl_set *set, unsigned char *marks);
  /* Elements are about to move in storage or to other ranks: maps derived from their places are freed. */
  void (*storage_moves)(pl_context *pl);
  /* The size of a set has changed. */
  void (*set_resized)(pl_context *pl, pl_set *set);
  /* A rank polls in a wait, or (`wait`) is about to enter a collective: pending reductions start. */
  pl_err (*progress)(pl_context *pl, bool wait);
  /* The context closes; loops are freed, all other objects exist. */
  void (*close)(pl_context *pl);
};

void pl_observe(pl_context *pl, const pl_observer *observer); /* once */

/* Announce an event. The first observer that fails ends the round with its error. */
void pl_notify_freed(pl_context *pl, pl_object_kind kind, void *object);
pl_err pl_notify_access(pl_context *pl, pl_node *object, bool write);
pl_err pl_notify_loop_called(pl_context *pl, pl_loop *loop);
pl_err pl_notify_new_loop(pl_context *pl);
pl_err pl_notify_distribute(pl_context *pl);
pl_err pl_notify_mixed_arguments(pl_context *pl, pl_set *set, struct pl_lowered *call);
pl_err pl_notify_matrix_argument(pl_context *pl, pl_set *set, pl_arg *arg);
pl_err pl_notify_matrix_modified(pl_context *pl, const pl_arg *arg);
pl_err pl_notify_refresh_positions(pl_context *pl, pl_map *positions);
pl_err pl_notify_refresh_pairs(pl_context *pl, pl_map *map);
pl_err pl_notify_confirm_pairs(pl_context *pl, pl_map *map, bool *renewed);
pl_err pl_notify_exchange_marks(pl_context *pl, pl_set *set, unsigned char *marks);
void pl_notify_resized(pl_context *pl, pl_set *set);
pl_err pl_notify_progress(pl_context *pl, bool wait);
void pl_notify_close(pl_context *pl);

/* Runs the recorded work that an object depends on. Before a read: the error of a recorded loop that should
 * have computed it. */
static inline pl_err pl_before_access(pl_node *object, bool write)
{
  pl_context *pl = object->pl;
  if (pl->deferred.count) PL_TRY(pl_notify_access(pl, object, write));
  return write ? PL_SUCCESS : pl_failure_repeat(pl, &object->failure);
}

/* Runs all recorded work. */
static inline pl_err pl_before_any_access(pl_context *pl)
{
  return pl->deferred.count ? pl_notify_access(pl, NULL, true) : PL_SUCCESS;
}

/* Runs the loops that the backend has collected for a replay, before storage changes. */
static inline pl_err pl_backend_flush(pl_context *pl)
{
  return pl->backend->replay && pl->backend->replay->flush ? pl->backend->replay->flush(pl) : PL_SUCCESS;
}

/* Whether loops that are called now are recorded. */
static inline bool pl_defers(const pl_context *pl)
{
  return (pl->deferred.lazy || pl->deferred.open) && !pl->deferred.running;
}

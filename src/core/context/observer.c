/* SPDX-License-Identifier: BSD-2-Clause
 * Announces events to the observers of a context.
 */
#include "observer.h"

void pl_observe(pl_context *pl, const pl_observer *observer)
{
  for (int i = 0; i < pl->nobservers; i++)
    if (pl->observer[i] == observer) return;
  pl->observer[pl->nobservers++] = observer;
}

/* A function that calls `event` of every observer that defines it, until one fails. */
#define EVENT(name, event, params, ...)                                                                      \
  pl_err name params                                                                                         \
  {                                                                                                          \
    for (int i = 0; i < pl->nobservers; i++)                                                                 \
      if (pl->observer[i]->event) PL_TRY(pl->observer[i]->event(__VA_ARGS__));                               \
    return PL_SUCCESS;                                                                                       \
  }

EVENT(pl_notify_access, before_access, (pl_context * pl, pl_node *object, bool write), pl, object, write)
EVENT(pl_notify_loop_called, loop_called, (pl_context * pl, pl_loop *loop), loop)
EVENT(pl_notify_new_loop, before_new_loop, (pl_context * pl), pl)
EVENT(pl_notify_distribute, distribute, (pl_context * pl), pl)
EVENT(pl_notify_mixed_arguments, mixed_arguments, (pl_context * pl, pl_set *set, struct pl_lowered *call), pl,
      set, call)
EVENT(pl_notify_matrix_argument, matrix_argument, (pl_context * pl, pl_set *set, pl_arg *arg), pl, set, arg)
EVENT(pl_notify_matrix_modified, matrix_modified, (pl_context * pl, const pl_arg *arg), pl, arg)
EVENT(pl_notify_refresh_positions, refresh_positions, (pl_context * pl, pl_map *positions), positions)
EVENT(pl_notify_refresh_pairs, refresh_pairs, (pl_context * pl, pl_map *map), map)
EVENT(pl_notify_confirm_pairs, confirm_pairs, (pl_context * pl, pl_map *map, bool *renewed), map, renewed)
EVENT(pl_notify_exchange_marks, exchange_marks, (pl_context * pl, pl_set *set, unsigned char *marks), set,
      marks)
EVENT(pl_notify_progress, progress, (pl_context * pl, bool wait), pl, wait)

/* The same for events that cannot fail. */
#define VOID_EVENT(name, event, params, ...)                                                                 \
  void name params                                                                                           \
  {                                                                                                          \
    for (int i = 0; i < pl->nobservers; i++)                                                                 \
      if (pl->observer[i]->event) pl->observer[i]->event(__VA_ARGS__);                                       \
  }

VOID_EVENT(pl_notify_freed, object_freed, (pl_context * pl, pl_object_kind kind, void *object), pl, kind,
           object)
VOID_EVENT(pl_notify_resized, set_resized, (pl_context * pl, pl_set *set), pl, set)
VOID_EVENT(pl_notify_close, close, (pl_context * pl), pl)

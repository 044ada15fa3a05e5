/* SPDX-License-Identifier: BSD-2-Clause
 * The table of a context's loops. A loop owns its copy of the arguments.
 *
 * Invariant: the table holds at most one loop per signature. Freeing an object drops the loops that use it.
 */
#pragma once

#include "core/context/observer.h"
#include "core/data/loop_object.h"

/* The loop of a signature: found, or checked, created and inserted. Prepared if it runs `now`, else only
 * checked against the kernel's text. Collective if it is new. */
pl_err pl_loop_get(const pl_kernel *kernel, pl_set *set, int nargs, const pl_arg *args, bool now,
                   pl_loop **result);

/* The loop of this kernel and set that was called last, if its arguments are these; else NULL. */
pl_loop *pl_loop_recent(const pl_kernel *kernel, const pl_set *set, int nargs, const pl_arg *args);
void pl_loop_keep_recent(pl_loop *loop);

/* A loop of a kind that programs do not call: a member, or in blocks. Its arguments are not checked. */
pl_err pl_loop_unchecked(pl_loop_kind kind, const pl_kernel *kernel, pl_set *set, int nargs,
                         const pl_arg *args, pl_loop **result);

/* Gives a loop of the library a title for profiles and messages, unless it has one. Frees the text. */
pl_err pl_loop_name(pl_loop *loop, pl_string *title);

/* Recomputes the bytes of a call, for the profile. */
void pl_loop_measure(pl_loop *loop);

/* After a change of a map: its loops must be prepared again. */
void pl_loops_unprepare(pl_context *pl, const pl_map *map);

/* After a resize of a set: recomputes the bytes of its loops. */
void pl_loops_resized(pl_context *pl, const pl_set *set);

/* The object (a dat, map, set or global) is the loop's set or belongs to an argument: the loop is dropped
 * with it. */
bool pl_loop_names(const pl_loop *loop, const void *object);
/* Drops every loop that names the object. */
void pl_loops_forget(pl_context *pl, const void *object);
void pl_loops_close(pl_context *pl);

extern const pl_observer pl_loop_observer;

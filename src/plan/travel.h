/* SPDX-License-Identifier: BSD-2-Clause
 * Sets whose elements change ranks while the program runs: particles. Their elements keep their global
 * indices and take all their dats along; copies of other ranks' elements are dropped, and made anew by
 * pl_ghosts_make. Nothing else than dats, pair maps and one map that is handed in may hang on such a set.
 */
#ifndef PLAIT_PLAN_TRAVEL_H
#define PLAIT_PLAN_TRAVEL_H

#include "core/halo.h"

enum { PL_GONE = -1 };

/* Whether a set is free to travel: no subsets, no maps from or to it but pair maps and `but` (which may be
 * NULL), no open views. Local; `what` begins the sentence. */
pl_err pl_travel_check(const pl_set *set, const pl_map *but, const char *what);

/* Owned element i of a placed set goes to rank to[i], or is removed (PL_GONE). What stays keeps its place,
 * but that the last ones fill what becomes empty. `map` (or NULL) leads from the set and goes along: what the
 * entries of an element that travels name must belong to the rank it goes to. One message to each rank that
 * gets something. Collective. */
pl_err pl_travel(pl_set *set, const int *to, pl_map *map);

/* Gives a set that has travelled a halo: count[r] of its elements are copied to rank r, send[] are their
 * places, in the order of ranks. Collective. */
pl_err pl_ghosts_make(pl_set *set, const int64_t *count, const int *send);

#endif

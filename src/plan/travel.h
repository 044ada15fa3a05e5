/* SPDX-License-Identifier: BSD-2-Clause
 * Sets whose elements change ranks while the program runs: particles. Their elements keep their global
 * indices and take all their dats along; copies of other ranks' elements are dropped, and made anew by
 * pl_ghosts_make. Nothing else than dats, pair maps and one map that is handed in may hang on such a set.
 */
#ifndef PLAIT_PLAN_TRAVEL_H
#define PLAIT_PLAN_TRAVEL_H

#include "core/halo.h"
#include "scratch.h"

/* Owned elements of a set that leave this rank. */
typedef struct pl_leaving {
  int64_t *count;   /* that go to each rank */
  int *place;       /* where they are, by rank */
  int ngone, *gone; /* where those are that go for ever */
} pl_leaving;

enum { PL_GONE = -1 };

/* Of n elements, if element i goes to rank to[i], or for ever (PL_GONE); the arrays are the scratch's. Local.
 */
void pl_leaving_find(pl_scratch *scratch, int n, const int *to, pl_leaving *leaving);

/* From now on elements of a set come and go. What chains have made of its maps goes, once and for all, so
 * that only what the program has tied to it is left. Nothing is recorded. */
void pl_travel_begin(pl_set *set);

/* Whether a set is free to travel: no subsets, no maps from or to it but pair maps and `but` (which may be
 * NULL), no open views. Local; `what` begins the sentence. */
pl_err pl_travel_check(const pl_set *set, const pl_map *but, const char *what);

/* Owned elements of a placed set leave, and others come. What stays keeps its place, but that the last ones
 * fill what becomes empty. `map` (or NULL) leads from the set and goes along: what the entries of an element
 * that travels name must belong to the rank it goes to. Names go by MPI, values as halos do: on devices from
 * one to the other. Collective. */
pl_err pl_travel(pl_set *set, const pl_leaving *leaving, pl_map *map);

/* The map of arity 1 that leads from a set's particles to their cells; NULL: there is none. */
pl_map *pl_travel_map(const pl_set *set);

/* Storage for n elements of a set on this rank; where any rank's grows, loops are prepared anew on all.
 * Collective. */
pl_err pl_travel_room(pl_set *set, int64_t n);

/* Room for the names (global, view) of n elements of a set that has them; those there are are kept. Local. */
pl_err pl_travel_names(pl_set *set, int n);

/* A set has other elements from now on, named already: `owned` of its own, `total` with copies of others'; it
 * takes the halo over. Local. */
void pl_travel_renew(pl_set *set, pl_halo **halo, int owned, int total);

/* What was made of the entries of a set's map is made anew: they have changed. */
void pl_travel_forget(pl_map *map);

/* Counts a set's elements again, once some were removed. Collective. */
pl_err pl_travel_count(pl_set *set);

/* Gives a set that has travelled a halo: count[r] of its elements are copied to rank r, send[] are their
 * places, in the order of ranks. Collective. */
pl_err pl_ghosts_make(pl_set *set, const int64_t *count, const int *send);

#endif

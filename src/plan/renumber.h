/* SPDX-License-Identifier: BSD-2-Clause
 * Renumbering: new orders of sets that put what is used together close together.
 */
#ifndef PLAIT_PLAN_RENUMBER_H
#define PLAIT_PLAN_RENUMBER_H

#include "reorder.h"

/* The orders of all sets that maps connect, directly or in turn, with a base set. Owned by whoever makes it.
 * Invariant: order[i] is an order of set[i] (reorder.h), place[i] its inverse; set[0] is the base. */
typedef struct pl_family {
  pl_context *pl;
  int n;
  pl_set **set;
  int **order, **place;
} pl_family;

/* Spreads an order of a set (part of `family` from then on; freed with it, also on failure) over all sets
 * that maps connect with it: elements with a map to a set that has its order are sorted by their greatest,
 * then least target; targets of such a set come in the order in which its elements first touch them. */
pl_err pl_family_spread(pl_context *pl, pl_set *base, int *order, pl_family *family);
pl_err pl_family_apply(const pl_family *family);
void pl_family_free(pl_family *family);

/* How far apart what a map's neighbouring elements reach is, looked at in a few places: the share of targets
 * that lie in a neighbourhood of their own, from about 0 (close together) to 1 (anywhere). With a family as
 * it will be once that is applied. 0 if there are so few elements or targets that it does not matter. */
double pl_map_scatter(const pl_map *map, const pl_family *family);

/* pl_renumber on this rank's part of the sets alone; lists of elements that others hold (halos) must be made
 * afterwards. Local. */
pl_err pl_renumber_local(pl_context *pl, pl_renumber_method method, pl_map *map, pl_dat *coords);

/* Before a loop is made: looks at maps declared since the last time, and renumbers where the option renumber
 * asks for that or a map shows that it pays. Called through pl->before_loop. */
pl_err pl_renumber_for_loops(pl_context *pl);

#endif

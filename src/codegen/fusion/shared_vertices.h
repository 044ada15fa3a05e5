/* SPDX-License-Identifier: BSD-2-Clause
 * Shared vertices: targets of an inlined loop that are also targets of its reader.
 */
#pragma once

#include "inverse_rows.h"
#include "plan/execution/inverse_map.h"

enum { PL_PLACE_BITS = 3 }; /* of a target, in pl_shared_vertices.places */

/* Finds the first declared map of the reader's set that has all targets which the loop reads through another
 * map, for nearly all entries of all ranks; vertices->of stays NULL if there is none. Collective. */
pl_err pl_shared_vertices_find(pl_context *pl, const pl_loop *loop, const pl_increment_map *a,
                               const pl_inverse *inverse, int degree, pl_shared_vertices *vertices);

/* The position of an entry, through `side`, in its row, of which `row` is the mask in use; -1: its targets
 * are not at the places of other entries with this position and side. */
int pl_shared_vertices_fit(const pl_shared_vertices *c, int t, int element, int side, unsigned *row);

/* The place of target i of entries k through a side; -1: there are none. */
static inline int pl_shared_vertices_place(const pl_shared_vertices *c, int k, int side, int i)
{
  const int32_t places = c->places[k][side];
  return places < 0 ? -1 : places >> PL_PLACE_BITS * i & ((1 << PL_PLACE_BITS) - 1);
}

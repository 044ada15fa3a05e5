/* SPDX-License-Identifier: BSD-2-Clause
 * Graphs on the elements of a set, made from a map: elements that share a row are neighbours. Owned by
 * whoever builds them.
 * Invariants: neighbours of v are neighbour[offset[v] .. offset[v + 1]), in [0, n), none v itself; w is a
 * neighbour of v as v is of w; a unique graph names no neighbour twice.
 */
#ifndef PLAIT_PLAN_GRAPH_H
#define PLAIT_PLAN_GRAPH_H

#include "core/loop.h"

typedef struct pl_graph {
  int n;
  int64_t *offset; /* n + 1 */
  int *neighbour;
} pl_graph;

/* The graph on the set that `map` leads to. In rows of up to PL_GRAPH_CLIQUE targets all are neighbours of
 * all, in longer ones each of the next. */
enum { PL_GRAPH_CLIQUE = 8 };
pl_err pl_graph_build(pl_context *pl, const pl_map *map, bool unique, pl_graph *graph);
void pl_graph_free(pl_context *pl, pl_graph *graph);

/* The same graph with vertex order[i] called i. */
pl_err pl_graph_permute(pl_context *pl, const pl_graph *graph, const int *order, pl_graph *result);

/* The reversed order of Cuthill and McKee (1969; George 1971): neighbours are close to each other. Each
 * connected part is walked breadth first from a vertex at its border, neighbours by ascending degree. `order`
 * (n) gets the vertices in their new order. */
pl_err pl_graph_rcm(pl_context *pl, const pl_graph *graph, int *order);

/* Whether the invariants hold; on false `why` (may be NULL) says which does not. */
bool pl_graph_is_valid(const pl_graph *graph, bool unique, char *why, size_t size);

#endif

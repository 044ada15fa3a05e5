/* SPDX-License-Identifier: BSD-2-Clause
 * Graphs on the elements of a set, built from a map: elements that share a row are neighbours. The caller
 * owns a graph.
 * Invariants: neighbours of v are neighbour[offset[v] .. offset[v + 1]), in [0, n), none v itself; the
 * relation is symmetric; a unique graph lists no neighbour twice.
 */
#pragma once

#include <stdbool.h>
#include "plait.h"

typedef struct pl_graph {
  int n;
  int64_t *offset; /* n + 1 */
  int *neighbour;
} pl_graph;

/* The graph on the target set of `map`. In rows of up to PL_GRAPH_CLIQUE targets all are neighbours of each
 * other, in longer rows each target of the next. */
enum { PL_GRAPH_CLIQUE = 8 };

/* Whether targets k and l of a row of `arity` targets are neighbours. */
static inline bool pl_graph_joins(int arity, int k, int l)
{
  if (k == l) return false;
  if (arity <= PL_GRAPH_CLIQUE) return true;
  return (k + 1) % arity == l || (l + 1) % arity == k;
}

pl_err pl_graph_build(pl_context *pl, const pl_map *map, bool unique, pl_graph *graph);
void pl_graph_free(pl_context *pl, pl_graph *graph);

/* The same graph with vertex order[i] numbered i. */
pl_err pl_graph_permute(pl_context *pl, const pl_graph *graph, const int *order, pl_graph *result);

/* The reverse Cuthill-McKee order (1969; George 1971): neighbours get close numbers. Each connected component
 * is traversed breadth first from a peripheral vertex, neighbours by ascending degree. `order` (n) gets the
 * vertices in their new order. */
pl_err pl_graph_rcm(pl_context *pl, const pl_graph *graph, int *order);

/* Whether the invariants hold; if not, `why` (may be NULL) names the violated one. */
bool pl_graph_is_valid(const pl_graph *graph, bool unique, char *why, size_t size);

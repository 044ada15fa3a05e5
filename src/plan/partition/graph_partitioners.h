/* SPDX-License-Identifier: BSD-2-Clause
 * Partitioners of graphs in foreign libraries, each a module: METIS, PT-Scotch.
 */
#pragma once

#include "plan/base/graph.h"

/* Cuts a unique graph into nparts parts of about equal weight with few edges between them: part[v] gets the
 * part of v. `weight` (n, may be NULL: all 1) must not be negative. Errors: PL_ERR_BACKEND without the module
 * of METIS, PL_ERR_ARG for an invalid graph, PL_ERR_RANGE for one too large. */
pl_err pl_metis_kway(pl_context *pl, const pl_graph *graph, const int *weight, int nparts, int *part);

/* The functions of the module. */
typedef struct pl_metis_functions {
  pl_err (*kway)(pl_context *pl, const pl_graph *graph, const int *weight, int nparts, int *part);
} pl_metis_functions;

/* This rank's vertices of a graph over all ranks, which are numbered in the order of ranks. Neighbours have
 * global numbers; the graph is unique and symmetric. */
typedef struct pl_distributed_graph {
  int n;
  int64_t *offset, *neighbour; /* n + 1; offset[n] */
  int64_t *weight;             /* n; NULL: all 1 */
} pl_distributed_graph;

/* Cuts a graph into one part for each rank. Needs several ranks; collective. Errors: PL_ERR_BACKEND without
 * the module of PT-Scotch, PL_ERR_RANGE for a graph too large. */
pl_err pl_scotch_partition(pl_context *pl, const pl_distributed_graph *graph, int *part);

/* The functions of the module. */
typedef struct pl_scotch_functions {
  pl_err (*partition)(pl_context *pl, const pl_distributed_graph *graph, int *part);
} pl_scotch_functions;

/* SPDX-License-Identifier: BSD-2-Clause
 * The module of PT-Scotch (Chevalier and Pellegrini 2008). With several threads, and with the random numbers
 * of the process, PT-Scotch returns another partition in each call; a SCOTCH_Context has its own.
 */
#include "core/comm/comm.h"
#include "core/context/context.h"
#include "core/context/memory.h"
#include "graph_partitioners.h"
#include <ptscotch.h>

/* A graph's arrays in PT-Scotch's integer type. */
typedef struct scotch_graph {
  SCOTCH_Num *offset, *neighbour, *weight, *part;
} scotch_graph;

static SCOTCH_Num *copy_numbers(pl_context *pl, int64_t n, const int64_t *from)
{
  SCOTCH_Num *to = from ? pl_malloc_array(pl, (size_t)n * sizeof *to) : NULL;
  for (int64_t i = 0; to && i < n; i++) to[i] = (SCOTCH_Num)from[i];
  return to;
}

static pl_err check_edges(pl_context *pl, const pl_distributed_graph *graph)
{
  int64_t all = graph->offset[graph->n];
  PL_TRY(pl_comm_reduce(pl, PL_INT64, PL_INC, &all, 1));
  if (all <= SCOTCH_NUMMAX) return PL_SUCCESS;
  return pl_fail(pl, PL_ERR_RANGE,
                 "PT-Scotch: a graph of %lld edges, more than this build of PT-Scotch can take",
                 (long long)all / 2);
}

/* Calls PT-Scotch with one thread and fixed random numbers; false if it fails. Parts have at most about 3
 * % more weight than the mean, as METIS's. */
static bool compute(pl_context *pl, SCOTCH_Context *context, SCOTCH_Dgraph *graph, scotch_graph *s)
{
  int parts = pl_ranks(pl);
  SCOTCH_Dgraph bound;
  SCOTCH_Strat strategy;
  SCOTCH_contextRandomSeed(context, 1);
  if (SCOTCH_contextBindDgraph(context, graph, &bound)) return false;
  bool done = !SCOTCH_stratInit(&strategy) &&
              !SCOTCH_stratDgraphMapBuild(&strategy, SCOTCH_STRATDEFAULT, parts, parts, 0.03) &&
              !SCOTCH_dgraphPart(&bound, parts, &strategy, s->part);
  SCOTCH_stratExit(&strategy);
  SCOTCH_dgraphExit(&bound);
  return done;
}

static bool open_context(SCOTCH_Context *context)
{
  return !SCOTCH_contextOptionSetNum(context, SCOTCH_OPTIONNUMDETERMINISTIC, 1) &&
         !SCOTCH_contextThreadSpawn(context, 1, NULL) && !SCOTCH_contextRandomClone(context);
}

static bool call_scotch(pl_context *pl, const pl_distributed_graph *graph, scotch_graph *s)
{
  SCOTCH_Num n = graph->n, edges = s->offset[n];
  SCOTCH_Context context;
  SCOTCH_Dgraph d;
  if (SCOTCH_contextInit(&context)) return false;
  bool done = open_context(&context) && !SCOTCH_dgraphInit(&d, *(const MPI_Comm *)pl_comm_handle(pl));
  if (done) {
    done = !SCOTCH_dgraphBuild(&d, 0, n, n, s->offset, NULL, s->weight, NULL, edges, edges, s->neighbour,
                               NULL, NULL) &&
           compute(pl, &context, &d, s);
    SCOTCH_dgraphExit(&d);
  }
  SCOTCH_contextExit(&context);
  return done;
}

static pl_err partition(pl_context *pl, const pl_distributed_graph *graph, int *part)
{
  int64_t n = graph->n, edges = graph->offset[n];
  PL_TRY(check_edges(pl, graph));
  scotch_graph s = {copy_numbers(pl, n + 1, graph->offset), copy_numbers(pl, edges, graph->neighbour),
                    copy_numbers(pl, n, graph->weight), pl_malloc_array(pl, (size_t)n * sizeof *s.part)};
  bool all = s.offset && s.neighbour && s.part && (s.weight || !graph->weight);
  pl_err err = pl_agree(pl, all ? PL_SUCCESS : pl_fail_memory(pl, (size_t)edges * sizeof *s.neighbour));
  if (!err)
    err =
      pl_agree(pl, call_scotch(pl, graph, &s)
                     ? PL_SUCCESS
                     : pl_fail(pl, PL_ERR_INTERNAL,
                               "PT-Scotch failed on a graph with %d of its vertices on this rank", graph->n));
  for (int64_t v = 0; !err && v < n; v++) part[v] = (int)s.part[v];
  pl_free_arrays(pl, s.offset, s.neighbour, s.weight, s.part);
  return err;
}

static const pl_scotch_functions functions = {partition};

PL_DEFINE_MODULE(scotch, &functions)

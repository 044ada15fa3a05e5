/* SPDX-License-Identifier: BSD-2-Clause
 * The module of METIS (Karypis and Kumar 1998). METIS 5.1.0 fails with SIGFPE for one part and with SIGSEGV
 * for an invalid graph; neither is passed on.
 */
#include "graph_partitioners.h"
#include "core/context/context.h"
#include "core/context/memory.h"
#include <string.h>
#include <metis.h>

/* Copies of a graph's arrays in METIS's integer type. */
typedef struct metis_graph {
  idx_t *xadj, *adjncy, *vwgt, *part;
} metis_graph;

static idx_t *copy_int(pl_context *pl, size_t n, const int *from)
{
  idx_t *to = from ? pl_malloc_array(pl, n * sizeof *to) : NULL;
  for (size_t i = 0; to && i < n; i++) to[i] = from[i];
  return to;
}

static idx_t *copy_offsets(pl_context *pl, size_t n, const int64_t *from)
{
  idx_t *to = pl_malloc_array(pl, n * sizeof *to);
  for (size_t i = 0; to && i < n; i++) to[i] = (idx_t)from[i];
  return to;
}

static pl_err check_graph(pl_context *pl, const pl_graph *graph, int nparts)
{
  char why[128];
  if (nparts < 1) return pl_fail(pl, PL_ERR_RANGE, "METIS: %d parts; there must be at least 1", nparts);
  if (graph->offset[graph->n] > IDX_MAX)
    return pl_fail(pl, PL_ERR_RANGE, "METIS: a graph of %lld edges, more than this build of METIS can take",
                   (long long)graph->offset[graph->n] / 2);
  if (!pl_graph_is_valid(graph, true, why, sizeof why))
    return pl_fail(pl, PL_ERR_ARG, "METIS: invalid graph: %s", why);
  return PL_SUCCESS;
}

static pl_err call_metis(pl_context *pl, const pl_graph *graph, metis_graph *m, int nparts)
{
  idx_t n = graph->n, constraints = 1, parts = nparts, cut = 0, options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;
  int status = METIS_PartGraphKway(&n, &constraints, m->xadj, m->adjncy, m->vwgt, NULL, NULL, &parts, NULL,
                                   NULL, options, &cut, m->part);
  if (status == METIS_OK) return PL_SUCCESS;
  return status == METIS_ERROR_MEMORY
           ? pl_fail(pl, PL_ERR_MEMORY, "METIS ran out of memory on a graph of %d vertices", graph->n)
           : pl_fail(pl, PL_ERR_INTERNAL, "METIS failed with code %d on a graph of %d vertices", status,
                     graph->n);
}

static pl_err kway(pl_context *pl, const pl_graph *graph, const int *weight, int nparts, int *part)
{
  size_t n = (size_t)graph->n;
  PL_TRY(check_graph(pl, graph, nparts));
  memset(part, 0, n * sizeof *part);
  if (nparts == 1 || !n) return PL_SUCCESS;
  size_t entries = (size_t)graph->offset[n];
  metis_graph m = {copy_offsets(pl, n + 1, graph->offset), copy_int(pl, entries, graph->neighbour),
                   copy_int(pl, n, weight), pl_malloc_array(pl, n * sizeof(idx_t))};
  bool all = m.xadj && m.adjncy && m.part && (m.vwgt || !weight);
  pl_err err = all ? call_metis(pl, graph, &m, nparts) : pl_fail_memory(pl, entries * sizeof(idx_t));
  for (size_t v = 0; !err && v < n; v++) part[v] = (int)m.part[v];
  pl_free_arrays(pl, m.xadj, m.adjncy, m.vwgt, m.part);
  return err;
}

static const pl_metis_functions functions = {kway};

PL_DEFINE_MODULE(metis, &functions)

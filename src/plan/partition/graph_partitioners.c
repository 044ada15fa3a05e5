/* SPDX-License-Identifier: BSD-2-Clause
 * Calls of the modules that partition graphs.
 */
#include "graph_partitioners.h"
#include "core/context/context.h"

pl_err pl_metis_kway(pl_context *pl, const pl_graph *graph, const int *weight, int nparts, int *part)
{
  const pl_metis_functions *metis = pl_module_functions(pl, PL_MODULE_METIS);
  if (!metis) return pl_fail(pl, PL_ERR_BACKEND, "%s", pl_module_missing(pl, PL_MODULE_METIS));
  return metis->kway(pl, graph, weight, nparts, part);
}

pl_err pl_scotch_partition(pl_context *pl, const pl_distributed_graph *graph, int *part)
{
  const pl_scotch_functions *scotch = pl_module_functions(pl, PL_MODULE_SCOTCH);
  if (!scotch) return pl_fail(pl, PL_ERR_BACKEND, "%s", pl_module_missing(pl, PL_MODULE_SCOTCH));
  return scotch->partition(pl, graph, part);
}

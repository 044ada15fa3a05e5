/* SPDX-License-Identifier: BSD-2-Clause
 * Finite elements: calls of FFCx's kernels, whose seven parameters are in a fixed order.
 */
#include "elements.h"

#include <stdlib.h>

pl_err elements_integrate(const pl_kernel *kernel, pl_set *cells, pl_arg tensor, pl_arg coefficients,
                          pl_arg constants, pl_arg places)
{
  const pl_arg none = pl_arg_ptr(NULL);
  return pl_par_loop(kernel, cells, tensor, coefficients, constants, places, none, none, none);
}

double elements_functional(pl_context *pl, const pl_kernel *kernel, pl_set *cells, pl_arg coefficients,
                           pl_arg constants, pl_arg places)
{
  double value;
  pl_global *sum;
  PL_OK(pl, pl_decl_global(pl, 1, PL_DOUBLE, NULL, "sum", &sum));
  PL_OK(pl, elements_integrate(kernel, cells, pl_arg_gbl(sum, PL_INC), coefficients, constants, places));
  PL_OK(pl, pl_global_get(sum, &value));
  pl_global_free(&sum);
  return value;
}

pl_set *elements_boundary(pl_context *pl, pl_set *vertices, const triangle_mesh *mesh)
{
  pl_set *boundary;
  int *list = malloc(((size_t)mesh->nvertex + 1) * sizeof *list);
  if (!list) PL_OK(pl, PL_ERR_MEMORY);
  PL_OK(pl, pl_decl_subset(vertices, triangle_mesh_boundary(mesh, list), list, "boundary", &boundary));
  free(list);
  return boundary;
}

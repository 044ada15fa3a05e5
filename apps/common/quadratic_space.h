/* SPDX-License-Identifier: BSD-2-Clause
 * Quadratic elements on a mesh of triangles: a node at each vertex and in the middle of each edge. Owns its
 * arrays.
 */
#ifndef APPS_COMMON_QUADRATIC_SPACE_H
#define APPS_COMMON_QUADRATIC_SPACE_H

#include "triangle_mesh.h"

enum { QUADRATIC_NODES = 6 }; /* of a triangle: its vertices, then the edges opposite to them */

typedef struct quadratic_space {
  int nnode, nboundary;
  int *node, *boundary; /* QUADRATIC_NODES a cell; the nodes on the boundary */
  double *place;        /* 3 a vertex, as kernels of FFCx expect; the third is 0 */
} quadratic_space;

/* False without memory. */
bool quadratic_space_make(quadratic_space *space, const triangle_mesh *mesh);
void quadratic_space_free(quadratic_space *space);

#endif

/* SPDX-License-Identifier: BSD-2-Clause
 * The nodes of quadratic elements, numbered: vertices before edges.
 */
#include "quadratic_space.h"

#include <stdlib.h>

static void number_nodes(quadratic_space *s, const triangle_mesh *mesh, const int *edge)
{
  for (int c = 0; c < mesh->ncell; c++)
    for (int k = 0; k < 3; k++) {
      s->node[QUADRATIC_NODES * c + k] = mesh->corner[3 * c + k];
      s->node[QUADRATIC_NODES * c + 3 + k] = mesh->nvertex + edge[3 * c + k];
    }
  s->nboundary = triangle_mesh_boundary(mesh, s->boundary);
  for (int e = 0; e < 3 * mesh->ncell; e++)
    if (mesh->face[e] < 0) s->boundary[s->nboundary++] = mesh->nvertex + edge[e];
  for (int v = 0; v < mesh->nvertex; v++)
    for (int d = 0; d < 3; d++) s->place[3 * v + d] = d < 2 ? mesh->place[2 * v + d] : 0;
}

void quadratic_space_free(quadratic_space *s)
{
  free(s->node);
  free(s->boundary);
  free(s->place);
}

bool quadratic_space_make(quadratic_space *s, const triangle_mesh *mesh)
{
  const size_t ncell = (size_t)mesh->ncell, nvertex = (size_t)mesh->nvertex;
  int *edge = malloc((3 * ncell + 1) * sizeof *edge);
  s->node = malloc((QUADRATIC_NODES * ncell + 1) * sizeof *s->node);
  s->boundary = malloc((nvertex + 3 * ncell + 1) * sizeof *s->boundary);
  s->place = malloc((3 * nvertex + 1) * sizeof *s->place);
  const bool good = edge && s->node && s->boundary && s->place;
  if (good) {
    s->nnode = mesh->nvertex + triangle_mesh_edges(mesh, edge);
    number_nodes(s, mesh, edge);
  } else {
    quadratic_space_free(s);
  }
  free(edge);
  return good;
}

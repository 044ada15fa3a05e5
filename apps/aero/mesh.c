/* SPDX-License-Identifier: BSD-2-Clause
 * Merges the nodes of the wake. Node (i, j) of the C-grid has number i + j (3 I + 1), where (i, 0) and
 * (3 I - i, 0) are one place for i <= I: the first I + 1 nodes go.
 */
#include "mesh.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../airfoil/mesh.h"

static int merged(int third, int node)
{
  return node > third ? node - third - 1 : 2 * third - 1 - node;
}

static void take_cells(aero_mesh *mesh, const airfoil_mesh *from, int third)
{
  for (int c = 0; c < mesh->ncell; c++)
    for (int k = 0; k < 4; k++) mesh->cell[4 * c + k] = merged(third, from->cell_node[4 * c + k]);
}

static void take_far(aero_mesh *mesh, int third, int rows)
{
  const int columns = 3 * third;
  for (int node = third + 1; node < (columns + 1) * (rows + 1); node++) {
    const int i = node % (columns + 1), j = node / (columns + 1);
    if (i == 0 || i == columns || j == rows) mesh->far[mesh->nfar++] = merged(third, node);
  }
}

static bool take_mesh(aero_mesh *mesh, const airfoil_mesh *from, int third, int rows)
{
  mesh->nnode = from->nnode - (third + 1);
  mesh->ncell = from->ncell;
  mesh->x = malloc(2 * (size_t)mesh->nnode * sizeof *mesh->x);
  mesh->cell = malloc(4 * (size_t)mesh->ncell * sizeof *mesh->cell);
  mesh->far = malloc((3 * (size_t)third + 2 * (size_t)rows + 1) * sizeof *mesh->far);
  if (!mesh->x || !mesh->cell || !mesh->far) return fprintf(stderr, "aero: no memory for the mesh\n"), false;
  memcpy(mesh->x, from->x + 2 * ((size_t)third + 1), 2 * (size_t)mesh->nnode * sizeof *mesh->x);
  take_cells(mesh, from, third);
  take_far(mesh, third, rows);
  return true;
}

bool aero_mesh_make(aero_mesh *mesh, int i, int j)
{
  airfoil_mesh grid;
  mesh_error error;
  *mesh = (aero_mesh){0};
  if (!mesh_make(&grid, i, j, &error)) return fprintf(stderr, "aero: %s\n", error.text), false;
  const bool good = take_mesh(mesh, &grid, i, j);
  mesh_free(&grid);
  if (!good) aero_mesh_free(mesh);
  return good;
}

void aero_mesh_free(aero_mesh *mesh)
{
  free(mesh->x);
  free(mesh->cell);
  free(mesh->far);
  *mesh = (aero_mesh){0};
}

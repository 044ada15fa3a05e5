/* SPDX-License-Identifier: BSD-2-Clause
 * A mesh of tetrahedra of a box: its vertices, cells and edges. Owns its arrays.
 */
#ifndef APPS_COMMON_TETRA_MESH_H
#define APPS_COMMON_TETRA_MESH_H

#include <stdbool.h>
#include <stdint.h>

typedef struct tetra_mesh {
  int nvertex, nedge, ncell;
  double *place; /* 3 a vertex */
  int *corner;   /* 4 a cell, numbered so that a lower one comes first */
  int *edge;     /* 6 a cell: of its corners 2 3, 1 3, 1 2, 0 3, 0 2, 0 1 */
  int *end;      /* 2 an edge: its vertices */
} tetra_mesh;

/* A box of length[] in n[] cubes along each axis, of six tetrahedra each. False without memory. */
bool tetra_mesh_make(tetra_mesh *mesh, const int n[3], const double length[3]);
void tetra_mesh_free(tetra_mesh *mesh);

#endif

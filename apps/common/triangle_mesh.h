/* SPDX-License-Identifier: BSD-2-Clause
 * A mesh of triangles on the unit square: cells, their corners, and the cells across their faces; numbered at
 * random. Owns its arrays.
 */
#ifndef APPS_COMMON_TRIANGLE_MESH_H
#define APPS_COMMON_TRIANGLE_MESH_H

#include <stdbool.h>
#include <stdint.h>

typedef struct triangle_mesh {
  int nvertex, ncell;
  double *place; /* 2 a vertex */
  int *corner;   /* 3 a cell, counter-clockwise */
  int *face;     /* 3 a cell: the cell across the face opposite to corner k, or -1 */
} triangle_mesh;

/* `side` squares along each side, two triangles each, inner vertices moved by up to a fifth of a square.
 * False without memory. */
bool triangle_mesh_make(triangle_mesh *mesh, int side, uint64_t seed);
/* Lists the vertices on the boundary of the square, of which there may be nvertex; returns how many. */
int triangle_mesh_boundary(const triangle_mesh *mesh, int *list);
/* Numbers the edges: edge[3 c + k] is the edge of cell c opposite to corner k. Returns their number. */
int triangle_mesh_edges(const triangle_mesh *mesh, int *edge);
void triangle_mesh_free(triangle_mesh *mesh);

#endif

/* SPDX-License-Identifier: BSD-2-Clause
 * A mesh of triangles on the unit square: cells, their corners, and the cells across their faces; numbered at
 * random. Owns its arrays.
 */
#ifndef APPS_WALK_MESH_H
#define APPS_WALK_MESH_H

#include <stdbool.h>
#include <stdint.h>

typedef struct walk_mesh {
  int nvertex, ncell;
  double *place; /* 2 a vertex */
  int *corner;   /* 3 a cell, counter-clockwise */
  int *face;     /* 3 a cell: the cell across the face opposite to corner k, or -1 */
} walk_mesh;

/* `side` squares along each side, two triangles each, inner vertices moved by up to a fifth of a square.
 * False without memory. */
bool mesh_make(walk_mesh *mesh, int side, uint64_t seed);
void mesh_free(walk_mesh *mesh);

#endif

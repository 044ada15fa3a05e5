/* SPDX-License-Identifier: BSD-2-Clause
 * Host views of a mesh on one rank, and its quality.
 */
#pragma once

#include <plait.h>
#include <plait/mesh.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct mesh_views {
  pl_mesh *mesh;
  const double *x, *volume, *centroid, *normal; /* normal: of faces */
  const int *shape, *cell_marker, *boundary_marker, *face_marker;
  const int *cell_nodes, *face_cells;
} mesh_views;

pl_err mesh_views_open(pl_mesh *mesh, mesh_views *v); /* after pl_mesh_geometry */
void mesh_views_close(mesh_views *v);

/* Nodes of a cell, and how many. */
const int *mesh_cell(const mesh_views *v, int64_t cell, int *n);

typedef struct mesh_range {
  double least, most, sum;
  int64_t n;
} mesh_range;

/* Volume: area in 2D. Jacobian: the least scaled Jacobian at the corners of a cell: the determinant of the
 * unit vectors along its edges, over that of the ideal shape with edges of one length; 1 is ideal, 0 or less
 * is degenerate or folded (Knupp, Achieving finite element mesh quality via optimization, Int. J. Numer.
 * Meth. Engng 48, 2000). Edges: the longest over the shortest edge of a cell. Angle: degrees between the
 * normal of a face between two cells and the line between the centroids of these; 0 is best. */
typedef struct mesh_quality {
  mesh_range volume, jacobian, edges, angle;
} mesh_quality;

void mesh_quality_find(const mesh_views *v, mesh_quality *q);

/* SPDX-License-Identifier: BSD-2-Clause
 * The cells of a mesh file: the elements of its highest dimension. Collective.
 */
#pragma once

#include "mesh/base/file_mesh.h"

typedef struct cell_summary {
  int dim;                     /* of the mesh */
  unsigned shapes;             /* bit s: a cell has shape s */
  int64_t first, count, total; /* global index of this rank's first cell; cells of this rank and of all */
} cell_summary;

pl_err pl_mesh_count_cells(file_mesh *mesh, cell_summary *cells);

/* Orders the nodes of cells so that areas and volumes are positive. Refuses cells without a volume, and
 * meshes of dimension 2 outside the plane z = 0. */
pl_err pl_mesh_orient(file_mesh *mesh, const cell_summary *cells);

/* The largest number of nodes of a cell, and of a face. */
int pl_mesh_cell_width(const cell_summary *cells);
int pl_mesh_face_width(const cell_summary *cells);

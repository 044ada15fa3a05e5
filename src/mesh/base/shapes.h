/* SPDX-License-Identifier: BSD-2-Clause
 * Shapes of elements: tables of their faces and edges.
 *
 * A face lists its nodes anticlockwise seen from outside, in 2D from start to end with the element on the
 * left.
 */
#pragma once

#include <plait/mesh.h>

enum { SHAPES = PL_MESH_PYRAMID + 1, SHAPE_NODES = 8, SHAPE_FACES = 6, SHAPE_EDGES = 12, FACE_NODES = 4 };

typedef struct shape_info {
  const char *name;
  int dim, nodes, faces, edges;
  signed char face[SHAPE_FACES][FACE_NODES]; /* -1 behind the last node */
  signed char edge[SHAPE_EDGES][2];
  signed char mirror[SHAPE_NODES]; /* an order of the nodes with the opposite sign of the volume */
} shape_info;

const shape_info *pl_mesh_shape_info(int shape);

/* Number of nodes of a face of the table. */
int pl_mesh_face_size(const signed char face[FACE_NODES]);

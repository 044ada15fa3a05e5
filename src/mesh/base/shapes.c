/* SPDX-License-Identifier: BSD-2-Clause
 * The tables of shapes. See shapes.h.
 */
#include "shapes.h"

static const shape_info shapes[SHAPES] = {
  [PL_MESH_POINT] = {.name = "point", .nodes = 1},
  [PL_MESH_LINE] = {.name = "line", .dim = 1, .nodes = 2},
  [PL_MESH_TRIANGLE] = {.name = "triangle",
                        .dim = 2,
                        .nodes = 3,
                        .faces = 3,
                        .edges = 3,
                        .face = {{0, 1, -1, -1}, {1, 2, -1, -1}, {2, 0, -1, -1}},
                        .edge = {{0, 1}, {1, 2}, {2, 0}},
                        .mirror = {0, 2, 1}},
  [PL_MESH_QUADRILATERAL] = {.name = "quadrilateral",
                             .dim = 2,
                             .nodes = 4,
                             .faces = 4,
                             .edges = 4,
                             .face = {{0, 1, -1, -1}, {1, 2, -1, -1}, {2, 3, -1, -1}, {3, 0, -1, -1}},
                             .edge = {{0, 1}, {1, 2}, {2, 3}, {3, 0}},
                             .mirror = {0, 3, 2, 1}},
  [PL_MESH_TETRAHEDRON] = {.name = "tetrahedron",
                           .dim = 3,
                           .nodes = 4,
                           .faces = 4,
                           .edges = 6,
                           .face = {{0, 2, 1, -1}, {0, 1, 3, -1}, {1, 2, 3, -1}, {0, 3, 2, -1}},
                           .edge = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}},
                           .mirror = {0, 2, 1, 3}},
  [PL_MESH_HEXAHEDRON] =
    {.name = "hexahedron",
     .dim = 3,
     .nodes = 8,
     .faces = 6,
     .edges = 12,
     .face = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}},
     .edge = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6}, {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}},
     .mirror = {0, 3, 2, 1, 4, 7, 6, 5}},
  [PL_MESH_PRISM] = {.name = "prism",
                     .dim = 3,
                     .nodes = 6,
                     .faces = 5,
                     .edges = 9,
                     .face = {{0, 2, 1, -1}, {3, 4, 5, -1}, {0, 1, 4, 3}, {1, 2, 5, 4}, {2, 0, 3, 5}},
                     .edge = {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}, {0, 3}, {1, 4}, {2, 5}},
                     .mirror = {0, 2, 1, 3, 5, 4}},
  [PL_MESH_PYRAMID] = {.name = "pyramid",
                       .dim = 3,
                       .nodes = 5,
                       .faces = 5,
                       .edges = 8,
                       .face = {{0, 3, 2, 1}, {0, 1, 4, -1}, {1, 2, 4, -1}, {2, 3, 4, -1}, {3, 0, 4, -1}},
                       .edge = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 4}, {1, 4}, {2, 4}, {3, 4}},
                       .mirror = {0, 3, 2, 1, 4}},
};

const shape_info *pl_mesh_shape_info(int shape)
{
  return shape >= 0 && shape < SHAPES ? &shapes[shape] : NULL;
}

int pl_mesh_face_size(const signed char face[FACE_NODES])
{
  int n = 0;
  while (n < FACE_NODES && face[n] >= 0) n++;
  return n;
}

int pl_mesh_shape_nodes(pl_mesh_shape shape)
{
  const shape_info *info = pl_mesh_shape_info((int)shape);
  return info ? info->nodes : 0;
}

int pl_mesh_shape_dim(pl_mesh_shape shape)
{
  const shape_info *info = pl_mesh_shape_info((int)shape);
  return info ? info->dim : 0;
}

const char *pl_mesh_shape_name(pl_mesh_shape shape)
{
  const shape_info *info = pl_mesh_shape_info((int)shape);
  return info ? info->name : "unknown shape";
}

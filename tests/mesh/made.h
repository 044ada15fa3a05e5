/* SPDX-License-Identifier: BSD-2-Clause
 * Small meshes, and files of them in each format.
 */
#ifndef PLAIT_TESTS_MESH_MADE_H
#define PLAIT_TESTS_MESH_MADE_H

#include <plait/mesh.h>
#include <stdbool.h>
#include <stdio.h>

typedef struct made_element {
  pl_mesh_shape shape;
  int tag; /* physical group, 0: none */
  int node[8];
} made_element;

/* Elements of one dimension and tag follow each other. Groups 1 and 2 of one dimension less are "wall" and
 * "far side", groups 3 and 4 of the cells "left" and "right". */
typedef struct made_mesh {
  int dim, nnodes, nelements;
  double x[64][3];
  made_element element[64];
} made_mesh;

/* The rectangle 4 x 2: six squares of side 1, and two cut into triangles. Some elements are turned. The nodes
 * of y = 0 make the wall, those of x = 4 the far side; and the line x = 2 is a group of inner faces, tag 5.
 */
void made_plane(made_mesh *mesh);

/* A cube, a cube of six pyramids, a cube of two prisms, and two tetrahedra on these; the volume is 10/3. The
 * face x = 0 is the wall, the base of the pyramids towards the prisms group 5. */
void made_space(made_mesh *mesh);

typedef enum made_format {
  MADE_GMSH2,
  MADE_GMSH2_BINARY,
  MADE_GMSH4,
  MADE_GMSH4_BINARY,
  MADE_SU2,
  MADE_CGNS, /* written by made_cgns.c, where the CGNS library is */
  MADE_FORMATS
} made_format;

/* Writes the mesh. gap: Gmsh's numbers of nodes are 1 + gap * i, in descending order if gap > 1. */
void made_write(const made_mesh *mesh, made_format format, int gap, const char *path);
const char *made_ending(made_format format);
const char *made_name(int tag); /* of a group; "" for others than those above */
void made_write_cgns(const made_mesh *mesh, const char *path);
void made_write_structured(const char *path); /* CGNS */

#endif

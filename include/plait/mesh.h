/* SPDX-License-Identifier: BSD-2-Clause
 * Meshes from files (docs/meshes.md): the library libplait-mesh, which uses <plait.h> alone. Include this
 * header beside it and link plait-mesh (pkg-config plait-mesh; CMake plait::plait-mesh).
 *
 * Formats: Gmsh 4.1 and 2.2, text and binary (.msh); SU2 (.su2); the text of OP2's airfoil (.dat: a line of
 * counts "nodes cells edges boundary-edges", then the nodes "x y", cells "n1 n2 n3 n4", edges "n1 n2 c1 c2"
 * and boundary edges "n1 n2 c marker"); CGNS (.cgns), one unstructured zone, by the CGNS library. Elements of
 * first order. The cells are the elements of the highest dimension, 2 or 3; a mesh of dimension 2 lies in the
 * plane z = 0.
 *
 * On several ranks each rank keeps an equal share of the file, and no rank holds all of it. The objects and
 * their numbers are the same for every number of ranks. pl_partition(mesh->cells, ...) distributes them
 * better. Errors of all functions are messages of the context (pl_errmsg). */
#ifndef PLAIT_MESH_H
#define PLAIT_MESH_H

#include <plait.h>

#if defined(__GNUC__)
#define PL_MESH_API __attribute__((visibility("default")))
#else
#define PL_MESH_API
#endif

PL_EXTERN_C_BEGIN

/* Shapes of elements; their nodes are numbered as by Gmsh and VTK. */
typedef enum pl_mesh_shape {
  PL_MESH_POINT,
  PL_MESH_LINE,
  PL_MESH_TRIANGLE,
  PL_MESH_QUADRILATERAL,
  PL_MESH_TETRAHEDRON,
  PL_MESH_HEXAHEDRON,
  PL_MESH_PRISM,
  PL_MESH_PYRAMID
} pl_mesh_shape;

/* A physical group of Gmsh, a marker of SU2, a boundary number of OP2, a boundary condition or section of
 * CGNS. The subsets are NULL where they do not apply. */
typedef struct pl_mesh_group {
  const char *name; /* without a name in the file: the tag in decimal */
  int dim, tag;     /* dimension of its elements; its number in the file (SU2: 1, 2, ... in file order) */
  pl_set *cells;    /* dim is that of the mesh */
  pl_set *boundary; /* one less: its boundary faces, and its faces between two cells */
  pl_set *faces;
  pl_set *nodes; /* less than that of the mesh: the nodes of its elements */
} pl_mesh_group;

/* A mesh. Members are for reading, and the objects belong to the mesh; in later versions members follow at
 * the end. Maps of meshes with several shapes have the arity of the largest one, and rows of smaller ones end
 * with -1 (no target). Nodes of a cell: a positive area or volume in the order of its shape. */
typedef struct pl_mesh {
  int dim; /* 2 or 3 */
  pl_set *nodes, *cells;
  pl_set *faces;    /* between two cells: edges in 2D */
  pl_set *boundary; /* faces of one cell */
  pl_dat *x;        /* nodes: dim doubles */

  pl_map *cell_nodes;
  pl_dat *cell_shape, *cell_marker; /* cells: int. pl_mesh_shape; the tag of the first group, 0 without */

  pl_map
    *face_nodes; /* in 2D from start to end with cell 0 on the left, in 3D anticlockwise seen from cell 1 */
  pl_map *face_cells;  /* 2 */
  pl_dat *face_marker; /* faces: int, as cell_marker */

  pl_map *boundary_nodes; /* as face_nodes, where cell 1 is outside */
  pl_map *boundary_cells; /* 1 */
  pl_dat *boundary_marker;

  int ngroups;
  const pl_mesh_group *groups; /* by dimension, then by tag */

  /* NULL before pl_mesh_geometry, all double. Normals have the length of the edge or the area of the face,
   * and point from cell 0 to cell 1, on the boundary out of the mesh. */
  pl_dat *volume;                            /* cells: 1, area in 2D */
  pl_dat *centroid;                          /* cells: dim */
  pl_dat *face_normal, *face_centre;         /* faces: dim each */
  pl_dat *boundary_normal, *boundary_centre; /* boundary: dim each */

  /* NULL before pl_mesh_edges. */
  pl_set *edges;
  pl_map *edge_nodes; /* 2, the lower global index first */
  pl_map *cell_edges; /* in the order of the shape */
} pl_mesh;

/* Reads a mesh. Sets *mesh to NULL on failure. Errors: PL_ERR_IO for a file that cannot be read or that is no
 * mesh, with the file name, and the line, or the byte in a binary file; PL_ERR_MEMORY. Collective. */
PL_MESH_API pl_err pl_mesh_read(pl_context *pl, const char *path, pl_mesh **mesh);

/* The group of that name; if several have it, that of the highest dimension. Errors: PL_ERR_ARG, with the
 * names there are. Collective. */
PL_MESH_API pl_err pl_mesh_find(pl_mesh *mesh, const char *name, const pl_mesh_group **group);

/* Computes the geometry from the present values of `x`, by loops; call it again after nodes have moved. Exact
 * for plane faces. The faces of each cell are closed: its normals sum to zero. Collective. */
PL_MESH_API pl_err pl_mesh_geometry(pl_mesh *mesh);

/* Declares the edges of the cells, which are those of the dual graph: each joins two nodes. On several ranks
 * the edges are distributed by their lower node. Collective. */
PL_MESH_API pl_err pl_mesh_edges(pl_mesh *mesh);

/* Number of nodes of a shape, its dimension, its name. Local. */
PL_MESH_API int pl_mesh_shape_nodes(pl_mesh_shape shape);
PL_MESH_API int pl_mesh_shape_dim(pl_mesh_shape shape);
PL_MESH_API const char *pl_mesh_shape_name(pl_mesh_shape shape);

/* Frees the mesh and its objects. First free the objects that you declared on its sets. Collective. */
PL_MESH_API void pl_mesh_free(pl_mesh **mesh);

PL_EXTERN_C_END

#endif

/* SPDX-License-Identifier: BSD-2-Clause
 * Mesh of the airfoil problem: quadrilateral cells, nodes, inner edges and boundary edges, all numbered from
 * 0.
 *
 * Invariant of every mesh these functions hand out: all indices lie inside their sets, and each `bound` is
 * MESH_WALL or MESH_FAR. By convention, not checked: the nodes of a cell go round it counter-clockwise, and
 * on the way from the first node of an edge to its second the first cell lies on the right.
 */
#ifndef AIRFOIL_MESH_H
#define AIRFOIL_MESH_H

#include <stdbool.h>
#include <stdint.h>

enum { MESH_WALL = 1, MESH_FAR = 2 };

typedef struct airfoil_mesh {
  int nnode, ncell, nedge, nbedge;
  int *cell_node;   /* 4 a cell, round it */
  int *edge_node;   /* 2 an edge */
  int *edge_cell;   /* 2 an edge */
  int *bedge_node;  /* 2 a boundary edge */
  int *bedge_cell;  /* 1 a boundary edge */
  int *bound;       /* MESH_WALL or MESH_FAR, 1 a boundary edge */
  double *x;        /* 2 a node */
  int *cell_origin; /* the global number of each cell, which mesh_permute keeps; NULL: its own number */
} airfoil_mesh;

/* One sentence about the error. */
typedef struct mesh_error {
  char text[400];
} mesh_error;

/* All of these return false and leave a sentence, and an empty mesh, if they fail. */

/* Makes the C-grid round a NACA 0012 aerofoil: 3 i j cells, i along a third of the grid line, j outwards. */
bool mesh_make(airfoil_mesh *mesh, int i, int j, mesh_error *error);

/* The same, but only one of so many equal parts of each table: the counts are those of the part, the indices
 * those of the whole mesh. */
bool mesh_make_part(airfoil_mesh *mesh, int i, int j, int part, int parts, mesh_error *error);

/* Reads and writes the text format of new_grid.dat: a line of counts `nnode ncell nedge nbedge`, then one
 * line for each node `x y`, cell `n1 n2 n3 n4`, edge `n1 n2 c1 c2` and boundary edge `n1 n2 c bound`.
 * Coordinates are written with 6 decimals, which is exact for a mesh from mesh_make. */
bool mesh_read(airfoil_mesh *mesh, const char *path, mesh_error *error);
bool mesh_write(const airfoil_mesh *mesh, const char *path, mesh_error *error);

/* Numbers nodes, cells, edges and boundary edges at random; one seed gives one numbering on every machine. */
bool mesh_permute(airfoil_mesh *mesh, uint64_t seed, mesh_error *error);

/* Takes memory for a mesh with these counts, uninitialised; gives it back. */
bool mesh_alloc(airfoil_mesh *mesh, const int counts[4], mesh_error *error);
void mesh_free(airfoil_mesh *mesh);

/* Writes the sentence and returns false. */
bool mesh_fail(mesh_error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif

/* SPDX-License-Identifier: BSD-2-Clause
 * Mesh of finite elements round the NACA 0012 aerofoil: the C-grid of airfoil, whose nodes on the wake line
 * are one node for both sides.
 */
#ifndef AERO_MESH_H
#define AERO_MESH_H

#include <stdbool.h>

typedef struct aero_mesh {
  int nnode, ncell, nfar;
  double *x; /* 2 a node */
  int *cell; /* the nodes (0,0), (1,0), (0,1), (1,1) of a cell */
  int *far;  /* the nodes of the outer boundary */
} aero_mesh;

/* Makes a mesh of 3 i j cells; i cells along the aerofoil. False after a sentence on stderr. */
bool aero_mesh_make(aero_mesh *mesh, int i, int j);
void aero_mesh_free(aero_mesh *mesh);

#endif

/* SPDX-License-Identifier: BSD-2-Clause
 * Meshes in HDF5 files, through Plait: sets, maps and dats by the names that the solver gives them. Files
 * whose names end in .h5 are HDF5, all others text (mesh.h).
 */
#ifndef AIRFOIL_MESH_HDF5_H
#define AIRFOIL_MESH_HDF5_H

#include "mesh.h"
#include "plait.h"

enum { MESH_NODES, MESH_CELLS, MESH_EDGES, MESH_BEDGES, MESH_SETS };
enum { MESH_CELL_NODE, MESH_EDGE_NODE, MESH_EDGE_CELL, MESH_BEDGE_NODE, MESH_BEDGE_CELL, MESH_MAPS };

/* A mesh declared in a context. */
typedef struct mesh_objects {
  pl_set *set[MESH_SETS];
  pl_map *map[MESH_MAPS];
  pl_dat *x, *bound; /* 2 doubles a node; MESH_WALL or MESH_FAR */
} mesh_objects;

bool mesh_is_hdf5(const char *path);

/* Declares the mesh of an HDF5 file, each rank an equal share of it. Indices are held against their sets.
 * Collective. */
bool mesh_declare(pl_context *pl, const char *path, mesh_objects *objects, mesh_error *error);

/* The whole mesh on this process. */
bool mesh_load(airfoil_mesh *mesh, const char *path, mesh_error *error);
bool mesh_save(const airfoil_mesh *mesh, const char *path, mesh_error *error);

#endif

/* SPDX-License-Identifier: BSD-2-Clause
 * Meshes in HDF5 files, through Plait: sets, maps and dats by the names that the solver gives them. Files
 * whose names end in .h5 are HDF5, all others text (mesh.h).
 */
#ifndef AIRFOIL_MESH_HDF5_H
#define AIRFOIL_MESH_HDF5_H

#include "mesh.h"

bool mesh_load(airfoil_mesh *mesh, const char *path, mesh_error *error);
bool mesh_save(const airfoil_mesh *mesh, const char *path, mesh_error *error);

#endif

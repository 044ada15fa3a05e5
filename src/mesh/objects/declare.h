/* SPDX-License-Identifier: BSD-2-Clause
 * Declares the objects of a mesh file. Collective.
 */
#pragma once

#include "mesh_state.h"

/* Numbers the nodes, derives the faces, and declares all objects of the mesh. */
pl_err pl_mesh_declare(mesh_state *state, file_mesh *file);

/* SPDX-License-Identifier: BSD-2-Clause
 * The sections of Gmsh's format 4.1, after their first line. False after an error.
 */
#pragma once

#include "gmsh.h"

bool pl_mesh_gmsh4_entities(gmsh *g);
bool pl_mesh_gmsh4_nodes(gmsh *g);
bool pl_mesh_gmsh4_elements(gmsh *g);

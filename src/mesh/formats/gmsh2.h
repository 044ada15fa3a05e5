/* SPDX-License-Identifier: BSD-2-Clause
 * The sections of Gmsh's format 2.2, after their first line. False after an error.
 */
#pragma once

#include "gmsh.h"

bool pl_mesh_gmsh2_nodes(gmsh *g);
bool pl_mesh_gmsh2_elements(gmsh *g);

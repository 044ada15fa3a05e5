/* SPDX-License-Identifier: BSD-2-Clause
 * Mesh files in the formats of SU2 and Gmsh.
 */
#pragma once

#include "mesh_views.h"

/* Write the nodes, the cells, and the boundary faces with their groups. SU2: the groups of the boundary are
 * its markers; those of cells and of inner faces are left out, and so are boundary faces without a group.
 * Gmsh 4.1, text: an element in several groups is in the first. Groups of lower dimensions are left out.
 * False: errno gives the reason. */
bool mesh_write_su2(const mesh_views *v, const char *path);
bool mesh_write_gmsh(const mesh_views *v, const char *path);

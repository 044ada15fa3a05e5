/* SPDX-License-Identifier: BSD-2-Clause
 * The readers of the formats. Each fills this rank's share of the mesh, and returns false after an error,
 * which the mesh keeps. All ranks read the file through, and each keeps its share; of CGNS each reads its
 * share.
 */
#pragma once

#include "fields.h"

bool pl_mesh_read_gmsh(fields *f);
bool pl_mesh_read_su2(fields *f);
bool pl_mesh_read_op2(fields *f);
bool pl_mesh_read_cgns(fields *f);

/* SPDX-License-Identifier: BSD-2-Clause
 * A mesh with the parts that are not in its public struct.
 */
#pragma once

#include "groups.h"

typedef struct mesh_state {
  pl_mesh mesh; /* the first member: the program has its address */
  pl_context *pl;
  group_list groups;
  pl_dat *reference; /* of pl_mesh_geometry: a point of each cell */
  pl_global *size;   /* of pl_mesh_geometry: the number of coordinates */
} mesh_state;

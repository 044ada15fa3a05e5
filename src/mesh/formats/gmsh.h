/* SPDX-License-Identifier: BSD-2-Clause
 * A Gmsh file while it is read, for the files of its versions.
 */
#pragma once

#include "formats.h"

/* An entity of the geometry with a physical group of its elements; those of one entity follow each other. */
typedef struct gmsh_entity {
  int64_t dim, tag, group;
} gmsh_entity;

typedef struct gmsh {
  fields fields;
  int version; /* 2 or 4 */
  bool has_nodes, has_elements;
  gmsh_entity *entities;
  size_t nentities, room;
} gmsh;

/* The shape of a type of elements; -1 after an error. */
int pl_mesh_gmsh_shape(fields *f, int64_t type);

/* SPDX-License-Identifier: BSD-2-Clause
 * The faces of the cells (edges in 2D), before they are declared.
 *
 * A face lies on the rank that keeps its lowest node. Faces are ordered by their sorted nodes, so that their
 * order does not depend on the number of ranks.
 */
#pragma once

#include "cells.h"
#include "groups.h"

enum { SIDES_INNER, SIDES_BOUNDARY, SIDES_KINDS };

typedef struct side_list {
  number_list node;   /* `width` a face, outwards of its first cell; -1 behind the last one */
  number_list cell;   /* 2 cells, on the boundary 1 */
  number_list marker; /* tag of the first group, or 0 */
  number_list group;  /* pairs: number of a group, index of a face in this list */
  size_t count;
} side_list;

typedef struct side_lists {
  int width;
  side_list of[SIDES_KINDS];
} side_lists;

/* Takes the faces from the file, or derives them from the cells, and their markers from the elements of one
 * dimension less. Collective. */
pl_err pl_mesh_find_sides(file_mesh *mesh, const cell_summary *cells, const group_list *groups,
                          side_lists *sides);

void pl_mesh_free_sides(side_lists *sides);

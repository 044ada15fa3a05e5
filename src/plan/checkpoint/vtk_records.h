/* SPDX-License-Identifier: BSD-2-Clause
 * The contents of VTK's arrays: which objects are in a picture, and the records of their points and cells.
 */
#pragma once

#include "core/data/objects.h"
#include "core/io/row_source.h"

enum { PL_VTK_AXES = 3 };

/* The corners of the cells that pl_vtk_grid has named with these coordinates; NULL: points. */
pl_map *pl_vtk_corners_of(const pl_dat *coordinates);

/* Whether a picture shows the dat among the values on a set. */
bool pl_vtk_shows(const pl_dat *dat, const pl_set *set, const pl_dat *coordinates);

/* VTK's number of a cell with so many corners in so many dimensions; 0: none. */
unsigned char pl_vtk_cell_type(int dim, int corners);

/* Points with three coordinates, the missing ones 0; `view` holds the coordinates in user order. */
typedef struct pl_vtk_points {
  const char *view;
  size_t bytes, padded; /* of a point, and with three coordinates */
} pl_vtk_points;
pl_h5_records pl_vtk_point_records(const pl_dat *coordinates, const void *view, pl_vtk_points *points);

/* The corners of a map by global indices. */
pl_h5_records pl_vtk_corner_records(const pl_map *corners);

/* Numbers first * step, (first + 1) * step, ... of this rank's block of `total` and `more` rows, *b. */
typedef struct pl_vtk_multiples {
  int64_t first, step;
} pl_vtk_multiples;
pl_h5_records pl_vtk_multiple_records(const pl_context *pl, int64_t total, int64_t step, int more,
                                      pl_vtk_multiples *m, pl_h5_block *b);

/* Bytes with the value *type. */
pl_h5_records pl_vtk_type_records(const unsigned char *type);

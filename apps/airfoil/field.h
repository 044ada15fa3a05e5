/* SPDX-License-Identifier: BSD-2-Clause
 * Field: pressure and Mach number round the aerofoil, sampled on a regular grid, as data for a picture.
 */
#ifndef AIRFOIL_FIELD_H
#define AIRFOIL_FIELD_H

#include <stdbool.h>

#include "mesh.h"

/* Writes the flow q (4 values a cell, cells in global order) as text for gnuplot, in two blocks: the samples
 * `x y pressure mach`, an empty line after each row of the grid, `nan` where there is no flow; and the points
 * `x y` of the wall in order. Returns false after a complaint on stderr. */
bool field_write(const airfoil_mesh *mesh, const double *q, const char *path);

#endif

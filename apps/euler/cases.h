/* SPDX-License-Identifier: BSD-2-Clause
 * Meshes of the built-in cases, as SU2 files: vortex (a square of quadrilaterals and triangles), wedge (a
 * channel over a ramp of 10 degrees), naca0012 (an O-mesh round the aerofoil). In three dimensions two layers
 * of cubes, each cut into six tetrahedra, over the plane. Boundaries are named "wall" and "farfield".
 */
#ifndef EULER_CASES_H
#define EULER_CASES_H

#include <stdbool.h>

/* A built-in case: its mesh, and the stream that its results belong to. */
typedef struct euler_case {
  const char *name;
  double mach, alpha;
  int size;
} euler_case;

#define CASES "vortex|wedge|naca0012"
const euler_case *cases_find(const char *name);

/* Writes the mesh of a case with about size x size cells in a plane. False: errno says why. */
bool cases_write_mesh(const char *name, int size, int dim, const char *path);

/* The extent of that mesh across the plane; 1 in two dimensions. */
double cases_depth(const char *name, int size, int dim);

/* The ramp of the wedge, as a slope; it begins at x = 0 and ends at x = 1. */
double cases_wedge_slope(void);

/* Behind an oblique shock on that ramp: the angle of the shock, and the pressure over that before it (Ames
 * Research Staff, NACA Report 1135, 1953). */
void cases_shock(double mach, double *degrees, double *pressure);

#endif

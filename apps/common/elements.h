/* SPDX-License-Identifier: BSD-2-Clause
 * Finite elements: integrals over cells by kernels that FFCx generated, and the nodes on a boundary.
 * elements_functional and elements_boundary end the program after an error. All functions are collective.
 */
#ifndef APPS_COMMON_ELEMENTS_H
#define APPS_COMMON_ELEMENTS_H

#include "plait.h"

#include "triangle_mesh.h"

/* Adds the integral that the kernel computes on each cell to `tensor`. `coefficients`, `constants` and
 * `places` are the kernel's w, c and coordinate_dofs; pl_arg_ptr(NULL) stands for those that it has none of.
 * Integrals over cells do not read the other three parameters. */
pl_err elements_integrate(const pl_kernel *kernel, pl_set *cells, pl_arg tensor, pl_arg coefficients,
                          pl_arg constants, pl_arg places);

/* The integral of a form without test functions. */
double elements_functional(pl_context *pl, const pl_kernel *kernel, pl_set *cells, pl_arg coefficients,
                           pl_arg constants, pl_arg places);

/* Declares the subset "boundary" of the vertices on the boundary of the mesh. */
pl_set *elements_boundary(pl_context *pl, pl_set *vertices, const triangle_mesh *mesh);

#endif

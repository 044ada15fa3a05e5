/* SPDX-License-Identifier: BSD-2-Clause
 * Quadratic elements (P2), with kernels that FFCx generated from poisson.py.
 */
#ifndef APPS_POISSON_QUADRATIC_H
#define APPS_POISSON_QUADRATIC_H

#include "plait.h"

#include "../common/output.h"
#include "../common/triangle_mesh.h"

typedef struct poisson_solution {
  int iterations;
  double error; /* in L2 */
} poisson_solution;

/* Solves on a mesh that rank 0 declares; elsewhere it is empty. Ends the program if the solver does not
 * converge. False after a message on stderr. Collective. */
bool quadratic_run(pl_context *pl, const triangle_mesh *mesh, const output_files *files,
                   poisson_solution *result);

#endif

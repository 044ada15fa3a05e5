/* SPDX-License-Identifier: BSD-2-Clause
 * The airfoil solver on Plait, once for each precision: solver.c compiled with PL_REAL=double and
 * PL_REAL=float. They are airfoil_solver functions whose context is an open pl_context and the time it took
 * to open it.
 */
#ifndef AIRFOIL_SOLVER_H
#define AIRFOIL_SOLVER_H

#include "job.h"

struct pl_context;
struct mesh_objects;

typedef struct solver_context {
  struct pl_context *pl;
  const struct mesh_objects *declared; /* the mesh, if it stands in the context already; else NULL */
  airfoil_mesh *part; /* this rank's part of the mesh, which the solver declares and frees; else NULL */
  double open_seconds;
} solver_context;

bool airfoil_solve_double(void *context, const airfoil_job *job, const airfoil_mesh *mesh,
                          airfoil_report *report);
bool airfoil_solve_float(void *context, const airfoil_job *job, const airfoil_mesh *mesh,
                         airfoil_report *report);

#endif

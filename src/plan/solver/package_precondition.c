/* SPDX-License-Identifier: BSD-2-Clause
 * Preconditioners of solver packages (plan/packages): a cycle of multigrid, the factors of the
 * matrix, a solver.
 */
#include "plan/packages/packages.h"
#include "precondition.h"

static pl_err make(pl_solver *s)
{
  return pl_package_make(s->p, s->preconditioner->package, s->options.package_options, &s->package);
}

static pl_err apply(pl_solver *s, pl_dat *r, pl_dat *z)
{
  return pl_package_apply(s->package, r, z);
}

/* `solves`: richardson tests and refines its solution; else it is a cycle. `words`: it takes package_options.
 */
#define PACKAGE(precondition, kind, solves, words)                                                           \
  const pl_solver_preconditioner pl_precondition_##precondition = {.name = #precondition,                    \
                                                                   .method = solves ? "richardson" : NULL,   \
                                                                   .package = kind,                          \
                                                                   .package_options = words,                 \
                                                                   .matrix = true,                           \
                                                                   .make = make,                             \
                                                                   .apply = apply};
PACKAGE(boomeramg, PL_MODULE_HYPRE, false, true)
PACKAGE(mumps, PL_MODULE_MUMPS, true, false)
PACKAGE(petsc, PL_MODULE_PETSC, true, true)
PACKAGE(cudss, PL_MODULE_CUDSS, true, false)
PACKAGE(amgx, PL_MODULE_AMGX, false, true)

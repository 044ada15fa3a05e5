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

const pl_solver_preconditioner pl_precondition_boomeramg = {
  .name = "boomeramg", .package = PL_MODULE_HYPRE, .matrix = true, .make = make, .apply = apply};
const pl_solver_preconditioner pl_precondition_mumps = {.name = "mumps",
                                                        .method = "richardson",
                                                        .package = PL_MODULE_MUMPS,
                                                        .matrix = true,
                                                        .make = make,
                                                        .apply = apply};
const pl_solver_preconditioner pl_precondition_petsc = {.name = "petsc",
                                                        .method = "richardson",
                                                        .package = PL_MODULE_PETSC,
                                                        .matrix = true,
                                                        .make = make,
                                                        .apply = apply};

/* SPDX-License-Identifier: BSD-2-Clause
 * Preconditioners. One is a row of functions on the solver's dats: it is made from the values of the matrix,
 * and applied by loops.
 */
#pragma once

#include "solver.h"

struct pl_solver_preconditioner {
  const char *name;
  const char *method;                                  /* the default; NULL: cg */
  pl_module_kind package;                              /* the module that it calls; 0: none */
  bool package_options;                                /* the module takes words of the program */
  bool diagonal, matrix;                               /* it needs the diagonal of A; the matrix itself */
  int vectors;                                         /* work dats */
  pl_err (*make)(pl_solver *s);                        /* from the values of A; NULL: nothing to make */
  pl_err (*apply)(pl_solver *s, pl_dat *r, pl_dat *z); /* z = M r */
};

extern const pl_solver_preconditioner pl_precondition_none, pl_precondition_jacobi,
  pl_precondition_block_jacobi, pl_precondition_chebyshev, pl_precondition_ssor, pl_precondition_ilu,
  pl_precondition_ic, pl_precondition_boomeramg, pl_precondition_mumps, pl_precondition_petsc,
  pl_precondition_cudss, pl_precondition_amgx;

/* The inverses of the diagonal, in s->inverse. Collective. */
pl_err pl_solver_invert_diagonal(pl_solver *s);
/* The inverses of its blocks. Collective. */
pl_err pl_solver_invert_blocks(pl_solver *s);

/* z = the first work dat, which is on the coloured rows. Collective. */
pl_err pl_solver_take_rows(pl_solver *s, pl_dat *z);

/* Makes the preconditioner, if the values have changed since. Collective. */
pl_err pl_solver_prepare(pl_solver *s);

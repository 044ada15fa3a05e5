/* SPDX-License-Identifier: BSD-2-Clause
 * The operations of the methods: products, preconditioning, residuals, scalars. Collective.
 */
#pragma once

#include "solver.h"

/* y = A x. */
pl_err pl_solver_multiply(pl_solver *s, pl_dat *x, pl_dat *y);

/* y = A x and *inner = x . y. */
pl_err pl_solver_multiply_inner(pl_solver *s, pl_dat *x, pl_dat *y, pl_global *inner);

/* z = M r. */
pl_err pl_solver_precondition(pl_solver *s, pl_dat *r, pl_dat *z);

/* z = M A x; uses R. */
pl_err pl_solver_operate(pl_solver *s, pl_dat *x, pl_dat *z);

/* R = b - A x, Z = M R. */
pl_err pl_solver_residual(pl_solver *s);

/* The square of the method's norm of the preconditioned residual z = M r. */
pl_err pl_solver_norm2(pl_solver *s, pl_dat *r, pl_dat *z, pl_global *norm2);

/* The values of a global of the solver. A recorded loop that failed leaves objects of the library as they
 * were, so its error counts. */
pl_err pl_solver_read(pl_global *global, double *values);

/* x . y, which the host waits for. */
pl_err pl_solver_inner(pl_solver *s, pl_dat *x, pl_dat *y, double *value);

/* A kernel of the library on dats of the solver's type and dim: `text` with T for the type and D for the dim.
 */
pl_err pl_solver_kernel(pl_solver *s, const char *name, const char *params, const char *body,
                        const pl_kernel **kernel);

/* An argument of a loop of the method: `name` is the kernel's parameter, T * for a dat, double * for a
 * global.
 */
typedef struct pl_solver_term {
  const char *name;
  pl_arg arg;
} pl_solver_term;

/* Both take the name of the variable. */
#define PL_SOLVER_DAT(dat, access)                                                                           \
  {                                                                                                          \
#dat, pl_arg_direct(dat, access)                                                                         \
  }
#define PL_SOLVER_GLOBAL(global, access)                                                                     \
  {                                                                                                          \
#global, pl_arg_gbl(global, access)                                                                      \
  }

/* Runs text `i` of the method over a set. */
pl_err pl_solver_loop(pl_solver *s, int i, pl_set *set, int nterms, const pl_solver_term *terms);
#define PL_SOLVER_LOOP(s, i, set, ...)                                                                       \
  pl_solver_loop(s, i, set, (int)(sizeof((pl_solver_term[]){__VA_ARGS__}) / sizeof(pl_solver_term)),         \
                 (pl_solver_term[]){__VA_ARGS__})

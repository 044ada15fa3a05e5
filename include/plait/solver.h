/* SPDX-License-Identifier: BSD-2-Clause
 * Iterative solvers of linear systems A x = b (docs/solvers.md). */
#ifndef PLAIT_SOLVER_H
#define PLAIT_SOLVER_H

#include <plait/matrix.h>

PL_EXTERN_C_BEGIN

/* A solver: its method, preconditioner and work dats, for any number of right-hand sides. */
typedef struct pl_solver pl_solver;

/* Called with the norm of the residual before the first iteration (0) and after each. It must not call
 * Plait. */
typedef void (*pl_monitor_fn)(void *user, int iteration, double norm);

/* Computes y = A x by loops, which may be recorded, for a matrix-free operator. Must not change x, and must
 * give the same loops on all ranks. */
typedef pl_err (*pl_apply_fn)(void *user, pl_dat *x, pl_dat *y);

/* Zero-initialise; 0 and NULL mean the default in brackets.
 *
 * Methods: "cg" (A and the preconditioner symmetric positive definite), "minres" (A symmetric, the
 * preconditioner positive definite), "gmres", "bicgstab", "chebyshev" (as "cg", or with bounds of real and
 * positive eigenvalues), "richardson". Preconditioners: "jacobi" (the inverse of the diagonal),
 * "block_jacobi" (the inverses of the diagonal blocks of row_dim x row_dim values), "chebyshev" (`degree`
 * steps of Chebyshev's iteration with the inverse of the diagonal; A symmetric positive definite), "ssor" (a
 * symmetric sweep of Gauss and Seidel over the rows of each rank, by colours), "ilu" and "ic" (incomplete
 * factors of each rank's rows with the pattern of A, by colours and blocks; "ic" for symmetric positive
 * definite A, which is tested for symmetry), "none". Those of solver packages, each through a module that is
 * loaded at run time (docs/modules.md; else PL_ERR_BACKEND). On the host: "boomeramg" (a cycle of hypre's
 * algebraic multigrid), "mumps" (the factors of A, by MUMPS), "petsc" (a solution by PETSc's KSP). On a CUDA
 * device and one rank (else PL_ERR_BACKEND): "cudss" (the factors of A, by cuDSS), "amgx" (a cycle of AMGX's
 * algebraic multigrid). `package_options` are words of the package: "StrongThreshold 0.5" (boomeramg),
 * "-ksp_type cg -pc_type gamg" (petsc), a configuration (amgx). All are applied from the left. With
 * `preconditioner_matrix` they are made of this matrix instead of A: for an indefinite system of the blocks
 * of its diagonal, or for an operator of a matrix that is like it. It has A's set, dim and type.
 *
 * The norm is that of the preconditioned residual M (b - A x); for "minres" sqrt(r . M r). The iteration has
 * converged when it is at most rtol times the same norm of b, or at most atol, and has diverged when it
 * exceeds dtol times the first one. With a solver package b - A x must at the end also be at most sqrt(rtol)
 * times b; if as many iterations again do not achieve this, the matrix counts as singular. */
typedef struct pl_solver_options {
  const char *method;         /* ["cg"; "richardson" for mumps, petsc, cudss] */
  const char *preconditioner; /* ["jacobi"; "none" for an operator without a diagonal] */
  double rtol;                /* [1e-7] */
  double atol;                /* [1e-50] */
  double dtol;                /* [1e4] */
  int iterations;             /* the most [10000] */
  int restart;                /* gmres: vectors before a restart [30] */
  int guess;                  /* x holds a first guess; else the iteration starts from zero [0] */
  double damping;             /* richardson: x = x + damping M r [1] */
  double low, high;      /* chebyshev: bounds of the eigenvalues of M A [0.1 and 1.1 times an estimate] */
  pl_monitor_fn monitor; /* [none] */
  void *user;            /* its first argument */
  int degree;            /* preconditioner chebyshev: its products with A [3] */
  pl_mat *preconditioner_matrix; /* of which the preconditioner is made [A] */
  const char *package_options;   /* boomeramg, petsc, amgx: its options [its own] */
} pl_solver_options;

/* Why an iteration ended. */
typedef enum pl_solver_reason {
  PL_SOLVER_NOT_RUN,
  PL_SOLVER_RTOL,       /* converged: the norm is at most rtol times that of b */
  PL_SOLVER_ATOL,       /* converged: the norm is at most atol */
  PL_SOLVER_ITERATIONS, /* not converged in the given iterations */
  PL_SOLVER_DTOL,       /* the norm has grown beyond dtol */
  PL_SOLVER_BREAKDOWN   /* the method cannot go on: a division by zero, or a matrix that is not definite */
} pl_solver_reason;

/* The outcome of a solution. */
typedef struct pl_solver_result {
  pl_solver_reason reason;
  int iterations;
  double norm, first_norm; /* of the residual, at the end and before the first iteration */
} pl_solver_result;

/* Declares a solver for a square matrix of double or float; its values may change between solutions. The
 * strings of the options are not kept. `options` may be NULL. Errors: PL_ERR_ARG for an unknown name, with
 * all names, and for numbers out of range; PL_ERR_TYPE for a matrix that is not square or complex, or a
 * preconditioner_matrix of another shape; PL_ERR_BACKEND without the module of a solver package.
 * Collective. */
PL_API pl_err pl_decl_solver_sized(pl_mat *a, const pl_solver_options *options, size_t size, const char *name,
                                   pl_solver **solver);
static inline pl_err pl_decl_solver(pl_mat *a, const pl_solver_options *options, const char *name,
                                    pl_solver **solver)
{
  return pl_decl_solver_sized(a, options, sizeof *options, name, solver);
}

/* The same for the operator `apply` on dats like `like`, one of its set, dim and type. `diagonal` holds the
 * operator's diagonal for "jacobi", and is read at each solution; it may be NULL. Collective. */
PL_API pl_err pl_decl_solver_apply_sized(pl_dat *like, pl_apply_fn apply, void *user, pl_dat *diagonal,
                                         const pl_solver_options *options, size_t size, const char *name,
                                         pl_solver **solver);
static inline pl_err pl_decl_solver_apply(pl_dat *like, pl_apply_fn apply, void *user, pl_dat *diagonal,
                                          const pl_solver_options *options, const char *name,
                                          pl_solver **solver)
{
  return pl_decl_solver_apply_sized(like, apply, user, diagonal, options, sizeof *options, name, solver);
}
PL_API void pl_solver_free(pl_solver **solver); /* collective */

/* Solves A x = b: two dats of the matrix's row set and row_dim, of its type. The vectors stay where the
 * values are. Waits for the result. `result` may be NULL. Errors: PL_ERR_CONVERGENCE, with method, iterations
 * and norms, if the solution does not meet the tolerance; x then holds the last iterate, and `result` says
 * why. PL_ERR_TYPE for other dats, PL_ERR_STATE if the matrix was freed. Collective. */
PL_API pl_err pl_solver_run_sized(pl_solver *solver, pl_dat *x, pl_dat *b, pl_solver_result *result,
                                  size_t size);
static inline pl_err pl_solver_run(pl_solver *solver, pl_dat *x, pl_dat *b, pl_solver_result *result)
{
  return pl_solver_run_sized(solver, x, b, result, sizeof *result);
}

/* Declares a solver, runs it and frees it. Collective. */
PL_API pl_err pl_solve_sized(pl_mat *a, pl_dat *x, pl_dat *b, const pl_solver_options *options, size_t size);
static inline pl_err pl_solve(pl_mat *a, pl_dat *x, pl_dat *b, const pl_solver_options *options)
{
  return pl_solve_sized(a, x, b, options, sizeof *options);
}

/* ---- nonlinear systems ---- */

/* f = F(u), and the values of the solver's matrix = F'(u), by loops; both on all ranks. For a solver of an
 * operator `jacobian` is NULL. */
typedef pl_err (*pl_residual_fn)(void *user, pl_dat *u, pl_dat *f);
typedef pl_err (*pl_jacobian_fn)(void *user, pl_dat *u, pl_mat *jacobian);

/* Zero-initialise; 0 and NULL mean the default in brackets. */
typedef struct pl_newton_options {
  double rtol, atol;     /* of the norm of F [1e-8 times the first one; 1e-50] */
  int iterations;        /* the most [50] */
  pl_monitor_fn monitor; /* [none] */
  void *user;            /* its first argument */
} pl_newton_options;

/* Solves F(u) = 0 by Newton's method, from the values of u. A step s solves F'(u) s = F(u) with `linear`, and
 * u - t s is the next u, where t, at most 1, is such that the norm of F decreases (Armijo's rule). `u` is a
 * dat as for the solver. `result` may be NULL; its norms are those of F. Errors: PL_ERR_CONVERGENCE if the
 * tolerance is not met or a step cannot be solved for, u then holds the last iterate; PL_ERR_TYPE,
 * PL_ERR_ARG; those of the two functions. Collective. */
PL_API pl_err pl_newton_sized(pl_solver *linear, pl_dat *u, pl_residual_fn residual, pl_jacobian_fn jacobian,
                              void *user, const pl_newton_options *options, size_t size,
                              pl_solver_result *result, size_t result_size);
static inline pl_err pl_newton(pl_solver *linear, pl_dat *u, pl_residual_fn residual, pl_jacobian_fn jacobian,
                               void *user, const pl_newton_options *options, pl_solver_result *result)
{
  return pl_newton_sized(linear, u, residual, jacobian, user, options, sizeof *options, result,
                         sizeof *result);
}

PL_EXTERN_C_END

#endif

/* SPDX-License-Identifier: BSD-2-Clause
 * Solvers. A method is a row of functions on the solver's work dats; one driver starts it, lets it iterate,
 * and tests convergence.
 *
 * Invariants: methods use loops, arithmetic and products only, so that they run where the values are, on all
 * ranks, and can be recorded. Scalars are globals where a step needs no decision by the host.
 */
#pragma once

#include "core/context/context.h"
#include "core/context/observer.h"
#include "core/chain/deferred_queue.h"
#include "core/data/global.h"
#include "plan/coloured_rows/factors.h"
#include "plan/matrix/mat_slices.h"

typedef struct pl_solver_method pl_solver_method;
typedef struct pl_solver_preconditioner pl_solver_preconditioner; /* precondition.h */

/* Work dats: the residual, the preconditioned residual, and those of the methods. */
enum { PL_SOLVER_R, PL_SOLVER_Z, PL_SOLVER_OWN, PL_SOLVER_VECTORS = 10 };
enum { PL_SOLVER_SCALARS = 8, PL_SOLVER_TEXTS = 5, PL_PRECONDITION_VECTORS = 3 };
/* Iterations that a device computes before the host reads their norms; even, since methods alternate between
 * two scalars. */
enum { PL_SOLVER_BATCH = 10 };

/* Steps that run as one: the square of the norm after each of them, and its read. */
typedef struct pl_solver_batch {
  int n;
  pl_global *norm2[PL_SOLVER_BATCH];
  pl_global_read read[PL_SOLVER_BATCH];
  pl_global *before; /* the norm before it, as its first step knows it */
  pl_recording steps;
} pl_solver_batch;

struct pl_solver {
  pl_node node;
  pl_mat *a; /* NULL: `apply`, or the matrix was freed */
  pl_mat
    *p; /* the matrix of the preconditioner; NULL: given_diagonal is used, none is needed, or it was freed */
  pl_apply_fn apply;
  void *user;
  pl_set *set;
  int dim;
  pl_type type;
  const pl_solver_method *method;
  const pl_solver_preconditioner *preconditioner;
  pl_solver_options options; /* complete; of the strings only package_options, a copy */

  pl_dat *given_diagonal; /* of the operator, by its user */

  /* Of the preconditioner: inverses of the diagonal or its blocks, work dats, a bound of the eigenvalues,
   * colours of rows, incomplete factors. */
  pl_dat *inverse, *precondition_work[PL_PRECONDITION_VECTORS];
  pl_global *largest;
  double bound;
  double low, high;      /* chebyshev: bounds of the eigenvalues of M A */
  uint64_t bounds_of[2]; /* the versions of A's and P's values that they were estimated of */
  pl_row_colours colours;
  pl_factors factors;
  struct pl_package *package; /* NULL: not made yet, or none */
  bool made;
  uint64_t made_of; /* the version of the values that it was made of */

  pl_dat *work[PL_SOLVER_VECTORS];
  pl_global *scalar[PL_SOLVER_SCALARS];
  pl_solver_batch batch[2]; /* the one whose norms are looked at, and the next one, by turns */
  pl_global *limit;         /* the square of the norm at which the iteration has converged */
  pl_global *before;        /* that before a step; `limit` itself where the iteration goes on for sure */
  const pl_kernel *kernel[PL_SOLVER_TEXTS]; /* of the method, made when first needed */
  pl_set *once;                             /* one element, on rank 0: for loops that compute a state */
  pl_global *values[2];                     /* the state before and after a step, by turns */
  void *state;                              /* of the method, made by its first run, freed with pl_free */

  pl_dat *x, *b; /* during a run */
  int iteration;
};

/* Many iterations of cg as one call of the backend (pl_algorithm_ops.cg_steps), which tests convergence
 * itself. */
enum { PL_CG_STEPS = 1000 }; /* of one call, at most */

/* A x = b for a matrix of single doubles, on one rank, in storage order. The iteration is that of
 * cg_single.c; M is the inverse of a diagonal. */
typedef struct pl_cg_steps {
  pl_slice_arrays a;
  int rows;
  pl_dat *inverse, *x, *r;   /* r = b - A x */
  pl_dat *p, *s;             /* the direction, and A times it */
  bool started;              /* p, s, old and past are from the call before; else they are zeros */
  double old, past;          /* r . M r and p . A p of the last iteration */
  double limit;              /* the iteration ends when norm2 is below it, or no number */
  int steps;                 /* at most; then: those done */
  double norm2[PL_CG_STEPS]; /* of M r, after each step done */
} pl_cg_steps;

typedef struct pl_solver_text {
  const char *name, *body;
} pl_solver_text;

struct pl_solver_method {
  const char *name;
  int vectors, scalars;        /* work dats behind R and Z, and scalars that it uses */
  int values;                  /* of a state that its loops over `once` compute */
  const pl_solver_text *texts; /* kernels of its loops */
  bool natural;                /* the norm is sqrt(r . M r), not that of M r */
  bool chain;                  /* its loops are recorded and fused */
  bool batch; /* a step needs no decision by the host: several run before the norms are read */
  bool stays; /* a step after convergence within a batch changes neither x nor the norm */

  /* R and Z hold the first residual. */
  pl_err (*start)(pl_solver *s);
  /* One iteration; the square of the norm goes to *norm2. */
  pl_err (*step)(pl_solver *s, pl_global *norm2);
  /* Instead of start and step, from the same R and Z: many iterations as one call of the backend, which
   * counts them. *done: false: nothing has happened. NULL: not for this method. */
  pl_err (*steps)(pl_solver *s, pl_cg_steps *cg, bool *done);
  /* x from the vectors that step has collected; NULL: step changes x. */
  pl_err (*finish)(pl_solver *s);
  void (*release)(pl_solver *s); /* the state; NULL: none */
};

extern const pl_solver_method pl_solver_cg, pl_solver_cg_single, pl_solver_minres, pl_solver_bicgstab,
  pl_solver_gmres, pl_solver_chebyshev, pl_solver_richardson;

extern const pl_observer pl_solver_observer;

/* Whether the dat is like the solver's vectors. Local. */
pl_err pl_solver_check_vector(const pl_solver *s, const pl_dat *dat);

/* A work dat like the vectors. */
pl_err pl_solver_vector(pl_solver *s, const char *name, pl_dat **dat);

/* SPDX-License-Identifier: BSD-2-Clause
 * Bounds of the eigenvalues of M A, for Chebyshev's iteration.
 */
#pragma once

#include "solver.h"

/* Estimates s->low and s->high by some iterations of conjugate gradients, unless they are of these values of
 * the matrices; *again: R and Z were used. PL_ERR_CONVERGENCE if A or M is not positive definite. Collective.
 */
pl_err pl_solver_bounds(pl_solver *s, bool *again);

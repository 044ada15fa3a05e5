/* SPDX-License-Identifier: BSD-2-Clause
 * Solver packages in foreign libraries, each a module: hypre, MUMPS, PETSc, cuDSS, AMGX. A package makes
 * something from the values of a matrix, and applies it to a vector.
 *
 * Invariant: rows and columns have new global numbers, in the order of ranks and of storage, so that each
 * rank has one range of rows. The structure that a package has made stays as long as its pl_package.
 */
#pragma once

#include "core/context/context.h"
#include "plan/matrix/mat.h"

/* This rank's rows of a matrix of `all` x `all` blocks of block x block values. Row r has the blocks
 * offset[r]
 * .. offset[r + 1); block k is in column number[column[k]], its values begin at values[k * block * block],
 * row by row. Row r itself has the number first + r.
 *
 * For a package on a device the matrix has rows of single values (block 1), and its `count` values, their
 * offsets and columns are on the device; `number` is NULL, since all rows are on one rank. */
typedef struct pl_package_rows {
  const char *name;    /* of the matrix */
  const char *options; /* of the package; may be NULL */
  const void *comm;    /* the address of an MPI_Comm */
  int rank, ranks;
  int rows, block;
  int64_t first, all;
  const int *offset, *column;
  const int64_t *number;
  const void *values; /* often the matrix's own */
  pl_type type;       /* of the values: double, or on a device that of the matrix */
  int count;          /* of values; on a device only */
} pl_package_rows;

/* The functions of a module; collective. */
typedef struct pl_package_functions {
  bool on_device; /* pointers are addresses of a CUDA device */
  /* Makes *state from the values; NULL at first, then with the same structure. It is released also after an
   * error. */
  pl_err (*make)(pl_context *pl, const pl_package_rows *rows, void **state);
  /* z from r: rows * block values each, of the type of the rows. */
  pl_err (*apply)(pl_context *pl, void *state, const void *r, void *z);
  void (*release)(pl_context *pl, void *state);
} pl_package_functions;

typedef struct pl_package pl_package;

/* PL_ERR_BACKEND without the module, or without the MPI or the device that the package needs; `name` is that
 * of the preconditioner. Local. */
pl_err pl_package_check(pl_context *pl, pl_module_kind kind, const char *name);

/* Makes *package, NULL at first, from the present values of a square matrix that is ready. `options` go to
 * the package. Errors: PL_ERR_RANGE for a matrix too large, PL_ERR_CONVERGENCE for a singular one, those of
 * the package. Collective. */
pl_err pl_package_make(pl_mat *a, pl_module_kind kind, const char *options, pl_package **package);

/* z from r, two dats of the matrix's row set, dim and type. Collective. */
pl_err pl_package_apply(pl_package *package, pl_dat *r, pl_dat *z);

void pl_package_free(pl_package **package); /* collective */

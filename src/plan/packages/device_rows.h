/* SPDX-License-Identifier: BSD-2-Clause
 * A matrix of one rank in compressed rows on a CUDA device, for packages that work there. Rows of blocks
 * become rows of single values.
 *
 * Invariant: the addresses of the structure stay until the rows are freed; those of values and vectors hold
 * for one call of the package.
 */
#pragma once

#include "core/storage/storage.h"
#include "packages.h"

typedef struct pl_device_rows {
  pl_set *starts, *slots; /* of the library: a row's start, a value */
  pl_dat offset, column;  /* the structure, without an object */
  pl_dat order, values;   /* with blocks: the values row by row, and where they come from */
  pl_dat vector[2];       /* r and z element by element, if the solver's own have another layout */
  bool open;
} pl_device_rows;

/* PL_ERR_BACKEND without a CUDA device, or on several ranks. `name`: of the package. Local. */
pl_err pl_device_rows_check(pl_context *pl, const char *name);

/* Sets the fields of `rows` that tell the structure. */
pl_err pl_device_rows_open(pl_mat *a, pl_device_rows *d, pl_package_rows *rows);

/* The address of the present values. */
pl_err pl_device_rows_values(pl_mat *a, pl_device_rows *d, const void **values);

/* The addresses of r, with its values, and of z, for the package to write. */
pl_err pl_device_rows_vectors(pl_device_rows *d, pl_dat *r, pl_dat *z, const void **from, void **to);

/* After the package wrote z. */
pl_err pl_device_rows_written(pl_device_rows *d, pl_dat *z);

void pl_device_rows_free(pl_device_rows *d);

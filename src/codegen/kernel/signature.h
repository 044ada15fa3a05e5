/* SPDX-License-Identifier: BSD-2-Clause
 * A kernel's parameters as its text declares them. Owns the names.
 *
 * Invariant: a parsed signature has only pointer and array parameters, each with a name; a bound one agrees
 * with the loop in count, type, constness and shape, and the type of pl_real is known.
 */
#pragma once

#include <stdbool.h>
#include "codegen/syntax/param_usage.h"

typedef enum pl_shape {
  PL_SHAPE_POINTER,  /* T *x, T x[], T x[n] */
  PL_SHAPE_POINTERS, /* T *x[n], T *const x[n], T **x */
  PL_SHAPE_PACKED,   /* T x[a][b], T x[a][b][c], T (*x)[b] */
  PL_SHAPE_ROW,      /* pl_row_T *x */
  PL_SHAPE_OPAQUE    /* any other pointer: void *, struct foo *, T ***, a function pointer */
} pl_shape;

enum { PL_EXTENTS = 4 };

typedef struct pl_param {
  char *name;
  pl_type type;    /* of a value; pl_real counts as PL_DOUBLE until bound; PL_TYPE_COUNT if OPAQUE */
  bool is_real;    /* spelled pl_real or pl_row_real */
  bool is_mixed;   /* spelled pl_mixed: its type is given by option precision */
  bool is_row;     /* spelled pl_row_T */
  bool is_complex; /* spelled double _Complex, not pl_cdouble */
  bool is_const;   /* the values are const */
  pl_shape shape;
  int rank;               /* extents: OPAQUE 0, POINTER and POINTERS 1, PACKED 2 to PL_EXTENTS */
  int extent[PL_EXTENTS]; /* -1: empty or no integer literal */
  pl_param_usage uses;    /* in the kernel's text */
  int negated,
    negates;        /* an earlier parameter; so many values, from the first on, get its increments negated */
  const char *text; /* the declaration as written, in the kernel's text */
  int length;
} pl_param;

typedef struct pl_signature {
  pl_context *pl;
  int count;
  pl_param *param;
  pl_type real; /* the type of pl_real: PL_FLOAT or PL_DOUBLE */
} pl_signature;

/* Reads the parameter list of a PL_KERNEL, or of the kernel's function in its source. Errors: PL_ERR_KERNEL,
 * and nothing to free. */
pl_err pl_signature_parse(pl_context *pl, const pl_kernel *kernel, pl_signature *signature);
void pl_signature_free(pl_signature *signature);
pl_err pl_signature_check(pl_context *pl, const pl_kernel *kernel); /* only parses it */

/* The number of the parameter that a token of the kernel names; -1: of none, or its text may hide it. */
int pl_signature_find(const pl_signature *signature, const pl_token *name);

/* Pairs of brackets that select one of its values. */
int pl_param_brackets(const pl_param *param);

/* SPDX-License-Identifier: BSD-2-Clause
 * A kernel's parameters as its text declares them, and their agreement with a loop's arguments. Owns the
 * names.
 *
 * Invariant: a signature that was parsed holds only pointer and array parameters, each with a name; one that
 * was bound agrees with the loop in count, type, constness and shape, and has decided what pl_real is.
 */
#ifndef PLAIT_CODEGEN_SIGNATURE_H
#define PLAIT_CODEGEN_SIGNATURE_H

#include <stdbool.h>
#include "../core/loop.h"
#include "uses.h"

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
  pl_type type;  /* of a value; pl_real counts as PL_DOUBLE until bound; PL_TYPE_COUNT if OPAQUE */
  bool is_real;  /* spelled pl_real or pl_row_real */
  bool is_mixed; /* spelled pl_mixed: of the type that option precision says */
  bool is_row;   /* spelled pl_row_T */
  bool is_const; /* the values are const */
  pl_shape shape;
  int rank;               /* extents: OPAQUE 0, POINTER and POINTERS 1, PACKED 2 to PL_EXTENTS */
  int extent[PL_EXTENTS]; /* -1: empty or no integer literal */
  pl_uses uses;           /* in the kernel's text */
  const char *text;       /* the declaration as written, in the kernel's text */
  int length;
} pl_param;

typedef struct pl_signature {
  pl_context *pl;
  int count;
  pl_param *param;
  pl_type real; /* what pl_real is: PL_FLOAT or PL_DOUBLE */
} pl_signature;

/* Reads the parameter list of a PL_KERNEL, or finds the kernel's function in its source first. Errors:
 * PL_ERR_KERNEL, and nothing to free. */
pl_err pl_signature_parse(pl_context *pl, const pl_kernel *kernel, pl_signature *signature);
void pl_signature_free(pl_signature *signature);
pl_err pl_signature_check(pl_context *pl, const pl_kernel *kernel); /* parses it, and that is all */

/* Checks the signature against the loop's arguments and decides pl_real. Errors: PL_ERR_KERNEL (count,
 * shape), PL_ERR_TYPE, PL_ERR_ACCESS (constness). */
pl_err pl_signature_bind(pl_context *pl, const pl_loop *loop, pl_signature *signature);

#endif

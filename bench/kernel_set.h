/* SPDX-License-Identifier: BSD-2-Clause
 * The kernel set: different small kernels with the arguments of each. A dat is identified by a letter, its
 * set, type and dim.
 */
#ifndef BENCH_KERNEL_SET_H
#define BENCH_KERNEL_SET_H

#include "plait.h"

enum { SET_ARGUMENTS = 6, SET_ARITY = 8 };

/* Maps from elements to points: arity 1 to 8; SET_EDGES has arity 2 and a missing target here and there. */
enum { SET_DIRECT = 0, SET_BOUNDARY = SET_ARITY + 1, SET_MAPS };

typedef struct set_argument {
  char letter; /* of a dat, or 'G' for a global */
  pl_type type;
  int dim, map; /* SET_DIRECT, an arity, or SET_BOUNDARY */
  int index;    /* target, PL_ALL or PL_ID */
  pl_access access;
} set_argument;

typedef struct set_kernel {
  const pl_kernel *kernel;
  const char *what; /* a few words */
  int nargs;
  set_argument arg[SET_ARGUMENTS];
} set_kernel;

extern const set_kernel kernel_set[];
extern const int kernel_set_count;

/* The consts that the kernels use by name. */
pl_err kernel_set_declare(pl_context *pl);

#endif

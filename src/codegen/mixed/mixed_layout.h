/* SPDX-License-Identifier: BSD-2-Clause
 * The layout of a call's mixed arguments: the contents of their vectors and local tensors, part by part.
 */
#pragma once

#include "core/data/lowered_args.h"
#include "plan/mixed/mixed_mat.h"

/* One argument of the call. */
typedef struct pl_mixed_arg {
  const pl_arg *arg;
  bool split;                 /* into parts; else the loop gets the argument as it is */
  int n[2];                   /* parts of rows, and of columns; of a dat n and 1 */
  const pl_mixed_map *map[2]; /* of rows and columns; of a dat the first only */
  int values[2];              /* of all parts, through the maps */
  int targets;                /* of a dat */
  bool tensor;                /* of a matrix */
} pl_mixed_arg;

pl_mixed_arg pl_mixed_layout(const pl_arg *arg);

/* The values of part i on one side of an argument: arity * dim. */
int pl_mixed_part(const pl_mixed_arg *a, int side, int i);

/* The dat of part i; the matrix of part (i, j). */
pl_arg pl_mixed_part_arg(const pl_mixed_arg *a, int i, int j);

/* SPDX-License-Identifier: BSD-2-Clause
 * How a kernel's text uses a parameter. Uses through another pointer, in a helper or in a macro are not seen;
 * a name in text that cannot be read, or beside preprocessor lines, counts as unused.
 */
#pragma once

#include "syntax.h"

typedef struct pl_param_usage {
  bool writes;  /* a value is assigned to: x[0] = 1, *x += 2, x[i].re = 3, ++x[0] */
  bool sets;    /* a value is set: x[0] = 1 */
  bool adds;    /* added to: x[0] += 1, x[0]++, x[0] = x[0] + 1 */
  bool scales;  /* multiplied: x[0] *= 2, x[0] >>= 1 */
  bool weighs;  /* compared, a branch of ?:, or an argument of fmin or fmax: x[0] = fmin(x[0], y) */
  bool others;  /* any other use: y[0] = x[0], f(x) */
  int clears;   /* so many values, from the first on, are certainly zero when the kernel ends */
  int reach[2]; /* 1 + the largest number in the first and the second bracket: 3, 5 for x[2][4]; 0: none */
} pl_param_usage;

/* Of the parameter `name`, `depth` pointers or brackets from its values, in a block; `declarator` is that of
 * the parameter, or 0 if it is not in the tree. */
pl_param_usage pl_param_usage_find(const pl_syntax *tree, int block, const char *name, int declarator,
                                   int depth);

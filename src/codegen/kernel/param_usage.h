/* SPDX-License-Identifier: BSD-2-Clause
 * How a kernel's text uses a parameter. Uses through another pointer, in a helper or in a macro are not seen;
 * a name that the text declares again counts as unused.
 */
#pragma once

#include <stdbool.h>
#include "lexer.h"

typedef struct pl_param_usage {
  bool writes;  /* a value is assigned to: x[0] = 1, *x += 2, x[i].re = 3, ++x[0] */
  bool sets;    /* a value is set: x[0] = 1 */
  bool adds;    /* added to: x[0] += 1, x[0]++, x[0] = x[0] + 1 */
  bool scales;  /* multiplied: x[0] *= 2, x[0] >>= 1 */
  bool weighs;  /* compared, a branch of ?:, or an argument of fmin or fmax: x[0] = fmin(x[0], y) */
  bool others;  /* any other use: y[0] = x[0], f(x) */
  int reach[2]; /* 1 + the largest number in the first and the second bracket: 3, 5 for x[2][4]; 0: none */
} pl_param_usage;

/* Of the parameter `name`, `depth` pointers or brackets from its values, in tokens first to last - 1. */
pl_param_usage pl_param_usage_find(const pl_tokens *tokens, int first, int last, const char *name, int depth);

/* The name before the brackets of which those at i, [ or ], are number *level: x for both of x[2][i]. -1:
 * none, or the address is taken. */
int pl_subscripted_name(const pl_tokens *tokens, int i, int *level);

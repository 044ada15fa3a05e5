/* SPDX-License-Identifier: BSD-2-Clause
 * Parameters whose increments differ in their sign only.
 */
#pragma once

#include "param_statements.h"

/* How many values, from the first on, a block adds to `a` and subtracts from `b`, or the reverse: each of
 * them once, and no other values of both. 0 if it does more with them or may jump, or the text may have
 * macros. The declarators of both are in the tree. Finds pairs a[0] += f, b[0] -= f between which are only
 * such increments, also in loops for (int k = 0; k < 4; k++) with a[k] and b[k]. */
int pl_params_opposite(const pl_syntax *tree, int block, const pl_tracked *a, const pl_tracked *b);
